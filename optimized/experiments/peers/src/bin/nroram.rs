//! `nroram`: rostl's Circuit ORAM, whose positions the caller keeps.

use duoram_peers::{Addresses, System, place, word};
use rostl_oram::circuit_oram::CircuitORAM;

struct Nroram {
    oram: CircuitORAM<u64>,
    positions: Vec<u32>,
    fresh: Addresses,
}

impl System for Nroram {
    fn new(log_size: u32) -> Self {
        let size = 1_usize << log_size;
        let mut system =
            Self { oram: CircuitORAM::new(size), positions: vec![0; size], fresh: Addresses::new(log_size) };
        for address in 0..size {
            let position = system.fresh();
            system.positions[address] = position;
            system.oram.write_or_insert(0, position, address, word(address as u64));
        }
        system
    }

    fn read(&mut self, addresses: &[u64]) -> Vec<u64> {
        let mut words = Vec::with_capacity(addresses.len());
        for address in addresses {
            let [old, position] = self.moved(*address);
            let mut word = 0;
            self.oram.read(old, position, place(*address), &mut word);
            words.push(word);
        }
        words
    }

    fn write(&mut self, words: &[(u64, u64)]) -> bool {
        for (address, word) in words {
            let [old, position] = self.moved(*address);
            self.oram.write(old, position, place(*address), *word);
        }
        true
    }
}

impl Nroram {
    /// Where the word was, and where it is to be.
    fn moved(&mut self, address: u64) -> [u32; 2] {
        let position = self.fresh();
        [std::mem::replace(&mut self.positions[place(address)], position), position]
    }

    fn fresh(&mut self) -> u32 {
        self.fresh.next().and_then(|position| u32::try_from(position).ok()).unwrap_or_default()
    }
}

fn main() -> Result<(), String> {
    duoram_peers::run::<Nroram>("rostl NRORAM", 1)
}
