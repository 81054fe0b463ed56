//! What P2 deals for one DPF, and what each primary then has: triples, shares of a one-hot vector, shares of a value there.
//!
//! P0 takes its part from the stream that it has with P2, and P1 what is random of its part from its own; P2 sends P1 the rest.

use crate::core::block::Block;
use crate::core::du_atallah::AndTriple;
use crate::core::ring::Ring;
use crate::lean::layers::Purpose;
use crate::lean::one_hot::{dealt_one_hot, dealt_value};
use crate::lean::tape::{Seed0, Seed1, TripleSeed};

/// P2 to P1, for one DPF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deal<W> {
    /// `Z_1` of each level
    pub z: Vec<Block>,
    /// `u_1`
    pub one_hot: Block,
    /// `U_1`: 8 words in UPDATE items, else empty
    pub value_one_hot: Vec<W>,
    /// `R'_1`, in UPDATE items
    pub value_share: W,
}

/// `Z_1 = Z_0 xor (X_0 and Y_1) xor (X_1 and Y_0)`
pub fn dealt_z(seed_0: &TripleSeed, seed_1: &TripleSeed) -> Block {
    seed_0.z ^ (seed_0.x & seed_1.y) ^ (seed_1.x & seed_0.y)
}

/// What P2 deals: `R' = R'_0 + R'_1` is random, of which P2 draws `R'_1` itself.
pub fn deal<W: Ring>(seed_0: &Seed0<W>, seed_1: &Seed1, purpose: Purpose, value_share_1: W) -> Deal<W> {
    let z: Vec<Block> =
        seed_0.triples.iter().zip(seed_1.triples.iter()).map(|(t_0, t_1)| dealt_z(t_0, t_1)).collect();
    let one_hot = dealt_one_hot(seed_0.one_hot, seed_0.mask, seed_1.mask);
    match purpose {
        Purpose::Read => Deal { z, one_hot, value_one_hot: vec![], value_share: W::zero() },
        Purpose::Update => Deal {
            z,
            one_hot,
            value_one_hot: dealt_value(
                &seed_0.value_one_hot,
                seed_0.value_share.plus(value_share_1),
                seed_0.mask ^ seed_1.mask,
            ),
            value_share: value_share_1,
        },
    }
}

/// A primary's part of what was dealt for one DPF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dealt<W> {
    /// An AND triple a level.
    pub triples: Vec<AndTriple>,
    /// `u_b`
    pub one_hot: Block,
    /// `U_b`, empty in READ items
    pub value_one_hot: Vec<W>,
    /// `R'_b`
    pub value_share: W,
}

/// P0's part, all of it from its stream with P2.
pub fn dealt_0<W: Ring>(seed: &Seed0<W>) -> Dealt<W> {
    Dealt {
        triples: seed.triples.iter().map(|t| AndTriple { x: t.x, y: t.y, z: t.z }).collect(),
        one_hot: seed.one_hot,
        value_one_hot: seed.value_one_hot.clone(),
        value_share: seed.value_share,
    }
}

/// P1's part, from its stream with P2 and what P2 sent.
pub fn dealt_1<W: Ring>(seed: &Seed1, received: &Deal<W>) -> Dealt<W> {
    Dealt {
        triples: seed
            .triples
            .iter()
            .zip(received.z.iter())
            .map(|(t, z)| AndTriple { x: t.x, y: t.y, z: *z })
            .collect(),
        one_hot: received.one_hot,
        value_one_hot: received.value_one_hot.clone(),
        value_share: received.value_share,
    }
}
