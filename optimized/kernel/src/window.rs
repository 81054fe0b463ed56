//! Which leaves meet which memory.
//!
//! Leaf `j` meets memory word `(j + S) mod n`. A worker owns a range of memory and goes through it from its start, so that
//! several trees with shifts of their own share one pass. Blocks of leaves are aligned to the tree, hence in general not
//! to the range: the first and the last one reach out of it.
//!
//! ```text
//!    memory range             |....................|
//!    blocks of leaves    |  skip  |        |        |        |
//!    step                     0       1        2        3
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use zeroize::Zeroizing;

use crate::lanes::Lanes;
use crate::layer::Children;
use crate::prg::{Mmo, Step};
use crate::tree::{Consumer, Source, Walk, steps};
use crate::{Kernels, Key};

/// The walk over a key's tree from its root to the parents of the leaves, and the step from there to the leaves.
pub(crate) fn walk<'a, L: Lanes>(
    lanes: L,
    kernels: &'a Kernels<'_>,
    key: &'a Key,
) -> (Walk<'a, L, Mmo<'a>>, Children) {
    let mut steps = steps(key.corrections());
    let leaves = steps.pop().unwrap_or(Step::UNCORRECTED);
    (Walk::new(lanes, kernels.prg(), Source::root(key.root_label()), steps), Children(leaves))
}

/// A tree's blocks over a range of memory.
pub(crate) struct Window<'a, L> {
    walk: Walk<'a, L, Mmo<'a>>,
    /// From the parents to the leaves.
    layer: Children,
    /// The first block, and how many of its leaves lie before the range.
    first: usize,
    skip: usize,
    /// Words of the range.
    len: usize,
}

impl<'a, L: Lanes> Window<'a, L> {
    pub(crate) fn new(
        lanes: L,
        kernels: &'a Kernels<'_>,
        key: &'a Key,
        range: &Range<usize>,
        shift: usize,
    ) -> Self {
        let (walk, layer) = walk(lanes, kernels, key);
        let leaves = walk.blocks() * walk.block_leaves();
        let leaf = (range.start + leaves - shift % leaves) % leaves;
        let (first, skip) = (leaf / walk.block_leaves(), leaf % walk.block_leaves());
        Self { walk, layer, first, skip, len: range.len() }
    }

    /// How many blocks meet the range.
    pub(crate) fn steps(&self) -> usize {
        (self.skip + self.len).div_ceil(self.walk.block_leaves())
    }

    /// The part of the range that a block meets, and how many of the block's leaves lie before it.
    fn overlap(&self, step: usize) -> (Range<usize>, usize) {
        let block = self.walk.block_leaves();
        let start = (step * block).max(self.skip);
        let end = ((step + 1) * block).min(self.skip + self.len);
        (start - self.skip..end - self.skip, start - step * block)
    }

    /// Evaluates a block.
    pub(crate) fn consume<C: Consumer<L>>(&mut self, step: usize, consumer: C) -> C {
        let block = (self.first + step) % self.walk.blocks();
        self.walk.consume(block, self.layer, consumer)
    }

    /// The memory that a block meets: in place, or copied into `scratch` with zeros for leaves outside of the range. And
    /// what comes after it, to be prefetched.
    pub(crate) fn words<'m>(
        &self,
        step: usize,
        memory: &'m [u64],
        scratch: &'m mut Scratch,
    ) -> Pairs<'m, &'m [[u64; 2]]> {
        let (part, before) = self.overlap(step);
        let ahead = ahead(&memory[part.end..], self.walk.block_leaves());
        if part.len() == self.walk.block_leaves() {
            return Pairs { block: memory[part].as_chunks().0, ahead };
        }
        Pairs { block: scratch.fill(self.walk.block_leaves(), before, &memory[part]).as_chunks().0, ahead }
    }

    /// The same for memory that changes. What was copied must be given to [`Self::put_back`].
    pub(crate) fn words_mut<'m>(
        &self,
        step: usize,
        memory: &'m mut [u64],
        scratch: &'m mut Scratch,
    ) -> Pairs<'m, &'m mut [[u64; 2]]> {
        let (part, before) = self.overlap(step);
        let (memory, rest) = memory.split_at_mut(part.end);
        let ahead = ahead(rest, self.walk.block_leaves());
        if part.len() == self.walk.block_leaves() {
            return Pairs { block: memory[part].as_chunks_mut().0, ahead };
        }
        Pairs {
            block: scratch.fill(self.walk.block_leaves(), before, &memory[part]).as_chunks_mut().0,
            ahead,
        }
    }

    /// Ends what [`Self::words_mut`] began.
    pub(crate) fn put_back(&self, step: usize, memory: &mut [u64], scratch: &Scratch) {
        let (part, before) = self.overlap(step);
        if part.len() < self.walk.block_leaves() {
            let words = &scratch.0[before..before + part.len()];
            memory[part].copy_from_slice(words);
        }
    }
}

/// Memory of a block in pairs, which is how leaves come: a left and a right one.
pub(crate) struct Pairs<'m, P> {
    pub(crate) block: P,
    ahead: &'m [[u64; 2]],
}

impl<P: AsRef<[[u64; 2]]>> Pairs<'_, P> {
    /// Prefetches what the next block needs, as much as this row of the block needs itself. Lanes read several places at
    /// once, each for a few KiB only, which is too short for the hardware to foresee.
    #[inline(always)]
    pub(crate) fn prefetch<L: Lanes>(&self, lanes: L, row: usize) {
        if (row * L::WIDTH).is_multiple_of(4) {
            lanes.prefetch(self.ahead, row * L::WIDTH);
        }
    }

    /// The distance between two lanes.
    #[inline(always)]
    pub(crate) fn stride<L: Lanes>(&self) -> usize {
        self.block.as_ref().len() / L::WIDTH
    }
}

fn ahead(rest: &[u64], block: usize) -> &[[u64; 2]] {
    rest[..rest.len().min(block)].as_chunks().0
}

/// A block's worth of memory, for blocks that reach out of the range. Wiped when dropped.
#[derive(Default)]
pub(crate) struct Scratch(Zeroizing<Vec<u64>>);

impl Scratch {
    fn fill(&mut self, len: usize, before: usize, words: &[u64]) -> &mut [u64] {
        self.0.clear();
        self.0.resize(len, 0);
        self.0[before..before + words.len()].copy_from_slice(words);
        &mut self.0
    }
}
