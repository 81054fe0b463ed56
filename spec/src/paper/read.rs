//! READ, online `[duoram, section 3.1.1; Protocol 1]`.

use crate::core::ring::Ring;
use crate::core::vector::{add, dot, mod_size, shift, sub};
use crate::paper::memory::State;

/// Additive shares of three unit vectors with one common target ri: what preprocessing leaves for a READ. P2 holds
/// `t_0^(2)` and `t_1^(3)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitVectors<W> {
    /// `t_0^(1)`, `t_0^(2)`, `t_0^(3)`
    pub p0: (Vec<W>, Vec<W>, Vec<W>),
    /// `t_1^(1)`, `t_1^(2)`, `t_1^(3)`
    pub p1: (Vec<W>, Vec<W>, Vec<W>),
}

/// Line 5: P_b's message to both others, `i*_b - ri_b`, reduced mod n before it is sent. Unreduced, with 64-bit shares of
/// the address and small shares of ri, it would narrow down the address (`ERRATA.md`, security points).
pub fn shift_share(address_share: u64, random_index_share: u64, n: usize) -> u64 {
    mod_size(address_share.wrapping_sub(random_index_share), n)
}

/// Line 6: `S`, from both shares.
pub fn reconstruct_shift(share_0: u64, share_1: u64, n: usize) -> u64 {
    mod_size(share_0.wrapping_add(share_1), n)
}

/// Line 7: all vectors moved from target ri to target i*.
pub fn shifted<W: Ring>(units: &UnitVectors<W>, s: u64) -> UnitVectors<W> {
    let (t_0_dpf_1, t_0_dpf_2, t_0_dpf_3) = &units.p0;
    let (t_1_dpf_1, t_1_dpf_2, t_1_dpf_3) = &units.p1;
    UnitVectors {
        p0: (shift(t_0_dpf_1, s), shift(t_0_dpf_2, s), shift(t_0_dpf_3, s)),
        p1: (shift(t_1_dpf_1, s), shift(t_1_dpf_2, s), shift(t_1_dpf_3, s)),
    }
}

/// Line 8: P2's messages `gamma_0 = - <zeta_0, t_read^(3)> + rho` and `gamma_1 = - <zeta_1, t_0^(2)> - rho`.
pub fn unblinding<W: Ring>(
    blind_0: &[W],
    blind_1: &[W],
    t_1_dpf_3: &[W],
    t_0_dpf_2: &[W],
    mask: W,
) -> (W, W) {
    (dot(blind_0, t_1_dpf_3).negated().plus(mask), dot(blind_1, t_0_dpf_2).negated().minus(mask))
}

/// Lines 9 and 10: `read_b = <D_b + D~_(1-b), t_b^(1)> - <zeta_b, t_b^(k) - t_b^(1)> + gamma_b`, where k is 3 for P0 and 2
/// for P1.
pub fn read_share<W: Ring>(
    memory_share: &[W],
    blinded: &[W],
    blind: &[W],
    t_read: &[W],
    t_refresh: &[W],
    gamma: W,
) -> W {
    dot(&add(memory_share, blinded), t_read).minus(dot(blind, &sub(t_refresh, t_read))).plus(gamma)
}

/// The messages and the outcome of a READ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read<W> {
    /// P0 to P1 and P2
    pub shift_0: u64,
    /// P1 to P0 and P2
    pub shift_1: u64,
    /// P2 to P0
    pub gamma_0: W,
    /// P2 to P1
    pub gamma_1: W,
    /// P0's output
    pub read_0: W,
    /// P1's output
    pub read_1: W,
}

/// Lines 8 to 10, from unit vectors that already point at i*.
pub fn answer<W: Ring>(state: &State<W>, at_target: &UnitVectors<W>, mask: W) -> (W, W, W, W) {
    let (t_0_dpf_1, t_0_dpf_2, t_0_dpf_3) = &at_target.p0;
    let (t_1_dpf_1, t_1_dpf_2, t_1_dpf_3) = &at_target.p1;
    let (gamma_0, gamma_1) = unblinding(&state.p2.blind_0, &state.p2.blind_1, t_1_dpf_3, t_0_dpf_2, mask);
    let read_0 =
        read_share(&state.p0.memory_share, &state.p0.blinded, &state.p0.blind, t_0_dpf_1, t_0_dpf_3, gamma_0);
    let read_1 =
        read_share(&state.p1.memory_share, &state.p1.blinded, &state.p1.blind, t_1_dpf_1, t_1_dpf_2, gamma_1);
    (gamma_0, gamma_1, read_0, read_1)
}

/// READ, lines 5 to 10: `random_index_shares` are `ri_0`, `ri_1`, `address_shares` are `i*_0`, `i*_1`, `mask` is rho. The size is
/// a power of two.
pub fn read<W: Ring>(
    state: &State<W>,
    units: &UnitVectors<W>,
    random_index_shares: (u64, u64),
    address_shares: (u64, u64),
    mask: W,
) -> Read<W> {
    let n = state.p0.memory_share.len();
    let (ri_0, ri_1) = random_index_shares;
    let (i_0, i_1) = address_shares;
    let shift_0 = shift_share(i_0, ri_0, n);
    let shift_1 = shift_share(i_1, ri_1, n);
    let at_target = shifted(units, reconstruct_shift(shift_0, shift_1, n));
    let (gamma_0, gamma_1, read_0, read_1) = answer(state, &at_target, mask);
    Read { shift_0, shift_1, gamma_0, gamma_1, read_0, read_1 }
}
