//! UPDATE with REFRESHBLINDS, and WRITE, online `[duoram, section 3.1.2; Protocol 2]`.
//!
//! Protocol 2 is misprinted in its header and in lines 5, 7, 8 and 9 (`ERRATA.md`, 8).

use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::core::vector::{add, scale, shift, sub};
use crate::paper::memory::{HelperState, PrimaryState, State};
use crate::paper::read::{Read, UnitVectors, read, reconstruct_shift, shift_share};

/// Additive shares of three vectors that are zero off ri: the value words of the leaves `[duoram, section 4.1.1]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueVectors<W> {
    /// `v_0^(1)`, `v_0^(2)`, `v_0^(3)`
    pub p0: (Vec<W>, Vec<W>, Vec<W>),
    /// `v_1^(1)`, `v_1^(2)`, `v_1^(3)`
    pub p1: (Vec<W>, Vec<W>, Vec<W>),
}

/// Shares of the three deferred final correction words, `F^(1)`, `F^(2)`, `F^(3)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CorrectionShares<W> {
    /// `F_0^(1)`, `F_0^(2)`, `F_0^(3)`
    pub p0: (W, W, W),
    /// `F_1^(1)`, `F_1^(2)`, `F_1^(3)`
    pub p1: (W, W, W),
}

/// One party's fresh shares of `F^(2)` and `F^(3)`: P0 adds what P1 subtracts.
pub fn rerandomized_share<W: Ring>(
    party: Primary,
    share: (W, W, W),
    delta_dpf_2: W,
    delta_dpf_3: W,
) -> (W, W, W) {
    let (f_dpf_1, f_dpf_2, f_dpf_3) = share;
    match party {
        Primary::P0 => (f_dpf_1, f_dpf_2.plus(delta_dpf_2), f_dpf_3.plus(delta_dpf_3)),
        Primary::P1 => (f_dpf_1, f_dpf_2.minus(delta_dpf_2), f_dpf_3.minus(delta_dpf_3)),
    }
}

/// Fresh shares of `F^(2)` and `F^(3)`, by two words that P0 and P1 have in common and P2 does not know.
///
/// Deviation from the paper, without which UPDATE tells M to P2: P2 holds the keys `k_0^(2)` and `k_1^(3)`, so it can compute
/// `F_0^(2) = - sum v_0^(2)` and `F_1^(3) = - sum v_1^(3)`; and line 5 sends it `M_0 + F_0^(2)` and `M_1 + F_1^(3)`.
pub fn rerandomized<W: Ring>(
    shares: &CorrectionShares<W>,
    delta_dpf_2: W,
    delta_dpf_3: W,
) -> CorrectionShares<W> {
    CorrectionShares {
        p0: rerandomized_share(Primary::P0, shares.p0, delta_dpf_2, delta_dpf_3),
        p1: rerandomized_share(Primary::P1, shares.p1, delta_dpf_2, delta_dpf_3),
    }
}

/// What preprocessing leaves for an UPDATE. P2 holds `t_0^(2)`, `v_0^(2)`, `t_1^(3)`, `v_1^(3)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdateMaterial<W> {
    /// t
    pub units: UnitVectors<W>,
    /// v
    pub values: ValueVectors<W>,
    /// Shares of F, rerandomized.
    pub corrections: CorrectionShares<W>,
}

/// A party's message of line 5: to the other primary all of it, to P2 all but what is masked by DPF 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpdateMessage<W> {
    /// `i*_b - ri_b` mod n (printed with a plus: `ERRATA.md`, 8)
    pub shift: u64,
    /// `M_b + F_b^(1)`
    pub masked_dpf_1: W,
    /// `M_b + F_b^(2)`
    pub masked_dpf_2: W,
    /// `M_b + F_b^(3)`
    pub masked_dpf_3: W,
}

/// Line 5.
pub fn message<W: Ring>(shift: u64, m: W, corrections: (W, W, W)) -> UpdateMessage<W> {
    let (f_dpf_1, f_dpf_2, f_dpf_3) = corrections;
    UpdateMessage {
        shift,
        masked_dpf_1: m.plus(f_dpf_1),
        masked_dpf_2: m.plus(f_dpf_2),
        masked_dpf_3: m.plus(f_dpf_3),
    }
}

