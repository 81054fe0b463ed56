//! Preprocessing: two DPFs an item, at a random index that nobody knows, with flags and, of UPDATE items, values.
//!
//! The primaries tell each other their index offsets, and P2 deals (`start`, `dealing`); then two messages a level
//! (`levels`) and one for each output layer (`layers`); at last P2 gets its keys (`keys`) and, with P0, the difference
//! of an UPDATE item's two values (`difference`).

pub(super) mod dealing;
pub(super) mod difference;
pub(super) mod keys;
pub(super) mod layers;
pub(super) mod levels;
mod seeds;
mod sides;
pub(super) mod start;

pub(super) use self::dealing::begin_helper;
pub(super) use self::sides::Making;
pub(super) use self::start::begin;
use super::layers::{NODE_ROWS, depth};
use crate::engine::{Batch, Error, ItemKind, Parameters, Step};
use crate::wire::shape::levels as count;
use crate::wire::{MAX_PAYLOAD, Message};

/// Making DPFs.
pub const PREPROCESS: Step = Step::new("preprocess");

/// An item's DPFs: a and b.
const DPFS_PER_ITEM: usize = 2;

/// a and b of each item, of what there is for every DPF.
fn pairs<T>(dpfs: Vec<T>) -> impl Iterator<Item = [T; DPFS_PER_ITEM]> {
    let mut dpfs = dpfs.into_iter();
    std::iter::from_fn(move || Some([dpfs.next()?, dpfs.next()?]))
}

/// What the messages on a batch are known by. DPF a of item j has the number `2 j`, DPF b `2 j + 1`; READ items come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchShape {
    /// h.
    pub log_size: u32,
    /// w.
    pub row_words: usize,
    /// The numbers of items.
    pub batch: Batch,
}

impl BatchShape {
    /// Of a batch at a party of these parameters.
    pub(super) fn of(parameters: &Parameters, batch: Batch) -> Self {
        Self { log_size: parameters.log_size(), row_words: parameters.row_words(), batch }
    }

    /// `8 w`, the words of a node of the value layer.
    pub(super) fn node_words(self) -> usize {
        self.row_words.saturating_mul(NODE_ROWS)
    }

    /// D.
    pub(super) fn dpfs(self) -> usize {
        self.batch.items().saturating_mul(DPFS_PER_ITEM)
    }

    /// The DPFs of READ items.
    pub(super) fn read_dpfs(self) -> usize {
        self.batch.reads.saturating_mul(DPFS_PER_ITEM)
    }

    /// D', the DPFs of UPDATE items.
    pub(super) fn update_dpfs(self) -> usize {
        self.batch.updates.saturating_mul(DPFS_PER_ITEM)
    }

    /// What an item of the batch is for.
    pub(super) fn kind(self, item: usize) -> ItemKind {
        if item < self.batch.reads { ItemKind::Read } else { ItemKind::Update }
    }

    /// The levels of the trees of an item.
    pub(super) fn levels(self, kind: ItemKind) -> usize {
        count(depth(kind, self.log_size))
    }

    /// The levels of one tree of each item, taken together.
    pub(super) fn levels_of_items(self) -> usize {
        let reads = self.batch.reads.saturating_mul(self.levels(ItemKind::Read));
        reads.saturating_add(self.batch.updates.saturating_mul(self.levels(ItemKind::Update)))
    }

    /// The levels that are grown: those of the highest trees.
    pub(super) fn height(self) -> u32 {
        let kind = if self.batch.updates == 0 { ItemKind::Read } else { ItemKind::Update };
        depth(kind, self.log_size)
    }
}

/// Whether the batch's longest message, the deal, fits a payload.
pub(super) fn check_batch(batch: Batch, parameters: &Parameters) -> Result<(), Error> {
    let shape = BatchShape::of(parameters, batch);
    let length = dealing::Deal::length(shape).bytes();
    match batch.items() {
        0 => Err(Error::EmptyStep),
        // As many items with as large a part of READ items would fit.
        got if length > MAX_PAYLOAD => {
            Err(Error::BatchTooLarge { max: MAX_PAYLOAD / length.div_ceil(got), got })
        }
        _ => Ok(()),
    }
}
