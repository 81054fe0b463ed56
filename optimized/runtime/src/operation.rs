//! What the owner of the data may ask for.

use std::fmt;

use duoram_reference::{Batch, Word};

use crate::protocol::Rules;

/// What an address holds: w words, and without rows one.
pub type Row = Vec<Word>;

/// One operation, in the clear.
#[derive(Clone, PartialEq, Eq, Debug)]
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
        delta: Row,
    },
    /// Sets `D[address]`.
    Write {
        /// i*
        address: Word,
        /// M
        value: Row,
    },
    /// Sets `D[address]`, and opens what it was.
    Swap {
        /// i*
        address: Word,
        /// M
        value: Row,
    },
    /// Dependent READs, of which only the last is opened. The first word of each row is the next address.
    Chase {
        /// Where it starts.
        address: Word,
        /// The number of READs.
        steps: usize,
    },
}

impl Operation {
    /// i*, or where a chase starts.
    pub const fn address(&self) -> Word {
        match *self {
            Self::Read { address }
            | Self::Update { address, .. }
            | Self::Write { address, .. }
            | Self::Swap { address, .. }
            | Self::Chase { address, .. } => address,
        }
    }

    /// M, if it puts something in.
    pub fn row(&self) -> Option<&[Word]> {
        match self {
            Self::Update { delta: row, .. }
            | Self::Write { value: row, .. }
            | Self::Swap { value: row, .. } => Some(row),
            Self::Read { .. } | Self::Chase { .. } => None,
        }
    }

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
        let keyword = match self {
            Self::Read { .. } => "read",
            Self::Update { .. } => "update",
            Self::Write { .. } => "write",
            Self::Swap { .. } => "swap",
            Self::Chase { .. } => "chase",
        };
        write!(formatter, "{keyword} {}", self.address())?;
        if let Self::Chase { steps, .. } = self {
            write!(formatter, " {steps}")?;
        }
        self.row().into_iter().flatten().try_for_each(|word| write!(formatter, " {}", word.cast_signed()))
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
