//! Words, blocks and bits as the bytes that are sent, in all protocols.

use crate::core::aes::bytes_of_block;
use crate::core::block::Block;
use crate::core::vector::at;

/// A word, 8 bytes, lowest first.
pub fn word_bytes(word: u64) -> Vec<u8> {
    (0..8).map(|i: u32| (word.wrapping_shr(i.wrapping_mul(8)) & 0xff) as u8).collect()
}

/// Words, one after another.
pub fn words_bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word_bytes(*word)).collect()
}

/// Blocks, one after another.
pub fn blocks_bytes(blocks: &[Block]) -> Vec<u8> {
    blocks.iter().flat_map(|block| bytes_of_block(*block)).collect()
}

/// Bits, packed: bit j is bit `j mod 8` of byte `j div 8`.
pub fn packed_bits(bits: &[bool]) -> Vec<u8> {
    (0..bits.len().wrapping_add(7).wrapping_shr(3))
        .map(|byte: usize| {
            (0..8).fold(0u8, |sum, position: usize| {
                let bit = at(bits, byte.wrapping_mul(8).wrapping_add(position), false);
                sum ^ (if bit { 1u8 } else { 0u8 }).wrapping_shl(position as u32)
            })
        })
        .collect()
}
