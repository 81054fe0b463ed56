//! The payloads of all messages as bytes. A word is 8 bytes, a block 16, the lowest first; bits are packed over the whole
//! message; an address or a share of a shift is `ceil(h/8)` bytes.
//!
//! | kind | from - to | payload |
//! |---|---|---|
//! | 1 hello | all - all | [`hello`] |
//! | 2 alpha | P0 - P2 | [`ring_bytes`]: a chunk of A |
//! | 3 masked share | P1 - P0 | [`ring_bytes`]: a chunk of `D_1 - B` |
//! | 4 deal | P2 - P1 | [`deals`] |
//! | 5 moved share | P0 - P1 | [`moved_shares`] |
//! | 6 level operands | P0 - P1 | [`operands`] |
//! | 7 level opening | P0 - P1 | [`blocks`] |
//! | 8 flag correction | P0 - P1 | [`blocks`] |
//! | 9 word correction | P0 - P1 | [`word_shares`] |
//! | 10 keys | P_b - P2 | [`keys`] |
//! | 11 delta share | P0 - P2; P1 - P0, P2 | [`delta_shares`] |
//! | 12 shift | P_b - P_(1-b), P2 | [`addresses_bytes`]: `s_b` of each query; also WRITE's and SWAP's first message |
//! | 13 unblinding | P2 - P0 | [`ring_bytes`]: g of each query; in SWAP behind kind 15 |
//! | 14 update | P_b - P_(1-b), P2 | [`updates`] |
//! | 15 part | all - all | a word: a party's part of a WRITE's or SWAP's final correction |

use crate::core::aes::bytes_of_block;
use crate::core::block::Block;
use crate::core::bytes::{blocks_bytes, packed_bits, word_bytes, words_bytes};
use crate::core::distributed_gen::Operands;
use crate::core::ring::Ring;
use crate::lean::dealing::Deal;
use crate::lean::layers::Purpose;
use crate::lean::online::UpdateMessage;
use crate::lean::party::Hello;
use crate::lean::preprocessing::HelperKey;

/// Words of the protocol's ring, one after another.
pub fn ring_bytes<W: Ring>(words: &[W]) -> Vec<u8> {
    words.iter().flat_map(|word| word_bytes(word.to_u64())).collect()
}

/// `a = ceil(h / 8)`: the bytes of an address.
pub fn address_width(log_size: usize) -> usize {
    log_size.wrapping_add(7).wrapping_shr(3)
}

/// Addresses, or shares of shifts, one after another.
pub fn addresses_bytes(log_size: usize, addresses: &[u64]) -> Vec<u8> {
    addresses
        .iter()
        .flat_map(|address| {
            let bytes: Vec<u8> = word_bytes(*address).iter().take(address_width(log_size)).copied().collect();
            bytes
        })
        .collect()
}

/// Kind 1: contribution to K, contribution to the pair's seed, h.
pub fn hello(hello: &Hello) -> Vec<u8> {
    [bytes_of_block(hello.contribution), words_bytes(&hello.seed), word_bytes(hello.log_size)].concat()
}

/// Kind 4: for each DPF `Z_1` of its levels; for each DPF `u_1`; for each DPF of UPDATE items `U_1`, `R'_1`.
pub fn deals<W: Ring>(purposes: &[Purpose], deals: &[Deal<W>]) -> Vec<u8> {
    let products: Vec<u8> = deals.iter().flat_map(|deal| blocks_bytes(&deal.z)).collect();
    let one_hots: Vec<Block> = deals.iter().map(|deal| deal.one_hot).collect();
    let values: Vec<u8> = purposes
        .iter()
        .flat_map(|purpose| vec![*purpose, *purpose])
        .zip(deals.iter())
        .flat_map(|(purpose, deal)| match purpose {
            Purpose::Read => vec![],
            Purpose::Update => {
                [ring_bytes(&deal.value_one_hot), word_bytes(deal.value_share.to_u64())].concat()
            }
        })
        .collect();
    [products, blocks_bytes(&one_hots), values].concat()
}

/// Kind 5: for each DPF a byte, the moved share of ri.
pub fn moved_shares(shares: &[u64]) -> Vec<u8> {
    shares.iter().map(|share| (*share & 0xff) as u8).collect()
}

/// What is there, of a list with an entry a DPF.
pub fn present<T: Clone>(list: &[Option<T>]) -> Vec<T> {
    list.iter()
        .flat_map(|entry| match entry {
            Some(value) => vec![value.clone()],
            None => vec![],
        })
        .collect()
}

/// Kind 6: for each DPF with a level left a block, `y_b xor Y_b`; then packed bits, three a DPF: `x_b xor X_b`, and the shares
/// of `cwt_L` and `cwt_R`.
pub fn operands(messages: &[Operands]) -> Vec<u8> {
    let blocks: Vec<Block> = messages.iter().map(|m| m.masked_word).collect();
    let bits: Vec<bool> =
        messages.iter().flat_map(|m| vec![m.masked_bit, m.left_flag, m.right_flag]).collect();
    [blocks_bytes(&blocks), packed_bits(&bits)].concat()
}

/// Kind 7 and kind 8: for each DPF a block, the share of cw or of `CWf`.
pub fn blocks(shares: &[Block]) -> Vec<u8> {
    blocks_bytes(shares)
}

/// Kind 9: for each DPF with values 8 words, the share of `CWw`.
pub fn word_shares<W: Ring>(shares: &[Vec<W>]) -> Vec<u8> {
    shares.iter().flat_map(|words| ring_bytes(words)).collect()
}

/// Kind 10: for each item the root, cw of each level, `CWf`, and in UPDATE items `CWw`; then packed bits, `cwt_L` and
/// `cwt_R` of each level of each item.
pub fn keys<W: Ring>(keys: &[HelperKey<W>]) -> Vec<u8> {
    let bodies: Vec<u8> = keys
        .iter()
        .flat_map(|item| {
            let words: Vec<Block> = item.key.tree.corrections.iter().map(|c| c.word).collect();
            let values = match item.purpose {
                Purpose::Read => vec![],
                Purpose::Update => ring_bytes(&item.key.word_correction),
            };
            [
                bytes_of_block(item.key.tree.root),
                blocks_bytes(&words),
                bytes_of_block(item.key.flag_correction),
                values,
            ]
            .concat()
        })
        .collect();
    let bits: Vec<bool> = keys
        .iter()
        .flat_map(|item| {
            let flags: Vec<bool> =
                item.key.tree.corrections.iter().flat_map(|c| vec![c.left_flag, c.right_flag]).collect();
            flags
        })
        .collect();
    [bodies, packed_bits(&bits)].concat()
}

/// Kind 11: `q_b` of each UPDATE item.
pub fn delta_shares<W: Ring>(keys: &[HelperKey<W>]) -> Vec<u8> {
    keys.iter()
        .flat_map(|item| match item.purpose {
            Purpose::Read => vec![],
            Purpose::Update => word_bytes(item.delta_share.to_u64()),
        })
        .collect()
}

/// Kind 14: `s_b` of each query, then `m_b` of each.
pub fn updates<W: Ring>(log_size: usize, messages: &[UpdateMessage<W>]) -> Vec<u8> {
    let shifts: Vec<u64> = messages.iter().map(|m| m.shift).collect();
    let masked: Vec<W> = messages.iter().map(|m| m.masked).collect();
    [addresses_bytes(log_size, &shifts), ring_bytes(&masked)].concat()
}
