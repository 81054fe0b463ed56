//! Which of the large models were seen to have the outcome that is listed: `proofs/tla/deep.tsv`. All of them take hours, and a run goes on
//! with those that were not seen as they now are.

use std::collections::BTreeMap;
use std::path::Path;

use super::model::Model;
use crate::error::Result;
use crate::{files, hashes, table};

const SEEN: &str = "proofs/tla/deep.tsv";

/// A row by model.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seen(BTreeMap<String, Row>);

/// When a model was seen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// [`of_what`].
    pub(crate) what: String,
    pub(crate) states: String,
    pub(crate) seconds: String,
    pub(crate) day: String,
}

/// The SHA-256 of all that an outcome depends on: modules, configuration, and the version of TLC, which its file's name has.
///
/// # Errors
/// If a module cannot be read.
pub(crate) fn of_what(model: &Model<'_>, jar: &str) -> Result<String> {
    let modules = hashes::listing(Path::new("proofs/tla"), "", "tla")?;
    let version = Path::new(jar).file_name().unwrap_or_default().to_string_lossy();
    Ok(hashes::sha256(format!("{modules}{}{version}", model.configuration()).as_bytes()))
}

impl Seen {
    /// As it is kept.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn read() -> Result<Self> {
        Ok(Self::of(&files::read(SEEN)?))
    }

    fn of(text: &str) -> Self {
        let row = |row: Vec<&str>| {
            let [model, what, states, seconds, day] = row.try_into().ok()?;
            let [what, states, seconds, day] = [what, states, seconds, day].map(String::from);
            Some((str::to_string(model), Row { what, states, seconds, day }))
        };
        Self(table::rows(text).into_iter().filter_map(row).collect())
    }

    fn text(&self) -> String {
        let rows = self.0.iter().map(|(model, row)| {
            let Row { what, states, seconds, day } = row;
            format!("{model}\t{what}\t{states}\t{seconds}\t{day}")
        });
        let lines: Vec<String> =
            ["model\tsha256\tstates\tseconds\tday".to_string()].into_iter().chain(rows).collect();
        files::lines(lines.iter().map(String::as_str))
    }

    /// When a model was seen as it now is.
    pub(crate) fn when(&self, model: &str, what: &str) -> Option<&Row> {
        self.0.get(model).filter(|row| row.what == what)
    }

    /// A model was seen, and this is kept.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn put(&mut self, model: &str, row: Row) -> Result<()> {
        self.0.insert(model.to_string(), row);
        files::write(SEEN, self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_was_seen_as_it_then_was() {
        let text = "model\tsha256\tstates\tseconds\tday\na\t00\t5\t60\tmonday\nb\t01\t6\t70\tmonday\n";
        let seen = Seen::of(text);
        assert_eq!(seen.text(), text);
        assert_eq!(seen.when("a", "00").map(|row| row.states.as_str()), Some("5"));
        assert_eq!((seen.when("a", "01"), seen.when("c", "00")), (None, None));
    }
}
