//! The DPF of an UPDATE, at a random index that nobody knows, and its shares of a unit vector by the inverse of a sum.
//!
//! Of a leaf's label, bits 64..127 are the value word and bits 0..63 the conversion word, whose lowest bit is the flag.
//! The conversion words of both parties' leaves cancel everywhere but at ri. There the flags differ, so the sum z of all of them,
//! signed, is odd, and has an inverse mod 2^64: `z^-1` times the conversion words are shares of the unit vector. z says nothing
//! of ri, being a function of conversion words at one leaf that are used for nothing else.

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::engine::SessionKey;
pub use crate::engine::tree::{ChildSums, Correction, Forest};
use crate::engine::tree::{evaluate, high_half, low_half};
use crate::wire::Role;
use crate::{Block, Word};

/// One party's key of the DPF of an UPDATE item, with the inverse of the sum. Wiped on drop.
///
/// As every key it is made by preprocessing, moved into the one query that it serves, and neither cloned nor built by hand.
///
/// ```compile_fail,E0599
/// # use duoram_reference::two_party::DpfKey;
/// fn twice(key: &DpfKey) -> DpfKey {
///     key.clone()
/// }
/// ```
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct DpfKey {
    /// In a place of their own: a move leaves nothing behind that nobody would wipe.
    parts: Box<Parts>,
}

/// What a key consists of.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Parts {
    root: Block,
    corrections: Vec<Correction>,
    inverse: Word,
}

impl DpfKey {
    /// A key, of its parts.
    pub(crate) fn new(root: Block, corrections: Vec<Correction>, inverse: Word) -> Self {
        Self { parts: Box::new(Parts { root, corrections, inverse }) }
    }

    /// The root's label; its lowest bit is the owner's number b.
    pub fn root(&self) -> &Block {
        &self.parts.root
    }

    /// One a level, root first; h of them.
    pub fn corrections(&self) -> &[Correction] {
        &self.parts.corrections
    }

    /// `z^-1`, which both owners know: the share of the unit vector is `s_b c_b[x] z^-1`.
    pub fn inverse(&self) -> Word {
        self.parts.inverse
    }

    /// A key that a test has made up.
    #[cfg(any(test, feature = "test-util"))]
    pub fn for_test(root: Block, corrections: Vec<Correction>, inverse: Word) -> Self {
        Self::new(root, corrections, inverse)
    }

    /// The labels of the n leaves, by index.
    pub fn evaluate(&self, key: &SessionKey) -> Zeroizing<Vec<Block>> {
        evaluate(key, self.parts.root, &self.parts.corrections)
    }
}

/// Sums over the leaves of one tree, all mod 2^64 and without the sign `s_b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Zeroize)]
pub struct LeafSums {
    /// Sum of `c[x]`.
    pub conversion_sum: Word,
    /// Sum of `x c[x]`.
    pub index_conversion_sum: Word,
    /// Sum of `v[x]`.
    pub value_sum: Word,
}

impl LeafSums {
    pub(crate) fn of(labels: &[Block]) -> Self {
        let mut sums = Self::default();
        for (index, &label) in (0..).zip(labels) {
            let conversion: Word = low_half(label);
            sums.conversion_sum = sums.conversion_sum.wrapping_add(conversion);
            sums.index_conversion_sum =
                sums.index_conversion_sum.wrapping_add(conversion.wrapping_mul(index));
            sums.value_sum = sums.value_sum.wrapping_add(high_half(label));
        }
        sums
    }
}

/// `s_b (v + F z^-1 c)` of a leaf: the share of M at ri, and of 0 elsewhere. `factor` is `F z^-1`.
pub(crate) fn point(owner: Role, factor: Word, label: Block) -> Word {
    owner.sign().wrapping_mul(high_half(label).wrapping_add(factor.wrapping_mul(low_half(label))))
}

/// The inverse of an odd word mod 2^64, by Newton: 3 bits are right at first, and twice as many after each of 5 steps.
pub(crate) fn inverse(odd: Word) -> Word {
    (0..5).fold(odd, |x: Word, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_odd_word_times_its_inverse_is_1(word: Word) {
            prop_assert_eq!((word | 1).wrapping_mul(inverse(word | 1)), 1);
        }
    }

    #[test]
    fn sums_are_over_all_leaves() {
        let labels = [1 | 10 << 64, 2 | 20 << 64, 3 | 30 << 64];
        let expected = LeafSums { conversion_sum: 6, index_conversion_sum: 8, value_sum: 60 };
        assert_eq!(LeafSums::of(&labels), expected);
    }
}
