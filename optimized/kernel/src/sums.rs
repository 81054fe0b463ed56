//! Full evaluation with sums as the consumer.

use zeroize::Zeroize;

use crate::backend::dispatch;
use crate::lanes::{Lanes, Row};
use crate::tree::{Consumer, Places};
use crate::window::walk;
use crate::workers::ranges;
use crate::{Kernels, Key, LeafSums};

/// Sums over all leaves, wrapping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeafSum {
    /// Leaves whose flag is set.
    pub flag_count: u64,
    /// Sum of the conversion words.
    pub conversion_sum: u64,
    /// Sum of the value words.
    pub value_sum: u64,
}

impl LeafSum {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            flag_count: self.flag_count.wrapping_add(other.flag_count),
            conversion_sum: self.conversion_sum.wrapping_add(other.conversion_sum),
            value_sum: self.value_sum.wrapping_add(other.value_sum),
        }
    }
}

impl Zeroize for LeafSum {
    fn zeroize(&mut self) {
        self.flag_count.zeroize();
        self.conversion_sum.zeroize();
        self.value_sum.zeroize();
    }
}

impl Kernels<'_> {
    /// Evaluates a tree at all leaves and adds them up, which stores nothing.
    ///
    /// ```
    /// # use duoram_kernel::Kernels;
    /// let kernels = Kernels::detect(17);
    /// let keys = kernels.deal(5, 3, [1, 2]).unwrap();
    /// let [sum_0, sum_1] = keys.map(|key| kernels.leaf_sum(&key));
    /// // The flags differ at one leaf.
    /// assert_eq!(sum_0.flag_count.abs_diff(sum_1.flag_count), 1);
    /// ```
    ///
    /// # Panics
    /// If the tree has no level but the root.
    pub fn leaf_sum(&self, key: &Key) -> LeafSum {
        assert!(key.log_size() > 0, "a root is no leaf");
        dispatch!(self.backend.for_parents(key.leaves() / 2), lanes => leaf_sum(lanes, self, key))
    }
}

fn leaf_sum<L: Lanes>(lanes: L, kernels: &Kernels<'_>, key: &Key) -> LeafSum {
    let blocks = walk(lanes, kernels, key).0.blocks();
    let parts = ranges(blocks, kernels.workers.parts(blocks));
    let sums = kernels.workers.map(parts, |blocks| {
        let (mut walk, leaves) = walk(lanes, kernels, key);
        let mut sums = WordSums::new(lanes);
        for block in blocks {
            sums = walk.consume(block, leaves, sums);
        }
        sums.finish(lanes)
    });
    sums.into_iter().fold(LeafSum::default(), LeafSum::plus)
}

/// Sums of flags, and of the labels as words: conversion words in even places, value words in odd ones.
#[derive(Clone, Copy)]
pub(crate) struct WordSums<L: Lanes> {
    flags: L::Words,
    labels: L::Words,
}

impl<L: Lanes> WordSums<L> {
    pub(crate) fn new(lanes: L) -> Self {
        let zero = lanes.splat_word(0);
        Self { flags: zero, labels: zero }
    }

    pub(crate) fn finish(self, lanes: L) -> LeafSum {
        let mut sum = LeafSum { flag_count: lanes.word_sum(self.flags), ..LeafSum::default() };
        for pair in lanes.to_word_row(self.labels).items().as_chunks::<2>().0 {
            sum.conversion_sum = sum.conversion_sum.wrapping_add(pair[0]);
            sum.value_sum = sum.value_sum.wrapping_add(pair[1]);
        }
        sum
    }
}

impl<L: Lanes> Consumer<L> for WordSums<L> {
    #[inline(always)]
    fn take(&mut self, lanes: L, _row: usize, left: L::Blocks, right: L::Blocks) {
        let [conversions, _] = lanes.unzip(left, right);
        self.flags = lanes.add(self.flags, lanes.and(conversions, lanes.splat_word(1)));
        self.labels = lanes.add(lanes.add(self.labels, lanes.words(left)), lanes.words(right));
    }
}

/// Sums of flags, conversion words and value words, and sums weighted by the leaf's index, without a multiplication.
///
/// Let `x` be the words that one place of a register (lane `k`; left or right, `e`) gets in `B` blocks of `R` rows. Next
/// to their sum `S`, the sum `T` of all intermediate values of `S` is kept, and the sum `U` of its values at the end of
/// each block. The word of row `r` of block `b` is in `R B - (R b + r)` summands of `T` and in `B - b` of `U`, hence
/// `sum b x = B S - U` and `sum r x = R U - T`; and its leaf has the index `first + b block + k lane + 2 r + e` ([`Places`]).
#[derive(Clone, Copy)]
pub(crate) struct IndexSums<L: Lanes> {
    flags: Steps<L>,
    conversions: Steps<L>,
    values: L::Words,
}

