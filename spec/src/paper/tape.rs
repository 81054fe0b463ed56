//! How a party's random values are read off its stream of 64-bit words: the order of draws of `reference/PROTOCOL.md`.
//!
//! The specification draws nothing itself. Whoever wants to compare an implementation with it gives it the words that the
//! implementation's generator yields.

use crate::core::block::{Block, block_of_halves, replicate};
use crate::core::du_atallah::{and_triples, product_triples};
use crate::core::vector::at;
use crate::paper::preprocessing::{DpfTriples, PrimaryRandomness};

/// A stream of random words and how many of them have been used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tape {
    /// The words, in the order of the draws.
    pub words: Vec<u64>,
    /// How many are used up.
    pub position: usize,
}

/// A tape from its beginning.
pub fn tape(words: &[u64]) -> Tape {
    Tape { words: words.to_vec(), position: 0 }
}

/// The word `offset` places after the current one. Past the end it is 0: whoever makes the tape must make it long enough.
pub fn peek(tape: &Tape, offset: usize) -> u64 {
    at(&tape.words, tape.position.wrapping_add(offset), 0)
}

/// The block `offset` words after the current one: low half first.
pub fn peek_block(tape: &Tape, offset: usize) -> Block {
    block_of_halves(peek(tape, offset), peek(tape, offset.wrapping_add(1)))
}

/// The tape, `count` words further.
pub fn advance(tape: &Tape, count: usize) -> Tape {
    Tape { words: tape.words.clone(), position: tape.position.wrapping_add(count) }
}

/// A primary's randomness for one item: 10 words.
pub fn primary_randomness(tape: &Tape) -> PrimaryRandomness<u64> {
    PrimaryRandomness {
        random_index_xor: peek(tape, 0),
        roots: (peek_block(tape, 1), peek_block(tape, 3), peek_block(tape, 5)),
        blinds: (peek(tape, 7), peek(tape, 8), peek(tape, 9)),
    }
}

/// How many words [`primary_randomness`] reads.
pub const PRIMARY_WORDS: usize = 10;

/// P2's triples for one DPF: 7 words a level, then 5.
pub fn dpf_triples(tape: &Tape, log_size: usize) -> DpfTriples<u64> {
    let level = |l: usize| {
        let start = l.wrapping_mul(7);
        let bits = peek(tape, start);
        and_triples(
            replicate(bits & 1 == 1),
            replicate(bits.wrapping_shr(1) & 1 == 1),
            peek_block(tape, start.wrapping_add(1)),
            peek_block(tape, start.wrapping_add(3)),
            peek_block(tape, start.wrapping_add(5)),
        )
    };
    let words = |i: usize| peek(tape, log_size.wrapping_mul(7).wrapping_add(i));
    let (product_0, product_1) = product_triples(words(0), words(1), words(2), words(3), words(4));
    DpfTriples {
        and_0: (0..log_size).map(|l: usize| level(l).0).collect(),
        and_1: (0..log_size).map(|l: usize| level(l).1).collect(),
        product_0,
        product_1,
    }
}

/// How many words [`dpf_triples`] reads.
pub fn triple_words(log_size: usize) -> usize {
    log_size.wrapping_mul(7).wrapping_add(5)
}
