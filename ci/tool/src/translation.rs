//! `proofs/hax/run`, `fresh` and `check`: the translation of the specification, and whether the committed one is it. Which
//! sources it was made from, and what was made, is kept as hashes in the file SOURCE beside it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::answers::Question;
use crate::error::{Error, Result, found};
use crate::{files, hashes, process};

/// Where the committed translation is.
pub(crate) const COMMITTED: &str = "proofs/rocq/Generated";
/// The list of the functions that were translated.
pub(crate) const FUNCTIONS: &str = "functions.txt";
const SOURCE: &str = "SOURCE";

/// Which crate, and its translation.
#[derive(clap::Args)]
pub(crate) struct Pair {
    #[arg(default_value = "spec", value_name = "CRATE")]
    krate: PathBuf,
    #[arg(default_value = COMMITTED)]
    generated: PathBuf,
}

/// What the engine wrote, and where it is to be.
#[derive(clap::Args)]
pub(crate) struct Install {
    written: PathBuf,
    #[command(flatten)]
    pair: Pair,
}

/// A translation that claims to be that of the specification.
#[derive(clap::Args)]
pub(crate) struct Check {
    #[arg(default_value = COMMITTED)]
    generated: PathBuf,
}

/// Makes `generated` what the engine wrote. Files that have not changed are left alone, so that Rocq need not compile them again.
pub(crate) fn install(Install { written, pair: Pair { krate, generated } }: &Install) -> Result<()> {
    let new = files::below(written, "v")?;
    if new.is_empty() {
        return found("the engine wrote nothing");
    }
    fs::create_dir_all(generated).map_err(Error::file(generated))?;
    for old in files::below(generated, "v")?.iter().filter(|old| !new.contains(old)) {
        let old = generated.join(old);
        fs::remove_file(&old).map_err(Error::file(&old))?;
    }
    for name in new.iter().map(String::as_str).chain([FUNCTIONS]) {
        let text = files::read(written.join(name))?;
        let path = generated.join(name);
        if !fs::read_to_string(&path).is_ok_and(|old| old == text) {
            files::write(path, text)?;
        }
    }
    files::write(generated.join(SOURCE), source(krate, generated)?)
}

/// Without any tool but this one: it cannot tell whether the translation is right; `check` can.
pub(crate) fn fresh(Pair { krate, generated }: &Pair) -> Result<()> {
    let recorded = files::read(generated.join(SOURCE))?;
    let actual = source(krate, generated)?;
    let (recorded, actual): (BTreeSet<&str>, BTreeSet<&str>) =
        (recorded.lines().collect(), actual.lines().collect());
    let name = |line: &&str| line.split_whitespace().next_back().unwrap_or_default().to_string();
    let changed: BTreeSet<String> = recorded.symmetric_difference(&actual).map(name).collect();
    if !changed.is_empty() {
        let lines: Vec<_> =
            changed.iter().map(|name| format!("not as it was when it was translated: {name}\n")).collect();
        return found(format!("{}run proofs/hax/run", lines.concat()));
    }
    println!("proofs/hax/fresh: the translation is that of the present specification");
    Ok(())
}

/// What a translation depends on besides the crate's sources: the engine, and the versions of hax and of its compiler.
const ENGINE: [&str; 5] = [
    "proofs/hax/run",
    "proofs/hax/Cargo.toml",
    "proofs/hax/Cargo.lock",
    "proofs/hax/rust-toolchain.toml",
    "ci/tools",
];

/// Translates a crate to `out`, under a logical path in Rocq. What was made of the very same sources, by the same engine, is
/// not made again.
///
/// # Errors
/// If the engine refuses the crate.
pub(crate) fn translate(krate: &Path, logical: &str, out: &Path) -> Result<()> {
    let mut question = Question::new("translation")?
        .with(logical.as_bytes())
        .with(files::read(krate.join("Cargo.toml"))?.as_bytes())
        .with_files(&krate.join("src"), "rs")?
        .with_files(Path::new("proofs/hax/src"), "rs")?;
    for part in ENGINE {
        question = question.with(files::read(part)?.as_bytes());
    }
    if let Some(made) = question.answered()? {
        let made: BTreeMap<String, String> = serde_json::from_str(&made)
            .or_else(|error| found(format!("a translation that was kept: {error}")))?;
        return made.iter().try_for_each(|(name, text)| files::write(out.join(name), text));
    }
    process::pass(Command::new("proofs/hax/run").arg(out).arg(krate).arg(logical))?;
    let names = files::below(out, "v")?.into_iter().chain([FUNCTIONS, SOURCE].map(String::from));
    let made: BTreeMap<String, String> =
        names.map(|name| Ok((name.clone(), files::read(out.join(&name))?))).collect::<Result<_>>()?;
    question.remember(&serde_json::json!(made).to_string())
}

