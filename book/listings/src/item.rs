//! Finds the lines of an item in a source file: by the name of a Rust item, a Rocq sentence, a TLA+ definition or a C
//! function, or between the marks `ANCHOR: name` and `ANCHOR_END: name` in any comment.
//!
//! The name of an item is its anchor: a listing cannot point at the wrong lines, and the sources need no marks for it. Marks
//! are for what has no name of its own, as a paragraph of Markdown. `begin: name` and `end: name` are marks too: they are
//! around what the project's scripts write into Markdown.

use std::ops::Range;
use std::path::Path;

/// The lines (from 0) of the item, with its comment and attributes. `name` is an identifier, `Type::method` or
/// `impl Trait for Type`. Errors: says that there is none, or more than one.
pub(crate) fn find(path: &Path, text: &str, name: &str) -> Result<Range<usize>, String> {
    let lines: Vec<&str> = text.lines().collect();
    if let Some(range) = marked(&lines, name)? {
        return Ok(range);
    }
    let found = match path.extension().and_then(|extension| extension.to_str()) {
        Some("rs") => rust(&lines, name),
        Some("v") => rocq(&lines, name),
        Some("tla") => tla(&lines, name),
        Some("h") => c_function(&lines, name),
        _ => Vec::new(),
    };
    match found.as_slice() {
        [range] => Ok(range.clone()),
        [] => Err(format!("{} has no item or anchor `{name}`", path.display())),
        more => Err(format!(
            "{} has {} items `{name}` (lines {}): expected one, name it `Type::{name}`",
            path.display(),
            more.len(),
            more.iter().map(|range| (range.start + 1).to_string()).collect::<Vec<_>>().join(", ")
        )),
    }
}

/// What lies between the marks, without empty lines at its ends.
fn marked(lines: &[&str], name: &str) -> Result<Option<Range<usize>>, String> {
    let has = |line: &str, mark: &str| {
        line.split_once(mark).is_some_and(|(_, rest)| rest.split_whitespace().next() == Some(name))
    };
    for (mark, end_mark) in [("ANCHOR:", "ANCHOR_END:"), ("<!-- begin:", "<!-- end:")] {
        let Some(begin) = lines.iter().position(|line| has(line, mark)) else { continue };
        let end = lines.iter().position(|line| has(line, end_mark)).filter(|&end| end > begin);
        let no_end = || format!("`{mark} {name}` in line {} has no `{end_mark} {name}` below", begin + 1);
        let inside = begin + 1..end.ok_or_else(no_end)?;
        let full = || inside.clone().filter(|&i| !lines[i].trim().is_empty());
        return Ok(full().next().zip(full().next_back()).map(|(first, last)| first..last + 1));
    }
    Ok(None)
}

fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// The first line of what is directly above `start` and satisfies `belongs`.
fn upwards(lines: &[&str], mut start: usize, belongs: impl Fn(&str) -> bool) -> usize {
    while start > 0 && belongs(lines[start - 1]) {
        start -= 1;
    }
    start
}

/// Whether `text` starts with `word`, and the word ends there.
fn starts_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '\''))
}

/// The code is formatted by rustfmt, so that the line which closes an item is as far to the right as the one that opens it.
fn rust_end(lines: &[&str], start: usize) -> usize {
    if lines[start].ends_with([';', '}']) {
        return start + 1;
    }
    let closing = ["}", ");", "};", "];"].map(|end| format!("{}{end}", indent(lines[start])));
    (start + 1..lines.len())
        .find(|&i| closing.iter().any(|end| lines[i] == *end))
        .map_or(lines.len(), |i| i + 1)
}

