//! P2 deals: triples, one-hot vectors, and values that nobody else knows. P0's part of all this comes from the stream that it
//! shares with P2, so that only P1 is sent something.

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::keys::KeysDue;
use super::seeds::{Seeds02, Seeds12, words};
use super::{BatchShape, PREPROCESS};
use crate::engine::items::{READ_ITEMS, agreed};
use crate::engine::level::AndTriple;
use crate::engine::step::Begun;
use crate::engine::tree::mask;
use crate::engine::{Batch, ItemKind, PartyStream};
use crate::lean::helper::HelperWorld;
use crate::lean::one_hot::{move_rows, one_hot};
use crate::lean::{Compute, add};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};
use crate::{Block, Word};

/// P2 to P1. Wiped on drop.
#[derive(Default, Zeroize, ZeroizeOnDrop)]
pub struct Deal {
    /// For each DPF, for each of its levels, `Z_1`.
    pub products: Vec<Vec<Block>>,
    /// For each DPF, `u_1`.
    pub one_hots: Vec<Block>,
    /// For each DPF of UPDATE items, `U_1`: `8 w` words.
    pub value_one_hots: Vec<Vec<Word>>,
    /// For each DPF of UPDATE items, `R'_1`: w words.
    pub value_shares: Vec<Vec<Word>>,
}

impl Message for Deal {
    const KIND: Kind = Kind::agreeing(4, "deal", READ_ITEMS).making();
    type Shape = BatchShape;

    fn length(shape: BatchShape) -> Length {
        let levels = shape.levels_of_items().saturating_mul(2);
        let blocks = Length::blocks(levels).and(Length::blocks(shape.dpfs()));
        let values = shape.node_words().saturating_add(shape.row_words);
        blocks.and(Length::words(shape.update_dpfs().saturating_mul(values)))
    }

    fn write(&self, out: &mut Writer) {
        for products in &self.products {
            out.blocks(products);
        }
        out.blocks(&self.one_hots);
        for (one_hot, share) in self.value_one_hots.iter().zip(&self.value_shares) {
            out.words(one_hot);
            out.words(share);
        }
    }

    fn read(reader: &mut Reader<'_>, shape: BatchShape) -> Result<Self, Misbehaviour> {
        let mut deal = Self {
            products: Vec::with_capacity(shape.dpfs()),
            one_hots: Vec::new(),
            value_one_hots: Vec::with_capacity(shape.update_dpfs()),
            value_shares: Vec::with_capacity(shape.update_dpfs()),
        };
        for (kind, dpfs) in [(ItemKind::Read, shape.read_dpfs()), (ItemKind::Update, shape.update_dpfs())] {
            deal.products.extend((0..dpfs).map(|_| reader.blocks(shape.levels(kind))));
        }
        deal.one_hots = reader.blocks(shape.dpfs());
        for _ in 0..shape.update_dpfs() {
            deal.value_one_hots.push(reader.words(shape.node_words()));
            deal.value_shares.push(reader.words(shape.row_words));
        }
        Ok(deal)
    }
}

/// `Z_1 = Z_0 + X_0 Y_1 + X_1 Y_0`.
fn product(own: &AndTriple, other: &AndTriple) -> Block {
    own.z ^ mask(own.x) & other.y ^ mask(other.x) & own.y
}

/// What P1 is dealt. P2 draws `R'_1` of its own: `R' = R'_0 + R'_1`, which it knows, is a part of `R_d`, which nobody knows.
fn deal(stream: &mut PartyStream, shape: BatchShape, with_0: &Seeds02, with_1: &Seeds12) -> Deal {
    let products = |(own, others): (&Vec<AndTriple>, &Vec<AndTriple>)| {
        own.iter().zip(others).map(|(own, other)| product(own, other)).collect()
    };
    let mut deal = Deal {
        products: with_0.triples.iter().zip(&with_1.triples).map(products).collect(),
        one_hots: Vec::with_capacity(shape.dpfs()),
        value_one_hots: Vec::with_capacity(shape.update_dpfs()),
        value_shares: (0..shape.update_dpfs()).map(|_| words(stream, shape.row_words)).collect(),
    };
    for (u_0, (r_0, r_1)) in with_0.one_hots.iter().zip(with_0.indices.iter().zip(&with_1.indices)) {
        deal.one_hots.push(u_0 ^ one_hot(r_0 ^ r_1));
    }
    let indices = with_0.indices.iter().zip(&with_1.indices).skip(shape.read_dpfs());
    let values = with_0.value_shares.iter().zip(&deal.value_shares);
    for ((u_0, (r_0, r_1)), (value_0, value_1)) in with_0.value_one_hots.iter().zip(indices).zip(values) {
        let mut dealt = vec![0; shape.node_words()];
        add(&mut dealt, value_0);
        add(&mut dealt, value_1);
        move_rows(&mut dealt, r_0 ^ r_1);
        add(&mut dealt, u_0);
        deal.value_one_hots.push(dealt);
    }
    deal
}

/// The helper deals, and awaits its keys.
pub(in crate::lean) fn begin_helper<C: Compute>(
    world: &mut HelperWorld<C>,
    batch: Batch,
) -> Begun<HelperWorld<C>> {
    let shape = BatchShape::of(world.core.parameters(), batch);
    let numbers = world.items.coming(batch);
    let with_0 = Seeds02::draw(&world.pairs, Role::P0, shape, &numbers);
    let with_1 = Seeds12::draw(&world.pairs, Role::P1, shape, &numbers);
    let dealt = deal(world.core.stream(), shape, &with_0, &with_1);
    world.core.send(Role::P1, agreed(batch), &dealt);
    Begun::new(PREPROCESS, numbers, KeysDue::new(shape, &with_0, &with_1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn products_of_triples_are_right(x: [bool; 2], y: [u128; 2], z_0: u128) {
            let own = AndTriple { x: x[0], y: y[0], z: z_0 };
            let z_1 = product(&own, &AndTriple { x: x[1], y: y[1], z: 0 });
            let expected = if x[0] { y[1] } else { 0 } ^ if x[1] { y[0] } else { 0 };
            prop_assert_eq!(z_0 ^ z_1, expected);
        }
    }
}
