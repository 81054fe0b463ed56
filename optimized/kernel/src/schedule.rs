//! The round keys of the session's AES-128 key.
//!
//! The PRG uses one fixed permutation pi a session (PROTOCOL.md, "PRG and tree"), so keys are expanded once and every
//! kernel only broadcasts them.

use crate::bitslice::sub_word;

/// The eleven round keys of AES-128, each as a little-endian block.
#[derive(Clone)]
pub(crate) struct Schedule {
    round_keys: [u128; 11],
}

impl Schedule {
    /// Expands `key` (FIPS 197, section 5.2). Byte 0 of the key is the lowest byte of the block.
    pub(crate) fn new(key: u128) -> Self {
        let mut round_keys = [key; 11];
        let mut constant = 1u32;
        for round in 1..11 {
            let previous = round_keys[round - 1];
            let last_word = (previous >> 96) as u32;
            // RotWord moves byte 0 to the end: in a little-endian word that is a rotation to the right.
            let mut word = sub_word(last_word.rotate_right(8)) ^ constant;
            let mut next = 0u128;
            for column in 0..4 {
                word ^= (previous >> (32 * column)) as u32;
                next |= u128::from(word) << (32 * column);
            }
            round_keys[round] = next;
            // Doubling in GF(2^8): the constants are 1, 2, 4, .. 0x80, 0x1b, 0x36.
            constant = (constant << 1) ^ ((constant >> 7) * 0x11b);
        }
        Self { round_keys }
    }

    /// Round key `round`, 0 to 10.
    #[inline(always)]
    pub(crate) fn round_key(&self, round: usize) -> u128 {
        self.round_keys[round]
    }
}
