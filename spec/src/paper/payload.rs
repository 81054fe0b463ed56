//! The payloads of all messages as bytes: `reference/PROTOCOL.md`, section "Messages".

use crate::core::aes::bytes_of_block;
use crate::core::block::Block;
use crate::core::block::flag;
pub use crate::core::bytes::{blocks_bytes, packed_bits, word_bytes, words_bytes};
use crate::core::distributed_gen::LevelMessages;
use crate::core::du_atallah::{AndTriple, ProductTriple};
use crate::core::share::Primary;
use crate::paper::preprocessing::Dpf;
use crate::paper::update::UpdateMessage;

/// Kind 4, to one primary: AND triples, of each DPF and level, then the multiplication triples.
pub fn triples(and: &[AndTriple], product: &[ProductTriple<u64>]) -> Vec<u8> {
    let blocks: Vec<Block> = and.iter().flat_map(|triple| vec![triple.y, triple.z]).collect();
    let bits: Vec<bool> = and.iter().map(|triple| flag(triple.x)).collect();
    let words: Vec<u64> = product.iter().flat_map(|triple| vec![triple.x, triple.y, triple.z]).collect();
    [blocks_bytes(&blocks), packed_bits(&bits), words_bytes(&words)].concat()
}

/// Kind 5, from one primary: one level of all DPFs.
pub fn level_operands(party: Primary, messages: &[LevelMessages]) -> Vec<u8> {
    let own = |m: &LevelMessages| match party {
        Primary::P0 => m.operands_0,
        Primary::P1 => m.operands_1,
    };
    let blocks: Vec<Block> = messages.iter().map(|m| own(m).masked_word).collect();
    let bits: Vec<bool> =
        messages.iter().flat_map(|m| vec![own(m).masked_bit, own(m).left_flag, own(m).right_flag]).collect();
    [blocks_bytes(&blocks), packed_bits(&bits)].concat()
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

/// Kind 7, from one primary; `deltas` is empty for P1.
pub fn conversion_operands(party: Primary, dpfs: &[Dpf<u64>], deltas: &[u64]) -> Vec<u8> {
    let words: Vec<u64> = dpfs
        .iter()
        .flat_map(|dpf| {
            let own = match party {
                Primary::P0 => dpf.conversion.operands_0,
                Primary::P1 => dpf.conversion.operands_1,
            };
            vec![own.blinded_sign, own.masked_correction, own.masked_sign]
        })
        .collect();
    [words_bytes(&words), words_bytes(deltas)].concat()
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

/// Kind 9: from P0 its keys of DPF 2, from P1 its keys of DPF 3, one an item.
pub fn helper_keys(party: Primary, dpfs: &[Dpf<u64>]) -> Vec<u8> {
    let key = |dpf: &Dpf<u64>| match party {
        Primary::P0 => dpf.generation.key_0.clone(),
        Primary::P1 => dpf.generation.key_1.clone(),
    };
    let bodies: Vec<u8> = dpfs
        .iter()
        .flat_map(|dpf| {
            let words: Vec<Block> = key(dpf).corrections.iter().map(|c| c.word).collect();
            [bytes_of_block(key(dpf).root), blocks_bytes(&words), word_bytes(dpf.conversion.factor)].concat()
        })
        .collect();
    let bits: Vec<bool> = dpfs
        .iter()
        .flat_map(|dpf| {
            let flags: Vec<bool> =
                key(dpf).corrections.iter().flat_map(|c| vec![c.left_flag, c.right_flag]).collect();
            flags
        })
        .collect();
    [bodies, packed_bits(&bits)].concat()
}

/// Kind 12: an UPDATE's message to the other primary.
pub fn update(messages: &[UpdateMessage<u64>]) -> Vec<u8> {
    let words: Vec<u64> =
        messages.iter().flat_map(|m| vec![m.shift, m.masked_dpf_1, m.masked_dpf_2, m.masked_dpf_3]).collect();
    words_bytes(&words)
}

/// Kind 13: an UPDATE's message to P2.
pub fn helper_update(messages: &[UpdateMessage<u64>]) -> Vec<u8> {
    let words: Vec<u64> =
        messages.iter().flat_map(|m| vec![m.shift, m.masked_dpf_2, m.masked_dpf_3]).collect();
    words_bytes(&words)
}
