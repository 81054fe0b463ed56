//! One chapter: puts in what it includes, writes under every listing where it comes from, and links the names in its text.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::repository::{Place, Repository};
use crate::source;

/// The chapter with its includes, captions and links, and the files that they lead to. `folder` is where the chapter lies,
/// `book/src`; `up` leads from its page to the book. Errors: each with its line, all of them at once.
pub(crate) fn expand(
    text: &str,
    folder: &Path,
    repository: &Repository,
    up: &str,
) -> Result<(String, BTreeSet<String>), Vec<String>> {
    let mut page = Page {
        folder,
        repository,
        up,
        out: String::new(),
        shown: Vec::new(),
        linked: BTreeSet::new(),
        line: 0,
        errors: Vec::new(),
    };
    let mut fence: Option<String> = None;
    let mut heads: Vec<String> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        page.line = number + 1;
        if let Some(language) = line.strip_prefix("```") {
            // mdBook's highlighter has neither Rocq nor TLA+, and says so in the console.
            page.push(if matches!(language, "coq" | "tla") { "```text" } else { line });
            if fence.take().is_none() {
                fence = Some(language.to_owned());
            } else {
                page.caption();
            }
        } else if let Some(included) =
            line.strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}"))
        {
            page.include(included.trim(), fence.is_some());
        } else if line.contains("{{#") {
            page.refuse("an include stands alone in its line");
        } else if let Some(language) = &fence {
            if ["rust", "coq", "tla"].iter().any(|code| language.starts_with(code)) && !line.is_empty() {
                page.refuse("code is included by name, never typed");
            }
            page.push(line);
        } else {
            heads = if line.starts_with('|') { heads } else { Vec::new() };
            if line.starts_with('|') && heads.is_empty() {
                heads = cells(line).map(|head| head.trim().to_owned()).collect();
            }
            let linked = page.linked(line, &heads);
            page.push(&linked);
        }
    }
    if fence.is_some() {
        page.refuse("the last code block is not closed");
    }
    if page.errors.is_empty() { Ok((page.out, page.linked)) } else { Err(page.errors) }
}

struct Page<'a> {
    folder: &'a Path,
    repository: &'a Repository,
    up: &'a str,
    out: String,
    /// What the open code block has shown so far.
    shown: Vec<Place>,
    linked: BTreeSet<String>,
    /// Where we are.
    line: usize,
    errors: Vec<String>,
}

impl Page<'_> {
    fn push(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn refuse(&mut self, why: &str) {
        self.errors.push(format!("line {}: {why}", self.line));
    }

    /// A whole file of the book, or an item of the repository. Code outside of a block is Markdown with its caption below.
    fn include(&mut self, included: &str, in_block: bool) {
        let result = match included.split_once(':') {
            None => fs::read_to_string(self.folder.join(included))
                .map(|text| self.push(text.trim_end()))
                .map_err(|error| format!("cannot include {included}: {error}")),
            Some((path, name)) => self.item(path, name, in_block),
        };
        if let Err(why) = result {
            self.refuse(&why);
        }
    }

    fn item(&mut self, path: &str, name: &str, in_block: bool) -> Result<(), String> {
        let file = self.repository.path_below(&self.folder.join(path))?;
        let place = self.repository.item(&file, name)?;
        let text = self.repository.text(&file)?;
        let range = place.lines.clone().unwrap_or_default();
        let lines: Vec<&str> = text.lines().skip(range.start).take(range.len()).collect();
        if lines.iter().all(|line| line.trim().is_empty()) {
            return Err(format!("{file}: `{name}` is empty"));
        }
        let blank = |line: &&&str| !line.trim().is_empty();
        let indent =
            lines.iter().filter(blank).map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
        if in_block && !self.shown.is_empty() {
            self.push("");
        }
        for line in lines.iter().filter(|line| !line.contains("ANCHOR")) {
            self.push(line.get(indent..).unwrap_or_default());
        }
        self.linked.insert(file);
        self.shown.push(place);
        if !in_block {
            self.push("");
            self.caption();
        }
        Ok(())
    }

    /// Where the listing comes from, as links to its lines.
    fn caption(&mut self) {
        if self.shown.is_empty() {
            return;
        }
        let up = self.up;
        let links: Vec<String> = self
            .shown
            .drain(..)
            .map(|place| {
                let lines = place.lines.clone().unwrap_or_default();
                let lines = match lines.len() {
                    1 => format!("line {}", lines.end),
                    _ => format!("lines {} to {}", lines.start + 1, lines.end),
                };
                format!("<a href=\"{up}{}\">{}, {lines}</a>", source::address(&place), place.file)
            })
            .collect();
        self.push(&format!("<p class=\"listing-source\">{}</p>\n", links.join("; ")));
    }

    /// The line with a link around every code span that is a name of the repository.
    fn linked(&mut self, line: &str, heads: &[String]) -> String {
        if line.starts_with('#') || line.starts_with('<') {
            return line.to_owned();
        }
        if !line.starts_with('|') {
            return self.spans(line, None);
        }
        let columns = heads.iter().map(|head| Some(head.as_str())).chain(std::iter::repeat(None));
        let linked: Vec<String> =
            cells(line).zip(columns).map(|(cell, head)| self.spans(cell, head)).collect();
        format!("|{}|", linked.join("|"))
    }

    fn spans(&mut self, text: &str, column: Option<&str>) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, words, after)) = next_span(rest) {
            out.push_str(before);
            let is_linked = before.ends_with('[') && after.starts_with("](");
            match self.repository.resolve(words, column) {
                Ok(Some(place)) if !is_linked => {
                    let _ = write!(out, "[`{words}`]({}{})", self.up, source::address(&place));
                    self.linked.insert(place.file);
                }
                Ok(_) => {
                    let _ = write!(out, "`{words}`");
                }
                Err(why) => self.refuse(&why),
            }
            rest = after;
        }
        out + rest
    }
}

