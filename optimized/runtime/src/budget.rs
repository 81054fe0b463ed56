//! How much is done at once, and whether the machine is large enough for it.
//!
//! However many operations there are, a session holds three states, the items of one window of operations
//! ([`crate::schedule`]), and what one batch or one pass of them takes while it is under way.

use duoram_reference::{Batch, Parameters};

use crate::local_computation::{Extent, LocalComputation};
use crate::protocol::Runs;
use crate::{Error, resources};

/// What the labels of the trees in flight may take in each primary, unless something else is asked for.
pub const DEFAULT_TREE_BYTES: u64 = 1 << 30;

/// What the messages, triples and sums of one batch may take in all three parties together.
const BATCH_BYTES: u64 = 64 << 20;

/// The most items that are prepared before the operations that use them.
const MOST_STOCK: usize = 4096;

/// The most queries in one step, and the most READs of a chase between two looks at the log. More gain no speed: a READ takes
/// the same time whether it is one of 256 or of 2048.
const MOST_QUERIES: usize = 1024;

/// How much is done at once. Numbers of items and queries, at least one each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Items that are prepared side by side.
    pub batch: usize,
    /// Items that are kept until they are used.
    pub stock: usize,
    /// READs or UPDATEs of one step, and READs of a chase whose events are collected.
    pub queries: usize,
}

impl Budget {
    /// Within `tree_bytes` of labels in each primary, and within what this crate allows itself for everything else.
    pub fn new<P: Runs<C>, C: LocalComputation>(computation: &C, tree_bytes: u64, extent: Extent) -> Self {
        let by_labels =
            tree_bytes.checked_div(P::footprint(computation).item_bytes(extent)).unwrap_or(u64::MAX);
        let batch = by_labels.min(BATCH_BYTES / flight_bytes(extent));
        let batch = usize::try_from(batch).unwrap_or(usize::MAX).clamp(1, MOST_STOCK);
        // What is kept of items may take as much as labels, and so much at least.
        let kept = tree_bytes.max(BATCH_BYTES) / P::footprint(computation).kept_bytes(extent).max(1);
        let stock = usize::try_from(kept).unwrap_or(usize::MAX).clamp(2, MOST_STOCK);
        Self { batch: batch.min(stock), stock, queries: MOST_QUERIES }
    }

    /// Splits preprocessing into batches, READ items first.
    pub fn batches(&self, demand: Batch) -> Vec<Batch> {
        let mut left = demand;
        let mut batches = Vec::new();
        while left.reads + left.updates > 0 {
            let reads = left.reads.min(self.batch);
            let updates = left.updates.min(self.batch - reads);
            left = Batch { reads: left.reads - reads, updates: left.updates - updates };
            batches.push(Batch { reads, updates });
        }
        batches
    }

    /// What the parties take, of a memory of this extent, for a session that uses `items` items in all: states, trees,
    /// a batch under way, a stock of items and a pass of queries.
    pub fn session_bytes<P: Runs<C>, C: LocalComputation>(
        &self,
        computation: &C,
        extent: Extent,
        items: usize,
    ) -> u64 {
        let batch = items.min(self.batch) as u64;
        let stock = items.min(self.stock) as u64;
        let queries = items.min(self.queries) as u64;
        P::footprint(computation)
            .session_bytes(extent, batch)
            .saturating_add(batch * flight_bytes(extent))
            .saturating_add(3 * stock * P::footprint(computation).kept_bytes(extent))
            .saturating_add(queries * query_bytes(extent))
    }
}

/// What an item takes in all three parties together while it is made, without its labels: three DPFs, of which each level has
/// triples, sums and corrections, as messages and as values, and the entries of the logs.
fn flight_bytes(extent: Extent) -> u64 {
    let of_words = 3 * (FLIGHT_BYTES_A_LEVEL * u64::from(extent.log_size) + FLIGHT_BYTES_A_DPF);
    of_words + extent.more_words() * FLIGHT_BYTES_A_WORD
}

/// Measured, and rounded up: the growth of a process with the number of items in one batch, at several sizes.
const FLIGHT_BYTES_A_LEVEL: u64 = 2048;
const FLIGHT_BYTES_A_DPF: u64 = 2048;
/// Of a row, after its first word. Counted, not measured: eight rows for each of two DPFs, dealt, summed up, opened and given to P2, and masks.
const FLIGHT_BYTES_A_WORD: u64 = 4096;

/// What one query of a step takes in all three parties together: shares, messages, and for a READ of a chase the entries of
/// the logs.
fn query_bytes(extent: Extent) -> u64 {
    QUERY_BYTES + extent.more_words() * QUERY_BYTES_A_WORD
}

/// Measured in the same way.
const QUERY_BYTES: u64 = 8192;
/// Of a row, after its first word. Counted, not measured: operands, messages and results at all parties, and as much again.
const QUERY_BYTES_A_WORD: u64 = 256;

/// Refuses what would take more than the machine has left; allocating it would end the process. `more` is what is
/// kept beside the parties, by the owner or a checker.
///
/// # Errors
///
/// [`Error::NotEnoughMemory`].
pub fn require_memory<P: Runs<C>, C: LocalComputation>(
    computation: &C,
    parameters: Parameters,
    budget: &Budget,
    items: usize,
    more: u64,
) -> Result<(), Error> {
    let extent = Extent::from(&parameters);
    let needed = budget.session_bytes::<P, C>(computation, extent, items).saturating_add(more);
    match resources::available_bytes() {
        Some(available) if available < needed => Err(Error::NotEnoughMemory { extent, needed, available }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use duoram_reference::{Paper, Plain};

    use super::*;

    #[test]
    fn batches_cover_the_demand_and_stay_within_the_limit() {
        for log_size in [1, 10, 20, 24, 40] {
            for (reads, updates) in [(0, 0), (1, 0), (0, 1), (40, 3), (15_000, 20_000)] {
                let extent = Extent::of_words(log_size);
                let budget = Budget::new::<Paper, _>(&Plain, DEFAULT_TREE_BYTES, extent);
                let batches = budget.batches(Batch { reads, updates });
                assert_eq!(batches.iter().map(|batch| batch.reads).sum::<usize>(), reads);
                assert_eq!(batches.iter().map(|batch| batch.updates).sum::<usize>(), updates);
                for batch in batches {
                    let items = batch.reads + batch.updates;
                    assert!(
                        items == 1
                            || items as u64 * Paper::footprint(&Plain).item_bytes(extent)
                                <= DEFAULT_TREE_BYTES
                    );
                    assert!(items == 1 || items as u64 * flight_bytes(extent) <= BATCH_BYTES);
                }
            }
        }
    }
}
