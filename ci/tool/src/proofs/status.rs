//! `proofs/status.json`: what Rocq said of each theorem, and of which specification.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::ser::Formatter;

use super::theorems::Theorem;
use crate::error::{Result, found};
use crate::{files, hashes, table};

/// The file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Status {
    /// In the order of the list.
    pub(crate) theorems: Vec<Proved>,
    /// Of the specification's sources.
    generated_from: String,
}

/// A theorem and what it rests on.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Proved {
    name: String,
    /// From the top of the repository.
    file: String,
    statement_of: String,
    paper: String,
    /// Names of axioms; none, if all is well.
    pub(crate) axioms: Vec<String>,
}

impl Status {
    /// Of the theorems, the axioms of each, and the specification in `spec`.
    ///
    /// # Errors
    /// If the specification cannot be read.
    pub(crate) fn new(theorems: Vec<Theorem>, axioms: Vec<Vec<String>>, spec: &Path) -> Result<Self> {
        let proved = |(Theorem { name, file, about, paper }, axioms)| Proved {
            name,
            file: format!("proofs/rocq/{file}"),
            statement_of: about,
            paper,
            axioms,
        };
        let sources = hashes::listing(&spec.join("src"), "src", "rs")?;
        Ok(Self {
            theorems: theorems.into_iter().zip(axioms).map(proved).collect(),
            generated_from: hashes::sha256(sources.as_bytes()),
        })
    }

    /// As it is in the file.
    ///
    /// # Errors
    /// If it is not as `ci/prove` writes it.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        match serde_json::from_str(&files::read(path)?) {
            Ok(status) => Ok(status),
            Err(error) => found(format!("{} is not as ci/prove writes it: {error}", path.display())),
        }
    }

    /// As the file has it: a theorem a line.
    pub(crate) fn to_text(&self) -> String {
        let theorems: Vec<String> =
            self.theorems.iter().map(|theorem| format!("    {}", line(theorem))).collect();
        format!(
            "{{\n  \"theorems\": [\n{}\n  ],\n  \"generated_from\": {}\n}}\n",
            theorems.join(",\n"),
            line(&self.generated_from)
        )
    }

    /// In Markdown, with links from the folder `proofs`.
    pub(crate) fn table(&self) -> String {
        let row = |theorem: &Proved| {
            let about = match theorem.statement_of.as_str() {
                "-" => String::new(),
                about => format!("`{}`", about.replace(", ", "`, `")),
            };
            let file = theorem.file.trim_start_matches("proofs/");
            let axioms =
                if theorem.axioms.is_empty() { "none".to_string() } else { theorem.axioms.join(", ") };
            [format!("[`{}`]({file})", theorem.name), about, theorem.paper.clone(), axioms]
        };
        table::markdown(["theorem", "about", "paper", "axioms"], self.theorems.iter().map(row))
    }
}

/// JSON in one line, with a space after each colon and comma.
fn line(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    value.serialize(&mut serializer).expect("strings and lists, into memory");
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_array_value(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status() -> Status {
        let theorem = |name: &str, about: &str, axioms: &[&str]| Proved {
            name: name.into(),
            file: "proofs/rocq/paper/Tiny.v".into(),
            statement_of: about.into(),
            paper: "section \"1\"".into(),
            axioms: axioms.iter().map(ToString::to_string).collect(),
        };
        let theorems = vec![theorem("a", "vector::add, vector::sub", &[]), theorem("b", "-", &["x", "y"])];
        Status { theorems, generated_from: "00".into() }
    }

    #[test]
    fn the_file_has_a_theorem_a_line_and_is_read_back() {
        let text = status().to_text();
        assert_eq!(text.lines().count(), 7);
        assert!(text.contains(r#""paper": "section \"1\"", "axioms": ["x", "y"]}"#), "{text}");
        assert_eq!(serde_json::from_str::<Status>(&text).unwrap(), status());
    }

    #[test]
    fn another_file_is_refused() {
        let scratch = files::scratch().unwrap();
        let path = scratch.path().join("status.json");
        files::write(&path, r#"{"theorems": [{"name": 1}]}"#).unwrap();
        assert!(Status::read(&path).unwrap_err().to_string().contains("is not as ci/prove writes it"));
    }

    #[test]
    fn the_table_links_from_the_folder_of_the_proofs() {
        let table = status().table();
        assert!(table.contains(
            "| [`a`](rocq/paper/Tiny.v) | `vector::add`, `vector::sub` | section \"1\" | none |\n"
        ));
        assert!(table.ends_with("| [`b`](rocq/paper/Tiny.v) | | section \"1\" | x, y |\n"));
    }
}
