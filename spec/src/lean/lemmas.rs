//! The lemmas of the lean protocol as boolean functions: what the tests evaluate and what the proofs show to be true.

use crate::core::lemmas::{same, same_vector};
use crate::core::ring::Ring;
use crate::core::vector::{add, at, every, mod_size, scale, unit_vector};
use crate::lean::memory::{State, opened_alpha, opened_beta};
use crate::lean::read::{Flags, Read, opened_flags};
use crate::lean::update::Material;
use crate::lean::write::Swap;

/// Premise of READ: the flags of both DPFs add up to `e_i`.
pub fn flags_point_at<W: Ring>(flags: &Flags<W>, n: usize, i: u64) -> bool {
    let (opened_a, opened_b) = opened_flags(flags);
    let expected = unit_vector(n, i as usize);
    same_vector(&opened_a, &expected) && same_vector(&opened_b, &expected)
}

/// Premise of UPDATE: the flags point at i, `v^d_0 + v^d_1 = R_d e_i`, the shares `f^a_0`, `f^a_1` are of `R_a`, and
/// `delta = R_a - R_b`.
pub fn material_points_at<W: Ring>(material: &Material<W>, n: usize, i: u64) -> bool {
    let (f_0, f_1) = material.value_shares;
    let r_a = f_0.plus(f_1);
    let r_b = r_a.minus(material.delta);
    let unit = unit_vector(n, i as usize);
    flags_point_at(&material.flags, n, i)
        && same_vector(&add(&material.values.a_0, &material.values.a_1), &scale(r_a, &unit))
        && same_vector(&add(&material.values.b_0, &material.values.b_1), &scale(r_b, &unit))
}

/// The invariant: both sharings are of one memory, and A is the same at P0 and P2.
pub fn states_agree<W: Ring>(state: &State<W>) -> bool {
    same_vector(&state.p0.alpha, &state.p2.alpha) && same_vector(&opened_alpha(state), &opened_beta(state))
}

/// A load opens to the memory that the shares were of, in both sharings.
pub fn load_shares<W: Ring>(state: &State<W>, memory_share_0: &[W], memory_share_1: &[W]) -> bool {
    let memory = add(memory_share_0, memory_share_1);
    states_agree(state) && same_vector(&opened_alpha(state), &memory)
}

/// The address that two XOR shares are of.
pub fn target(address_shares: (u64, u64), n: usize) -> u64 {
    let (i_0, i_1) = address_shares;
    mod_size(i_0 ^ i_1, n)
}

/// The word at the address that two shares are of, mod n. There may be fewer words than addresses: all others are 0.
pub fn word_at<W: Ring>(memory: &[W], n: usize, address_shares: (u64, u64)) -> W {
    at(memory, target(address_shares, n) as usize, W::zero())
}

/// READ: `read_0 + read_1 = D[i*]`.
pub fn read_reconstructs<W: Ring>(
    state: &State<W>,
    n: usize,
    address_shares: (u64, u64),
    outcome: &Read<W>,
) -> bool {
    same(outcome.read_0.plus(outcome.read_1), word_at(&opened_alpha(state), n, address_shares))
}

/// UPDATE: after it, both sharings are of the memory as it was but for M more at i*, if there is such a word, and A is the same at
/// P0 and P2.
pub fn update_adds<W: Ring>(
    before: &State<W>,
    after: &State<W>,
    n: usize,
    address_shares: (u64, u64),
    m: W,
) -> bool {
    let memory = opened_alpha(before);
    let i = target(address_shares, n);
    let point = scale(m, &unit_vector(memory.len(), i as usize));
    states_agree(after) && same_vector(&opened_alpha(after), &add(&memory, &point))
}

/// WRITE: after it, the memory is as it was but for M at i*, if there is such a word.
pub fn write_puts<W: Ring>(
    before: &State<W>,
    after: &State<W>,
    n: usize,
    address_shares: (u64, u64),
    m: W,
) -> bool {
    let (old, new) = (opened_alpha(before), opened_alpha(after));
    let i = target(address_shares, n);
    let holds: Vec<bool> = (0..old.len())
        .map(|j: usize| {
            let expected = if j as u64 == i { m } else { at(&old, j, W::zero()) };
            same(at(&new, j, W::zero()), expected)
        })
        .collect();
    states_agree(after) && old.len() == new.len() && every(&holds)
}

/// SWAP: it puts as WRITE does, and its results are shares of the word that was there.
pub fn swap_puts_and_returns<W: Ring>(
    before: &State<W>,
    n: usize,
    address_shares: (u64, u64),
    m: W,
    outcome: &Swap<W>,
) -> bool {
    write_puts(before, &outcome.state, n, address_shares, m)
        && same(outcome.read_0.plus(outcome.read_1), word_at(&opened_alpha(before), n, address_shares))
}
