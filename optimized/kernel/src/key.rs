//! Keys, and what they are made of.
//!
//! | key | a leaf is | depth of its tree |
//! |---|---|---|
//! | [`Key`] | a label of 128 bits, the lowest of them its flag | h |
//! | [`WordKey`] | a word, an additive share mod 2^64 | h |
//! | [`UnitKey`] | a word and, of the same tree, a share of the unit vector (DUORAM, App. D) | h |
//! | [`BitKey`] | a bit, an XOR share | h - 7: a node yields the bits of 128 leaves |
//! | [`ValueKey`] | a word, an XOR share | h - 3: a node yields the words of 8 leaves |
//! | [`RowKey`] | a row of w words, an XOR share | h - 3: a node yields the rows of 8 leaves |
//!
//! Keys are wiped when dropped. They are not `Clone`: a party's key is evaluated by that party.

use alloc::vec::Vec;

use zeroize::{Zeroize, ZeroizeOnDrop};

/// A label, or a correction word: 128 bits, bit 0 the lowest.
pub type Block = u128;

/// Whose share: it decides the sign of additive shares. Not secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Party {
    /// Adds.
    P0,
    /// Subtracts.
    P1,
}

impl Party {
    /// 1 or -1: `s_b`.
    pub(crate) const fn sign(self) -> u64 {
        match self {
            Self::P0 => 1,
            Self::P1 => u64::MAX,
        }
    }
}

/// The correction of one level: what the children of a node get whose flag is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Correction {
    /// `cw`; its lowest bit is 0, for flags have corrections of their own.
    pub word: Block,
    /// `cwt_L`
    pub left_flag: bool,
    /// `cwt_R`
    pub right_flag: bool,
}

impl Correction {
    /// What a left and a right child get.
    pub(crate) fn sides(&self) -> [Block; 2] {
        [self.word ^ Block::from(self.left_flag), self.word ^ Block::from(self.right_flag)]
    }
}

impl Zeroize for Correction {
    fn zeroize(&mut self) {
        self.word.zeroize();
        self.left_flag.zeroize();
        self.right_flag.zeroize();
    }
}

/// One party's key of a tree whose leaves are labels. At all leaves but one the labels of both parties are equal; at the
/// target they are unrelated, and their flags differ.
pub struct Key {
    root: Block,
    corrections: Vec<Correction>,
}

impl Key {
    /// A key from its parts: the root's label, whose lowest bit is the party's number, and a correction for each level,
    /// from the root's down.
    ///
    /// # Panics
    /// If there are 64 levels or more.
    pub fn new(root: Block, corrections: Vec<Correction>) -> Self {
        assert!(corrections.len() < 64, "leaves are counted by a word");
        Self { root, corrections }
    }

    /// The root's label.
    pub fn root(&self) -> Block {
        self.root
    }

    /// The corrections, from the root's level down.
    pub fn corrections(&self) -> &[Correction] {
        &self.corrections
    }

    /// h: there are `2^h` leaves.
    pub fn log_size(&self) -> usize {
        self.corrections.len()
    }

    pub(crate) fn root_label(&self) -> &Block {
        &self.root
    }

    pub(crate) fn leaves(&self) -> usize {
        1 << self.corrections.len()
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        self.root.zeroize();
        self.corrections.zeroize();
    }
}

impl ZeroizeOnDrop for Key {}

/// A key with a conversion factor: with the flag t and the low word c of a leaf, `s_b (A t - c)` is a share of the unit
/// vector, mod 2^64. What READ and UPDATE of DUORAM take.
pub struct UnitKey {
    pub(crate) key: Key,
    pub(crate) conversion_factor: u64,
}

impl UnitKey {
    /// `conversion_factor` is `A` of App. D, which both parties know.
    pub fn new(key: Key, conversion_factor: u64) -> Self {
        Self { key, conversion_factor }
    }

    /// The tree's key.
    pub fn key(&self) -> &Key {
        &self.key
    }
}

impl Drop for UnitKey {
    fn drop(&mut self) {
        self.conversion_factor.zeroize();
    }
}

impl ZeroizeOnDrop for UnitKey {}

/// One party's key of a point function whose values are words: the words of both parties add up to the value at the target
/// and to 0 elsewhere, mod 2^64.
pub struct WordKey {
    pub(crate) key: Key,
    pub(crate) party: Party,
    pub(crate) final_correction: u64,
}

impl WordKey {
    /// With the flag t and the high word v of a leaf, the party's share is `s_b (v + final_correction t)`.
    pub fn new(party: Party, key: Key, final_correction: u64) -> Self {
        Self { key, party, final_correction }
    }

    /// The tree's key.
    pub fn key(&self) -> &Key {
        &self.key
    }

    /// F, the same for both parties.
    pub fn final_correction(&self) -> u64 {
        self.final_correction
    }
}

impl Drop for WordKey {
    fn drop(&mut self) {
        self.final_correction.zeroize();
    }
}

impl ZeroizeOnDrop for WordKey {}

