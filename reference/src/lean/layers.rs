//! The two output layers of a tree that ends early (`PROTOCOL.md`, part two, "The tree"): 128 flags on each node of one
//! depth, 8 values on each node of another. With rows of w words, a value is a row, and eight rows are w parts of eight words.

use crate::engine::tree::{flag, high_half, low_half};
use crate::engine::{ItemKind, SessionKey};
use crate::{Block, Word};

/// The values on a node: words or, with rows of w words, rows.
pub const NODE_ROWS: usize = 8;

/// The tweak of the flag layer; those of the children are 0 and 1.
const FLAG_TWEAK: Block = 2;

/// The tweaks of eight words of the value layer: 8 to 11, and on in each part that follows.
const fn value_tweaks(part: usize) -> [Block; 4] {
    let first = 8 + 4 * part as Block;
    [first, first + 1, first + 2, first + 3]
}

/// `kf = min(7, h)`: this many bits of an address choose among the flags on a node.
pub(crate) const fn flag_bits(log_size: u32) -> u32 {
    if log_size < 7 { log_size } else { 7 }
}

/// `kw = min(3, h)`: this many bits of an address choose among the values on a node.
pub(crate) const fn value_bits(log_size: u32) -> u32 {
    if log_size < 3 { log_size } else { 3 }
}

/// The depth of the nodes that flags are on: the height of a READ item's trees.
pub(crate) const fn flag_depth(log_size: u32) -> u32 {
    log_size - flag_bits(log_size)
}

/// The depth of the nodes that values are on: the height of an UPDATE item's trees.
pub(crate) const fn value_depth(log_size: u32) -> u32 {
    log_size - value_bits(log_size)
}

/// d, the height of the trees of an item.
pub(crate) const fn depth(kind: ItemKind, log_size: u32) -> u32 {
    match kind {
        ItemKind::Read => flag_depth(log_size),
        ItemKind::Update => value_depth(log_size),
    }
}

/// All ones if the node's flag is set, else zero.
fn selected(label: Block) -> Word {
    flag(label).wrapping_neg()
}

/// `X(s)`: the flags on a node, uncorrected.
pub fn node_flags(key: &SessionKey, label: Block) -> Block {
    let [flags] = key.outputs(label, [FLAG_TWEAK]);
    flags
}

/// `X(s) + t CWf`.
pub fn corrected_flags(key: &SessionKey, label: Block, correction: Block) -> Block {
    let selected = selected(label);
    node_flags(key, label) ^ correction & (Block::from(selected) << 64 | Block::from(selected))
}

/// The words `8 part` to `8 part + 7` of `Y(s)`, the values on a node, uncorrected: w parts, one of words.
pub fn node_values(key: &SessionKey, label: Block, part: usize) -> [Word; NODE_ROWS] {
    let outputs = key.outputs(label, value_tweaks(part));
    let [v0, v1, v2, v3] = outputs.map(|block| [low_half(block), high_half(block)]);
    [v0[0], v0[1], v1[0], v1[1], v2[0], v2[1], v3[0], v3[1]]
}

/// The same words of `Y(s) + t CWw`.
pub fn corrected_values(
    key: &SessionKey,
    label: Block,
    part: usize,
    correction: &[Word; NODE_ROWS],
) -> [Word; NODE_ROWS] {
    let selected = selected(label);
    let mut values = node_values(key, label, part);
    values.iter_mut().zip(correction).for_each(|(value, cw)| *value ^= selected & cw);
    values
}
