//! What a peer can get wrong. Whatever is refused has changed nothing.

use std::fmt;

use thiserror::Error;

use super::{Kind, Role};

/// What makes a message the one that is due: who sends it, and the fields of its header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageId {
    /// The sender.
    pub from: Role,
    /// The kind.
    pub kind: Kind,
    /// The number of the step in the session.
    pub operation: u64,
    /// See [`super::Header::round`].
    pub round: u32,
}

impl fmt::Display for MessageId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, kind, operation, round } = self;
        write!(formatter, "'{kind}' of {from} (operation {operation}, round {round})")
    }
}

/// An [`Option`] of a message, in words.
struct OrNothing<'a>(&'a Option<MessageId>);

impl fmt::Display for OrNothing<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(message) => message.fmt(formatter),
            None => formatter.write_str("nothing"),
        }
    }
}

/// What a number in a message is held against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It must be this.
    Is(u64),
    /// It must be below this.
    Below(u64),
}

impl fmt::Display for Bound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Is(number) => number.fmt(formatter),
            Self::Below(number) => write!(formatter, "below {number}"),
        }
    }
}

/// A place in a message, in words.
struct InBrackets<'a>(&'a [(&'static str, usize)]);

impl fmt::Display for InBrackets<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = " (";
        for (counted, number) in self.0 {
            write!(formatter, "{before}{counted} {number}")?;
            before = ", ";
        }
        formatter.write_str(if self.0.is_empty() { "" } else { ")" })
    }
}

/// Why a frame was refused. The party is exactly as it was before.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Misbehaviour {
    /// The frame ends too early.
    #[error("frame from {from} truncated: {expected} bytes expected, got {got}")]
    Truncated {
        /// The peer.
        from: Role,
        /// The length of the header, or of the frame that the header announces.
        expected: usize,
        /// The length of the frame.
        got: usize,
    },
    /// The frame goes on after its end.
    #[error("frame from {from} too long: {expected} bytes expected, got {got}")]
    Oversized {
        /// The peer.
        from: Role,
        /// The length that the header announces.
        expected: usize,
        /// The length of the frame.
        got: usize,
    },
    /// The header announces more than [`crate::MAX_PAYLOAD`].
    #[error("payload from {from} too large: at most {max} bytes, got {got}")]
    PayloadTooLarge {
        /// The peer.
        from: Role,
        /// [`crate::MAX_PAYLOAD`].
        max: usize,
        /// The length that the header announces.
        got: usize,
    },
    /// Not a frame of this protocol.
    #[error("frame from {from} does not start with \"DUO\", got {got:02x?}")]
    BadMagic {
        /// The peer.
        from: Role,
        /// The first three bytes.
        got: [u8; 3],
    },
    /// Another version of the protocol.
    #[error("frame from {from} has version {got}, expected {expected}")]
    WrongVersion {
        /// The peer.
        from: Role,
        /// Our version.
        expected: u8,
        /// The peer's.
        got: u8,
    },
    /// No such kind of message.
    #[error("frame from {from} has the unknown kind {got}")]
    UnknownKind {
        /// The peer.
        from: Role,
        /// The byte.
        got: u8,
    },
    /// No such party.
    #[error("frame from {from} names the unknown party {got}")]
    UnknownRole {
        /// The peer.
        from: Role,
        /// The byte.
        got: u8,
    },
    /// The reserved byte is not zero.
    #[error("frame from {from}: the reserved byte must be 0, got {got}")]
    Reserved {
        /// The peer.
        from: Role,
        /// The byte.
        got: u8,
    },
    /// A frame of another session.
    #[error("frame from {from} is of the session {got:02x?}, expected {expected:02x?}")]
    WrongSession {
        /// The peer.
        from: Role,
        /// Our session.
        expected: [u8; 16],
        /// The frame's.
        got: [u8; 16],
    },
    /// The frame names another sender than the peer it came from.
    #[error("frame from {expected} says that it is from {got}")]
    WrongSender {
        /// The peer.
        expected: Role,
        /// The sender in the header.
        got: Role,
    },
    /// The frame is for someone else.
    #[error("frame from {from} is for {got}, expected {expected}")]
    WrongReceiver {
        /// The peer.
        from: Role,
        /// This party.
        expected: Role,
        /// The receiver in the header.
        got: Role,
    },
    /// Not the message that is due: duplicated, out of order, or none is due at all.
    #[error("unexpected {got}, expected {}", OrNothing(expected))]
    UnexpectedMessage {
        /// The message that is due.
        expected: Option<MessageId>,
        /// The message that came.
        got: MessageId,
    },
    /// The payload's length does not fit the step.
    #[error("payload of '{kind}' from {from}: {expected} bytes expected, got {got}")]
    WrongLength {
        /// The peer.
        from: Role,
        /// The kind of message.
        kind: Kind,
        /// The length that the step calls for.
        expected: usize,
        /// The payload's.
        got: usize,
    },
    /// An unused bit of packed bits is set.
    #[error("payload of '{kind}' from {from}: unused bits must be 0, the last byte is {got:#010b}")]
    Padding {
        /// The peer.
        from: Role,
        /// The kind of message.
        kind: Kind,
        /// The byte.
        got: u8,
    },
    /// The message says what no honest peer says, whatever its secrets are.
    #[error("'{kind}' from {from}: {rule}{} must be {expected}, got {got}", InBrackets(at))]
    Content {
        /// The peer.
        from: Role,
        /// The kind of message.
        kind: Kind,
        /// What there is a rule for: one of the constants that the protocol has for it.
        rule: &'static str,
        /// Where in the message, from the outside in: what is counted, and its number.
        at: Vec<(&'static str, usize)>,
        /// What the rule allows.
        expected: Bound,
        /// What the message says.
        got: u64,
    },
    /// The same of what is no number.
    #[error("'{kind}' from {from}: {rule}{}", InBrackets(at))]
    Invalid {
        /// The peer.
        from: Role,
        /// The kind of message.
        kind: Kind,
        /// What is wrong.
        rule: &'static str,
        /// Where in the message, as above.
        at: Vec<(&'static str, usize)>,
    },
}

impl Misbehaviour {
    /// The peer whose link it came from.
    pub const fn peer(&self) -> Role {
        match self {
            Self::WrongSender { expected: from, .. }
            | Self::UnexpectedMessage { got: MessageId { from, .. }, .. }
            | Self::Truncated { from, .. }
            | Self::Oversized { from, .. }
            | Self::PayloadTooLarge { from, .. }
            | Self::BadMagic { from, .. }
            | Self::WrongVersion { from, .. }
            | Self::UnknownKind { from, .. }
            | Self::UnknownRole { from, .. }
            | Self::Reserved { from, .. }
            | Self::WrongSession { from, .. }
            | Self::WrongReceiver { from, .. }
            | Self::WrongLength { from, .. }
            | Self::Padding { from, .. }
            | Self::Content { from, .. }
            | Self::Invalid { from, .. } => *from,
        }
    }
}
