//! DUORAM, App. C: a batch of trees, grown level by level.
//!
//! At each level the primaries need the XOR of all uncorrected left children and of all right children, agree on the
//! correction, and go on. A tree stores its lowest level, in shards, down to the *stored level*; what is below is evaluated
//! again whenever the next level is asked for:
//!
//! ```text
//!    first levels                      o              a few nodes, from the root each time
//!                                     / \
//!    stored, in place             o o o o o o         hashed once, 16 bytes a label
//!                                  \|/ \|/
//!    levels below                . . . . . . . .      hashed again, block by block, in the cache
//!                                 v     v     v
//!    the level asked for         XOR of left, XOR of right
//! ```
//!
//! Stored down to the leaves, a tree of n leaves costs 2 n AES calls; down to one level above them, 3 n; two, 4 n; six, 5.8 n;
//! without a stored level, 6 n. What a stored label costs, and an AES call, depends on the machine ([`Tuning`]).

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use zeroize::{Zeroize, Zeroizing};

use crate::backend::dispatch;
use crate::evaluate::Labels;
use crate::layer::{Children, Plain};
use crate::prg::Step;
use crate::shard::Shard;
use crate::sums::{BlockSums, IndexSums, LeafSum};
use crate::tree::{BLOCK, CHUNK, Places, Source, Walk, steps};
use crate::workers::ranges;
use crate::{Correction, Kernels, Tuning};

/// Sums over the leaves of one tree, all mod 2^64 and without the party's sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeafSums {
    /// Flags, conversion words and value words.
    pub leaves: LeafSum,
    /// Sum of `i t[i]`.
    pub index_flag_sum: u64,
    /// Sum of `i c[i]`.
    pub index_conversion_sum: u64,
}

impl LeafSums {
    fn plus(self, other: Self) -> Self {
        Self {
            leaves: self.leaves.plus(other.leaves),
            index_flag_sum: self.index_flag_sum.wrapping_add(other.index_flag_sum),
            index_conversion_sum: self.index_conversion_sum.wrapping_add(other.index_conversion_sum),
        }
    }
}

impl Zeroize for LeafSums {
    fn zeroize(&mut self) {
        self.leaves.zeroize();
        self.index_flag_sum.zeroize();
        self.index_conversion_sum.zeroize();
    }
}

/// A batch of one party's trees while they grow, all of the same depth. The default has no trees.
#[derive(Default)]
pub struct Forest {
    pub(crate) trees: Vec<Tree>,
    stored_depth: usize,
    pub(crate) depth: usize,
    /// Between [`Kernels::grow`] and [`Kernels::correct`].
    pub(crate) grown: bool,
}

/// One tree.
pub(crate) struct Tree {
    root: u128,
    corrections: Vec<Correction>,
    /// The lowest stored level, once it is worth while; a power of two of shards.
    shards: Vec<Shard>,
    /// The memory of a tree that was here before.
    spare: Vec<Shard>,
}

impl Drop for Tree {
    fn drop(&mut self) {
        self.root.zeroize();
    }
}

impl Forest {
    /// The bytes that a tree takes when its labels are stored down to `stored_depth`.
    pub fn bytes_per_tree(stored_depth: usize) -> usize {
        Shard::bytes(1 << stored_depth)
    }

    /// Down to which level trees of `2^height` leaves are best stored on a machine so tuned, such that `trees` of them take at
    /// most `budget` bytes.
    pub fn stored_depth(height: usize, trees: usize, budget: usize, tuning: Tuning) -> usize {
        let mut depth = height.saturating_sub(tuning.levels_above());
        while depth > 0 && Self::bytes_per_tree(depth).saturating_mul(trees) > budget {
            depth -= 1;
        }
        depth
    }

    /// Forgets the first `count` trees; the others go on.
    pub fn forget(&mut self, count: usize) {
        let mut left = Vec::with_capacity(self.trees.len().saturating_sub(count));
        for tree in self.trees.iter_mut().skip(count) {
            // In its place stays a tree that holds nothing: what is moved would leave its root behind.
            let nothing = Tree { root: 0, corrections: Vec::new(), shards: Vec::new(), spare: Vec::new() };
            left.push(core::mem::replace(tree, nothing));
        }
        self.trees = left;
    }

    /// Nodes of the level that is asked for next, or of the leaves.
    pub(crate) fn nodes(&self) -> usize {
        1 << self.depth
    }
}

