//! The status table: what is counted is counted in the sources, and what was measured is taken from where it was recorded.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::mutants::score;
use crate::proofs::status::Status;
use crate::{files, table};

/// What `ci/deep` has recorded: part, result, seconds, day, commit.
const DEEP: &str = "ci/deep.tsv";

/// In Markdown, with links from the top of the repository.
///
/// # Errors
/// If a source cannot be read.
pub(super) fn table(proved: &Status) -> Result<String> {
    let mut rows: Vec<[String; 3]> = Vec::new();
    let mut row =
        |what: &str, state: String, place: &str| rows.push([what.to_string(), state, place.to_string()]);

    row("errata of the paper", format!("{} tests", tests("spec/tests/errata.rs")?), "`spec/tests/errata.rs`");
    row("security points", format!("{} tests", tests("spec/tests/security.rs")?), "`spec/tests/security.rs`");
    row(
        "views of each party, exhaustively over 2-bit words",
        format!("{} tests", tests("spec/tests/privacy.rs")?),
        "`spec/tests/privacy.rs`",
    );
    row("specification, all tests", tests("spec/*.rs")?.to_string(), "`spec/`");
    row("reference", tests("reference/*.rs")?.to_string(), "`reference/`");
    row("kernels, parties, conformance kit, program", tests("optimized/*.rs")?.to_string(), "`optimized/`");
    let vectors = files::below("spec/vectors", "json")?;
    let bad = vectors.iter().filter(|name| name.contains("_bad_")).count();
    row("test vectors", format!("{} files, {bad} of them of known faults", vectors.len()), "`spec/vectors/`");

    let with_axioms = proved.theorems.iter().filter(|theorem| !theorem.axioms.is_empty()).count();
    row(
        "theorems about the specification's Rust, axioms",
        format!("[{} listed](proofs/THEOREMS.md), {with_axioms} with axioms", proved.theorems.len()),
        "`proofs/`, `ci/prove`",
    );
    let faults = files::read("proofs/mutants.tsv")?;
    row(
        "faults planted in the specification that break a proof",
        table::rows(&faults).len().to_string(),
        "`proofs/mutants.tsv`, `ci/prove-mutants`",
    );
    let faults = files::read("spec/faults.tsv")?;
    row(
        "faults of security that leave the answers right, noticed by a test in words",
        table::rows(&faults).len().to_string(),
        "`spec/faults.tsv`, `ci/spec-faults`",
    );
    let models = files::read("proofs/tla/models.tsv")?;
    let of = |set: &str| table::rows(&models).iter().filter(|row| row.get(1) == Some(&set)).count();
    row(
        "modelled: message rounds, crashes and restarts",
        format!("{} models that pass, {} that must fail, 7 properties", of("base"), of("fault")),
        "`proofs/tla/`, `ci/model-check`",
    );
    row(
        "parties that survive: three of them simulated, with crashes",
        simulated()?,
        "`reference/simulation/`, `ci/simulate`",
    );
    row(
        "three hosts and their clients: orders and requests simulated, with crashes and lost links",
        hosts()?,
        "`optimized/host/tests/simulation/`, `ci/crash`",
    );
    let targets = lines("fuzz/Cargo.toml", |line| line == "[[bin]]")?;
    let patches = files::below("fuzz/planted", "patch")?.len();
    row(
        "fuzz targets, each with an oracle in another layer",
        format!("{targets}, {patches} faults planted for them"),
        "`fuzz/`, `ci/fuzz`",
    );
    row("the book", book()?, "`book/`, `ci/book`");
    row(
        "secret-dependent branches and addresses",
        "looked for in the reference and all backends".to_string(),
        "`SECURITY.md`, `ci/constant-time`",
    );
    for (name, noticed) in score::summary(&files::read("ci/mutants-score.tsv")?) {
        row(
            &format!("mutants of {name} that the tests notice"),
            noticed,
            "`ci/mutants-score.tsv`, `ci/mutants`",
        );
    }
    if Path::new(DEEP).exists() {
        for [part, ran] in deep(&files::read(DEEP)?) {
            row(&format!("`ci/deep {part}`"), ran, "`ci/deep.tsv`");
        }
    }
    Ok(table::markdown(["", "", "where"], rows))
}

