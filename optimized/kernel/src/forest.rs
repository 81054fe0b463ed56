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
use crate::shard::{Level, Memory, Shard, ShardMut};
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
    /// All that were planted. They stay where they are, to be wiped there: one that is moved leaves its root behind.
    planted: Vec<Tree>,
    /// How many of them are forgotten: the first ones.
    forgotten: usize,
    memory: Memory,
    /// The lowest stored level, once it is worth while.
    level: Option<Level>,
    /// Into how many shards each tree is cut, a power of two: one behind the other in memory.
    parts: usize,
    stored_depth: usize,
    pub(crate) depth: usize,
    /// Between [`Kernels::grow`] and [`Kernels::correct`].
    pub(crate) grown: bool,
}

/// One tree, but for what is stored of it.
pub(crate) struct Tree {
    root: u128,
    corrections: Vec<Correction>,
}

impl Drop for Tree {
    fn drop(&mut self) {
        self.root.zeroize();
    }
}

impl Forest {
    /// The bytes that a tree takes when its labels are stored down to `stored_depth`.
    pub fn bytes_per_tree(stored_depth: usize) -> usize {
        Memory::bytes(1 << stored_depth)
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

    /// Where the trees' labels will be stored, or are. For advice to the system, which may have yet to find this memory.
    pub fn memory(&self) -> &[u128] {
        self.memory.labels()
    }

    /// Forgets the first `count` trees; the others go on.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn forget(&mut self, count: usize) {
        assert!(count <= self.trees().len(), "{count} of {} trees", self.trees().len());
        self.forgotten += count;
    }

    /// Those that grow.
    pub(crate) fn trees(&self) -> &[Tree] {
        &self.planted[self.forgotten..]
    }

    /// Nodes of the level that is asked for next, or of the leaves.
    pub(crate) fn nodes(&self) -> usize {
        1 << self.depth
    }

    /// Whether the level is the one that is stored now.
    pub(crate) fn stores(&self, depth: usize) -> bool {
        self.level.is_some_and(|level| level.nodes * self.parts == 1 << depth)
    }

    /// Every shard of every tree; of none if no level is stored.
    fn shards(&self) -> impl Iterator<Item = Shard<'_>> {
        let skipped = self.forgotten * self.parts;
        self.level.iter().flat_map(move |level| self.memory.shards(level).skip(skipped))
    }

    /// Every shard of every tree with the correction of its tree for the labels of a level. By a loop: an iterator's item and its end
    /// would be told apart by a flag of the correction, and ci/constant-time takes corrections for secret, as they come of secrets.
    fn shards_mut(&mut self, level: &Level, depth: usize) -> Vec<(ShardMut<'_>, Correction)> {
        let mut shards = self.memory.shards_mut(level).skip(self.forgotten * self.parts);
        let mut jobs = Vec::new();
        for tree in &self.planted[self.forgotten..] {
            let correction = tree.correction(depth);
            for shard in shards.by_ref().take(self.parts) {
                jobs.push((shard, correction));
            }
        }
        jobs
    }
}

