//! Lemma 4 as a boolean function: what the tests evaluate and what the proofs show to be true.

use crate::core::lemmas::same;
use crate::core::ring::Ring;
use crate::core::vector::{add, at, mod_size};
use crate::two_party::read::read;

/// Lemma 4: the 2-party READ opens to `D[i*]`.
pub fn lemma_4<W: Ring>(
    memory_shares: (&[W], &[W]),
    address_shares: (u64, u64),
    query_indices: (u64, u64),
    blinds: (W, W),
) -> bool {
    let (d_0, d_1) = memory_shares;
    let (i_0, i_1) = address_shares;
    let (read_0, read_1) = read(memory_shares, address_shares, query_indices, blinds);
    let memory = add(d_0, d_1);
    let target = mod_size(i_0.wrapping_add(i_1), memory.len());
    same(read_0.plus(read_1), at(&memory, target as usize, W::zero()))
}
