//! App. C: a batch of trees, grown level by level.
//!
//! At each level the primaries need the XOR of all uncorrected left children and of all right children, agree on the
//! correction, and go on. A tree keeps at most one level, the *stored level*, and evaluates what is below again whenever
//! the next level is asked for (before the stored level is reached, from the root):
//!
//! ```text
//!    stored level, corrected     o o o o o o o o        16 bytes a label
//!                                 \|/ \|/ \|/
//!    levels below                . . . . . . . .        recomputed block by block, in the cache
//!                                 v     v     v
//!    the level asked for         XOR of left, XOR of right
//! ```
//!
//! Hashing a node again takes a third of a nanosecond; writing it and reading it back takes as long, and a page fault
//! when it is new. With the root alone a tree costs `6 * 2^h` AES calls (a single evaluation costs `2 * 2^h`), with level
//! `h - 6` stored, a quarter of a byte a leaf, `5.8 * 2^h`; with more the calls that are saved cost more than they took.

use core::ops::Range;

use zeroize::{Zeroize, Zeroizing};

use crate::backend::dispatch;
use crate::buffer::Buffer;
use crate::lanes::{Lanes, Row, Step};
use crate::schedule::Schedule;
use crate::sums::{BlockSums, IndexSums, LeafSum};
use crate::tree::{Consumer, Walk, steps};
use crate::workers::ranges;
use duoram_reference::LeafSums;

use crate::{Correction, Kernels};

/// A batch of one party's trees while they grow, all of the same depth.
pub struct Forest {
    trees: Vec<Tree>,
    stored_depth: usize,
    depth: usize,
    /// Between [`Kernels::grow`] and [`Kernels::correct`].
    grown: bool,
}

/// One tree.
struct Tree {
    root: u128,
    corrections: Vec<Correction>,
    /// The labels of the stored level in order, once it is reached.
    stored: Option<Buffer>,
}

impl Drop for Tree {
    fn drop(&mut self) {
        self.root.zeroize();
    }
}

impl Forest {
    fn len(&self) -> usize {
        self.trees.len()
    }

    /// The bytes that a tree's labels take when they are stored down to `stored_depth`.
    pub fn bytes_per_tree(stored_depth: usize) -> usize {
        16 << stored_depth
    }

    /// The greatest useful stored depth for trees of `2^height` leaves such that `trees` of them take at most `budget`
    /// bytes: never more than `height - 6`, since from there on memory costs more time than it saves.
    pub fn stored_depth(height: usize, trees: usize, budget: usize) -> usize {
        let mut depth = height.saturating_sub(6);
        while depth > 0 && Self::bytes_per_tree(depth).saturating_mul(trees) > budget {
            depth -= 1;
        }
        depth
    }
}

