//! The Rocq sources as text: what they state, what they require, and what no proof may have.

use std::collections::HashSet;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use crate::error::Result;
use crate::files;

/// The translation of the specification: no proofs of ours.
const GENERATED: &str = "Generated/";

static FORBIDDEN: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?x)
        \b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Primitive|bypass_check|native_compute)\b
        | Unset\ +(Guard|Positivity|Universe)\ +Checking
        | Type\ +In\ +Type
        | Declare\ +ML\ +Module
        | Add\ +(Rec\ +)?LoadPath
        | ^\ *Load\b";
    Regex::new(pattern).expect("a pattern")
});
static STATEMENT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"^ *(?:#\[[^\]]*\] *)?(?:(?:Local|Global|Program) +)*(Theorem|Corollary|Lemma|Instance) +([A-Za-z0-9_']+)";
    Regex::new(pattern).expect("a pattern")
});
/// Names have dots; the one that ends the sentence has a space behind it.
static REQUIRE: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"From\s+(Duoram[\w.]*)\s+Require\s+(?:Import\s+|Export\s+)?([\w.'\s]*?)\.(?:\s|$)";
    Regex::new(pattern).expect("a pattern")
});

/// A Rocq file, without comments and the contents of strings.
pub(crate) struct Source {
    /// Relative to the folder of the proofs: `paper/ReadPrivacy.v`.
    pub(crate) file: String,
    /// As many as in the file.
    lines: Vec<String>,
    words: HashSet<String>,
    /// What it requires of ours: where, and the name: `("Duoram.paper", "ReadPrivacy")`.
    required: Vec<(String, String)>,
}

/// A name that a file states something under.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// `Theorem`, `Corollary`, `Lemma` or `Instance`.
    pub(crate) kind: String,
    /// The name.
    pub(crate) name: String,
    /// Relative to the folder of the proofs.
    pub(crate) file: String,
}

/// All Rocq files below a folder, sorted by name.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn all(rocq: &Path) -> Result<Vec<Source>> {
    let files = files::below(rocq, "v")?;
    files.into_iter().map(|file| Ok(Source::new(&files::read(rocq.join(&file))?, file))).collect()
}

/// `Duoram.paper.ReadPrivacy` for `paper/ReadPrivacy.v`.
pub(crate) fn logical(file: &str) -> String {
    format!("Duoram.{}", file.trim_end_matches(".v").replace('/', "."))
}

/// Whether the file is part of the translation.
pub(crate) fn is_generated(file: &str) -> bool {
    file.starts_with(GENERATED)
}

impl Source {
    /// From the text of a file.
    pub(crate) fn new(text: &str, file: String) -> Self {
        let text = plain(text);
        let words =
            text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map(String::from).collect();
        let mut required = Vec::new();
        for sentence in REQUIRE.captures_iter(&text) {
            required.extend(
                sentence[2].split_whitespace().map(|name| (sentence[1].to_string(), name.to_string())),
            );
        }
        Self { file, lines: text.lines().map(String::from).collect(), words, required }
    }

    /// `FILE:LINE:TEXT` of each line that leaves a proof out, assumes something, or switches a check of the kernel off.
    /// An axiom in disguise (`Variable` outside of a section) is found by coqchk and by the list of axioms.
    pub(crate) fn forbidden(&self) -> Vec<String> {
        let lines = self.lines.iter().zip(1..).filter(|(line, _)| FORBIDDEN.is_match(line));
        lines.map(|(line, n)| format!("{}:{n}:{line}", self.file)).collect()
    }

    /// What it states.
    pub(crate) fn statements(&self) -> Vec<Statement> {
        let stated = self.lines.iter().filter_map(|line| STATEMENT.captures(line));
        stated.map(|c| Statement { kind: c[1].into(), name: c[2].into(), file: self.file.clone() }).collect()
    }

    /// Whether `name` occurs as a word.
    pub(crate) fn has_word(&self, name: &str) -> bool {
        self.words.contains(name)
    }

