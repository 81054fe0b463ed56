//! Preprocessing: three DPFs an item, at a random index that nobody knows (`[duoram, section 4.1]`, appendices A, C, D).
//!
//! A primary goes through [`primary::Drawn`], then for each level [`levels::Growth`] and [`levels::Opening`], then
//! [`conversion::Conversion`] and [`conversion::Scaling`]; each state is consumed by the message that ends it.

pub(crate) mod conversion;
pub(crate) mod helper;
pub(crate) mod items;
pub(crate) mod levels;
pub(crate) mod primary;
pub(crate) mod triples;

use crate::frame::MAX_PAYLOAD;
use crate::party::Batch;
use crate::{Error, Parameters};

/// Each READ and each UPDATE uses three DPFs at the same index (`[duoram, section 3.1]`).
pub(crate) const DPFS_PER_ITEM: usize = 3;

/// The number of items, if the batch's longest message, the triples, fits a payload.
pub(crate) fn count_items(batch: Batch, parameters: &Parameters) -> Result<usize, Error> {
    let items = batch.reads.saturating_add(batch.updates);
    if items == 0 {
        return Err(Error::EmptyStep);
    }
    let max = max_items(parameters);
    if items > max {
        return Err(Error::BatchTooLarge { max, got: items });
    }
    Ok(items)
}

/// Bits of one item's triples: a level has two blocks and a bit, a DPF three words more.
fn max_items(parameters: &Parameters) -> usize {
    let levels = usize::try_from(parameters.log_size()).unwrap_or(usize::MAX);
    let bits = DPFS_PER_ITEM * (levels * (2 * 128 + 1) + 3 * 64);
    8 * MAX_PAYLOAD / bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SessionId;
    use crate::message::Shape;

    #[test]
    fn the_largest_batch_is_the_largest_that_fits() {
        for log_size in 1..=40 {
            let parameters = Parameters::new(SessionId([0; 16]), log_size).unwrap();
            let max = max_items(&parameters);
            let length = |items| Shape::Triples { log_size, dpfs: DPFS_PER_ITEM * items }.payload_length();
            assert!(length(max) <= MAX_PAYLOAD && length(max + 1) > MAX_PAYLOAD, "{log_size}");
            assert_eq!(count_items(Batch { reads: max, updates: 0 }, &parameters), Ok(max));
            let batch = Batch { reads: 1, updates: max };
            assert_eq!(count_items(batch, &parameters), Err(Error::BatchTooLarge { max, got: max + 1 }));
            let batch = Batch { reads: usize::MAX, updates: usize::MAX };
            assert!(matches!(count_items(batch, &parameters), Err(Error::BatchTooLarge { .. })));
        }
    }
}
