//! Distributed point functions: keys, EVAL and EVALFULL `[duoram, section 2.1.1]` after Boyle, Gilboa and Ishai `[bgi16]`.
//!
//! A key is a root label and, for each level, one correction word and two flag corrections. It is a DPF *without* final
//! correction word: its leaves agree off the target and are unrelated at the target. A final correction word gives the
//! leaf at the target its value ([`crate::core::dealer`]), at once or when the value is known.

use crate::core::block::{Block, bit_block, flag, replicate};
use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::core::share::{Primary, signed};
use crate::core::vector::at;

/// The corrections of one level: `cw`, `cwt_L`, `cwt_R`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Correction {
    /// `cw`, its lowest bit 0: the lowest bit of a label is its flag, which has corrections of its own.
    pub word: Block,
    /// `cwt_L`
    pub left_flag: bool,
    /// `cwt_R`
    pub right_flag: bool,
}

/// One party's key, without final correction word. Its height h is the number of corrections, its domain `[0, 2^h)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// The root's label; its flag is 0 for P0 and 1 for P1.
    pub root: Block,
    /// From the root's level down.
    pub corrections: Vec<Correction>,
}

/// The bits of an address, most significant first: the path from the root, where 0 is left.
pub fn address_bits(address: u64, log_size: usize) -> Vec<bool> {
    (0..log_size)
        .map(|level: usize| {
            let position = log_size.wrapping_sub(1).wrapping_sub(level);
            address.wrapping_shr(position as u32) & 1 == 1
        })
        .collect()
}

/// The left child of a node: `G_L(s) xor t (cw xor cwt_L)` (App. C, steps 5 and 6, in one).
pub fn left_child<P: Prg>(prg: &P, parent: Block, correction: &Correction) -> Block {
    prg.left(parent) ^ (replicate(flag(parent)) & (correction.word ^ bit_block(correction.left_flag)))
}

/// The right child of a node: `G_R(s) xor t (cw xor cwt_R)`.
pub fn right_child<P: Prg>(prg: &P, parent: Block, correction: &Correction) -> Block {
    prg.right(parent) ^ (replicate(flag(parent)) & (correction.word ^ bit_block(correction.right_flag)))
}

/// The child of a node in the direction of an address bit.
pub fn child<P: Prg>(prg: &P, parent: Block, correction: &Correction, bit: bool) -> Block {
    if bit { right_child(prg, parent, correction) } else { left_child(prg, parent, correction) }
}

/// EVAL: the label of the leaf at `address`.
pub fn eval<P: Prg>(prg: &P, key: &Key, address: u64) -> Block {
    let bits = address_bits(address, key.corrections.len());
    key.corrections
        .iter()
        .zip(bits.iter())
        .fold(key.root, |label, (correction, bit)| child(prg, label, correction, *bit))
}

/// The corrected labels of the next level, from left to right.
pub fn next_level<P: Prg>(prg: &P, level: &[Block], correction: &Correction) -> Vec<Block> {
    level
        .iter()
        .flat_map(|parent| vec![left_child(prg, *parent, correction), right_child(prg, *parent, correction)])
        .collect()
}

/// EVALFULL: the labels of all leaves. The paper walks the tree depth first; level by level gives the same leaves.
pub fn eval_full<P: Prg>(prg: &P, key: &Key) -> Vec<Block> {
    key.corrections.iter().fold(vec![key.root], |level, correction| next_level(prg, &level, correction))
}

/// The flags t of the leaves, as bits.
pub fn leaf_flags(labels: &[Block]) -> Vec<bool> {
    labels.iter().map(|label| flag(*label)).collect()
}

/// The flags of a party's leaves as words, negated for P1 (App. D, step 1).
pub fn signed_flags<W: Ring>(party: Primary, labels: &[Block]) -> Vec<W> {
    labels.iter().map(|label| signed(party, if flag(*label) { W::one() } else { W::zero() })).collect()
}

/// The value words v_b of a party's leaves, negated for P1, so that they add up to zero off the target
/// `[duoram, section 4.1.1]`.
pub fn value_words<W: Ring>(party: Primary, labels: &[Block]) -> Vec<W> {
    labels.iter().map(|label| signed(party, W::value_word(*label))).collect()
}

/// The conversion words of a party's leaves, negated for P1: the v of App. D.
pub fn conversion_words<W: Ring>(party: Primary, labels: &[Block]) -> Vec<W> {
    labels.iter().map(|label| signed(party, W::conversion_word(*label))).collect()
}

/// The label at `address`, and 0 past the end.
pub fn leaf(labels: &[Block], address: u64) -> Block {
    at(labels, address as usize, 0)
}
