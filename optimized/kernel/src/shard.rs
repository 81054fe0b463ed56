//! A part of a tree while it grows, all of its lowest level stored.
//!
//! The level is kept in lanes (`docs/lanes.md`) at the end of the shard's memory, and grows in place: memory is read and written
//! upwards, which is what CPUs fetch ahead of. It is stored as it was hashed: the correction is known later, and is applied
//! whenever the labels are read, where the flag of their parent is set. A byte for each pair of rows remembers these flags:
//!
//! ```text
//!    labels, level d, uncorrected     L R L R L R L R       correct, hash, add up       L R L R L R L R L R L R ..
//!    flags of level d - 1             f   f   f   f        ----------------------->     f f f f f f f f
//! ```

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroize;

use crate::Correction;
use crate::buffer::{Buffer, LINE};
use crate::lanes::{Lanes, Nothing, Row, Work};
use crate::layer::TwoBlocks;
use crate::prg::Prg;
use crate::sums::IndexSums;
use crate::tree::{BLOCK, Consumer, Pending, Source, copy_chunk};

/// How many rows ahead memory is asked for: about as long as it takes to come from beyond the second-level cache.
const AHEAD: usize = 32;

/// The labels of consecutive nodes of one level.
pub(crate) struct Shard {
    labels: Buffer,
    /// The flags of the parents, one byte for two rows.
    flags: Vec<u8>,
    /// How many there are now.
    nodes: usize,
    width: usize,
    /// Whether the labels have their correction.
    corrected: bool,
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
            corrected: true,
        });
        shard.nodes = labels.len();
        copy_chunk(labels, 1, 0, &mut shard.labels.labels_mut()[capacity - labels.len()..], L::WIDTH);
        // No flag is set: nothing is to be corrected.
        shard.flags.fill(0);
        shard.corrected = true;
        shard
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }

    /// In how many registers.
    pub(crate) fn rows(&self) -> usize {
        self.nodes / self.width
    }

    /// Where evaluation of what is below starts, once the level is settled.
    pub(crate) fn source(&self) -> Source<'_> {
        debug_assert!(self.corrected, "the level is settled");
        Source { labels: self.level(), width: self.width }
    }

    fn level(&self) -> &[u128] {
        let labels = self.labels.labels();
        &labels[labels.len() - self.nodes..]
    }

    /// The flags of the level's parents.
    fn flags(&self) -> &[u8] {
        &self.flags[self.flags.len() - self.nodes / self.width / 2..]
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
        self.corrected = false;
        let (labels, flags) = (self.labels.labels_mut(), &mut self.flags[..]);
        let (start, flags_start) = (labels.len() - 2 * nodes, flags.len() - nodes / L::WIDTH);
        let (labels, flags) = (&mut labels[start..], &mut flags[flags_start..]);
        lanes.run(Deepen { prg, labels, flags, correction })
    }

    /// Gives the level its correction for good, unless it has it.
    pub(crate) fn settle<L: Lanes>(&mut self, lanes: L, correction: &Correction) {
        if self.corrected {
            return;
        }
        self.corrected = true;
        let labels = self.labels.labels_mut();
        let start = labels.len() - self.nodes;
        let flags = &self.flags[self.flags.len() - self.nodes / self.width / 2..];
        lanes.run(Settle { labels: &mut labels[start..], flags, correction });
        self.flags[..].zeroize();
    }

    /// Hands a layer's worth of the level, which gets its correction, to a consumer, as one block.
    pub(crate) fn consume<L: Lanes, P: Prg, Y: TwoBlocks, C: Consumer<L>>(
        &self,
        lanes: L,
        prg: P,
        correction: &Correction,
        layer: Y,
        consumer: C,
    ) -> C {
        let (labels, flags) = (self.level(), self.flags());
        lanes.run(Below { prg, labels, flags, correction, layer, consumer })
    }

    /// Hands two layers' worth of the level, which gets its correction, to a consumer each: both while a block of it is in the
    /// first-level cache.
    pub(crate) fn consume_both<L: Lanes, P: Prg, Y: TwoBlocks, C: Consumer<L>>(
        &self,
        lanes: L,
        prg: P,
        correction: &Correction,
        layers: [Y; 2],
        consumers: [C; 2],
    ) -> [C; 2] {
        let [mut first, mut second] = consumers;
        let flags = self.flags().chunks(BLOCK / L::WIDTH / 2);
        for (labels, flags) in self.level().chunks(BLOCK).zip(flags) {
            first = lanes.run(Below { prg, labels, flags, correction, layer: layers[0], consumer: first });
            second = lanes.run(Below { prg, labels, flags, correction, layer: layers[1], consumer: second });
        }
        [first, second]
    }

    /// The sums of the level, which gets its correction.
    pub(crate) fn sums<L: Lanes>(&self, lanes: L, correction: &Correction) -> IndexSums<L> {
        lanes.run(Sum { labels: self.level(), flags: self.flags(), correction })
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
    lanes.xor_where(flags[row / 2], lanes.load_blocks(&rows[row]), sides[row & 1])
}

