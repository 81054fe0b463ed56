//! One tree of a Circuit ORAM `[circuit-oram, section 3]`: buckets, a stash at the root, and evictions in one pass over a path.
//!
//! An eviction looks for each level which block from above may go there, then for each block where it goes, and then carries at
//! most one block at a time down the path:
//!
//! ```text
//!    level      0 (stash)   1     2     3
//!    deepest    -           0     0     1     from which level the block comes that can go deepest at or below this one
//!    target     2           3     -     -     where the deepest block of this level goes
//! ```
//!
//! Paths are evicted in the order of their leaves with the bits reversed, two after each access.

use std::collections::HashMap;

use super::shape;

/// A block in a tree.
#[derive(Clone, Debug)]
pub(super) struct Block<T> {
    pub(super) address: u64,
    pub(super) leaf: u64,
    pub(super) content: T,
}

/// A tree. Buckets that have never had a block are not there.
pub(super) struct Tree<T> {
    leaf_bits: u32,
    width: usize,
    stash: Vec<Block<T>>,
    /// By number: the children of `i` are `2 i` and `2 i + 1`, the root is 1 and holds nothing, as the stash is its place.
    buckets: HashMap<u64, Vec<Block<T>>>,
    evictions: u64,
    /// The most blocks that the stash had after an access.
    most: usize,
}

impl<T> Tree<T> {
    pub(super) fn new(shape: &shape::Tree) -> Self {
        Self {
            leaf_bits: shape.leaf_bits,
            width: shape.width,
            stash: Vec::new(),
            buckets: HashMap::new(),
            evictions: 0,
            most: 0,
        }
    }

    /// The most blocks that the stash ever had after an access.
    pub(super) fn most_stashed(&self) -> usize {
        self.most
    }

    /// Takes a block from the path to a leaf, if it is there.
    pub(super) fn take(&mut self, address: u64, leaf: u64) -> Option<Block<T>> {
        (0..=self.leaf_bits).find_map(|level| {
            let blocks = self.level(leaf, level);
            let place = blocks.iter().position(|block| block.address == address)?;
            Some(blocks.swap_remove(place))
        })
    }

    /// Puts a block into the stash, and evicts two paths.
    pub(super) fn put(&mut self, block: Block<T>) {
        self.stash.push(block);
        for _ in 0..2 {
            let number = self.evictions % (1 << self.leaf_bits);
            // Of no bits, there is one leaf.
            let leaf = number.reverse_bits().checked_shr(64 - self.leaf_bits).unwrap_or(0);
            self.evictions += 1;
            self.evict(leaf);
        }
        self.most = self.most.max(self.stash.len());
    }

    /// The blocks at a level of the path to a leaf.
    fn level(&mut self, leaf: u64, level: u32) -> &mut Vec<Block<T>> {
        if level == 0 {
            return &mut self.stash;
        }
        let bucket = (1 << level) | (leaf >> (self.leaf_bits - level));
        self.buckets.entry(bucket).or_default()
    }

    /// The place of the block of a level that may go deepest on the path to a leaf, and how deep: as many levels as the highest
    /// bits of their labels agree.
    fn deepest(&mut self, leaf: u64, level: u32) -> Option<(usize, u32)> {
        let leaf_bits = self.leaf_bits;
        let depth = |block: &Block<T>| leaf_bits - (u64::BITS - (block.leaf ^ leaf).leading_zeros());
        self.level(leaf, level).iter().map(depth).enumerate().max_by_key(|(_, depth)| *depth)
    }

