//! What a caller can get wrong. What a peer can get wrong is apart ([`Misbehaviour`]).

use std::fmt;

use thiserror::Error;

use super::{Lane, NotAside, Step};
use crate::wire::{Bound, Misbehaviour, Role, SessionId};

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

/// Why a saved lane was not taken back.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SavedError {
    /// It is shorter or longer than what it says that it holds.
    #[error("a saved lane of {expected} bytes expected, got {got}")]
    Length {
        /// The length that its header or its counts call for.
        expected: usize,
        /// Its length.
        got: usize,
    },
    /// It does not start like a saved lane of this version.
    #[error("a saved lane starts with {expected:02x?}, got {got:02x?}")]
    Magic {
        /// What it starts with.
        expected: [u8; 4],
        /// What there is.
        got: [u8; 4],
    },
    /// It is of another protocol, or of another version of this one.
    #[error("saved by protocol version {got}, this is {expected}")]
    Protocol {
        /// The version of this one.
        expected: u8,
        /// What there is.
        got: u8,
    },
    /// It is another party's.
    #[error("saved by party {got}, this is {expected}")]
    Role {
        /// Who this is.
        expected: Role,
        /// The number of the party that has saved it.
        got: u8,
    },
    /// It is of a memory of another size.
    #[error("saved with lg n = {got}, this is {expected}")]
    LogSize {
        /// h.
        expected: u32,
        /// What there is.
        got: u32,
    },
    /// It is of a memory of more or fewer rows.
    #[error("saved with {got} rows, this has {expected}")]
    Rows {
        /// m.
        expected: usize,
        /// What there is.
        got: u64,
    },
    /// It is of a memory of other rows.
    #[error("saved with {got} words a row, this has {expected}")]
    RowWords {
        /// w.
        expected: usize,
        /// What there is.
        got: u64,
    },
    /// It is the other lane's.
    #[error("saved was lane {got}, this is {expected}")]
    Lane {
        /// The lane that is restored.
        expected: Lane,
        /// The number of the lane that was saved.
        got: u8,
    },
    /// It is of another session.
    #[error("saved in session {:02x?}, this is {:02x?}", got.0, expected.0)]
    Session {
        /// The session's name.
        expected: SessionId,
        /// What there is.
        got: SessionId,
    },
    /// A number in it is not what a party writes.
    #[error("{what} in a saved lane must be {expected}, got {got}")]
    Content {
        /// What the number is.
        what: &'static str,
        /// What it may be.
        expected: Bound,
        /// What it is.
        got: u64,
    },
    /// The memory was put aside by the local computation, and is not there as it was.
    #[error("the memory that was put aside: {0}")]
    Aside(NotAside),
    /// The two lanes were not saved of one party at one time: a batch was put in between, or they have different keys.
    #[error("the lanes do not belong together: {expected} items made and this key, got {got} items")]
    Apart {
        /// The items that have been made by what the other lane says.
        expected: u64,
        /// By what this one says.
        got: u64,
    },
}

/// Why a call was refused, or a frame. The party is exactly as it was before.
///
/// All but the last are mistakes of the caller.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The memory would be empty or too large.
    #[error("lg n must be from 1 to {max}, got {got}")]
    LogSizeOutOfRange {
        /// The largest that is allowed here.
        max: u32,
        /// What was asked for.
        got: u32,
    },
    /// A row would be empty or too long.
    #[error("a row has from 1 to {max} words, got {got}")]
    RowWordsOutOfRange {
        /// The most that are allowed for a memory of this size.
        max: usize,
        /// What was asked for.
        got: usize,
    },
    /// A memory would have fewer rows than need addresses of this length, or more than there are addresses.
    #[error("with addresses of {log_size} bits a memory has from {min} to {max} rows, got {got}")]
    RowsOutOfRange {
        /// h
        log_size: u32,
        /// The fewest of which h is the smallest height.
        min: usize,
        /// n
        max: usize,
        /// What was asked for.
        got: usize,
    },
    /// This protocol has a word at every address.
    #[error("addresses without words are of the lean protocol: this one has {expected} words, got {got}")]
    AllRows {
        /// n
        expected: u64,
        /// The rows that the parameters ask for.
        got: usize,
    },
    /// This protocol has one word at an address.
    #[error("rows are of the lean protocol: this one has 1 word at an address, got {got}")]
    NoRows {
        /// The words of a row that the parameters ask for.
        got: usize,
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
    /// A share of the memory has m words, or m rows of w.
    #[error("a share of the memory has {expected} words, got {got}")]
    MemoryLength {
        /// m w.
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

    /// A command's operands are not what the step works on.
    #[error("a command of so many queries has {expected} operands here, got {got}")]
    Operands {
        /// How many words there are to be: none at the helper.
        expected: usize,
        /// How many there are.
        got: usize,
    },
    /// A party that was not made to last is neither saved nor restored.
    #[error("a party of one lane is not saved")]
    OneLane,
    /// A lane is restored before it has done anything, and once.
    #[error("{lane} is restored first of all, but has been at work")]
    Started {
        /// Which lane.
        lane: Lane,
    },
    /// What was saved does not fit.
    #[error(transparent)]
    Saved(#[from] SavedError),

    /// A frame was refused: the mistake is the peer's.
    #[error(transparent)]
    Peer(#[from] Misbehaviour),
}
