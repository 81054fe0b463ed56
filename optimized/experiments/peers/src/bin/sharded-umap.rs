//! `sharded-umap`: rostl's map in 15 parts, each with a thread, asked in batches.

use duoram_peers::{System, word};
use rostl_datastructures::sharded_map::ShardedMap;

/// Keys in a batch.
const BATCH: usize = 4096;

/// Parts: fixed by the crate.
const PARTS: usize = 15;

struct ShardedUmap(ShardedMap<u64, u64>);

impl System for ShardedUmap {
    fn new(log_size: u32) -> Self {
        let keys: Vec<u64> = (0..1 << log_size).collect();
        // Parts are not equally full: room for a half more.
        let mut map = ShardedMap::new(keys.len() + keys.len() / 2 + 1024);
        for keys in keys.chunks(BATCH) {
            let words: Vec<u64> = keys.iter().copied().map(word).collect();
            let in_a_part = map.compute_safe_batch_size(keys.len());
            map.insert_batch_distinct(keys, &words, in_a_part);
        }
        Self(map)
    }

    fn read(&mut self, addresses: &[u64]) -> Vec<u64> {
        let mut words = Vec::with_capacity(addresses.len());
        for batch in addresses.chunks(BATCH) {
            // Without repetitions: of 0.1.0-alpha9, `get_batch` answers wrongly where a key comes twice.
            let mut keys = batch.to_vec();
            keys.sort_unstable();
            keys.dedup();
            let in_a_part = self.0.compute_safe_batch_size(keys.len());
            let answers = self.0.get_batch_distinct(&keys, in_a_part);
            let answer = |key: &u64| keys.binary_search(key).map_or(0, |place| answers[place].value);
            words.extend(batch.iter().map(answer));
        }
        words
    }

    /// Of 0.1.0-alpha9: words can be put in once, and not changed.
    fn write(&mut self, _words: &[(u64, u64)]) -> bool {
        false
    }
}

fn main() -> Result<(), String> {
    duoram_peers::run::<ShardedUmap>("rostl Sharded-UMAP", PARTS)
}
