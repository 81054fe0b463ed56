//! The tree, evaluated in blocks that fit the first-level cache.
//!
//! A [`Walk`] yields the parents of a block of leaves, and the kernel [`Leaves`] hashes these once more and hands the
//! leaves to a [`Consumer`] while they are in registers. No level is ever written out in full:
//!
//! ```text
//!    source          o                        a root, or a stored level
//!                   / \
//!    top           o   o                      CHUNK nodes, in registers of one label
//!                   / \
//!    stage 0      o o o o                     up to BLOCK nodes of level p - LEVELS
//!                  /   \
//!    stage 1   o o o o o o                    BLOCK nodes of level p, from a chunk of stage 0: the parents
//!              ^^^^^^^^^^^                    hashed into 2 BLOCK leaves, consumed at once
//! ```
//!
//! A stage is filled again when the walk leaves the chunk it was made from, so each node is computed once on a walk
//! from left to right. Chunks are wide enough to keep the AES units busy from a stage's first level on.

use core::ops::Range;

use crate::Correction;
use crate::buffer::Buffer;
use crate::lanes::{Hash, Lanes, Level, Meanwhile, Nothing, Row, Step, Work};
use crate::schedule::Schedule;

/// Parents in a block: 16 KiB, half of a small first-level cache. Under Miri small, so that small trees have several.
pub(crate) const BLOCK: usize = if cfg!(miri) { 64 } else { 1024 };

/// Levels that a stage adds to a chunk.
const LEVELS: usize = if cfg!(miri) { 1 } else { 5 };

/// Nodes that a stage is made from. Where a level has less, registers are those of one label.
pub(crate) const CHUNK: usize = BLOCK >> LEVELS;
const _: () = assert!(CHUNK << LEVELS == BLOCK, "a stage makes a block of a chunk");

/// A tree below a level of known labels.
pub(crate) struct Walk<'a, L> {
    lanes: L,
    schedule: &'a Schedule,
    source: &'a [u128],
    /// The first level of at least `CHUNK` nodes, if the source has fewer.
    top: Option<Buffer>,
    /// `steps[i]` leads from level `i` below the source to level `i + 1`; the last one to the leaves.
    steps: Vec<Step>,
    /// From the top down; the last one holds the parents.
    stages: Vec<Stage>,
    /// Parents in a block: `BLOCK`, or all if they are fewer.
    width: usize,
}

/// One buffer, and which part of its level it holds.
struct Stage {
    nodes: Buffer,
    /// Nodes in the buffer, and in the chunk they are made from.
    len: usize,
    chunk: usize,
    /// The steps from chunk to buffer.
    steps: Range<usize>,
    /// One filling serves `1 << span` blocks.
    span: usize,
    /// Number of the filling held; `None` at first.
    held: Option<usize>,
}

impl<'a, L: Lanes> Walk<'a, L> {
    /// The leaves are `steps.len()` levels (at least one) below `source`, whose length is a power of two; there must be
    /// `CHUNK` parents at least, unless a register holds one label.
    pub(crate) fn new(lanes: L, schedule: &'a Schedule, source: &'a [u128], steps: Vec<Step>) -> Self {
        let parents = source.len() << (steps.len() - 1);
        assert!(
            source.len().is_power_of_two() && (L::WIDTH == 1 || parents >= CHUNK),
            "parents fill the registers"
        );
        // The level at which the stages begin.
        let mut first = 0;
        while source.len() << first < CHUNK.min(parents) {
            first += 1;
        }
        let top = (first > 0).then(|| {
            let mut top = Buffer::new(source.len() << first);
            let labels = top.labels_mut();
            labels[..source.len()].copy_from_slice(source);
            lanes.single().run(Expand { schedule, labels, nodes: source.len(), steps: &steps[..first] });
            top
        });
        let mut walk =
            Self { lanes, schedule, source, top, steps, stages: Vec::new(), width: parents.min(BLOCK) };
        let mut bottom = walk.steps.len() - 1;
        loop {
            let nodes = source.len() << bottom;
            // A level that fits a buffer is made from the first one at one go.
            let levels = if nodes <= BLOCK { bottom - first } else { (bottom - first).min(LEVELS) };
            let len = nodes.min(BLOCK);
            walk.stages.push(Stage {
                nodes: Buffer::new(len),
                len,
                chunk: len >> levels,
                steps: bottom - levels..bottom,
                span: walk.steps.len() - 1 - bottom,
                held: None,
            });
            bottom -= levels;
            if bottom == first {
                break;
            }
        }
        walk.stages.reverse();
        walk
    }

