//! What the machine could do at best: the yardsticks of the benches.

use std::hint::black_box;

use crate::kernel::Kernels;
use crate::kernel::backend::dispatch;
use crate::kernel::buffer::Buffer;
use crate::kernel::lanes::{Hash, Lanes, Row, Work};
use crate::kernel::schedule::Schedule;

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

    /// Reads the arrays once, as the kernels read them. Returns the number of bytes; their time is the limit of whatever
    /// goes through memory.
    pub fn run_memory_limit(&self, arrays: &[&[u64]]) -> usize {
        let mut bytes = 0;
        for words in arrays {
            black_box(dispatch!(self.backend, lanes => lanes.run(Sum { words })));
            bytes += size_of_val(*words);
        }
        bytes
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

/// Kernel: adds all words up.
struct Sum<'a> {
    words: &'a [u64],
}

impl<L: Lanes> Work<L> for Sum<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) -> u64 {
        let rows = L::WordRow::rows(self.words);
        let mut sums = [lanes.splat_word(0); 4];
        let mut row = 0;
        while row + 4 <= rows.len() {
            for i in 0..4 {
                sums[i] = lanes.add(sums[i], lanes.load_words(&rows[row + i]));
            }
            row += 4;
        }
        lanes.word_sum(lanes.add(lanes.add(sums[0], sums[1]), lanes.add(sums[2], sums[3])))
    }
}