/// Line 6: `F^(1)`, `F^(2)`, `F^(3)`.
pub fn reconstruct_corrections<W: Ring>(
    message_0: &UpdateMessage<W>,
    message_1: &UpdateMessage<W>,
) -> (W, W, W) {
    (
        message_0.masked_dpf_1.plus(message_1.masked_dpf_1),
        message_0.masked_dpf_2.plus(message_1.masked_dpf_2),
        message_0.masked_dpf_3.plus(message_1.masked_dpf_3),
    )
}

/// What P2 gets of a party's message of line 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HelperMessage<W> {
    /// `i*_b - ri_b` mod n
    pub shift: u64,
    /// `M_b + F_b^(2)`
    pub masked_dpf_2: W,
    /// `M_b + F_b^(3)`
    pub masked_dpf_3: W,
}

/// Line 5, to P2.
pub fn helper_message<W: Ring>(message: &UpdateMessage<W>) -> HelperMessage<W> {
    HelperMessage {
        shift: message.shift,
        masked_dpf_2: message.masked_dpf_2,
        masked_dpf_3: message.masked_dpf_3,
    }
}

/// Line 6, at P2: `F^(2)`, `F^(3)`.
pub fn reconstruct_helper_corrections<W: Ring>(
    message_0: &HelperMessage<W>,
    message_1: &HelperMessage<W>,
) -> (W, W) {
    (message_0.masked_dpf_2.plus(message_1.masked_dpf_2), message_0.masked_dpf_3.plus(message_1.masked_dpf_3))
}

/// Lines 8 and 9, the term `v[i - S] + F t[i - S]`: a share of `M e_i*`.
pub fn update_words<W: Ring>(values: &[W], units: &[W], final_correction: W, s: u64) -> Vec<W> {
    add(&shift(values, s), &scale(final_correction, &shift(units, s)))
}

/// Line 8: P0's new state; `w_k` is the update vector of DPF k.
///
/// The vector that P0 holds blinded is `D~_1` (printed as `D~_0`: `ERRATA.md`, 8).
pub fn updated_p0<W: Ring>(
    p0: &PrimaryState<W>,
    w_dpf_1: &[W],
    w_dpf_2: &[W],
    w_dpf_3: &[W],
) -> PrimaryState<W> {
    PrimaryState {
        memory_share: add(&p0.memory_share, w_dpf_1),
        blind: sub(&p0.blind, w_dpf_2),
        blinded: sub(&add(&p0.blinded, w_dpf_3), w_dpf_1),
    }
}

/// Line 9: P1's new state.
pub fn updated_p1<W: Ring>(
    p1: &PrimaryState<W>,
    w_dpf_1: &[W],
    w_dpf_2: &[W],
    w_dpf_3: &[W],
) -> PrimaryState<W> {
    PrimaryState {
        memory_share: add(&p1.memory_share, w_dpf_1),
        blind: sub(&p1.blind, w_dpf_3),
        blinded: sub(&add(&p1.blinded, w_dpf_2), w_dpf_1),
    }
}

/// Line 10: P2's new blinds, from P0's update vector of DPF 2 and P1's of DPF 3.
pub fn updated_p2<W: Ring>(p2: &HelperState<W>, w_0_dpf_2: &[W], w_1_dpf_3: &[W]) -> HelperState<W> {
    HelperState { blind_0: sub(&p2.blind_0, w_0_dpf_2), blind_1: sub(&p2.blind_1, w_1_dpf_3) }
}

/// Shares of `M e_i*`, three times: the vectors of section 3.1, which a trusted source would deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UpdateVectors<W> {
    /// For P0, of DPF 1, 2, 3; P2 has the second.
    pub p0: (Vec<W>, Vec<W>, Vec<W>),
    /// For P1, of DPF 1, 2, 3; P2 has the third.
    pub p1: (Vec<W>, Vec<W>, Vec<W>),
}

