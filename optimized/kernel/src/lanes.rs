//! What a backend offers: registers of labels, and the handful of operations the kernels are written in.
//!
//! A kernel is a [`Work`], generic over [`Lanes`]; [`Lanes::run`] calls it inside a function that is compiled with the
//! backend's target features. Everything below that call is `#[inline(always)]`, and none of it uses closures or
//! iterator adapters with closures, so that no piece is left behind in a function without the features. Kernels are
//! coarse (some thousand AES calls), so the call costs nothing.
//!
#![doc = include_str!("../docs/lanes.md")]

use crate::flags::{GROUP, pattern};
use crate::scan::{SelectMany, Turn};
use crate::schedule::Schedule;

/// How many selections of words are made together.
pub(crate) const MANY: usize = 16;

/// Nine times the same, with the number of the round: what is done meanwhile must know it, and compilers do not unroll long loops.
macro_rules! each_round {
    ($round:ident, $body:block) => {
        $crate::lanes::each_round!($round, $body, 0, 1, 2, 3, 4, 5, 6, 7, 8)
    };
    ($round:ident, $body:block, $($number:literal),*) => {
        $({
            let $round = $number;
            $body
        })*
    };
}
pub(crate) use each_round;

/// An array of as many items as a register holds.
pub(crate) trait Row: Copy {
    /// Word or block.
    type Item;
    /// Memory as rows; a remainder is left out.
    fn rows(items: &[Self::Item]) -> &[Self];
    /// Memory as rows; a remainder is left out.
    fn rows_mut(items: &mut [Self::Item]) -> &mut [Self];
    /// A row as a slice.
    fn items(&self) -> &[Self::Item];
}

impl<T: Copy, const N: usize> Row for [T; N] {
    type Item = T;

    #[inline(always)]
    fn rows(items: &[T]) -> &[Self] {
        items.as_chunks().0
    }

    #[inline(always)]
    fn rows_mut(items: &mut [T]) -> &mut [Self] {
        items.as_chunks_mut().0
    }

    #[inline(always)]
    fn items(&self) -> &[T] {
        self
    }
}

