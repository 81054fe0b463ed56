//! What the functions of the lean protocol are given.
//!
//! Its keys are [`Key`]s of fewer levels than the memory has, and without a conversion factor: there a number that must not
//! matter.

use duoram_reference::{Block, Word};
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::layers::{LayeredKey, bit_word, block_bit};

use super::case::Key;

/// Words of a node's output layer: CWw.
pub const NODE_WORDS: usize = duoram_spec::lean::layers::NODE_WORDS;

/// A key of `duoram_kernel_lean_flags`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlagKey {
    /// The tree.
    pub key: Key,
    /// CWf
    pub correction: Block,
}

impl FlagKey {
    /// As the specification has it.
    pub(super) fn specified(&self) -> LayeredKey<XorWord> {
        let (tree, flag_correction) = (self.key.specified(), self.correction);
        LayeredKey { tree, flag_correction, word_correction: Vec::new() }
    }
}

/// Which words of a memory a query is about, and a READ's query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// t, packed as in the header.
    pub flags: Vec<Word>,
    /// S, below n.
    pub shift: u64,
}

impl Selection {
    /// t, a word each.
    pub(super) fn unpacked(&self, n: usize) -> Vec<XorWord> {
        let flag = |j: usize| bit_word(block_bit(self.flags[j / 64].into(), j as u64 % 64));
        (0..n).map(flag).collect()
    }

    /// Made to fit a memory of `2^depth` words, no more than the present one.
    pub(super) fn cut(&mut self, depth: u32) {
        self.flags.truncate(flag_words(depth));
        self.flags[0] &= flag_mask(depth);
        self.shift %= 1 << depth;
    }
}

/// An UPDATE of one vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueUpdate {
    /// The tree.
    pub key: Key,
    /// CWw
    pub word_correction: [Word; NODE_WORDS],
    /// F
    pub final_correction: Word,
    /// t and S
    pub selection: Selection,
}

impl ValueUpdate {
    /// As the specification has it.
    pub(super) fn specified(&self) -> LayeredKey<XorWord> {
        let word_correction = self.word_correction.map(|bits| XorWord { bits }).to_vec();
        LayeredKey { tree: self.key.specified(), flag_correction: 0, word_correction }
    }
}

/// Words of `2^depth` packed flags.
pub(super) fn flag_words(depth: u32) -> usize {
    1 << depth.saturating_sub(6)
}

/// The bits of a word of packed flags that are flags.
pub(super) fn flag_mask(depth: u32) -> Word {
    if depth < 6 { (1 << (1 << depth)) - 1 } else { Word::MAX }
}

/// Flags as the header packs them.
pub(super) fn packed(flags: &[XorWord]) -> Vec<Word> {
    let word = |flags: &[XorWord]| flags.iter().rev().fold(0, |word, flag| word << 1 | (flag.bits & 1));
    flags.chunks(64).map(word).collect()
}
