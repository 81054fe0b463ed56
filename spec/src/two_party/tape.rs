//! How a party's random values are read off its two streams of words: the order of draws of `reference/PROTOCOL.md`.
//!
//! A party has a stream of what it makes items from, and one of what its operations draw, so that preparing and using
//! items can go on side by side. What the OT draws is ideal here, and the PIR's randomness no concern of the specification.

use crate::core::block::{Block, block_of_halves};
use crate::core::dpf::address_bits;
use crate::core::vector::{at, mod_size};

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

/// How many words the contribution to K takes: a block.
pub const CONTRIBUTION_WORDS: usize = 2;

/// How many words a READ item takes: q_b.
pub const READ_WORDS: usize = 1;

/// How many words an UPDATE item takes.
pub const UPDATE_WORDS: usize = 4;

/// q_b, the index of a READ item's PIR query, below n.
pub fn query_index(tape: &Tape, offset: usize, n: usize) -> u64 {
    mod_size(peek(tape, offset), n)
}

/// What a party draws for an UPDATE item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdateDraws {
    /// Its XOR share of ri: a bit a level, most significant first, the h lowest of a word.
    pub target_bits: Vec<bool>,
    /// The root of its tree; the flag is overwritten.
    pub root: Block,
    /// X_b of each level's AND triple, in the same way the h lowest of a word.
    pub triple_bits: Vec<bool>,
}

/// The draws for an UPDATE item.
pub fn update_draws(tape: &Tape, offset: usize, log_size: usize) -> UpdateDraws {
    UpdateDraws {
        target_bits: address_bits(peek(tape, offset), log_size),
        root: peek_block(tape, offset.wrapping_add(1)),
        triple_bits: address_bits(peek(tape, offset.wrapping_add(3)), log_size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_draw_has_words_of_its_own() {
        let tape = advance(&tape(&[9, 9, 0b101, 1, 2, 0b011, 0xff]), 2);
        let draws = update_draws(&tape, 0, 3);
        assert_eq!(draws.target_bits, [true, false, true]);
        assert_eq!(draws.root, block_of_halves(1, 2));
        assert_eq!(draws.triple_bits, [false, true, true]);
        assert_eq!(query_index(&tape, UPDATE_WORDS, 8), 7);
        assert_eq!(peek(&tape, UPDATE_WORDS + READ_WORDS), 0);
    }
}
