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

mod arguments;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

pub use self::arguments::{Arguments, Runs, Wrong};

/// The columns of what is printed.
const NAMES: &str =
    "experiment,system,phase,kind,log_size,mbit_per_s,cores,operations,seconds,cpu_seconds,cpu,clock,honesty";

/// What is said of an operation that a system does not have.
const NO_SUCH_OPERATION: &str = "no such operation";

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

/// An address or a word as a place in memory.
#[allow(clippy::cast_possible_truncation, reason = "addresses are below the length of a memory")]
pub const fn place(address: u64) -> usize {
    address as usize
}

/// A system that holds the [`word`]s of all addresses.
pub trait System {
    /// Fills it with so many words.
    fn new(log_size: u32) -> Self;

    /// Reads the words at addresses.
    fn read(&mut self, addresses: &[u64]) -> Vec<u64>;

    /// Writes words at addresses; whether it has such an operation.
    fn write(&mut self, words: &[(u64, u64)]) -> bool;
}

/// What so many operations took.
struct Taken {
    wall: Duration,
    /// Of all threads.
    cpu: Duration,
}

/// A system, and an array that does what it should do.
struct Bench<S> {
    name: &'static str,
    system: S,
    array: Vec<u64>,
    addresses: Addresses,
    operations: usize,
}

impl<S: System> Bench<S> {
    fn new(name: &'static str, log_size: u32, operations: usize) -> Self {
        let array = (0..1 << log_size).map(word).collect();
        Self { name, system: S::new(log_size), array, addresses: Addresses::new(log_size), operations }
    }

    /// Reads, and checks every answer.
    fn read(&mut self) -> Result<Taken, Wrong> {
        let addresses: Vec<u64> = self.addresses.by_ref().take(self.operations).collect();
        let (words, taken) = timed(|| self.system.read(&addresses));
        for (number, address) in addresses.iter().enumerate() {
            let expected = self.array[place(*address)];
            let got = words.get(number).copied().unwrap_or_default();
            if got != expected {
                return Err(format!("{}: at {address}: expected {expected:#x}, got {got:#x}", self.name));
            }
        }
        Ok(taken)
    }

    /// Writes, and reads back what was written last, which is not counted. Nothing, if it cannot.
    fn write(&mut self) -> Result<Option<Taken>, Wrong> {
        let addresses = self.addresses.by_ref().take(self.operations);
        let words: Vec<_> = addresses.map(|address| (address, !word(address).rotate_left(9))).collect();
        let (can, taken) = timed(|| self.system.write(&words));
        if !can {
            return Ok(None);
        }
        for (address, word) in &words {
            self.array[place(*address)] = *word;
        }
        let Some((address, expected)) = words.last().copied() else { return Ok(Some(taken)) };
        match self.system.read(&[address])[..] {
            [got] if got == expected => Ok(Some(taken)),
            ref got => {
                Err(format!("{}: at {address}, written: expected {expected:#x}, got {got:x?}", self.name))
            }
        }
    }
}

/// Times some work.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Taken) {
    let (start, cpu) = (Instant::now(), cpu_time());
    let result = work();
    (result, Taken { wall: start.elapsed(), cpu: cpu_time().saturating_sub(cpu) })
}

/// The CPU time that all threads of this process have used.
fn cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// Measures a system as the command line says, and prints lines. `cores` is how many threads it has.
///
/// # Errors
///
/// A wrong argument or request, a wrong answer of the system, or an output that is closed.
pub fn run<S: System>(name: &'static str, cores: usize) -> Result<(), Wrong> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let cpu = cpu();
    let mut output = io::stdout();
    for (number, log_size) in arguments.log_sizes.clone().enumerate() {
        let mut bench = Bench::<S>::new(name, log_size, arguments.operations);
        if number == 0 {
            say(&mut output, NAMES)?;
        }
        let mut answer = |kind: &str| {
            let taken = match kind {
                "read" => Some(bench.read()?),
                "write" => bench.write()?,
                other => return Err(format!("expected read or write as a line, got {other}")),
            };
            let Some(Taken { wall, cpu: all }) = taken else { return say(&mut output, NO_SUCH_OPERATION) };
            let (operations, seconds) = (arguments.operations, wall.as_secs_f64());
            let all = all.as_secs_f64();
            let line = format!(
                "computing,{name},total,{kind},{log_size},inf,{cores},{operations},{seconds:.9},{all:.9},{cpu},wall,real"
            );
            say(&mut output, &line)
        };
        match arguments.runs {
            Runs::Times(runs) => (0..runs).try_for_each(|_| answer("read"))?,
            // Whoever asks takes turns with other systems.
            Runs::Asked => io::stdin().lines().try_for_each(|line| match line {
                Ok(line) => answer(line.trim()),
                Err(error) => Err(error.to_string()),
            })?,
        }
    }
    Ok(())
}

/// A line at once, however standard output is buffered.
fn say(output: &mut impl Write, line: &str) -> Result<(), Wrong> {
    writeln!(output, "{line}").and_then(|()| output.flush()).map_err(|error| error.to_string())
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

    /// An array, which forgets what it is told if it is faulty, and cannot be told if it is fixed.
    struct Plain<const FAULTY: bool, const FIXED: bool>(Vec<u64>);

    impl<const FAULTY: bool, const FIXED: bool> System for Plain<FAULTY, FIXED> {
        fn new(log_size: u32) -> Self {
            Self((0..1 << log_size).map(word).collect())
        }

        fn read(&mut self, addresses: &[u64]) -> Vec<u64> {
            addresses.iter().map(|address| self.0[place(*address)]).collect()
        }

        fn write(&mut self, words: &[(u64, u64)]) -> bool {
            for (address, word) in words.iter().filter(|_| !FAULTY && !FIXED) {
                self.0[place(*address)] = *word;
            }
            !FIXED
        }
    }

    #[test]
    fn what_is_written_is_read_back_and_a_system_that_forgets_is_found() {
        let mut right = Bench::<Plain<false, false>>::new("right", 4, 20);
        assert!(right.write().unwrap().is_some());
        right.read().unwrap();
        assert!(right.array.iter().enumerate().any(|(address, now)| *now != word(address as u64)));
        let mut faulty = Bench::<Plain<true, false>>::new("faulty", 4, 20);
        assert!(faulty.write().err().unwrap().starts_with("faulty: at "));
        let mut fixed = Bench::<Plain<false, true>>::new("fixed", 4, 20);
        assert!(fixed.write().unwrap().is_none());
        fixed.read().unwrap();
    }

    #[test]
    fn a_wrong_answer_is_found() {
        let mut bench = Bench::<Plain<false, false>>::new("right", 4, 200);
        bench.system.0[3] += 1;
        assert!(bench.read().err().unwrap().starts_with("right: at 3: expected"));
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