/// `S`, `T` and `U`.
#[derive(Clone, Copy)]
struct Steps<L: Lanes> {
    sum: L::Words,
    rows: L::Words,
    blocks: L::Words,
}

impl<L: Lanes> IndexSums<L> {
    pub(crate) fn new(lanes: L) -> Self {
        let zero = lanes.splat_word(0);
        let steps = Steps { sum: zero, rows: zero, blocks: zero };
        Self { flags: steps, conversions: steps, values: zero }
    }

    /// The sums, and those of flags and of conversion words weighted by the index, for `blocks` blocks of so many `rows` of
    /// parents, the leaf `first` the first one.
    pub(crate) fn finish(
        self,
        lanes: L,
        first: usize,
        places: Places,
        blocks: usize,
        rows: usize,
    ) -> LeafSums {
        let sums = LeafSum {
            flag_count: lanes.word_sum(self.flags.sum),
            conversion_sum: lanes.word_sum(self.conversions.sum),
            value_sum: lanes.word_sum(self.values),
        };
        let index_flags = self.flags.weigh(lanes, first, places, blocks, rows);
        let index_conversions = self.conversions.weigh(lanes, first, places, blocks, rows);
        LeafSums { leaves: sums, index_flag_sum: index_flags, index_conversion_sum: index_conversions }
    }
}

impl<L: Lanes> Steps<L> {
    #[inline(always)]
    fn add(&mut self, lanes: L, words: L::Words) {
        self.sum = lanes.add(self.sum, words);
        self.rows = lanes.add(self.rows, self.sum);
    }

    fn weigh(self, lanes: L, first: usize, places: Places, blocks: usize, rows: usize) -> u64 {
        let [sums, row_steps, block_steps] =
            [self.sum, self.rows, self.blocks].map(|words| lanes.to_word_row(words));
        let mut total = 0u64;
        for (place, sum) in sums.items().iter().enumerate() {
            let (t, u) = (row_steps.items()[place], block_steps.items()[place]);
            let by_block = sum.wrapping_mul(blocks as u64).wrapping_sub(u);
            let by_row = u.wrapping_mul(rows as u64).wrapping_sub(t);
            let start = first + (place / 2) * places.lane + place % 2;
            total = total
                .wrapping_add(sum.wrapping_mul(start as u64))
                .wrapping_add(by_block.wrapping_mul(places.block as u64))
                .wrapping_add(by_row.wrapping_mul(2));
        }
        total
    }
}

impl<L: Lanes> Consumer<L> for IndexSums<L> {
    #[inline(always)]
    fn take(&mut self, lanes: L, _row: usize, left: L::Blocks, right: L::Blocks) {
        let [conversions, values] = lanes.unzip(left, right);
        self.flags.add(lanes, lanes.and(conversions, lanes.splat_word(1)));
        self.conversions.add(lanes, conversions);
        self.values = lanes.add(self.values, values);
    }

    #[inline(always)]
    fn finish_block(&mut self, lanes: L) {
        self.flags.blocks = lanes.add(self.flags.blocks, self.flags.sum);
        self.conversions.blocks = lanes.add(self.conversions.blocks, self.conversions.sum);
    }
}

/// XOR of the left and of the right leaves.
#[derive(Clone, Copy)]
pub(crate) struct BlockSums<L: Lanes> {
    left: L::Blocks,
    right: L::Blocks,
}

impl<L: Lanes> BlockSums<L> {
    pub(crate) fn new(lanes: L) -> Self {
        Self { left: lanes.splat_block(0), right: lanes.splat_block(0) }
    }

    pub(crate) fn finish(self, lanes: L) -> [u128; 2] {
        [lanes.block_sum(self.left), lanes.block_sum(self.right)]
    }
}

impl<L: Lanes> Consumer<L> for BlockSums<L> {
    #[inline(always)]
    fn take(&mut self, lanes: L, _row: usize, left: L::Blocks, right: L::Blocks) {
        self.left = lanes.xor_blocks(self.left, left);
        self.right = lanes.xor_blocks(self.right, right);
    }
}
