//! Files of settings: what those of a party and of a client have in common.
//!
//! They are TOML. An error names the file, the line, the key, what was expected and what was there; but it never quotes the
//! line, for a wrong file may be a key.

use std::fs::File;
use std::io::{self, Read as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::{fmt, str};

use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{Error as ProtocolError, Paper, Parameters, Protocol, Role, SessionId};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};

use crate::{ClientName, Pin};

/// The longest file of settings, in bytes: a thousand clients have room in it.
const MOST_BYTES: u64 = 1 << 20;

/// What of a wrong value is shown, in characters.
const SHOWN: usize = 80;

/// A file of settings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It cannot be read, or something that it names cannot.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is no TOML, or a value is not what its key needs.
    #[error("{}, line {line}: {key}{what}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// The key and a colon, or nothing if the line has none.
        key: String,
        /// What was expected, and what was there.
        what: String,
    },
    /// Values that do not go together.
    #[error("{}: {key}: expected {expected}, got {got}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The key, with those of the tables around it.
        key: String,
        /// What would have been right.
        expected: String,
        /// What was there.
        got: String,
    },
}

/// A file of settings, for errors and for the paths in it.
#[derive(Clone, Debug)]
pub struct Source(PathBuf);

impl Source {
    /// Reads a file. What it says is well-formed then; what goes together is for the caller to check.
    ///
    /// # Errors
    ///
    /// [`Error::File`], [`Error::Text`].
    pub fn read<T: DeserializeOwned>(path: &Path) -> Result<(Self, T), Error> {
        let failed = |source| Error::File { path: path.to_owned(), source };
        let mut text = String::new();
        File::open(path)
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text))
            .map_err(failed)?;
        if text.len() as u64 > MOST_BYTES {
            let long = format!("expected at most {MOST_BYTES} bytes of settings");
            return Err(failed(io::Error::new(io::ErrorKind::FileTooLarge, long)));
        }
        let settings = toml::from_str(&text).map_err(|error| {
            let (line, key) = place(&text, error.span().map_or(0, |span| span.start));
            Error::Text { path: path.to_owned(), line, key, what: error.message().to_owned() }
        })?;
        Ok((Self(path.to_owned()), settings))
    }

    /// The error of a value that does not go with the others.
    pub fn refuse(
        &self,
        key: impl fmt::Display,
        expected: impl fmt::Display,
        got: impl fmt::Display,
    ) -> Error {
        Error::Value {
            path: self.0.clone(),
            key: key.to_string(),
            expected: expected.to_string(),
            got: got.to_string(),
        }
    }

    /// What a session's size is by the keys `log_size`, `rows` and `row_words`, of parties of this protocol.
    ///
    /// # Errors
    ///
    /// [`Error::Value`].
    pub fn check_size(
        &self,
        protocol: ProtocolName,
        session: SessionId,
        (log_size, rows, row_words): (u32, Option<usize>, usize),
    ) -> Result<Parameters, Error> {
        protocol.parameters(session, (log_size, rows, row_words)).map_err(|error| match error {
            ProtocolError::LogSizeOutOfRange { .. } => self.refuse("log_size", "1 to 40", log_size),
            ProtocolError::NoRows { got } => {
                self.refuse("row_words", format!("1, for protocol is {protocol}"), got)
            }
            ProtocolError::RowsOutOfRange { min, max, got, .. } => {
                self.refuse("rows", format!("{min} to {max}, for log_size is {log_size}"), got)
            }
            ProtocolError::AllRows { expected, got } => {
                self.refuse("rows", format!("{expected}, for protocol is {protocol}"), got)
            }
            ProtocolError::RowWordsOutOfRange { max, got } => {
                self.refuse("row_words", format!("1 to {max}"), got)
            }
            other => self.refuse("row_words", "a size of the protocol", other),
        })
    }

    /// A path of the file: relative to the folder that the file is in.
    pub fn beside(&self, path: &Path) -> PathBuf {
        self.0.parent().unwrap_or(Path::new("")).join(path)
    }

    /// That the pins of one peer are one or two, and not the same. They are two while a key is being changed.
    ///
    /// # Errors
    ///
    /// [`Error::Value`].
    pub fn check_pins(&self, key: &str, pins: &[Pin]) -> Result<(), Error> {
        match pins {
            [_] => Ok(()),
            [first, second] if first != second => Ok(()),
            [first, _] => Err(self.refuse(key, "two different pins", format!("{first} twice"))),
            _ => Err(self.refuse(key, "one pin, or two while a key is changed", pins.len())),
        }
    }
}

