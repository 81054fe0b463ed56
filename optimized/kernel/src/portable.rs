//! The backend for any CPU: one label a register, AES on bit planes.

use core::hint::black_box;

use crate::bitslice::{BATCH, Planes};
use crate::lanes::{Lanes, Meanwhile, Work};
use crate::schedule::Schedule;

/// Software AES in constant time; needs nothing.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Lanes for Portable {
    const WIDTH: usize = 1;
    type Blocks = u128;
    type Flags = u128;
    type Words = [u64; 2];
    type Bits = u64;
    /// All ones if it is 1.
    type Distance = u64;
    type Keys = [Planes; 9];
    type Product = u64;
    type BlockRow = [u128; 1];
    type WordRow = [u64; 2];
    type Single = Self;

    fn single(self) -> Self {
        self
    }

    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        // Eight parents have sixteen children: one batch of the bit planes.
        work.run::<{ BATCH / 2 }>(self)
    }

    #[inline(always)]
    fn load_blocks(self, row: &[u128; 1]) -> u128 {
        row[0]
    }

    #[inline(always)]
    fn store_blocks(self, row: &mut [u128; 1], blocks: u128) {
        row[0] = blocks;
    }

    #[inline(always)]
    fn load_words(self, row: &[u64; 2]) -> [u64; 2] {
        *row
    }

    #[inline(always)]
    fn store_words(self, row: &mut [u64; 2], words: [u64; 2]) {
        *row = words;
    }

    #[inline(always)]
    fn load_everywhere(self, label: &u128) -> u128 {
        *label
    }

    #[inline(always)]
    fn load_pairs(self, pairs: &[[u64; 2]], row: usize, _stride: usize) -> [u64; 2] {
        pairs[row]
    }

    #[inline(always)]
    fn store_pairs(self, pairs: &mut [[u64; 2]], row: usize, _stride: usize, words: [u64; 2]) {
        pairs[row] = words;
    }

    #[inline(always)]
    fn store_apart(self, labels: &mut [u128], first: usize, _stride: usize, blocks: u128) {
        labels[first] = blocks;
    }

    #[inline(always)]
    fn prefetch<T>(self, _pairs: &[T], _index: usize) {}

    #[inline(always)]
    fn to_word_row(self, words: [u64; 2]) -> [u64; 2] {
        words
    }

    #[inline(always)]
    fn to_block_row(self, blocks: u128) -> [u128; 1] {
        [blocks]
    }

    #[inline(always)]
    fn splat_block(self, block: u128) -> u128 {
        block
    }

    #[inline(always)]
    fn splat_word(self, word: u64) -> [u64; 2] {
        [word; 2]
    }

    #[inline(always)]
    fn keys(self, schedule: &Schedule) -> [Planes; 9] {
        let mut keys = [Planes::from_blocks(&[schedule.round_key(1); BATCH]); 9];
        for round in 1..9 {
            keys[round] = Planes::from_blocks(&[schedule.round_key(round + 1); BATCH]);
        }
        keys
    }

    #[inline(always)]
    fn rounds<const N: usize, M: Meanwhile<Self>>(
        self,
        keys: &[Planes; 9],
        states: [[u128; N]; 2],
        meanwhile: &mut M,
    ) -> [[u128; N]; 2] {
        for round in 0..9 {
            meanwhile.after_round(self, round);
        }
        // A batch holds 2 N states, N <= BATCH / 2; unused places are ciphered and ignored.
        let mut batch = [0u128; BATCH];
        batch[..N].copy_from_slice(&states[0]);
        batch[N..2 * N].copy_from_slice(&states[1]);
        // All of the last round but its key.
        let batch = encrypt(keys, &batch);
        let mut ciphers = states;
        ciphers.as_flattened_mut().copy_from_slice(&batch[..2 * N]);
        ciphers
    }

    #[inline(always)]
    fn last_round<const N: usize>(self, states: [[u128; N]; 2], last: [[u128; N]; 2]) -> [[u128; N]; 2] {
        let mut results = last;
        for (result, cipher) in results.as_flattened_mut().iter_mut().zip(states.as_flattened()) {
            *result ^= cipher;
        }
        results
    }

    #[inline(always)]
    fn xor_blocks(self, a: u128, b: u128) -> u128 {
        a ^ b
    }

    #[inline(always)]
    fn cleared_xor(self, labels: u128, key: u128) -> u128 {
        (labels & !1) ^ key
    }

    #[inline(always)]
    fn flags<const N: usize>(self, labels: [u128; N]) -> [u128; N] {
        let mut flags = labels;
        for flag in &mut flags {
            // The compiler must not know that there are only two masks: it has made a branch of an AND with one.
            *flag = black_box(*flag & 1).wrapping_neg();
        }
        flags
    }

    #[inline(always)]
    fn pack_flags(self, labels: u128) -> u8 {
        labels as u8 & 1
    }

    #[inline(always)]
    fn xor_where(self, flags: u8, labels: u128, correction: u128) -> u128 {
        labels ^ (u128::from(flags).wrapping_neg() & correction)
    }

    #[inline(always)]
    fn xor_unless(self, flags: u128, base: u128, correction: u128) -> u128 {
        base ^ (!flags & correction)
    }

    #[inline(always)]
    fn words(self, labels: u128) -> [u64; 2] {
        [labels as u64, (labels >> 64) as u64]
    }

    #[inline(always)]
    fn labels(self, words: [u64; 2]) -> u128 {
        u128::from(words[1]) << 64 | u128::from(words[0])
    }

    #[inline(always)]
    fn unzip(self, left: u128, right: u128) -> [[u64; 2]; 2] {
        [[left as u64, right as u64], [(left >> 64) as u64, (right >> 64) as u64]]
    }

    #[inline(always)]
    fn swap_words(self, words: [u64; 2]) -> [u64; 2] {
        [words[1], words[0]]
    }

    #[inline(always)]
    fn distance(self, words: usize) -> u64 {
        (words as u64).wrapping_neg()
    }

    #[inline(always)]
    fn exchange(self, words: [u64; 2], distance: u64) -> [u64; 2] {
        let change = (words[0] ^ words[1]) & distance;
        [words[0] ^ change, words[1] ^ change]
    }

    #[inline(always)]
    fn bits(self, bits: u64) -> u64 {
        bits
    }

    #[inline(always)]
    fn xor_where_bits(self, sum: [u64; 2], bits: u64, row: usize, words: [u64; 2]) -> [u64; 2] {
        let bits = bits >> (2 * row);
        let masks = [(bits & 1).wrapping_neg(), (bits >> 1 & 1).wrapping_neg()];
        self.xor(sum, self.and(masks, words))
    }

    #[inline(always)]
    fn add(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]
    }

    #[inline(always)]
    fn sub(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        [a[0].wrapping_sub(b[0]), a[1].wrapping_sub(b[1])]
    }

    #[inline(always)]
    fn and(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        [a[0] & b[0], a[1] & b[1]]
    }

    #[inline(always)]
    fn xor(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        [a[0] ^ b[0], a[1] ^ b[1]]
    }

    #[inline(always)]
    fn add_where_odd(self, sum: [u64; 2], flags: [u64; 2], addend: [u64; 2]) -> [u64; 2] {
        let masks = [(flags[0] & 1).wrapping_neg(), (flags[1] & 1).wrapping_neg()];
        self.add(sum, self.and(masks, addend))
    }

    #[inline(always)]
    fn mul(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        [a[0].wrapping_mul(b[0]), a[1].wrapping_mul(b[1])]
    }

    #[inline(always)]
    fn product(self) -> u64 {
        0
    }

    #[inline(always)]
    fn add_product(self, sum: u64, a: [u64; 2], b: [u64; 2]) -> u64 {
        let [low, high] = self.mul(a, b);
        sum.wrapping_add(low).wrapping_add(high)
    }

    #[inline(always)]
    fn product_sum(self, sum: u64) -> u64 {
        sum
    }
}

/// The ten rounds of a batch, without the last round's key.
fn encrypt(keys: &[Planes; 9], states: &[u128; BATCH]) -> [u128; BATCH] {
    let mut planes = Planes::from_blocks(states);
    for key in keys {
        planes = planes.round(key);
    }
    planes.last_round().to_blocks()
}
