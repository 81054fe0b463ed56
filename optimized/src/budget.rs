//! How much is prepared at once, and whether the machine is large enough.

use duoram_reference::{Batch, MAX_PAYLOAD, Parameters};

use crate::{Error, resources};

/// What the DPF trees of one batch may take in each primary.
const TREE_BYTES: u64 = 1 << 30;

/// A READ or an UPDATE takes three DPFs.
const DPFS: u64 = 3;

/// What one item's trees take at the last level: 16 bytes a label, of n leaves and of the n/2 nodes above them.
const fn item_bytes(log_size: u32) -> u64 {
    (DPFS * 24) << log_size
}

/// How many items are prepared in one batch.
fn batch_size(log_size: u32) -> usize {
    let by_memory = TREE_BYTES / item_bytes(log_size);
    // The longest message of a batch has at most 33 bytes a level and 25 more for each DPF.
    let by_message = MAX_PAYLOAD as u64 / (DPFS * (33 * u64::from(log_size) + 25));
    usize::try_from(by_memory.min(by_message)).unwrap_or(usize::MAX).max(1)
}

/// Splits preprocessing so that a batch's trees stay within 1 GiB a primary, or is one item.
pub fn batches(log_size: u32, demand: Batch) -> Vec<Batch> {
    let most = batch_size(log_size);
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
pub fn require_memory(parameters: Parameters, demand: Batch, checked: bool) -> Result<(), Error> {
    let log_size = parameters.log_size();
    let items = demand.reads.saturating_add(demand.updates).min(batch_size(log_size)) as u64;
    // Each primary: 24 bytes a word of state, its trees, and at most 48 bytes a word while a key is evaluated. P2: 16 of
    // state, 48 while it evaluates. The owner: 8 of memory and 16 of shares.
    let session = 2 * (24 + DPFS * 24 * items + 48) + (16 + 48) + 24;
    // A check copies the states (64), and keeps and makes some 9 vectors besides.
    let a_word = if checked { session + 64 + 9 * 8 } else { session };
    let needed = a_word.saturating_mul(parameters.size());
    match resources::available_bytes() {
        Some(available) if available < needed => Err(Error::NotEnoughMemory { log_size, needed, available }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_cover_the_demand_and_stay_within_the_limit() {
        for log_size in [1, 10, 20, 24, 40] {
            for (reads, updates) in [(0, 0), (1, 0), (0, 1), (40, 3), (15_000, 20_000)] {
                let batches = batches(log_size, Batch { reads, updates });
                assert_eq!(batches.iter().map(|batch| batch.reads).sum::<usize>(), reads);
                assert_eq!(batches.iter().map(|batch| batch.updates).sum::<usize>(), updates);
                for batch in batches {
                    let items = batch.reads + batch.updates;
                    assert!(items == 1 || items as u64 * item_bytes(log_size) <= TREE_BYTES);
                }
            }
        }
    }
}
