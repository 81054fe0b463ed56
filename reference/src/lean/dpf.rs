//! Keys of DPFs with output layers, and what they evaluate to.

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::layers::{NODE_ROWS, corrected_flags, corrected_values, flag_depth, value_depth};
use crate::engine::SessionKey;
use crate::engine::tree::{Correction, correct, grow};
use crate::{Block, Word};

/// One side of a DPF whose tree ends early, and carries flags and, of UPDATE items, values. Wiped on drop.
///
/// Used at two addresses it would tell their difference. So it is made by preprocessing, kept in the one item that it
/// belongs to, and neither cloned nor built by hand. Only a party that is saved writes down those that it has left
/// ([`crate::Lasting::save`]).
///
/// ```compile_fail,E0599
/// # use duoram_reference::lean::LayeredKey;
/// fn twice(key: &LayeredKey) -> LayeredKey {
///     key.clone()
/// }
/// ```
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct LayeredKey {
    /// In a place of their own: a move leaves nothing behind that nobody would wipe.
    parts: Box<Parts>,
}

/// What a key consists of.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
struct Parts {
    root: Block,
    corrections: Vec<Correction>,
    flag_correction: Block,
    /// `8 w` words of an UPDATE item, none of a READ item.
    value_correction: Vec<Word>,
}

impl LayeredKey {
    /// A key, of its parts. The value correction has `8 w` words in an UPDATE item, none in a READ item.
    pub(crate) fn new(
        root: Block,
        corrections: Vec<Correction>,
        flag_correction: Block,
        value_correction: Vec<Word>,
    ) -> Self {
        Self { parts: Box::new(Parts { root, corrections, flag_correction, value_correction }) }
    }

    /// The root's label; its lowest bit is the side, 0 or 1.
    pub fn root(&self) -> &Block {
        &self.parts.root
    }

    /// One a level, root first: `h - kf` of a READ item, `h - kw` of an UPDATE item.
    pub fn corrections(&self) -> &[Correction] {
        &self.parts.corrections
    }

    /// CWf.
    pub fn flag_correction(&self) -> Block {
        self.parts.flag_correction
    }

    /// CWw, of UPDATE items: `8 w` words.
    pub fn value_correction(&self) -> Option<&[Word]> {
        let words = &self.parts.value_correction;
        (!words.is_empty()).then_some(&words[..])
    }

    /// For a message that is being read.
    pub(crate) fn corrections_mut(&mut self) -> &mut [Correction] {
        &mut self.parts.corrections
    }

    /// A key that a test has made up.
    #[cfg(any(test, feature = "test-util"))]
    pub fn for_test(
        root: Block,
        corrections: Vec<Correction>,
        flag_correction: Block,
        value_correction: Vec<Word>,
    ) -> Self {
        Self::new(root, corrections, flag_correction, value_correction)
    }

    /// A second key of a test that uses one twice on purpose.
    #[cfg(any(test, feature = "test-util"))]
    pub fn copy_for_test(&self) -> Self {
        self.duplicate_for_helper()
    }

    /// The labels at a depth, by index.
    fn labels(&self, key: &SessionKey, depth: u32) -> Zeroizing<Vec<Block>> {
        let mut labels = Zeroizing::new(vec![self.parts.root]);
        for (_, correction) in (0..depth).zip(&self.parts.corrections) {
            let mut children = grow(key, &labels);
            correct(&labels, &mut children, correction);
            labels = children;
        }
        labels
    }

    /// The flags of all `2^log_size` leaves: bit j of block m is that of leaf `m 2^kf + j`.
    pub fn flags(&self, key: &SessionKey, log_size: u32) -> Zeroizing<Vec<Block>> {
        let labels = self.labels(key, flag_depth(log_size));
        let flags = labels.iter().map(|&label| corrected_flags(key, label, self.parts.flag_correction));
        Zeroizing::new(flags.collect())
    }

    /// The values of all `2^log_size` leaves, w words each, by index; none of a READ item. Of fewer than eight leaves the last
    /// node's values are too many, and left out.
    pub fn values(&self, key: &SessionKey, log_size: u32) -> Zeroizing<Vec<Word>> {
        let Some(correction) = self.value_correction() else { return Zeroizing::default() };
        let labels = self.labels(key, value_depth(log_size));
        let mut values = Zeroizing::new(Vec::with_capacity(correction.len() * labels.len()));
        for &label in labels.iter() {
            for (part, correction) in correction.as_chunks().0.iter().enumerate() {
                values.extend_from_slice(&corrected_values(key, label, part, correction));
            }
        }
        values.truncate((correction.len() / NODE_ROWS) << log_size);
        values
    }

    /// The one duplicate of a key there is: P2 evaluates side 0 of a as P0 does.
    pub(crate) fn duplicate_for_helper(&self) -> Self {
        Self { parts: self.parts.clone() }
    }
}
