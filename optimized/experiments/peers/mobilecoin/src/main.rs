//! MobileCoin's oblivious memory and map, on one machine: lines of `../../FORMAT.md`.
//!
//! `duoram-peer-mobilecoin roram|umap LOG_SIZE OPERATIONS RUNS`. The memory has blocks of 1 KiB, so that 128 words share one;
//! the map has keys and values of 8 bytes in such blocks.

#![forbid(unsafe_code)]

use std::time::Instant;

use aligned_cmov::typenum::{U8, U1024};
use aligned_cmov::{A8Bytes, A64Bytes};
use mc_oblivious_map::CuckooHashTableCreator;
use mc_oblivious_ram::CircuitORAM4096Z4Creator;
use mc_oblivious_traits::{
    HeapORAMStorageCreator, OMAP_FOUND, OMAP_NOT_FOUND, OMapCreator, ORAM, ORAMCreator, ObliviousHashMap,
    rng_maker,
};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

type Memory = CircuitORAM4096Z4Creator<ChaCha20Rng, HeapORAMStorageCreator>;
type Map = CuckooHashTableCreator<U1024, ChaCha20Rng, Memory>;

/// Blocks that a stash may hold: what the authors' tests take.
const STASH: usize = 32;

/// Words in a block.
const WORDS: u64 = 128;

/// The word at an address when reading begins: as in the other peers.
fn word(address: u64) -> u64 {
    address.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed
}

/// Something that holds the [`word`]s of all addresses.
trait System {
    fn read(&mut self, address: u64) -> u64;
}

struct Roram<O>(O);

impl<O: ORAM<U1024>> Roram<O> {
    fn filled(mut memory: O, blocks: u64) -> Self {
        for block in 0..blocks {
            let mut bytes = A64Bytes::<U1024>::default();
            for (place, bytes) in (0..).zip(bytes.chunks_mut(8)) {
                bytes.copy_from_slice(&word(WORDS * block + place).to_le_bytes());
            }
            memory.write(block, &bytes);
        }
        Self(memory)
    }
}

impl<O: ORAM<U1024>> System for Roram<O> {
    fn read(&mut self, address: u64) -> u64 {
        let place = usize::try_from(address % WORDS).unwrap_or_default();
        self.0.access(address / WORDS, |bytes| {
            // Every word of the block is looked at.
            let mut found = 0;
            for (number, bytes) in bytes.as_chunks::<8>().0.iter().enumerate() {
                found |= u64::from_le_bytes(*bytes) & u64::from(number == place).wrapping_neg();
            }
            found
        })
    }
}

struct Umap<M>(M);

impl<M: ObliviousHashMap<U8, U8>> Umap<M> {
    fn filled(mut map: M, size: u64) -> Result<Self, String> {
        for address in 0..size {
            let status = map.vartime_write(&key(address), &bytes(word(address)), 1.into());
            if status != OMAP_NOT_FOUND {
                return Err(format!(
                    "at {address} of {size}: expected a place in the map, got status {status}"
                ));
            }
        }
        Ok(Self(map))
    }
}

impl<M: ObliviousHashMap<U8, U8>> System for Umap<M> {
    fn read(&mut self, address: u64) -> u64 {
        let mut value = bytes(0);
        let found = self.0.read(&key(address), &mut value) == OMAP_FOUND;
        if found { u64::from_le_bytes(value.as_slice().try_into().unwrap_or_default()) } else { 0 }
    }
}

/// A key is not 0, which stands for none.
fn key(address: u64) -> A8Bytes<U8> {
    bytes(address + 1)
}

fn bytes(word: u64) -> A8Bytes<U8> {
    let mut bytes = A8Bytes::<U8>::default();
    bytes.copy_from_slice(&word.to_le_bytes());
    bytes
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let usage = "expected roram|umap LOG_SIZE OPERATIONS RUNS";
    let [row, numbers @ ..] = &*arguments else { return Err(format!("{usage}, got nothing")) };
    let numbers = numbers.iter().map(|number| number.parse::<u32>()).collect::<Result<Vec<_>, _>>();
    let Ok([log_size @ 8..=24, operations, runs]) = numbers.as_deref() else {
        return Err(format!("{usage}, LOG_SIZE from 8 to 24, got {}", arguments.join(" ")));
    };
    let size = 1 << log_size;
    let mut maker = rng_maker(ChaCha20Rng::from_seed([1; 32]));
    let (name, mut system): (_, Box<dyn System>) = match &**row {
        "roram" => {
            let blocks = size / WORDS;
            let memory = <Memory as ORAMCreator<U1024, _>>::create(blocks, STASH, &mut maker);
            ("mc RORAM", Box::new(Roram::filled(memory, blocks)))
        }
        "umap" => {
            // Half full: a cuckoo table takes no more than about 70 %.
            let map = <Map as OMapCreator<U8, U8, _>>::create(2 * size, STASH, maker);
            ("mc UMAP", Box::new(Umap::filled(map, size)?))
        }
        other => return Err(format!("{usage}, got {other}")),
    };
    println!("experiment,system,phase,kind,log_size,cores,operations,seconds,clock,honesty");
    let mut state = 17_u64;
    for _ in 0..*runs {
        let start = Instant::now();
        for _ in 0..*operations {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let address = state >> 32 & (size - 1);
            let (expected, got) = (word(address), system.read(address));
            if got != expected {
                return Err(format!("{name}: at {address}: expected {expected:#x}, got {got:#x}"));
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!("peers,{name},online,read,{log_size},1,{operations},{seconds:.9},wall,real");
    }
    Ok(())
}
