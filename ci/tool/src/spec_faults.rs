//! `ci/spec-faults`: do the tests in words bite? Each row of `spec/faults.tsv` is a fault of security in the specification that
//! leaves its answers right. A copy of it gets the fault, and the test of the row, which compares with no file, must fail.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::error::{Error, Result, found};
use crate::{files, plant, process, table};

/// Plants the faults of the list, which the tests of the specification must notice.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only these faults, or those of these classes.
    names: Vec<String>,
}

const LIST: &str = "spec/faults.tsv";

/// A row of the list.
#[derive(Debug, PartialEq, Eq)]
struct Fault<'a> {
    name: &'a str,
    class: &'a str,
    /// Below spec/src, where `old`, which is there exactly once, becomes `new`.
    file: &'a str,
    old: &'a str,
    new: &'a str,
    /// The test of spec/tests that must fail.
    test: &'a str,
    /// What is then so.
    says: &'a str,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let started = Instant::now();
    let list = files::read(LIST)?;
    let faults = chosen(&list, &arguments.names)?;
    let scratch = files::scratch()?;
    let bench = Bench { root: scratch.path() };
    bench.without_fault(&faults)?;
    let mut failed = 0;
    for fault in &faults {
        let verdict = bench.plant(fault)?;
        println!("{}: {}; {verdict} {}", fault.name, fault.says, fault.test);
        failed += usize::from(!matches!(verdict, Verdict::Noticed));
    }
    let classes = ["freshness", "routing", "reuse"]
        .map(|class| format!("{} of {class}", faults.iter().filter(|fault| fault.class == class).count()));
    println!(
        "ci/spec-faults: {} faults ({}), {failed} not noticed, in {} s",
        faults.len(),
        classes.join(", "),
        started.elapsed().as_secs()
    );
    if failed == 0 { Ok(()) } else { Err(Error::Shown) }
}

/// The rows of these names or classes, or all.
fn chosen<'a>(list: &'a str, names: &[String]) -> Result<Vec<Fault<'a>>> {
    let mut faults = Vec::new();
    for row in table::rows(list) {
        let [name, class, file, old, new, test, says] = row[..] else {
            return found(format!("{}: seven columns wanted", row[0]));
        };
        faults.push(Fault { name, class, file, old, new, test, says });
    }
    plant::choose(&mut faults, names, |name, fault| fault.name == name || fault.class == name)?;
    Ok(faults)
}

/// What the test of a row says of its fault.
#[derive(Clone, Copy)]
enum Verdict {
    Noticed,
    Missed,
    /// It does not compile: nothing for a test to find. The specification has changed since.
    NoFault,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Noticed => "noticed by",
            Self::Missed => "NOT NOTICED by",
            Self::NoFault => "DOES NOT COMPILE, for",
        })
    }
}

/// Where faults are planted: a workspace of the specification alone.
struct Bench<'a> {
    root: &'a Path,
}

