//! Masks that make any PIR symmetric: of a table, who knows one key of each pair reads one word `[np99]`.
//!
//! The server has for each level j two keys, K_j^0 and K_j^1, of a random OT ([`crate::two_party::ot`]); the client has the one that bit j of
//! its index chooses, bits most significant first. Word x of the table is masked by the sum of `PRF(K_j^(bit j of x), x)` over
//! all levels: of every word but one, the client lacks a key. Keys are good for one table: under two, the client would read
//! a word of each, and their difference tells the rest.

use crate::core::aes::{bytes_of_block, encrypt, expand_key_with, s_box_table};
use crate::core::block::Block;
use crate::core::dpf::address_bits;
use crate::core::ring::Ring;
use crate::core::vector::at;
use crate::two_party::ot::received_all;

/// A pseudo-random function of blocks. Correctness needs no property of it.
pub trait Prf {
    /// The value at `input` under `key`.
    fn value(&self, key: Block, input: Block) -> Block;
}

/// AES-128 with the key as its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AesPrf {
    /// The S-box as a table, which all keys have in common.
    pub s_box: Vec<u8>,
}

impl Prf for AesPrf {
    fn value(&self, key: Block, input: Block) -> Block {
        encrypt(&expand_key_with(&self.s_box, &bytes_of_block(key)), input)
    }
}

/// AES-128, with its table computed.
pub fn aes_prf() -> AesPrf {
    AesPrf { s_box: s_box_table() }
}

/// The keys of word x: of each pair, the one that a bit of x chooses.
pub fn word_keys(pairs: &[(Block, Block)], x: u64) -> Vec<Block> {
    received_all(pairs, &address_bits(x, pairs.len()))
}

/// The mask of word x under its keys.
pub fn mask<W: Ring, F: Prf>(prf: &F, keys: &[Block], x: u64) -> W {
    keys.iter().fold(W::zero(), |sum: W, key| sum.plus(W::value_word(prf.value(*key, x as u128))))
}

/// The server's table, masked: what the PIR carries.
pub fn masked_table<W: Ring, F: Prf>(prf: &F, pairs: &[(Block, Block)], table: &[W]) -> Vec<W> {
    (0..table.len())
        .map(|x: usize| {
            let of_word: W = mask(prf, &word_keys(pairs, x as u64), x as u64);
            at(table, x, W::zero()).plus(of_word)
        })
        .collect()
}

/// The client's word, from the masked one at its index.
pub fn unmasked<W: Ring, F: Prf>(prf: &F, keys: &[Block], index: u64, masked: W) -> W {
    masked.minus(mask(prf, keys, index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::aes::expand_key;

    const PAIRS: [(Block, Block); 2] = [(1, 2), (3, 4)];

    #[test]
    fn the_client_reads_its_word_and_no_other() {
        let prf = aes_prf();
        let table: Vec<u64> = vec![10, 11, 12, 13];
        let masked = masked_table(&prf, &PAIRS, &table);
        for index in 0..4 {
            let keys = word_keys(&PAIRS, index as u64);
            for (x, word) in masked.iter().enumerate() {
                assert_eq!(unmasked(&prf, &keys, x as u64, *word) == table[x], x == index);
            }
        }
    }

    #[test]
    fn keys_are_chosen_by_the_most_significant_bit_first() {
        assert_eq!(word_keys(&PAIRS, 1), [1, 4]);
        assert_eq!(word_keys(&PAIRS, 2), [2, 3]);
    }

    #[test]
    fn the_function_is_aes_under_the_key() {
        let key: Block = 0x0f0e_0d0c_0b0a_0908_0706_0504_0302_0100;
        assert_eq!(aes_prf().value(key, 5), encrypt(&expand_key(&bytes_of_block(key)), 5));
    }
}
