//! Names of clients, and texts for people: short, and of characters that no log or terminal stumbles over.

use std::fmt;
use std::str::FromStr;

use crate::WireError;
use crate::bytes::{Sink, Source};

/// The longest name of a client in bytes.
pub const MAX_NAME: usize = 64;

/// The longest text in bytes.
pub const MAX_TEXT: usize = 200;

const NAME: &str = "1 to 64 letters, digits, `-`, `_` or `.`";

/// A client, as the configurations of all parties call it: 1 to 64 ASCII letters, digits, `-`, `_` and `.`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClientName(String);

impl ClientName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn write(&self, out: &mut dyn Sink) {
        // At most 64 bytes, or it would not have been made.
        out.byte(u8::try_from(self.0.len()).unwrap_or(u8::MAX));
        out.put(self.0.as_bytes());
    }

    pub(crate) fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        let length = usize::from(source.byte()?);
        let name = std::str::from_utf8(source.take(length)?).ok().and_then(|name| name.parse().ok());
        name.ok_or_else(|| source.characters("client", NAME))
    }
}

impl FromStr for ClientName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(allowed) {
            Ok(Self(name.to_owned()))
        } else {
            Err(format!("the name of a client is {NAME}"))
        }
    }
}

impl fmt::Display for ClientName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What one host tells the people at another: at most 200 bytes, without control characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text(String);

impl Text {
    /// As much of it as fits; control characters become spaces.
    pub fn new(text: impl fmt::Display) -> Self {
        let mut text: String =
            text.to_string().chars().map(|char| if char.is_control() { ' ' } else { char }).collect();
        let fitting = text.char_indices().map(|(start, char)| start + char.len_utf8());
        text.truncate(fitting.take_while(|end| *end <= MAX_TEXT).last().unwrap_or(0));
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// To the end of a message.
    pub(crate) fn write(&self, out: &mut dyn Sink) {
        out.put(self.0.as_bytes());
    }

    /// To the end of a message.
    pub(crate) fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        let bytes = source.rest();
        let text = std::str::from_utf8(bytes).ok().map(Self::new).filter(|text| text.0.as_bytes() == bytes);
        text.ok_or_else(|| source.characters("text", "at most 200 bytes of UTF-8 without control characters"))
    }
}

impl fmt::Display for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
