//! What a caller can get wrong. What a peer can get wrong is apart ([`Misbehaviour`]).

use std::fmt;

use thiserror::Error;

use super::Step;
use crate::wire::{Misbehaviour, Role};

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

    /// A frame was refused: the mistake is the peer's.
    #[error(transparent)]
    Peer(#[from] Misbehaviour),
}
