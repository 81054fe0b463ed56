//! `meta-oram`: Meta's Path ORAM, as its default is.

use duoram_peers::{System, word};
use oram::{DefaultOram, Oram};
use rand::SeedableRng as _;
use rand::rngs::StdRng;

struct MetaOram {
    oram: DefaultOram<u64>,
    random: StdRng,
}

impl System for MetaOram {
    fn new(log_size: u32) -> Self {
        let mut random = StdRng::seed_from_u64(1);
        let mut oram = DefaultOram::new(1 << log_size, &mut random).expect("a size that it takes");
        for address in 0..1 << log_size {
            oram.write(address, word(address), &mut random).expect("an address below the size");
        }
        Self { oram, random }
    }

    fn read(&mut self, addresses: &[u64]) -> Vec<u64> {
        let read = |address: &u64| self.oram.read(*address, &mut self.random);
        addresses.iter().map(read).collect::<Result<_, _>>().expect("addresses below the size")
    }

    fn write(&mut self, words: &[(u64, u64)]) -> bool {
        for (address, word) in words {
            self.oram.write(*address, *word, &mut self.random).expect("an address below the size");
        }
        true
    }
}

fn main() -> Result<(), String> {
    duoram_peers::run::<MetaOram>("meta RORAM", 1)
}
