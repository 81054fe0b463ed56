//! How a party introduces itself, to peers and to clients.

use duoram_reference::{MAX_LOG_SIZE, MAX_ROW_WORDS, Role, SessionId};

use crate::bytes::{Sink, Source};
use crate::{VERSION, WireError};

/// Who a party is, and of which memory: the beginning of all that it says first. Whoever expects another hangs up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Introduction {
    /// [`crate::VERSION`].
    pub version: u16,
    /// The version byte of the protocol's frames, which names the protocol.
    pub protocol: u8,
    /// The sender.
    pub role: Role,
    /// The session.
    pub session: SessionId,
    /// m, the rows of the memory, or words: lg n follows from it.
    pub rows: u64,
    /// w, the words at an address: more than one in the lean protocol only.
    pub row_words: u16,
}

impl Introduction {
    pub(crate) fn write(&self, out: &mut dyn Sink) {
        out.u16(self.version);
        out.byte(self.protocol);
        out.byte(self.role.number());
        out.put(&self.session.0);
        out.u64(self.rows);
        out.u16(self.row_words);
    }

    pub(crate) fn read(source: &mut Source<'_>) -> Result<Self, WireError> {
        // Another version may mean something else by what follows, so nothing more is read of it.
        let version = source.u16()?;
        let version = source.field("version", "3", version, (version == VERSION).then_some(version))?;
        let protocol = source.byte()?;
        let role = source.byte()?;
        let role = source.field("role", "0, 1 or 2", role, Role::from_number(role))?;
        let session = SessionId(source.array()?);
        let rows = source.u64()?;
        let made = (1..=1 << MAX_LOG_SIZE).contains(&rows).then_some(rows);
        let rows = source.field("rows", "1 to 2^40", rows, made)?;
        let row_words = source.u16()?;
        let made = (1..=MAX_ROW_WORDS).contains(&usize::from(row_words)).then_some(row_words);
        let row_words = source.field("row_words", "1 to 512", row_words, made)?;
        Ok(Self { version, protocol, role, session, rows, row_words })
    }
}

/// Where somebody else's introduction is not as expected.
#[cfg(feature = "links")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// What differs, as settings call it.
    pub what: &'static str,
    /// What would have been right.
    pub expected: String,
    /// What was there.
    pub got: String,
}

#[cfg(feature = "links")]
impl Introduction {
    /// Compares what was expected with what was got.
    ///
    /// # Errors
    ///
    /// The first difference.
    pub fn check(&self, got: &Self) -> Result<(), Difference> {
        let same = |what, expected: String, got: String| {
            if expected == got { Ok(()) } else { Err(Difference { what, expected, got }) }
        };
        same("version", self.version.to_string(), got.version.to_string())?;
        same("protocol", protocol_of(self.protocol), protocol_of(got.protocol))?;
        same("role", self.role.to_string(), got.role.to_string())?;
        same("session", self.session.to_string(), got.session.to_string())?;
        same("rows", self.rows.to_string(), got.rows.to_string())?;
        same("row_words", self.row_words.to_string(), got.row_words.to_string())
    }
}

#[cfg(feature = "links")]
impl std::fmt::Display for Difference {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "expected {} {}, got {}", self.what, self.expected, self.got)
    }
}

/// The name of a protocol by its byte.
#[cfg(feature = "links")]
fn protocol_of(version: u8) -> String {
    let known = crate::settings::ProtocolName::ALL.into_iter().find(|protocol| protocol.version() == version);
    known.map_or_else(|| format!("one of version byte {version}"), |protocol| protocol.to_string())
}