impl Kernels<'_> {
    /// Trees of one level, the roots. Their labels are stored down to level `stored_depth` ([`Forest::stored_depth`]).
    pub fn plant(&self, roots: &[u128], stored_depth: usize) -> Forest {
        let mut forest = Forest { trees: Vec::new(), stored_depth, depth: 0, grown: false };
        self.replant(&mut forest, roots, stored_depth);
        forest
    }

    /// The same in the place of trees that are done with, whose memory is used again where it fits. Until it is, it holds
    /// their labels; it is wiped when the forest is dropped.
    pub fn replant(&self, forest: &mut Forest, roots: &[u128], stored_depth: usize) {
        let mut trees = Vec::with_capacity(roots.len());
        let mut old = core::mem::take(&mut forest.trees);
        if forest.stored_depth != stored_depth {
            // Nothing would fit, and it must not count on top of the budget.
            old.clear();
        }
        // An old tree stays where it is, to be wiped there: one that is moved leaves its root behind.
        let mut old = old.iter_mut();
        for root in roots {
            let mut spare = Vec::new();
            if let Some(tree) = old.next() {
                spare =
                    core::mem::take(if tree.shards.is_empty() { &mut tree.spare } else { &mut tree.shards });
            }
            trees.push(Tree { root: *root, corrections: Vec::new(), shards: Vec::new(), spare });
        }
        *forest = Forest { trees, stored_depth, depth: 0, grown: false };
    }

    /// Computes the next level of every tree: the XOR of all uncorrected left children, and of all right ones.
    ///
    /// # Panics
    /// If the last level has not been corrected.
    pub fn grow(&self, forest: &mut Forest) -> Vec<[u128; 2]> {
        assert!(!forest.grown, "correct the last level first");
        forest.grown = true;
        self.store(forest);
        let (depth, stored) =
            (forest.depth, forest.trees.first().is_some_and(|tree| !tree.shards.is_empty()));
        if stored && depth < forest.stored_depth {
            return self.deepen(forest);
        }
        if stored && depth == forest.stored_depth {
            return self.below_stored(forest);
        }
        if stored {
            self.settle(forest);
        }
        let (sums, parts) = dispatch!(self.backend.for_parents(forest.nodes()), lanes => {
            self.visit(forest, depth, |source, steps, _, blocks| {
                let mut walk = Walk::new(lanes, self.prg(), source, steps);
                let mut sums = BlockSums::new(lanes);
                for block in blocks {
                    sums = walk.consume(block, Plain(0), sums);
                }
                sums.finish(lanes)
            })
        });
        sums.chunks(parts).map(xor).collect()
    }

    /// Completes the level that [`Self::grow`] began, with one correction a tree.
    ///
    /// # Panics
    /// If there is no such level, or the number of corrections is not that of trees.
    pub fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        assert!(
            forest.grown && corrections.len() == forest.trees.len(),
            "one correction a tree after each growth"
        );
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
        if let Some(tree) = forest.trees.first() {
            if tree.stores(forest.depth) {
                return self.stored_leaf_sums(forest);
            }
            if tree.stores(forest.depth - 1) {
                return self.leaf_sums_below_stored(forest);
            }
        }
        let parents = forest.nodes() / 2;
        let (sums, parts) = dispatch!(self.backend.for_parents(parents), lanes => {
            self.visit(forest, forest.depth - 1, |source, mut steps, first, blocks| {
                let leaves = Children(steps.pop().unwrap_or(Step::UNCORRECTED));
                let mut walk = Walk::new(lanes, self.prg(), source, steps);
                let (places, rows) = (walk.places(), walk.block_rows());
                let mut sums = IndexSums::new(lanes);
                for block in blocks.clone() {
                    sums = walk.consume(block, leaves, sums);
                }
                sums.finish(lanes, 2 * first + blocks.start * places.block, places, blocks.len(), rows)
            })
        });
        sums.chunks(parts).map(sum).collect()
    }

    /// Into how many shards a tree is cut: enough for all threads, each with a chunk of nodes at least when it is made.
    fn shards_wanted(&self, forest: &Forest) -> usize {
        let wanted = self.workers.parts(usize::MAX).div_ceil(forest.trees.len().max(1)).next_power_of_two();
        wanted.min(1 << forest.stored_depth >> CHUNK.trailing_zeros())
    }

    /// Begins to store a level, if it is the first that is worth while.
    fn store(&self, forest: &mut Forest) {
        let shards = self.shards_wanted(forest);
        if shards == 0 || forest.nodes() != shards * CHUNK || forest.depth == 0 {
            return;
        }
        let capacity = (1 << forest.stored_depth) / shards;
        let nodes = forest.nodes();
        let trees = forest.trees.iter_mut().collect();
        self.workers.map(trees, |tree: &mut Tree| {
            let mut labels = Zeroizing::new(vec![0; nodes]);
            let mut steps = steps(&tree.corrections);
            let layer = Children(steps.pop().unwrap_or(Step::UNCORRECTED));
            dispatch!(self.backend.for_parents(nodes / 2), lanes => {
                let mut walk = Walk::new(lanes, self.prg(), Source::root(&tree.root), steps);
                let leaves = walk.block_leaves();
                for (block, labels) in labels.chunks_mut(leaves).enumerate() {
                    walk.consume(block, layer, Labels { labels });
                }
            });
            for labels in labels.chunks(CHUNK) {
                let spare = tree.spare.pop();
                tree.shards
                    .push(dispatch!(self.backend, lanes => Shard::new(lanes, labels, capacity, spare)));
            }
            // What did not fit: the number of threads, or of trees, was another.
            tree.spare.clear();
        });
    }

    /// Every shard of every tree with the last correction of its tree. By a loop: an iterator's item and its end would
    /// be told apart by a flag of the correction, and ci/constant-time takes corrections for secret, as they come of secrets.
    fn shards_mut(forest: &mut Forest) -> Vec<(&mut Shard, Correction)> {
        let mut shards = Vec::new();
        for tree in &mut forest.trees {
            let last = tree.corrections.last().copied().unwrap_or_default();
            for shard in &mut tree.shards {
                shards.push((shard, last));
            }
        }
        shards
    }

    /// Grows a level that will be stored.
    fn deepen(&self, forest: &mut Forest) -> Vec<[u128; 2]> {
        let parts = forest.trees[0].shards.len();
        let jobs = Self::shards_mut(forest);
        let sums = Zeroizing::new(dispatch!(self.backend, lanes => {
            self.workers.map(jobs, |(shard, last)| shard.deepen(lanes, self.prg(), &last))
        }));
        sums.chunks(parts).map(xor).collect()
    }

    /// Grows the level below the stored one.
    fn below_stored(&self, forest: &Forest) -> Vec<[u128; 2]> {
        let (jobs, parts) = Self::shards(forest, forest.depth);
        let sums = Zeroizing::new(dispatch!(self.backend, lanes => {
            self.workers.map(jobs, |(shard, _, tree)| {
                let correction = tree.correction(forest.depth);
                let sums = BlockSums::new(lanes);
                shard.consume(lanes, self.prg(), &correction, Plain(0), sums).finish(lanes)
            })
        }));
        sums.chunks(parts).map(xor).collect()
    }

    /// Corrects the lowest stored level for good, for what is further below is evaluated from it.
    pub(crate) fn settle(&self, forest: &mut Forest) {
        let depth = forest.stored_depth.min(forest.depth);
        let mut jobs = Vec::new();
        for tree in &mut forest.trees {
            let correction = tree.correction(depth);
            jobs.extend(tree.shards.iter_mut().map(|shard| (shard, correction)));
        }
        dispatch!(self.backend, lanes => {
            self.workers.map(jobs, |(shard, correction)| shard.settle(lanes, &correction));
        });
    }

    /// The sums of leaves whose parents are stored.
    fn leaf_sums_below_stored(&self, forest: &Forest) -> Vec<LeafSums> {
        let (jobs, parts) = Self::shards(forest, forest.depth);
        let sums = dispatch!(self.backend, lanes => {
            self.workers.map(jobs, |(shard, first, tree)| {
                let correction = tree.correction(forest.depth - 1);
                let leaves = Children(Step::new(&tree.correction(forest.depth)));
                let sums = shard.consume(lanes, self.prg(), &correction, leaves, IndexSums::new(lanes));
                let places = Places { block: 0, lane: 2 * shard.rows() };
                sums.finish(lanes, first, places, 1, shard.rows())
            })
        });
        Zeroizing::new(sums).chunks(parts).map(sum).collect()
    }

    /// The sums of leaves that are stored.
    fn stored_leaf_sums(&self, forest: &Forest) -> Vec<LeafSums> {
        let (jobs, parts) = Self::shards(forest, forest.depth);
        let sums = dispatch!(self.backend, lanes => {
            self.workers.map(jobs, |(shard, first, tree)| {
                let places = Places { block: 0, lane: shard.rows() };
                let correction = tree.correction(forest.depth);
                shard.sums(lanes, &correction).finish(lanes, first, places, 1, shard.rows() / 2)
            })
        });
        Zeroizing::new(sums).chunks(parts).map(sum).collect()
    }

    /// Every shard of every tree, with the number of the first node of level `depth` below it; and how many a tree has.
    pub(crate) fn shards(forest: &Forest, depth: usize) -> (Vec<(&Shard, usize, &Tree)>, usize) {
        let parts = forest.trees[0].shards.len();
        let nodes = (1 << depth) / parts;
        let mut jobs = Vec::with_capacity(forest.trees.len() * parts);
        for tree in &forest.trees {
            for (number, shard) in tree.shards.iter().enumerate() {
                jobs.push((shard, number * nodes, tree));
            }
        }
        (jobs, parts)
    }

    /// Cuts level `depth`, of the parents of what is asked for, into parts of every tree, and visits them in parallel: the results of
    /// each tree's parts in turn, and how many parts a tree has. A visit gets the labels it starts from, all known steps below
    /// them, the number of the first parent below them, and which blocks below them to visit.
    pub(crate) fn visit<T: Send + Zeroize>(
        &self,
        forest: &Forest,
        depth: usize,
        visit: impl Fn(Source<'_>, Vec<Step>, usize, Range<usize>) -> T + Sync + Send,
    ) -> (Zeroizing<Vec<T>>, usize) {
        let sources = forest.trees.first().map_or(1, |tree| tree.shards.len().max(1));
        let parents = (1usize << depth) / sources;
        let blocks = parents.div_ceil(BLOCK);
        // Many trees, or shards, are enough for all threads; few are cut.
        let parts = self.workers.parts(blocks).div_ceil((forest.trees.len() * sources).max(1));
        let mut jobs = Vec::with_capacity(forest.trees.len() * sources * parts);
        for tree in &forest.trees {
            for number in 0..sources {
                for range in ranges(blocks, parts) {
                    jobs.push((tree, number, range));
                }
            }
        }
        let results = self.workers.map(jobs, |(tree, number, range)| {
            let source = tree.shards.get(number).map_or(Source::root(&tree.root), Shard::source);
            let above = (source.labels.len() * sources).trailing_zeros() as usize;
            visit(source, steps(&tree.corrections[above..]), number * parents, range)
        });
        (Zeroizing::new(results), sources * parts)
    }
}

