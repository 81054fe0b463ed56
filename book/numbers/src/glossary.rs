//! Chapter 22: the tables at the head of the specification.

use crate::error::Error;
use crate::files::Page;
use crate::repository::{Repository, form};

const PATH: &str = "spec/src/lib.rs";

/// What stands above the lean protocol's names.
const LEAN: &str = "The lean protocol, which is not in the paper, has symbols of its own; what it shares with the paper keeps its name.";

/// The tables of names, of both protocols, and of modules.
pub(crate) fn pages(repository: &Repository) -> Result<Vec<Page>, Error> {
    let source = repository.text(PATH)?;
    // The first table below a line of the crate's documentation.
    let table = |line: &str| -> Result<String, Error> {
        let no_table = || form(PATH, format!("no table below {line:?}"));
        let (_, rest) = source.split_once(&format!("//! {line}\n")).ok_or_else(no_table)?;
        let rows = rest.lines().map(|line| line.strip_prefix("//! ").unwrap_or_default());
        let rows = rows.skip_while(|row| !row.starts_with('|')).take_while(|row| row.starts_with('|'));
        let table: String = rows.map(|row| unlinked(row) + "\n").collect();
        if table.is_empty() { Err(no_table()) } else { Ok(table) }
    };
    Ok(vec![
        Page::new("names.md", table("# Names")?),
        Page::new("lean-names.md", table(LEAN)?),
        Page::new("modules.md", table("# Where to find what")?),
    ])
}

/// Links of rustdoc as the code that they are links of: ``[`a::b`]`` and ``[`b`](a::b)``.
fn unlinked(row: &str) -> String {
    let mut parts = row.split("[`");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once("`]").unwrap_or((part, ""));
        let rest = match rest.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((_, after)) => after,
            None => rest,
        };
        text.extend(["`", code, "`", rest]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::unlinked;

    #[test]
    fn both_kinds_of_links_become_code() {
        assert_eq!(unlinked("| [`a::b`] | [`b`](a::b), `c` (d) |"), "| `a::b` | `b`, `c` (d) |");
        assert_eq!(unlinked("| no link | `c` |"), "| no link | `c` |");
    }
}
