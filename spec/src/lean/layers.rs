//! The two output layers of a tree that ends early: 128 flags a node at depth `h - kf`, and 8 words a node at depth `h - kw`.
//!
//! The tree is the paper's, level for level ([`crate::core::dpf`]). A layer has one correction, which mends the node pair at
//! ri and leaves all others equal, since the other nodes agree in label and flag.

use crate::core::aes::encrypt;
use crate::core::block::{Block, bit_block, clear_flag, flag, replicate, xor_sum};
use crate::core::dpf::{Key, next_level};
use crate::core::prg::{AesPrg, Prg};
use crate::core::ring::Ring;
use crate::core::vector::{add, at, scale, zeros};

/// What an item is for: it decides whether its DPFs have values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// READ: flags only.
    Read,
    /// UPDATE, WRITE and SWAP: flags and values.
    Update,
}

/// The outputs of a node beside its children. Correctness needs no property of them.
pub trait Layers {
    /// `T_c(s) = pi(s' xor c) xor s' xor c`, where `s'` is the label without its flag.
    fn output(&self, label: Block, tweak: Block) -> Block;
}

impl Layers for AesPrg {
    fn output(&self, label: Block, tweak: Block) -> Block {
        let input = clear_flag(label) ^ tweak;
        encrypt(&self.aes, input) ^ input
    }
}

/// The tweak of the flag layer. 0 and 1 are those of the children.
pub const FLAG_TWEAK: Block = 2;

/// The first tweak of the word layer; its four blocks have 8, 9, 10, 11.
pub const WORD_TWEAK: Block = 8;

/// Words that the word layer has a node.
pub const NODE_WORDS: usize = 8;

/// `kf = min(7, h)`: the bits of an address that choose among the flags of a node.
pub fn flag_bits(log_size: usize) -> usize {
    if log_size < 7 { log_size } else { 7 }
}

/// `kw = min(3, h)`: the bits of an address that choose among the words of a node.
pub fn word_bits(log_size: usize) -> usize {
    if log_size < 3 { log_size } else { 3 }
}

/// The depth of the flag layer's nodes.
pub fn flag_depth(log_size: usize) -> usize {
    log_size.wrapping_sub(flag_bits(log_size))
}

/// The depth of the word layer's nodes.
pub fn word_depth(log_size: usize) -> usize {
    log_size.wrapping_sub(word_bits(log_size))
}

/// d: the levels of the tree. An UPDATE item is a READ item grown further.
pub fn tree_depth(log_size: usize, purpose: Purpose) -> usize {
    match purpose {
        Purpose::Read => flag_depth(log_size),
        Purpose::Update => word_depth(log_size),
    }
}

/// A key of a DPF with its layers, one side's. `word_correction` is empty in READ items.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayeredKey<W> {
    /// The tree.
    pub tree: Key,
    /// `CWf`
    pub flag_correction: Block,
    /// `CWw`
    pub word_correction: Vec<W>,
}

/// X(s), the flag layer of a node: 128 flags.
pub fn flag_block<P: Layers>(prg: &P, label: Block) -> Block {
    prg.output(label, FLAG_TWEAK)
}

/// Y(s), the word layer of a node: the two words of each of its four blocks, the low half first.
pub fn node_words<W: Ring, P: Layers>(prg: &P, label: Block) -> Vec<W> {
    (0..4)
        .flat_map(|i: u64| {
            let block = prg.output(label, WORD_TWEAK ^ (i as u128));
            vec![W::conversion_word(block), W::value_word(block)]
        })
        .collect()
}

/// The XOR of X over the nodes of a depth.
pub fn flag_sum<P: Layers>(prg: &P, labels: &[Block]) -> Block {
    let blocks: Vec<Block> = labels.iter().map(|label| flag_block(prg, *label)).collect();
    xor_sum(&blocks)
}

/// The sum of Y over the nodes of a depth.
pub fn word_sum<W: Ring, P: Layers>(prg: &P, labels: &[Block]) -> Vec<W> {
    labels.iter().fold(zeros(NODE_WORDS), |sum, label| {
        let words: Vec<W> = node_words(prg, *label);
        add(&sum, &words)
    })
}

/// A bit as a word: 0 or 1, which in a ring of XOR words is all ones.
pub fn bit_word<W: Ring>(bit: bool) -> W {
    if bit { W::one() } else { W::zero() }
}

/// Bit `i` of a block.
pub fn block_bit(block: Block, i: u64) -> bool {
    flag(block.wrapping_shr(i as u32))
}

/// The block of which only bit `i` is set; `i` is below 128.
pub fn one_hot_block(i: u64) -> Block {
    bit_block(true).wrapping_shl(i as u32)
}

/// The labels at a depth of a key's tree, from left to right.
pub fn labels_at<P: Prg>(prg: &P, key: &Key, depth: usize) -> Vec<Block> {
    key.corrections
        .iter()
        .take(depth)
        .fold(vec![key.root], |level, correction| next_level(prg, &level, correction))
}

/// The flags of a node: `X(s) xor t CWf`, of which the first `2^kf` are leaves.
pub fn node_flags<P: Layers>(prg: &P, label: Block, correction: Block, bits: usize) -> Vec<bool> {
    let flags = flag_block(prg, label) ^ (replicate(flag(label)) & correction);
    (0..1u64.wrapping_shl(bits as u32)).map(|i: u64| block_bit(flags, i)).collect()
}

/// The values of a node: `Y(s) + t CWw`, of which the first `2^kw` are leaves.
pub fn node_values<W: Ring, P: Layers>(prg: &P, label: Block, correction: &[W], bits: usize) -> Vec<W> {
    let words: Vec<W> = node_words(prg, label);
    let corrected = add(&words, &scale(bit_word(flag(label)), correction));
    (0..1usize.wrapping_shl(bits as u32)).map(|i: usize| at(&corrected, i, W::zero())).collect()
}

/// t of one side, as words: the flags of all n leaves.
pub fn unit_flags<W: Ring, P: Prg + Layers>(prg: &P, key: &LayeredKey<W>, log_size: usize) -> Vec<W> {
    labels_at(prg, &key.tree, flag_depth(log_size))
        .iter()
        .flat_map(|label| {
            let words: Vec<W> = node_flags(prg, *label, key.flag_correction, flag_bits(log_size))
                .iter()
                .map(|bit| bit_word(*bit))
                .collect();
            words
        })
        .collect()
}

/// v of one side: the values of all n leaves. The key is of an UPDATE item.
pub fn values<W: Ring, P: Prg + Layers>(prg: &P, key: &LayeredKey<W>, log_size: usize) -> Vec<W> {
    labels_at(prg, &key.tree, word_depth(log_size))
        .iter()
        .flat_map(|label| node_values(prg, *label, &key.word_correction, word_bits(log_size)))
        .collect()
}
