//! One primary's side of the generation of one DPF: level by level as in the paper's App. C
//! ([`crate::core::distributed_gen`]), and the corrections of the output layers.
//!
//! Both primaries run the same functions. What a party receives comes from the other primary only.

use crate::core::block::Block;
use crate::core::distributed_gen::{Operands, child_sums, opening, operands, planted, reconstruct};
use crate::core::dpf::{Key, address_bits, next_level};
use crate::core::du_atallah::AndTriple;
use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::core::vector::{add, at};
use crate::lean::dealing::Dealt;
use crate::lean::layers::{LayeredKey, Layers, Purpose, flag_bits, flag_sum, tree_depth, word_sum};
use crate::lean::one_hot::{moved_block, moved_share, moved_value};

/// A DPF that is being made, at one primary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Growing<W> {
    /// h
    pub log_size: usize,
    /// Whether it will have values.
    pub purpose: Purpose,
    /// `ri_b`, cut to h bits
    pub random_index: u64,
    /// `r_b`
    pub mask: u64,
    /// G, which the other primary has as well; 0 in READ items
    pub common: W,
    /// What P2 dealt.
    pub dealt: Dealt<W>,
    /// e, once it is opened
    pub offset: u64,
    /// The key as far as it is made.
    pub key: LayeredKey<W>,
    /// The corrected labels of the present level.
    pub labels: Vec<Block>,
}

/// What a primary brings to one DPF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Input<W> {
    /// h
    pub log_size: usize,
    /// Whether it will have values.
    pub purpose: Purpose,
    /// `ri_b`, cut to h bits
    pub random_index: u64,
    /// The root's label; its flag is overwritten.
    pub root: Block,
    /// `r_b`
    pub mask: u64,
    /// G; 0 in READ items
    pub common: W,
}

/// A DPF before its first level: the root with the party's flag.
pub fn begin<W: Ring>(party: Primary, input: &Input<W>, dealt: Dealt<W>) -> Growing<W> {
    let root = planted(party, input.root);
    Growing {
        log_size: input.log_size,
        purpose: input.purpose,
        random_index: input.random_index,
        mask: input.mask,
        common: input.common,
        dealt,
        offset: 0,
        key: LayeredKey {
            tree: Key { root, corrections: vec![] },
            flag_correction: 0,
            word_correction: vec![],
        },
        labels: vec![root],
    }
}

/// What P1 adds when P2's message arrives.
pub fn with_dealt<W: Ring>(growing: Growing<W>, dealt: Dealt<W>) -> Growing<W> {
    Growing { dealt, ..growing }
}

/// To the other primary: the moved share of ri.
pub fn moved<W: Ring>(growing: &Growing<W>) -> u64 {
    moved_share(growing.random_index, growing.mask, flag_bits(growing.log_size))
}

/// `e = r xor ri`, on the flag layer's bits, from both moved shares.
pub fn with_offset<W: Ring>(growing: Growing<W>, received: u64) -> Growing<W> {
    let offset = moved(&growing) ^ received;
    Growing { offset, ..growing }
}

/// The depth reached.
pub fn depth<W: Ring>(growing: &Growing<W>) -> usize {
    growing.key.tree.corrections.len()
}

/// Whether the tree has levels left to grow.
pub fn has_level<W: Ring>(growing: &Growing<W>) -> bool {
    depth(growing) < tree_depth(growing.log_size, growing.purpose)
}

/// This party's bit of ri at the present level.
pub fn level_bit<W: Ring>(growing: &Growing<W>) -> bool {
    at(&address_bits(growing.random_index, growing.log_size), depth(growing), false)
}

/// The triple of the present level.
pub fn level_triple<W: Ring>(growing: &Growing<W>) -> AndTriple {
    at(&growing.dealt.triples, depth(growing), AndTriple { x: 0, y: 0, z: 0 })
}

/// A level's first message.
pub fn level_operands<W: Ring, P: Prg>(prg: &P, growing: &Growing<W>) -> Operands {
    operands(level_bit(growing), &child_sums(prg, &growing.labels), &level_triple(growing))
}

/// A level's second message. The lowest bits of the sums are cleared before the AND: opened, they would tell the bit of ri.
pub fn level_opening<W: Ring, P: Prg>(prg: &P, growing: &Growing<W>, received: &Operands) -> Block {
    opening(level_bit(growing), &child_sums(prg, &growing.labels), &level_triple(growing), received)
}

/// One level more, from the other primary's two messages.
pub fn grown<W: Ring, P: Prg>(
    prg: &P,
    growing: Growing<W>,
    received: &Operands,
    received_opening: Block,
) -> Growing<W> {
    let own = level_operands(prg, &growing);
    let own_opening = level_opening(prg, &growing, received);
    let correction = reconstruct(&own, received, own_opening, received_opening);
    let corrections = [growing.key.tree.corrections.clone(), vec![correction]].concat();
    let labels = next_level(prg, &growing.labels, &correction);
    let tree = Key { root: growing.key.tree.root, corrections };
    let key = LayeredKey {
        tree,
        flag_correction: growing.key.flag_correction,
        word_correction: growing.key.word_correction.clone(),
    };
    Growing { key, labels, ..growing }
}

/// At the flag layer's depth: this party's share of `CWf`, the XOR of X over its nodes and its share of the one-hot vector.
pub fn flag_share<W: Ring, P: Layers>(prg: &P, growing: &Growing<W>) -> Block {
    flag_sum(prg, &growing.labels) ^ moved_block(growing.dealt.one_hot, growing.offset)
}

/// `CWf` from both shares.
pub fn with_flag_correction<W: Ring, P: Layers>(prg: &P, growing: Growing<W>, received: Block) -> Growing<W> {
    let flag_correction = flag_share(prg, &growing) ^ received;
    let key = LayeredKey {
        tree: growing.key.tree.clone(),
        flag_correction,
        word_correction: growing.key.word_correction.clone(),
    };
    Growing { key, ..growing }
}

/// At the word layer's depth: this party's share of `CWw`, the sum of Y over its nodes and its share of `R onehot_8(ri mod 8)`.
pub fn word_share<W: Ring, P: Layers>(prg: &P, growing: &Growing<W>) -> Vec<W> {
    let one_hot = moved_block(growing.dealt.one_hot, growing.offset);
    let sum: Vec<W> = word_sum(prg, &growing.labels);
    add(&sum, &moved_value(&growing.dealt.value_one_hot, growing.offset, growing.common, one_hot))
}

/// `CWw` from both shares.
pub fn with_word_correction<W: Ring, P: Layers>(prg: &P, growing: Growing<W>, received: &[W]) -> Growing<W> {
    let word_correction = add(&word_share(prg, &growing), received);
    let key = LayeredKey {
        tree: growing.key.tree.clone(),
        flag_correction: growing.key.flag_correction,
        word_correction,
    };
    Growing { key, ..growing }
}

/// `f_b`: P0's share of R is `R'_0 + G`, P1's is `R'_1`.
pub fn value_share<W: Ring>(party: Primary, growing: &Growing<W>) -> W {
    match party {
        Primary::P0 => growing.dealt.value_share.plus(growing.common),
        Primary::P1 => growing.dealt.value_share,
    }
}
