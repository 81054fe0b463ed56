//! Preprocessing: three DPFs an item, at a random index that nobody knows (`[duoram, section 4.1]`, appendices A, C, D).
//!
//! A primary awaits the triples ([`triples`]), then for each level two messages ([`levels`]), then two for App. D
//! ([`conversion`]); the helper awaits the keys ([`keys`]).

pub(super) mod conversion;
mod drawn;
pub(super) mod keys;
pub(super) mod levels;
pub(super) mod triples;

pub(super) use self::keys::begin_helper;
pub(super) use self::triples::begin;
use crate::engine::items::{READ_ITEMS, agreed};
use crate::engine::{Batch, Error, Parameters, Step};
use crate::wire::MAX_PAYLOAD;

/// Making DPFs.
pub const PREPROCESS: Step = Step::new("preprocess");

/// Each READ and each UPDATE uses three DPFs at the same index (`[duoram, section 3.1]`).
const DPFS_PER_ITEM: usize = 3;

/// What a message that has something for each level of each tree is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TreeShape {
    /// h, the number of levels.
    pub log_size: u32,
    /// The number of trees.
    pub dpfs: usize,
}

/// Whether the batch's longest message, the triples, fits a payload.
pub(super) fn check_batch(batch: Batch, parameters: &Parameters) -> Result<(), Error> {
    let max = max_items(parameters);
    match batch.items() {
        0 => Err(Error::EmptyStep),
        got if got > max => Err(Error::BatchTooLarge { max, got }),
        _ => Ok(()),
    }
}

/// Bits of one item's triples: a level has two blocks and a bit, a DPF three words more.
fn max_items(parameters: &Parameters) -> usize {
    let levels = usize::try_from(parameters.log_size()).unwrap_or(usize::MAX);
    let bits = DPFS_PER_ITEM * (levels * (2 * 128 + 1) + 3 * 64);
    8 * MAX_PAYLOAD / bits
}

#[cfg(test)]
mod tests {
    use super::triples::Triples;
    use super::*;
    use crate::wire::{Message, SessionId};

    #[test]
    fn the_largest_batch_is_the_largest_that_fits() {
        for log_size in 1..=40 {
            let parameters = Parameters::new(SessionId([0; 16]), log_size).unwrap();
            let max = max_items(&parameters);
            let length = |items| Triples::length(TreeShape { log_size, dpfs: DPFS_PER_ITEM * items }).bytes();
            assert!(length(max) <= MAX_PAYLOAD && length(max + 1) > MAX_PAYLOAD, "{log_size}");
            assert_eq!(check_batch(Batch { reads: max, updates: 0 }, &parameters), Ok(()));
            let batch = Batch { reads: 1, updates: max };
            assert_eq!(check_batch(batch, &parameters), Err(Error::BatchTooLarge { max, got: max + 1 }));
            let batch = Batch { reads: usize::MAX, updates: usize::MAX };
            assert!(matches!(check_batch(batch, &parameters), Err(Error::BatchTooLarge { .. })));
        }
    }
}