/// A part of `ci/deep`, and how it ended when and on which commit.
fn deep(record: &str) -> Vec<[String; 2]> {
    let ran = |row: &Vec<&str>| match row[..] {
        [part, result, _, day, commit] => Some([part.to_string(), format!("{result}, {day}, at {commit}")]),
        _ => None,
    };
    table::rows(record).iter().filter_map(ran).collect()
}

/// How many seeds `ci/test` runs, over both protocols, and how many faults must be found.
fn simulated() -> Result<String> {
    let test = files::read("ci/test")?;
    let seeds = seeds(&test).unwrap_or("no");
    let places =
        lines("reference/simulation/src/coverage.rs", |line| line.trim_start().starts_with("Self::"))?;
    let faults = lines("reference/simulation/src/fault.rs", |line| line.trim_start().starts_with("Self::"))?;
    Ok(format!(
        "{seeds} seeds in `ci/test`, {places} places for a crash in each step, {faults} faults planted"
    ))
}

/// How many seeds the tests run of three hosts, and how many faults must be found.
fn hosts() -> Result<String> {
    let test = files::read("optimized/host/tests/simulation/main.rs")?;
    let seeds = test.lines().find_map(|line| line.strip_prefix("const SEEDS: u64 = ")?.strip_suffix(';'));
    let faults = lines("optimized/host/src/orders/fault.rs", |line| line.trim_start().starts_with("Self::"))?;
    Ok(format!("{} seeds in `ci/test`, {faults} faults planted", seeds.unwrap_or("no")))
}

/// How many seeds a script simulates.
fn seeds(script: &str) -> Option<&str> {
    script.lines().find_map(|line| {
        let word = line.trim_start().strip_prefix("ci/simulate ")?.split_whitespace().next()?;
        word.parse::<u64>().is_ok().then_some(word)
    })
}

fn book() -> Result<String> {
    let pages: Vec<PathBuf> = files::listed(&["book/src/[0-9]*.md"])?;
    let mut listings = 0;
    for page in &pages {
        listings += lines(page, |line| line.starts_with("{{#include .."))?;
    }
    let computed = files::below("book/src/generated", "md")?.len();
    let solved = tests("book/exercises/tests/*.rs")?;
    let faults = files::read("book/checks/faults.tsv")?;
    Ok(format!(
        "{} chapters, {listings} listings by name, {computed} computed tables, {solved} exercises solved, {} faults planted",
        pages.len(),
        table::rows(&faults).len()
    ))
}

/// How many tests there are in the files of this pattern.
fn tests(pattern: &str) -> Result<usize> {
    let mut count = 0;
    for path in files::listed(&[pattern])? {
        count += lines(path, |line| line.trim_start().starts_with("#[test]"))?;
    }
    Ok(count)
}

fn lines(path: impl AsRef<Path>, wanted: impl Fn(&str) -> bool) -> Result<usize> {
    Ok(files::read(path)?.lines().filter(|line| wanted(line)).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_those_of_the_command() {
        let script = "# ci/simulate 7\nsimulated() {\n  ci/simulate --everywhere\n  ci/simulate 3000\n}\n";
        assert_eq!(seeds(script), Some("3000"));
        assert_eq!(seeds("ci/simulate --everywhere\n"), None);
    }

    #[test]
    fn deep_checks_are_shown_with_day_and_commit() {
        let record = "part\tresult\tseconds\tday\tcommit\nmiri\tpassed\t90\t2026-11-22\tabc1234+\nmodels\tfailed\t9\t2026-11-21\tdef\n";
        let rows = deep(record);
        assert_eq!(rows[0], ["miri", "passed, 2026-11-22, at abc1234+"]);
        assert_eq!(rows[1][1], "failed, 2026-11-21, at def");
    }
}