impl Kernels<'_> {
    /// Trees of one level, the roots. Their labels are stored down to level `stored_depth` ([`Forest::stored_depth`]).
    pub fn plant(&self, roots: &[u128], stored_depth: usize) -> Forest {
        let mut forest = Forest::default();
        self.replant(&mut forest, roots, stored_depth);
        forest
    }

    /// The same in the place of trees that are done with, whose memory is used again where it is enough. Until it is, it holds
    /// their labels; it is wiped when the forest is dropped.
    pub fn replant(&self, forest: &mut Forest, roots: &[u128], stored_depth: usize) {
        let mut planted = Vec::with_capacity(roots.len());
        for root in roots {
            planted.push(Tree { root: *root, corrections: Vec::new() });
        }
        let mut memory = core::mem::take(&mut forest.memory);
        // Enough for all threads, each with a chunk of nodes at least when it is made.
        let wanted = self.workers.parts(usize::MAX).div_ceil(roots.len().max(1)).next_power_of_two();
        let parts = wanted.min(1 << stored_depth >> CHUNK.trailing_zeros());
        if parts > 0 {
            memory.reserve(roots.len() << stored_depth);
        }
        *forest = Forest { planted, memory, parts, stored_depth, ..Forest::default() };
    }

    /// Computes the next level of every tree: the XOR of all uncorrected left children, and of all right ones.
    ///
    /// # Panics
    /// If the last level has not been corrected.
    pub fn grow(&self, forest: &mut Forest) -> Vec<[u128; 2]> {
        assert!(!forest.grown, "correct the last level first");
        forest.grown = true;
        self.store(forest);
        let depth = forest.depth;
        if let Some(level) = forest.level {
            if depth < forest.stored_depth {
                return self.deepen(forest, level);
            }
            if depth == forest.stored_depth {
                return self.below_stored(forest);
            }
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
            forest.grown && corrections.len() == forest.trees().len(),
            "one correction a tree after each growth"
        );
        for (tree, correction) in forest.planted[forest.forgotten..].iter_mut().zip(corrections) {
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
        if forest.stores(forest.depth) {
            return self.stored_leaf_sums(forest);
        }
        if forest.stores(forest.depth - 1) {
            return self.leaf_sums_below_stored(forest);
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

    /// Begins to store a level, if it is the first that is worth while.
    fn store(&self, forest: &mut Forest) {
        let Forest { parts, forgotten, stored_depth, .. } = *forest;
        let nodes = forest.nodes();
        if parts == 0 || nodes != parts * CHUNK || forest.depth == 0 || forest.trees().is_empty() {
            return;
        }
        let made = self.workers.map(forest.trees().iter().collect(), |tree: &Tree| {
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
            labels
        });
        let labels = made.iter().flat_map(|labels| labels.chunks(CHUNK));
        let (first, capacity) = (forgotten * parts, (1 << stored_depth) / parts);
        forest.level =
            Some(dispatch!(self.backend, lanes => forest.memory.fill(lanes, capacity, first, labels)));
    }

    /// Grows a level that will be stored.
    fn deepen(&self, forest: &mut Forest, level: Level) -> Vec<[u128; 2]> {
        forest.level = Some(level.deepened());
        let parts = forest.parts;
        let jobs = forest.shards_mut(&level, forest.depth);
        let sums = Zeroizing::new(dispatch!(self.backend, lanes => {
            self.workers.map(jobs, |(shard, last)| shard.deepen(lanes, self.prg(), &level, &last))
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
        let Some(level) = forest.level.and_then(Level::settled) else { return };
        forest.level = Some(level);
        let jobs = forest.shards_mut(&level, forest.stored_depth.min(forest.depth));
        dispatch!(self.backend, lanes => {
            self.workers.map(jobs, |(shard, correction)| shard.settle(lanes, &level, &correction));
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
    pub(crate) fn shards(forest: &Forest, depth: usize) -> (Vec<(Shard<'_>, usize, &Tree)>, usize) {
        let parts = forest.parts;
        let nodes = (1 << depth) / parts;
        let mut shards = forest.shards();
        let mut jobs = Vec::with_capacity(forest.trees().len() * parts);
        for tree in forest.trees() {
            for (number, shard) in shards.by_ref().take(parts).enumerate() {
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
        let sources = forest.level.map_or(1, |_| forest.parts);
        let parents = (1usize << depth) / sources;
        let blocks = parents.div_ceil(BLOCK);
        let trees = forest.trees();
        // Many trees, or shards, are enough for all threads; few are cut.
        let parts = self.workers.parts(blocks).div_ceil((trees.len() * sources).max(1));
        let mut jobs = Vec::with_capacity(trees.len() * sources * parts);
        let mut shards = forest.shards();
        for tree in trees {
            for number in 0..sources {
                let source = shards.next().map_or(Source::root(&tree.root), |shard| shard.source());
                for range in ranges(blocks, parts) {
                    jobs.push((tree, source, number, range));
                }
            }
        }
        let results = self.workers.map(jobs, |(tree, source, number, range)| {
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
}

pub(crate) fn xor(parts: &[[u128; 2]]) -> [u128; 2] {
    parts.iter().fold([0; 2], |a, b| [a[0] ^ b[0], a[1] ^ b[1]])
}

fn sum(parts: &[LeafSums]) -> LeafSums {
    parts.iter().fold(LeafSums::default(), |sums, part| sums.plus(*part))
}

#[cfg(test)]
mod tests {
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
                let stored = forest.level.map_or(0, |level| level.nodes * forest.parts);
                assert_eq!(stored, labels, "depth {depth}, {}", backend.name());
                kernels.correct(&mut forest, &[Correction::default(); 2]);
            }
        }
    }
}
