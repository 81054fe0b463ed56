//! `ci/prove-mutants`: do the proofs bite? Each row of `proofs/mutants.tsv` is a small fault in the specification. A copy of it
//! gets the fault, is translated anew, and the proofs are compiled against it; they must fail, and the theorem file of the row
//! must be among what is lost.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;

use regex::Regex;

use crate::error::{Error, Result, found};
use crate::prove::make;
use crate::{files, plant, process, table, translation};

/// Plants the faults of the list, which the proofs must notice.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Another list.
    #[arg(long, value_name = "FILE", default_value = "proofs/mutants.tsv")]
    list: PathBuf,
    /// Only these, or those that theorems of these folders are to notice.
    names: Vec<String>,
}

const ROCQ: &str = "proofs/rocq";
/// Seconds for one file: more is no verdict.
const LIMIT: u32 = 600;

/// A row of the list.
#[derive(Debug, PartialEq, Eq)]
struct Mutant<'a> {
    name: &'a str,
    /// Below spec/src, where `old`, which is there exactly once, becomes `new`.
    file: &'a str,
    old: &'a str,
    new: &'a str,
    /// The file of theorems that must no longer compile.
    expected: &'a str,
    fault: &'a str,
}

/// What became of a fault.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// Proofs failed, at these places.
    Caught(Vec<String>),
    /// None failed.
    Survives,
    /// A file took too long.
    Undecided,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let started = Instant::now();
    let list = files::read(&arguments.list)?;
    let mutants = chosen(&list, &arguments.names)?;
    let scratch = files::scratch()?;
    let bench = Bench { scratch: scratch.path() };
    bench.without_fault()?;
    let (mut survived, mut elsewhere) = (0, 0);
    for mutant in &mutants {
        let begin = Instant::now();
        println!("{}: {}", mutant.name, mutant.fault);
        let verdict =
            bench.judge(mutant).map_err(|error| Error::Found(format!("{}: {error}", mutant.name)))?;
        let seconds = begin.elapsed().as_secs();
        match verdict {
            Verdict::Caught(places) => {
                for place in &places {
                    println!("  caught: {place}");
                }
                if bench.rocq().join(object(mutant.expected)).exists() {
                    println!("  NOT as expected: {} still holds; {seconds} s", mutant.expected);
                    elsewhere += 1;
                } else {
                    println!("  {} is lost, as expected; {seconds} s", mutant.expected);
                }
            }
            Verdict::Survives | Verdict::Undecided => {
                println!(
                    "  NOT CAUGHT: it {}; {seconds} s",
                    if verdict == Verdict::Survives { "survives" } else { "is undecided" }
                );
                survived += 1;
            }
        }
    }
    println!(
        "ci/prove-mutants: {} faults, {survived} not caught, {elsewhere} caught elsewhere than expected, in {} s",
        mutants.len(),
        started.elapsed().as_secs()
    );
    if survived + elsewhere == 0 { Ok(()) } else { Err(Error::Shown) }
}

/// The rows of these names, or folders of expected files, or all.
fn chosen<'a>(list: &'a str, names: &[String]) -> Result<Vec<Mutant<'a>>> {
    let mut mutants = Vec::new();
    for row in table::rows(list) {
        let [name, file, old, new, expected, fault] = row[..] else {
            return found(format!("{}: six columns wanted", row[0]));
        };
        mutants.push(Mutant { name, file, old, new, expected, fault });
    }
    plant::choose(&mut mutants, names, |name, mutant| {
        mutant.name == name || mutant.expected.split_once('/').is_some_and(|(folder, _)| folder == name)
    })?;
    Ok(mutants)
}

/// Where faults are planted.
struct Bench<'a> {
    scratch: &'a Path,
}

