//! The cells of a step, and the views of them.

use std::collections::BTreeMap;

use serde_json::Value;

/// The views: of the reader, and of each party.
const VIEWS: [&str; 4] = ["all", "P0", "P1", "P2"];

/// What stands in a cell, or in the row of cells of a vector.
#[derive(Clone)]
enum Shown {
    One(String),
    Row(Vec<u64>),
}

/// The cells of a step, each with its value and the parties that know it, as in "P0 P2".
#[derive(Clone, Default)]
pub(crate) struct Cells(BTreeMap<String, (Shown, &'static str)>);

/// The cells by view, then by name.
pub(crate) type Views = BTreeMap<&'static str, BTreeMap<String, String>>;

impl Cells {
    #[expect(clippy::needless_pass_by_value, reason = "numbers, texts and borrowed texts, as they come")]
    pub(crate) fn set(&mut self, name: impl Into<String>, value: impl ToString, known: &'static str) {
        self.0.insert(name.into(), (Shown::One(value.to_string()), known));
    }

    pub(crate) fn set_all(&mut self, name: &str, words: &[u64], known: &'static str) {
        self.0.insert(name.to_owned(), (Shown::Row(words.to_vec()), known));
    }

    /// Takes off all cells whose names begin like this.
    pub(crate) fn remove(&mut self, beginning: &str) {
        self.0.retain(|name, _| !name.starts_with(beginning));
    }

    pub(crate) fn views(&self) -> Views {
        VIEWS.iter().map(|view| (*view, self.view(view))).collect()
    }

    /// A vector that is hidden is one cell: not even its words are shown one by one.
    fn view(&self, view: &str) -> BTreeMap<String, String> {
        let mut cells = BTreeMap::new();
        for (name, (shown, known)) in &self.0 {
            if view != "all" && !known.contains(view) {
                cells.insert(name.clone(), "unknown".to_owned());
                continue;
            }
            match shown {
                Shown::One(value) => drop(cells.insert(name.clone(), value.clone())),
                Shown::Row(words) => {
                    cells.extend(
                        words.iter().enumerate().map(|(i, word)| (format!("{name}[{i}]"), word.to_string())),
                    );
                }
            }
        }
        cells
    }
}

/// Known to everybody who looks at the page: numbers of steps, names of senders.
pub(crate) const PUBLIC: &str = "P0 P1 P2";

/// The text of a field.
pub(crate) fn text<'a>(form: &'a Value, field: &str) -> &'a str {
    form[field].as_str().unwrap_or("")
}

/// The number in a field, which the check that asks has made itself.
pub(crate) fn number(form: &Value, field: &str) -> u64 {
    text(form, field).parse().unwrap_or_else(|_| panic!("{field}: expected a number, got {}", form[field]))
}
