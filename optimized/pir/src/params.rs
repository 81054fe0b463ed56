//! Sizes: how a table is cut into items and dimensions, how finely ciphertexts are decomposed, and how long messages are.

use crate::lanes::ITEM_WORDS;
use crate::ring::{N, Q};

/// The plaintext modulus: a coefficient is a byte.
pub(crate) const PLAINTEXT: u64 = 256;

/// To what the two halves of an answer are switched: the first to 2^16 + 1, the second to 4 times the plaintext's.
pub(crate) const SWITCHED: [u64; 2] = [65_537, 4 * PLAINTEXT];

/// Bits of a coefficient of each half.
pub(crate) const SWITCHED_BITS: [u32; 2] = [17, 10];

/// Bytes of a ring element: a pair of residues is 56 bits.
pub(crate) const ELEMENT_BYTES: usize = 7 * N;

/// Bytes of the seed of what is uniform in a message.
pub(crate) const SEED_BYTES: usize = 32;

/// Bytes of an answer.
pub(crate) const ANSWER_BYTES: usize = N * (SWITCHED_BITS[0] + SWITCHED_BITS[1]) as usize / 8;

/// A decomposition of numbers mod q: `digits` of `bits` each, counted from `-middle`, of the number that lies in the range from
/// `-center` on.
///
/// Both are such that 0 is in the middle: digits with another mean than 0 would multiply all of a noise's coefficients by the same, and
/// so add them up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gadget {
    pub(crate) digits: usize,
    pub(crate) bits: u32,
    pub(crate) middle: u32,
    pub(crate) center: u64,
}

impl Gadget {
    const fn new(digits: usize) -> Self {
        let bits = 56_u32.div_ceil(digits as u32);
        Self { digits, bits, middle: 1 << (bits - 1), center: Q / 2 }
    }

    /// What is to be added to a number that counts from `-center`, so that its digits count from `-middle`.
    pub(crate) fn offset(&self) -> u64 {
        let middles = (0..self.digits as u32).map(|k| u64::from(self.middle) << (self.bits * k)).sum::<u64>();
        middles - self.center
    }
}

/// All of it, for tables of `2^log_size` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Params {
    /// nu_1: lg of the first dimension, whose unit vector the query is expanded to.
    pub(crate) first: u32,
    /// nu_2: how many times what is left is halved.
    pub(crate) folds: u32,
    /// For the expansion to the first dimension.
    pub(crate) expand_first: Gadget,
    /// For the expansion to the bits of the other dimensions.
    pub(crate) expand_folds: Gadget,
    /// For making GSW ciphertexts of these bits.
    pub(crate) convert: Gadget,
    /// Of the GSW ciphertexts.
    pub(crate) gsw: Gadget,
}

/// The least table: less is padded by items that are 0 and cost nothing.
const LEAST_LOG_ITEMS: u32 = 4;

/// The query has 2048 coefficients, half of them for the first dimension.
const GREATEST_FIRST: u32 = 10;

impl Params {
    pub(crate) fn new(log_size: u32) -> Self {
        let log_items = log_size.saturating_sub(ITEM_WORDS.ilog2()).max(LEAST_LOG_ITEMS);
        let first = u32::midpoint(log_items, 3).min(GREATEST_FIRST);
        Self {
            first,
            folds: log_items - first,
            expand_first: Gadget::new(5),
            expand_folds: Gadget::new(7),
            convert: Gadget::new(4),
            gsw: Gadget::new(5),
        }
    }

    /// Items in the first dimension.
    pub(crate) fn columns(&self) -> usize {
        1 << self.first
    }

    /// Items for each place of the first dimension.
    pub(crate) fn rows(&self) -> usize {
        1 << self.folds
    }

    /// Ciphertexts that all GSW ciphertexts are made of.
    pub(crate) fn fold_parts(&self) -> usize {
        self.gsw.digits * self.folds as usize
    }

    /// Rounds in which the query is expanded; each doubles the ciphertexts. Even ones are for the first dimension, odd ones for the
    /// others.
    pub(crate) fn rounds(&self) -> u32 {
        self.first + 1
    }

    /// The last round in which odd ciphertexts are expanded.
    pub(crate) fn last_fold_round(&self) -> u32 {
        self.fold_parts().next_power_of_two().ilog2()
    }

    /// Elements of a setup message, in this order: expansion keys of rounds 1.. for the first dimension, of rounds 0.. for the
    /// others, conversion keys.
    pub(crate) fn setup_elements(&self) -> [usize; 3] {
        [
            self.first as usize * self.expand_first.digits,
            (self.last_fold_round() as usize + 1) * self.expand_folds.digits,
            2 * self.convert.digits,
        ]
    }

    pub(crate) fn setup_bytes(&self) -> usize {
        SEED_BYTES + self.setup_elements().iter().sum::<usize>() * ELEMENT_BYTES
    }

    pub(crate) fn query_bytes() -> usize {
        SEED_BYTES + ELEMENT_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_fits_one_query() {
        for log_size in 0..=40 {
            let params = Params::new(log_size);
            assert!(params.columns() << params.folds << ITEM_WORDS.ilog2() >= 1_usize << log_size);
            assert!(params.folds >= 1);
            assert!(2 * params.columns() <= N, "even coefficients");
            assert!(params.fold_parts() <= params.columns(), "odd ones, expanded in the same rounds");
            assert!(params.last_fold_round() < params.rounds());
        }
    }

    #[test]
    fn digits_cover_the_modulus_and_are_small_residues() {
        let params = Params::new(20);
        for gadget in [params.expand_first, params.expand_folds, params.convert, params.gsw] {
            assert!(gadget.digits as u32 * gadget.bits >= 56);
            assert!(gadget.bits < 28);
            let capacity = 1_u64 << (gadget.digits as u32 * gadget.bits);
            assert!(gadget.offset() + (Q - 1) < capacity, "the greatest number");
        }
    }
}
