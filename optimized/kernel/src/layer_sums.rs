//! The lean protocol's output layers of growing trees: the XOR of what hangs on all nodes of a level.
//!
//! They are what the corrections of a layer are made of (PROTOCOL.md, part two, "The tree"): the flag layer at depth h - 7, the value
//! layer at depth h - 3. Between them a tree grows on.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::backend::dispatch;
use crate::evaluate::BIT_TWEAK;
use crate::forest::xor;
use crate::layer::{Layer, Output, Plain};
use crate::prg::Mmo;
use crate::sums::BlockSums;
use crate::tree::Walk;
use crate::values::{LINE, VALUE_TWEAK};
use crate::{Block, Forest, Kernels};

impl Kernels<'_> {
    /// For each tree the XOR of the flag layer over all nodes of the level that is the lowest now, uncorrected: `T_2(s)`.
    ///
    /// # Panics
    /// If the last level has not been corrected.
    pub fn flag_sums(&self, forest: &mut Forest) -> Zeroizing<Vec<Block>> {
        assert!(!forest.grown, "correct the last level first");
        let mut sums = Zeroizing::new(Vec::with_capacity(forest.trees().len()));
        if forest.depth == 0 {
            // Outputs are hashed two by two, and there is only one.
            for [left, _] in self.sums(forest, Plain(BIT_TWEAK)).iter() {
                sums.push(*left);
            }
        } else {
            for [first, second] in self.sums(forest, Output { tweak: BIT_TWEAK, correction: 0 }).iter() {
                sums.push(first ^ second);
            }
        }
        sums
    }

    /// For each tree the XOR of the value layer over all nodes of the level that is the lowest now, uncorrected: the words
    /// `2 c` and `2 c + 1` are the low and the high half of that of `T_(8 + c)(s)`.
    ///
    /// # Panics
    /// If the last level has not been corrected.
    pub fn value_sums(&self, forest: &mut Forest) -> Zeroizing<Vec<[u64; 8]>> {
        let halves = self.halves(forest, 0);
        let mut sums = Zeroizing::new(Vec::with_capacity(forest.trees().len()));
        for tree in 0..forest.trees().len() {
            sums.push(words(&halves, tree));
        }
        sums
    }

    /// The same of the value layer of rows of w words: `8 w` words for each tree, one tree's behind the other's. Words `2 c` and `2 c + 1`
    /// of a tree are of `T_(8 + c)(s)`, for c below `4 w`.
    ///
    /// ```
    /// # use duoram_kernel::Kernels;
    /// let kernels = Kernels::detect(17);
    /// let sums = kernels.row_sums(&mut kernels.plant(&[5, 6], 0), 3);
    /// assert_eq!(sums.len(), 2 * 8 * 3);
    /// // The first words are those of rows of one word.
    /// assert_eq!(sums[24..32], kernels.value_sums(&mut kernels.plant(&[6], 0))[0]);
    /// ```
    ///
    /// # Panics
    /// If the last level has not been corrected.
    pub fn row_sums(&self, forest: &mut Forest, row_words: usize) -> Zeroizing<Vec<u64>> {
        let (trees, node_words) = (forest.trees().len(), LINE * row_words);
        let mut sums = Zeroizing::new(vec![0; trees * node_words]);
        for part in 0..row_words {
            let halves = self.halves(forest, part);
            for tree in 0..trees {
                let place = tree * node_words + part * LINE;
                sums[place..place + LINE].copy_from_slice(&words(&halves, tree));
            }
        }
        sums
    }

    /// Of each tree four blocks of the value layer's sum, from block `4 part` on, two by two.
    fn halves(&self, forest: &mut Forest, part: usize) -> [Zeroizing<Vec<[Block; 2]>>; 2] {
        assert!(!forest.grown, "correct the last level first");
        let tweak = VALUE_TWEAK + 4 * part as u128;
        let layers = [tweak, tweak + 2].map(Plain);
        if forest.stores(forest.depth) {
            self.stored_sums(forest, layers)
        } else {
            layers.map(|layer| self.sums(forest, layer))
        }
    }

    /// For each tree the XOR of all first and of all second registers of a layer.
    fn sums<Y: for<'a> Layer<Mmo<'a>>>(&self, forest: &mut Forest, layer: Y) -> Zeroizing<Vec<[Block; 2]>> {
        self.settle(forest);
        let (sums, parts) = dispatch!(self.backend.for_parents(forest.nodes()), lanes => {
            self.visit(forest, forest.depth, |source, steps, _, blocks| {
                let mut walk = Walk::new(lanes, self.prg(), source, steps);
                let mut sums = BlockSums::new(lanes);
                for block in blocks {
                    sums = walk.consume(block, layer, sums);
                }
                sums.finish(lanes)
            })
        });
        Zeroizing::new(sums.chunks(parts).map(xor).collect())
    }

    /// The sums of two layers of a stored level, which is read once.
    fn stored_sums(&self, forest: &Forest, layers: [Plain; 2]) -> [Zeroizing<Vec<[Block; 2]>>; 2] {
        let (jobs, parts) = Self::shards(forest, forest.depth);
        let sums = Zeroizing::new(dispatch!(self.backend, lanes => {
            self.workers.map(jobs, |(shard, _, tree)| {
                let correction = tree.correction(forest.depth);
                let sums = [BlockSums::new(lanes); 2];
                let [first, second] = shard.consume_both(lanes, self.prg(), &correction, layers, sums);
                [first.finish(lanes), second.finish(lanes)]
            })
        }));
        [0, 1].map(|half| {
            let of_tree = |parts: &[[[Block; 2]; 2]]| {
                parts.iter().fold([0; 2], |a, b| [a[0] ^ b[half][0], a[1] ^ b[half][1]])
            };
            Zeroizing::new(sums.chunks(parts).map(of_tree).collect())
        })
    }
}

/// The words of a tree's four blocks.
fn words(halves: &[Zeroizing<Vec<[Block; 2]>>; 2], tree: usize) -> [u64; LINE] {
    let mut words = [0; LINE];
    for (words, block) in words.as_chunks_mut().0.iter_mut().zip(halves.iter().flat_map(|half| half[tree])) {
        *words = [block as u64, (block >> 64) as u64];
    }
    words
}