/// Levels that a tree of bits ends early: 128 leaves a node.
pub(crate) const BIT_LEVELS: usize = 7;

/// One party's key of a point function whose values are bits: the XOR of both parties' bits is 1 at the target and 0
/// elsewhere.
pub struct BitKey {
    pub(crate) nodes: Key,
    pub(crate) log_size: usize,
    pub(crate) correction: Block,
}

impl BitKey {
    /// A key from its parts: that of the nodes, of which each yields 128 leaves (or all `2^log_size`, if they are fewer), and
    /// what is XORed to the bits of a node whose flag is set.
    ///
    /// # Panics
    /// If `log_size` is 64 or more, or the tree of the nodes has not `log_size - 7` levels (0 below 7).
    pub fn new(log_size: usize, nodes: Key, correction: Block) -> Self {
        assert!(log_size < 64, "leaves are counted by a word");
        assert!(nodes.log_size() == log_size.saturating_sub(BIT_LEVELS), "nodes yield 128 leaves each");
        Self { nodes, log_size, correction }
    }

    /// The key of the nodes.
    pub fn nodes(&self) -> &Key {
        &self.nodes
    }

    /// The correction of the bits.
    pub fn correction(&self) -> Block {
        self.correction
    }

    /// h: there are `2^h` leaves.
    pub fn log_size(&self) -> usize {
        self.log_size
    }
}

impl Drop for BitKey {
    fn drop(&mut self) {
        self.correction.zeroize();
    }
}

impl ZeroizeOnDrop for BitKey {}

/// Levels that a tree of values ends early: 8 leaves a node.
pub(crate) const VALUE_LEVELS: usize = 3;

/// One party's key of a point function whose values are words: the XOR of both parties' words is the value at the target and 0
/// elsewhere, once the flags' part is added ([`Kernels::update_values`](crate::Kernels::update_values)).
pub struct ValueKey {
    pub(crate) nodes: Key,
    pub(crate) log_size: usize,
    pub(crate) correction: [u64; 8],
}

impl ValueKey {
    /// A key from its parts: that of the nodes, of which each yields 8 leaves (or all `2^log_size`, if they are fewer), and
    /// what is XORed to the words of a node whose flag is set.
    ///
    /// # Panics
    /// If `log_size` is 64 or more, or the tree of the nodes has not `log_size - 3` levels (0 below 3).
    pub fn new(log_size: usize, nodes: Key, correction: [u64; 8]) -> Self {
        assert!(log_size < 64, "leaves are counted by a word");
        assert!(nodes.log_size() == log_size.saturating_sub(VALUE_LEVELS), "nodes yield 8 leaves each");
        Self { nodes, log_size, correction }
    }

    /// The key of the nodes.
    pub fn nodes(&self) -> &Key {
        &self.nodes
    }

    /// The correction of the words.
    pub fn correction(&self) -> &[u64; 8] {
        &self.correction
    }

    /// h: there are `2^h` leaves.
    pub fn log_size(&self) -> usize {
        self.log_size
    }
}

impl Drop for ValueKey {
    fn drop(&mut self) {
        self.correction.zeroize();
    }
}

impl ZeroizeOnDrop for ValueKey {}

/// One party's key of a point function whose values are rows of w words: as [`ValueKey`], which has `w = 1`
/// ([`Kernels::update_rows`](crate::Kernels::update_rows)).
pub struct RowKey {
    pub(crate) nodes: Key,
    pub(crate) log_size: usize,
    pub(crate) correction: Vec<u64>,
}

impl RowKey {
    /// A key from its parts: that of the nodes, of which each yields the rows of 8 leaves (or of all `2^log_size`, if they are fewer), and
    /// what is XORed to the `8 w` words of a node whose flag is set.
    ///
    /// # Panics
    /// If `log_size` is 64 or more, the tree of the nodes has not `log_size - 3` levels (0 below 3), or the words are not 8 or a
    /// multiple of it.
    pub fn new(log_size: usize, nodes: Key, correction: Vec<u64>) -> Self {
        assert!(log_size < 64, "leaves are counted by a word");
        assert!(nodes.log_size() == log_size.saturating_sub(VALUE_LEVELS), "nodes yield 8 leaves each");
        let words = correction.len();
        assert!(words > 0 && words.is_multiple_of(8), "expected the words of eight rows, got {words}");
        Self { nodes, log_size, correction }
    }

    /// The key of the nodes.
    pub fn nodes(&self) -> &Key {
        &self.nodes
    }

    /// The correction of the words.
    pub fn correction(&self) -> &[u64] {
        &self.correction
    }

    /// h: there are `2^h` leaves.
    pub fn log_size(&self) -> usize {
        self.log_size
    }

    /// w: the words of a leaf's row.
    pub fn row_words(&self) -> usize {
        self.correction.len() >> VALUE_LEVELS
    }
}

impl Drop for RowKey {
    fn drop(&mut self) {
        self.correction.zeroize();
    }
}

impl ZeroizeOnDrop for RowKey {}