fn rust(lines: &[&str], name: &str) -> Vec<Range<usize>> {
    if let Some((owner, member)) = name.split_once("::") {
        return owners(lines, owner)
            .into_iter()
            .flat_map(|block| {
                rust(&lines[block.clone()], member)
                    .into_iter()
                    .map(move |range| range.start + block.start..range.end + block.start)
            })
            .collect();
    }
    let is_item = |line: &str| {
        let mut rest = line.trim_start();
        if name.starts_with("impl") {
            return starts_with_word(rest, name);
        }
        if let Some(public) = rest.strip_prefix("pub") {
            rest = public
                .strip_prefix('(')
                .and_then(|scoped| scoped.split_once(") "))
                .map_or(public, |(_, rest)| rest);
        }
        for qualifier in ["const ", "unsafe ", "extern \"C\" "] {
            let shorter = rest.trim_start().strip_prefix(qualifier).unwrap_or(rest);
            rest = if starts_with_word(shorter.trim_start(), "fn") { shorter } else { rest };
        }
        let kind = ["fn ", "struct ", "enum ", "trait ", "type ", "const ", "static ", "mod "];
        kind.iter()
            .any(|kind| rest.trim_start().strip_prefix(kind).is_some_and(|item| starts_with_word(item, name)))
    };
    let ranges: Vec<Range<usize>> = (0..lines.len())
        .filter(|&i| is_item(lines[i]))
        .map(|i| {
            let belongs =
                |line: &str| line.trim_start().starts_with("///") || line.trim_start().starts_with("#[");
            upwards(lines, i, belongs)..rust_end(lines, i)
        })
        .collect();
    // a free item hides methods of the same name
    let free: Vec<_> = ranges.iter().filter(|range| indent(lines[range.start]).is_empty()).cloned().collect();
    if free.is_empty() { ranges } else { free }
}

/// The bodies of `impl` blocks for a type and of a trait.
fn owners(lines: &[&str], owner: &str) -> Vec<Range<usize>> {
    let opens = |line: &str| {
        let Some(head) = line.trim_start().strip_suffix(" {") else { return false };
        let head = head.split(" where ").next().unwrap_or(head);
        if head.starts_with("impl") {
            let of = head.rsplit_once(" for ").map_or(head, |(_, of)| of);
            let word = of.split(['<', ' ']).filter(|word| !word.is_empty());
            return starts_with_word(of, owner) || (of == head && word.clone().any(|word| word == owner));
        }
        head.contains("trait ") && head.split(['<', ' ', ':']).any(|word| word == owner)
    };
    (0..lines.len()).filter(|&i| opens(lines[i])).map(|i| i + 1..rust_end(lines, i)).collect()
}

/// From the comment above to the full stop that ends the sentence. Of a section, its premises: from its head, or from the
/// first of its hypotheses that is named, to the next empty line.
fn rocq(lines: &[&str], name: &str) -> Vec<Range<usize>> {
    let kinds =
        ["Theorem", "Lemma", "Corollary", "Definition", "Fixpoint", "Record", "Inductive", "Instance"];
    let is_a = |line: &str, kinds: &[&str]| {
        let rest = line.trim_start().trim_start_matches("#[global] ");
        kinds.iter().any(|kind| {
            rest.strip_prefix(kind)
                .and_then(|rest| rest.strip_prefix(' '))
                .is_some_and(|rest| starts_with_word(rest, name))
        })
    };
    let premises = ["Section", "Hypothesis"];
    (0..lines.len())
        .filter(|&i| is_a(lines[i], &kinds) || is_a(lines[i], &premises))
        .map(|i| {
            if is_a(lines[i], &premises) {
                return i..(i..lines.len()).find(|&j| lines[j].trim().is_empty()).unwrap_or(lines.len());
            }
            let end = (i..lines.len()).find(|&j| lines[j].trim_end().ends_with('.')).unwrap_or(i);
            let mut start = i;
            if i > 0 && lines[i - 1].trim_end().ends_with("*)") {
                start = (0..i).rev().find(|&j| lines[j].trim_start().starts_with("(*")).unwrap_or(i);
            }
            start..end + 1
        })
        .collect()
}

/// From the comment above to the next empty line, rule or comment.
fn tla(lines: &[&str], name: &str) -> Vec<Range<usize>> {
    let defines = |line: &str| starts_with_word(line, name) && line.contains("==");
    let ends = |line: &str| {
        line.trim().is_empty() || ["----", "====", "\\*", "(*"].iter().any(|mark| line.starts_with(mark))
    };
    (0..lines.len())
        .filter(|&i| defines(lines[i]))
        .map(|i| {
            let end = (i + 1..lines.len()).find(|&j| ends(lines[j])).unwrap_or(lines.len());
            upwards(lines, i, |line| line.starts_with("\\*"))..end
        })
        .collect()
}