/// `N` rows from `row` on with their correction. The CPU looks some rows ahead only: labels corrected on their way to the cipher
/// would make it wait, so kernels correct them while those before are hashed.
#[inline(always)]
fn corrected_rows<L: Lanes, const N: usize>(
    lanes: L,
    rows: &[L::BlockRow],
    flags: &[u8],
    row: usize,
    sides: &[L::Blocks; 2],
) -> [L::Blocks; N] {
    // Pairs of rows have their flags in common; if there are whole ones, it is known which side is which.
    let (rows, flags, row) = if N.is_multiple_of(2) {
        (&rows[row..row + N], &flags[row / 2..row / 2 + N / 2], 0)
    } else {
        (rows, flags, row)
    };
    let mut labels = [lanes.splat_block(0); N];
    for i in 0..N {
        labels[i] = corrected(lanes, rows, flags, row + i, sides);
    }
    labels
}

/// Asks for the cache lines of `count` rows from `row` on.
#[inline(always)]
fn prefetch_rows<L: Lanes>(lanes: L, rows: &[L::BlockRow], row: usize, count: usize) {
    for i in 0..count {
        if (i * L::WIDTH).is_multiple_of(LINE) {
            lanes.prefetch(rows, row + i);
        }
    }
}

/// Both sides of a correction in registers.
#[inline(always)]
fn sides<L: Lanes>(lanes: L, correction: &Correction) -> [L::Blocks; 2] {
    let [left, right] = correction.sides();
    [lanes.splat_block(left), lanes.splat_block(right)]
}

/// Kernel: the upper half of the labels, corrected, becomes twice as many, uncorrected.
struct Deepen<'a, P> {
    prg: P,
    labels: &'a mut [u128],
    flags: &'a mut [u8],
    correction: &'a Correction,
}

impl<L: Lanes, P: Prg> Work<L> for Deepen<'_, P> {
    type Output = [u128; 2];

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) -> [u128; 2] {
        let plain = self.prg.plain(lanes, 0);
        let sides = sides(lanes, self.correction);
        let rows = L::BlockRow::rows_mut(self.labels);
        let parents = rows.len() / 2;
        let mut sums = [lanes.splat_block(0); 2];
        let mut next = corrected_rows::<L, N>(lanes, &rows[parents..], &self.flags[parents / 2..], 0, &sides);
        let mut row = 0;
        // The children of row r of the upper half go to rows 2 r and 2 r + 1 of the whole, whose labels, and flags, are done with.
        while row < parents {
            let labels = next;
            let following = (row + N).min(parents - N);
            next = corrected_rows(lanes, &rows[parents..], &self.flags[parents / 2..], following, &sides);
            prefetch_rows(lanes, rows, parents + row + AHEAD, N);
            prefetch_rows(lanes, rows, 2 * (row + AHEAD), 2 * N);
            let flags = &mut self.flags[row..row + N];
            for i in 0..N {
                flags[i] = lanes.pack_flags(labels[i]);
            }
            let [left, right] = P::plain_pairs(lanes, &plain, labels, &mut Nothing);
            let children = &mut rows[2 * row..2 * (row + N)];
            for i in 0..N {
                lanes.store_blocks(&mut children[2 * i], left[i]);
                lanes.store_blocks(&mut children[2 * i + 1], right[i]);
                sums = [lanes.xor_blocks(sums[0], left[i]), lanes.xor_blocks(sums[1], right[i])];
            }
            row += N;
        }
        [lanes.block_sum(sums[0]), lanes.block_sum(sums[1])]
    }
}

/// Kernel: hands what hangs on corrected labels over.
struct Below<'a, P, Y, C> {
    prg: P,
    labels: &'a [u128],
    flags: &'a [u8],
    correction: &'a Correction,
    layer: Y,
    consumer: C,
}

impl<L: Lanes, P: Prg, Y: TwoBlocks, C: Consumer<L>> Work<L> for Below<'_, P, Y, C> {
    type Output = C;

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) -> C {
        let registers = self.layer.registers(lanes, self.prg);
        let sides = sides(lanes, self.correction);
        let rows = L::BlockRow::rows(self.labels);
        let first = corrected_rows::<L, N>(lanes, rows, self.flags, 0, &sides);
        let mut next = corrected_rows::<L, N>(lanes, rows, self.flags, N.min(rows.len() - N), &sides);
        let outputs = Y::of::<P, L, _, N>(lanes, &registers, first, &mut Nothing);
        let mut pending = Pending { consumer: self.consumer, unit: 0, outputs };
        let mut row = N;
        while row < rows.len() {
            let labels = next;
            let following = (row + N).min(rows.len() - N);
            next = corrected_rows(lanes, rows, self.flags, following, &sides);
            prefetch_rows(lanes, rows, row + AHEAD, N);
            pending.outputs = Y::of::<P, L, _, N>(lanes, &registers, labels, &mut pending);
            pending.unit = row;
            row += N;
        }
        for i in 0..N {
            pending.take(lanes, i);
        }
        pending.consumer.finish_block(lanes);
        pending.consumer
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
