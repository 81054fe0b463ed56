//! READ with two parties, over an ideal symmetric PIR `[duoram, section 5]`.
//!
//! Ideal: the answer to a query with index j on a vector is its word j, and nothing else is learnt by either side. What
//! the paper puts in its place (SPIRAL with an OT-based transform) is not specified here.

use crate::core::ring::Ring;
use crate::core::vector::{at, mod_size};

/// What the PIR returns for the index `query` on `database`.
pub fn ideal_symmetric_pir<W: Ring>(database: &[W], query: u64) -> W {
    at(database, query as usize, W::zero())
}

/// Step 2: `D'_b[i] = D_b[i + i*_b + (i*_(1-b) - ri_(1-b))] + r_b`.
pub fn blinded_rotation<W: Ring>(
    memory_share: &[W],
    own_address_share: u64,
    received_shift: u64,
    blind: W,
) -> Vec<W> {
    let n = memory_share.len();
    let offset = own_address_share.wrapping_add(received_shift);
    (0..n)
        .map(|i: usize| {
            at(memory_share, mod_size((i as u64).wrapping_add(offset), n) as usize, W::zero()).plus(blind)
        })
        .collect()
}

/// The 2-party READ. `r_b` blinds P_b's database, `ri_b` is the index of P_b's prepared query.
pub fn read<W: Ring>(
    memory_shares: (&[W], &[W]),
    address_shares: (u64, u64),
    query_indices: (u64, u64),
    blinds: (W, W),
) -> (W, W) {
    let (d_0, d_1) = memory_shares;
    let (i_0, i_1) = address_shares;
    let (ri_0, ri_1) = query_indices;
    let (r_0, r_1) = blinds;
    let n = d_0.len();
    // Step 1
    let shift_0 = mod_size(i_0.wrapping_sub(ri_0), n);
    let shift_1 = mod_size(i_1.wrapping_sub(ri_1), n);
    // Step 2
    let rotated_0 = blinded_rotation(d_0, i_0, shift_1, r_0);
    let rotated_1 = blinded_rotation(d_1, i_1, shift_0, r_1);
    // Step 3: c_b = D_(1-b)[i*] + r_(1-b)
    let c_0 = ideal_symmetric_pir(&rotated_1, mod_size(ri_0, n));
    let c_1 = ideal_symmetric_pir(&rotated_0, mod_size(ri_1, n));
    // Step 4
    (c_0.minus(r_0), c_1.minus(r_1))
}