impl Kernels<'_> {
    /// Trees of one level, the roots. Their labels are stored down to level `stored_depth`
    /// ([`Forest::stored_depth`]).
    pub fn plant(&self, roots: &[u128], stored_depth: usize) -> Forest {
        let plant = |root: &u128| Tree { root: *root, corrections: Vec::new(), stored: None };
        let trees = roots.iter().map(plant).collect();
        Forest { trees, stored_depth, depth: 0, grown: false }
    }

    /// Computes the next level of every tree: the XOR of all uncorrected left children, and of all right ones.
    ///
    /// # Panics
    /// If the last level has not been corrected.
    pub fn grow(&self, forest: &mut Forest) -> Vec<[u128; 2]> {
        assert!(!forest.grown, "correct the last level first");
        self.store(forest);
        forest.grown = true;
        let parents = 1 << forest.depth;
        let (sums, parts) = dispatch!(self.backend.for_parents(parents), lanes => {
            self.visit(forest, Some(Step::UNCORRECTED), |schedule, tree, steps, blocks| {
                let mut walk = Walk::new(lanes, schedule, tree.source(), steps);
                let mut sums = BlockSums::new(lanes);
                for block in blocks {
                    sums = walk.consume(block, sums);
                }
                sums.finish(lanes)
            })
        });
        sums.chunks(parts).map(|parts| parts.iter().fold([0; 2], |a, b| [a[0] ^ b[0], a[1] ^ b[1]])).collect()
    }

    /// Completes the level that [`Self::grow`] began, with one correction a tree.
    ///
    /// # Panics
    /// If there is no such level, or the number of corrections is not that of trees.
    pub fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        assert!(forest.grown && corrections.len() == forest.len(), "one correction a tree after each growth");
        for (tree, correction) in forest.trees.iter_mut().zip(corrections) {
            tree.corrections.push(*correction);
        }
        forest.depth += 1;
        forest.grown = false;
    }

    /// Adds up the leaves of every tree.
    ///
    /// # Panics
    /// If the forest has no level but the roots, or the last level has not been corrected.
    pub fn leaf_sums(&self, forest: &Forest) -> Vec<LeafSums> {
        assert!(forest.depth > 0 && !forest.grown, "leaves are sums of a corrected level");
        let parents = 1 << (forest.depth - 1);
        let (sums, parts) = dispatch!(self.backend.for_parents(parents), lanes => {
            self.visit(forest, None, |schedule, tree, steps, blocks| {
                let mut walk = Walk::new(lanes, schedule, tree.source(), steps);
                let leaves = walk.block_leaves();
                let mut sums = IndexSums::new(lanes);
                for block in blocks.clone() {
                    sums = walk.consume(block, sums);
                }
                sums.finish(lanes, blocks.start * leaves, blocks.len(), leaves)
            })
        });
        sums.chunks(parts).map(|parts| parts.iter().fold(LeafSums::default(), plus)).collect()
    }

    /// Writes the stored level down, if it has just been reached.
    fn store(&self, forest: &mut Forest) {
        if forest.depth != forest.stored_depth || forest.depth == 0 {
            return;
        }
        let parents = 1 << (forest.depth - 1);
        self.workers.map(forest.trees.iter_mut().collect(), |tree: &mut Tree| {
            let mut stored = Buffer::new(2 * parents);
            let (source, steps) = (core::slice::from_ref(&tree.root), steps(&tree.corrections));
            dispatch!(self.backend.for_parents(parents), lanes => {
                let mut walk = Walk::new(lanes, &self.schedule, source, steps);
                let leaves = walk.block_leaves();
                for (block, labels) in stored.labels_mut()[..2 * parents].chunks_mut(leaves).enumerate() {
                    walk.consume(block, Labels { labels });
                }
            });
            tree.stored = Some(stored);
        });
    }

    /// Cuts the level below the stored one of every tree into parts, and visits them in parallel: the results of each tree's
    /// parts in turn, and how many parts a tree has. The steps are those from the stored level on, with `last` after them.
    fn visit<T: Send + Zeroize>(
        &self,
        forest: &Forest,
        last: Option<Step>,
        visit: impl Fn(&Schedule, &Tree, Vec<Step>, Range<usize>) -> T + Sync + Send,
    ) -> (Zeroizing<Vec<T>>, usize) {
        let depth = forest.depth - usize::from(last.is_none());
        let blocks = (1usize << depth).div_ceil(crate::tree::BLOCK);
        // Many trees are enough for all threads; few are cut.
        let parts = self.workers.parts(blocks).div_ceil(forest.len().max(1));
        let mut jobs = Vec::with_capacity(forest.len() * parts);
        for tree in &forest.trees {
            for range in ranges(blocks, parts) {
                jobs.push((tree, range));
            }
        }
        let results = self.workers.map(jobs, |(tree, range)| {
            let mut steps = steps(&tree.corrections[tree.source().len().trailing_zeros() as usize..]);
            steps.extend(last);
            visit(&self.schedule, tree, steps, range)
        });
        (Zeroizing::new(results), parts)
    }
}

impl Tree {
    /// The labels that evaluation starts from.
    fn source(&self) -> &[u128] {
        match &self.stored {
            Some(stored) => stored.labels(),
            None => core::slice::from_ref(&self.root),
        }
    }
}

/// Consumer: writes the labels of a block down, in order.
struct Labels<'a> {
    labels: &'a mut [u128],
}

impl<L: Lanes> Consumer<L> for Labels<'_> {
    #[inline(always)]
    fn take(&mut self, lanes: L, row: usize, left: L::Blocks, right: L::Blocks) {
        let rows = self.labels.len() / (2 * L::WIDTH);
        let (left, right) = (lanes.to_block_row(left), lanes.to_block_row(right));
        for lane in 0..L::WIDTH {
            self.labels[2 * (lane * rows + row)] = left.items()[lane];
            self.labels[2 * (lane * rows + row) + 1] = right.items()[lane];
        }
    }
}

/// The sums of two parts of a tree's leaves, the second with its sums weighted by the index.
fn plus(sums: LeafSums, (part, index_flags, index_conversions): &(LeafSum, u64, u64)) -> LeafSums {
    LeafSums {
        flag_count: sums.flag_count.wrapping_add(part.flag_count),
        conversion_sum: sums.conversion_sum.wrapping_add(part.conversion_sum),
        value_sum: sums.value_sum.wrapping_add(part.value_sum),
        index_flag_sum: sums.index_flag_sum.wrapping_add(*index_flags),
        index_conversion_sum: sums.index_conversion_sum.wrapping_add(*index_conversions),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Features, Workers};

    /// It saves time only: without it, or with another level, all sums would be the same.
    #[test]
    fn the_stored_level_is_written_down_as_soon_as_it_is_reached() {
        let workers = Workers::new(1).unwrap();
        for backend in Backend::available(&Features::detect()) {
            let kernels = Kernels::new(backend, 1, &workers);
            let mut forest = kernels.plant(&[2, 4], 3);
            for depth in 0..5 {
                kernels.grow(&mut forest);
                let labels = if depth < 3 { 1 } else { 8 };
                assert!(forest.trees.iter().all(|tree| tree.source().len() == labels), "depth {depth}");
                kernels.correct(&mut forest, &[Correction::default(); 2]);
            }
        }
    }
}
