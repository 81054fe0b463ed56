//! The helper's part: it deals the triples, and is given one key of DPF 2 and one of DPF 3 for each item.

use super::triples::{Triples, deal};
use super::{DPFS_PER_ITEM, PREPROCESS, READ_ITEMS, TreeShape, agreed};
use crate::engine::Batch;
use crate::engine::endpoint::Due;
use crate::engine::level::check_key;
use crate::engine::step::{Begun, Next, State};
use crate::paper::helper::HelperWorld;
use crate::paper::items::HelperItem;
use crate::paper::{Compute, Correction, DpfShare};
use crate::wire::codec::{Reader, Writer};
use crate::wire::shape::levels;
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// P0 (of DPF 2) and P1 (of DPF 3) to P2: a key for each item.
pub struct HelperKeys(pub Vec<DpfShare>);

impl Message for HelperKeys {
    const KIND: Kind = Kind::agreeing(9, "helper keys", READ_ITEMS).making();
    type Shape = TreeShape;

    fn length(shape: TreeShape) -> Length {
        let corrections = shape.dpfs.saturating_mul(levels(shape.log_size));
        let keys = Length::blocks(shape.dpfs).and(Length::words(shape.dpfs));
        keys.and(Length::blocks(corrections)).and(Length::bits(corrections.saturating_mul(2)))
    }

    fn write(&self, out: &mut Writer) {
        for key in &self.0 {
            out.block(*key.root());
            for correction in key.corrections() {
                out.block(correction.word);
            }
            out.word(key.conversion_factor());
        }
        let mut flags = Vec::with_capacity(self.0.iter().map(|key| 2 * key.corrections().len()).sum());
        for correction in self.0.iter().flat_map(DpfShare::corrections) {
            flags.extend([correction.left_flag, correction.right_flag]);
        }
        out.bits(flags);
    }

    fn read(reader: &mut Reader<'_>, shape: TreeShape) -> Result<Self, Misbehaviour> {
        let levels = levels(shape.log_size);
        let mut key = || {
            let root = reader.block();
            let words = reader.blocks(levels).into_iter();
            let corrections =
                words.map(|word| Correction { word, left_flag: false, right_flag: false }).collect();
            DpfShare::new(root, corrections, reader.word())
        };
        let mut keys: Vec<_> = (0..shape.dpfs).map(|_| key()).collect();
        let bits = reader.bits(2 * levels * shape.dpfs)?;
        let corrections = keys.iter_mut().flat_map(DpfShare::corrections_mut);
        for (correction, flags) in corrections.zip(bits.chunks_exact(2)) {
            correction.left_flag = flags[0];
            correction.right_flag = flags[1];
        }
        for (number, key) in keys.iter().enumerate() {
            check_key(reader, number, *key.root(), key.corrections())?;
        }
        Ok(Self(keys))
    }
}

/// The triples are dealt, and the keys are due, P0's first.
struct KeysDue {
    batch: Batch,
    /// P0's keys of DPF 2, once they have come.
    dpf_2: Option<Vec<DpfShare>>,
}

/// The helper deals the triples.
pub(in crate::paper) fn begin_helper<C: Compute>(
    world: &mut HelperWorld<C>,
    batch: Batch,
) -> Begun<HelperWorld<C>> {
    let log_size = world.core.parameters().log_size();
    let dealt: [Triples; 2] = deal(world.core.stream(), log_size, DPFS_PER_ITEM * batch.items());
    for (to, triples) in Role::P2.peers().into_iter().zip(&dealt) {
        world.core.send(to, agreed(batch), triples);
    }
    Begun::new(PREPROCESS, world.items.coming(batch), KeysDue { batch, dpf_2: None })
}

impl<C: Compute> State<HelperWorld<C>> for KeysDue {
    type Message = HelperKeys;

    fn due(&self, world: &HelperWorld<C>) -> Due<HelperKeys> {
        let from = if self.dpf_2.is_none() { Role::P0 } else { Role::P1 };
        let log_size = world.core.parameters().log_size();
        Due { from, round: agreed(self.batch), shape: TreeShape { log_size, dpfs: self.batch.items() } }
    }

    /// The items, from all keys: READ items first.
    fn receive(self, keys: HelperKeys, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let Some(dpf_2) = self.dpf_2 else {
            return Next::state(Self { dpf_2: Some(keys.0), ..self });
        };
        for (item, (dpf_2, dpf_3)) in dpf_2.into_iter().zip(keys.0).enumerate() {
            let made = HelperItem { dpf_2, dpf_3 };
            if item < self.batch.reads {
                world.items.put_read(made);
            } else {
                world.items.put_update(made);
            }
        }
        Next::Done
    }
}
