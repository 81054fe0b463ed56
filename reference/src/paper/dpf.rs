//! Distributed point functions with deferred final correction word: keys, the growth of a tree, and its leaves.

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::engine::SessionKey;
pub use crate::engine::tree::{ChildSums, Correction, Forest, flag};
use crate::engine::tree::{evaluate, high_half, low_half};
use crate::wire::Role;
use crate::{Block, Word};

/// One party's key of a DPF whose final correction word is deferred (`[duoram, section 4]`; erratum 4). Wiped on drop.
///
/// A key used twice reveals the difference of two addresses. So there is no way to have it twice: it is made by
/// preprocessing, moved into the one query that it serves, and neither cloned nor built by hand. Only a party that is saved
/// writes down those that it has left ([`crate::Lasting::save`]).
///
/// ```compile_fail,E0599
/// # use duoram_reference::DpfShare;
/// fn twice(key: &DpfShare) -> DpfShare {
///     key.clone()
/// }
/// ```
///
/// ```compile_fail,E0451
/// # use duoram_reference::DpfShare;
/// let by_hand = DpfShare { parts: Default::default() };
/// ```
///
/// Its parts can be read, for that is what it is evaluated from.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct DpfShare {
    /// In a place of their own: a move leaves nothing behind that nobody would wipe.
    parts: Box<Parts>,
}

/// What a key consists of.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
struct Parts {
    root: Block,
    corrections: Vec<Correction>,
    conversion_factor: Word,
}

impl DpfShare {
    /// A key, of its parts.
    pub(crate) fn new(root: Block, corrections: Vec<Correction>, conversion_factor: Word) -> Self {
        Self { parts: Box::new(Parts { root, corrections, conversion_factor }) }
    }

    /// The root's label; its lowest bit is the owner's number b.
    pub fn root(&self) -> &Block {
        &self.parts.root
    }

    /// One a level, root first; h of them.
    pub fn corrections(&self) -> &[Correction] {
        &self.parts.corrections
    }

    /// `A` of App. D, which both owners know: the additive share of the unit vector is `s_b (A t_b[i] - c_b[i])`.
    pub fn conversion_factor(&self) -> Word {
        self.parts.conversion_factor
    }

    /// For a message that is being read.
    pub(crate) fn corrections_mut(&mut self) -> &mut [Correction] {
        &mut self.parts.corrections
    }

    /// A key that a test has made up.
    #[cfg(any(test, feature = "test-util"))]
    pub fn for_test(root: Block, corrections: Vec<Correction>, conversion_factor: Word) -> Self {
        Self::new(root, corrections, conversion_factor)
    }

    /// A second key of a test that uses one twice on purpose.
    #[cfg(any(test, feature = "test-util"))]
    pub fn copy_for_test(&self) -> Self {
        self.duplicate_for_helper()
    }

    /// EVALFULL (`[duoram, section 2.1.1]`): the labels of the `n = 2^h` leaves, by index.
    pub fn evaluate(&self, key: &SessionKey) -> Zeroizing<Vec<Block>> {
        evaluate(key, self.parts.root, &self.parts.corrections)
    }

    /// `t_b`: the owner's additive share of the unit vector at `ri`, from the leaves of this key
    /// (`[duoram, appendix D, step 7]`).
    pub fn unit_vector(&self, owner: Role, labels: &[Block]) -> Zeroizing<Vec<Word>> {
        Zeroizing::new(
            labels
                .iter()
                .map(|&label| {
                    let unsigned = self
                        .conversion_factor()
                        .wrapping_mul(flag(label))
                        .wrapping_sub(conversion_word(label));
                    owner.sign().wrapping_mul(unsigned)
                })
                .collect(),
        )
    }

    /// `v_b`: the owner's value words, signed, from the leaves of this key (`[duoram, section 4.1.1]`).
    pub fn values(owner: Role, labels: &[Block]) -> Zeroizing<Vec<Word>> {
        Zeroizing::new(labels.iter().map(|&label| owner.sign().wrapping_mul(value_word(label))).collect())
    }

