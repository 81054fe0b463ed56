//! From the leaves of one DPF to additive shares of its unit vector, by the inverse of a sum: one word each way, and no product.
//!
//! Not App. D, which opens a blinded sign and multiplies. The conversion words of both parties, signed, cancel off the
//! target ri; at ri they differ in their lowest bit, which is the flag. So the sum z of all of them is odd, has an inverse, and
//! `z^-1` times the words are shares of e_ri.
//!
//! To open z tells nothing: it is the difference of two halves of labels at ri, of which each party does not know the
//! other's, and these halves are opened nowhere else. UPDATE uses the other halves, the value words.

use crate::core::block::Block;
use crate::core::dpf::conversion_words;
use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::core::vector::{dot, indices, mod_size, scale, sum};

/// P_b's share of z: the sum of its signed conversion words.
pub fn sum_share<W: Ring>(party: Primary, labels: &[Block]) -> W {
    let words: Vec<W> = conversion_words(party, labels);
    sum(&words)
}

/// The inverse of an odd word, by Newton's iteration `x <- x (2 - a x)` from `x = a`: 3 bits are right at first, for the square
/// of an odd number is 1 mod 8, and twice as many after each step. Five steps are enough for 96 bits.
pub fn inverse<W: Ring>(a: W) -> W {
    let two = W::one().plus(W::one());
    (0..5).fold(a, |x: W, _| x.times(two.minus(a.times(x))))
}

/// P_b's share of the unit vector, from both shares of z together.
pub fn unit_share<W: Ring>(party: Primary, labels: &[Block], opened_sum: W) -> Vec<W> {
    let words: Vec<W> = conversion_words(party, labels);
    scale(inverse(opened_sum), &words)
}

/// P_b's additive share of ri, by linearity: `ri_b = sum_x x unit_b[x]` mod n.
pub fn random_index_share<W: Ring>(unit_share: &[W]) -> u64 {
    mod_size(dot(&indices(unit_share.len()), unit_share).to_u64(), unit_share.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ring::{Z4, z4};

    #[test]
    fn odd_words_have_inverses() {
        for a in [1u64, 3, 0x1234_5678_9abc_def1, 0x8000_0000_0000_0001, u64::MAX] {
            assert_eq!(a.wrapping_mul(inverse(a)), 1);
        }
        assert_eq!((inverse(z4(1)), inverse(z4(3))), (z4(1), z4(3)));
    }

    #[test]
    fn the_shares_are_of_the_unit_vector() {
        // Equal off 2; there other halves and another flag.
        let labels_0: Vec<Block> = vec![6, Block::MAX - 0xb, Block::MAX - 0x5432, 11];
        let mut labels_1 = labels_0.clone();
        labels_1[2] = Block::MAX / 5 - 1;
        let z: u64 = sum_share::<u64>(Primary::P0, &labels_0).plus(sum_share(Primary::P1, &labels_1));
        let (e_0, e_1) = (unit_share(Primary::P0, &labels_0, z), unit_share(Primary::P1, &labels_1, z));
        let opened: Vec<u64> = e_0.iter().zip(&e_1).map(|(x, y)| x.wrapping_add(*y)).collect();
        assert_eq!(opened, [0, 0, 1, 0]);
        assert_eq!((random_index_share(&e_0) + random_index_share(&e_1)) % 4, 2);
    }

    #[test]
    fn the_sum_of_z4_words_is_odd_as_well() {
        let labels_0: Vec<Block> = vec![2, 3];
        let labels_1: Vec<Block> = vec![2, 0];
        let z: Z4 = sum_share::<Z4>(Primary::P0, &labels_0).plus(sum_share(Primary::P1, &labels_1));
        assert_eq!(z, z4(3));
        let e_1 = unit_share(Primary::P1, &labels_1, z)[1];
        assert_eq!(unit_share(Primary::P0, &labels_0, z)[1].plus(e_1), z4(1));
    }
}
