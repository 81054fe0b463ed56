//! What P0 and P1 do differently while they prepare.

use std::mem;

use zeroize::{Zeroize, Zeroizing};

use super::difference::{Difference, DifferenceDue};
use super::keys::HelperKeys;
use super::seeds::{Seeds02, Seeds12};
use super::start::{DealDue, Dealt, Drawn, IndexOffset, OffsetDue};
use super::{BatchShape, DPFS_PER_ITEM, PREPROCESS, pairs};
use crate::Word;
use crate::engine::items::agreed;
use crate::engine::step::{Begun, Next};
use crate::lean::items::{ReadItem, UpdateItem};
use crate::lean::pairs::Pairs;
use crate::lean::primary::World;
use crate::lean::side::{Side, Side0, Side1};
use crate::lean::{Compute, LayeredKey, Row, row, sum};
use crate::wire::Role;

/// How the two primaries are dealt to, and what they make of their keys.
pub(crate) trait Making: Side {
    /// What it has in common with P2.
    type Seeds: Zeroize + Send + 'static;

    /// Draws that.
    fn draw_seeds(pairs: &Pairs, shape: BatchShape, numbers: &[u64]) -> Self::Seeds;

    /// `r_b` for each DPF.
    fn indices(seeds: &Self::Seeds) -> &[Word];

    /// After the index offsets have been sent.
    fn begin<C: Compute>(drawn: Drawn, seeds: Self::Seeds, own: IndexOffset) -> Begun<World<Self, C>>;

    /// With the keys of a and b of each item: sends P2 the one that it is to have, and keeps the others.
    fn complete<C: Compute>(
        drawn: Drawn,
        seeds: Self::Seeds,
        keys: Vec<LayeredKey>,
        world: &mut World<Self, C>,
    ) -> Next<World<Self, C>>;
}

impl Making for Side0 {
    type Seeds = Seeds02;

    fn draw_seeds(pairs: &Pairs, shape: BatchShape, numbers: &[u64]) -> Seeds02 {
        Seeds02::draw(pairs, Role::P2, shape, numbers)
    }

    fn indices(seeds: &Seeds02) -> &[Word] {
        &seeds.indices
    }

    /// All that it is dealt is drawn.
    fn begin<C: Compute>(mut drawn: Drawn, mut seeds: Seeds02, own: IndexOffset) -> Begun<World<Self, C>> {
        drawn.dealt = Dealt {
            triples: mem::take(&mut seeds.triples),
            one_hots: mem::take(&mut seeds.one_hots),
            value_one_hots: mem::take(&mut seeds.value_one_hots),
            value_shares: mem::take(&mut seeds.value_shares),
        };
        let numbers = drawn.numbers.clone();
        Begun::new(PREPROCESS, numbers, OffsetDue::<Self> { drawn, seeds, own })
    }

    /// P2 gets side 0 of a, which P0 has too.
    fn complete<C: Compute>(
        drawn: Drawn,
        seeds: Seeds02,
        keys: Vec<LayeredKey>,
        world: &mut World<Self, C>,
    ) -> Next<World<Self, C>> {
        let shape = drawn.shape;
        let for_helper = keys.iter().step_by(DPFS_PER_ITEM).map(LayeredKey::duplicate_for_helper).collect();
        world.core.send(Role::P2, agreed(shape.batch), &HelperKeys { shape, keys: for_helper });
        let kept = world.compute.keep(&world.core.key, shape.log_size, keys);
        let masks: Vec<&[Word]> = drawn.common.values.iter().flatten().map(Vec::as_slice).collect();
        let values = ValueShares::of(&drawn.dealt.value_shares, &masks);
        let made = Made { drawn, seeds, kept, values };
        if shape.batch.updates == 0 {
            return made.put(&[], world);
        }
        let own = made.values.differences(&made.drawn);
        world.core.send(Role::P2, agreed(shape.batch), &own);
        Next::state(DifferenceDue { made, own })
    }
}

impl Making for Side1 {
    type Seeds = Seeds12;

    fn draw_seeds(pairs: &Pairs, shape: BatchShape, numbers: &[u64]) -> Seeds12 {
        Seeds12::draw(pairs, Role::P2, shape, numbers)
    }

    fn indices(seeds: &Seeds12) -> &[Word] {
        &seeds.indices
    }

    /// It must be dealt the rest.
    fn begin<C: Compute>(drawn: Drawn, seeds: Seeds12, own: IndexOffset) -> Begun<World<Self, C>> {
        Begun::new(PREPROCESS, drawn.numbers.clone(), DealDue { drawn, seeds, own })
    }

