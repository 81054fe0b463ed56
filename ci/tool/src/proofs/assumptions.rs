//! What each theorem rests on, asked of Rocq by `Print Assumptions`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::sources::logical;
use super::theorems::Theorem;
use crate::answers::Question;
use crate::error::{Result, found};
use crate::{files, process};

/// The axioms of each theorem, in their order. All theorems are asked about at once, for most of what they rest on is the same,
/// and looking through it again for each takes a minute; one by one only if there is an axiom.
///
/// # Errors
/// If Rocq does not find one, or does not answer for each.
pub(crate) fn ask(rocq: &Path, theorems: &[Theorem]) -> Result<Vec<Vec<String>>> {
    if let [(_, axioms)] = &answers(rocq, &together(theorems))?[..]
        && axioms.is_empty()
    {
        return Ok(vec![Vec::new(); theorems.len()]);
    }
    let answers = answers(rocq, &one_by_one(theorems))?;
    if answers.iter().map(|(name, _)| name).ne(theorems.iter().map(|theorem| &theorem.name)) {
        return found("not every theorem was looked at");
    }
    Ok(answers.into_iter().map(|(_, axioms)| axioms).collect())
}

/// What Rocq says to a file of questions.
fn answers(rocq: &Path, text: &str) -> Result<Vec<(String, Vec<String>)>> {
    let question = Question::to_rocq("axioms")?.with_files(rocq, "vo")?.with(text.as_bytes());
    if let Some(printed) = question.answered()? {
        return Ok(parse(&printed));
    }
    let scratch = files::scratch()?;
    let file = scratch.path().join("Assumptions.v");
    files::write(&file, text)?;
    let ran = process::run(Command::new("coqc").arg("-Q").arg(rocq).arg("Duoram").arg(&file))?;
    if !ran.success {
        return found(format!("{}Rocq does not find a theorem", ran.all()));
    }
    question.remember(&ran.output)?;
    Ok(parse(&ran.output))
}

/// About one term that has all of them in it.
fn together(theorems: &[Theorem]) -> String {
    let mut text = required(theorems);
    text.push_str("Definition everything := (tt");
    for Theorem { name, file, .. } in theorems {
        let _ = write!(text, ",\n  @{}.{name}", logical(file));
    }
    text.push_str(").\nGoal True. idtac \"theorem everything\". Abort.\nPrint Assumptions everything.\n");
    text
}

fn one_by_one(theorems: &[Theorem]) -> String {
    let mut text = required(theorems);
    for Theorem { name, file, .. } in theorems {
        let _ = writeln!(
            text,
            "Goal True. idtac \"theorem {name}\". Abort.\nPrint Assumptions {}.{name}.",
            logical(file)
        );
    }
    text
}

/// The modules that they are in.
fn required(theorems: &[Theorem]) -> String {
    let modules: BTreeSet<String> = theorems.iter().map(|theorem| logical(&theorem.file)).collect();
    modules.iter().fold(String::new(), |mut text, module| {
        let _ = writeln!(text, "Require {module}.");
        text
    })
}

/// Name and axioms of each theorem: an axiom's line begins with its name, and its type may go on in lines that are indented.
fn parse(printed: &str) -> Vec<(String, Vec<String>)> {
    let mut answers: Vec<(String, Vec<String>)> = Vec::new();
    let mut closed = true;
    let seal = |answers: &mut Vec<(String, Vec<String>)>, closed: bool| {
        if let Some((_, axioms)) = answers.last_mut().filter(|(_, axioms)| !closed && axioms.is_empty()) {
            axioms.push("unreadable".to_string());
        }
    };
    for line in printed.lines() {
        if let Some(name) = line.strip_prefix("theorem ") {
            seal(&mut answers, closed);
            closed = false;
            answers.push((name.to_string(), Vec::new()));
        } else if line.starts_with("Closed under the global context") {
            closed = true;
        } else if !(line.starts_with([' ', '\t']) || line == "Axioms:" || line == "Section Variables:")
            && let (Some((_, axioms)), Some(name)) = (answers.last_mut(), line.split_whitespace().next())
        {
            axioms.push(name.to_string());
        }
    }
    seal(&mut answers, closed);
    answers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axioms_are_read_and_silence_is_none() {
        let printed = "theorem a\nClosed under the global context\ntheorem b\nAxioms:\nFunctionalExtensionality.f : forall\n  x, y\n\
                       disguised : forall n : nat, n = 0\ntheorem c\ntheorem d\nSection Variables:\nx : nat\ntheorem e\nAxioms:\n";
        let axioms = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let expected = [
            ("a", axioms(&[])),
            ("b", axioms(&["FunctionalExtensionality.f", "disguised"])),
            ("c", axioms(&["unreadable"])),
            ("d", axioms(&["x"])),
            ("e", axioms(&["unreadable"])),
        ];
        assert_eq!(parse(printed), expected.map(|(name, axioms)| (name.to_string(), axioms)));
    }

    #[test]
    fn the_question_names_folders() {
        let [name, file, about, paper] = ["t", "paper/Tiny.v", "-", "section 1"].map(String::from);
        let theorems = [Theorem { name, file, about, paper }];
        for text in [one_by_one(&theorems), together(&theorems)] {
            assert!(text.starts_with("Require Duoram.paper.Tiny.\n"), "{text}");
        }
        assert!(one_by_one(&theorems).ends_with("\nPrint Assumptions Duoram.paper.Tiny.t.\n"));
        assert!(together(&theorems).contains("everything := (tt,\n  @Duoram.paper.Tiny.t).\n"));
    }
}
