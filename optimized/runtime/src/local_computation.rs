//! The local computation that the parties use, and how much memory it takes.

use duoram_reference::lean::{self, Lean};
use duoram_reference::{Paper, Plain, Word};

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

/// What the parties of the protocol `P` take in memory.
pub trait Footprint<P: ?Sized> {
    /// How many bytes P0, P1 and P2 keep between operations, of a memory of `2^log_size` words.
    fn state_bytes(&self, log_size: u32) -> [u64; 3];

    /// How many bytes of labels the trees of one item take, at the least, in each primary.
    fn item_bytes(&self, log_size: u32) -> u64;

    /// How many bytes of an item's keys, or of what is evaluated of them, each party keeps until the item is used.
    fn kept_bytes(&self, log_size: u32) -> u64;

    /// How many bytes the three parties take in all for their states, and for the trees of `items` items that they prepare.
    fn session_bytes(&self, log_size: u32, items: u64) -> u64;
}

/// The bytes of `keys` keys of `2^log_size` leaves: 32 a level.
pub(crate) const fn key_bytes(keys: u64, log_size: u32) -> u64 {
    keys * (32 * log_size as u64 + 128)
}

/// The bytes of `vectors` vectors of `2^log_size` words.
pub(crate) const fn vector_bytes(vectors: u64, log_size: u32) -> u64 {
    (vectors * size_of::<Word>() as u64) << log_size
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
    fn state_bytes(&self, log_size: u32) -> [u64; 3] {
        [3, 3, 2].map(|vectors| vector_bytes(vectors, log_size))
    }

    fn item_bytes(&self, log_size: u32) -> u64 {
        // 16 bytes a label, of n leaves and of the n/2 nodes above them, in three trees.
        (3 * 24) << log_size
    }

    fn kept_bytes(&self, log_size: u32) -> u64 {
        key_bytes(3, log_size)
    }

    fn session_bytes(&self, log_size: u32, items: u64) -> u64 {
        // Each primary: 24 bytes a word of state, its trees, and at most 48 bytes a word while a key is evaluated. P2: 16
        // of state, 48 while it evaluates.
        ((2 * (24 + 48) + 16 + 48) << log_size) + 2 * items * self.item_bytes(log_size)
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
    fn state_bytes(&self, log_size: u32) -> [u64; 3] {
        [2, 1, 2].map(|vectors| vector_bytes(vectors, log_size))
    }

    fn item_bytes(&self, log_size: u32) -> u64 {
        // 16 bytes a label, of n/8 nodes and as many children, in two trees, with as much again for what is rounded up.
        ((2 * 2 * 16) << log_size.saturating_sub(3)).max(256)
    }

    fn kept_bytes(&self, log_size: u32) -> u64 {
        key_bytes(2, log_size)
    }

    fn session_bytes(&self, log_size: u32, items: u64) -> u64 {
        // The states; at each party at most three vectors while keys are evaluated; the primaries' trees.
        ((5 * 8 + 3 * 3 * 8) << log_size) + 2 * items * self.item_bytes(log_size)
    }
}
