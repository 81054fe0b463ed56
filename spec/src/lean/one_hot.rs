//! Shares of a one-hot vector at ri, dealt at a random place and moved: P2 deals at r, P0 and P1 open `e = r xor ri` to each
//! other and move. P2 knows r, so it must not learn e.

use crate::core::block::Block;
use crate::core::ring::Ring;
use crate::core::vector::{add, scale, xor_shift};
use crate::lean::layers::{NODE_WORDS, bit_word, block_bit, one_hot_block};

/// The lowest `bits` bits of x.
pub fn low_bits(x: u64, bits: usize) -> u64 {
    x & 1u64.wrapping_shl(bits as u32).wrapping_sub(1)
}

/// P2 to P1: `u_1 = u_0 xor onehot(r_0 xor r_1)`, where P0 has `u_0` already.
pub fn dealt_one_hot(u_0: Block, r_0: u64, r_1: u64) -> Block {
    u_0 ^ one_hot_block(r_0 ^ r_1)
}

/// P_b to P_(1-b): its share of ri, cut to the flag layer's bits, under `r_b`, which P2 knows and the receiver does not.
pub fn moved_share(random_index: u64, r: u64, bits: usize) -> u64 {
    low_bits(random_index, bits) ^ r
}

/// `o_b[j] = u_b[j xor e]`: this party's share of onehot(ri mod 2^kf).
pub fn moved_block(u: Block, e: u64) -> Block {
    (0..128).fold(0, |sum: Block, j: u64| sum ^ if block_bit(u, j ^ e) { one_hot_block(j) } else { 0 })
}

/// The 128 bits folded to 8: bit c of the result is the XOR of the bits that are c mod 8. A share of onehot(ri mod 8).
pub fn folded(o: Block) -> Vec<bool> {
    (0..8)
        .map(|c: u64| {
            (0..16).fold(false, |sum, i: u64| sum ^ block_bit(o, i.wrapping_mul(8).wrapping_add(c)))
        })
        .collect()
}

/// P2 to P1: `U_1 = R' onehot_8(r mod 8) - U_0`.
pub fn dealt_value<W: Ring>(u_0: &[W], value: W, r: u64) -> Vec<W> {
    (0..NODE_WORDS)
        .zip(u_0.iter())
        .map(|(i, word): (usize, &W)| {
            let point = if i as u64 == r & 7 { value } else { W::zero() };
            point.minus(*word)
        })
        .collect()
}

/// A share of `R onehot_8(ri mod 8)` for `R = R' + G`: the dealt share moved by e, plus G where this party's one-hot bits are.
///
/// P2 knows R' and not G, P0 and P1 know G and not R': nobody knows R, which will mask M. Without G, P2 would read M off `F_a`.
pub fn moved_value<W: Ring>(dealt: &[W], e: u64, g: W, o: Block) -> Vec<W> {
    let bits: Vec<W> = folded(o).iter().map(|bit| bit_word(*bit)).collect();
    add(&xor_shift(dealt, e), &scale(g, &bits))
}
