//! Chapter 16: the models and what must come out of them, and the traces that must be rejected.

use crate::error::Error;
use crate::files::Page;
use crate::repository::{Repository, form};
use crate::table::Table;

/// The tables of the chapter.
pub(crate) fn pages(repository: &Repository) -> Result<Vec<Page>, Error> {
    Ok(vec![
        Page::new("models.md", models(repository)?),
        Page::new("tampered-traces.md", tampered_traces(repository)?),
    ])
}

fn models(repository: &Repository) -> Result<String, Error> {
    const COLUMNS: [&str; 9] =
        ["set", "model", "programs", "depth", "window", "crashes", "fault", "check", "expected"];
    let mut table =
        Table::new(["model", "programs", "depth", "window", "crashes", "fault", "what must come out"]);
    let (mut hold, mut fail) = (0, 0);
    for row in repository.columns("proofs/tla/models.tsv", COLUMNS)? {
        let [set, model, programs, depth, window, crashes, fault, check, expected] = &row;
        if !["base", "fault"].contains(&set.as_str()) {
            continue;
        }
        assert_eq!(
            set == "base",
            fault == "none",
            "{model}: a fault in the base models, or none in the others"
        );
        let outcome = match (expected.as_str(), check.as_str()) {
            ("passes", "invariants" | "actions") => "all invariants hold".to_owned(),
            ("passes", property) => format!("`{property}` holds"),
            (property, _) => format!("`{property}` is violated"),
        };
        if expected == "passes" {
            hold += 1;
        } else {
            fail += 1;
        }
        let fault = if fault == "none" { fault.clone() } else { format!("`{fault}`") };
        table.row([
            &format!("`{model}`"),
            &format!("`{programs}`"),
            depth,
            window,
            crashes,
            &fault,
            &outcome,
        ]);
    }
    Ok(table.under(format!(
        "{hold} models in which the properties hold, {fail} with a fault that must be found:"
    )))
}

fn tampered_traces(repository: &Repository) -> Result<Table<3>, Error> {
    const PATH: &str = "proofs/tla/trace/README.md";
    let page = repository.text(PATH)?;
    let head = "| name | what is done | rejected at |\n|---|---|---|\n";
    let (_, rows) = page.split_once(head).ok_or_else(|| form(PATH, "no table of bad traces"))?;
    let mut table = Table::new(["way of tampering", "what is done", "rejected at"]);
    for row in rows.lines().take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, done, rejected] = cells[..] else {
            return Err(form(PATH, format!("not three cells: {row}")));
        };
        table.row([&name, &done, &rejected]);
    }
    Ok(table)
}
