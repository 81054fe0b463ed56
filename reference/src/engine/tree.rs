//! The tree of a DPF, level by level: labels, flags, corrections, and trees in flight.

use std::hint::black_box;
use std::mem;

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::{SessionKey, leaves};
use crate::{Block, Word};

/// The correction of one level, opened in App. C (`[duoram, appendix C, steps 3 and 4]`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Zeroize)]
pub struct Correction {
    /// The correction word `cw`; its lowest bit is 0, for that is where the flag corrections act.
    pub word: Block,
    /// `cwt_L`.
    pub left_flag: bool,
    /// `cwt_R`.
    pub right_flag: bool,
}

impl Correction {
    /// What a left child gets if its parent's flag is set: `cw xor cwt_L`.
    pub fn left(&self) -> Block {
        self.word ^ Block::from(self.left_flag)
    }

    /// What a right child gets if its parent's flag is set: `cw xor cwt_R`.
    pub fn right(&self) -> Block {
        self.word ^ Block::from(self.right_flag)
    }
}

/// The flag `t` of a node as a word: the lowest bit of its corrected label.
///
/// The compiler must not know that it is 0 or 1: it makes a branch of a product with such a word.
pub fn flag(label: Block) -> Word {
    black_box(low_half(label) & 1)
}

/// Bits 0..63 of a block.
#[allow(clippy::cast_possible_truncation)] // the low half is what is asked for
pub(crate) const fn low_half(block: Block) -> Word {
    block as Word
}

/// Bits 64..127 of a block.
pub(crate) const fn high_half(block: Block) -> Word {
    (block >> 64) as Word
}

/// All ones if the bit is set, else zero: selects without a branch, as long as the compiler does not know that there are
/// only these two.
pub(crate) fn mask(bit: bool) -> Block {
    Block::from(black_box(u8::from(bit))).wrapping_neg()
}

/// The uncorrected children of a level, left before right (`[duoram, appendix C, step 1]`).
pub(crate) fn grow(key: &SessionKey, labels: &[Block]) -> Zeroizing<Vec<Block>> {
    let mut children = Zeroizing::new(Vec::with_capacity(2 * labels.len()));
    for &label in labels {
        let (left, right) = key.children(label);
        children.push(left);
        children.push(right);
    }
    children
}

/// Corrects the children of the level `parents` (`[duoram, appendix C, steps 5 and 6]`): where a parent's flag is set,
/// its children get the correction, flag and all.
pub(crate) fn correct(parents: &[Block], children: &mut [Block], correction: &Correction) {
    for (&parent, pair) in parents.iter().zip(children.chunks_exact_mut(2)) {
        let selected = Block::from(flag(parent)).wrapping_neg();
        pair[0] ^= selected & correction.left();
        pair[1] ^= selected & correction.right();
    }
}

/// EVALFULL (`[duoram, section 2.1.1]`): the labels of the `n = 2^h` leaves under a root, by index.
pub(crate) fn evaluate(key: &SessionKey, root: Block, corrections: &[Correction]) -> Zeroizing<Vec<Block>> {
    let mut labels = Zeroizing::new(vec![root]);
    for correction in corrections {
        let mut children = grow(key, &labels);
        correct(&labels, &mut children, correction);
        labels = children;
    }
    labels
}

/// The XOR of the left and of the right children of one level of one tree, uncorrected
/// (`[duoram, appendix C, step 2]`: `L_b`, `R_b`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Zeroize)]
pub struct ChildSums {
    /// `L_b`.
    pub left: Block,
    /// `R_b`.
    pub right: Block,
}

impl ChildSums {
    pub(crate) fn of(children: &[Block]) -> Self {
        children.chunks_exact(2).fold(Self::default(), |sums, pair| Self {
            left: sums.left ^ pair[0],
            right: sums.right ^ pair[1],
        })
    }
}

/// Trees in flight, whole levels of labels: the forest of the plain computation.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Forest {
    key: SessionKey,
    trees: Vec<Tree>,
}

/// One tree: its lowest corrected level and, between growth and correction, the children of that level.
#[derive(Zeroize, ZeroizeOnDrop)]
struct Tree {
    labels: Vec<Block>,
    children: Vec<Block>,
}

impl Forest {
    /// Trees of one node each, their roots, with room for levels as far as `height`.
    pub(crate) fn plant(key: &SessionKey, roots: Vec<Block>, height: u32) -> Self {
        let roots = Zeroizing::new(roots);
        let plant = |&root: &Block| {
            // Room for every level at once: a vector that grows would leave copies of labels behind.
            let mut labels = Vec::with_capacity(leaves(height));
            labels.push(root);
            Tree { labels, children: Vec::with_capacity(leaves(height)) }
        };
        Self { key: SessionKey::new(*key.bytes()), trees: roots.iter().map(plant).collect() }
    }

    pub(crate) fn grow(&mut self) -> Vec<ChildSums> {
        let key = &self.key;
        let grow = |tree: &mut Tree| {
            tree.children.clear();
            tree.children.extend_from_slice(&grow(key, &tree.labels));
            ChildSums::of(&tree.children)
        };
        self.trees.iter_mut().map(grow).collect()
    }

    pub(crate) fn correct(&mut self, corrections: &[Correction]) {
        for (tree, correction) in self.trees.iter_mut().zip(corrections) {
            correct(&tree.labels, &mut tree.children, correction);
            mem::swap(&mut tree.labels, &mut tree.children);
        }
    }

    /// The key of the session.
    pub(crate) fn key(&self) -> &SessionKey {
        &self.key
    }

    /// The lowest corrected level of each tree.
    pub fn labels(&self) -> impl Iterator<Item = &[Block]> {
        self.trees.iter().map(|tree| &tree.labels[..])
    }

    /// The first `count` trees are complete: they are wiped, and the others go on.
    pub(crate) fn end(&mut self, count: usize) {
        self.trees.drain(..count.min(self.trees.len()));
    }
}
