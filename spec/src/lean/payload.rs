//! The payloads of all messages as bytes, and back. A word is 8 bytes, a block 16, the lowest first; bits are packed over the whole
//! message; an address or a share of a shift is `ceil(h/8)` bytes.
//!
//! What ends in `_of` decodes, and is the inverse of what it stands behind (`proofs/rocq/lean/PayloadRoundTrip.v`). How many DPFs,
//! items and queries a message is about, and which of them have values, is not in it: the receiver knows it from the step.
//!
//! | kind | from - to | payload |
//! |---|---|---|
//! | 1 hello | all - all | [`hello`] |
//! | 2 alpha | P0 - P2 | [`ring_bytes`]: a chunk of A |
//! | 3 masked share | P1 - P0 | [`ring_bytes`]: a chunk of `D_1 - B` |
//! | 4 deal | P2 - P1 | [`deals`] |
//! | 5 moved share | P0 - P1 | [`moved_shares`] |
//! | 6 level operands | P0 - P1 | [`operands_bytes`] |
//! | 7 level opening | P0 - P1 | [`blocks_bytes`] |
//! | 8 flag correction | P0 - P1 | [`blocks_bytes`] |
//! | 9 word correction | P0 - P1 | [`word_shares`] |
//! | 10 keys | P_b - P2 | [`keys`] |
//! | 11 delta share | P0 - P2; P1 - P0, P2 | [`delta_shares`] |
//! | 12 shift | P_b - P_(1-b), P2 | [`addresses_bytes`]: `s_b` of each query; also WRITE's and SWAP's first message |
//! | 13 unblinding | P2 - P0 | [`ring_bytes`]: g of each query; in SWAP behind kind 15 |
//! | 14 update | P_b - P_(1-b), P2 | [`updates`] |
//! | 15 part | all - all | a word: a party's part of a WRITE's or SWAP's final correction |

use crate::core::aes::{block_of_bytes, bytes_of_block};
use crate::core::block::Block;
use crate::core::bytes::{bits_of_bytes, packed_bits, parts, pieces};
pub use crate::core::bytes::{
    blocks_bytes, blocks_of_bytes, operands_bytes, operands_of_bytes, ring_bytes, ring_of_bytes, word_bytes,
    word_of_bytes, words_bytes, words_of_bytes,
};
use crate::core::dpf::{Correction, Key};
use crate::core::ring::Ring;
use crate::core::vector::at;
use crate::lean::dealing::Deal;
use crate::lean::layers::{LayeredKey, NODE_WORDS, Purpose, tree_depth};
use crate::lean::online::UpdateMessage;
use crate::lean::party::Hello;
use crate::lean::preprocessing::HelperKey;

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

/// `count` parts of one width.
pub fn equal_widths(count: usize, width: usize) -> Vec<usize> {
    (0..count).map(|_| width).collect()
}

/// The `count` addresses that [`addresses_bytes`] wrote.
pub fn addresses_of(bytes: &[u8], log_size: usize, count: usize) -> Vec<u64> {
    let (addresses, _) = pieces(bytes, &equal_widths(count, address_width(log_size)));
    addresses.iter().map(|address| word_of_bytes(address)).collect()
}

/// Kind 1: contribution to K, contribution to the pair's seed, h.
pub fn hello(hello: &Hello) -> Vec<u8> {
    [bytes_of_block(hello.contribution), words_bytes(&hello.seed), word_bytes(hello.words)].concat()
}

/// What a kind 1 says.
pub fn hello_of(bytes: &[u8]) -> Hello {
    let contribution: Vec<u8> = bytes.iter().take(16).copied().collect();
    let seed: Vec<u8> = bytes.iter().skip(16).take(32).copied().collect();
    let words: Vec<u8> = bytes.iter().skip(48).copied().collect();
    Hello {
        contribution: block_of_bytes(&contribution),
        words: word_of_bytes(&words),
        seed: words_of_bytes(&seed),
    }
}

/// Bytes that the values of a DPF take, in what is dealt and in a key: none in READ items.
pub fn value_width(purpose: Purpose, words: usize) -> usize {
    match purpose {
        Purpose::Read => 0,
        Purpose::Update => words.wrapping_mul(8),
    }
}

/// The purposes of the DPFs of items, of which each has two.
pub fn of_dpfs(purposes: &[Purpose]) -> Vec<Purpose> {
    purposes.iter().flat_map(|purpose| vec![*purpose, *purpose]).collect()
}