    /// P2 gets side 1 of b, and P1 forgets it.
    fn complete<C: Compute>(
        drawn: Drawn,
        seeds: Seeds12,
        keys: Vec<LayeredKey>,
        world: &mut World<Self, C>,
    ) -> Next<World<Self, C>> {
        let World { core, compute, items, .. } = world;
        let shape = drawn.shape;
        let mut own = Vec::with_capacity(shape.batch.items());
        let mut for_helper = Vec::with_capacity(shape.batch.items());
        for [a, b] in pairs(keys) {
            own.push(a);
            for_helper.push(b);
        }
        core.send(Role::P2, agreed(shape.batch), &HelperKeys { shape, keys: for_helper });
        let values = ValueShares::of(&drawn.dealt.value_shares, &vec![&[][..]; shape.update_dpfs()]);
        if shape.batch.updates > 0 {
            let differences = values.differences(&drawn);
            for to in Self::ROLE.peers() {
                core.send(to, agreed(shape.batch), &differences);
            }
        }
        for (item, a) in compute.keep(&core.key, shape.log_size, own).into_iter().enumerate() {
            let random_index = Zeroizing::new(drawn.random_indices[item]);
            let read = ReadItem { keys: [a], random_index, rho: Zeroizing::new(seeds.rhos[item].clone()) };
            match item.checked_sub(shape.batch.reads) {
                None => items.put_read(read),
                Some(update) => items.put_update(UpdateItem {
                    read,
                    update_mask: values.update_mask(update, &drawn),
                    write_mask: values.write_mask(update, &drawn, &seeds.write_masks),
                    delta: (),
                }),
            }
        }
        Next::Done
    }
}

/// `f^a_b` and `f^b_b` for each UPDATE item, w words each.
pub(super) struct ValueShares(Vec<[Row; DPFS_PER_ITEM]>);

impl ValueShares {
    /// Of what was dealt for each DPF and, of P0, G.
    fn of(dealt: &[Vec<Word>], masks: &[&[Word]]) -> Self {
        let share = |(dealt, mask): (&Vec<Word>, &&[Word])| sum(dealt, &[mask]);
        Self(pairs(dealt.iter().zip(masks).map(share).collect()).collect())
    }

    /// `q_b = f^a_b + f^b_b + x'`.
    fn differences(&self, drawn: &Drawn) -> Difference {
        let mut rows = Vec::with_capacity(self.0.len() * drawn.shape.row_words);
        for ([f_a, f_b], x) in self.0.iter().zip(&drawn.common.difference_masks) {
            rows.extend_from_slice(&sum(f_a, &[f_b, x]));
        }
        Difference(rows)
    }

    /// `f^a_b + x`.
    fn update_mask(&self, update: usize, drawn: &Drawn) -> Row {
        sum(&self.0[update][0], &[&drawn.common.update_masks[update]])
    }

    /// `f^a_b + y_01 + y_b2`.
    fn write_mask(&self, update: usize, drawn: &Drawn, with_helper: &[Vec<Word>]) -> Row {
        sum(&self.0[update][0], &[&drawn.common.write_masks[update], &with_helper[update]])
    }
}

/// What P0 has made, and only misses delta of.
pub(super) struct Made<K> {
    pub(super) drawn: Drawn,
    seeds: Seeds02,
    /// Of a and b of each item.
    kept: Vec<K>,
    values: ValueShares,
}

impl<K: Send + 'static> Made<K> {
    /// Puts the items in, with delta for each UPDATE item.
    pub(super) fn put<C: Compute<Kept = K>>(
        self,
        deltas: &[Word],
        world: &mut World<Side0, C>,
    ) -> Next<World<Side0, C>> {
        let Self { drawn, seeds, kept, values } = self;
        for (item, keys) in pairs(kept).enumerate() {
            let random_index = Zeroizing::new(drawn.random_indices[item]);
            let read = ReadItem { keys, random_index, rho: () };
            match item.checked_sub(drawn.shape.batch.reads) {
                None => world.items.put_read(read),
                Some(update) => world.items.put_update(UpdateItem {
                    read,
                    update_mask: values.update_mask(update, &drawn),
                    write_mask: values.write_mask(update, &drawn, &seeds.write_masks),
                    delta: row(deltas, drawn.shape.row_words, update),
                }),
            }
        }
        Next::Done
    }
}

#[cfg(test)]
mod tests {
    use duoram_vectors::json::words as shown;
    use serde_json::{Value, json};

    use super::super::seeds::Seeds01;
    use super::*;
    use crate::engine::Batch;
    use crate::lean::vectors::{check, word};

    #[test]
    fn differences_are_those_of_the_vectors() {
        let compute = |input: &Value| {
            let mut common = Seeds01::default();
            common.difference_masks.push(vec![word(&input["x"])]);
            let drawn = Drawn {
                shape: BatchShape { log_size: 1, row_words: 1, batch: Batch { reads: 0, updates: 1 } },
                numbers: vec![0],
                random_indices: vec![],
                roots: vec![],
                common,
                dealt: Dealt::default(),
            };
            let [q_0, q_1] = [0, 1].map(|b| {
                let of = |dpf: &str| word(&input[format!("value_share_{dpf}_{b}")]);
                ValueShares::of(&[vec![of("a")], vec![of("b")]], &[&[], &[]]).differences(&drawn)
            });
            json!({
                "delta_share_0": shown(&q_0.0),
                "delta_share_1": shown(&q_1.0),
                "delta": shown(&q_0.deltas(&q_1)),
            })
        };
        check("lean_delta", compute, &[("shares_not_masked", &["delta_share_0", "delta_share_1"])]);
    }
}
