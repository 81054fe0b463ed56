//! What the machine could do at best: the yardsticks of the benches.

use core::hint::black_box;

use crate::Kernels;
use crate::backend::dispatch;
use crate::buffer::Buffer;
use crate::lanes::{Lanes, Row, Work};
use crate::prg::Hash;
use crate::scan::STREAMS;
use crate::schedule::Schedule;

/// Labels the AES loop works on: 8 KiB.
const LABELS: usize = 512;

impl Kernels<'_> {
    /// Performs independent AES-MMO calls, pi(x) ^ x, on labels in the first-level cache: `rounds` passes. Returns the
    /// number of calls; their time is the limit of whatever evaluates trees.
    pub fn run_aes_limit(&self, rounds: usize) -> usize {
        let mut buffer = Buffer::new(LABELS);
        dispatch!(self.backend, lanes => lanes.run(Compress { schedule: &self.schedule, labels: buffer.labels_mut(), rounds }));
        black_box(buffer.labels());
        rounds * LABELS
    }

    /// Reads the arrays once, as a scan reads them: of four places side by side. Returns the number of bytes; their time is the limit of whatever
    /// goes through memory.
    pub fn run_memory_limit(&self, arrays: &[&[u64]]) -> usize {
        let mut bytes = 0;
        for words in arrays {
            black_box(dispatch!(self.backend, lanes => lanes.run(Sum { words })));
            bytes += size_of_val(*words);
        }
        bytes
    }

    /// Reads and writes the arrays once: XORs every word with 1, but for a remainder of less than eight. Returns the number of bytes
    /// read; their time is the limit of whatever changes memory.
    pub fn run_rewrite_limit(&self, arrays: &mut [&mut [u64]]) -> usize {
        let mut bytes = 0;
        for words in arrays {
            dispatch!(self.backend, lanes => lanes.run(Rewrite { words }));
            bytes += size_of_val(*words);
        }
        bytes
    }
}

/// Kernel: XORs every word with a constant.
struct Rewrite<'a> {
    words: &'a mut [u64],
}

impl<L: Lanes> Work<L> for Rewrite<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let constant = lanes.splat_word(black_box(1));
        for row in L::WordRow::rows_mut(self.words) {
            lanes.store_words(row, lanes.xor(lanes.load_words(row), constant));
        }
    }
}

/// Kernel: hashes every label, again and again.
struct Compress<'a> {
    schedule: &'a Schedule,
    labels: &'a mut [u128],
    rounds: usize,
}

impl<L: Lanes> Work<L> for Compress<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let hash = Hash::new(lanes, self.schedule);
        let rows = L::BlockRow::rows_mut(self.labels);
        for _ in 0..self.rounds {
            let mut row = 0;
            while row + 2 * N <= rows.len() {
                let mut labels = [[lanes.splat_block(0); N]; 2];
                for i in 0..2 * N {
                    labels[i / N][i % N] = lanes.load_blocks(&rows[row + i]);
                }
                let labels = hash.compress(lanes, labels);
                for i in 0..2 * N {
                    lanes.store_blocks(&mut rows[row + i], labels[i / N][i % N]);
                }
                row += 2 * N;
            }
        }
    }
}

/// Kernel: adds all words up, but for a remainder of less than four rows.
struct Sum<'a> {
    words: &'a [u64],
}

impl<L: Lanes> Work<L> for Sum<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) -> u64 {
        let rows = L::WordRow::rows(self.words);
        let stream = rows.len() / STREAMS;
        let mut streams = [&rows[..stream]; STREAMS];
        for i in 0..STREAMS {
            streams[i] = &rows[i * stream..(i + 1) * stream];
        }
        let mut sums = [lanes.splat_word(0); STREAMS];
        for row in 0..stream {
            for i in 0..STREAMS {
                sums[i] = lanes.add(sums[i], lanes.load_words(&streams[i][row]));
            }
        }
        lanes.word_sum(lanes.add(lanes.add(sums[0], sums[1]), lanes.add(sums[2], sums[3])))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use duoram_spec::core::aes::{encrypt, expand_key};

    use super::*;
    use crate::{Backend, Features, Workers};

    /// A yardstick that did less work than it says would make everything look closer to the limit.
    #[test]
    fn the_yardsticks_do_the_work_that_they_time() {
        let key = 0x1032_5476_98ba_dcfe;
        let aes = expand_key(&u128::to_le_bytes(key));
        let workers = Workers::one();
        let label = |i: u128| i.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c834);
        let labels: Vec<u128> = (0..LABELS as u128).map(label).collect();
        let hashed = |label: u128| encrypt(&aes, label) ^ label;
        let expected: Vec<u128> = labels.iter().map(|label| hashed(hashed(hashed(*label)))).collect();
        let words: Vec<u64> = (1..=640).map(|i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let sum = words.iter().fold(0, |sum: u64, word| sum.wrapping_add(*word));
        for backend in Backend::available(&Features::detect()) {
            let kernels = Kernels::new(backend, key, &workers);
            let mut buffer = Buffer::new(LABELS);
            buffer.labels_mut().copy_from_slice(&labels);
            let work = Compress { schedule: &kernels.schedule, labels: buffer.labels_mut(), rounds: 3 };
            dispatch!(backend, lanes => lanes.run(work));
            assert_eq!(buffer.labels(), expected, "{}", backend.name());
            let mut rewritten = words.clone();
            assert_eq!(kernels.run_rewrite_limit(&mut [&mut rewritten]), 8 * words.len());
            assert!(words.iter().zip(&rewritten).all(|(a, b)| a ^ b == 1), "{}", backend.name());
            assert_eq!(
                dispatch!(backend, lanes => lanes.run(Sum { words: &words })),
                sum,
                "{}",
                backend.name()
            );
        }
    }
}
