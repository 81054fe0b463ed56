//! The words that the paper computes with: integers mod 2^w `[duoram, section 3, Notation]`.
//!
//! Everything is generic over the ring, so that the same functions run on 64-bit words and, in the exhaustive tests of
//! privacy, on 2-bit words, where every random value can be tried.
//!
//! The lean protocol's words are XOR-shared: [`XorWord`], where plus and minus are XOR, times is AND and one is all ones, is a
//! ring as well, a boolean one, and [`Bit`] is its smallest relative.

use crate::core::block::Block;

/// A ring Z_2^w of words, with the two words that a leaf's label holds.
pub trait Ring: Copy {
    /// 0
    fn zero() -> Self;
    /// 1
    fn one() -> Self;
    /// `self + other` mod 2^w
    fn plus(self, other: Self) -> Self;
    /// `self - other` mod 2^w
    fn minus(self, other: Self) -> Self;
    /// `self * other` mod 2^w
    fn times(self, other: Self) -> Self;
    /// `-self` mod 2^w
    fn negated(self) -> Self;
    /// `x` mod 2^w
    fn from_u64(x: u64) -> Self;
    /// The representative in `[0, 2^w)`.
    fn to_u64(self) -> u64;
    /// The value word v of a leaf: w bits of the label from bit 64 on.
    ///
    /// Not from bit 0 on: the lowest bit is the flag, and at the target the two flags differ. A word that held this bit
    /// would tell the lowest bit of M once F is opened (`spec/tests/security.rs`).
    fn value_word(label: Block) -> Self;
    /// The conversion word c of a leaf, the auxiliary value of App. D: the w lowest bits of the label.
    fn conversion_word(label: Block) -> Self;
}

impl Ring for u64 {
    fn zero() -> u64 {
        0
    }
    fn one() -> u64 {
        1
    }
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }
    fn minus(self, other: u64) -> u64 {
        self.wrapping_sub(other)
    }
    fn times(self, other: u64) -> u64 {
        self.wrapping_mul(other)
    }
    fn negated(self) -> u64 {
        self.wrapping_neg()
    }
    fn from_u64(x: u64) -> u64 {
        x
    }
    fn to_u64(self) -> u64 {
        self
    }
    fn value_word(label: Block) -> u64 {
        crate::core::block::high_half(label)
    }
    fn conversion_word(label: Block) -> u64 {
        crate::core::block::low_half(label)
    }
}

/// The integers mod 4: the smallest ring in which `-1` differs from `1`, small enough to try every random value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Z4 {
    /// The representative, 0 to 3.
    pub representative: u64,
}

/// `x` mod 4.
pub fn z4(x: u64) -> Z4 {
    Z4 { representative: x & 3 }
}

impl Ring for Z4 {
    fn zero() -> Z4 {
        z4(0)
    }
    fn one() -> Z4 {
        z4(1)
    }
    fn plus(self, other: Z4) -> Z4 {
        z4(self.representative.wrapping_add(other.representative))
    }
    fn minus(self, other: Z4) -> Z4 {
        z4(self.representative.wrapping_sub(other.representative))
    }
    fn times(self, other: Z4) -> Z4 {
        z4(self.representative.wrapping_mul(other.representative))
    }
    fn negated(self) -> Z4 {
        z4(self.representative.wrapping_neg())
    }
    fn from_u64(x: u64) -> Z4 {
        z4(x)
    }
    fn to_u64(self) -> u64 {
        self.representative
    }
    fn value_word(label: Block) -> Z4 {
        z4(crate::core::block::high_half(label))
    }
    fn conversion_word(label: Block) -> Z4 {
        z4(crate::core::block::low_half(label))
    }
}

/// 64 bits with XOR and AND: a boolean ring, in which every word is its own negative.
///
/// Its words are strings of bits and not integers mod 2^w: [`Ring::from_u64`] and [`Ring::to_u64`] carry the bits, and no sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct XorWord {
    /// The 64 bits.
    pub bits: u64,
}

impl Ring for XorWord {
    fn zero() -> XorWord {
        XorWord { bits: 0 }
    }
    fn one() -> XorWord {
        XorWord { bits: !0 }
    }
    fn plus(self, other: XorWord) -> XorWord {
        XorWord { bits: self.bits ^ other.bits }
    }
    fn minus(self, other: XorWord) -> XorWord {
        XorWord { bits: self.bits ^ other.bits }
    }
    fn times(self, other: XorWord) -> XorWord {
        XorWord { bits: self.bits & other.bits }
    }
    fn negated(self) -> XorWord {
        self
    }
    fn from_u64(x: u64) -> XorWord {
        XorWord { bits: x }
    }
    fn to_u64(self) -> u64 {
        self.bits
    }
    fn value_word(label: Block) -> XorWord {
        XorWord { bits: crate::core::block::high_half(label) }
    }
    fn conversion_word(label: Block) -> XorWord {
        XorWord { bits: crate::core::block::low_half(label) }
    }
}

/// One bit: the smallest boolean ring, small enough to try every random value of a whole operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bit {
    /// 0 or 1.
    pub bit: bool,
}

impl Ring for Bit {
    fn zero() -> Bit {
        Bit { bit: false }
    }
    fn one() -> Bit {
        Bit { bit: true }
    }
    fn plus(self, other: Bit) -> Bit {
        Bit { bit: self.bit ^ other.bit }
    }
    fn minus(self, other: Bit) -> Bit {
        Bit { bit: self.bit ^ other.bit }
    }
    fn times(self, other: Bit) -> Bit {
        Bit { bit: self.bit && other.bit }
    }
    fn negated(self) -> Bit {
        self
    }
    fn from_u64(x: u64) -> Bit {
        Bit { bit: x & 1 == 1 }
    }
    fn to_u64(self) -> u64 {
        if self.bit { 1 } else { 0 }
    }
    fn value_word(label: Block) -> Bit {
        Bit { bit: crate::core::block::high_half(label) & 1 == 1 }
    }
    fn conversion_word(label: Block) -> Bit {
        Bit { bit: crate::core::block::low_half(label) & 1 == 1 }
    }
}
