//! What a party is told to do, in a form that can be kept: a journal holds it, and a restart does it again.

use zeroize::Zeroizing;

use super::{Batch, Error, Lane};
use crate::Word;
use crate::wire::Role;

/// This primary's shares of what a step works on; empty at the helper, which is only told how many there are.
pub type Operands = Zeroizing<Vec<Word>>;

/// One command of the session, alike at all parties but for the operands.
pub enum Command {
    /// Agree on the session's key.
    Connect,
    /// Make items.
    Preprocess(Batch),
    /// Load a memory: the next words of this primary's share, as many as one wants at a time; the helper is told once, with
    /// none. The step is done when all n have come.
    Load(Operands),
    /// READ, so many at once: an address share each.
    Read {
        /// k
        count: usize,
        /// k words.
        addresses: Operands,
    },
    /// READ at the addresses that the last results are: each primary's share of a result (of a row, its first word) is its share of
    /// the address.
    /// Of the last step that had results, which nobody has taken out of the party.
    Follow,
    /// UPDATE, so many at once.
    Update {
        /// k
        count: usize,
        /// `k (1 + w)` words: for each the address share, and the share of the word or row that is added.
        pairs: Operands,
    },
    /// WRITE: `1 + w` words.
    Write(Operands),
    /// SWAP: a WRITE whose result is the old word.
    Swap(Operands),
    /// Forget all items that are left: their numbers are never used again. Which those are must be the same at all parties, so
    /// it waits until both lanes have done whatever was commanded before, and both wait for it.
    Discard,
}

impl Command {
    /// The lanes that must be idle before it begins, and that it keeps busy.
    pub const fn lanes(&self) -> &'static [Lane] {
        match self {
            Self::Connect | Self::Preprocess(_) => &[Lane::Making],
            Self::Load(_)
            | Self::Read { .. }
            | Self::Follow
            | Self::Update { .. }
            | Self::Write(_)
            | Self::Swap(_) => &[Lane::Memory],
            Self::Discard => &Lane::ALL,
        }
    }

    /// Whether there are as many operands as a party of this role takes, with so many words at an address.
    pub(crate) fn check(&self, role: Role, row_words: usize) -> Result<(), Error> {
        let (expected, got) = match self {
            // Of a load any number; that it is not too many is known by who has counted them.
            Self::Load(words) if role != Role::P2 => (words.len(), words.len()),
            Self::Connect | Self::Preprocess(_) | Self::Follow | Self::Discard => (0, 0),
            Self::Load(words) => (0, words.len()),
            Self::Read { count, addresses } => (*count, addresses.len()),
            Self::Update { count, pairs } => (count.saturating_mul(1 + row_words), pairs.len()),
            Self::Write(operands) | Self::Swap(operands) => (1 + row_words, operands.len()),
        };
        let expected = if role == Role::P2 { 0 } else { expected };
        if got == expected { Ok(()) } else { Err(Error::Operands { expected, got }) }
    }

    /// Whether the primaries have results when it is done ([`super::Lasting::results`]).
    pub const fn has_results(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Follow | Self::Swap(_))
    }
}
