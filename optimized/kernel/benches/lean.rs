//! The lean protocol's kernels against the machine's limits, in one run: `cargo bench -p duoram-kernel --bench lean`, or with
//! `-- LOG_SIZE..` sizes of one's own.
//!
//! As in `limits`, a kernel is timed in turn with its limit, and printed is the median of the ratios. The limits are to read a party's
//! vectors once (READ), the greater of its AES calls and of reading and writing its vectors once (UPDATE), and its AES calls
//! (growth).
#![allow(clippy::cast_precision_loss)] // of sizes and times

mod rows;
mod timing;

use std::hint::black_box;

use duoram_kernel::{
    Backend, BackendName, BitKey, Correction, Features, Flags, Forest, Kernels, Key, Selection, ValueKey,
    ValueUpdate, Workers,
};
use timing::{aes_call, median, nanoseconds};

/// AES calls a leaf of one side: of a tree down to the flags, and of one down to the values with both layers.
const READ_CALLS: f64 = 3.0 / 128.0;
const UPDATE_CALLS: f64 = 1.0 / 4.0 + 1.0 / 128.0 + 4.0 / 8.0;
/// Measurements, each between two of the limit.
const RUNS: usize = 11;
const ROOT: u128 = 0x0123_4567_89ab_cdef_0123_4567_89ab_cdee;
/// Of how many queries a step is that answers several.
const MANY: usize = 16;
/// Items in a batch that grows.
const ITEMS: usize = 2;

fn correction(level: usize) -> Correction {
    let word = ROOT.wrapping_mul(2 * level as u128 + 1) & !1;
    Correction { word, left_flag: level.is_multiple_of(2), right_flag: true }
}

fn key(root: u128, levels: usize) -> Key {
    Key::new(root, (0..levels).map(correction).collect())
}

fn bit_key(log_size: usize, root: u128) -> BitKey {
    BitKey::new(log_size, key(root, log_size - 7), root)
}

/// The median of a limit's share in the time of some work, and the least time of the work.
fn measured(mut limit: impl FnMut() -> f64, mut work: impl FnMut()) -> (f64, f64) {
    work();
    let (mut times, mut fractions) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let before = limit();
        let time = nanoseconds(&mut work);
        fractions.push(f64::midpoint(before, limit()) / time);
        times.push(time);
    }
    (median(fractions), times.into_iter().fold(f64::INFINITY, f64::min))
}

struct Bench<'a> {
    kernels: &'a Kernels<'a>,
    log_size: usize,
}

