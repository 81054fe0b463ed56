//! What this machine could do at best, measured next to what the kernels do, in one run.
//!
//! Absolute times on a shared machine say little. A kernel is therefore timed in turn with a loop that does nothing but the
//! AES calls that the kernel cannot avoid, and the ratio of each pair is taken: what disturbs one disturbs the other.

use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use duoram_reference::SessionKey;
use serde::Serialize;

use duoram_kernel::{Block, Correction, Kernels, Key, UnitKey};
use duoram_runtime::fast::Fast;
use duoram_runtime::pages::resident_zeros;
use duoram_runtime::resources::thread_cpu_time;

/// Pairs of measurements.
const PAIRS: usize = 15;

/// Measurements of a party's limits at one time.
const TIMES: usize = 7;

/// Passes of a party's AES loop: a millisecond or so.
const AES_ROUNDS: usize = 2000;

/// So much of a party's vectors is gone through at most: no cache holds that, and a byte of more takes as long.
const MOST_BYTES: u64 = 256 << 20;

/// Full evaluation of one key, every leaf hashed and summed up.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct FullEvaluation {
    /// The least time a leaf.
    pub ns_per_leaf: f64,
    /// The least time an AES call of a loop of independent ones, on data in the first-level cache.
    pub aes_limit_ns_per_call: f64,
    /// The time that the 2 (n - 1) AES calls alone take at the limit over the time taken: the median over all pairs.
    pub aes_limit_fraction: f64,
}

/// What the machine could do at best for one party, while the others of a session do the same.
#[derive(Clone, Copy, Default, Debug)]
pub struct PartyLimits {
    /// The milliseconds that reading the party's vectors once takes.
    pub reading_ms: f64,
    /// The milliseconds that reading and writing the party's vectors once takes.
    pub rewriting_ms: f64,
    /// The time of an AES call.
    pub aes_ns_per_call: f64,
}

impl PartyLimits {
    /// Measures those of three parties with so many bytes of vectors, which work at the same time.
    pub fn measure(fast: &Fast, state_bytes: [u64; 3]) -> [Self; 3] {
        at_once(fast, state_bytes)
    }

    /// What measuring them takes of the machine's memory.
    pub fn bytes(state_bytes: [u64; 3]) -> u64 {
        state_bytes.map(|bytes| bytes.min(MOST_BYTES)).iter().sum()
    }

    /// What was the limit between two times.
    #[must_use]
    pub fn between(self, later: Self) -> Self {
        Self {
            reading_ms: f64::midpoint(self.reading_ms, later.reading_ms),
            rewriting_ms: f64::midpoint(self.rewriting_ms, later.rewriting_ms),
            aes_ns_per_call: f64::midpoint(self.aes_ns_per_call, later.aes_ns_per_call),
        }
    }

    /// The milliseconds that so many AES calls take.
    pub fn aes_ms(&self, calls: f64) -> f64 {
        self.aes_ns_per_call * calls / 1e6
    }
}

impl FullEvaluation {
    /// Measures it, of a program that has the machine for itself: a second or so.
    pub fn measure(fast: &Fast, log_size: u32) -> Self {
        full_evaluation(&fast.kernels(&timing_key()), log_size)
    }
}

fn timing_key() -> SessionKey {
    SessionKey::new(*b"a key for timing")
}

/// A key with arbitrary contents: time does not depend on them.
pub fn arbitrary_key(log_size: u32) -> UnitKey {
    let mut state = 1_u128;
    let mut next = || {
        state = state.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1);
        state
    };
    let corrections = (0..log_size).map(|_| Correction {
        word: next() & !1,
        left_flag: next() >> 127 == 1,
        right_flag: next() >> 127 == 1,
    });
    let corrections: Vec<_> = corrections.collect();
    UnitKey::new(Key::new(Block::from(1_u8), corrections), 3)
}

