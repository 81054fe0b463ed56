//! Everything that can be refused. Whatever is refused has changed nothing.

use std::fmt;

use thiserror::Error;

use crate::Role;
use crate::frame::Kind;

/// One step of the session: all parties take the same steps in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Agreeing on the session's key.
    Connect,
    /// Blinding a memory that is not zero.
    Load,
    /// Making DPFs.
    Preprocess,
    /// Protocol 1, online.
    Read,
    /// Protocol 2, online.
    Update,
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Connect => "connect",
            Self::Load => "load",
            Self::Preprocess => "preprocess",
            Self::Read => "read",
            Self::Update => "update",
        })
    }
}

/// What a preprocessed item is good for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ItemKind {
    /// One READ.
    Read,
    /// One UPDATE.
    Update,
}

impl fmt::Display for ItemKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Read => "READ",
            Self::Update => "UPDATE",
        })
    }
}

/// What makes a message the one that is due: who sends it, and the fields of its header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MessageId {
    /// The sender.
    pub from: Role,
    /// The kind.
    pub kind: Kind,
    /// The number of the step in the session.
    pub operation: u64,
    /// The level or the chunk, else 0.
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

/// Why a call or a frame was refused. The party is exactly as it was before.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    // The caller's mistakes.
    /// The memory would be empty or too large.
    #[error("lg n must be from 1 to {max}, got {got}")]
    LogSizeOutOfRange {
        /// The largest that is allowed here.
        max: u32,
        /// What was asked for.
        got: u32,
    },
    /// Only P0 and P1 hold shares.
    #[error("a primary is P0 or P1, not {got}")]
    NotPrimary {
        /// The role asked for.
        got: Role,
    },
    /// A step can only start when the previous one is done.
    #[error("busy: the step '{step}' is not done")]
    Busy {
        /// The step under way.
        step: Step,
    },
    /// The session has no key yet.
    #[error("not connected")]
    NotConnected,
    /// The session has its key.
    #[error("already connected")]
    AlreadyConnected,
    /// A memory is loaded before anything else is done, or not at all.
    #[error("a memory is loaded first of all, but {steps} steps were already taken")]
    NotFresh {
        /// The steps since the connection.
        steps: u64,
    },
    /// A share of the memory has n words.
    #[error("a share of the memory has {expected} words, got {got}")]
    MemoryLength {
        /// n.
        expected: u64,
        /// The length of the share.
        got: u64,
    },
    /// A step without a query or an item.
    #[error("a step needs at least one item")]
    EmptyStep,
    /// The step's longest message would exceed [`crate::MAX_PAYLOAD`].
    #[error("at most {max} items fit into one step, got {got}")]
    BatchTooLarge {
        /// The most that one step can take.
        max: usize,
        /// What was asked for.
        got: usize,
    },
    /// Each preprocessed item is good for one operation, and there are not enough left.
    #[error("{needed} preprocessed {kind} items needed, {left} left")]
    PreprocessingExhausted {
        /// The kind of item.
        kind: ItemKind,
        /// The items that the call would use.
        needed: usize,
        /// The items there are.
        left: usize,
    },

    // A peer's frame.
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
    /// The peers run with different sizes.
    #[error("{from} has lg n = {got}, expected {expected}")]
    LogSizeMismatch {
        /// The peer.
        from: Role,
        /// Ours.
        expected: u32,
        /// The peer's.
        got: u64,
    },
    /// An opened correction word must have a clear lowest bit.
    #[error("the lowest bit of a correction word (DPF {dpf}, level {level}) from {from} must be 0, got 1")]
    InconsistentCorrection {
        /// The peer.
        from: Role,
        /// The number of the DPF in the message.
        dpf: usize,
        /// The level.
        level: u32,
    },
    /// The lowest bit of a root is the number of the primary whose key it is.
    #[error("the lowest bit of the root of key {item} from {from} must be {expected}, got {got}")]
    InconsistentRoot {
        /// The peer, whose key it is.
        from: Role,
        /// The number of the item in the message.
        item: usize,
        /// 0 for P0, 1 for P1.
        expected: u8,
        /// The root's lowest bit.
        got: u8,
    },
    /// A shift share is reduced mod n before it is sent.
    #[error("shift share {query} from {from} must be below {size}, got {got}")]
    ShiftOutOfRange {
        /// The peer.
        from: Role,
        /// The number of the query in the message.
        query: usize,
        /// n.
        size: u64,
        /// The word.
        got: u64,
    },
}
