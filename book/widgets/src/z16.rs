//! Words of 4 bits: large enough for the 8 addresses of the larger memory, small enough to be read at a glance.

use duoram_spec::core::block::{Block, high_half, low_half};
use duoram_spec::core::ring::Ring;

/// The integers mod 16.
#[derive(Clone, Copy)]
pub(crate) struct Z16(u64);

impl Ring for Z16 {
    fn zero() -> Z16 {
        Z16(0)
    }
    fn one() -> Z16 {
        Z16(1)
    }
    fn plus(self, other: Z16) -> Z16 {
        Z16::from_u64(self.0.wrapping_add(other.0))
    }
    fn minus(self, other: Z16) -> Z16 {
        Z16::from_u64(self.0.wrapping_sub(other.0))
    }
    fn times(self, other: Z16) -> Z16 {
        Z16::from_u64(self.0.wrapping_mul(other.0))
    }
    fn negated(self) -> Z16 {
        Z16::from_u64(self.0.wrapping_neg())
    }
    fn from_u64(x: u64) -> Z16 {
        Z16(x & 15)
    }
    fn to_u64(self) -> u64 {
        self.0
    }
    fn value_word(label: Block) -> Z16 {
        Z16::from_u64(high_half(label))
    }
    fn conversion_word(label: Block) -> Z16 {
        Z16::from_u64(low_half(label))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reduction mod 16 is a homomorphism from the 64-bit words, so all the protocol's formulas commute with it.
    #[test]
    fn arithmetic_is_that_of_u64_mod_16() {
        for a in 0..40 {
            assert_eq!(Z16::from_u64(a).negated().to_u64(), a.wrapping_neg() & 15);
            for b in 0..40 {
                let (x, y) = (Z16::from_u64(a), Z16::from_u64(b));
                assert_eq!(x.plus(y).to_u64(), (a + b) & 15);
                assert_eq!(x.minus(y).to_u64(), a.wrapping_sub(b) & 15);
                assert_eq!(x.times(y).to_u64(), (a * b) & 15);
            }
        }
    }
}