    /// Whether it requires `file` of ours by itself. As in Rocq, `From Duoram Require X` finds X in any folder.
    pub(crate) fn requires(&self, file: &str) -> bool {
        let logical = logical(file);
        self.required.iter().any(|(prefix, name)| {
            let inside = logical.strip_prefix(prefix).filter(|rest| rest.starts_with('.'));
            inside.and_then(|rest| rest.strip_suffix(name)).is_some_and(|rest| rest.ends_with('.'))
        })
    }
}

/// The text without comments (they nest) and without the contents of strings.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let (mut depth, mut quoted) = (0, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\n', _) => out.push(c),
            ('"', _) => quoted = !quoted,
            _ if quoted => {}
            ('(', Some('*')) => {
                depth += 1;
                chars.next();
            }
            ('*', Some(')')) if depth > 0 => {
                depth -= 1;
                chars.next();
            }
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: &str = r#"(* Nothing is Admitted here, (* no Axiom *) and no "(* Parameter" either. *)
Definition vector_add (a b : nat) : nat := a + b.
Theorem tiny_add (a : nat) : vector_add 0 a = a.
Proof. reflexivity. Qed.
"#;

    fn source(text: &str) -> Source {
        Source::new(text, "Tiny.v".to_string())
    }

    #[test]
    fn comments_and_strings_do_not_count() {
        assert!(source(TINY).forbidden().is_empty());
        assert_eq!(plain("a (* b \"*)\" (* c *)\nd *) e \"(* f\" g"), "a \n e  g");
        assert_eq!(plain("x (* é *) ≤ y"), "x  ≤ y");
    }

    #[test]
    fn what_leaves_a_proof_out_is_found_with_its_line() {
        for line in [
            "Theorem more : False. Admitted.",
            "Theorem more : False. Proof. admit. Abort.",
            "Theorem more : False. Proof. give_up. Abort.",
            "Axiom more : False.",
            "Parameter more : False.",
            "Conjecture more : False.",
            "Primitive more := #int63_add.",
            "#[bypass_check(guard)] Fixpoint more (n : nat) : False := more n.",
            "Unset Guard Checking.",
            "Unset Positivity Checking.",
            "Unset  Universe Checking.",
            "Set Type In Type.",
            "Declare ML Module more.",
            "Add Rec LoadPath more.",
            "  Load more.",
        ] {
            assert_eq!(source(&format!("{TINY}{line}\n")).forbidden(), [format!("Tiny.v:5:{line}")]);
        }
        assert!(source("Lemma administer : Loaded. Lemma parametric : True.").forbidden().is_empty());
    }

    #[test]
    fn statements_have_kind_and_name() {
        let text = "  Local Lemma a' : x.\n#[global] Instance b : y.\n(* Theorem c *)\nGlobal Program Theorem d:z.\nTheorems e.";
        let stated = source(text).statements();
        let pairs: Vec<_> = stated.iter().map(|s| (s.kind.as_str(), s.name.as_str())).collect();
        assert_eq!(pairs, [("Lemma", "a'"), ("Instance", "b"), ("Theorem", "d")]);
    }

    #[test]
    fn words_are_whole() {
        let source = source("vector_add_all (vector_add) x");
        assert!(source.has_word("vector_add"));
        assert!(!source.has_word("vector") && !source.has_word("add"));
    }

    #[test]
    fn requires_by_folder_and_by_last_name() {
        let one = source(
            "From Coq Require Import Lia.\nFrom Duoram Require Import Bijection\n  core.Addresses.\nX.",
        );
        assert!(one.requires("Bijection.v") && one.requires("core/Addresses.v"));
        assert!(one.requires("core/Bijection.v"), "From Duoram finds it in any folder");
        assert!(!one.requires("Addresses.v") && !one.requires("Lia.v") && !one.requires("X.v"));
        let two = source("From Duoram.paper Require Export ReadPrivacy.");
        assert!(two.requires("paper/ReadPrivacy.v"));
        assert!(!two.requires("core/ReadPrivacy.v") && !two.requires("paper/Privacy.v"));
    }
}