    /// Leaves in a block.
    pub(crate) fn block_leaves(&self) -> usize {
        2 * self.width
    }

    /// Blocks of the whole tree.
    pub(crate) fn blocks(&self) -> usize {
        (self.source.len() << (self.steps.len() - 1)) / self.width
    }

    /// Hands the leaves of a block to a consumer, and returns it. Blocks may come in any order; ascending order is the
    /// fast one.
    pub(crate) fn consume<C: Consumer<L>>(&mut self, block: usize, consumer: C) -> C {
        for index in 0..self.stages.len() {
            let (above, below) = self.stages.split_at_mut(index);
            let stage = &mut below[0];
            let filling = block >> stage.span;
            if stage.held == Some(filling) {
                continue;
            }
            let start = filling * stage.chunk;
            let labels = stage.nodes.labels_mut();
            let chunk = &mut labels[..stage.chunk];
            if let Some(upper) = above.last() {
                let start = start - upper.held.unwrap_or(0) * upper.len;
                copy_chunk(&upper.nodes.labels()[..upper.len], L::WIDTH, start, chunk, L::WIDTH);
            } else {
                copy_chunk(self.top.as_ref().map_or(self.source, Buffer::labels), 1, start, chunk, L::WIDTH);
            }
            let steps = &self.steps[stage.steps.clone()];
            self.lanes.run(Expand { schedule: self.schedule, labels, nodes: stage.chunk, steps });
            stage.held = Some(filling);
        }
        let bottom = &self.stages[self.stages.len() - 1];
        let (parents, step) = (&bottom.nodes.labels()[..self.width], self.steps[self.steps.len() - 1]);
        self.lanes.run(Leaves { schedule: self.schedule, parents, step, consumer })
    }
}

/// Copies the nodes from `start` on, as many as there is place for, from one arrangement in lanes to another.
fn copy_chunk(from: &[u128], from_width: usize, start: usize, to: &mut [u128], to_width: usize) {
    // All lengths are powers of two.
    let (from_rows, to_rows) = ((from.len() / from_width).trailing_zeros(), to.len() / to_width);
    for lane in 0..to_width {
        for row in 0..to_rows {
            let node = start + lane * to_rows + row;
            let (from_lane, from_row) = (node >> from_rows, node & ((1 << from_rows) - 1));
            to[row * to_width + lane] = from[from_row * from_width + from_lane];
        }
    }
}

/// The steps of a key.
pub(crate) fn steps(corrections: &[Correction]) -> Vec<Step> {
    corrections.iter().map(Step::new).collect()
}

/// Kernel: the first `nodes` labels become `nodes << steps.len()` labels, in place.
pub(crate) struct Expand<'a> {
    pub(crate) schedule: &'a Schedule,
    pub(crate) labels: &'a mut [u128],
    pub(crate) nodes: usize,
    pub(crate) steps: &'a [Step],
}

impl<L: Lanes> Work<L> for Expand<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let hash = Hash::new(lanes, self.schedule);
        let rows = L::BlockRow::rows_mut(self.labels);
        let mut nodes = self.nodes;
        for step in self.steps {
            let level = Level::new(lanes, self.schedule, &hash, *step);
            let mut row = nodes / L::WIDTH;
            // From the end: the children of row r go to rows 2 r and 2 r + 1, whose own parents are done by then.
            while row >= N {
                row -= N;
                expand_rows::<L, N>(lanes, &level, rows, row);
            }
            while row > 0 {
                row -= 1;
                expand_rows::<L, 1>(lanes, &level, rows, row);
            }
            nodes *= 2;
        }
    }
}

