//! `proofs/hax/test`: the tests of the translator that need rustc, hax and Rocq.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;

use clap::ValueEnum;
use regex::Regex;

use crate::answers::Question;
use crate::error::{Error, Result, found};
use crate::pairs::two_at_a_time;
use crate::{files, process, translation};

/// The tests of the translator. Without a part: all of them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Let `accepted` write the expected translation instead of comparing it.
    #[arg(long)]
    bless: bool,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Part {
    /// Each construct translates to what tests/accepted/expected has, Rocq accepts it, and both compute the same.
    Accepted,
    /// Each unsupported construct is refused, with the message and at the place that its comment says.
    Rejected,
    /// Every translated function of the specification computes in Rocq what it computes in Rust (SEED=n for others).
    Vectors,
    /// check and total fail on planted faults.
    Planted,
}

const ROCQ: &str = "proofs/rocq";
const TESTS: &str = "proofs/hax/tests";

/// Comment of a construct that must be refused.
static EXPECTED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" //~ (.*)").expect("a pattern"));
/// What the engine says.
static REFUSED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^not translated: ([^:\n]*:[0-9]+): `[^`\n]*`: (.*)$").expect("a pattern")
});

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let scratch = files::scratch()?;
    let here = std::env::current_dir().map_err(Error::file(Path::new(".")))?;
    let test = Test { here, scratch: scratch.path() };
    for &part in if arguments.parts.is_empty() { Part::value_variants() } else { &arguments.parts } {
        let begin = Instant::now();
        match part {
            Part::Accepted => test.accepted(arguments.bless)?,
            Part::Rejected => test.rejected()?,
            Part::Vectors => test.vectors()?,
            Part::Planted => test.planted()?,
        }
        let name = part.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default();
        println!("== {name}: {} s", begin.elapsed().as_secs());
    }
    Ok(())
}

struct Test<'a> {
    /// The top of the repository: some programs run elsewhere.
    here: PathBuf,
    scratch: &'a Path,
}

impl Test<'_> {
    fn accepted(&self, bless: bool) -> Result<()> {
        let (expected, out) = (Path::new(TESTS).join("accepted/expected"), self.scratch.join("accepted"));
        translation::translate(&Path::new(TESTS).join("accepted"), "Accepted", &out)?;
        if bless {
            for name in files::below(&expected, "v")? {
                let old = expected.join(name);
                std::fs::remove_file(&old).map_err(Error::file(&old))?;
            }
            for name in files::below(&out, "v")? {
                files::write(expected.join(&name), files::read(out.join(&name))?)?;
            }
        }
        let mut diff = Command::new("diff");
        diff.args(["-ru", "--exclude=functions.txt", "--exclude=SOURCE"]).arg(&expected).arg(&out);
        process::pass(&mut diff)
            .or_else(|_| found("a construct translates to something else than expected"))?;
        prelude_and_translation()?;
        let options = [("Accepted", out.clone()), ("Duoram", self.here.join(ROCQ))];
        let names = files::below(&out, "v")?;
        let mut makefile = Command::new("coq_makefile");
        for (logical, folder) in &options {
            makefile.arg("-Q").arg(folder).arg(logical);
        }
        process::check(makefile.args(&names).args(["-o", "Makefile"]).current_dir(&out))?;
        let ran = process::run(Command::new("make").arg("-j2").current_dir(&out))?;
        if !ran.success {
            return found(format!("{}Rocq refuses a translation", ran.all()));
        }
        let functions = out.join(translation::FUNCTIONS);
        self.examples("accepted", &out.join("vectors"), &functions, &out, &options)?;
        println!("accepted: {} files as expected", names.len());
        Ok(())
    }

    fn rejected(&self) -> Result<()> {
        let out = self.scratch.join("rejected");
        let source = Path::new(TESTS).join("rejected");
        let ran = process::run(Command::new("proofs/hax/run").arg(&out).arg(&source).arg("Rejected"))?;
        if ran.success {
            return found("nothing was rejected");
        }
        if std::fs::read_dir(&out).is_ok_and(|mut entries| entries.next().is_some()) {
            return found("files were written in spite of errors");
        }
        let mut expected = BTreeSet::new();
        for name in files::below(source.join("src"), "rs")? {
            expected.extend(comments(&format!("src/{name}"), &files::read(source.join("src").join(&name))?));
        }
        let bad = disagreement(&expected, &refusals(&ran.all()));
        if !bad.is_empty() {
            return found(format!("{}\na construct is not rejected as its comment says", bad.join("\n")));
        }
        println!("rejected: {} constructs", expected.len());
        Ok(())
    }

    fn vectors(&self) -> Result<()> {
        prelude_and_translation()?;
        let committed = Path::new(translation::COMMITTED);
        let (functions, options) =
            (committed.join(translation::FUNCTIONS), [("Duoram", self.here.join(ROCQ))]);
        self.examples("spec", &self.scratch.join("vectors"), &functions, committed, &options)
    }

    /// Runs the examples of `subject` in `folder`: they must be of all its functions, and Rocq must compute the same. They import
    /// what is in `translation`.
    fn examples(
        &self,
        subject: &str,
        folder: &Path,
        functions: &Path,
        translation: &Path,
        options: &[(&str, PathBuf)],
    ) -> Result<()> {
        std::fs::create_dir_all(folder).map_err(Error::file(folder))?;
        let seed = std::env::var("SEED").unwrap_or_else(|_| "1".to_string());
        let mut cargo = Command::new("cargo");
        cargo.args(["+1.95.0", "run", "--quiet", "--locked", "--", subject]).arg(folder).arg(seed);
        cargo.current_dir("proofs/hax/vectors").env("CARGO_TARGET_DIR", self.here.join("target/hax-vectors"));
        process::pass(&mut cargo)?;
        let (functions, covered) = (files::read(functions)?, files::read(folder.join("covered.txt"))?);
        let (functions, covered): (BTreeSet<_>, BTreeSet<_>) =
            (functions.lines().collect(), covered.lines().collect());
        if let Some(function) = functions.difference(&covered).next() {
            return found(format!("no example of: {function}"));
        }
        if let Some(function) = covered.difference(&functions).next() {
            return found(format!("examples of what was not translated: {function}"));
        }
        let mut names = files::below(folder, "v")?;
        names.retain(|name| name.starts_with("Vectors_"));
        let failed = refused(folder, &names, translation, options)?;
        if failed.is_empty() {
            Ok(())
        } else {
            found(format!("Rocq computes something else than Rust: {}", failed.join(" ")))
        }
    }

    fn planted(&self) -> Result<()> {
        // One token of one generated file: named by `check`.
        let generated = self.scratch.join("generated");
        files::copy(Path::new(translation::COMMITTED), &generated)?;
        let vector = files::below(&generated, "v")?.into_iter().find(|name| name.ends_with("Vector.v"));
        let Some(vector) = vector else { return found("no Vector.v to plant a fault in") };
        let text = files::read(generated.join(&vector))?;
        let changed = text.replace("_Ring_minus x y", "_Ring_plus x y");
        if text == changed {
            return found(format!("{vector} is not as it was: plant another fault"));
        }
        files::write(generated.join(&vector), changed)?;
        let ran = process::run(Command::new("proofs/hax/check").arg(&generated))?;
        if ran.success {
            return found("check accepts a changed translation");
        }
        if !ran.errors.contains(&format!("{vector} is not what")) {
            return found("check does not name the file");
        }
        // What can panic, line by line; `get` with a range does not.
        let rejected = Path::new(TESTS).join("rejected");
        let ran = process::run(Command::new("proofs/hax/total").arg(&rejected))?;
        if ran.success {
            return found("total accepts what can panic");
        }
        let panics = files::read(rejected.join("src/panics.rs"))?;
        for comment in
            comments("src/panics.rs", &panics).iter().filter(|comment| !comment.contains("with a range"))
        {
            let place = comment.split(':').take(2).collect::<Vec<_>>().join(":");
            if !ran
                .errors
                .lines()
                .any(|line| line.starts_with(&format!("{place}:")) && line.contains("error"))
            {
                return found(format!("total accepts tests/rejected/{place}"));
            }
        }
        println!("planted: check and total fail as they must");
        Ok(())
    }
}

/// Compiles the prelude and the translation, not the proofs.
fn prelude_and_translation() -> Result<()> {
    let goals = files::below(translation::COMMITTED, "v")?;
    let goals = goals.iter().map(|name| format!("Generated/{name}o"));
    let make = || {
        let mut make = Command::new("make");
        make.args(["--no-print-directory", "-C", ROCQ]);
        make
    };
    process::check(make().arg("CoqMakefile"))?;
    process::check(make().args(["-f", "CoqMakefile", "-j2"]).args(goals)).map(drop)
}

/// The files that Rocq refuses. What it has accepted is not compiled again beside the same translation: a compiled file names those
/// that it needs, the prelude among them, by the hashes of what they were compiled to.
fn refused(
    folder: &Path,
    names: &[String],
    translation: &Path,
    options: &[(&str, PathBuf)],
) -> Result<Vec<String>> {
    let compiled = Question::to_rocq("computes the same")?.with_files(translation, "vo")?;
    let refused = two_at_a_time(names, |name| {
        let question =
            compiled.clone().with(name.as_bytes()).with(files::read(folder.join(name))?.as_bytes());
        if question.answered()?.is_some() {
            return Ok(None);
        }
        let mut coqc = Command::new("timeout");
        coqc.args(["900", "coqc"]).current_dir(folder);
        for (logical, folder) in options {
            coqc.arg("-Q").arg(folder).arg(logical);
        }
        let ran = process::run(coqc.arg(name))?;
        eprint!("{}", ran.all());
        if ran.success {
            question.remember("yes")?;
        }
        Ok((!ran.success).then(|| name.clone()))
    })?;
    Ok(refused.into_iter().flatten().collect())
}

/// `FILE:LINE:MESSAGE` of each construct that must be refused.
fn comments(file: &str, text: &str) -> Vec<String> {
    let lines =
        text.lines().zip(1..).filter_map(|(line, n)| EXPECTED.captures(line).map(|c| (n, c[1].to_string())));
    lines.map(|(n, message)| format!("{file}:{n}:{message}")).collect()
}

/// `FILE:LINE:MESSAGE` of each refusal of the engine.
fn refusals(printed: &str) -> BTreeSet<String> {
    REFUSED.captures_iter(printed).map(|c| format!("{}:{}", &c[1], &c[2])).collect()
}

fn disagreement(expected: &BTreeSet<String>, actual: &BTreeSet<String>) -> Vec<String> {
    let missing = expected.difference(actual).map(|line| format!("-{line}"));
    missing.chain(actual.difference(expected).map(|line| format!("+{line}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_compared_with_the_comments_line_by_line() {
        let text = "fn a() {}\n    x + 1 //~ bare arithmetic: `+`\n";
        let expected: BTreeSet<_> = comments("src/a.rs", text).into_iter().collect();
        let said =
            |line: u32, what: &str| format!("noise\nnot translated: src/a.rs:{line}: `a::b`: {what}\nmore\n");
        assert!(disagreement(&expected, &refusals(&said(2, "bare arithmetic: `+`"))).is_empty());
        for other in [said(1, "bare arithmetic: `+`"), said(2, "indexing")] {
            assert_eq!(disagreement(&expected, &refusals(&other)).len(), 2);
        }
        assert_eq!(disagreement(&expected, &refusals("")), ["-src/a.rs:2:bare arithmetic: `+`"]);
    }
}
