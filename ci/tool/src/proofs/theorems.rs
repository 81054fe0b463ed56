//! `proofs/theorems.tsv`, and whether it fits the sources.

use std::collections::HashSet;

use super::sources::{self, Source, Statement};
use crate::table;

/// A row of the list.
#[derive(Clone, Debug)]
pub(crate) struct Theorem {
    /// Its name in Rocq.
    pub(crate) name: String,
    /// The file that states it, relative to the folder of the proofs.
    pub(crate) file: String,
    /// The functions of the specification that it speaks of, separated by `, `; `-` for none.
    pub(crate) about: String,
    /// Where the paper says it.
    pub(crate) paper: String,
}

/// The list, or what is wrong with its form.
pub(crate) fn parse(text: &str) -> Result<Vec<Theorem>, Vec<String>> {
    let (mut theorems, mut bad) = (Vec::new(), Vec::new());
    for row in table::rows(text) {
        match row[..] {
            [name, file, about, paper] if row.iter().all(|cell| !cell.is_empty()) => {
                let [name, file, about, paper] = [name, file, about, paper].map(String::from);
                theorems.push(Theorem { name, file, about, paper });
            }
            _ => bad.push(format!("theorems.tsv: {}: four columns wanted", row[0])),
        }
    }
    if bad.is_empty() { Ok(theorems) } else { Err(bad) }
}

/// What is wrong with the list: each name once; each theorem is in its file; what it is about is translated (`functions`, as in
/// Generated/functions.txt), and named there or in a file that it requires; each file with a theorem has one listed.
pub(crate) fn faults(theorems: &[Theorem], sources: &[Source], functions: &str) -> Vec<String> {
    let translated: HashSet<&str> = functions.lines().collect();
    let stated: Vec<Statement> = sources.iter().flat_map(Source::statements).collect();
    let mut seen = HashSet::new();
    let mut bad = Vec::new();
    for Theorem { name, file, about, .. } in theorems {
        let mut say = |what: String| bad.push(format!("theorems.tsv: {name}: {what}"));
        if !seen.insert(name) {
            say("listed twice".to_string());
        }
        if !stated.iter().any(|statement| &statement.name == name && &statement.file == file) {
            say(format!("not stated in proofs/rocq/{file}"));
        }
        for function in about.split(", ").filter(|&function| function != "-") {
            if !translated.contains(function) {
                say(format!("{function} is not in Generated/functions.txt"));
            } else if !speaks(sources, file, &in_rocq(function)) {
                say(format!("{file} does not speak of {function}"));
            }
        }
    }
    let mut with_theorems: Vec<&str> =
        stated.iter().filter(|s| s.kind == "Theorem").map(|s| s.file.as_str()).collect();
    with_theorems.dedup();
    for file in with_theorems {
        if !theorems.iter().any(|theorem| theorem.file == file) {
            bad.push(format!("theorems.tsv: no theorem of proofs/rocq/{file} is listed"));
        }
    }
    bad
}

/// As the translator names it: `ring_Ring_plus` for `core::ring::Ring::plus for u64`, `paper_read_read` for `paper::read::read`.
fn in_rocq(function: &str) -> String {
    let path = function.split(" for ").next().unwrap_or_default();
    path.strip_prefix("core::").unwrap_or(path).replace("::", "_")
}

/// Whether `file`, or one that it requires itself, has the name.
fn speaks(sources: &[Source], file: &str, name: &str) -> bool {
    let Some(own) = sources.iter().find(|source| source.file == file) else { return false };
    let required = |source: &&Source| !sources::is_generated(&source.file) && own.requires(&source.file);
    own.has_word(name) || sources.iter().filter(required).any(|source| source.has_word(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: &str = "Definition vector_add (a b : nat) : nat := a + b.
Theorem tiny_add (a : nat) : vector_add 0 a = a.
Proof. reflexivity. Qed.";
    const HEADING: &str = "# list\nname\tfile\tabout\tpaper\n";
    const ROW: &str = "tiny_add\tpaper/Tiny.v\tvector::add\tsection 1\n";

    fn faults_of(list: &str, files: &[(&str, &str)], functions: &str) -> Vec<String> {
        let sources: Vec<Source> =
            files.iter().map(|(file, text)| Source::new(text, (*file).to_string())).collect();
        parse(&format!("{HEADING}{list}")).map_or_else(|bad| bad, |list| faults(&list, &sources, functions))
    }

    fn tiny(list: &str) -> Vec<String> {
        faults_of(list, &[("paper/Tiny.v", TINY)], "vector::add\nvector::sub\n")
    }

    #[test]
    fn a_list_that_fits_has_no_faults() {
        assert!(tiny(ROW).is_empty());
        assert!(tiny("tiny_add\tpaper/Tiny.v\t-\tsection 1\n").is_empty());
    }

    #[test]
    fn every_fault_of_the_list_is_named() {
        for (list, said) in [
            (
                format!("{ROW}more\tpaper/Tiny.v\tvector::add\tsection 1\n"),
                "more: not stated in proofs/rocq/paper/Tiny.v",
            ),
            (format!("{ROW}{ROW}"), "tiny_add: listed twice"),
            (ROW.replace("::add", "::mul"), "tiny_add: vector::mul is not in Generated/functions.txt"),
            (ROW.replace("::add", "::sub"), "tiny_add: paper/Tiny.v does not speak of vector::sub"),
            (ROW.replace("\tsection 1", ""), "tiny_add: four columns wanted"),
            (ROW.replace("section 1", ""), "tiny_add: four columns wanted"),
        ] {
            assert_eq!(tiny(&list), [format!("theorems.tsv: {said}")]);
        }
    }

    #[test]
    fn a_file_without_a_listed_theorem_is_named() {
        let other = "Theorem other : True.";
        let faults = faults_of(ROW, &[("paper/Tiny.v", TINY), ("paper/Other.v", other)], "vector::add");
        assert_eq!(faults, ["theorems.tsv: no theorem of proofs/rocq/paper/Other.v is listed"]);
    }

    #[test]
    fn the_translation_does_not_speak_for_a_theorem_and_a_required_file_does() {
        let theorem = "From Duoram Require Import Facts.\nFrom Duoram.Generated Require Import All.\nTheorem tiny_add : x.";
        let row = ROW.replace("vector::add", "ring::Ring::plus for u64");
        let said = |facts: &str| {
            let files = [
                ("paper/Tiny.v", theorem),
                ("core/Facts.v", facts),
                ("Generated/All.v", "Definition ring_Ring_plus := x."),
            ];
            faults_of(&row, &files, "ring::Ring::plus for u64")
        };
        assert!(said("Lemma fact : ring_Ring_plus = x.").is_empty());
        assert_eq!(
            said("Lemma fact : x."),
            ["theorems.tsv: tiny_add: paper/Tiny.v does not speak of ring::Ring::plus for u64"]
        );
    }

    #[test]
    fn names_in_rocq_are_those_of_the_translator() {
        assert_eq!(in_rocq("core::ring::Ring::plus for core::ring::Z4"), "ring_Ring_plus");
        assert_eq!(in_rocq("paper::read::read"), "paper_read_read");
    }
}
