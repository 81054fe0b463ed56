//! Words, blocks and bits as the bytes that are sent, and back, in all protocols.
//!
//! What decodes is total: bytes that are not there are 0, and bytes too many are left. That a message has the length that is
//! due is checked before, where messages come from outside (`reference/src/wire`).

use crate::core::aes::{block_of_bytes, bytes_of_block};
use crate::core::block::Block;
use crate::core::distributed_gen::Operands;
use crate::core::ring::Ring;
use crate::core::vector::at;

/// A word, 8 bytes, lowest first.
pub fn word_bytes(word: u64) -> Vec<u8> {
    (0..8).map(|i: u32| (word.wrapping_shr(i.wrapping_mul(8)) & 0xff) as u8).collect()
}

/// Words, one after another.
pub fn words_bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word_bytes(*word)).collect()
}

/// Words of a ring, one after another.
pub fn ring_bytes<W: Ring>(words: &[W]) -> Vec<u8> {
    words.iter().flat_map(|word| word_bytes(word.to_u64())).collect()
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

/// One level of all DPFs: first the masked words, then three bits each.
pub fn operands_bytes(messages: &[Operands]) -> Vec<u8> {
    let blocks: Vec<Block> = messages.iter().map(|m| m.masked_word).collect();
    let bits: Vec<bool> =
        messages.iter().flat_map(|m| vec![m.masked_bit, m.left_flag, m.right_flag]).collect();
    [blocks_bytes(&blocks), packed_bits(&bits)].concat()
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

/// Parts one after another, of as many entries each as the widths say, and what is behind the last.
pub fn pieces<T: Clone>(list: &[T], widths: &[usize]) -> (Vec<Vec<T>>, Vec<T>) {
    widths.iter().fold((vec![], list.to_vec()), |(before, rest), width| {
        let piece: Vec<T> = rest.iter().take(*width).cloned().collect();
        let behind: Vec<T> = rest.iter().skip(*width).cloned().collect();
        ([before, vec![piece]].concat(), behind)
    })
}

/// What [`word_bytes`] wrote.
pub fn word_of_bytes(bytes: &[u8]) -> u64 {
    (0..8).fold(0u64, |sum, i: u32| sum ^ (at(bytes, i as usize, 0) as u64).wrapping_shl(i.wrapping_mul(8)))
}

/// What [`words_bytes`] wrote.
pub fn words_of_bytes(bytes: &[u8]) -> Vec<u64> {
    parts(bytes, 8, bytes.len().wrapping_shr(3)).iter().map(|part| word_of_bytes(part)).collect()
}

/// What [`ring_bytes`] wrote.
pub fn ring_of_bytes<W: Ring>(bytes: &[u8]) -> Vec<W> {
    words_of_bytes(bytes).iter().map(|word| W::from_u64(*word)).collect()
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

/// The operands of `dpfs` DPFs that [`operands_bytes`] wrote.
pub fn operands_of_bytes(bytes: &[u8], dpfs: usize) -> Vec<Operands> {
    let behind: Vec<u8> = bytes.iter().skip(dpfs.wrapping_mul(16)).copied().collect();
    let bits = bits_of_bytes(&behind, dpfs.wrapping_mul(3));
    parts(bytes, 16, dpfs)
        .iter()
        .zip(parts(&bits, 3, dpfs).iter())
        .map(|(part, bits)| Operands {
            masked_bit: at(bits, 0, false),
            masked_word: block_of_bytes(part),
            left_flag: at(bits, 1, false),
            right_flag: at(bits, 2, false),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_its_words_and_then_its_bits() {
        let operand = |bit: bool, word| Operands {
            masked_bit: bit,
            masked_word: word,
            left_flag: false,
            right_flag: bit,
        };
        let mut expected = vec![2];
        expected.extend([0; 15]);
        expected.push(0b101);
        assert_eq!(operands_bytes(&[operand(true, 2)]), expected);
        let level = [operand(true, 2), operand(false, Block::MAX - 77), operand(true, Block::MAX / 3)];
        assert_eq!(operands_of_bytes(&operands_bytes(&level), 3), level);
    }

    #[test]
    fn pieces_are_as_wide_as_told_and_the_rest_is_left() {
        assert_eq!(pieces(&[1, 2, 3, 4, 5], &[2, 0, 1]), (vec![vec![1, 2], vec![], vec![3]], vec![4, 5]));
        assert_eq!(pieces(&[1, 2], &[1, 3, 1]), (vec![vec![1], vec![2], vec![]], vec![]));
    }
}