/// What some work takes: CPU time of this thread where only this thread works and the system tells, for that does not count
/// what others do to the machine; else wall time.
fn nanoseconds(threads: usize, work: impl FnOnce()) -> f64 {
    let cpu = || thread_cpu_time().filter(|_| threads == 1);
    let (start, start_cpu) = (Instant::now(), cpu());
    work();
    let cpu = cpu().zip(start_cpu).map(|(end, start)| end.saturating_sub(start));
    cpu.unwrap_or_else(|| start.elapsed()).as_secs_f64() * 1e9
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

// Of measured times, and of numbers within the bounds given.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)]
fn full_evaluation(kernels: &Kernels<'_>, log_size: u32) -> FullEvaluation {
    let key = arbitrary_key(log_size);
    let leaves = (1_u64 << log_size) as f64;
    let (mut limits, mut evaluations, mut fractions) = (Vec::new(), Vec::new(), Vec::new());
    let probe = Instant::now();
    black_box(kernels.leaf_sum(key.key()));
    // A measurement takes some 10 ms, or one evaluation; the AES loop at its side about as long, but not more.
    let repeat = (10_000_000 / probe.elapsed().as_nanos().max(1)).clamp(1, 1 << 20) as u32;
    let rounds = ((u64::from(repeat) << log_size) / 1024).clamp(1, 4000) as usize;
    for _ in 0..PAIRS {
        let before = aes_call(kernels, rounds);
        let time = nanoseconds(kernels.threads(), || {
            for _ in 0..repeat {
                black_box(kernels.leaf_sum(black_box(key.key())));
            }
        }) / f64::from(repeat);
        let limit = f64::midpoint(before, aes_call(kernels, rounds));
        limits.push(limit);
        evaluations.push(time);
        fractions.push(2.0 * (leaves - 1.0) * limit / time);
    }
    FullEvaluation {
        ns_per_leaf: least(&evaluations) / leaves,
        aes_limit_ns_per_call: least(&limits),
        aes_limit_fraction: median(fractions),
    }
}

/// The time of one AES call at the limit.
#[allow(clippy::cast_precision_loss)] // of a measured time
fn aes_call(kernels: &Kernels<'_>, rounds: usize) -> f64 {
    let mut calls = 0;
    let time = nanoseconds(1, || calls = kernels.run_aes_limit(rounds));
    time / calls as f64
}

/// The limits of parties that work at the same time, a thread each, as those of a session in one process do: they share the cores,
/// what the caches hold, and the way to the memory.
fn at_once(fast: &Fast, state_bytes: [u64; 3]) -> [PartyLimits; 3] {
    let present = state_bytes.iter().filter(|bytes| **bytes > 0).count();
    let together = Barrier::new(present);
    thread::scope(|scope| {
        let threads = state_bytes.map(|bytes| {
            let (fast, together) = (fast.clone(), &together);
            (bytes > 0).then(|| scope.spawn(move || party_limits(&fast, bytes, together)))
        });
        threads.map(|thread| {
            thread.map_or_else(PartyLimits::default, |thread| thread.join().unwrap_or_default())
        })
    })
}

/// One party's limits, each the median of several measurements; each of these begins when all parties have come to it.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // of measured times, and of a bounded size
fn party_limits(fast: &Fast, state_bytes: u64, together: &Barrier) -> PartyLimits {
    let kernels = fast.kernels(&timing_key());
    let bytes = state_bytes.min(MOST_BYTES);
    let mut vectors = resident_zeros(bytes as usize / 8);
    let mut typical = |measure: &mut dyn FnMut(&mut [u64]) -> f64| {
        let times = (0..TIMES).map(|_| {
            together.wait();
            measure(&mut vectors)
        });
        median(times.collect())
    };
    let reading = typical(&mut |vectors| {
        nanoseconds(1, || {
            kernels.run_memory_limit(&[vectors]);
        })
    });
    let rewriting = typical(&mut |vectors| {
        nanoseconds(1, || {
            kernels.run_rewrite_limit(&mut [vectors]);
        })
    });
    let aes_ns_per_call = typical(&mut |_| aes_call(&kernels, AES_ROUNDS));
    let milliseconds = |time: f64| time * state_bytes as f64 / bytes as f64 / 1e6;
    PartyLimits { reading_ms: milliseconds(reading), rewriting_ms: milliseconds(rewriting), aes_ns_per_call }
}