impl Bench<'_> {
    fn print(&self, name: &str, what: &str, (fraction, time): (f64, f64)) {
        let (backend, log_size) = (self.kernels.backend().name().as_str(), self.log_size);
        let words = (1_u64 << log_size) as f64;
        println!(
            "{backend:<9} h = {log_size:2}: {name:<28} {:7.4} ns a word, {what} {fraction:.3}",
            time / words
        );
    }

    /// READ of one query and of many, by one vector (P1) and by two (P0 and P2).
    fn read(&self, memory: &[Vec<u64>; 2]) {
        let kernels = self.kernels;
        let keys: Vec<_> = (0..2 * MANY as u128).map(|i| bit_key(self.log_size, ROOT + 2 * i)).collect();
        let shift = |query: usize| (0x9e37_79b9 * (2 * query + 1)) & ((1 << self.log_size) - 1);
        let stored = std::cell::RefCell::new(keys.iter().map(|key| kernels.flags(key)).collect::<Vec<_>>());
        for vectors in [1, 2] {
            let arrays: Vec<&[u64]> = memory[..vectors].iter().map(|words| &words[..]).collect();
            let limit = || {
                nanoseconds(|| {
                    kernels.run_memory_limit(&arrays);
                })
            };
            let evaluate = |queries: usize| {
                for (key, flags) in keys.iter().zip(stored.borrow_mut().iter_mut()).take(vectors * queries) {
                    kernels.flags_into(key, flags);
                }
            };
            let scan = |queries: usize| {
                let stored = stored.borrow();
                let flags: Vec<&Flags> = stored.iter().collect();
                for (number, memory) in memory[..vectors].iter().enumerate() {
                    // P0's first vector meets the XOR of two sides' flags, its second one those of one.
                    let selection = |(query, flags)| Selection { flags, shift: shift(query) };
                    let sides = flags.chunks(vectors).map(|flags| &flags[..vectors - number]);
                    let selections: Vec<_> = sides.take(queries).enumerate().map(selection).collect();
                    black_box(kernels.scan(memory, &selections));
                }
            };
            let mut single = [0.0; 2];
            for queries in [1, MANY] {
                let kept = measured(limit, || scan(queries));
                let whole = measured(limit, || {
                    evaluate(queries);
                    scan(queries);
                });
                for (i, (how, result)) in [("flags kept", kept), ("evaluated", whole)].into_iter().enumerate()
                {
                    let name = format!("READ, {vectors} vectors, k = {queries}, {how}");
                    self.print(&name, "of reading once", result);
                    if queries == 1 {
                        single[i] = result.0;
                    } else {
                        let share = single[i] / result.0 / queries as f64;
                        println!("          a query of {queries}: {share:.3} of a single one");
                    }
                }
            }
        }
    }

    /// UPDATE of one vector (P1) and of two (P0 and P2).
    fn update(&self, memory: &mut [Vec<u64>; 2]) {
        let kernels = self.kernels;
        let words = 1_u64 << self.log_size;
        let values = |root| ValueKey::new(self.log_size, key(root, self.log_size - 3), [0x89ab_cdef; 8]);
        let keys = [0, 2].map(|i| (bit_key(self.log_size, ROOT + i), values(ROOT + i)));
        let mut flags = kernels.flags(&keys[0].0);
        for vectors in [1, 2] {
            let memory = std::cell::RefCell::new(&mut *memory);
            let calls = UPDATE_CALLS * vectors as f64 * words as f64;
            let (mut aes, mut rewriting) = (Vec::new(), Vec::new());
            let limit = || {
                let aes_time = calls * aes_call(kernels);
                let mut memory = memory.borrow_mut();
                let mut arrays: Vec<&mut [u64]> =
                    memory[..vectors].iter_mut().map(|words| &mut words[..]).collect();
                let rewrite_time = nanoseconds(|| {
                    kernels.run_rewrite_limit(&mut arrays);
                });
                aes.push(aes_time);
                rewriting.push(rewrite_time);
                aes_time.max(rewrite_time)
            };
            let shift = 0x9e37_79b9 & ((1 << self.log_size) - 1);
            let result = measured(limit, || {
                for (memory, (bits, key)) in memory.borrow_mut()[..vectors].iter_mut().zip(&keys) {
                    kernels.flags_into(bits, &mut flags);
                    kernels
                        .update_values(memory, &[ValueUpdate { key, flags: &flags, correction: 7, shift }]);
                }
            });
            self.print(&format!("UPDATE, {vectors} vectors"), "of the greater limit", result);
            let per_word = |times| median(times) / words as f64;
            println!(
                "          limits: AES {:.4}, rewriting {:.4} ns a word",
                per_word(aes),
                per_word(rewriting)
            );
        }
    }

    /// Growth of a primary's trees of a batch, two an item.
    fn growth(&self) {
        let trees = 2 * ITEMS;
        let (words, deep) = ((1_u64 << self.log_size) as f64, self.log_size - 3);
        let mut forest = self.kernels.plant(&[], 0);
        let grow = |forest: &mut Forest, depth: usize, stored: usize| {
            let roots: Vec<u128> = (1..=trees as u128).map(|i| i * ROOT).collect();
            self.kernels.replant(forest, &roots, stored);
            for level in 0..=depth {
                if level == self.log_size - 7 {
                    black_box(self.kernels.flag_sums(forest));
                }
                if level < depth {
                    black_box(self.kernels.grow(forest));
                    self.kernels.correct(forest, &vec![correction(level); trees]);
                }
            }
            if depth == deep {
                black_box(self.kernels.value_sums(forest));
            }
        };
        for (name, depth, calls) in [("READ", self.log_size - 7, READ_CALLS), ("UPDATE", deep, UPDATE_CALLS)]
        {
            for above in 0..3 {
                let limit = || trees as f64 * calls * words * aes_call(self.kernels);
                let (fraction, time) = measured(limit, || grow(&mut forest, depth, depth - above));
                let name = format!("{name} item, stored to its h - {above}");
                self.print(&name, "of the AES limit", (fraction, time / ITEMS as f64));
            }
        }
    }
}

fn main() {
    let workers = Workers::one();
    let sizes: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![20, 22] } else { sizes };
    for backend in Backend::available(&Features::detect()) {
        // Bit by bit, AES is slow.
        if backend.name() == BackendName::Portable {
            continue;
        }
        let kernels = Kernels::new(backend, 0x7069, &workers);
        println!("{:<9} {:.3} ns an AES call", backend.name().as_str(), aes_call(&kernels));
        for &log_size in &sizes {
            let bench = Bench { kernels: &kernels, log_size };
            let mut memory = [1, 2].map(|i| (0..1 << log_size).map(|word: u64| word * i).collect());
            bench.read(&memory);
            bench.update(&mut memory);
            bench.growth();
            rows::bench(&kernels, log_size);
        }
    }
}
