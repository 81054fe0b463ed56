//! The payloads of all messages as bytes, and back. A word is 8 bytes, a block 16, the lowest first; bits are packed over the whole
//! message.
//!
//! | kind | step | payload |
//! |---|---|---|
//! | 1 hello | connect | [`hello`]; behind it, what the base OTs send first |
//! | 2 base choices | connect | of the base OTs |
//! | 3 pir keys | connect | empty with the plain PIR |
//! | 4 ot columns | preprocess | of the extension |
//! | 5 queries | preprocess, if it makes READ items | empty with the plain PIR |
//! | 6 level operands | preprocess, if it makes UPDATE items | [`operands_bytes`] of all DPFs; the round is the level |
//! | 7 level opening | preprocess | [`blocks_bytes`] of all DPFs; the round is the level |
//! | 8 sums | preprocess | [`ring_bytes`]: w_b of all DPFs |
//! | 9 shifts | READ, WRITE, SWAP | [`words_bytes`]: s_b of each query, each below n |
//! | 10 answers | READ, WRITE, SWAP | [`tables`]: with the plain PIR n words a query |
//! | 11 updates | UPDATE, WRITE, SWAP | [`updates`] |
//!
//! The OT is ideal here. So kinds 2 and 4, and what kind 1 has behind the first 24 bytes, are not of this specification, but of
//! `reference/PROTOCOL.md`. What ends in `_of` decodes; how many DPFs and queries a message is about is not in it: the receiver
//! knows it from the step.

use crate::core::aes::{block_of_bytes, bytes_of_block};
use crate::core::block::Block;
pub use crate::core::bytes::{
    blocks_bytes, blocks_of_bytes, operands_bytes, operands_of_bytes, parts, ring_bytes, ring_of_bytes,
    word_bytes, word_of_bytes, words_bytes, words_of_bytes,
};
use crate::core::ring::Ring;
use crate::core::vector::at;
use crate::two_party::update::UpdateMessage;

/// Kind 1: contribution to K, and h.
pub fn hello(contribution: Block, log_size: usize) -> Vec<u8> {
    [bytes_of_block(contribution), word_bytes(log_size as u64)].concat()
}

/// The contribution and h of a kind 1.
pub fn hello_of(bytes: &[u8]) -> (Block, usize) {
    let contribution: Vec<u8> = bytes.iter().take(16).copied().collect();
    let log_size: Vec<u8> = bytes.iter().skip(16).take(8).copied().collect();
    (block_of_bytes(&contribution), word_of_bytes(&log_size) as usize)
}

/// Kind 10, of the plain PIR: a masked table for each query.
pub fn tables<W: Ring>(answers: &[Vec<W>]) -> Vec<u8> {
    answers.iter().flat_map(|table| ring_bytes(table)).collect()
}

/// The tables, of n words each, of `queries` queries of a kind 10.
pub fn tables_of<W: Ring>(bytes: &[u8], n: usize, queries: usize) -> Vec<Vec<W>> {
    let width = n.wrapping_mul(8);
    parts(bytes, width, queries).iter().map(|part| ring_of_bytes(part)).collect()
}

/// Kind 11: for each query the shift and the masked value.
pub fn updates<W: Ring>(messages: &[UpdateMessage<W>]) -> Vec<u8> {
    let words: Vec<u64> = messages.iter().flat_map(|m| vec![m.shift, m.masked.to_u64()]).collect();
    words_bytes(&words)
}

/// The messages of `queries` queries of a kind 11.
pub fn updates_of<W: Ring>(bytes: &[u8], queries: usize) -> Vec<UpdateMessage<W>> {
    parts(bytes, 16, queries)
        .iter()
        .map(|part| {
            let words = words_of_bytes(part);
            UpdateMessage { shift: at(&words, 0, 0), masked: W::from_u64(at(&words, 1, 0)) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_undoes_encoding() {
        let messages =
            [UpdateMessage { shift: 3, masked: 99u64 }, UpdateMessage { shift: 0, masked: u64::MAX - 7 }];
        assert_eq!(updates_of(&updates(&messages), 2), messages);
        let answers: Vec<Vec<u64>> = vec![vec![1, 2], vec![3, u64::MAX]];
        assert_eq!(tables_of::<u64>(&tables(&answers), 2, 2), answers);
        assert_eq!(hello_of(&hello(Block::MAX - 5, 7)), (Block::MAX - 5, 7));
    }
}
