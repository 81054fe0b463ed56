//! The compressed state: what a primary keeps if it wants READ and UPDATE to touch two vectors instead of three.
//!
//! Not in the paper. Of its three vectors P_b uses only two combinations: `C = D_b + D~_(1-b) + zeta_b` and zeta_b. As long
//! as Lemma 3 holds, C is `D + zeta_0 + zeta_1`, so both primaries have the same C. Every share and every message is the
//! same as with the paper's state ([`crate::paper::lemmas::refines_read`], [`crate::paper::lemmas::refines_update`]), and UPDATE needs no
//! vector of DPF 1.

use crate::core::ring::Ring;
use crate::core::vector::{add, dot, sub};
use crate::paper::memory::{HelperState, PrimaryState};

/// P_b's compressed state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompressedState<W> {
    /// `C = D_b + D~_(1-b) + zeta_b`
    pub combined: Vec<W>,
    /// `zeta_b`
    pub blind: Vec<W>,
}

/// The abstraction from the paper's state.
pub fn compress<W: Ring>(state: &PrimaryState<W>) -> CompressedState<W> {
    CompressedState {
        combined: add(&add(&state.memory_share, &state.blinded), &state.blind),
        blind: state.blind.clone(),
    }
}

/// Protocol 1, lines 9 and 10: `read_b = <C, t_b^(1)> - <zeta_b, t_b^(k)> + gamma_b`, where k is 3 for P0 and 2 for P1.
pub fn read_share<W: Ring>(state: &CompressedState<W>, t_read: &[W], t_refresh: &[W], gamma: W) -> W {
    dot(&state.combined, t_read).minus(dot(&state.blind, t_refresh)).plus(gamma)
}

/// Protocol 2, line 8: `C' = C + w^(3) - w^(2)`, `zeta_0' = zeta_0 - w^(2)`.
pub fn updated_p0<W: Ring>(state: &CompressedState<W>, w_dpf_2: &[W], w_dpf_3: &[W]) -> CompressedState<W> {
    CompressedState {
        combined: sub(&add(&state.combined, w_dpf_3), w_dpf_2),
        blind: sub(&state.blind, w_dpf_2),
    }
}

/// Protocol 2, line 9: `C' = C + w^(2) - w^(3)`, `zeta_1' = zeta_1 - w^(3)`.
pub fn updated_p1<W: Ring>(state: &CompressedState<W>, w_dpf_2: &[W], w_dpf_3: &[W]) -> CompressedState<W> {
    CompressedState {
        combined: sub(&add(&state.combined, w_dpf_2), w_dpf_3),
        blind: sub(&state.blind, w_dpf_3),
    }
}

/// `D = C - zeta_0 - zeta_1`
pub fn opened<W: Ring>(p0: &CompressedState<W>, p2: &HelperState<W>) -> Vec<W> {
    sub(&sub(&p0.combined, &p2.blind_0), &p2.blind_1)
}