/// A backend. The value is a witness that the CPU has the features: it can be made only by detection.
pub(crate) trait Lanes: Copy + Send + Sync + 'static {
    /// Blocks in a register.
    const WIDTH: usize;
    /// A register of labels.
    type Blocks: Copy;
    /// Flags of a register's labels, in the form that [`Self::xor_unless`] wants.
    type Flags: Copy;
    /// A register of words, two for each block.
    type Words: Copy;
    /// 64 bits, in the form that [`Self::xor_where_bits`] wants.
    type Bits: Copy;
    /// A distance, in the form that [`Self::exchange`] wants.
    type Distance: Copy;
    /// Round keys 1 to 9.
    type Keys: Copy;
    /// A running sum of products.
    type Product: Copy;
    /// A register's labels in memory.
    type BlockRow: Row<Item = u128>;
    /// A register's words in memory.
    type WordRow: Row<Item = u64>;
    /// The backend with one label a register, for the few nodes at the top of a tree.
    type Single: Lanes;

    /// The backend with one label a register.
    fn single(self) -> Self::Single;

    /// Whether the CPU finds what a scan reads sooner by itself than when it is asked to: each of those requests takes one of the
    /// places that it has for what is under way.
    fn foresees(self) -> bool {
        false
    }

    /// Runs a kernel with the target features of this backend.
    fn run<W: Work<Self>>(self, work: W) -> W::Output;

    /// Loads a row of labels.
    fn load_blocks(self, row: &Self::BlockRow) -> Self::Blocks;
    /// Stores a row of labels.
    fn store_blocks(self, row: &mut Self::BlockRow, blocks: Self::Blocks);
    /// Loads a row of words.
    fn load_words(self, row: &Self::WordRow) -> Self::Words;
    /// Stores a row of words.
    fn store_words(self, row: &mut Self::WordRow, words: Self::Words);
    /// Loads one label into all lanes.
    fn load_everywhere(self, label: &u128) -> Self::Blocks;
    /// Loads one pair of words for each label: for lane `k`, pair `row + k * stride`.
    fn load_pairs(self, pairs: &[[u64; 2]], row: usize, stride: usize) -> Self::Words;
    /// Stores what [`Self::load_pairs`] loads.
    fn store_pairs(self, pairs: &mut [[u64; 2]], row: usize, stride: usize, words: Self::Words);
    /// Stores the labels apart from each other: that of lane `k` at `first + k * stride`.
    fn store_apart(self, labels: &mut [u128], first: usize, stride: usize, blocks: Self::Blocks);
    /// Asks for the cache line of an item, or of where it would be: there need not be so many.
    fn prefetch<T>(self, items: &[T], index: usize);
    /// A register's words as an array.
    fn to_word_row(self, words: Self::Words) -> Self::WordRow;
    /// A register's labels as an array.
    fn to_block_row(self, blocks: Self::Blocks) -> Self::BlockRow;

    /// The same label in all places.
    fn splat_block(self, block: u128) -> Self::Blocks;
    /// The same word in all places.
    fn splat_word(self, word: u64) -> Self::Words;

    /// Broadcasts round keys 1 to 9.
    fn keys(self, schedule: &Schedule) -> Self::Keys;
    /// Nine full rounds. The states come whitened; what becomes of them is for [`Self::last_round`].
    fn rounds<const N: usize, M: Meanwhile<Self>>(
        self,
        keys: &Self::Keys,
        states: [[Self::Blocks; N]; 2],
        meanwhile: &mut M,
    ) -> [[Self::Blocks; N]; 2];
    /// The last round, with a key of its own for each state. These keys carry the feed-forward and the correction, so that both cost
    /// no operation after the cipher.
    fn last_round<const N: usize>(
        self,
        states: [[Self::Blocks; N]; 2],
        last: [[Self::Blocks; N]; 2],
    ) -> [[Self::Blocks; N]; 2];
    /// All ten rounds.
    #[inline(always)]
    fn cipher<const N: usize, M: Meanwhile<Self>>(
        self,
        keys: &Self::Keys,
        states: [[Self::Blocks; N]; 2],
        last: [[Self::Blocks; N]; 2],
        meanwhile: &mut M,
    ) -> [[Self::Blocks; N]; 2] {
        self.last_round(self.rounds(keys, states, meanwhile), last)
    }
    /// The same labels, in a backend with few registers made here, between two rounds, and not where they are needed.
    #[inline(always)]
    fn now(self, labels: Self::Blocks) -> Self::Blocks {
        labels
    }

    /// XOR of labels.
    fn xor_blocks(self, a: Self::Blocks, b: Self::Blocks) -> Self::Blocks;
    /// `(labels with flag cleared) ^ key`.
    fn cleared_xor(self, labels: Self::Blocks, key: Self::Blocks) -> Self::Blocks;
    /// The flags of the labels.
    fn flags<const N: usize>(self, labels: [Self::Blocks; N]) -> [Self::Flags; N];
    /// The flags of a register's labels as a byte.
    fn pack_flags(self, labels: Self::Blocks) -> u8;
    /// `labels ^ (flag ? correction : 0)`, by flags that [`Self::pack_flags`] packed.
    fn xor_where(self, flags: u8, labels: Self::Blocks, correction: Self::Blocks) -> Self::Blocks;
    /// `base ^ (flag ? 0 : correction)`.
    fn xor_unless(self, flags: Self::Flags, base: Self::Blocks, correction: Self::Blocks) -> Self::Blocks;
    /// The labels as words.
    fn words(self, labels: Self::Blocks) -> Self::Words;
    /// The words as labels.
    fn labels(self, words: Self::Words) -> Self::Blocks;
    /// Left and right leaves to conversion words and value words: of each lane a left word and a right word.
    fn unzip(self, left: Self::Blocks, right: Self::Blocks) -> [Self::Words; 2];

    /// Exchanges the two words of each label.
    fn swap_words(self, words: Self::Words) -> Self::Words;
    /// A distance below the number of a register's words.
    fn distance(self, words: usize) -> Self::Distance;
    /// Moves word `i` to the place `i xor distance`.
    fn exchange(self, words: Self::Words, distance: Self::Distance) -> Self::Words;
    /// Moves bit `j` of each word to the place `j xor (shift mod 64)`: by steps, unless a backend knows better.
    #[inline(always)]
    fn move_bits(self, words: [u64; GROUP], shift: usize) -> [u64; GROUP] {
        pattern(words, shift)
    }
    /// One bit for each of 64 words.
    fn bits(self, bits: u64) -> Self::Bits;
    /// `sum ^ (bit ? words : 0)`, where the words are row `row` of the 64.
    fn xor_where_bits(
        self,
        sum: Self::Words,
        bits: Self::Bits,
        row: usize,
        words: Self::Words,
    ) -> Self::Words;

    /// Wrapping addition.
    fn add(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Wrapping subtraction.
    fn sub(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Bitwise AND.
    fn and(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// Bitwise XOR.
    fn xor(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// `sum + (lowest bit of flags ? addend : 0)`.
    fn add_where_odd(self, sum: Self::Words, flags: Self::Words, addend: Self::Words) -> Self::Words;
    /// The low 64 bits of each product.
    fn mul(self, a: Self::Words, b: Self::Words) -> Self::Words;
    /// An empty sum of products.
    fn product(self) -> Self::Product;
    /// Adds the products of `a` and `b`.
    fn add_product(self, sum: Self::Product, a: Self::Words, b: Self::Words) -> Self::Product;
    /// The sum of all products, wrapping.
    fn product_sum(self, sum: Self::Product) -> u64;

    /// For each sum `q` (up to [`MANY`]) the XOR of the words where bit `j` of its flags `i` is set, `64 i + j` being the word's
    /// number: `sum ^= ..`. `flags[i]` are the flags `i` of all sums, as [`Self::turn`] leaves them. One after the other, unless a
    /// backend knows better.
    #[inline(always)]
    fn select_many(self, words: &[u64], flags: &[[u64; MANY]], sums: &mut [u64]) {
        let group = 64 / (2 * Self::WIDTH);
        let rows = Self::WordRow::rows(words);
        for (number, total) in sums.iter_mut().enumerate() {
            let mut sums = [self.splat_word(0); 4];
            for (place, flags) in flags.iter().enumerate() {
                let (rows, bits) = (&rows[place * group..(place + 1) * group], self.bits(flags[number]));
                for i in 0..group {
                    sums[i % 4] = self.xor_where_bits(sums[i % 4], bits, i, self.load_words(&rows[i]));
                }
            }
            for sum in sums {
                *total ^= self.word_xor(sum);
            }
        }
    }

    /// Flags that were one sum's after the other's come side by side: row `q` of flags `i` becomes part of `flags[i]`, for sum
    /// `8 half + q`, in the form that [`Self::select_many`] wants. The other half stays.
    #[inline(always)]
    fn turn(self, rows: [&[u64; 8]; 8], flags: &mut [[u64; MANY]; 8], half: usize) {
        for i in 0..8 {
            for number in 0..8 {
                flags[i][8 * half + number] = rows[number][i];
            }
        }
    }

    /// Runs [`Self::select_many`], or does the same where a CPU may have more than the backend needs.
    fn run_select_many(self, work: SelectMany<'_>) {
        self.run(work);
    }

    /// Runs [`Self::turn`] for all of a chunk, or does what suits [`Self::run_select_many`].
    fn run_turn(self, work: Turn<'_>) {
        self.run(work);
    }

    /// The sum of all words of a register, wrapping.
    fn word_sum(self, words: Self::Words) -> u64 {
        let mut sum = 0u64;
        for word in self.to_word_row(words).items() {
            sum = sum.wrapping_add(*word);
        }
        sum
    }

    /// The XOR of all words of a register.
    fn word_xor(self, words: Self::Words) -> u64 {
        let mut sum = 0;
        for word in self.to_word_row(words).items() {
            sum ^= word;
        }
        sum
    }

    /// The XOR of all labels of a register.
    fn block_sum(self, blocks: Self::Blocks) -> u128 {
        let mut sum = 0;
        for block in self.to_block_row(blocks).items() {
            sum ^= block;
        }
        sum
    }
}

/// A kernel. `N` is the number of registers of parents the backend wants in flight (twice as many children).
pub(crate) trait Work<L: Lanes> {
    /// What it returns.
    type Output;
    /// Must be `#[inline(always)]`.
    fn run<const N: usize>(self, lanes: L) -> Self::Output;
}

/// Work that is independent of the states being ciphered, and done in the gaps.
pub(crate) trait Meanwhile<L: Lanes> {
    /// After round `round`, 0 to 8. Must be `#[inline(always)]`.
    fn after_round(&mut self, lanes: L, round: usize);
}

/// No such work.
pub(crate) struct Nothing;

impl<L: Lanes> Meanwhile<L> for Nothing {
    #[inline(always)]
    fn after_round(&mut self, _lanes: L, _round: usize) {}
}
