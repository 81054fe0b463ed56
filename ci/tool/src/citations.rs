//! `ci/citations`: every citation `[key, ...]` in a comment has its key in BIBLIOGRAPHY.md.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use regex::Regex;

use crate::error::{Result, found};
use crate::files;

/// Checks the files given, or all Rust, Python and Markdown files of the repository.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    files: Vec<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let paths = if arguments.files.is_empty() {
        files::listed(&["*.rs", "*.md", "*.py"])?
    } else {
        arguments.files.clone()
    };
    println!("{}", check(&files::read("BIBLIOGRAPHY.md")?, &paths)?);
    Ok(())
}

fn check(bibliography: &str, paths: &[PathBuf]) -> Result<String> {
    let known = keys(bibliography);
    let mut count = 0;
    let mut bad = String::new();
    for path in paths {
        for (line, key) in cited(&files::read(path)?) {
            count += 1;
            if !known.contains(key.as_str()) && key != "key" {
                let _ = writeln!(bad, "{}:{line}: unknown key {key}", path.display());
            }
        }
    }
    if !bad.is_empty() {
        return found(bad.trim_end());
    }
    if count == 0 {
        return found("no citations found: the pattern is broken");
    }
    Ok(format!("{count} citations, {} sources", known.len()))
}

/// The keys of the bibliography: first column of its table.
fn keys(bibliography: &str) -> BTreeSet<&str> {
    let row = Regex::new(r"(?m)^\| ([a-z0-9-]+) \| ").expect("a pattern");
    let keys = row.captures_iter(bibliography).filter_map(|row| row.get(1)).map(|key| key.as_str());
    keys.filter(|&key| key != "key").collect()
}

/// Line and key of each citation. `[key]` itself stands for any.
fn cited(text: &str) -> Vec<(usize, String)> {
    let citation = Regex::new(r"`\[([a-z][a-z0-9-]*)(?:, [^\]`]*)?\]`").expect("a pattern");
    let lines = text.lines().zip(1..);
    lines.flat_map(|(line, n)| citation.captures_iter(line).map(move |c| (n, c[1].to_string()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_the_table() {
        let text = "# B\n| key | source |\n|---|---|\n| duoram | Paper |\n| du-atallah | Other |\n";
        assert_eq!(keys(text).into_iter().collect::<Vec<_>>(), ["du-atallah", "duoram"]);
    }

    /// Not written out, or the check would find it here.
    fn citation(key: &str) -> String {
        format!("`[{key}, section 1]`")
    }

    #[test]
    fn citations_are_found_with_their_lines() {
        let text = format!(
            "//! {} and\n//! {}, `[{}]`\nlet a = [x, 1];\n`[X]` `[0]`\n",
            citation("a"),
            citation("b9"),
            "c-d"
        );
        let expected = [(1, "a".to_string()), (2, "b9".to_string()), (2, "c-d".to_string())];
        assert_eq!(cited(&text), expected);
    }

    #[test]
    fn an_unknown_key_and_files_without_any_are_refused() {
        let scratch = files::scratch().unwrap();
        let planted = [scratch.path().join("planted.rs")];
        let bibliography = "| key | source |\n|---|---|\n| duoram | Paper |\n";
        let on = |text: String| {
            files::write(&planted[0], text).unwrap();
            check(bibliography, &planted).map_err(|error| error.to_string())
        };
        assert_eq!(on(citation("duoram")).unwrap(), "1 citations, 1 sources");
        let error =
            on(format!("//! {} and\n//! {}\n", citation("duoram"), citation("nobody99"))).unwrap_err();
        assert!(error.ends_with("planted.rs:2: unknown key nobody99"));
        assert!(on("//! nothing cited\n".to_string()).unwrap_err().contains("no citations found"));
    }
}
