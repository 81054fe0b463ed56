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
use crate::tree::{BLOCK, CHUNK, Consumer, Pending, Source, copy_chunk};

/// How many rows ahead memory is asked for: about as long as it takes to come from beyond the second-level cache.
const AHEAD: usize = 32;

/// The memory of many shards of one capacity, one behind the other; by default none. Wiped when dropped; until then it may hold what is done with.
#[derive(Default)]
pub(crate) struct Memory {
    labels: Buffer,
    flags: Vec<u8>,
}

/// What every shard of a memory holds: one level, of as many nodes each.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    /// How many nodes a shard has now, and how many it has room for.
    pub(crate) nodes: usize,
    capacity: usize,
    /// The lanes that labels are arranged in.
    width: usize,
    /// Whether the labels have their correction.
    corrected: bool,
}

/// The labels of consecutive nodes of one level.
#[derive(Clone, Copy)]
pub(crate) struct Shard<'a> {
    labels: &'a [u128],
    /// The flags of the parents, one byte for two rows.
    flags: &'a [u8],
    width: usize,
}

/// A shard whose labels change: all of its memory, of which the level takes the end.
pub(crate) struct ShardMut<'a> {
    labels: &'a mut [u128],
    flags: &'a mut [u8],
}

impl Memory {
    /// Room for so many labels at least. Memory that the system has yet to find costs several times what using it again does.
    pub(crate) fn reserve(&mut self, labels: usize) {
        if self.labels.labels().len() < labels {
            // What is too small must not count on top of what is asked for.
            *self = Self::default();
            self.labels = Buffer::new(labels);
        }
    }

    /// Bytes for so many labels, whatever the backend.
    pub(crate) fn bytes(labels: usize) -> usize {
        16 * labels + labels / 2
    }

    pub(crate) fn labels(&self) -> &[u128] {
        self.labels.labels()
    }

    /// Fills shards of this capacity, from the one of this number on, each from `CHUNK` corrected labels in their natural order.
    pub(crate) fn fill<'a, L: Lanes>(
        &mut self,
        _lanes: L,
        capacity: usize,
        first: usize,
        shards: impl Iterator<Item = &'a [u128]>,
    ) -> Level {
        let level = Level { nodes: CHUNK, capacity, width: L::WIDTH, corrected: true };
        let flags = level.flags(self.labels().len());
        if self.flags.len() < flags {
            self.flags.zeroize();
            self.flags = vec![0; flags];
        }
        for (shard, labels) in self.shards_mut(&level).skip(first).zip(shards) {
            copy_chunk(labels, 1, 0, &mut shard.labels[capacity - labels.len()..], L::WIDTH);
            // No flag is set: nothing is to be corrected.
            shard.flags.fill(0);
        }
        level
    }

    /// Its shards.
    pub(crate) fn shards(&self, level: &Level) -> impl Iterator<Item = Shard<'_>> {
        let Level { nodes, capacity, width, .. } = *level;
        let (skipped, flags) = (capacity - nodes, level.flags(capacity) - level.flags(nodes));
        let memory = self.labels.labels().chunks_exact(capacity);
        memory.zip(self.flags.chunks_exact(level.flags(capacity))).map(move |(labels, of_parents)| Shard {
            labels: &labels[skipped..],
            flags: &of_parents[flags..],
            width,
        })
    }

    /// The same, to be changed.
    pub(crate) fn shards_mut(&mut self, level: &Level) -> impl Iterator<Item = ShardMut<'_>> {
        let labels = self.labels.labels_mut().chunks_exact_mut(level.capacity);
        let flags = self.flags.chunks_exact_mut(level.flags(level.capacity));
        labels.zip(flags).map(|(labels, flags)| ShardMut { labels, flags })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.flags.zeroize();
    }
}

impl Level {
    /// Bytes of flags for so many labels.
    fn flags(&self, labels: usize) -> usize {
        labels / self.width / 2
    }

    /// The level below, as [`ShardMut::deepen`] leaves it.
    pub(crate) fn deepened(self) -> Self {
        Self { nodes: 2 * self.nodes, corrected: false, ..self }
    }

    /// The level with its correction, as [`ShardMut::settle`] leaves it; `None` if it has it.
    pub(crate) fn settled(self) -> Option<Self> {
        (!self.corrected).then_some(Self { corrected: true, ..self })
    }
}

impl<'a> Shard<'a> {
    /// In how many registers.
    pub(crate) fn rows(&self) -> usize {
        self.labels.len() / self.width
    }

    /// Where evaluation of what is below starts, once the level is settled.
    pub(crate) fn source(&self) -> Source<'a> {
        Source { labels: self.labels, width: self.width }
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
        let &Self { labels, flags, .. } = self;
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
        let flags = self.flags.chunks(BLOCK / L::WIDTH / 2);
        for (labels, flags) in self.labels.chunks(BLOCK).zip(flags) {
            first = lanes.run(Below { prg, labels, flags, correction, layer: layers[0], consumer: first });
            second = lanes.run(Below { prg, labels, flags, correction, layer: layers[1], consumer: second });
        }
        [first, second]
    }

    /// The sums of the level, which gets its correction.
    pub(crate) fn sums<L: Lanes>(&self, lanes: L, correction: &Correction) -> IndexSums<L> {
        lanes.run(Sum { labels: self.labels, flags: self.flags, correction })
    }
}

impl<'a> ShardMut<'a> {
    /// What the level has of the memory.
    fn end(self, level: &Level) -> (&'a mut [u128], &'a mut [u8]) {
        let (labels, flags) = (level.capacity - level.nodes, self.flags.len() - level.flags(level.nodes));
        (&mut self.labels[labels..], &mut self.flags[flags..])
    }

    /// Replaces the level, which gets its correction, by its uncorrected children, and returns the XOR of those on each side.
    pub(crate) fn deepen<L: Lanes, P: Prg>(
        self,
        lanes: L,
        prg: P,
        level: &Level,
        correction: &Correction,
    ) -> [u128; 2] {
        let (labels, flags) = self.end(&level.deepened());
        lanes.run(Deepen { prg, labels, flags, correction })
    }

    /// Gives the level its correction for good.
    pub(crate) fn settle<L: Lanes>(self, lanes: L, level: &Level, correction: &Correction) {
        let (labels, flags) = self.end(level);
        lanes.run(Settle { labels, flags, correction });
        flags.zeroize();
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
