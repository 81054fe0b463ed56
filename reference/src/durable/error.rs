//! What a durable party refuses. It is then as it was before.

use std::fmt;

use thiserror::Error;

use crate::engine::{self, Lane};
use crate::wire::Role;

/// Where a party was stored, for the error that something is wrong there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A snapshot, by its last record.
    Snapshot(u64),
    /// A record of the journal.
    Record(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Snapshot(lsn) => write!(formatter, "the snapshot of record {lsn}"),
            Self::Record(lsn) => write!(formatter, "record {lsn}"),
        }
    }
}

/// Why an input was refused.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// A party has no link to itself, nor to one that does not take part in its protocol.
    #[error("{got} is no peer of this party")]
    NotAPeer {
        /// The role named.
        got: Role,
    },
    /// There is no link to this peer.
    #[error("the link to {peer} is down")]
    LinkDown {
        /// The peer.
        peer: Role,
    },
    /// The link must go down before it comes up.
    #[error("the link to {peer} is up already")]
    LinkUp {
        /// The peer.
        peer: Role,
    },
    /// A frame is missing on the link.
    #[error("{peer}, {lane}: frame {expected} expected, got {got}")]
    FrameGap {
        /// The peer.
        peer: Role,
        /// The lane.
        lane: Lane,
        /// The number that is due.
        expected: u64,
        /// The number that came.
        got: u64,
    },
    /// A frame is not of the lane that it is numbered in.
    #[error("{peer}: a frame of the lane {expected} expected, got one of {got:?}")]
    WrongLane {
        /// The peer.
        peer: Role,
        /// The lane that the link says.
        expected: Lane,
        /// The lane of its kind; none, if there is no such kind.
        got: Option<Lane>,
    },
    /// A peer has sent more than may wait here for its turn.
    #[error("{peer}, {lane}: at most {max} bytes may wait for their turn, got {got}")]
    TooFarAhead {
        /// The peer.
        peer: Role,
        /// The lane.
        lane: Lane,
        /// [`super::Limits::ahead`]
        max: usize,
        /// With the frame that came.
        got: usize,
    },
    /// A peer acknowledges what was not made and will not be.
    #[error("{peer}, {lane}: {made} frames were made, got an acknowledgement of {got}")]
    NotMade {
        /// The peer.
        peer: Role,
        /// The lane.
        lane: Lane,
        /// The frames made.
        made: u64,
        /// The frames acknowledged.
        got: u64,
    },
    /// A peer has fewer frames than it once acknowledged: its disk is lost, or an older one.
    #[error("{peer} has forgotten: it had acknowledged {acknowledged} frames of {lane}, and has {taken}")]
    PeerForgot {
        /// The peer.
        peer: Role,
        /// The lane.
        lane: Lane,
        /// What it had acknowledged.
        acknowledged: u64,
        /// What it says that it has.
        taken: u64,
    },
    /// A peer has frames that this party has not made and will not make: this party's disk is lost, or an older one.
    #[error("this party has forgotten: {peer} has {taken} frames of {lane}, and {made} were made")]
    SelfForgot {
        /// The peer.
        peer: Role,
        /// The lane.
        lane: Lane,
        /// The frames that were made.
        made: u64,
        /// What the peer says that it has.
        taken: u64,
    },
    /// The client has left out a command, or this party's disk is an older one.
    #[error("command {expected} expected, got {got}")]
    CommandGap {
        /// The number that is due.
        expected: u64,
        /// The number that came.
        got: u64,
    },
    /// Commands wait, or their answers were not fetched.
    #[error("at most {max} commands may be without a fetched answer")]
    TooManyCommands {
        /// [`super::Limits::commands`]
        max: usize,
    },
    /// There is no answer that could have been fetched.
    #[error("command {number} has no answer yet")]
    NotAnswered {
        /// The command.
        number: u64,
    },
    /// The memory cannot be stored in the middle of a step.
    #[error("a step on the memory is under way")]
    Busy,
    /// What was never appended cannot have been written.
    #[error("record {got} was written, but the last is {last}")]
    NotAppended {
        /// The last record.
        last: u64,
        /// The record said to be written.
        got: u64,
    },
    /// What was stored is not what a party of this kind stores, or does not follow from what is before it.
    #[error("{place} is not what this party stored: {what}")]
    Stored {
        /// Where.
        place: Place,
        /// What is wrong.
        what: &'static str,
    },
    /// What was stored is refused by the party itself.
    #[error("{place} is refused: {error}")]
    Replay {
        /// Where.
        place: Place,
        /// Why.
        error: engine::Error,
    },
}