/// Compares with what the engine makes of the specification.
pub(crate) fn check(Check { generated }: &Check) -> Result<()> {
    let scratch = files::scratch()?;
    translate(Path::new("spec"), "Duoram.Generated", scratch.path())?;
    let different = differences(scratch.path(), generated)?;
    for name in &different {
        eprintln!("{COMMITTED}/{name} is not what proofs/hax makes of the specification");
        let mut diff = Command::new("diff");
        let ran = process::run(diff.arg("-u").arg(generated.join(name)).arg(scratch.path().join(name)))?;
        ran.output.lines().take(20).for_each(|line| eprintln!("{line}"));
    }
    if !different.is_empty() {
        return found("the committed translation is another one: run proofs/hax/run");
    }
    let functions = files::read(scratch.path().join(FUNCTIONS))?.lines().count();
    let count = files::below(scratch.path(), "v")?.len();
    println!("proofs/hax/check: {count} files, {functions} functions, as committed");
    Ok(())
}

/// The files of two translations that are not equal, or in one of them only.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn differences(one: &Path, other: &Path) -> Result<Vec<String>> {
    let mut names: BTreeSet<String> =
        files::below(one, "v")?.into_iter().chain(files::below(other, "v")?).collect();
    names.extend([FUNCTIONS, SOURCE].map(String::from));
    let bytes = |folder: &Path, name: &String| fs::read(folder.join(name)).ok();
    names.retain(|name| bytes(one, name).is_none() || bytes(one, name) != bytes(other, name));
    Ok(names.into_iter().collect())
}

/// What SOURCE has to say.
fn source(krate: &Path, generated: &Path) -> Result<String> {
    Ok(hashes::listing(&krate.join("src"), "src", "rs")? + &hashes::listing(generated, ".", "v")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate of one file, and its translation, installed.
    fn translated() -> (tempfile::TempDir, Install) {
        let scratch = files::scratch().unwrap();
        let at = |name: &str| scratch.path().join(name);
        files::write(at("crate/src/paper/read.rs"), "fn read() {}").unwrap();
        files::write(at("written/Paper/Read.v"), "Definition read := x.").unwrap();
        files::write(at("written/functions.txt"), "paper::read::read\n").unwrap();
        let pair = Pair { krate: at("crate"), generated: at("generated") };
        let install_it = Install { written: at("written"), pair };
        install(&install_it).unwrap();
        (scratch, install_it)
    }

    #[test]
    fn fresh_names_what_changed() {
        let (_scratch, Install { pair, .. }) = translated();
        fresh(&pair).unwrap();
        files::write(pair.krate.join("src/paper/read.rs"), "fn read() { }").unwrap();
        files::write(pair.krate.join("src/more.rs"), "").unwrap();
        files::write(pair.generated.join("Paper/Read.v"), "Definition read := y.").unwrap();
        let said = fresh(&pair).unwrap_err().to_string();
        let named = |name: &str| said.contains(&format!("not as it was when it was translated: {name}\n"));
        assert!(named("src/paper/read.rs") && named("src/more.rs") && named("./Paper/Read.v"), "{said}");
    }

    #[test]
    fn installing_removes_what_is_gone_and_leaves_what_is_the_same() {
        let (_scratch, install_it) = translated();
        let generated = &install_it.pair.generated;
        files::write(generated.join("Paper/Gone.v"), "").unwrap();
        let time = || fs::metadata(generated.join("Paper/Read.v")).unwrap().modified().unwrap();
        let before = time();
        install(&install_it).unwrap();
        assert_eq!(files::below(generated, "v").unwrap(), ["Paper/Read.v"]);
        assert_eq!(time(), before);
        fs::remove_dir_all(&install_it.written).unwrap();
        fs::create_dir(&install_it.written).unwrap();
        assert_eq!(install(&install_it).unwrap_err().to_string(), "the engine wrote nothing");
    }

    #[test]
    fn differences_are_named_in_both_directions() {
        let (scratch, Install { pair, .. }) = translated();
        let other = scratch.path().join("other");
        files::copy(&pair.generated, &other).unwrap();
        assert!(differences(&pair.generated, &other).unwrap().is_empty());
        files::write(other.join("Paper/Read.v"), "").unwrap();
        files::write(other.join("More.v"), "").unwrap();
        assert_eq!(differences(&pair.generated, &other).unwrap(), ["More.v", "Paper/Read.v"]);
        assert_eq!(differences(&other, &pair.generated).unwrap(), ["More.v", "Paper/Read.v"]);
    }
}