/// Lines 8 to 10, and section 3.1.2: UPDATE and REFRESHBLINDS from the update vectors.
pub fn apply<W: Ring>(state: &State<W>, vectors: &UpdateVectors<W>) -> State<W> {
    let (w_0_dpf_1, w_0_dpf_2, w_0_dpf_3) = &vectors.p0;
    let (w_1_dpf_1, w_1_dpf_2, w_1_dpf_3) = &vectors.p1;
    State {
        p0: updated_p0(&state.p0, w_0_dpf_1, w_0_dpf_2, w_0_dpf_3),
        p1: updated_p1(&state.p1, w_1_dpf_1, w_1_dpf_2, w_1_dpf_3),
        p2: updated_p2(&state.p2, w_0_dpf_2, w_1_dpf_3),
    }
}

/// The messages of an UPDATE and the states after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update<W> {
    /// P0's message
    pub message_0: UpdateMessage<W>,
    /// P1's message
    pub message_1: UpdateMessage<W>,
    /// After line 10.
    pub state: State<W>,
}

/// The update vectors, from material that points at ri, the shift and the reconstructed `F^(k)`.
pub fn update_vectors<W: Ring>(material: &UpdateMaterial<W>, s: u64, f: (W, W, W)) -> UpdateVectors<W> {
    let (f_dpf_1, f_dpf_2, f_dpf_3) = f;
    let (t_0_dpf_1, t_0_dpf_2, t_0_dpf_3) = &material.units.p0;
    let (t_1_dpf_1, t_1_dpf_2, t_1_dpf_3) = &material.units.p1;
    let (v_0_dpf_1, v_0_dpf_2, v_0_dpf_3) = &material.values.p0;
    let (v_1_dpf_1, v_1_dpf_2, v_1_dpf_3) = &material.values.p1;
    UpdateVectors {
        p0: (
            update_words(v_0_dpf_1, t_0_dpf_1, f_dpf_1, s),
            update_words(v_0_dpf_2, t_0_dpf_2, f_dpf_2, s),
            update_words(v_0_dpf_3, t_0_dpf_3, f_dpf_3, s),
        ),
        p1: (
            update_words(v_1_dpf_1, t_1_dpf_1, f_dpf_1, s),
            update_words(v_1_dpf_2, t_1_dpf_2, f_dpf_2, s),
            update_words(v_1_dpf_3, t_1_dpf_3, f_dpf_3, s),
        ),
    }
}

/// UPDATE, lines 5 to 10: adds `M_0 + M_1` at `i*_0 + i*_1`. The size is a power of two.
pub fn update<W: Ring>(
    state: &State<W>,
    material: &UpdateMaterial<W>,
    random_index_shares: (u64, u64),
    address_shares: (u64, u64),
    value_shares: (W, W),
) -> Update<W> {
    let n = state.p0.memory_share.len();
    let (ri_0, ri_1) = random_index_shares;
    let (i_0, i_1) = address_shares;
    let (m_0, m_1) = value_shares;
    let message_0 = message(shift_share(i_0, ri_0, n), m_0, material.corrections.p0);
    let message_1 = message(shift_share(i_1, ri_1, n), m_1, material.corrections.p1);
    let s = reconstruct_shift(message_0.shift, message_1.shift, n);
    let f = reconstruct_corrections(&message_0, &message_1);
    Update { message_0, message_1, state: apply(state, &update_vectors(material, s, f)) }
}

/// What preprocessing leaves for a WRITE: a READ's and an UPDATE's material, with targets of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteMaterial<W> {
    /// For the READ
    pub units: UnitVectors<W>,
    /// ri of the READ
    pub read_random_index_shares: (u64, u64),
    /// For the UPDATE
    pub update: UpdateMaterial<W>,
    /// ri of the UPDATE
    pub update_random_index_shares: (u64, u64),
}

/// WRITE: a READ, then an UPDATE by `M_b - read_b` `[duoram, section 3.1.2]`.
pub fn write<W: Ring>(
    state: &State<W>,
    material: &WriteMaterial<W>,
    address_shares: (u64, u64),
    value_shares: (W, W),
    mask: W,
) -> (Read<W>, Update<W>) {
    let (m_0, m_1) = value_shares;
    let first = read(state, &material.units, material.read_random_index_shares, address_shares, mask);
    let difference = (m_0.minus(first.read_0), m_1.minus(first.read_1));
    let second =
        update(state, &material.update, material.update_random_index_shares, address_shares, difference);
    (first, second)
}
