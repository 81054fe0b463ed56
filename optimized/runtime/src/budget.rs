//! How much is prepared at once, and whether the machine is large enough.

use duoram_reference::{Batch, MAX_PAYLOAD, Parameters};

use crate::local_computation::LocalComputation;
use crate::{Error, resources};

/// What the labels of the trees in flight may take in each primary, unless something else is asked for.
pub const DEFAULT_TREE_BYTES: u64 = 1 << 30;

/// A READ or an UPDATE takes three DPFs.
const DPFS: u64 = 3;

/// How many items are prepared in one batch: within `tree_bytes`, and within the longest message.
pub fn batch_items<C: LocalComputation>(backend: &C, tree_bytes: u64, log_size: u32) -> usize {
    let by_memory = tree_bytes.checked_div(backend.item_bytes(log_size)).unwrap_or(u64::MAX);
    // The longest message of a batch has at most 33 bytes a level and 25 more for each DPF.
    let by_message = MAX_PAYLOAD as u64 / (DPFS * (33 * u64::from(log_size) + 25));
    usize::try_from(by_memory.min(by_message)).unwrap_or(usize::MAX).max(1)
}

/// Splits preprocessing into batches of at most `most` items.
pub fn batches(most: usize, demand: Batch) -> Vec<Batch> {
    let mut left = demand;
    let mut batches = Vec::new();
    while left.reads + left.updates > 0 {
        let reads = left.reads.min(most);
        let updates = left.updates.min(most - reads);
        left = Batch { reads: left.reads - reads, updates: left.updates - updates };
        batches.push(Batch { reads, updates });
    }
    batches
}

/// Refuses a memory that would take more than the machine has left; allocating it would end the process.
///
/// # Errors
///
/// [`Error::NotEnoughMemory`].
pub fn require_memory<C: LocalComputation>(
    backend: &C,
    parameters: Parameters,
    items: usize,
    checked: bool,
) -> Result<(), Error> {
    let log_size = parameters.log_size();
    // The owner: 8 bytes a word of memory and 16 of shares. A check copies the states (64), and keeps and makes some 9
    // vectors besides.
    let owner: u64 = if checked { 24 + 64 + 9 * 8 } else { 24 };
    let needed =
        backend.session_bytes(log_size, items as u64).saturating_add(owner.saturating_mul(parameters.size()));
    match resources::available_bytes() {
        Some(available) if available < needed => Err(Error::NotEnoughMemory { log_size, needed, available }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use duoram_reference::Plain;

    use super::*;

    #[test]
    fn batches_cover_the_demand_and_stay_within_the_limit() {
        for log_size in [1, 10, 20, 24, 40] {
            for (reads, updates) in [(0, 0), (1, 0), (0, 1), (40, 3), (15_000, 20_000)] {
                let most = batch_items(&Plain, DEFAULT_TREE_BYTES, log_size);
                let batches = batches(most, Batch { reads, updates });
                assert_eq!(batches.iter().map(|batch| batch.reads).sum::<usize>(), reads);
                assert_eq!(batches.iter().map(|batch| batch.updates).sum::<usize>(), updates);
                for batch in batches {
                    let items = batch.reads + batch.updates;
                    assert!(items == 1 || items as u64 * Plain.item_bytes(log_size) <= DEFAULT_TREE_BYTES);
                }
            }
        }
    }
}