/// A declaration with its comment.
fn c_function(lines: &[&str], name: &str) -> Vec<Range<usize>> {
    let declares = |line: &str| {
        line.split_once(' ').is_some_and(|(_, rest)| {
            rest.trim_start_matches('*').strip_prefix(name).is_some_and(|rest| rest.starts_with('('))
        })
    };
    (0..lines.len())
        .filter(|&i| declares(lines[i]))
        .map(|i| {
            let end = (i..lines.len()).find(|&j| lines[j].contains(';')).unwrap_or(i);
            upwards(lines, i, |line| line.starts_with(" *") || line.starts_with("/*"))..end + 1
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(file: &str, text: &str, name: &str) -> Result<String, String> {
        let range = find(Path::new(file), text, name)?;
        Ok(text.lines().skip(range.start).take(range.len()).collect::<Vec<_>>().join("\n"))
    }

    const RUST: &str = "\
/// Doc.
#[inline]
pub fn add(
    a: u64,
) -> u64 {
    a
}

pub(crate) struct Unit;

impl Ring for Unit {
    fn add(self) {
    }
    const fn twice(self) {}
}

impl<L: Lanes> Kernel<L> {
    /// Grows.
    fn grow(&self) {
        1
    }
}
struct Other;
impl Other {
    fn grow() {}
}
";

    #[test]
    fn rust_items_by_name() {
        let add = lines_of("a.rs", RUST, "add").unwrap();
        assert!(add.starts_with("/// Doc.") && add.ends_with("\n}"), "{add}");
        assert_eq!(lines_of("a.rs", RUST, "Unit").unwrap(), "pub(crate) struct Unit;");
        assert_eq!(lines_of("a.rs", RUST, "twice").unwrap(), "    const fn twice(self) {}");
        assert_eq!(lines_of("a.rs", RUST, "Unit::add").unwrap(), "    fn add(self) {\n    }");
        assert!(lines_of("a.rs", RUST, "Kernel::grow").unwrap().starts_with("    /// Grows."));
        assert!(lines_of("a.rs", RUST, "impl Ring for Unit").unwrap().starts_with("impl Ring"));
    }

    #[test]
    fn what_is_missing_or_ambiguous_is_an_error() {
        assert_eq!(lines_of("a.rs", RUST, "ad").unwrap_err(), "a.rs has no item or anchor `ad`");
        assert!(lines_of("a.rs", RUST, "grow").unwrap_err().contains("has 2 items `grow` (lines 18, 25)"));
        let marks = "(* ANCHOR: a *)\nx\n(* ANCHOR_END: b *)\n";
        assert!(lines_of("a.v", marks, "a").unwrap_err().contains("has no `ANCHOR_END: a`"));
        assert!(lines_of("a.md", "<!-- begin: a -->\n", "a").unwrap_err().contains("has no `<!-- end: a`"));
    }

    #[test]
    fn sentences_definitions_and_marks() {
        let rocq = "(* Two\n   lines. *)\nTheorem one :\n  1 = 1.\nProof. Qed.\nLemma one' : True.\n";
        assert_eq!(lines_of("a.v", rocq, "one").unwrap(), "(* Two\n   lines. *)\nTheorem one :\n  1 = 1.");
        let section = "Section S.\n  Variables (n : nat).\n\n  Lemma two : True.\n";
        assert_eq!(lines_of("a.v", section, "S").unwrap(), "Section S.\n  Variables (n : nat).");
        let tla = "\\* Says.\nSends(p) ==\n  /\\ x\n\nNext == Sends(1)\n";
        assert_eq!(lines_of("a.tla", tla, "Sends").unwrap(), "\\* Says.\nSends(p) ==\n  /\\ x");
        let header = "/* READ:\n * all. */\nint32_t duoram_read(int a,\n    int b);\n";
        assert_eq!(lines_of("a.h", header, "duoram_read").unwrap(), header.trim_end());
        let marks = "<!-- ANCHOR: a -->\ntext\n<!-- ANCHOR_END: a -->\n";
        assert_eq!(lines_of("a.md", marks, "a").unwrap(), "text");
    }
}
