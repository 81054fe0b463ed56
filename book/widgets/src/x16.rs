//! Words of 4 bits under XOR and AND: the lean protocol's ring, small enough to be read at a glance.

use duoram_spec::core::block::{Block, high_half, low_half};
use duoram_spec::core::ring::Ring;

/// Four bits.
#[derive(Clone, Copy)]
pub(crate) struct X16(u64);

impl Ring for X16 {
    fn zero() -> X16 {
        X16(0)
    }
    fn one() -> X16 {
        X16(15)
    }
    fn plus(self, other: X16) -> X16 {
        X16(self.0 ^ other.0)
    }
    fn minus(self, other: X16) -> X16 {
        X16(self.0 ^ other.0)
    }
    fn times(self, other: X16) -> X16 {
        X16(self.0 & other.0)
    }
    fn negated(self) -> X16 {
        self
    }
    fn from_u64(x: u64) -> X16 {
        X16(x & 15)
    }
    fn to_u64(self) -> u64 {
        self.0
    }
    fn value_word(label: Block) -> X16 {
        X16::from_u64(high_half(label))
    }
    fn conversion_word(label: Block) -> X16 {
        X16::from_u64(low_half(label))
    }
}

#[cfg(test)]
mod tests {
    use duoram_spec::core::ring::XorWord;

    use super::*;

    /// The lowest four bits of the 64-bit words: all the protocol's formulas commute with taking them.
    #[test]
    fn arithmetic_is_that_of_xor_words_in_their_lowest_bits() {
        assert_eq!(X16::one().to_u64(), XorWord::one().to_u64() & 15);
        for (a, b) in (0..40).flat_map(|a| (0..40).map(move |b| (a, b))) {
            let (x, y) = (X16::from_u64(a), X16::from_u64(b));
            let (long_x, long_y) = (XorWord::from_u64(a), XorWord::from_u64(b));
            assert_eq!(x.plus(y).to_u64(), long_x.plus(long_y).to_u64() & 15);
            assert_eq!(x.minus(y).to_u64(), long_x.minus(long_y).to_u64() & 15);
            assert_eq!(x.times(y).to_u64(), long_x.times(long_y).to_u64() & 15);
            assert_eq!(x.negated().to_u64(), long_x.negated().to_u64() & 15);
        }
    }
}
