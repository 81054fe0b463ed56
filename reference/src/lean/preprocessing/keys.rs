//! P2 gets a key of each DPF: side 0 of a from P0, side 1 of b from P1.

use std::mem;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::BatchShape;
use super::difference::{HelperDifferenceDue, put};
use super::seeds::{Seeds02, Seeds12};
use crate::Word;
use crate::engine::ItemKind;
use crate::engine::endpoint::Due;
use crate::engine::items::{READ_ITEMS, agreed};
use crate::engine::level::check_key;
use crate::engine::step::{Next, State};
use crate::engine::tree::Correction;
use crate::lean::helper::HelperWorld;
use crate::lean::{Compute, LayeredKey, sum};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// P0 (of a) and P1 (of b) to P2: a key for each item.
pub struct HelperKeys {
    /// Of which batch.
    pub shape: BatchShape,
    /// One an item.
    pub keys: Vec<LayeredKey>,
}

impl Message for HelperKeys {
    const KIND: Kind = Kind::agreeing(10, "helper keys", READ_ITEMS).making();
    type Shape = BatchShape;

    fn length(shape: BatchShape) -> Length {
        let levels = shape.levels_of_items();
        let blocks = Length::blocks(shape.batch.items().saturating_mul(2)).and(Length::blocks(levels));
        let values = Length::words(shape.batch.updates.saturating_mul(shape.node_words()));
        blocks.and(values).and(Length::bits(levels.saturating_mul(2)))
    }

    fn write(&self, out: &mut Writer) {
        for key in &self.keys {
            out.block(*key.root());
            for correction in key.corrections() {
                out.block(correction.word);
            }
            out.block(key.flag_correction());
            if let Some(words) = key.value_correction() {
                out.words(words);
            }
        }
        let mut flags = Vec::with_capacity(2 * self.shape.levels_of_items());
        for correction in self.keys.iter().flat_map(LayeredKey::corrections) {
            flags.extend([correction.left_flag, correction.right_flag]);
        }
        out.bits(flags);
    }

    fn read(reader: &mut Reader<'_>, shape: BatchShape) -> Result<Self, Misbehaviour> {
        let mut key = |item| {
            let kind = shape.kind(item);
            let root = reader.block();
            let words = reader.blocks(shape.levels(kind)).into_iter();
            let corrections =
                words.map(|word| Correction { word, left_flag: false, right_flag: false }).collect();
            let flag_correction = reader.block();
            let value_correction = match kind {
                ItemKind::Read => Vec::new(),
                ItemKind::Update => reader.words(shape.node_words()),
            };
            LayeredKey::new(root, corrections, flag_correction, value_correction)
        };
        let mut keys: Vec<_> = (0..shape.batch.items()).map(&mut key).collect();
        let bits = reader.bits(2 * shape.levels_of_items())?;
        let corrections = keys.iter_mut().flat_map(LayeredKey::corrections_mut);
        for (correction, flags) in corrections.zip(bits.chunks_exact(2)) {
            correction.left_flag = flags[0];
            correction.right_flag = flags[1];
        }
        for (number, key) in keys.iter().enumerate() {
            check_key(reader, number, *key.root(), key.corrections())?;
        }
        Ok(Self { shape, keys })
    }
}

/// What P2 has drawn for the online steps of a batch.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct HelperMasks {
    /// rho for each item, w words.
    pub(super) rhos: Vec<Vec<Word>>,
    /// `y_02 + y_12` for each UPDATE item, w words.
    pub(super) write_masks: Vec<Vec<Word>>,
}

/// The helper has dealt, and the keys are due, P0's first.
pub(super) struct KeysDue {
    shape: BatchShape,
    masks: HelperMasks,
    /// P0's keys of a, once they have come.
    of_a: Option<Vec<LayeredKey>>,
}

impl KeysDue {
    pub(super) fn new(shape: BatchShape, with_0: &Seeds02, with_1: &Seeds12) -> Self {
        let both = with_0.write_masks.iter().zip(&with_1.write_masks);
        let write_masks = both.map(|(y_02, y_12)| mem::take(&mut *sum(y_02, &[y_12]))).collect();
        Self { shape, masks: HelperMasks { rhos: with_1.rhos.clone(), write_masks }, of_a: None }
    }
}

impl<C: Compute> State<HelperWorld<C>> for KeysDue {
    type Message = HelperKeys;

    fn due(&self, _world: &HelperWorld<C>) -> Due<HelperKeys> {
        let from = if self.of_a.is_none() { Role::P0 } else { Role::P1 };
        Due { from, round: agreed(self.shape.batch), shape: self.shape }
    }

    fn receive(self, keys: HelperKeys, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let Some(of_a) = self.of_a else {
            return Next::state(Self { of_a: Some(keys.keys), ..self });
        };
        let HelperWorld { core, compute, .. } = world;
        let both = of_a.into_iter().zip(keys.keys).flat_map(|(a, b)| [a, b]).collect();
        let kept = compute.keep(&core.key, self.shape.log_size, both);
        if self.shape.batch.updates == 0 {
            return put(self.shape, &self.masks, kept, &[], world);
        }
        Next::state(HelperDifferenceDue::new(self.shape, self.masks, kept))
    }
}