    fn evict(&mut self, leaf: u64) {
        let levels = self.leaf_bits + 1;
        // From which level the block comes that can go to this one or below.
        let mut deepest = Vec::new();
        let (mut source, mut goal) = (None, None);
        for level in 0..levels {
            deepest.push(if goal >= Some(level) { source } else { None });
            if let Some((_, depth)) = self.deepest(leaf, level)
                && goal < Some(depth)
            {
                (source, goal) = (Some(level), Some(depth));
            }
        }
        // Where the deepest block of a level goes.
        let mut target = vec![None; levels as usize];
        let (mut source, mut goal) = (None, None);
        for level in (0..levels).rev() {
            let at = level as usize;
            if source == Some(level) {
                target[at] = goal.take();
                source = None;
            }
            let empty = level > 0 && self.level(leaf, level).len() < self.width;
            if deepest[at].is_some() && (goal.is_none() && empty || target[at].is_some()) {
                (source, goal) = (deepest[at], Some(level));
            }
        }
        // At most one block is carried.
        let mut carried: Option<(Block<T>, u32)> = None;
        for level in 0..levels {
            let arrived = carried.take_if(|(_, goal)| *goal == level);
            if let Some(goal) = target[level as usize]
                && let Some((place, _)) = self.deepest(leaf, level)
            {
                carried = Some((self.level(leaf, level).swap_remove(place), goal));
            }
            if let Some((block, _)) = arrived {
                self.level(leaf, level).push(block);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha20Rng;
    use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

    use super::*;
    use crate::circuit_oram::shape::{Parameters, trees};

    /// A full tree of as many blocks as it has addresses, and the blocks' leaves.
    fn full(log_size: u32, random: &mut ChaCha20Rng) -> (Tree<u64>, Vec<u64>) {
        let shape = *trees(log_size, &Parameters::WORDS).last().unwrap();
        let mut tree = Tree::new(&shape);
        let mut leaves = Vec::new();
        for address in 0..1 << log_size {
            let leaf = random.next_u64() % (1 << shape.leaf_bits);
            leaves.push(leaf);
            tree.put(Block { address, leaf, content: address });
        }
        (tree, leaves)
    }

    /// `[circuit-oram, theorem 1]`: with three places in a bucket and two evictions an access, the stash hardly ever has a block.
    #[test]
    fn the_stash_of_a_full_tree_stays_small_over_many_accesses() {
        let mut random = ChaCha20Rng::from_seed([3; 32]);
        let (mut tree, mut leaves) = full(10, &mut random);
        for _ in 0..30_000 {
            let address = random.next_u64() % 1024;
            let place = usize::try_from(address).unwrap();
            let mut block = tree.take(address, leaves[place]).unwrap();
            assert_eq!(block.content, address);
            block.leaf = random.next_u64() % 2048;
            leaves[place] = block.leaf;
            tree.put(block);
        }
        assert!(tree.most_stashed() <= Parameters::WORDS.stash / 2, "{}", tree.most_stashed());
    }

    #[test]
    fn every_block_is_on_the_path_to_its_leaf_and_no_bucket_is_overfull() {
        let mut random = ChaCha20Rng::from_seed([4; 32]);
        let (tree, leaves) = full(8, &mut random);
        let mut found = tree.stash.len();
        for (bucket, blocks) in &tree.buckets {
            assert!(blocks.len() <= 3);
            let level = bucket.ilog2();
            for block in blocks {
                assert_eq!((1 << level) | (block.leaf >> (tree.leaf_bits - level)), *bucket);
                assert_eq!(block.leaf, leaves[usize::try_from(block.address).unwrap()]);
                found += 1;
            }
        }
        assert_eq!(found, 256);
    }

    #[test]
    fn what_is_not_on_a_path_is_not_found() {
        let mut random = ChaCha20Rng::from_seed([5; 32]);
        let (mut tree, leaves) = full(8, &mut random);
        let other = leaves[7] ^ (1 << (tree.leaf_bits - 1));
        let stashed = tree.stash.iter().any(|block| block.address == 7);
        assert_eq!(tree.take(7, other).is_some(), stashed);
        assert!(tree.take(1 << 20, leaves[7]).is_none());
    }

    #[test]
    fn an_eviction_carries_a_block_as_deep_as_it_may_go() {
        let shape = *trees(3, &Parameters::WORDS).last().unwrap();
        let mut tree = Tree::new(&shape);
        tree.stash.push(Block { address: 1, leaf: 0b0110, content: () });
        tree.evict(0b0100);
        // The labels agree in two bits.
        assert_eq!((tree.stash.len(), tree.level(0b0110, 2).len()), (0, 1));
        tree.evict(0b0110);
        assert_eq!((tree.level(0b0110, 2).len(), tree.level(0b0110, 4).len()), (0, 1));
    }
}
