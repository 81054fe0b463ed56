//! `roram`: rostl's array, a Circuit ORAM whose positions are in further ones.

use duoram_peers::{System, place, word};
use rostl_datastructures::array::DynamicArray;

struct Roram(DynamicArray<u64>);

impl System for Roram {
    fn new(log_size: u32) -> Self {
        let size = 1_usize << log_size;
        let mut array = DynamicArray::new(size);
        for address in 0..size {
            array.write(address, word(address as u64));
        }
        Self(array)
    }

    fn read(&mut self, addresses: &[u64]) -> Vec<u64> {
        let mut words = Vec::with_capacity(addresses.len());
        for address in addresses {
            let mut word = 0;
            self.0.read(place(*address), &mut word);
            words.push(word);
        }
        words
    }

    fn write(&mut self, words: &[(u64, u64)]) -> bool {
        for (address, word) in words {
            self.0.write(place(*address), *word);
        }
        true
    }
}

fn main() -> Result<(), String> {
    duoram_peers::run::<Roram>("rostl RORAM", 1)
}
