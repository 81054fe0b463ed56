//! What the owner of the data may ask for.

use std::fmt;

use duoram_reference::{Batch, Word};

use crate::protocol::Rules;

/// One operation, in the clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// Opens `D[address]`.
    Read {
        /// i*
        address: Word,
    },
    /// Adds to `D[address]`, in the sense in which the protocol's shares add up.
    Update {
        /// i*
        address: Word,
        /// M
        delta: Word,
    },
    /// Sets `D[address]`.
    Write {
        /// i*
        address: Word,
        /// M
        value: Word,
    },
    /// Sets `D[address]`, and opens what it was.
    Swap {
        /// i*
        address: Word,
        /// M
        value: Word,
    },
    /// Dependent READs, of which only the last is opened.
    Chase {
        /// Where it starts.
        address: Word,
        /// The number of READs.
        steps: usize,
    },
}

impl Operation {
    /// How many preprocessed items it uses up, at the most, in any protocol.
    pub fn most_items(&self) -> usize {
        match *self {
            Self::Read { .. } | Self::Update { .. } => 1,
            Self::Write { .. } | Self::Swap { .. } => 2,
            Self::Chase { steps, .. } => steps,
        }
    }

    /// How many preprocessed items it uses up.
    pub fn items<P: Rules>(&self) -> usize {
        let Batch { reads, updates } = self.demand::<P>();
        reads + updates
    }

    /// The preprocessed items that it uses up.
    pub fn demand<P: Rules>(&self) -> Batch {
        match *self {
            Self::Read { .. } => Batch { reads: 1, updates: 0 },
            Self::Update { .. } => Batch { reads: 0, updates: 1 },
            Self::Write { .. } | Self::Swap { .. } => P::WRITE,
            Self::Chase { steps, .. } => Batch { reads: steps, updates: 0 },
        }
    }
}

/// As in a script; DELTA and VALUE as signed numbers, for -1 is easier to read than 2^64 - 1.
impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { address } => write!(formatter, "read {address}"),
            Self::Update { address, delta } => {
                write!(formatter, "update {address} {}", delta.cast_signed())
            }
            Self::Write { address, value } => {
                write!(formatter, "write {address} {}", value.cast_signed())
            }
            Self::Swap { address, value } => {
                write!(formatter, "swap {address} {}", value.cast_signed())
            }
            Self::Chase { address, steps } => write!(formatter, "chase {address} {steps}"),
        }
    }
}

/// The items that some operations use up together.
pub fn demand<'a, P: Rules>(operations: impl IntoIterator<Item = &'a Operation>) -> Batch {
    operations.into_iter().map(Operation::demand::<P>).fold(Batch { reads: 0, updates: 0 }, |sum, batch| {
        Batch {
            reads: sum.reads.saturating_add(batch.reads),
            updates: sum.updates.saturating_add(batch.updates),
        }
    })
}