impl Bench<'_> {
    /// A crate of its own.
    fn spec(&self) -> PathBuf {
        self.scratch.join("spec")
    }

    fn generated(&self) -> PathBuf {
        self.scratch.join("generated")
    }

    /// A copy of the proofs.
    fn rocq(&self) -> PathBuf {
        self.scratch.join("rocq")
    }

    fn translate(&self) -> Result<process::Ran> {
        process::run(Command::new("proofs/hax/run").arg(self.generated()).arg(self.spec()))
    }

    /// The copy translates as the specification does, and the proofs hold.
    fn without_fault(&self) -> Result<()> {
        let manifest =
            "[package]\nname = \"duoram-spec\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n";
        files::write(self.spec().join("Cargo.toml"), manifest)?;
        files::copy_anew(Path::new("spec/src"), &self.spec().join("src"))?;
        let ran = self.translate()?;
        if !ran.success {
            return found(format!("{}the specification is not translated", ran.all()));
        }
        if let Some(file) = self.changed(Path::new(translation::COMMITTED))?.first() {
            return found(format!("{file} is not as committed: run proofs/hax/run"));
        }
        let ran = make(Path::new(ROCQ), &["-j2"])?;
        if ran.success { Ok(()) } else { found(format!("{}the proofs fail without any fault", ran.all())) }
    }

    /// The files of the translation that are not as in `before`.
    fn changed(&self, before: &Path) -> Result<Vec<String>> {
        let mut names = translation::differences(&self.generated(), before)?;
        names.retain(|name| Path::new(name).extension().is_some_and(|extension| extension == "v"));
        Ok(names)
    }

    fn judge(&self, mutant: &Mutant<'_>) -> Result<Verdict> {
        for (folder, file) in [("spec/src", mutant.file), (ROCQ, mutant.expected)] {
            if !Path::new(folder).join(file).is_file() {
                return found(format!("no {folder}/{file}"));
            }
        }
        for old in [self.spec().join("src"), self.generated(), self.rocq()].iter().filter(|old| old.exists())
        {
            std::fs::remove_dir_all(old).map_err(Error::file(old))?;
        }
        files::copy_anew(Path::new("spec/src"), &self.spec().join("src"))?;
        plant::into_file(&self.spec().join("src").join(mutant.file), mutant.old, mutant.new)?;
        let ran = self.translate()?;
        if !ran.success {
            return found(format!("{}not translated, so no fault for the proofs to find", ran.all()));
        }
        files::copy(Path::new(ROCQ), &self.rocq())?;
        let changed = self.changed(&self.rocq().join("Generated"))?;
        if changed.is_empty() {
            return found("changes nothing in the translation");
        }
        for name in &changed {
            files::write(
                self.rocq().join("Generated").join(name),
                files::read(self.generated().join(name))?,
            )?;
        }
        // Rocq must accept the definitions; what fails is to be a proof.
        let goals: Vec<_> = changed.iter().map(|name| format!("Generated/{name}o")).collect();
        let ran = self.compile(&[], &goals)?;
        if !ran.success {
            return found(format!("{}the translation does not compile", ran.all()));
        }
        self.proofs(mutant.expected)
    }

    /// Compiles, against the changed translation, what the expected file needs, until something fails; and all proofs, if nothing does.
    fn proofs(&self, expected: &str) -> Result<Verdict> {
        let goal = object(expected);
        // What is there at the end was compiled against the fault.
        let old = self.rocq().join(&goal);
        if old.exists() {
            std::fs::remove_file(&old).map_err(Error::file(&old))?;
        }
        let mut ran = self.compile(&[], &[goal])?;
        if ran.success {
            ran = self.compile(&["-k"], &["all".to_string()])?;
        }
        let all = ran.all();
        if all.lines().any(|line| line.ends_with("Error 124")) {
            return Ok(Verdict::Undecided);
        }
        if ran.success {
            return Ok(Verdict::Survives);
        }
        let mut places = Vec::new();
        for (file, line) in errors(&all) {
            let text = files::read(self.rocq().join(&file))?;
            places.push(format!("{file}:{line} ({})", statement(&text, line).unwrap_or("no statement")));
        }
        if places.is_empty() {
            found(format!("{all}it fails, but in no proof"))
        } else {
            Ok(Verdict::Caught(places))
        }
    }

    fn compile(&self, options: &[&str], goals: &[String]) -> Result<process::Ran> {
        let coqc = format!("COQC=timeout {LIMIT} coqc");
        let mut arguments = vec!["-j2", coqc.as_str()];
        arguments.extend(options);
        arguments.extend(goals.iter().map(String::as_str));
        make(&self.rocq(), &arguments)
    }
}

/// `X.vo` for `X.v`.
fn object(file: &str) -> String {
    format!("{file}o")
}

/// File and line of each error that coqc printed, warnings left out.
fn errors(printed: &str) -> Vec<(String, usize)> {
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r#"^File "(?:\./)?([^"]*)", line ([0-9]+)"#).expect("a pattern"));
    let mut at = None;
    let mut errors = Vec::new();
    for line in printed.lines() {
        if let Some(place) = PLACE.captures(line) {
            at = place[2].parse().ok().map(|line| (place[1].to_string(), line));
        } else if line.starts_with("Error") {
            errors.extend(at.take());
        }
    }
    errors
}

/// The statement that line `line` of a Rocq file is in.
fn statement(text: &str, line: usize) -> Option<&str> {
    static NAME: LazyLock<Regex> = LazyLock::new(|| {
        let pattern =
            r"^ *(?:#\[global\] )?(?:Theorem|Corollary|Lemma|Instance|Example|Definition) +([A-Za-z0-9_']+)";
        Regex::new(pattern).expect("a pattern")
    });
    let before = text.lines().take(line).collect::<Vec<_>>();
    before
        .into_iter()
        .rev()
        .find_map(|line| NAME.captures(line))
        .and_then(|name| name.get(1))
        .map(|name| name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "name\tfile\told\tnew\texpected\tfault\na\tread.rs\tx\ty\tSharing.v\tplanted\nb\tread.rs\tx\tz\tpaper/R.v\tx is z\n";

    #[test]
    fn faults_are_chosen_by_name() {
        let names = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(chosen(LIST, &[]).unwrap().len(), 2);
        assert_eq!(chosen(LIST, &names(&["b"])).unwrap()[0].expected, "paper/R.v");
        assert_eq!(chosen(LIST, &names(&["paper"])).unwrap()[0].name, "b");
        let error = |list, wanted: &[&str]| chosen(list, &names(wanted)).unwrap_err().to_string();
        assert_eq!(error(LIST, &["b", "other"]), "no fault is called other");
        assert_eq!(error("name\tfile\n", &[]), "no fault in the list");
        assert_eq!(error("name\tfile\na\tb\tc\n", &[]), "a: six columns wanted");
    }

    #[test]
    fn an_error_is_where_coqc_says_and_a_warning_is_none() {
        let printed = "COQC a.v\nFile \"./paper/R.v\", line 12, characters 0-4:\nWarning: x\nFile \"./S.v\", line 3, characters 2-9:\n\
                       Error:\nUnable to unify\nmake[1]: *** [S.vo] Error 1\nError in make\n";
        assert_eq!(errors(printed), [("S.v".to_string(), 3)]);
    }

    #[test]
    fn a_line_is_in_the_last_statement_before_it() {
        let text = "Require X.\nLemma a : x.\nProof.\n  #[global] Instance b' : y.\nQed.";
        assert_eq!(statement(text, 1), None);
        assert_eq!(statement(text, 3), Some("a"));
        assert_eq!(statement(text, 5), Some("b'"));
    }
}