impl Tree {
    /// The correction of the labels of a level; none of the root.
    pub(crate) fn correction(&self, depth: usize) -> Correction {
        depth.checked_sub(1).map_or_else(Correction::default, |level| self.corrections[level])
    }

    /// Whether the level is the one that is stored now.
    pub(crate) fn stores(&self, depth: usize) -> bool {
        self.shards.first().is_some_and(|shard| shard.nodes() * self.shards.len() == 1 << depth)
    }
}

pub(crate) fn xor(parts: &[[u128; 2]]) -> [u128; 2] {
    parts.iter().fold([0; 2], |a, b| [a[0] ^ b[0], a[1] ^ b[1]])
}

fn sum(parts: &[LeafSums]) -> LeafSums {
    parts.iter().fold(LeafSums::default(), |sums, part| sums.plus(*part))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::{Backend, Features, Workers};

    /// It saves time only: without it, or with another level, all sums would be the same.
    #[test]
    fn levels_are_stored_as_they_grow_and_not_below_the_stored_one() {
        let workers = Workers::one();
        let first = CHUNK.trailing_zeros() as usize;
        for backend in Backend::available(&Features::detect()) {
            let kernels = Kernels::new(backend, 1, &workers);
            let mut forest = kernels.plant(&[2, 4], first + 2);
            for depth in 0..first + 4 {
                kernels.grow(&mut forest);
                // After the growth of what is stored, the children are; below, the stored level stays.
                let labels = match depth {
                    _ if depth < first => 0,
                    _ => 1 << (depth + 1).min(first + 2),
                };
                let stored = |tree: &Tree| tree.shards.iter().map(Shard::nodes).sum::<usize>();
                let name = backend.name().to_string();
                assert!(forest.trees.iter().all(|tree| stored(tree) == labels), "depth {depth}, {name}");
                kernels.correct(&mut forest, &[Correction::default(); 2]);
            }
        }
    }
}