    /// The one duplicate of a key there is: the helper evaluates DPF 2 of P0 and DPF 3 of P1 as their owners do.
    pub(crate) fn duplicate_for_helper(&self) -> Self {
        Self { parts: self.parts.clone() }
    }
}

/// The conversion word `c` of a leaf, bits 0..63, for App. D only.
///
/// Its lowest bit is the flag and so correlated between the parties, which App. D tolerates and a value does not.
pub const fn conversion_word(label: Block) -> Word {
    low_half(label)
}

/// The value word `v` of a leaf, bits 64..127. Without the flag: opening the final correction word would give it away.
pub const fn value_word(label: Block) -> Word {
    high_half(label)
}

/// Sums over the leaves of one tree, all mod 2^64 and without the sign `s_b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Zeroize)]
pub struct LeafSums {
    /// Sum of `t[i]`.
    pub flag_count: Word,
    /// Sum of `c[i]`.
    pub conversion_sum: Word,
    /// Sum of `v[i]`.
    pub value_sum: Word,
    /// Sum of `i t[i]`.
    pub index_flag_sum: Word,
    /// Sum of `i c[i]`.
    pub index_conversion_sum: Word,
}

impl LeafSums {
    pub(crate) fn of(labels: &[Block]) -> Self {
        let mut sums = Self::default();
        for (index, &label) in (0..).zip(labels) {
            sums.flag_count = sums.flag_count.wrapping_add(flag(label));
            sums.conversion_sum = sums.conversion_sum.wrapping_add(conversion_word(label));
            sums.value_sum = sums.value_sum.wrapping_add(value_word(label));
            sums.index_flag_sum = sums.index_flag_sum.wrapping_add(flag(label).wrapping_mul(index));
            sums.index_conversion_sum =
                sums.index_conversion_sum.wrapping_add(conversion_word(label).wrapping_mul(index));
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The paper's GEN in the clear: both trees, and the corrections for the target.
    fn generate(key: &SessionKey, roots: [Block; 2], target: u64, depth: u32) -> [DpfShare; 2] {
        let roots = [roots[0] & !1, roots[1] | 1];
        let mut forests = roots.map(|root| Forest::plant(key, vec![root], depth));
        let mut corrections = Vec::new();
        for level in 0..depth {
            let right = target >> (depth - 1 - level) & 1 == 1;
            let [sums_0, sums_1] = [0, 1].map(|b: usize| forests[b].grow()[0]);
            let (left_sum, right_sum) = (sums_0.left ^ sums_1.left, sums_0.right ^ sums_1.right);
            let correction = Correction {
                word: if right { left_sum } else { right_sum } & !1,
                left_flag: (left_sum & 1 == 1) ^ right ^ true,
                right_flag: (right_sum & 1 == 1) ^ right,
            };
            for forest in &mut forests {
                forest.correct(&[correction]);
            }
            corrections.push(correction);
        }
        roots.map(|root| DpfShare::new(root, corrections.clone(), 0))
    }

    proptest! {
        #[test]
        fn trees_are_equal_except_at_the_target(
            key: [u8; 16], roots: [u128; 2], depth in 1..=8_u32, target: u64,
        ) {
            let key = SessionKey::new(key);
            let target = target % (1 << depth);
            let [share_0, share_1] = generate(&key, roots, target, depth);
            let (leaves_0, leaves_1) = (share_0.evaluate(&key), share_1.evaluate(&key));
            prop_assert_eq!(leaves_0.len(), 1 << depth);
            for (index, (&leaf_0, &leaf_1)) in (0..).zip(leaves_0.iter().zip(leaves_1.iter())) {
                prop_assert_eq!(leaf_0 == leaf_1, index != target);
                prop_assert_eq!(flag(leaf_0) ^ flag(leaf_1), Word::from(index == target));
            }
        }

        #[test]
        fn a_leaf_splits_into_value_and_conversion_word(label: u128) {
            prop_assert_eq!(u128::from(value_word(label)) << 64 | u128::from(conversion_word(label)), label);
            prop_assert_eq!(u128::from(flag(label)), label & 1);
        }
    }
}
