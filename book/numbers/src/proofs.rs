//! Chapter 15: what is proved, what is not, and the faults that break a proof.

use serde::Deserialize;

use crate::error::Error;
use crate::files::Page;
use crate::repository::{Repository, form};
use crate::table::Table;

/// The tables of the chapter.
pub(crate) fn pages(repository: &Repository) -> Result<Vec<Page>, Error> {
    Ok(vec![
        Page::new("theorems.md", theorems(repository)?),
        Page::new("not-proved.md", not_proved(repository)?),
        Page::new("proof-mutants.md", planted_faults(repository)?),
    ])
}

/// `proofs/status.json`, as `ci/prove` writes it.
#[derive(Deserialize)]
struct Status {
    theorems: Vec<Theorem>,
}

#[derive(Deserialize)]
struct Theorem {
    name: String,
    /// Functions, separated by commas; `-` for none.
    statement_of: String,
    paper: String,
    axioms: Vec<String>,
}

fn theorems(repository: &Repository) -> Result<String, Error> {
    let Status { theorems } = repository.json("proofs/status.json")?;
    let mut table = Table::new(["theorem", "about", "in the paper", "axioms"]);
    for theorem in &theorems {
        assert!(theorem.axioms.is_empty(), "the text says that there are no axioms: {}", theorem.name);
        let functions: Vec<String> = match theorem.statement_of.as_str() {
            "-" => vec!["no function: the method".to_owned()],
            functions => functions.split(", ").map(|function| format!("`{function}`")).collect(),
        };
        table.row([&format!("`{}`", theorem.name), &functions.join(", "), &theorem.paper, &"none"]);
    }
    let count = theorems.len();
    Ok(format!(
        "{count} theorems, none of them with an axiom.\n\n{}",
        table.folded("Every principal theorem")
    ))
}

/// The list in `proofs/SOUNDNESS.md`, as it is.
fn not_proved(repository: &Repository) -> Result<String, Error> {
    const PATH: &str = "proofs/SOUNDNESS.md";
    const HEADING: &str = "## What is not covered\n";
    let page = repository.text(PATH)?;
    let (_, section) =
        page.split_once(HEADING).ok_or_else(|| form(PATH, "no section \"What is not covered\""))?;
    let section = section.split("\n## ").next().unwrap_or_default().trim();
    if !section.starts_with("- ") || section.contains("](") {
        return Err(form(PATH, "what is not covered is not a list without links"));
    }
    Ok(section.to_owned())
}

fn planted_faults(repository: &Repository) -> Result<String, Error> {
    let faults = repository.columns("proofs/mutants.tsv", ["name", "fault", "expected"])?;
    let mut table = Table::new(["name", "what is wrong then", "no longer compiles"]);
    for [name, fault, expected] in &faults {
        table.row([&format!("`{name}`"), &literal(fault), &format!("`proofs/rocq/{expected}`")]);
    }
    let count = faults.len();
    Ok(format!(
        "{count} faults are listed in `proofs/mutants.tsv`; each names the file of theorems that must no longer compile.\n\n{}",
        table.folded("Every planted fault")
    ))
}

/// Plain text as Markdown: `D~_1` and `i*_b` are no markup.
fn literal(text: &str) -> String {
    let escaped = |character: char| match character {
        '*' | '_' | '~' | '`' | '<' | '[' | '\\' | '$' => format!("\\{character}"),
        other => other.to_string(),
    };
    text.chars().map(escaped).collect()
}
