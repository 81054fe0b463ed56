//! What a durable party wants done.

use std::fmt;

use zeroize::Zeroizing;

use super::Answer;
use crate::engine::{self, Lane};
use crate::wire::Role;

/// Something to be done, in the order in which it is given.
#[derive(Clone, PartialEq, Eq)]
pub enum Effect {
    /// Put a record at the end of the journal. It may wait in memory for others; [`super::Durable::written`] when it is down.
    Append {
        /// The record's number: one more than that of the record before.
        lsn: u64,
        /// Holds secrets.
        record: Zeroizing<Vec<u8>>,
    },
    /// Send a frame on the link to a peer.
    Send {
        /// To whom.
        peer: Role,
        /// The lane, by which frames are numbered.
        lane: Lane,
        /// The frame's number.
        number: u64,
        /// The frame.
        frame: Zeroizing<Vec<u8>>,
    },
    /// Tell a peer how many of its frames of a lane are on disk.
    Acknowledge {
        /// Whom.
        peer: Role,
        /// The lane.
        lane: Lane,
        /// How many: all frames of lower numbers.
        number: u64,
    },
    /// Tell the client that it may forget a command: it is on disk (rule 5).
    Accepted(u64),
    /// Give the client the answer to a command. It is kept until it is [`super::Durable::fetched`].
    Result {
        /// The command's number.
        number: u64,
        /// What became of it.
        answer: Answer,
    },
    /// Write a snapshot, all of it or nothing. When it is down it stands for all records up to `lsn`, which are
    /// [`super::Durable::written`] by it and need not be kept any more.
    Snapshot {
        /// The last record that it covers.
        lsn: u64,
        /// Holds the memory and secrets.
        state: Zeroizing<Vec<u8>>,
    },
    /// A frame of a peer was refused, and nothing has changed. The link is of no more use: it has to go down.
    Refused {
        /// Whose.
        peer: Role,
        /// The lane.
        lane: Lane,
        /// The frame's number.
        number: u64,
        /// Why.
        error: engine::Error,
    },
}

/// Without records, frames and states, which hold secrets: their lengths.
impl fmt::Debug for Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Append { lsn, record } => write!(formatter, "Append({lsn}, {} bytes)", record.len()),
            Self::Send { peer, lane, number, frame } => {
                write!(formatter, "Send({peer}, {lane}, {number}, {} bytes)", frame.len())
            }
            Self::Acknowledge { peer, lane, number } => {
                write!(formatter, "Acknowledge({peer}, {lane}, {number})")
            }
            Self::Accepted(number) => write!(formatter, "Accepted({number})"),
            Self::Result { number, answer } => write!(formatter, "Result({number}, {answer:?})"),
            Self::Snapshot { lsn, state } => write!(formatter, "Snapshot({lsn}, {} bytes)", state.len()),
            Self::Refused { peer, lane, number, error } => {
                write!(formatter, "Refused({peer}, {lane}, {number}, {error})")
            }
        }
    }
}
