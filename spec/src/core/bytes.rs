//! Words, blocks and bits as the bytes that are sent, and back, in all protocols.
//!
//! What decodes is total: bytes that are not there are 0, and bytes too many are left. That a message has the length that is
//! due is checked before, where messages come from outside (`reference/src/wire`).

use crate::core::aes::{block_of_bytes, bytes_of_block};
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

/// The first `count` parts of `width` entries each.
pub fn parts<T: Clone>(list: &[T], width: usize, count: usize) -> Vec<Vec<T>> {
    (0..count)
        .map(|i: usize| {
            let part: Vec<T> = list.iter().skip(i.wrapping_mul(width)).take(width).cloned().collect();
            part
        })
        .collect()
}

/// What [`word_bytes`] wrote.
pub fn word_of_bytes(bytes: &[u8]) -> u64 {
    (0..8).fold(0u64, |sum, i: u32| sum ^ (at(bytes, i as usize, 0) as u64).wrapping_shl(i.wrapping_mul(8)))
}

/// What [`words_bytes`] wrote.
pub fn words_of_bytes(bytes: &[u8]) -> Vec<u64> {
    parts(bytes, 8, bytes.len().wrapping_shr(3)).iter().map(|part| word_of_bytes(part)).collect()
}

/// What [`blocks_bytes`] wrote.
pub fn blocks_of_bytes(bytes: &[u8]) -> Vec<Block> {
    parts(bytes, 16, bytes.len().wrapping_shr(4)).iter().map(|part| block_of_bytes(part)).collect()
}

/// The first `count` of the bits that [`packed_bits`] wrote.
pub fn bits_of_bytes(bytes: &[u8], count: usize) -> Vec<bool> {
    bytes
        .iter()
        .flat_map(|byte| {
            let bits: Vec<bool> = (0..8).map(|position: u32| byte.wrapping_shr(position) & 1 == 1).collect();
            bits
        })
        .take(count)
        .collect()
}
