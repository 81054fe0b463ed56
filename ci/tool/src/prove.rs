//! `ci/prove`: the proofs, from the sources to a verdict.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::ValueEnum;

use crate::answers::Question;
use crate::error::{Result, found};
use crate::proofs::assumptions;
use crate::proofs::sources::{self, Source};
use crate::proofs::status::Status;
use crate::proofs::theorems::{self, Theorem};
use crate::{files, process};

/// The proofs, from the sources to a verdict. Without a part: all of them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Write proofs/status.json instead of comparing it.
    #[arg(long)]
    update: bool,
    /// Take rocq/, theorems.tsv and status.json of another folder.
    #[arg(long, value_name = "FOLDER", default_value = "proofs")]
    proofs: PathBuf,
    /// Leave this part out of all.
    #[arg(long, value_name = "PART", conflicts_with = "parts")]
    but: Option<Part>,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Part {
    /// Installs what the rest needs (`ci/setup hax rocq`).
    Setup,
    /// The committed translation is what hax makes of the specification (proofs/hax/check).
    Translation,
    /// No source leaves a proof out, and theorems.tsv fits the sources.
    Sources,
    /// Rocq accepts every file.
    Compile,
    /// coqchk accepts every compiled file and finds no axiom.
    Kernel,
    /// Prints the axioms of each theorem of the list: there must be none.
    Axioms,
    /// status.json is what the above found.
    Status,
}

impl Part {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
    }
}

impl Arguments {
    fn chosen(&self) -> Vec<Part> {
        if !self.parts.is_empty() {
            return self.parts.clone();
        }
        Part::value_variants().iter().copied().filter(|part| Some(*part) != self.but).collect()
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let started = Instant::now();
    let parts = arguments.chosen();
    let proofs = Proofs { folder: &arguments.proofs, rocq: arguments.proofs.join("rocq") };
    // Asked once, for axioms and status.
    let mut axioms = None;
    for part in parts {
        let begin = Instant::now();
        let name = part.name();
        println!("-- {name}");
        match part {
            Part::Setup => process::pass(Command::new("ci/setup").args(["hax", "rocq"]))?,
            Part::Translation => proofs.translation()?,
            Part::Sources => proofs.sources()?,
            Part::Compile => proofs.compile()?,
            Part::Kernel => proofs.kernel()?,
            Part::Axioms => none(proofs.axioms(&mut axioms)?)?,
            Part::Status => proofs.status(proofs.axioms(&mut axioms)?, arguments.update)?,
        }
        println!("-- {name}: {} s", begin.elapsed().as_secs());
    }
    println!("ci/prove: passed in {} s", started.elapsed().as_secs());
    Ok(())
}

/// The list with what Rocq says of each theorem.
type Axioms = (Vec<Theorem>, Vec<Vec<String>>);

struct Proofs<'a> {
    folder: &'a Path,
    rocq: PathBuf,
}

