//! The local computation that the parties use, and how much memory it takes.

use std::fmt;

use duoram_reference::lean::{self, Lean};
use duoram_reference::{Error, Paper, Parameters, Plain, SessionId, Word, log_size_of};

use crate::store::Beside;

/// A local computation that has a name. It also implements the trait of each protocol that it can compute, and
/// [`Footprint`]; then it can be run and measured ([`crate::protocol::Runs`]).
pub trait LocalComputation: Clone + Send + 'static {
    /// The name that `run` and `bench` print: which computation is in use is never left to guess.
    fn name(&self) -> &'static str;

    /// How many threads each operation uses.
    fn threads(&self) -> usize;

    /// Who puts memories aside for this computation: whoever stores its party has to ask them whether a snapshot is whole.
    fn beside(&self) -> Option<Box<dyn Beside>> {
        None
    }
}

/// How large a memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// h: it has `2^h` addresses.
    pub log_size: u32,
    /// m: so many of them have words.
    pub rows: usize,
    /// w: the words at each of them.
    pub row_words: usize,
}

impl Extent {
    /// With one word at each of `2^log_size` addresses.
    pub const fn of_words(log_size: u32) -> Self {
        Self::of(log_size, 1)
    }

    /// With so many words at each of `2^log_size` addresses.
    pub const fn of(log_size: u32, row_words: usize) -> Self {
        // As many as there may be, if a usize has room for no more: no session is of such a size.
        let rows = if log_size < usize::BITS { 1 << log_size } else { usize::MAX };
        Self { log_size, rows, row_words }
    }

    /// With so many rows of so many words, and as many addresses as they need: a power of two, at least two.
    pub const fn of_rows(rows: usize, row_words: usize) -> Self {
        Self { log_size: log_size_of(rows), rows, row_words }
    }

    /// The parameters of a session of this size.
    ///
    /// # Errors
    ///
    /// Those of [`Parameters::new`], [`Parameters::with_rows`] and [`Parameters::with_row_words`].
    pub fn parameters(self, session: SessionId) -> Result<Parameters, Error> {
        Parameters::new(session, self.log_size)?.with_rows(self.rows)?.with_row_words(self.row_words)
    }

    /// The bytes of so many vectors as long as the memory.
    pub const fn vector_bytes(self, vectors: u64) -> u64 {
        vectors.saturating_mul(self.rows as u64).saturating_mul((self.row_words * size_of::<Word>()) as u64)
    }

    /// The words of a row after its first.
    pub const fn more_words(self) -> u64 {
        (self.row_words as u64).saturating_sub(1)
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows =
            if self.rows.is_power_of_two() { format!("2^{}", self.log_size) } else { self.rows.to_string() };
        match self {
            Self { row_words: 1, .. } => write!(formatter, "{rows} words"),
            Self { row_words, .. } => write!(formatter, "{rows} rows of {row_words} words"),
        }
    }
}

impl From<&Parameters> for Extent {
    fn from(parameters: &Parameters) -> Self {
        Self { log_size: parameters.log_size(), rows: parameters.rows(), row_words: parameters.row_words() }
    }
}

/// What the parties of the protocol `P` take in memory.
pub trait Footprint<P: ?Sized> {
    /// How many bytes P0, P1 and P2 keep between operations.
    fn state_bytes(&self, extent: Extent) -> [u64; 3];

    /// How many bytes of labels the trees of one item take, at the least, in each primary.
    fn item_bytes(&self, extent: Extent) -> u64;

    /// How many bytes of an item's keys, or of what is evaluated of them, each party keeps until the item is used, at the most.
    fn kept_bytes(&self, extent: Extent) -> u64;

    /// How many bytes the three parties take in all for their states, and for the trees of `items` items that they prepare.
    fn session_bytes(&self, extent: Extent, items: u64) -> u64;
}

/// The bytes of `keys` keys of `2^log_size` leaves: 32 a level.
pub(crate) const fn key_bytes(keys: u64, log_size: u32) -> u64 {
    keys * (32 * log_size as u64 + 128)
}

/// What a key of rows takes beyond one of words: eight rows, by which its values are corrected.
pub const fn values_bytes(extent: Extent) -> u64 {
    64 * extent.more_words()
}

/// What an UPDATE item has of rows beyond words, beside its keys: two masks and delta.
pub const fn masks_bytes(extent: Extent) -> u64 {
    3 * 8 * extent.more_words()
}

impl LocalComputation for Plain {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn threads(&self) -> usize {
        1
    }
}

impl Footprint<Paper> for Plain {
    /// `D_b`, `zeta_b` and `D~_(1-b)`; the helper's two blinds.
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        [3, 3, 2].map(|vectors| extent.vector_bytes(vectors))
    }

    fn item_bytes(&self, extent: Extent) -> u64 {
        // 16 bytes a label, of n leaves and of the n/2 nodes above them, in three trees.
        (3 * 24) << extent.log_size
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        key_bytes(3, extent.log_size)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        // Each primary: 24 bytes a word of state, its trees, and at most 48 bytes a word while a key is evaluated. P2: 16
        // of state, 48 while it evaluates.
        ((2 * (24 + 48) + 16 + 48) << extent.log_size) + 2 * items * self.item_bytes(extent)
    }
}

impl LocalComputation for lean::Plain {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn threads(&self) -> usize {
        1
    }
}

impl Footprint<Lean> for lean::Plain {
    /// A and H; E; A and B.
    fn state_bytes(&self, extent: Extent) -> [u64; 3] {
        [2, 1, 2].map(|vectors| extent.vector_bytes(vectors))
    }

    fn item_bytes(&self, extent: Extent) -> u64 {
        // 16 bytes a label, of n/8 nodes and as many children, in two trees, with as much again for what is rounded up.
        ((2 * 2 * 16) << extent.log_size.saturating_sub(3)).max(256)
    }

    fn kept_bytes(&self, extent: Extent) -> u64 {
        key_bytes(2, extent.log_size) + 2 * values_bytes(extent) + masks_bytes(extent)
    }

    fn session_bytes(&self, extent: Extent, items: u64) -> u64 {
        // The states; at each party at most three vectors while keys are evaluated; the primaries' trees.
        extent.vector_bytes(5 + 3 * 3) + 2 * items * self.item_bytes(extent)
    }
}
