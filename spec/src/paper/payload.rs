//! The payloads of all messages as bytes, and back: `reference/PROTOCOL.md`, section "Messages".
//!
//! What ends in `_of` decodes, and is the inverse of what it stands behind (`proofs/rocq/paper/PayloadRoundTrip.v`). How many DPFs,
//! items and queries a message is about is not in it: the receiver knows it from the step. Messages of words alone, kinds 2, 3, 6,
//! 8, 10 and 11, are [`words_bytes`] or [`blocks_bytes`].

use crate::core::aes::{block_of_bytes, bytes_of_block};
use crate::core::block::Block;
use crate::core::block::{flag, replicate};
pub use crate::core::bytes::{
    bits_of_bytes, blocks_bytes, blocks_of_bytes, operands_bytes, operands_of_bytes, packed_bits, parts,
    word_bytes, word_of_bytes, words_bytes, words_of_bytes,
};
use crate::core::distributed_gen::{LevelMessages, Operands};
use crate::core::dpf::{Correction, Key};
use crate::core::du_atallah::{AndTriple, ProductTriple};
use crate::core::share::Primary;
use crate::core::vector::at;
use crate::paper::conversion;
use crate::paper::preprocessing::{Dpf, HelperKey};
use crate::paper::update::{HelperMessage, UpdateMessage, helper_message};

/// Kind 1: contribution to K, and h.
pub fn hello(contribution: Block, log_size: usize) -> Vec<u8> {
    [bytes_of_block(contribution), word_bytes(log_size as u64)].concat()
}

/// The contribution and h of a kind 1.
pub fn hello_of(bytes: &[u8]) -> (Block, usize) {
    let contribution: Vec<u8> = bytes.iter().take(16).copied().collect();
    let log_size: Vec<u8> = bytes.iter().skip(16).copied().collect();
    (block_of_bytes(&contribution), word_of_bytes(&log_size) as usize)
}

/// How many bytes hold `count` packed bits.
pub fn packed_len(count: usize) -> usize {
    count.wrapping_add(7).wrapping_shr(3)
}

/// The bytes from `start` on.
pub fn rest(bytes: &[u8], start: usize) -> Vec<u8> {
    bytes.iter().skip(start).copied().collect()
}

/// Kind 4, to one primary: AND triples, of each DPF and level, then the multiplication triples.
pub fn triples(and: &[AndTriple], product: &[ProductTriple<u64>]) -> Vec<u8> {
    let blocks: Vec<Block> = and.iter().flat_map(|triple| vec![triple.y, triple.z]).collect();
    let bits: Vec<bool> = and.iter().map(|triple| flag(triple.x)).collect();
    let words: Vec<u64> = product.iter().flat_map(|triple| vec![triple.x, triple.y, triple.z]).collect();
    [blocks_bytes(&blocks), packed_bits(&bits), words_bytes(&words)].concat()
}

/// The `ands` AND triples and `products` multiplication triples of a kind 4.
pub fn triples_of(bytes: &[u8], ands: usize, products: usize) -> (Vec<AndTriple>, Vec<ProductTriple<u64>>) {
    let behind_blocks = rest(bytes, ands.wrapping_mul(32));
    let bits = bits_of_bytes(&behind_blocks, ands);
    let and: Vec<AndTriple> = parts(bytes, 32, ands)
        .iter()
        .zip(bits.iter())
        .map(|(part, bit)| {
            let blocks = blocks_of_bytes(part);
            AndTriple { x: replicate(*bit), y: at(&blocks, 0, 0), z: at(&blocks, 1, 0) }
        })
        .collect();
    let product: Vec<ProductTriple<u64>> = parts(&rest(&behind_blocks, packed_len(ands)), 24, products)
        .iter()
        .map(|part| {
            let words = words_of_bytes(part);
            ProductTriple { x: at(&words, 0, 0), y: at(&words, 1, 0), z: at(&words, 2, 0) }
        })
        .collect();
    (and, product)
}

/// Kind 5, from one primary: [`operands_bytes`] of one level of all DPFs.
pub fn level_operands(party: Primary, messages: &[LevelMessages]) -> Vec<u8> {
    let own: Vec<Operands> = messages
        .iter()
        .map(|m| match party {
            Primary::P0 => m.operands_0,
            Primary::P1 => m.operands_1,
        })
        .collect();
    operands_bytes(&own)
}

/// Kind 6, from one primary.
pub fn level_opening(party: Primary, messages: &[LevelMessages]) -> Vec<u8> {
    let blocks: Vec<Block> = messages
        .iter()
        .map(|m| match party {
            Primary::P0 => m.opening_0,
            Primary::P1 => m.opening_1,
        })
        .collect();
    blocks_bytes(&blocks)
}

/// Kind 7; `deltas` are P0's, two for each UPDATE item, and empty for P1.
pub fn conversions(operands: &[conversion::Operands<u64>], deltas: &[u64]) -> Vec<u8> {
    let words: Vec<u64> =
        operands.iter().flat_map(|o| vec![o.blinded_sign, o.masked_correction, o.masked_sign]).collect();
    [words_bytes(&words), words_bytes(deltas)].concat()
}

/// The operands of `dpfs` DPFs of a kind 7, and the deltas behind them.
pub fn conversions_of(bytes: &[u8], dpfs: usize) -> (Vec<conversion::Operands<u64>>, Vec<u64>) {
    let operands: Vec<conversion::Operands<u64>> = parts(bytes, 24, dpfs)
        .iter()
        .map(|part| {
            let words = words_of_bytes(part);
            conversion::Operands {
                blinded_sign: at(&words, 0, 0),
                masked_correction: at(&words, 1, 0),
                masked_sign: at(&words, 2, 0),
            }
        })
        .collect();
    (operands, words_of_bytes(&rest(bytes, dpfs.wrapping_mul(24))))
}