impl Proofs<'_> {
    fn list(&self) -> Result<Vec<Theorem>> {
        theorems::parse(&files::read(self.folder.join("theorems.tsv"))?).or_else(|bad| found(bad.join("\n")))
    }

    fn translation(&self) -> Result<()> {
        process::pass(Command::new("proofs/hax/check").arg(self.rocq.join("Generated")))
    }

    fn sources(&self) -> Result<()> {
        let sources = sources::all(&self.rocq)?;
        let bad: Vec<String> = sources.iter().flat_map(Source::forbidden).collect();
        if !bad.is_empty() {
            return found(format!("a proof is left out, or something is assumed:\n{}", bad.join("\n")));
        }
        let list = self.list()?;
        let bad = theorems::faults(&list, &sources, &files::read(self.rocq.join("Generated/functions.txt"))?);
        if !bad.is_empty() {
            return found(bad.join("\n"));
        }
        let stated: Vec<_> = sources.iter().flat_map(Source::statements).collect();
        let count = |kinds: &[&str]| {
            stated.iter().filter(|statement| kinds.contains(&statement.kind.as_str())).count()
        };
        let (theorems, lemmas) = (count(&["Theorem", "Corollary"]), count(&["Lemma"]));
        println!("{} theorems listed of {theorems}, {lemmas} lemmas besides", list.len());
        Ok(())
    }

    fn compile(&self) -> Result<()> {
        let ran = make(&self.rocq, &["-j2"])?;
        if !ran.success {
            return found(format!("{}Rocq refuses a file", ran.all()));
        }
        let compiled = ran.output.lines().filter(|line| line.contains("COQC")).count();
        println!("{compiled} files compiled, the others were up to date");
        Ok(())
    }

    /// The theorems, and with them what they need.
    fn kernel(&self) -> Result<()> {
        let modules = files::below(&self.rocq, "v")?;
        let modules: Vec<String> = modules
            .iter()
            .filter(|file| !sources::is_generated(file))
            .map(|file| sources::logical(file))
            .collect();
        let question = Question::to_rocq("kernel")?.with_files(&self.rocq, "vo")?;
        let summary = if let Some(summary) = question.answered()? {
            println!("coqchk said before, of the same files:");
            summary
        } else {
            let mut coqchk = Command::new("coqchk");
            coqchk.args(["-silent", "-o", "-Q"]).arg(&self.rocq).arg("Duoram").args(modules);
            let ran = process::run(&mut coqchk)?;
            let all = ran.all();
            if !ran.success {
                return found(format!("{all}coqchk refuses a file"));
            }
            let summary = assumed(&all)?;
            question.remember(&summary)?;
            summary
        };
        print!("{summary}");
        Ok(())
    }

    fn axioms<'a>(&self, known: &'a mut Option<Axioms>) -> Result<&'a Axioms> {
        if known.is_none() {
            let list = self.list()?;
            let axioms = assumptions::ask(&self.rocq, &list)?;
            *known = Some((list, axioms));
        }
        Ok(known.as_ref().expect("set above"))
    }

    fn status(&self, (list, axioms): &Axioms, update: bool) -> Result<()> {
        let status = Status::new(list.clone(), axioms.clone(), Path::new("spec"))?;
        let path = self.folder.join("status.json");
        if update {
            files::write(&path, status.to_text())?;
            println!("proofs/status.json written");
        } else if files::read(&path)? == status.to_text() {
            println!("proofs/status.json is up to date: {} theorems", list.len());
        } else {
            return found("proofs/status.json is out of date: ci/prove --update");
        }
        Ok(())
    }
}

/// `make` in a folder of proofs.
///
/// # Errors
/// If it does not start.
pub(crate) fn make(rocq: &Path, arguments: &[&str]) -> Result<process::Ran> {
    process::run(Command::new("make").arg("--no-print-directory").arg("-C").arg(rocq).args(arguments))
}

/// Prints the axioms of each theorem, and accepts none.
fn none((list, axioms): &Axioms) -> Result<()> {
    for (theorem, axioms) in list.iter().zip(axioms) {
        let axioms = if axioms.is_empty() { "none".to_string() } else { axioms.join(",") };
        println!("{:<56} axioms: {axioms}", theorem.name);
    }
    if axioms.iter().all(Vec::is_empty) { Ok(()) } else { found("a theorem rests on an axiom") }
}

/// The lines of coqchk's summary, in which nothing may be assumed.
fn assumed(printed: &str) -> Result<String> {
    let summary: Vec<&str> = printed.lines().filter(|line| line.starts_with('*')).collect();
    if !summary.contains(&"* Axioms: <none>") {
        return found(format!("{printed}coqchk finds an axiom"));
    }
    if summary.iter().any(|line| !line.starts_with("* Theory:") && !line.ends_with(": <none>")) {
        return found(format!("{printed}coqchk finds an assumption"));
    }
    Ok(files::lines(summary))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        prove: Arguments,
    }

    #[test]
    fn without_parts_all_of_them_in_order_but_one() {
        let chosen = |line: &str| {
            Line::try_parse_from(line.split(' '))
                .map(|line| line.prove.chosen().iter().map(|part| part.name()).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(chosen("prove").unwrap(), "setup translation sources compile kernel axioms status");
        assert_eq!(chosen("prove --but kernel").unwrap(), "setup translation sources compile axioms status");
        assert_eq!(chosen("prove status sources").unwrap(), "status sources");
        assert!(chosen("prove --but kernel sources").is_err());
    }

    #[test]
    fn coqchk_may_assume_nothing() {
        let fine = "CONTEXT SUMMARY\n* Theory: Set is predicative\n* Axioms: <none>\n* Positivity: <none>\n";
        assert_eq!(assumed(fine).unwrap().lines().count(), 3);
        let error = |text: &str| assumed(text).unwrap_err().to_string();
        assert!(
            error(&fine.replace("Axioms: <none>", "Axioms:\n    disguised"))
                .ends_with("coqchk finds an axiom")
        );
        assert!(
            error(&fine.replace("Positivity: <none>", "Positivity:\n    x")).ends_with("finds an assumption")
        );
        assert!(error("").ends_with("coqchk finds an axiom"));
    }
}
