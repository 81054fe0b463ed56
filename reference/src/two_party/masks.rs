//! Masks of a table of which the client is to learn one word (`[np99, section 4]`, with keys of random OTs).
//!
//! For each bit of an index there are two keys. Word x is masked by the keys that the bits of x choose; the client has one key
//! of each pair, and so unmasks the word at its own index and no other, for of any other index it lacks a key at least.
//! Keys are of one table: with two tables under the same keys the client could have a word of each.

use aes::Aes128;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use zeroize::Zeroize;

use crate::engine::tree::high_half;
use crate::{Block, Word};

/// The keys of a table with their key schedules. A schedule wipes itself.
pub(super) struct Masks {
    /// For each bit of an index, the highest first.
    ciphers: Vec<[Aes128; 2]>,
}

impl Masks {
    /// Both keys of each bit, the highest first.
    pub(super) fn new(keys: &[[Block; 2]]) -> Self {
        // In place at once: a vector that grows would leave schedules behind.
        let mut ciphers = Vec::with_capacity(keys.len());
        ciphers.extend(keys.iter().map(|pair| pair.map(cipher)));
        Self { ciphers }
    }

    /// `sum_j v(AES_{K_j}(x))`, where `K_j` is the key that bit j of x chooses, and v the value word of a block. x is public.
    pub(super) fn mask(&self, x: u64) -> Word {
        let mut sum: Word = 0;
        for (place, pair) in (0..).zip(self.ciphers.iter().rev()) {
            sum = sum.wrapping_add(part(&pair[usize::from(x >> place & 1 == 1)], x));
        }
        sum
    }

    /// The mask at an index, from the keys that its bits choose. The index is secret, and nothing but an input of AES.
    pub(super) fn of_one(keys: &[Block], index: u64) -> Word {
        keys.iter().fold(0, |sum: Word, &key| sum.wrapping_add(part(&cipher(key), index)))
    }
}

fn cipher(key: Block) -> Aes128 {
    let mut bytes = Array::from(key.to_le_bytes());
    let cipher = Aes128::new(&bytes);
    bytes.0.zeroize();
    cipher
}

/// `v(AES_K(x))`, of x as a block.
fn part(cipher: &Aes128, x: u64) -> Word {
    let mut block = Array::from(Block::from(x).to_le_bytes());
    cipher.encrypt_block(&mut block);
    let word = high_half(Block::from_le_bytes(block.0));
    block.0.zeroize();
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever has the keys of index i unmasks word i, and no other.
    #[test]
    fn the_keys_of_one_index_unmask_one_word() {
        let keys: Vec<[Block; 2]> = (0..4).map(|j| [2 * j + 100, 2 * j + 101]).collect();
        let masks = Masks::new(&keys);
        for index in 0..16 {
            let own: Vec<Block> = (0..4).map(|j| keys[j][index >> (3 - j) & 1]).collect();
            for x in 0..16 {
                let right = masks.mask(x) == Masks::of_one(&own, x);
                assert_eq!(right, x == index as u64, "{index} {x}");
            }
        }
    }

    /// The block x is x in its low half; the mask is the high half of what it becomes.
    #[test]
    fn a_part_is_the_high_half_of_aes() {
        for answer in duoram_vectors::aes_answers() {
            let plain = Block::from_le_bytes(answer.plain);
            if let Ok(x) = u64::try_from(plain) {
                let expected = high_half(Block::from_le_bytes(answer.cipher));
                assert_eq!(part(&cipher(Block::from_le_bytes(answer.key)), x), expected);
            }
        }
    }
}
