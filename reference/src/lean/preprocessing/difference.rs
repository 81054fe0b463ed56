//! delta of an UPDATE item: P0 and P2 learn the difference of the values of its two DPFs, and so `F_b` from `F_a`.

use zeroize::Zeroizing;

use super::keys::HelperMasks;
use super::sides::Made;
use super::{BatchShape, pairs};
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::items::{READ_ITEMS, agreed};
use crate::engine::step::{Next, State};
use crate::lean::helper::HelperWorld;
use crate::lean::items::{HelperReadItem, HelperUpdateItem};
use crate::lean::primary::World;
use crate::lean::side::Side0;
use crate::lean::{Compute, Row, row, sum};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// P0 to P2, P1 to both: for each UPDATE item `q_b`, w words. Not sent in a batch without any.
pub struct Difference(pub Vec<Word>);

impl Message for Difference {
    const KIND: Kind = Kind::agreeing(11, "difference", READ_ITEMS).making();
    type Shape = BatchShape;

    fn length(shape: BatchShape) -> Length {
        Length::words(words(shape))
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, shape: BatchShape) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.words(words(shape))))
    }
}

/// Of all the items.
fn words(shape: BatchShape) -> usize {
    shape.batch.updates.saturating_mul(shape.row_words)
}

impl Difference {
    /// `delta = q_0 + q_1` for each UPDATE item, w words.
    pub(super) fn deltas(&self, other: &Self) -> Row {
        sum(&self.0, &[&other.0])
    }
}

/// P0 has told P2 its part of the differences: P1's is due.
pub(super) struct DifferenceDue<K> {
    pub(super) made: Made<K>,
    pub(super) own: Difference,
}

impl<C: Compute> State<World<Side0, C>> for DifferenceDue<C::Kept> {
    type Message = Difference;

    fn due(&self, _world: &World<Side0, C>) -> Due<Difference> {
        let shape = self.made.drawn.shape;
        Due { from: Role::P1, round: agreed(shape.batch), shape }
    }

    fn receive(self, theirs: Difference, world: &mut World<Side0, C>) -> Next<World<Side0, C>> {
        let deltas = self.own.deltas(&theirs);
        self.made.put(&deltas, world)
    }
}

/// P2 has its keys: the parts of the differences are due, P0's first.
pub(super) struct HelperDifferenceDue<K> {
    shape: BatchShape,
    masks: HelperMasks,
    /// Of a and b of each item.
    kept: Vec<K>,
    /// P0's, once it has come.
    q_0: Option<Difference>,
}

impl<K> HelperDifferenceDue<K> {
    pub(super) fn new(shape: BatchShape, masks: HelperMasks, kept: Vec<K>) -> Self {
        Self { shape, masks, kept, q_0: None }
    }
}

impl<C: Compute> State<HelperWorld<C>> for HelperDifferenceDue<C::Kept> {
    type Message = Difference;

    fn due(&self, _world: &HelperWorld<C>) -> Due<Difference> {
        let from = if self.q_0.is_none() { Role::P0 } else { Role::P1 };
        Due { from, round: agreed(self.shape.batch), shape: self.shape }
    }

    fn receive(self, theirs: Difference, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let Some(q_0) = self.q_0 else {
            return Next::state(Self { q_0: Some(theirs), ..self });
        };
        put(self.shape, &self.masks, self.kept, &q_0.deltas(&theirs), world)
    }
}

/// Puts P2's items in.
pub(super) fn put<C: Compute>(
    shape: BatchShape,
    masks: &HelperMasks,
    kept: Vec<C::Kept>,
    deltas: &[Word],
    world: &mut HelperWorld<C>,
) -> Next<HelperWorld<C>> {
    for (item, keys) in pairs(kept).enumerate() {
        let read = HelperReadItem { keys, rho: Zeroizing::new(masks.rhos[item].clone()) };
        match item.checked_sub(shape.batch.reads) {
            None => world.items.put_read(read),
            Some(update) => world.items.put_update(HelperUpdateItem {
                read,
                write_mask: Zeroizing::new(masks.write_masks[update].clone()),
                delta: row(deltas, shape.row_words, update),
            }),
        }
    }
    Next::Done
}
