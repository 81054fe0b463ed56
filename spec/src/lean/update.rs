//! UPDATE, online: adds M at i*, in both sharings, with one message from each primary to the other two.

use crate::core::ring::Ring;
use crate::core::vector::{add, scale, xor_shift};
use crate::lean::memory::{State, State0, State1, State2};
use crate::lean::read::{Flags, reconstruct_shift, shift_share};

/// The value vectors of an item, each where it is held: `v^d_0 + v^d_1 = R_d e_ri`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Values<W> {
    /// `v^a_0`, at P0 and P2
    pub a_0: Vec<W>,
    /// `v^a_1`, at P1
    pub a_1: Vec<W>,
    /// `v^b_0`, at P0
    pub b_0: Vec<W>,
    /// `v^b_1`, at P2
    pub b_1: Vec<W>,
}

/// What preparing leaves for an UPDATE, a WRITE or a SWAP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Material<W> {
    /// t
    pub flags: Flags<W>,
    /// v
    pub values: Values<W>,
    /// `f^a_0`, `f^a_1`: shares of `R_a`, which nobody knows
    pub value_shares: (W, W),
    /// `delta = R_a - R_b`, known to P0 and P2
    pub delta: W,
}

/// `M_0 - f^a_0 + x`, from P0 to P1 and P2, with x from the stream of P0 and P1: P2 dealt `f^a_1`, and without x it would read
/// `M_1` off P1's message.
pub fn masked_value_0<W: Ring>(m: W, value_share: W, x: W) -> W {
    m.minus(value_share).plus(x)
}

/// `M_1 - f^a_1 - x`, from P1 to P0 and P2.
pub fn masked_value_1<W: Ring>(m: W, value_share: W, x: W) -> W {
    m.minus(value_share).minus(x)
}

/// `F_a = m_0 + m_1 = M - R_a`
pub fn final_correction_a<W: Ring>(masked_0: W, masked_1: W) -> W {
    masked_0.plus(masked_1)
}

/// `F_b = F_a + delta = M - R_b`
pub fn final_correction_b<W: Ring>(final_correction_a: W, delta: W) -> W {
    final_correction_a.plus(delta)
}

/// `W = (v + F t)<S>`: a share of `M e`.
pub fn update_vector<W: Ring>(values: &[W], flags: &[W], final_correction: W, s: u64) -> Vec<W> {
    xor_shift(&add(values, &scale(final_correction, flags)), s)
}

/// P0: `A += W^a_0`, `H += W^b_0`.
pub fn updated_0<W: Ring>(state: &State0<W>, w_a_0: &[W], w_b_0: &[W]) -> State0<W> {
    State0 { alpha: add(&state.alpha, w_a_0), beta: add(&state.beta, w_b_0) }
}

/// P1: `E += W^a_1`.
pub fn updated_1<W: Ring>(state: &State1<W>, w_a_1: &[W]) -> State1<W> {
    State1 { alpha: add(&state.alpha, w_a_1) }
}

/// P2: `A += W^a_0`, `B += W^b_1`.
pub fn updated_2<W: Ring>(state: &State2<W>, w_a_0: &[W], w_b_1: &[W]) -> State2<W> {
    State2 { alpha: add(&state.alpha, w_a_0), beta: add(&state.beta, w_b_1) }
}

/// Both sharings get M more at i*, each by one DPF; `final_correction` is `F_a`.
pub fn apply<W: Ring>(state: &State<W>, material: &Material<W>, s: u64, final_correction: W) -> State<W> {
    let flags = &material.flags;
    let values = &material.values;
    let f_b = final_correction_b(final_correction, material.delta);
    let w_a_0 = update_vector(&values.a_0, &flags.a_0, final_correction, s);
    let w_a_1 = update_vector(&values.a_1, &flags.a_1, final_correction, s);
    let w_b_0 = update_vector(&values.b_0, &flags.b_0, f_b, s);
    let w_b_1 = update_vector(&values.b_1, &flags.b_1, f_b, s);
    State {
        p0: updated_0(&state.p0, &w_a_0, &w_b_0),
        p1: updated_1(&state.p1, &w_a_1),
        p2: updated_2(&state.p2, &w_a_0, &w_b_1),
    }
}

/// An UPDATE: every message, and the states after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Update<W> {
    /// P0 to P1 and P2: `(s_0, m_0)`
    pub message_0: (u64, W),
    /// P1 to P0 and P2: `(s_1, m_1)`
    pub message_1: (u64, W),
    /// Afterwards
    pub state: State<W>,
}

/// UPDATE from material of n words that points at `ri_0 xor ri_1`: adds `M_0 + M_1` at `i*_0 xor i*_1`, if the memory has a word there.
pub fn update<W: Ring>(
    state: &State<W>,
    material: &Material<W>,
    n: usize,
    random_index: (u64, u64),
    address_shares: (u64, u64),
    value: (W, W),
    x: W,
) -> Update<W> {
    let (ri_0, ri_1) = random_index;
    let (i_0, i_1) = address_shares;
    let (m_0, m_1) = value;
    let (f_0, f_1) = material.value_shares;
    let shift_0 = shift_share(i_0, ri_0, n);
    let shift_1 = shift_share(i_1, ri_1, n);
    let masked_0 = masked_value_0(m_0, f_0, x);
    let masked_1 = masked_value_1(m_1, f_1, x);
    let s = reconstruct_shift(shift_0, shift_1);
    let after = apply(state, material, s, final_correction_a(masked_0, masked_1));
    Update { message_0: (shift_0, masked_0), message_1: (shift_1, masked_1), state: after }
}