/// The line of a place in a file, from 1, and the key there with those of the tables around it.
fn place(text: &str, offset: usize) -> (usize, String) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count();
    let name = |text: &str| text.trim().trim_matches(['[', ']']).trim().to_owned();
    let is_name =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    let table =
        text.lines().take(line + 1).filter(|line| line.trim_start().starts_with('[')).last().map(name);
    let key = text.lines().nth(line).and_then(|line| line.split_once('=')).map(|(key, _)| name(key));
    let names: Vec<_> = [table, key].into_iter().flatten().filter(|name| is_name(name)).collect();
    (line + 1, if names.is_empty() { String::new() } else { format!("{}: ", names.join(".")) })
}

/// What is a string in a file, and something else in the program.
pub trait Value: Sized {
    /// What is expected, in words.
    const EXPECTED: &str;

    /// The value of a text, if it has one.
    fn of(text: &str) -> Option<Self>;
}

/// Deserializes a [`Value`].
///
/// # Errors
///
/// The deserializer's, with what was expected and what was there.
pub fn value<'de, T: Value, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    <Text<T>>::deserialize(deserializer).map(|Text(value)| value)
}

/// Deserializes a list of [`Value`]s.
///
/// # Errors
///
/// Those of [`value`].
pub fn values<'de, T: Value, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let values = <Vec<Text<T>>>::deserialize(deserializer)?;
    Ok(values.into_iter().map(|Text(value)| value).collect())
}

/// What `row_words` is, if it is left out: an address holds a word.
pub const fn row_words() -> usize {
    1
}

/// Deserializes a [`Value`] that may be left out.
///
/// # Errors
///
/// Those of [`value`].
pub fn optional<'de, T: Value, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    value(deserializer).map(Some)
}

struct Text<T>(T);

impl<'de, T: Value> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        T::of(&text).map(Self).ok_or_else(|| {
            let shown: String = text.escape_debug().take(SHOWN).collect();
            D::Error::custom(format_args!("expected {}, got \"{shown}\"", T::EXPECTED))
        })
    }
}

impl Value for Role {
    const EXPECTED: &str = "\"P0\", \"P1\" or \"P2\"";

    fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.to_string() == text)
    }
}

impl Value for SessionId {
    const EXPECTED: &str = "32 hexadecimal digits";

    fn of(text: &str) -> Option<Self> {
        // from_str_radix takes a sign, which is no digit.
        let digits = text.len() == 32 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = u128::from_str_radix(text, 16).ok().filter(|_| digits)?;
        Some(Self(number.to_be_bytes()))
    }
}

impl Value for SocketAddr {
    const EXPECTED: &str = "an address and a port, such as \"127.0.0.1:7100\" or \"[::]:7100\"";

    fn of(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Value for Pin {
    const EXPECTED: &str = "a pin: the 64 hexadecimal digits that duoram keygen has printed";

    fn of(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Value for ClientName {
    const EXPECTED: &str = "1 to 64 letters, digits, - _ or .";

    fn of(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// Where to call somebody: a host's name or address, and a port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address(String);

impl Address {
    /// The name or address of the host; of an IPv6 address without its brackets.
    pub fn host(&self) -> &str {
        let host = self.0.rsplit_once(':').map_or("", |(host, _)| host);
        host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.0.rsplit_once(':').and_then(|(_, port)| port.parse().ok()).unwrap_or_default()
    }

    /// Both, as whoever looks names up wants them.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Value for Address {
    const EXPECTED: &str = "a host and a port, such as \"p0.example.org:7100\" or \"127.0.0.1:7100\"";

    fn of(text: &str) -> Option<Self> {
        let (host, port) = text.rsplit_once(':')?;
        let bare = match host.strip_prefix('[') {
            Some(rest) => {
                rest.strip_suffix(']').filter(|inside| inside.parse::<std::net::Ipv6Addr>().is_ok())?
            }
            None => host,
        };
        let name = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
        let host = !host.is_empty() && (bare != host || host.chars().all(name));
        let port = port.bytes().all(|digit| digit.is_ascii_digit())
            && port.parse::<u16>().is_ok_and(|port| port > 0);
        (host && port).then(|| Self(text.to_owned()))
    }
}

/// A protocol, by the name that files and the command line give it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProtocolName {
    /// The paper's.
    Paper,
    /// The lean one.
    Lean,
    /// The paper's of two parties.
    TwoParty,
}

impl ProtocolName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Paper, Self::Lean, Self::TwoParty];

    /// The byte that every frame names it by.
    pub const fn version(self) -> u8 {
        match self {
            Self::Paper => Paper::VERSION,
            Self::Lean => Lean::VERSION,
            Self::TwoParty => TwoParty::VERSION,
        }
    }

    /// Whether an address can hold a row of words.
    pub const fn has_rows(self) -> bool {
        match self {
            Self::Paper => Paper::ROWS,
            Self::Lean => Lean::ROWS,
            Self::TwoParty => TwoParty::ROWS,
        }
    }

    /// What its parties agree on: h, m (as many as there are addresses, if nothing is said) and w.
    ///
    /// # Errors
    ///
    /// Those of [`Parameters::new`], [`Parameters::with_rows`] and [`Parameters::with_row_words`], and those of a protocol that has no rows,
    /// which its parties would have before they connect.
    pub fn parameters(
        self,
        session: SessionId,
        (log_size, rows, row_words): (u32, Option<usize>, usize),
    ) -> Result<Parameters, ProtocolError> {
        let all = Parameters::new(session, log_size)?;
        if row_words != 1 && !self.has_rows() {
            return Err(ProtocolError::NoRows { got: row_words });
        }
        let parameters = all.with_rows(rows.unwrap_or(all.rows()))?;
        if !parameters.has_all_rows() && !self.has_rows() {
            return Err(ProtocolError::AllRows { expected: all.size(), got: parameters.rows() });
        }
        parameters.with_row_words(row_words)
    }

    /// The parties that take part, in order.
    pub const fn roles(self) -> &'static [Role] {
        match self {
            Self::Paper => Paper::ROLES,
            Self::Lean => Lean::ROLES,
            Self::TwoParty => TwoParty::ROLES,
        }
    }
}

impl fmt::Display for ProtocolName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Paper => "paper",
            Self::Lean => "lean",
            Self::TwoParty => "two-party",
        })
    }
}

