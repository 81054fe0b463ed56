//! MobileCoin's oblivious memory and map, on one machine: lines of `../../FORMAT.md`.
//!
//! `duoram-peer-mobilecoin roram|umap [--log-size H] [--operations N] [--runs N | --wait]`: with `--wait` a line of standard input
//! asks for each run, `read` or `write`. The memory has blocks of 1 KiB, so that 128 words share one; the map has keys and values
//! of 8 bytes in such blocks.

#![forbid(unsafe_code)]

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

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
use rustix::time::{ClockId, clock_gettime};

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

    /// Whether it could.
    fn write(&mut self, address: u64, word: u64) -> bool;
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

    fn write(&mut self, address: u64, word: u64) -> bool {
        let place = usize::try_from(address % WORDS).unwrap_or_default();
        self.0.access(address / WORDS, |bytes| {
            for (number, bytes) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                let old = u64::from_le_bytes(*bytes);
                *bytes = (old ^ (old ^ word) & u64::from(number == place).wrapping_neg()).to_le_bytes();
            }
        });
        true
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

    fn write(&mut self, address: u64, word: u64) -> bool {
        // A key that is there already.
        let mut found = false;
        self.0.access(&key(address), |status, value| {
            found = status == OMAP_FOUND;
            value.copy_from_slice(&word.to_le_bytes());
        });
        found
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

/// What is asked for on the command line.
struct Arguments {
    row: String,
    log_size: u32,
    operations: u32,
    /// None: once for each line of standard input.
    runs: Option<u32>,
}

fn arguments() -> Result<Arguments, String> {
    let usage = "expected roram|umap [--log-size H] [--operations N] [--runs N | --wait]";
    let mut words = std::env::args().skip(1);
    let row = words.next().ok_or_else(|| format!("{usage}, got nothing"))?;
    let mut arguments = Arguments { row, log_size: 16, operations: 1024, runs: Some(3) };
    while let Some(name) = words.next() {
        if name == "--wait" {
            arguments.runs = None;
            continue;
        }
        let value = words.next().and_then(|word| word.parse::<u32>().ok());
        match (&*name, value) {
            ("--log-size", Some(log_size @ 8..=24)) => arguments.log_size = log_size,
            ("--operations", Some(operations)) => arguments.operations = operations,
            ("--runs", Some(runs)) => arguments.runs = Some(runs),
            ("--log-size", _) => return Err("expected a number from 8 to 24 as --log-size".to_owned()),
            _ => return Err(format!("{usage}, got {name}")),
        }
    }
    Ok(arguments)
}

/// The system of this row, filled, and its name.
fn filled(row: &str, log_size: u32) -> Result<(&'static str, Box<dyn System>), String> {
    let size = 1 << log_size;
    let mut maker = rng_maker(ChaCha20Rng::from_seed([1; 32]));
    Ok(match row {
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
        other => return Err(format!("expected roram or umap, got {other}")),
    })
}

/// The CPU time that all threads of this process have used.
fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

fn main() -> Result<(), String> {
    let Arguments { row, log_size, operations, runs } = arguments()?;
    let (name, mut system) = filled(&row, log_size)?;
    let mask = (1_u64 << log_size) - 1;
    let mut array: Vec<u64> = (0..=mask).map(word).collect();
    let mut state = 17_u64;
    let mut run = |kind: &str| {
        let mut wrong = None;
        let (start, cpu) = (Instant::now(), cpu_time());
        for _ in 0..operations {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let address = state >> 32 & mask;
            let held = array.get_mut(usize::try_from(address).unwrap_or(usize::MAX));
            let Some(held) = held else { return Err(format!("no address {address}")) };
            match kind {
                "read" => {
                    let got = system.read(address);
                    if got != *held {
                        wrong = Some(format!("{name}: at {address}: expected {held:#x}, got {got:#x}"));
                    }
                }
                "write" => {
                    *held = !word(address).rotate_left(9);
                    if !system.write(address, *held) {
                        wrong = Some(format!("{name}: at {address}: expected a word, got none"));
                    }
                }
                other => return Err(format!("expected read or write as a line, got {other}")),
            }
        }
        let (seconds, cpu) = (start.elapsed().as_secs_f64(), cpu_time().saturating_sub(cpu).as_secs_f64());
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        say(&format!(
            "computing,{name},total,{kind},{log_size},inf,1,{operations},{seconds:.9},{cpu:.9},wall,real"
        ))
    };
    say(
        "experiment,system,phase,kind,log_size,mbit_per_s,cores,operations,seconds,cpu_seconds,clock,honesty",
    )?;
    match runs {
        Some(runs) => (0..runs).try_for_each(|_| run("read")),
        None => io::stdin().lines().try_for_each(|line| match line {
            Ok(line) => run(line.trim()),
            Err(error) => Err(error.to_string()),
        }),
    }
}

/// A line at once, however standard output is buffered.
fn say(line: &str) -> Result<(), String> {
    let mut output = io::stdout();
    writeln!(output, "{line}").and_then(|()| output.flush()).map_err(|error| error.to_string())
}
