//! `umap`: rostl's map from words to words.

use duoram_peers::{System, word};
use rostl_datastructures::map::UnsortedMap;

struct Umap(UnsortedMap<u64, u64>);

impl System for Umap {
    fn new(log_size: u32) -> Self {
        let mut map = UnsortedMap::new(1 << log_size);
        for address in 0..1 << log_size {
            map.insert(address, word(address));
        }
        Self(map)
    }

    fn read(&mut self, addresses: &[u64]) -> Vec<u64> {
        let mut words = Vec::with_capacity(addresses.len());
        for address in addresses {
            let mut word = 0;
            self.0.get(*address, &mut word);
            words.push(word);
        }
        words
    }

    fn write(&mut self, words: &[(u64, u64)]) -> bool {
        for (address, word) in words {
            self.0.write(*address, *word);
        }
        true
    }
}

fn main() -> Result<(), String> {
    duoram_peers::run::<Umap>("rostl UMAP", 1)
}