impl Value for ProtocolName {
    const EXPECTED: &str = "\"lean\", \"paper\" or \"two-party\"";

    fn of(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.to_string() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_a_host_and_a_port() {
        let of = |text: &str| Address::of(text).map(|address| (address.host().to_owned(), address.port()));
        assert_eq!(of("p0.example.org:7100"), Some(("p0.example.org".to_owned(), 7100)));
        assert_eq!(of("127.0.0.1:1"), Some(("127.0.0.1".to_owned(), 1)));
        assert_eq!(of("[::1]:65535"), Some(("::1".to_owned(), 65535)));
        for wrong in
            ["", "a", "a:", ":1", "a:0", "a:65536", "a:+1", "::1:1", "[a]:1", "a b:1", "a/b:1", "[]:1"]
        {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sessions_are_thirty_two_digits() {
        let session = SessionId::of("000102030405060708090a0b0c0d0e0F").unwrap();
        assert_eq!(session.0, std::array::from_fn(|place| u8::try_from(place).unwrap()));
        for wrong in ["", "0", "+00102030405060708090a0b0c0d0e0f", "0001020304050607 8090a0b0c0d0e0f"] {
            assert!(SessionId::of(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn names_are_what_is_printed() {
        for protocol in ProtocolName::ALL {
            assert_eq!(ProtocolName::of(&protocol.to_string()), Some(protocol));
        }
        assert_eq!(Role::of("P2"), Some(Role::P2));
        assert_eq!((Role::of("P3"), Role::of("p0"), ProtocolName::of("Lean")), (None, None, None));
    }

    /// No two are taken for each other, and whoever takes part is listed in order: places in lists are by role.
    #[test]
    fn protocols_differ_by_byte_and_name_their_parties_in_order() {
        let versions = ProtocolName::ALL.map(ProtocolName::version);
        assert_eq!(versions, [Paper::VERSION, Lean::VERSION, TwoParty::VERSION]);
        assert_eq!(ProtocolName::ALL.map(ProtocolName::has_rows), [false, true, false]);
        for (place, protocol) in ProtocolName::ALL.into_iter().enumerate() {
            assert!(!versions[..place].contains(&protocol.version()), "{protocol}");
            assert!(protocol.roles().iter().map(|role| role.index()).eq(0..protocol.roles().len()));
        }
        assert_eq!(ProtocolName::TwoParty.roles(), [Role::P0, Role::P1]);
    }

    #[test]
    fn a_place_is_a_line_and_a_key() {
        let text = "a = 1\n[peers.P1]\nb = 2\n[[clients]]\n  c = 3\n-----BEGIN PRIVATE KEY-----=\n";
        let at = |what: &str| place(text, text.find(what).unwrap());
        assert_eq!(at("1\n[p"), (1, "a: ".to_owned()));
        assert_eq!(at("[peers"), (2, "peers.P1: ".to_owned()));
        assert_eq!(at("2"), (3, "peers.P1.b: ".to_owned()));
        assert_eq!(at("3"), (5, "clients.c: ".to_owned()));
        assert_eq!(place(text, usize::MAX).0, 7);
    }
}
