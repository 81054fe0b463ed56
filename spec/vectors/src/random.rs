//! The one generator of test data: SplitMix64.

use duoram_spec::core::block::{Block, block_of_halves};
use duoram_spec::core::ring::Ring;

/// A stream of test data: `SplitMix64` (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014,
/// figure 17), started at the state in the field.
///
/// The same state gives the same values in every release, on every machine: the committed vectors and the numbers in the
/// book are drawn from it, and the seed that a failing test prints brings its case back. Anybody can compute the stream
/// from one output, so that it must never make a secret; the parties draw from `ChaCha`.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A word, uniform.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0. Small bounds are hit evenly enough for tests.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }

    /// A bit, uniform: the lowest of a word.
    pub fn bit(&mut self) -> bool {
        self.word() & 1 == 1
    }

    /// A block of two words, the low half first.
    pub fn block(&mut self) -> Block {
        let (low, high) = (self.word(), self.word());
        block_of_halves(low, high)
    }

    /// An element of any ring of words, from one word.
    pub fn ring<W: Ring>(&mut self) -> W {
        W::from_u64(self.word())
    }

    /// `n` elements of a ring.
    pub fn vector<W: Ring>(&mut self, n: usize) -> Vec<W> {
        (0..n).map(|_| self.ring()).collect()
    }

    /// `n` words.
    pub fn words(&mut self, n: usize) -> Vec<u64> {
        self.vector(n)
    }

    /// Additive shares of a word, P0's drawn and P1's the rest. An address is shared as a whole word too.
    pub fn shares(&mut self, x: u64) -> (u64, u64) {
        let share = self.word();
        (share, x.wrapping_sub(share))
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    /// The outputs for seed 1234567 that implementations of SplitMix64 in other languages are checked with.
    #[test]
    fn the_stream_is_that_of_splitmix64() {
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(Random(1_234_567).words(5), expected);
    }
}
