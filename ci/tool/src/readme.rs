//! `ci/readme`: the generated parts of README.md (between `<!-- begin: NAME -->` and `<!-- end: NAME -->`), and proofs/THEOREMS.md.

use std::path::Path;
use std::process::Command;

use crate::error::{Result, found};
use crate::proofs::status::Status;
use crate::{files, process};

mod status;

/// Rewrites all generated parts. Times in the outputs of the commands are of the machine it runs on.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Fail if the status table or the list of theorems is not what the sources say; outputs are not compared.
    #[arg(long)]
    check: bool,
    /// Rewrite the status table and the list of theorems only, without running the commands.
    #[arg(long, conflicts_with = "check")]
    status: bool,
}

const README: &str = "README.md";
const THEOREMS: &str = "proofs/THEOREMS.md";

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let proved = Status::read(Path::new("proofs/status.json"))?;
    let (status, theorems) = (status::table(&proved)?, theorems(&proved));
    if arguments.check {
        let mut stale = Vec::new();
        if block(&files::read(README)?, "status")?.trim() != status.trim() {
            stale.push("README.md: the status table is out of date: run ci/readme --status");
        }
        if !files::read(THEOREMS).is_ok_and(|text| text == theorems) {
            stale.push("proofs/THEOREMS.md is out of date: run ci/readme --status");
        }
        if !stale.is_empty() {
            return found(stale.join("\n"));
        }
        println!("README.md: status table up to date; proofs/THEOREMS.md too");
        return Ok(());
    }
    // First, since ci/test compares them.
    files::write(THEOREMS, theorems)?;
    write("status", &status)?;
    if arguments.status {
        return Ok(());
    }
    let main_job =
        process::check(Command::new("cargo").args(["run", "--release", "--quiet", "--", "run", "--check"]))?;
    write("run", &fenced(&told(&main_job, telling)))?;
    // The book has this block too, and ci/test compares it.
    let numbers = ["run", "--quiet", "-p", "duoram-book-numbers", "--", "book/src/generated"];
    process::check(Command::new("cargo").args(numbers))?;
    let tests = process::check(&mut Command::new("ci/test"))?;
    let steps = summary(&tests);
    let last = steps.lines().count().saturating_sub(LAST_STEPS);
    write("test", &fenced(&told(&steps, |number, _| number >= last)))
}

/// proofs/THEOREMS.md.
fn theorems(proved: &Status) -> String {
    format!(
        "# Theorems\n\nThe principal theorems, the functions of the specification that each speaks of, where the paper [duoram] says it, \
         and the\naxioms that it rests on: `proofs/theorems.tsv` with what Rocq said (`proofs/status.json`). \
         [SOUNDNESS.md](SOUNDNESS.md) says\nwhat they mean together. Written by `ci/readme`.\n\n{}",
        proved.table()
    )
}

/// The lines of ci/test that say how long which step took, and all.
fn summary(printed: &str) -> String {
    let said =
        |line: &&str| (line.starts_with("== ") && line.ends_with(" s")) || line.starts_with("ci/test: ");
    files::lines(printed.lines().filter(said))
}

/// Of the steps, the README shows the last ones, which the others had to pass before.
const LAST_STEPS: usize = 3;

/// Of the main job: what it ran on, some operations, what they cost online, and the verdict.
fn telling(number: usize, line: &str) -> bool {
    number < 8
        || line.starts_with("phase")
        || (line.starts_with("online") && line.contains(" all "))
        || line.starts_with("checked")
}

/// The lines that are kept; `...` stands for those in between that are not.
fn told(text: &str, kept: impl Fn(usize, &str) -> bool) -> String {
    let mut lines = Vec::new();
    for (number, line) in text.trim_end().lines().enumerate() {
        if kept(number, line) {
            lines.push(line);
        } else if lines.last() != Some(&"...") {
            lines.push("...");
        }
    }
    files::lines(lines)
}

fn fenced(text: &str) -> String {
    format!("```text\n{}\n```\n", text.trim_end_matches('\n'))
}

fn write(name: &str, content: &str) -> Result<()> {
    files::write(README, replaced(&files::read(README)?, name, content)?)
}

/// The text with other content in the block of this name.
fn replaced(text: &str, name: &str, content: &str) -> Result<String> {
    let (begin, end) = marks(name);
    let old = format!("{begin}{}{end}", block(text, name)?);
    Ok(text.replacen(&old, &format!("{begin}\n{content}\n{end}"), 1))
}

fn marks(name: &str) -> (String, String) {
    (format!("<!-- begin: {name} -->\n"), format!("<!-- end: {name} -->"))
}

/// What is between the comments of this name.
fn block<'a>(text: &'a str, name: &str) -> Result<&'a str> {
    let (begin, end) = marks(name);
    match text.split_once(&begin).and_then(|(_, after)| after.split_once(&end)) {
        Some((content, _)) => Ok(content),
        None => found(format!("README.md has no block called {name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A\n<!-- begin: run -->\n\nold\n\n<!-- end: run -->\nb\n<!-- begin: status -->\n<!-- end: status -->\n";

    #[test]
    fn a_block_is_replaced_and_nothing_else() {
        let text = replaced(TEXT, "run", "new\n").unwrap();
        assert_eq!(text, TEXT.replace("old", "new"));
        assert_eq!(replaced(&text, "run", "new\n").unwrap(), text);
        let text = replaced(TEXT, "status", "| a |\n").unwrap();
        assert!(text.ends_with("<!-- begin: status -->\n\n| a |\n\n<!-- end: status -->\n"));
        assert_eq!(block(&text, "status").unwrap().trim(), "| a |");
        assert_eq!(block(TEXT, "other").unwrap_err().to_string(), "README.md has no block called other");
    }

    #[test]
    fn what_is_left_out_is_marked() {
        assert_eq!(told("a\nb\nc\nd\ne\n", |number, line| number == 0 || line == "d"), "a\n...\nd\n...\n");
        assert_eq!(told("a\nb\n", |_, _| true), "a\nb\n");
        let row = "online         all       0.000315     0.000277          32912          33312           2";
        assert!(telling(20, row) && telling(0, "") && !telling(9, "line 11    write 0 214  done"));
    }

    #[test]
    fn of_the_tests_the_steps_and_the_sum_are_shown() {
        // As ci/lanes prints them.
        let printed = "-- lint begins\n\n-- lint: cargo clippy \nwarning\n== lint: 3 s, of CPU 2 s\n\nci/test: all steps passed in 9 s\n";
        assert_eq!(summary(printed), "== lint: 3 s, of CPU 2 s\nci/test: all steps passed in 9 s\n");
        assert_eq!(fenced("a\nb\n\n"), "```text\na\nb\n```\n");
    }
}
