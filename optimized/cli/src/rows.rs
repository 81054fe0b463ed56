//! The words at an address: one, or a row of them.

use std::fmt::Display;

use clap::builder::RangedU64ValueParser;
use duoram_reference::MAX_ROW_WORDS;
use duoram_runtime::protocol::Rules;

use crate::Error;

/// The option about them.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Rows {
    /// An address holds a row of W words, with one item an operation whatever W is. More than one only in the lean protocol.
    #[arg(long = "row-words", value_name = "W", default_value_t = 1, value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_ROW_WORDS as u64))]
    words: usize,
}

impl Rows {
    /// w, in a protocol that has it.
    ///
    /// # Errors
    ///
    /// [`Error::NoRows`].
    pub fn of<P: Rules>(self) -> Result<usize, Error> {
        self.where_they_are(P::ROWS, &P::NAME)
    }

    /// The same, of parties on hosts.
    ///
    /// # Errors
    ///
    /// [`Error::NoRows`].
    #[cfg(feature = "hosts")]
    pub fn of_protocol(self, protocol: duoram_link::settings::ProtocolName) -> Result<usize, Error> {
        self.where_they_are(protocol.has_rows(), &protocol)
    }

    fn where_they_are(self, has_rows: bool, protocol: &dyn Display) -> Result<usize, Error> {
        if !has_rows {
            self.require_words(&format!("--protocol {protocol}"))?;
        }
        Ok(self.words)
    }

    /// That no rows were asked for, of something that does not have them.
    ///
    /// # Errors
    ///
    /// [`Error::NoRows`].
    pub fn require_words(self, with: &str) -> Result<(), Error> {
        if self.words == 1 { Ok(()) } else { Err(Error::NoRows { with: with.to_owned(), got: self.words }) }
    }
}
