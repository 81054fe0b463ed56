//! The plain computation: the formulas over n words.

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::dpf::{Forest, point};
use super::{ChildSums, Compute, Correction, LeafSums, UpdateQuery};
use crate::engine::SessionKey;
use crate::wire::Role;
use crate::{Block, Word};

/// The plain implementation of [`Compute`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// `D_b`, n words. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Memory {
    /// `D_b`.
    pub memory_share: Vec<Word>,
}

impl Compute for Plain {
    type Memory = Memory;
    type Forest = Forest;

    fn memory(&self, memory_share: Vec<Word>) -> Memory {
        Memory { memory_share }
    }

    fn words<'a>(&self, memory: &'a Memory) -> &'a [Word] {
        &memory.memory_share
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> Forest {
        Forest::plant(key, roots, log_size)
    }

    fn grow(&self, forest: &mut Forest) -> Vec<ChildSums> {
        forest.grow()
    }

    fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        forest.correct(corrections);
    }

    fn leaf_sums(&self, forest: Forest) -> Vec<LeafSums> {
        forest.labels().map(LeafSums::of).collect()
    }

    fn update(&self, key: &SessionKey, role: Role, memory: &mut Memory, queries: &[UpdateQuery]) {
        for UpdateQuery { key: dpf, final_correction, shift } in queries {
            let factor = final_correction.wrapping_mul(dpf.inverse());
            let labels = dpf.evaluate(key);
            let mut change: Zeroizing<Vec<Word>> =
                Zeroizing::new(labels.iter().map(|&label| point(role, factor, label)).collect());
            let length = change.len();
            // Below n; word x of the change is of leaf x - S, all at once (erratum 9).
            change.rotate_right(usize::try_from(*shift).unwrap_or(0) % length);
            let words = memory.memory_share.iter_mut().zip(change.iter());
            words.for_each(|(word, change)| *word = word.wrapping_add(*change));
        }
    }
}
