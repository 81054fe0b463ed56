//! Oblivious memories by others, on one machine: a binary a row, each of which prints lines of `../FORMAT.md`.
//!
//! They are for programs in an enclave, whose memory accesses somebody watches: no parties, no network, and nothing is
//! enciphered. So a time here is no DUORAM's, but what a single machine takes that is trusted.
//!
//! ```text
//!    nroram         rostl-oram            a Circuit ORAM whose positions the caller keeps
//!    roram          rostl-datastructures  the same with its positions in further ones: an array
//!    meta-oram      oram                  a Path ORAM, Meta's
//!    umap           rostl-datastructures  a map
//!    sharded-umap   rostl-datastructures  a map in 15 parts, each with a thread, asked in batches
//! ```

#![forbid(unsafe_code)]

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// What is asked for on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arguments {
    /// lg of the numbers of words.
    pub log_sizes: RangeInclusive<u32>,
    /// Reads of each.
    pub operations: usize,
    /// How often, for the spread.
    pub runs: usize,
}

/// A wrong argument, in words.
pub type Wrong = String;

impl Arguments {
    /// Parses `--log-size H[..H] --operations N --runs N`, each of which may be missing.
    ///
    /// # Errors
    ///
    /// What was expected, and what was there.
    pub fn parse(words: impl IntoIterator<Item = String>) -> Result<Self, Wrong> {
        let mut arguments = Self { log_sizes: 16..=16, operations: 1024, runs: 3 };
        let mut words = words.into_iter();
        while let Some(name) = words.next() {
            let value = words.next().ok_or_else(|| format!("expected a value of {name}, got none"))?;
            let number = |text: &str| {
                text.parse::<u32>().map_err(|_| format!("expected a number as {name}, got {text}"))
            };
            match &*name {
                "--log-size" => {
                    let (first, last) = value.split_once("..").unwrap_or((&value, &value));
                    arguments.log_sizes = number(first)?..=number(last)?;
                }
                "--operations" => arguments.operations = number(&value)? as usize,
                "--runs" => arguments.runs = number(&value)? as usize,
                _ => return Err(format!("expected --log-size, --operations or --runs, got {name}")),
            }
        }
        if *arguments.log_sizes.end() > 28 || *arguments.log_sizes.start() < 4 {
            return Err(format!("expected sizes from 2^4 to 2^28, got {:?}", arguments.log_sizes));
        }
        Ok(arguments)
    }
}

/// Addresses that follow no order: a linear congruence, the same for all systems.
pub struct Addresses {
    state: u64,
    mask: u64,
}

impl Addresses {
    /// Below `2^log_size`.
    pub fn new(log_size: u32) -> Self {
        Self { state: 17, mask: (1 << log_size) - 1 }
    }
}

impl Iterator for Addresses {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.state = self.state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        Some(self.state >> 32 & self.mask)
    }
}

/// The word at an address when reading begins.
pub fn word(address: u64) -> u64 {
    address.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed
}

/// Times some work.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// A system that holds the [`word`]s of all addresses.
pub trait System {
    /// Fills it with so many words.
    fn new(log_size: u32) -> Self;

    /// Reads the words at addresses.
    fn read(&mut self, addresses: &[u64]) -> Vec<u64>;
}

/// Measures a system as the command line says, and prints lines.
///
/// # Errors
///
/// A wrong argument, or a wrong answer of the system.
pub fn run<S: System>(name: &str, cores: usize) -> Result<(), Wrong> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    println!("experiment,system,phase,kind,log_size,cores,operations,seconds,cpu,clock,honesty");
    let cpu = cpu();
    for log_size in arguments.log_sizes.clone() {
        let mut system = S::new(log_size);
        let mut addresses = Addresses::new(log_size);
        for _ in 0..arguments.runs {
            let addresses: Vec<u64> = addresses.by_ref().take(arguments.operations).collect();
            let (words, time) = timed(|| system.read(&addresses));
            for (address, got) in addresses.iter().zip(&words) {
                let expected = word(*address);
                if *got != expected {
                    return Err(format!("{name}: at {address}: expected {expected:#x}, got {got:#x}"));
                }
            }
            let seconds = time.as_secs_f64();
            let operations = arguments.operations;
            println!("peers,{name},online,read,{log_size},{cores},{operations},{seconds:.9},{cpu},wall,real");
        }
    }
    Ok(())
}

/// What the system calls this CPU, as a field of CSV.
fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    format!("\"{}\"", name.map_or("unknown", |(_, name)| name.trim()).replace('"', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Arguments, Wrong> {
        Arguments::parse(words.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn arguments_are_parsed_or_refused_in_words() {
        let expected = Arguments { log_sizes: 10..=12, operations: 7, runs: 2 };
        assert_eq!(parse("--log-size 10..12 --operations 7 --runs 2"), Ok(expected));
        assert_eq!(parse("").unwrap().log_sizes, 16..=16);
        for wrong in ["--log-size x", "--log-size", "--size 4", "--log-size 3", "--log-size 10..40"] {
            assert!(parse(wrong).unwrap_err().starts_with("expected"));
        }
    }

    #[test]
    fn addresses_are_below_the_size_and_many() {
        let mut addresses: Vec<u64> = Addresses::new(10).take(4000).collect();
        assert!(addresses.iter().all(|address| *address < 1024));
        addresses.sort_unstable();
        addresses.dedup();
        assert!(addresses.len() > 900);
    }
}