/// [`conversions`] of one primary.
pub fn conversion_operands(party: Primary, dpfs: &[Dpf<u64>], deltas: &[u64]) -> Vec<u8> {
    let own: Vec<conversion::Operands<u64>> = dpfs
        .iter()
        .map(|dpf| match party {
            Primary::P0 => dpf.conversion.operands_0,
            Primary::P1 => dpf.conversion.operands_1,
        })
        .collect();
    conversions(&own, deltas)
}

/// Kind 8, from one primary.
pub fn conversion_opening(party: Primary, dpfs: &[Dpf<u64>]) -> Vec<u8> {
    let words: Vec<u64> = dpfs
        .iter()
        .map(|dpf| match party {
            Primary::P0 => dpf.conversion.opening_0,
            Primary::P1 => dpf.conversion.opening_1,
        })
        .collect();
    words_bytes(&words)
}

/// Kind 9: a key and a factor for each item.
pub fn keys(keys: &[HelperKey<u64>]) -> Vec<u8> {
    let bodies: Vec<u8> = keys
        .iter()
        .flat_map(|item| {
            let words: Vec<Block> = item.key.corrections.iter().map(|c| c.word).collect();
            [bytes_of_block(item.key.root), blocks_bytes(&words), word_bytes(item.factor)].concat()
        })
        .collect();
    let bits: Vec<bool> = keys
        .iter()
        .flat_map(|item| {
            let flags: Vec<bool> =
                item.key.corrections.iter().flat_map(|c| vec![c.left_flag, c.right_flag]).collect();
            flags
        })
        .collect();
    [bodies, packed_bits(&bits)].concat()
}

/// The keys, of trees of height h, of `items` items of a kind 9.
pub fn keys_of(bytes: &[u8], log_size: usize, items: usize) -> Vec<HelperKey<u64>> {
    let blocks_len = log_size.wrapping_add(1).wrapping_mul(16);
    let width = blocks_len.wrapping_add(8);
    let flags = log_size.wrapping_mul(2);
    let bits = bits_of_bytes(&rest(bytes, items.wrapping_mul(width)), items.wrapping_mul(flags));
    parts(bytes, width, items)
        .iter()
        .zip(parts(&bits, flags, items).iter())
        .map(|(part, bits)| {
            let blocks: Vec<Block> =
                parts(part, 16, log_size.wrapping_add(1)).iter().map(|block| block_of_bytes(block)).collect();
            let corrections: Vec<Correction> = blocks
                .iter()
                .skip(1)
                .zip(parts(bits, 2, log_size).iter())
                .map(|(word, flags)| Correction {
                    word: *word,
                    left_flag: at(flags, 0, false),
                    right_flag: at(flags, 1, false),
                })
                .collect();
            let key = Key { root: at(&blocks, 0, 0), corrections };
            HelperKey { key, factor: word_of_bytes(&rest(part, blocks_len)) }
        })
        .collect()
}

/// [`keys`] of one primary: from P0 those of DPF 2, from P1 those of DPF 3.
pub fn helper_keys(party: Primary, dpfs: &[Dpf<u64>]) -> Vec<u8> {
    let own: Vec<HelperKey<u64>> = dpfs
        .iter()
        .map(|dpf| {
            let key = match party {
                Primary::P0 => dpf.generation.key_0.clone(),
                Primary::P1 => dpf.generation.key_1.clone(),
            };
            HelperKey { key, factor: dpf.conversion.factor }
        })
        .collect();
    keys(&own)
}

/// Kind 12: an UPDATE's message to the other primary.
pub fn update(messages: &[UpdateMessage<u64>]) -> Vec<u8> {
    let words: Vec<u64> =
        messages.iter().flat_map(|m| vec![m.shift, m.masked_dpf_1, m.masked_dpf_2, m.masked_dpf_3]).collect();
    words_bytes(&words)
}

/// The messages of `queries` queries of a kind 12.
pub fn update_of(bytes: &[u8], queries: usize) -> Vec<UpdateMessage<u64>> {
    parts(bytes, 32, queries)
        .iter()
        .map(|part| {
            let words = words_of_bytes(part);
            UpdateMessage {
                shift: at(&words, 0, 0),
                masked_dpf_1: at(&words, 1, 0),
                masked_dpf_2: at(&words, 2, 0),
                masked_dpf_3: at(&words, 3, 0),
            }
        })
        .collect()
}

/// Kind 13: an UPDATE's message to P2.
pub fn helper_update(messages: &[UpdateMessage<u64>]) -> Vec<u8> {
    let words: Vec<u64> = messages
        .iter()
        .flat_map(|message| {
            let m = helper_message(message);
            vec![m.shift, m.masked_dpf_2, m.masked_dpf_3]
        })
        .collect();
    words_bytes(&words)
}

/// The messages of `queries` queries of a kind 13.
pub fn helper_update_of(bytes: &[u8], queries: usize) -> Vec<HelperMessage<u64>> {
    parts(bytes, 24, queries)
        .iter()
        .map(|part| {
            let words = words_of_bytes(part);
            HelperMessage {
                shift: at(&words, 0, 0),
                masked_dpf_2: at(&words, 1, 0),
                masked_dpf_3: at(&words, 2, 0),
            }
        })
        .collect()
}
