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

use alloc::vec::Vec;
use core::ops::Range;

use crate::Correction;
use crate::buffer::Buffer;
use crate::lanes::{Lanes, Meanwhile, Nothing, Row, Work};
use crate::layer::Layer;
use crate::prg::{Prg, Step};

/// Parents in a block: 16 KiB, half of a small first-level cache. Under Miri small, so that small trees have several.
pub(crate) const BLOCK: usize = if cfg!(miri) { 64 } else { 1024 };

/// Levels that a stage adds to a chunk.
const LEVELS: usize = if cfg!(miri) { 1 } else { 5 };

/// Nodes that a stage is made from. Where a level has less, registers are those of one label.
pub(crate) const CHUNK: usize = BLOCK >> LEVELS;
const _: () = assert!(CHUNK << LEVELS == BLOCK, "a stage makes a block of a chunk");

/// The labels of a level that evaluation starts from: a root, or a stored level.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) labels: &'a [u128],
    /// The lanes that they are arranged in (`docs/lanes.md`); 1 is their natural order. A walk in as many lanes takes them by
    /// whole rows, so that each of its lanes stays below the same lane of the source.
    pub(crate) width: usize,
}

impl<'a> Source<'a> {
    pub(crate) fn root(root: &'a u128) -> Self {
        Self { labels: core::slice::from_ref(root), width: 1 }
    }
}

/// A tree below a level of known labels, down to the parents of what is asked for.
pub(crate) struct Walk<'a, L, P> {
    lanes: L,
    prg: P,
    source: Source<'a>,
    /// The first level of at least `CHUNK` nodes, if the source has fewer.
    top: Option<Buffer>,
    /// `steps[i]` leads from level `i` below the source to level `i + 1`; the last one to the parents.
    steps: Vec<Step>,
    /// From the top down; the last one holds the parents.
    stages: Vec<Stage>,
    /// Parents in a block: `BLOCK`, or all if they are fewer.
    width: usize,
}

/// How far apart leaves are.
#[derive(Clone, Copy)]
pub(crate) struct Places {
    /// From a block to the next one.
    pub(crate) block: usize,
    /// From a lane to the next one.
    pub(crate) lane: usize,
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

impl<'a, L: Lanes, P: Prg> Walk<'a, L, P> {
    /// The parents are `steps.len()` levels below `source`, whose length is a power of two; there must be `CHUNK` of them at
    /// least, unless a register holds one label.
    pub(crate) fn new(lanes: L, prg: P, source: Source<'a>, steps: Vec<Step>) -> Self {
        let nodes = source.labels.len();
        let parents = nodes << steps.len();
        assert!(nodes.is_power_of_two() && (L::WIDTH == 1 || parents >= CHUNK), "parents fill the registers");
        // The level at which the stages begin.
        let mut first = 0;
        while nodes << first < CHUNK.min(parents) {
            first += 1;
        }
        let top = (first > 0).then(|| {
            let mut top = Buffer::new(nodes << first);
            let labels = top.labels_mut();
            copy_chunk(source.labels, source.width, 0, &mut labels[..nodes], 1);
            lanes.single().run(Expand { prg, labels, nodes, steps: &steps[..first] });
            top
        });
        let mut walk = Self { lanes, prg, source, top, steps, stages: Vec::new(), width: parents.min(BLOCK) };
        let mut bottom = walk.steps.len();
        loop {
            let nodes = nodes << bottom;
            // A level that fits a buffer is made from the first one at one go.
            let levels = if nodes <= BLOCK { bottom - first } else { (bottom - first).min(LEVELS) };
            let len = nodes.min(BLOCK);
            walk.stages.push(Stage {
                nodes: Buffer::new(len),
                len,
                chunk: len >> levels,
                steps: bottom - levels..bottom,
                span: walk.steps.len() - bottom,
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

    /// Parents in a block.
    pub(crate) fn block_parents(&self) -> usize {
        self.width
    }

    /// Rows of parents in a block.
    pub(crate) fn block_rows(&self) -> usize {
        self.width / L::WIDTH
    }

    /// Leaves in a block, two for each parent.
    pub(crate) fn block_leaves(&self) -> usize {
        2 * self.width
    }

    /// Where the leaves of a block are.
    pub(crate) fn places(&self) -> Places {
        let (lanes, leaves) = (L::WIDTH, self.block_leaves());
        if self.source.width == lanes {
            return Places { block: leaves / lanes, lane: self.blocks() * leaves / lanes };
        }
        Places { block: leaves, lane: leaves / lanes }
    }

    /// Blocks of the whole tree.
    pub(crate) fn blocks(&self) -> usize {
        (self.source.labels.len() << self.steps.len()) / self.width
    }

    /// Hands what hangs on a block of parents to a consumer, and returns it. Blocks may come in any order; ascending order
    /// is the fast one.
    pub(crate) fn consume<Y: Layer<P>, C: Consumer<L>>(&mut self, block: usize, layer: Y, consumer: C) -> C {
        let (lanes, prg) = (self.lanes, self.prg);
        lanes.run(Leaves { prg, parents: self.parents(block), layer, consumer })
    }

    /// The parents of a block.
    pub(crate) fn parents(&mut self, block: usize) -> &[u128] {
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
            let (from, width, start) = if let Some(upper) = above.last() {
                (&upper.nodes.labels()[..upper.len], L::WIDTH, start - upper.held.unwrap_or(0) * upper.len)
            } else if let Some(top) = &self.top {
                (top.labels(), 1, start)
            } else {
                (self.source.labels, self.source.width, start)
            };
            if self.source.width == L::WIDTH {
                chunk.copy_from_slice(&from[start..start + chunk.len()]);
            } else {
                copy_chunk(from, width, start, chunk, L::WIDTH);
            }
            let steps = &self.steps[stage.steps.clone()];
            self.lanes.run(Expand { prg: self.prg, labels, nodes: stage.chunk, steps });
            stage.held = Some(filling);
        }
        let bottom = &self.stages[self.stages.len() - 1];
        &bottom.nodes.labels()[..self.width]
    }
}

/// Copies the nodes from `start` on, as many as there is place for, from one arrangement in lanes to another.
pub(crate) fn copy_chunk(from: &[u128], from_width: usize, start: usize, to: &mut [u128], to_width: usize) {
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

/// The steps of some levels.
pub(crate) fn steps(corrections: &[Correction]) -> Vec<Step> {
    corrections.iter().map(Step::new).collect()
}

/// Kernel: the first `nodes` labels become `nodes << steps.len()` labels, in place.
struct Expand<'a, P> {
    prg: P,
    labels: &'a mut [u128],
    nodes: usize,
    steps: &'a [Step],
}

impl<L: Lanes, P: Prg> Work<L> for Expand<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let rows = L::BlockRow::rows_mut(self.labels);
        let mut nodes = self.nodes;
        for step in self.steps {
            let level = self.prg.level(lanes, *step);
            let mut row = nodes / L::WIDTH;
            // From the end: the children of row r go to rows 2 r and 2 r + 1, whose own parents are done by then.
            while row >= N {
                row -= N;
                expand_rows::<L, P, N>(lanes, &level, rows, row);
            }
            while row > 0 {
                row -= 1;
                expand_rows::<L, P, 1>(lanes, &level, rows, row);
            }
            nodes *= 2;
        }
    }
}

/// Replaces rows `2 row ..` by the children of `N` rows from `row` on.
#[inline(always)]
fn expand_rows<L: Lanes, P: Prg, const N: usize>(
    lanes: L,
    level: &P::Level<L>,
    rows: &mut [L::BlockRow],
    row: usize,
) {
    let [left, right] = P::children(lanes, level, load_rows::<L, N>(lanes, rows, row), &mut Nothing);
    for i in 0..N {
        lanes.store_blocks(&mut rows[2 * (row + i)], left[i]);
        lanes.store_blocks(&mut rows[2 * (row + i) + 1], right[i]);
    }
}

/// `N` rows from `row` on.
#[inline(always)]
pub(crate) fn load_rows<L: Lanes, const N: usize>(
    lanes: L,
    rows: &[L::BlockRow],
    row: usize,
) -> [L::Blocks; N] {
    let mut blocks = [lanes.splat_block(0); N];
    for (blocks, row) in blocks.iter_mut().zip(&rows[row..row + N]) {
        *blocks = lanes.load_blocks(row);
    }
    blocks
}

/// What is done with leaves, two registers at a time. Moved through the kernel, so that its sums stay in registers.
pub(crate) trait Consumer<L: Lanes> {
    /// Unit `unit` of a layer, two registers; `layer` says where they belong in the block. For leaves, a unit is a row of the
    /// block's parents, and the registers their left and right children. Must be `#[inline(always)]`.
    fn take(&mut self, lanes: L, unit: usize, first: L::Blocks, second: L::Blocks);

