//! AND and dot product of shared values with a dealer's triples: the Du-Atallah protocols `[duoram, section 2.2.1, App. A]`.
//!
//! Definitions 4 and 5 are misprinted; the triples here are those of App. A (`ERRATA.md`, 1 and 2).

use crate::core::block::Block;
use crate::core::ring::Ring;
use crate::core::vector::{add, dot};

/// One party's AND triple `(X_b, Y_b, Z_b)` (Definition 4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AndTriple {
    /// Masks the first operand.
    pub x: Block,
    /// Masks the second operand.
    pub y: Block,
    /// `Z_0 = (X_0 and Y_1) xor T`, `Z_1 = (X_1 and Y_0) xor T`.
    pub z: Block,
}

/// AND triples from the dealer's five random blocks (App. A, "Using a third party").
pub fn and_triples(x_0: Block, x_1: Block, y_0: Block, y_1: Block, t: Block) -> (AndTriple, AndTriple) {
    (AndTriple { x: x_0, y: y_0, z: (x_0 & y_1) ^ t }, AndTriple { x: x_1, y: y_1, z: (x_1 & y_0) ^ t })
}

/// What a party sends for an AND: `(x_b xor X_b, y_b xor Y_b)`.
pub fn and_message(x: Block, y: Block, triple: &AndTriple) -> (Block, Block) {
    (x ^ triple.x, y ^ triple.y)
}

/// A party's share of `(x_0 xor x_1) and (y_0 xor y_1)`, from the message of the other party.
pub fn and_share(x: Block, y: Block, triple: &AndTriple, received: (Block, Block)) -> Block {
    let (masked_x, masked_y) = received;
    (x & (y ^ masked_y)) ^ (triple.y & masked_x) ^ triple.z
}

/// One party's dot-product triple `(X_b, Y_b, Z_b)` (Definition 5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DotTriple<W> {
    /// Masks the first vector.
    pub x: Vec<W>,
    /// Masks the second vector.
    pub y: Vec<W>,
    /// `Z_0 = <X_0, Y_1> + T`, `Z_1 = <X_1, Y_0> - T`.
    pub z: W,
}

/// Dot-product triples from the dealer's random vectors and word.
pub fn dot_triples<W: Ring>(
    x_0: &[W],
    x_1: &[W],
    y_0: &[W],
    y_1: &[W],
    t: W,
) -> (DotTriple<W>, DotTriple<W>) {
    (
        DotTriple { x: x_0.to_vec(), y: y_0.to_vec(), z: dot(x_0, y_1).plus(t) },
        DotTriple { x: x_1.to_vec(), y: y_1.to_vec(), z: dot(x_1, y_0).minus(t) },
    )
}

/// What a party sends for a dot product: `(x_b + X_b, y_b + Y_b)`.
pub fn dot_message<W: Ring>(x: &[W], y: &[W], triple: &DotTriple<W>) -> (Vec<W>, Vec<W>) {
    (add(x, &triple.x), add(y, &triple.y))
}

/// A party's share of `<x_0 + x_1, y_0 + y_1>`, from the message `(masked_x, masked_y)` of the other party.
pub fn dot_share<W: Ring>(x: &[W], y: &[W], triple: &DotTriple<W>, masked_x: &[W], masked_y: &[W]) -> W {
    dot(x, &add(y, masked_y)).minus(dot(&triple.y, masked_x)).plus(triple.z)
}

/// A dot-product triple of length one: a multiplication triple.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProductTriple<W> {
    /// Masks the first factor.
    pub x: W,
    /// Masks the second factor.
    pub y: W,
    /// `Z_0 = X_0 Y_1 + T`, `Z_1 = X_1 Y_0 - T`.
    pub z: W,
}

/// Multiplication triples from the dealer's five random words.
pub fn product_triples<W: Ring>(
    x_0: W,
    x_1: W,
    y_0: W,
    y_1: W,
    t: W,
) -> (ProductTriple<W>, ProductTriple<W>) {
    (
        ProductTriple { x: x_0, y: y_0, z: x_0.times(y_1).plus(t) },
        ProductTriple { x: x_1, y: y_1, z: x_1.times(y_0).minus(t) },
    )
}

/// A party's share of `(x_0 + x_1) (y_0 + y_1)`, from the other party's `x + X` and `y + Y`.
pub fn product_share<W: Ring>(x: W, y: W, triple: &ProductTriple<W>, masked_x: W, masked_y: W) -> W {
    x.times(y.plus(masked_y)).minus(triple.y.times(masked_x)).plus(triple.z)
}