fn next_span(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (words, after) = rest.split_once('`')?;
    Some((before, words, after))
}

/// The cells of a row. A bar in a code span is written `\|` there, and stays with its cell.
fn cells(row: &str) -> impl Iterator<Item = &str> {
    let row = row.trim().trim_start_matches('|');
    let row = row.strip_suffix('|').unwrap_or(row);
    let mut escaped = false;
    row.split(move |c| {
        let bar = c == '|' && !escaped;
        escaped = c == '\\';
        bar
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Result<String, Vec<String>> {
        expanded_in("book/src", "", text)
    }

    fn expanded_in(folder: &str, up: &str, text: &str) -> Result<String, Vec<String>> {
        let top = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).canonicalize().unwrap();
        expand(text, &top.join(folder), &Repository::open(&top).unwrap(), up).map(|(text, _)| text)
    }

    #[test]
    fn a_listing_is_the_item_and_a_link_to_its_lines() {
        let page =
            expanded("```rust,ignore\n{{#include ../../spec/src/paper/read.rs:shift_share}}\n```\n").unwrap();
        assert!(page.contains("pub fn shift_share"), "{page}");
        assert!(
            page.contains("<p class=\"listing-source\"><a href=\"source/spec/src/paper/read_rs.html#L"),
            "{page}"
        );
    }

    #[test]
    fn a_page_further_down_links_up_to_the_sources_of_the_book() {
        let text =
            "```rust,ignore\n{{#include ../../../spec/src/paper/read.rs:shift_share}}\n```\n`read::read`\n";
        let page = expanded_in("book/slides/src", "../", text).unwrap();
        assert!(page.contains("<a href=\"../source/spec/src/paper/read_rs.html#L"), "{page}");
        assert!(page.contains("[`read::read`](../source/spec/src/paper/read_rs.html#L"), "{page}");
        let outside = expanded("{{#include ../../../x.rs:y}}\n").unwrap_err();
        assert!(outside[0].contains("expected a path inside the repository"), "{outside:?}");
    }

    #[test]
    fn names_are_linked_outside_of_code_headings_and_links() {
        let page = expanded("See `read::read` | `x`, [`read::read`](a.md).\n\n# `read::read`\n").unwrap();
        assert_eq!(page.matches("(source/spec/src/paper/read_rs.html#L").count(), 1, "{page}");
        let table = expanded("| line | kernel |\n|---|---|\n| `a \\| b` | `update.rs: row` |\n").unwrap();
        assert!(
            table.contains("| `a \\| b` | [`update.rs: row`](source/optimized/kernel/src/update_rs.html#L"),
            "{table}"
        );
    }

    #[test]
    fn all_that_is_wrong_is_said_with_its_line() {
        let text = "```rust,ignore\n{{#include ../../spec/src/paper/read.rs:reed}}\nlet x = 1;\n```\n`ci/nothing`\n{{#include generated/none.md}}\na {{#include b}}\n";
        let errors = expanded(text).unwrap_err();
        let expected = [
            "line 2: spec/src/paper/read.rs has no item or anchor `reed`",
            "line 3: code is included by name, never typed",
            "line 5: `ci/nothing` does not exist",
            "line 6: cannot include generated/none.md",
            "line 7: an include stands alone in its line",
        ];
        assert_eq!(errors.len(), expected.len(), "{errors:?}");
        for (error, start) in errors.iter().zip(expected) {
            assert!(error.starts_with(start), "{error}");
        }
    }
}
