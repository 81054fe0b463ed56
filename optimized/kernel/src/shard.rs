//! A part of a tree while it grows, all of its lowest level stored.
//!
//! The level is kept in lanes (`docs/lanes.md`) and grows in place, from the end. It is stored as it was hashed: the
//! correction is known later, and is applied when the labels are read next, where the flag of their parent is set. A byte for
//! each pair of rows remembers these flags:
//!
//! ```text
//!    labels, level d, uncorrected     L R L R L R L R       correct, hash, add up       L R L R L R L R L R L R ..
//!    flags of level d - 1             f   f   f   f        ----------------------->     f f f f f f f f
//! ```

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use crate::Correction;
use crate::buffer::Buffer;
use crate::lanes::{Lanes, Nothing, Row, Work};
use crate::prg::{Prg, Step};
use crate::sums::IndexSums;
use crate::tree::{Consumer, Source, copy_chunk};

/// The labels of consecutive nodes of one level.
pub(crate) struct Shard {
    labels: Buffer,
    /// The flags of the parents, one byte for two rows.
    flags: Vec<u8>,
    /// How many there are now.
    nodes: usize,
    width: usize,
}

impl Shard {
    /// Bytes for so many labels, whatever the backend.
    pub(crate) fn bytes(labels: usize) -> usize {
        16 * labels + labels / 2
    }

    /// A shard of corrected labels in their natural order, with room for `capacity` of them: that of a spare one, if it has as
    /// much. Memory that the system has yet to find costs several times what using it again does.
    pub(crate) fn new<L: Lanes>(_lanes: L, labels: &[u128], capacity: usize, spare: Option<Self>) -> Self {
        let spare = spare.filter(|shard| shard.width == L::WIDTH && shard.labels.labels().len() == capacity);
        let mut shard = spare.unwrap_or_else(|| Self {
            labels: Buffer::new(capacity),
            flags: vec![0; capacity / L::WIDTH / 2],
            nodes: 0,
            width: L::WIDTH,
        });
        shard.nodes = labels.len();
        copy_chunk(labels, 1, 0, &mut shard.labels.labels_mut()[..labels.len()], L::WIDTH);
        // No flag is set: nothing is to be corrected.
        shard.flags[..labels.len() / L::WIDTH / 2].fill(0);
        shard
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }

    /// Where evaluation of what is below starts, once the level is settled.
    pub(crate) fn source(&self) -> Source<'_> {
        Source { labels: &self.labels.labels()[..self.nodes], width: self.width }
    }

    /// Replaces the level, which gets its correction, by its uncorrected children, and returns the XOR of those on each side.
    pub(crate) fn deepen<L: Lanes, P: Prg>(
        &mut self,
        lanes: L,
        prg: P,
        correction: &Correction,
    ) -> [u128; 2] {
        let nodes = self.nodes;
        self.nodes *= 2;
        let (labels, flags) = (&mut self.labels.labels_mut()[..2 * nodes], &mut self.flags[..]);
        lanes.run(Deepen { prg, labels, flags, nodes, correction })
    }

    /// Gives the level its correction, for good.
    pub(crate) fn settle<L: Lanes>(&mut self, lanes: L, correction: &Correction) {
        let labels = &mut self.labels.labels_mut()[..self.nodes];
        lanes.run(Settle { labels, flags: &self.flags, correction });
        self.flags[..].zeroize();
    }

    /// The sums of the level, which gets its correction.
    pub(crate) fn sums<L: Lanes>(&self, lanes: L, correction: &Correction) -> IndexSums<L> {
        let labels = &self.labels.labels()[..self.nodes];
        lanes.run(Sum { labels, flags: &self.flags, correction })
    }
}

impl Drop for Shard {
    fn drop(&mut self) {
        self.flags.zeroize();
    }
}

/// Row `row` with its correction.
#[inline(always)]
fn corrected<L: Lanes>(
    lanes: L,
    rows: &[L::BlockRow],
    flags: &[u8],
    row: usize,
    sides: &[L::Blocks; 2],
) -> L::Blocks {
    let correction = sides[row & 1];
    let base = lanes.xor_blocks(lanes.load_blocks(&rows[row]), correction);
    lanes.xor_unless(lanes.unpack_flags(flags[row / 2]), base, correction)
}

/// Both sides of a correction in registers.
#[inline(always)]
fn sides<L: Lanes>(lanes: L, correction: &Correction) -> [L::Blocks; 2] {
    let [left, right] = correction.sides();
    [lanes.splat_block(left), lanes.splat_block(right)]
}

/// Kernel: the first `nodes` labels, corrected, become twice as many, uncorrected.
struct Deepen<'a, P> {
    prg: P,
    labels: &'a mut [u128],
    flags: &'a mut [u8],
    nodes: usize,
    correction: &'a Correction,
}

impl<L: Lanes, P: Prg> Work<L> for Deepen<'_, P> {
    type Output = [u128; 2];

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) -> [u128; 2] {
        let level = self.prg.level(lanes, Step::UNCORRECTED);
        let sides = sides(lanes, self.correction);
        let rows = L::BlockRow::rows_mut(self.labels);
        let mut sums = [lanes.splat_block(0); 2];
        let mut row = self.nodes / L::WIDTH;
        // From the end: what is written is above what is still to be read.
        while row >= N {
            row -= N;
            let mut parents = [lanes.splat_block(0); N];
            for i in 0..N {
                parents[i] = corrected(lanes, rows, self.flags, row + i, &sides);
            }
            for i in 0..N {
                self.flags[row + i] = lanes.pack_flags(parents[i]);
            }
            let [left, right] = P::children(lanes, &level, parents, &mut Nothing);
            for i in 0..N {
                lanes.store_blocks(&mut rows[2 * (row + i)], left[i]);
                lanes.store_blocks(&mut rows[2 * (row + i) + 1], right[i]);
                sums = [lanes.xor_blocks(sums[0], left[i]), lanes.xor_blocks(sums[1], right[i])];
            }
        }
        [lanes.block_sum(sums[0]), lanes.block_sum(sums[1])]
    }
}

/// Kernel: corrects all labels.
struct Settle<'a> {
    labels: &'a mut [u128],
    flags: &'a [u8],
    correction: &'a Correction,
}

impl<L: Lanes> Work<L> for Settle<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let sides = sides(lanes, self.correction);
        let rows = L::BlockRow::rows_mut(self.labels);
        for row in 0..rows.len() {
            let label = corrected(lanes, rows, self.flags, row, &sides);
            lanes.store_blocks(&mut rows[row], label);
        }
    }
}

/// Kernel: adds the corrected labels up.
struct Sum<'a> {
    labels: &'a [u128],
    flags: &'a [u8],
    correction: &'a Correction,
}

impl<L: Lanes> Work<L> for Sum<'_> {
    type Output = IndexSums<L>;

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) -> IndexSums<L> {
        let sides = sides(lanes, self.correction);
        let rows = L::BlockRow::rows(self.labels);
        let mut sums = IndexSums::new(lanes);
        for pair in 0..rows.len() / 2 {
            let left = corrected(lanes, rows, self.flags, 2 * pair, &sides);
            let right = corrected(lanes, rows, self.flags, 2 * pair + 1, &sides);
            sums.take(lanes, pair, left, right);
        }
        sums.finish_block(lanes);
        sums
    }
}