/// Kind 4: for each DPF `Z_1` of its levels; for each DPF `u_1`; for each DPF of UPDATE items `U_1`, `R'_1`.
pub fn deals<W: Ring>(purposes: &[Purpose], deals: &[Deal<W>]) -> Vec<u8> {
    let products: Vec<u8> = deals.iter().flat_map(|deal| blocks_bytes(&deal.z)).collect();
    let one_hots: Vec<Block> = deals.iter().map(|deal| deal.one_hot).collect();
    let values: Vec<u8> = of_dpfs(purposes)
        .iter()
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

/// What a kind 4 deals, for the two DPFs of each item.
pub fn deals_of<W: Ring>(bytes: &[u8], log_size: usize, purposes: &[Purpose]) -> Vec<Deal<W>> {
    let dpfs = of_dpfs(purposes);
    let levels: Vec<usize> =
        dpfs.iter().map(|purpose| tree_depth(log_size, *purpose).wrapping_mul(16)).collect();
    let widths: Vec<usize> =
        dpfs.iter().map(|purpose| value_width(*purpose, NODE_WORDS.wrapping_add(1))).collect();
    let (products, behind) = pieces(bytes, &levels);
    let (one_hots, behind) = pieces(&behind, &equal_widths(dpfs.len(), 16));
    let (values, _) = pieces(&behind, &widths);
    products
        .iter()
        .zip(one_hots.iter().zip(values.iter()))
        .map(|(z, (one_hot, value))| {
            let words: Vec<W> = ring_of_bytes(value);
            Deal {
                z: blocks_of_bytes(z),
                one_hot: block_of_bytes(one_hot),
                value_one_hot: words.iter().take(NODE_WORDS).copied().collect(),
                value_share: at(&words, NODE_WORDS, W::zero()),
            }
        })
        .collect()
}

/// Kind 5: for each DPF a byte, the moved share of ri.
pub fn moved_shares(shares: &[u64]) -> Vec<u8> {
    shares.iter().map(|share| (*share & 0xff) as u8).collect()
}

/// The shares of a kind 5.
pub fn moved_shares_of(bytes: &[u8]) -> Vec<u64> {
    bytes.iter().map(|byte| *byte as u64).collect()
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

/// The list again, of what [`present`] left of it: `due` says where there is something.
pub fn with_gaps<T: Clone>(values: &[T], due: &[bool]) -> Vec<Option<T>> {
    let widths: Vec<usize> = due.iter().map(|due| if *due { 1 } else { 0 }).collect();
    let (entries, _) = pieces(values, &widths);
    entries
        .iter()
        .map(|entry| match entry.first() {
            Some(value) => Some(value.clone()),
            None => None,
        })
        .collect()
}

/// Kind 9: for each DPF with values 8 words, the share of `CWw`.
pub fn word_shares<W: Ring>(shares: &[Vec<W>]) -> Vec<u8> {
    shares.iter().flat_map(|words| ring_bytes(words)).collect()
}

/// The shares of `dpfs` DPFs of a kind 9.
pub fn word_shares_of<W: Ring>(bytes: &[u8], dpfs: usize) -> Vec<Vec<W>> {
    let (shares, _) = pieces(bytes, &equal_widths(dpfs, NODE_WORDS.wrapping_mul(8)));
    shares.iter().map(|share| ring_of_bytes(share)).collect()
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

/// The key whose blocks and words, and whose bits, are these.
pub fn key_of<W: Ring>(bytes: &[u8], bits: &[bool]) -> LayeredKey<W> {
    let levels = bits.len().wrapping_shr(1);
    let width = levels.wrapping_add(2).wrapping_mul(16);
    let head: Vec<u8> = bytes.iter().take(width).copied().collect();
    let tail: Vec<u8> = bytes.iter().skip(width).copied().collect();
    let blocks = blocks_of_bytes(&head);
    let corrections: Vec<Correction> = blocks
        .iter()
        .skip(1)
        .zip(parts(bits, 2, levels).iter())
        .map(|(word, flags)| Correction {
            word: *word,
            left_flag: at(flags, 0, false),
            right_flag: at(flags, 1, false),
        })
        .collect();
    LayeredKey {
        tree: Key { root: at(&blocks, 0, 0), corrections },
        flag_correction: at(&blocks, levels.wrapping_add(1), 0),
        word_correction: ring_of_bytes(&tail),
    }
}

/// The keys of a kind 10.
pub fn keys_of<W: Ring>(bytes: &[u8], log_size: usize, purposes: &[Purpose]) -> Vec<LayeredKey<W>> {
    let widths: Vec<usize> = purposes
        .iter()
        .map(|purpose| {
            let blocks = tree_depth(log_size, *purpose).wrapping_add(2);
            blocks.wrapping_mul(16).wrapping_add(value_width(*purpose, NODE_WORDS))
        })
        .collect();
    let flags: Vec<usize> =
        purposes.iter().map(|purpose| tree_depth(log_size, *purpose).wrapping_mul(2)).collect();
    let all_flags = flags.iter().fold(0, |sum: usize, width| sum.wrapping_add(*width));
    let (bodies, behind) = pieces(bytes, &widths);
    let (bits, _) = pieces(&bits_of_bytes(&behind, all_flags), &flags);
    bodies.iter().zip(bits.iter()).map(|(body, bits)| key_of(body, bits)).collect()
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

/// `q_b` of each item, from a kind 11; 0 of READ items, as in what [`delta_shares`] is made of.
pub fn delta_shares_of<W: Ring>(bytes: &[u8], purposes: &[Purpose]) -> Vec<W> {
    let widths: Vec<usize> = purposes.iter().map(|purpose| value_width(*purpose, 1)).collect();
    let (shares, _) = pieces(bytes, &widths);
    shares
        .iter()
        .map(|share| {
            let words: Vec<W> = ring_of_bytes(share);
            at(&words, 0, W::zero())
        })
        .collect()
}

/// Kind 14: `s_b` of each query, then `m_b` of each.
pub fn updates<W: Ring>(log_size: usize, messages: &[UpdateMessage<W>]) -> Vec<u8> {
    let shifts: Vec<u64> = messages.iter().map(|m| m.shift).collect();
    let masked: Vec<W> = messages.iter().map(|m| m.masked).collect();
    [addresses_bytes(log_size, &shifts), ring_bytes(&masked)].concat()
}

/// The messages of `queries` queries of a kind 14.
pub fn updates_of<W: Ring>(bytes: &[u8], log_size: usize, queries: usize) -> Vec<UpdateMessage<W>> {
    let (shifts, masked) = pieces(bytes, &equal_widths(queries, address_width(log_size)));
    let masked: Vec<W> = ring_of_bytes(&masked);
    shifts
        .iter()
        .zip(masked.iter())
        .map(|(shift, masked)| UpdateMessage { shift: word_of_bytes(shift), masked: *masked })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::ring::XorWord;

    const H: usize = 9;

    fn word(x: u64) -> XorWord {
        XorWord::from_u64(x.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn words(x: u64, count: u64) -> Vec<XorWord> {
        (0..count).map(|i| word(x + i)).collect()
    }

    /// Items of both kinds, so that parts of different widths follow each other.
    const PURPOSES: [Purpose; 3] = [Purpose::Read, Purpose::Update, Purpose::Update];

    fn value_words(purpose: Purpose, x: u64, count: u64) -> Vec<XorWord> {
        if purpose == Purpose::Update { words(x, count) } else { vec![] }
    }

    #[test]
    fn what_is_dealt_is_what_was_said() {
        let dpfs: Vec<Deal<XorWord>> = of_dpfs(&PURPOSES)
            .into_iter()
            .zip(0..)
            .map(|(purpose, i)| Deal {
                z: (0..tree_depth(H, purpose) as u128).map(|level| Block::MAX - level - i).collect(),
                one_hot: Block::MAX - 7 * i,
                value_one_hot: value_words(purpose, i as u64, 8),
                value_share: if purpose == Purpose::Update { word(i as u64 + 99) } else { XorWord::zero() },
            })
            .collect();
        assert_eq!(deals_of(&deals(&PURPOSES, &dpfs), H, &PURPOSES), dpfs);
    }

    #[test]
    fn keys_and_shares_of_delta_are_what_was_said() {
        let items: Vec<HelperKey<XorWord>> = PURPOSES
            .into_iter()
            .zip(1..)
            .map(|(purpose, i)| {
                let correction = |level| Correction {
                    word: Block::MAX / (level + i),
                    left_flag: (level + i) % 2 == 0,
                    right_flag: level % 3 == 0,
                };
                let tree = Key {
                    root: 7 * i,
                    corrections: (0..tree_depth(H, purpose) as u128).map(correction).collect(),
                };
                let word_correction = value_words(purpose, i as u64, 8);
                HelperKey {
                    purpose,
                    key: LayeredKey { tree, flag_correction: Block::MAX - i, word_correction },
                    delta_share: if purpose == Purpose::Update { word(i as u64) } else { XorWord::zero() },
                }
            })
            .collect();
        let own: Vec<_> = items.iter().map(|item| item.key.clone()).collect();
        assert_eq!(keys_of(&keys(&items), H, &PURPOSES), own);
        let shares: Vec<_> = items.iter().map(|item| item.delta_share).collect();
        assert_eq!(delta_shares_of::<XorWord>(&delta_shares(&items), &PURPOSES), shares);
    }

    #[test]
    fn short_messages_are_what_was_said() {
        let said = Hello { contribution: Block::MAX - 3, words: 9, seed: vec![1, u64::MAX, 3, 4] };
        assert_eq!(hello_of(&hello(&said)), said);
        for log_size in [0, 7, 8, 9, 16, 17] {
            let n = crate::lean::party::size(log_size) as u64;
            let addresses = [0, n - 1, n / 3];
            assert_eq!(addresses_of(&addresses_bytes(log_size, &addresses), log_size, 3), addresses);
            let messages: Vec<UpdateMessage<XorWord>> =
                addresses.iter().map(|shift| UpdateMessage { shift: *shift, masked: word(*shift) }).collect();
            assert_eq!(updates_of(&updates(log_size, &messages), log_size, 3), messages);
        }
        assert_eq!(moved_shares_of(&moved_shares(&[3, 127, 0])), [3, 127, 0]);
        let shares = vec![words(1, 8), words(9, 8)];
        assert_eq!(word_shares_of::<XorWord>(&word_shares(&shares), 2), shares);
        let entries = [Some(3), None, Some(5), None];
        assert_eq!(with_gaps(&present(&entries), &[true, false, true, false]), entries);
    }
}
