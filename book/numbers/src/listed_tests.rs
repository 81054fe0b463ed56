//! Chapter 14: the tests of errata, security points and views.

use crate::error::Error;
use crate::files::Page;
use crate::repository::{Repository, form};
use crate::table::Table;

/// The list of the chapter.
pub(crate) fn pages(repository: &Repository) -> Result<Vec<Page>, Error> {
    let mut table = Table::new(["file", "what", "tests"]);
    let mut lists = Vec::new();
    for (name, what) in [
        ("errata", "errata: the printed formula fails, the right one holds"),
        ("security", "security points: what a party would learn otherwise"),
        ("privacy", "views of each party, exhaustively over 2-bit words"),
    ] {
        let path = format!("spec/tests/{name}.rs");
        let source = repository.text(&path)?;
        let names = tests(&source);
        if names.is_empty() {
            return Err(form(&path, "no tests"));
        }
        table.row([&format!("`{path}`"), &what, &names.len()]);
        let list: Vec<String> = names.iter().map(|name| format!("- `{name}`")).collect();
        let list = list.join("\n");
        lists.push(format!("<details><summary>Tests of {path}</summary>\n\n{list}\n\n</details>\n"));
    }
    Ok(vec![Page::new("errata-tests.md", format!("{table}\n{}", lists.join("\n")))])
}

/// The functions behind `#[test]`, also those in the macro `proptest!`.
fn tests(source: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut lines = source.lines().map(str::trim);
    while lines.any(|line| line == "#[test]") {
        let name = lines.find_map(|line| line.strip_prefix("fn ")).and_then(|line| line.split_once('('));
        names.extend(name.map(|(name, _)| name));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::tests;

    #[test]
    fn tests_are_found_behind_other_attributes_and_in_macros() {
        let source = "
            fn helper() {}
            #[test]
            fn first() {}
            #[test]
            #[should_panic]
            fn second() {}
            proptest! {
                /// Of any word.
                #[test]
                fn third(x: u64) {}
            }
            // #[test]
            fn fourth() {}";
        assert_eq!(tests(source), ["first", "second", "third"]);
    }
}