    /// The block is over. Must be `#[inline(always)]`.
    #[inline(always)]
    fn finish_block(&mut self, lanes: L) {
        let _ = lanes;
    }
}

/// Kernel: hashes a block of parents and hands over what comes out.
struct Leaves<'a, P, Y, C> {
    prg: P,
    parents: &'a [u128],
    layer: Y,
    consumer: C,
}

impl<L: Lanes, P: Prg, Y: Layer<P>, C: Consumer<L>> Work<L> for Leaves<'_, P, Y, C> {
    type Output = C;

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) -> C {
        let layer = self.layer.constants(lanes, self.prg);
        let mut consumer = self.consumer;
        let rows = L::BlockRow::rows(self.parents);
        let units = rows.len() * Y::OUTPUTS / 2;
        let mut unit = 0;
        if units >= N {
            let outputs = Y::hash::<L, Nothing, N>(lanes, &layer, rows, 0, &mut Nothing);
            let mut pending = Pending { consumer, unit: 0, outputs };
            unit = N;
            while unit + N <= units {
                pending.outputs = Y::hash(lanes, &layer, rows, unit, &mut pending);
                pending.unit = unit;
                unit += N;
            }
            for i in 0..N {
                pending.take(lanes, i);
            }
            consumer = pending.consumer;
        }
        while unit < units {
            let [[first], [second]] = Y::hash::<L, Nothing, 1>(lanes, &layer, rows, unit, &mut Nothing);
            consumer.take(lanes, unit, first, second);
            unit += 1;
        }
        consumer.finish_block(lanes);
        consumer
    }
}

/// Leaves that are consumed while the next ones are hashed.
pub(crate) struct Pending<L: Lanes, C, const N: usize> {
    pub(crate) consumer: C,
    pub(crate) unit: usize,
    pub(crate) outputs: [[L::Blocks; N]; 2],
}

impl<L: Lanes, C: Consumer<L>, const N: usize> Pending<L, C, N> {
    /// Consumes register `i`.
    #[inline(always)]
    pub(crate) fn take(&mut self, lanes: L, i: usize) {
        self.consumer.take(lanes, self.unit + i, self.outputs[0][i], self.outputs[1][i]);
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
