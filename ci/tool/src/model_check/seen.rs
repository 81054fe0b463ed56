//! Which of the large models were seen to have the outcome that is listed: `proofs/tla/deep.tsv`. All of them take hours, and a run goes on
//! with those that were not seen as they now are. Some have more states than a day suffices for: of these it is kept how many were seen.

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
    /// How many of them were not gone on from when the time was over: none of a model that was seen as a whole.
    pub(crate) left: String,
    /// How long it took, or how long it was let.
    pub(crate) seconds: u64,
    pub(crate) day: String,
}

impl Row {
    /// Whether no state is left to go on from.
    pub(crate) fn is_whole(&self) -> bool {
        self.left == "0"
    }
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
            let [model, what, states, left, seconds, day] = row.try_into().ok()?;
            let seconds = seconds.parse().ok()?;
            let [what, states, left, day] = [what, states, left, day].map(String::from);
            Some((str::to_string(model), Row { what, states, left, seconds, day }))
        };
        Self(table::rows(text).into_iter().filter_map(row).collect())
    }

    fn text(&self) -> String {
        let rows = self.0.iter().map(|(model, row)| {
            let Row { what, states, left, seconds, day } = row;
            format!("{model}\t{what}\t{states}\t{left}\t{seconds}\t{day}")
        });
        let lines: Vec<String> =
            ["model\tsha256\tstates\tleft\tseconds\tday".to_string()].into_iter().chain(rows).collect();
        files::lines(lines.iter().map(String::as_str))
    }

    /// When a model was seen as it now is: as a whole, or for so many seconds at least.
    pub(crate) fn when(&self, model: &str, what: &str, seconds: Option<u64>) -> Option<&Row> {
        let enough = |row: &&Row| row.is_whole() || seconds.is_some_and(|seconds| row.seconds >= seconds);
        self.0.get(model).filter(|row| row.what == what).filter(enough)
    }

    /// How many were seen, and how many of them as a whole.
    pub(crate) fn count(&self) -> [usize; 2] {
        [self.0.len(), self.0.values().filter(|row| row.is_whole()).count()]
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
    fn a_model_was_seen_as_it_then_was_and_for_as_long() {
        let text =
            "model\tsha256\tstates\tleft\tseconds\tday\na\t00\t5\t0\t60\tmonday\nb\t01\t6\t2\t70\tmonday\n";
        let seen = Seen::of(text);
        assert_eq!((seen.text().as_str(), seen.count()), (text, [2, 1]));
        for seconds in [None, Some(60), Some(80)] {
            assert_eq!(seen.when("a", "00", seconds).map(|row| row.states.as_str()), Some("5"));
            assert_eq!((seen.when("a", "01", seconds), seen.when("c", "00", seconds)), (None, None));
        }
        let in_part = |seconds| seen.when("b", "01", seconds).is_some();
        assert!(in_part(Some(70)) && !in_part(Some(71)) && !in_part(None));
    }
}
