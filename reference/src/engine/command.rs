//! What a party is told to do, in a form that can be kept: a journal holds it, and a restart does it again.

use zeroize::Zeroizing;

use super::Batch;
use crate::Word;

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
    /// READ at the address that the last result is: each primary's share of it is its share of the address.
    Follow,
    /// UPDATE, so many at once.
    Update {
        /// k
        count: usize,
        /// 2k words: the address share and the share of what is added, one pair after another.
        pairs: Operands,
    },
    /// WRITE.
    Write(Operands),
    /// SWAP: a WRITE whose result is the old word.
    Swap(Operands),
    /// Forget all items that are left: their numbers are never used again.
    Discard,
}
