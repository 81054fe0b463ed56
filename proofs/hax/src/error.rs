//! What cannot be translated: the item, its place, and why. Nothing is ever left out instead.

use crate::ir::{Path, Place};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The item, and empty as long as nobody has filled it in.
    pub item: String,
    pub place: Place,
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub fn new(place: Place, message: impl Into<String>) -> Error {
        Error { item: String::new(), place, message: message.into() }
    }

    pub fn of(item: &Path, place: &Place, message: impl Into<String>) -> Error {
        Error { item: item.0.clone(), place: place.clone(), message: message.into() }
    }

    /// The same, in this item.
    pub fn within(self, item: &str) -> Error {
        Error { item: item.to_string(), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: `{}`: {}", self.place.file, self.place.line, self.item, self.message)
    }
}