impl Bench<'_> {
    fn source(&self) -> PathBuf {
        self.root.join("spec/src")
    }

    /// The copy, in which every test of the list passes.
    fn without_fault(&self, faults: &[Fault<'_>]) -> Result<()> {
        // What a new machine does not have yet: below, nothing may choose other versions.
        process::check(Command::new("cargo").args(["fetch", "--locked"]))?;
        let manifest = files::read("Cargo.toml")?;
        files::write(self.root.join("Cargo.toml"), alone(&manifest))?;
        for file in ["Cargo.lock", "rust-toolchain.toml"] {
            files::write(self.root.join(file), files::read(file)?)?;
        }
        // With new times: what an earlier run has compiled may have a fault in it.
        files::copy_anew(Path::new("spec"), &self.root.join("spec"))?;
        let mut tests: Vec<_> = faults.iter().map(|fault| fault.test).collect();
        tests.sort_unstable();
        tests.dedup();
        let ran = self.tests(&tests)?;
        if !ran.success {
            return found(format!("{}the tests fail without any fault", ran.all()));
        }
        match tests.iter().find(|test| !ran.output.contains(&format!("test {test} ... ok"))) {
            Some(test) => found(format!("no test is called {test}")),
            None => Ok(()),
        }
    }

    /// Plants the fault, runs the test of the row, and takes the fault out again.
    fn plant(&self, fault: &Fault<'_>) -> Result<Verdict> {
        let path = self.source().join(fault.file);
        let before = files::read(&path)?;
        let planted = plant::into_file(&path, fault.old, fault.new);
        planted.map_err(|error| Error::Found(format!("{}: {error}", fault.name)))?;
        let ran = self.tests(&[fault.test]);
        files::write(&path, before)?;
        let ran = ran?;
        Ok(if ran.success {
            Verdict::Missed
        } else if ran.output.contains(&format!("test {} ... FAILED", fault.test)) {
            Verdict::Noticed
        } else {
            eprintln!("{}", ran.all());
            Verdict::NoFault
        })
    }

    /// Runs these tests. What a fault does not touch is compiled once for all runs, functions of the same crate as well: without, compiling
    /// takes longer than testing.
    fn tests(&self, names: &[&str]) -> Result<process::Ran> {
        let target = std::env::current_dir().map_err(Error::file(Path::new(".")))?.join("target/spec-faults");
        process::run(
            Command::new("cargo")
                .args(["test", "--offline", "--package", "duoram-spec", "--test", "all", "--", "--exact"])
                .args(names)
                .current_dir(self.root)
                .env("CARGO_TARGET_DIR", target)
                .env("CARGO_INCREMENTAL", "1")
                .env("RUST_BACKTRACE", "0"),
        )
    }
}

/// The workspace's manifest, of the specification and its vectors alone.
fn alone(manifest: &str) -> String {
    let lines = manifest.lines().filter(|line| !line.starts_with("default-members = "));
    files::lines(lines.map(|line| {
        if line.starts_with("members = ") { r#"members = ["spec", "spec/vectors"]"# } else { line }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "name\tclass\tfile\told\tnew\ttest\tfault\na\treuse\tread.rs\tx\ty\treuse::t\tplanted\nb\trouting\tread.rs\tx\tz\trouting::t\tx is z\n";

    #[test]
    fn faults_are_chosen_by_name_and_by_class() {
        let names = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(chosen(LIST, &[]).unwrap().len(), 2);
        assert_eq!(chosen(LIST, &names(&["b"])).unwrap()[0].test, "routing::t");
        assert_eq!(chosen(LIST, &names(&["reuse"])).unwrap()[0].name, "a");
        let error = |list, wanted: &[&str]| chosen(list, &names(wanted)).unwrap_err().to_string();
        assert_eq!(error(LIST, &["b", "other"]), "no fault is called other");
        assert_eq!(error("name\tfile\n", &[]), "no fault in the list");
        assert_eq!(error("name\tfile\na\tb\tc\n", &[]), "a: seven columns wanted");
    }

    #[test]
    fn the_specification_is_a_workspace_of_its_own() {
        let manifest = "[workspace]\nmembers = [\"spec\", \"x\"]\ndefault-members = [\"x\"]\n[profile.dev]\n";
        assert_eq!(alone(manifest), "[workspace]\nmembers = [\"spec\", \"spec/vectors\"]\n[profile.dev]\n");
    }

    /// Each class has faults of every protocol, and no test of the list compares with committed vectors.
    #[test]
    fn the_list_has_every_class_of_every_protocol() {
        let list =
            files::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(super::LIST)).unwrap();
        let faults = chosen(&list, &[]).unwrap();
        for class in ["freshness", "routing", "reuse"] {
            let of = |protocol: &str| {
                let of = |fault: &&Fault<'_>| fault.class == class && fault.name.starts_with(protocol);
                faults.iter().filter(of).count()
            };
            let [all, lean, two] = ["", "lean_", "two_party_"].map(of);
            assert!(all - lean - two >= 10 && lean >= 10 && two >= 4, "{class}: {all}, {lean}, {two}");
        }
        let modules = ["freshness::", "routing::", "reuse::"];
        let own = ["two_party_uses::", "two_party_locality::", "two_party_views::", "lean_rows::"];
        let in_words = |test: &str| {
            modules.iter().any(|module| test.trim_start_matches("lean_").starts_with(module))
                || own.iter().any(|module| test.starts_with(module))
        };
        assert!(faults.iter().all(|fault| in_words(fault.test)));
    }
}
