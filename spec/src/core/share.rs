//! Additive and XOR sharing between two parties `[duoram, section 3, Notation]`.

use crate::core::block::Block;
use crate::core::ring::Ring;
use crate::core::vector::{add, sub};

/// One of the two primary parties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primary {
    /// P0, whose sign is +1.
    P0,
    /// P1, whose sign is -1.
    P1,
}

/// `x` for P0 and `-x` for P1: how XOR shares that agree become additive shares of zero `[duoram, section 4.1.1]`.
pub fn signed<W: Ring>(party: Primary, x: W) -> W {
    match party {
        Primary::P0 => x,
        Primary::P1 => x.negated(),
    }
}

/// [`signed`] for each word of a vector.
pub fn signed_vector<W: Ring>(party: Primary, x: &[W]) -> Vec<W> {
    x.iter().map(|word| signed(party, *word)).collect()
}

/// Additive shares of `x` from one uniform word: `(r, x - r)`.
pub fn additive_shares<W: Ring>(x: W, r: W) -> (W, W) {
    (r, x.minus(r))
}

/// The shared word: `x_0 + x_1`.
pub fn additive_open<W: Ring>(x_0: W, x_1: W) -> W {
    x_0.plus(x_1)
}

/// Additive shares of a vector from as many uniform words.
pub fn additive_vector_shares<W: Ring>(x: &[W], r: &[W]) -> (Vec<W>, Vec<W>) {
    (r.to_vec(), sub(x, r))
}

/// The shared vector: `x_0 + x_1`.
pub fn additive_vector_open<W: Ring>(x_0: &[W], x_1: &[W]) -> Vec<W> {
    add(x_0, x_1)
}

/// XOR shares of a block from one uniform block: `(r, x xor r)`.
pub fn xor_shares(x: Block, r: Block) -> (Block, Block) {
    (r, x ^ r)
}

/// The shared block: `x_0 xor x_1`.
pub fn xor_open(x_0: Block, x_1: Block) -> Block {
    x_0 ^ x_1
}