/// Replaces rows `2 row ..` by the children of `N` rows from `row` on.
#[inline(always)]
fn expand_rows<L: Lanes, const N: usize>(lanes: L, level: &Level<L>, rows: &mut [L::BlockRow], row: usize) {
    let mut parents = [lanes.splat_block(0); N];
    for (parent, row) in parents.iter_mut().zip(&rows[row..row + N]) {
        *parent = lanes.load_blocks(row);
    }
    let [left, right] = level.children(lanes, parents, &mut Nothing);
    for i in 0..N {
        lanes.store_blocks(&mut rows[2 * (row + i)], left[i]);
        lanes.store_blocks(&mut rows[2 * (row + i) + 1], right[i]);
    }
}

/// What is done with leaves, a register of parents at a time. Moved through the kernel, so that its sums
/// stay in registers.
pub(crate) trait Consumer<L: Lanes> {
    /// The leaves below row `row` of the block's parents. Must be `#[inline(always)]`.
    fn take(&mut self, lanes: L, row: usize, left: L::Blocks, right: L::Blocks);

    /// The block is over. Must be `#[inline(always)]`.
    #[inline(always)]
    fn finish_block(&mut self, lanes: L) {
        let _ = lanes;
    }
}

/// Kernel: hashes a block of parents and hands over the leaves.
pub(crate) struct Leaves<'a, C> {
    pub(crate) schedule: &'a Schedule,
    pub(crate) parents: &'a [u128],
    pub(crate) step: Step,
    pub(crate) consumer: C,
}

impl<L: Lanes, C: Consumer<L>> Work<L> for Leaves<'_, C> {
    type Output = C;

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) -> C {
        let hash = Hash::new(lanes, self.schedule);
        let level = Level::new(lanes, self.schedule, &hash, self.step);
        let mut consumer = self.consumer;
        let rows = L::BlockRow::rows(self.parents);
        let mut row = 0;
        if rows.len() >= N {
            let children = hash_rows::<L, Nothing, N>(lanes, &level, rows, 0, &mut Nothing);
            let mut pending = Pending { consumer, row: 0, children };
            row = N;
            while row + N <= rows.len() {
                pending.children = hash_rows(lanes, &level, rows, row, &mut pending);
                pending.row = row;
                row += N;
            }
            for i in 0..N {
                pending.take(lanes, i);
            }
            consumer = pending.consumer;
        }
        while row < rows.len() {
            let children = hash_rows::<L, Nothing, 1>(lanes, &level, rows, row, &mut Nothing);
            consumer.take(lanes, row, children[0][0], children[1][0]);
            row += 1;
        }
        consumer.finish_block(lanes);
        consumer
    }
}

/// Leaves that are consumed while the next ones are hashed.
struct Pending<L: Lanes, C, const N: usize> {
    consumer: C,
    row: usize,
    children: [[L::Blocks; N]; 2],
}

impl<L: Lanes, C: Consumer<L>, const N: usize> Pending<L, C, N> {
    #[inline(always)]
    fn take(&mut self, lanes: L, i: usize) {
        self.consumer.take(lanes, self.row + i, self.children[0][i], self.children[1][i]);
    }
}

impl<L: Lanes, C: Consumer<L>, const N: usize> Meanwhile<L> for Pending<L, C, N> {
    #[inline(always)]
    fn after_round(&mut self, lanes: L, round: usize) {
        // One register after each of the last rounds.
        for i in 0..N {
            if round == i + 9 - N {
                self.take(lanes, i);
            }
        }
    }
}

/// The children of `N` rows from `row` on.
#[inline(always)]
fn hash_rows<L: Lanes, M: Meanwhile<L>, const N: usize>(
    lanes: L,
    level: &Level<L>,
    rows: &[L::BlockRow],
    row: usize,
    meanwhile: &mut M,
) -> [[L::Blocks; N]; 2] {
    let mut parents = [lanes.splat_block(0); N];
    for (parent, row) in parents.iter_mut().zip(&rows[row..row + N]) {
        *parent = lanes.load_blocks(row);
    }
    level.children(lanes, parents, meanwhile)
}
