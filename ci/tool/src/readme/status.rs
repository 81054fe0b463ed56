//! The status table: what is counted is counted in the sources, and what was measured is taken from where it was recorded.

use std::path::{Path, PathBuf};

use crate::error::Result;
use crate::model_check::seen::Seen;
use crate::mutants::record::Record;
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

    let in_words = ["errata", "security", "privacy"].map(|name| tests(&format!("spec/tests/{name}.rs")));
    let [errata, points, views] = in_words;
    row(
        "errata of the paper; security points; views of a party, exhaustively over 2-bit words",
        format!("{}, {}, {} tests", errata?, points?, views?),
        "`spec/tests/`",
    );
    row(
        "tests of the specification; of the reference; of all that is optimized",
        format!("{}, {}, {}", tests("spec/*.rs")?, tests("reference/*.rs")?, tests("optimized/*.rs")?),
        "beside the code",
    );
    let vectors = files::below("spec/vectors", "json")?;
    let bad = vectors.iter().filter(|name| name.contains("_bad_")).count();
    row("test vectors", format!("{} files, {bad} of them of known faults", vectors.len()), "`spec/vectors/`");

    let with_axioms = proved.theorems.iter().filter(|theorem| !theorem.axioms.is_empty()).count();
    row(
        "theorems about the specification's Rust, axioms",
        format!("[{} listed](proofs/THEOREMS.md), {with_axioms} with axioms", proved.theorems.len()),
        "`proofs/`, `ci/prove`",
    );
    let [broken, noticed] = ["proofs/mutants.tsv", "spec/faults.tsv"].map(files::read);
    row(
        "faults planted in the specification: those that break a proof; those of security that a test in words notices",
        format!("{}, {}", table::rows(&broken?).len(), table::rows(&noticed?).len()),
        "`ci/prove-mutants`, `ci/spec-faults`",
    );
    let models = files::read("proofs/tla/models.tsv")?;
    let of = |set: &str| table::rows(&models).iter().filter(|row| row.get(1) == Some(&set)).count();
    let [seen, whole] = Seen::read()?.count();
    row(
        "modelled: message rounds, crashes and restarts",
        format!(
            "{} models that pass, {} that must fail, 7 properties; of {} larger ones {whole} seen to pass, {} in part",
            of("base"),
            of("fault"),
            of("deep"),
            seen - whole
        ),
        "`proofs/tla/`, `ci/model-check`",
    );
    let ([seeds, places, faults], [of_hosts, of_orders]) = (simulated()?, hosts()?);
    row(
        "parties that survive, simulated with crashes; hosts of each protocol and their clients, with lost links too",
        format!(
            "{seeds} and {of_hosts} seeds in `ci/test`, {places} places for a crash in each step, {faults} and {of_orders} faults planted"
        ),
        "`ci/simulate`, `ci/crash`",
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
    let scores = Record::read()?.summary();
    row("mutants of the code that the tests notice", scores.join("; "), "`ci/mutants`");
    if Path::new(DEEP).exists() {
        row("what takes hours", deep(&files::read(DEEP)?), "`ci/deep.tsv`, `ci/deep`");
    }
    Ok(table::markdown(["", "", "where"], rows))
}

/// How many parts of `ci/deep` were run to their end, and which of them did not pass.
fn deep(record: &str) -> String {
    let rows = table::rows(record);
    let not_passed: Vec<&str> =
        rows.iter().filter(|row| row.get(1) != Some(&"passed")).map(|row| row[0]).collect();
    let failed = if not_passed.is_empty() {
        "all passed".to_string()
    } else {
        format!("not passed: {}", not_passed.join(", "))
    };
    format!("{} parts run to their end, {failed}", rows.len())
}

/// How many seeds `ci/test` runs of parties that survive, where each step may crash, and how many faults must be found.
fn simulated() -> Result<[String; 3]> {
    let variants = |file: &str| {
        let path = format!("reference/simulation/src/{file}.rs");
        lines(path, |line| line.trim_start().starts_with("Self::")).map(|count| count.to_string())
    };
    let test = files::read("ci/test")?;
    Ok([seeds(&test).unwrap_or("no").to_string(), variants("coverage")?, variants("fault")?])
}

/// How many seeds the tests run of hosts, and how many faults must be found.
fn hosts() -> Result<[String; 2]> {
    let test = files::read("optimized/host/tests/simulation/main.rs")?;
    let seeds = test.lines().find_map(|line| line.strip_prefix("const SEEDS: u64 = ")?.strip_suffix(';'));
    let faults = lines("optimized/host/src/orders/fault.rs", |line| line.trim_start().starts_with("Self::"))?;
    Ok([seeds.unwrap_or("no").to_string(), faults.to_string()])
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
    // The exercises are one chapter, with a page for each part: `23-1-ideas.md`.
    let chapters = files::listed(&["book/src/[0-9][0-9]-[a-z]*.md"])?.len();
    let mut listings = 0;
    for page in &pages {
        listings += lines(page, |line| line.starts_with("{{#include .."))?;
    }
    let computed = files::below("book/src/generated", "md")?.len();
    let solved = tests("book/exercises/tests/*.rs")?;
    let faults = files::read("book/checks/faults.tsv")?;
    Ok(format!(
        "{chapters} chapters, {listings} listings by name, {computed} computed tables, {solved} exercises solved, {} faults planted",
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
    fn parts_that_failed_are_named() {
        let record = "part\tresult\tseconds\tday\tcommit\nmiri\tpassed\t90\t2026-11-22\tabc1234+\n";
        assert_eq!(deep(record), "1 parts run to their end, all passed");
        let record = format!("{record}models\tfailed\t9\t2026-11-21\tdef\n");
        assert_eq!(deep(&record), "2 parts run to their end, not passed: models");
    }
}
