//! What the three parties hold between operations: two sharings of one memory.
//!
//! alpha: `D = A + E`, with A at P0 and at P2 (equal), E at P1. beta: `D = B + H`, with B at P2 and H at P0. Every DPF updates
//! one whole sharing. In the paper's terms `A = D_0`, `E = D_1`, `B = - zeta_1` and `H = D_0 + D_1 + zeta_1`.

use crate::core::ring::Ring;
use crate::core::vector::{add, sub, zeros};

/// P0's state. Each vector has m words, at most n.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State0<W> {
    /// A
    pub alpha: Vec<W>,
    /// H
    pub beta: Vec<W>,
}

/// P1's state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State1<W> {
    /// E
    pub alpha: Vec<W>,
}

/// P2's state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State2<W> {
    /// A, the same as P0's. No single party sees that it is.
    pub alpha: Vec<W>,
    /// B
    pub beta: Vec<W>,
}

/// The states of all three parties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State<W> {
    /// P0
    pub p0: State0<W>,
    /// P1
    pub p1: State1<W>,
    /// P2
    pub p2: State2<W>,
}

/// Without a load everything is zero, and nothing is sent.
pub fn initial<W: Ring>(n: usize) -> State<W> {
    State {
        p0: State0 { alpha: zeros(n), beta: zeros(n) },
        p1: State1 { alpha: zeros(n) },
        p2: State2 { alpha: zeros(n), beta: zeros(n) },
    }
}

/// Load, P0 to P2: `A = D_0 + x`, with x from the stream of P0 and P1. Without x P2 would hold P0's share of the memory.
pub fn loaded_alpha_0<W: Ring>(memory_share_0: &[W], x: &[W]) -> Vec<W> {
    add(memory_share_0, x)
}

/// Load: `E = D_1 - x`, which P1 keeps.
pub fn loaded_alpha_1<W: Ring>(memory_share_1: &[W], x: &[W]) -> Vec<W> {
    sub(memory_share_1, x)
}

/// Load, P1 to P0: `D_1 - B`, with B from the stream of P1 and P2.
pub fn masked_share<W: Ring>(memory_share_1: &[W], beta_2: &[W]) -> Vec<W> {
    sub(memory_share_1, beta_2)
}

/// Load: `H = D_0 + (D_1 - B)`, which P0 keeps.
pub fn loaded_beta_0<W: Ring>(memory_share_0: &[W], received: &[W]) -> Vec<W> {
    add(memory_share_0, received)
}

/// The three states after a load. `x` is from the stream of P0 and P1, `b` from that of P1 and P2.
pub fn shared<W: Ring>(memory_share_0: &[W], memory_share_1: &[W], x: &[W], b: &[W]) -> State<W> {
    let alpha = loaded_alpha_0(memory_share_0, x);
    State {
        p0: State0 {
            alpha: alpha.clone(),
            beta: loaded_beta_0(memory_share_0, &masked_share(memory_share_1, b)),
        },
        p1: State1 { alpha: loaded_alpha_1(memory_share_1, x) },
        p2: State2 { alpha, beta: b.to_vec() },
    }
}

/// `D = A + E`, by the primaries.
pub fn opened_alpha<W: Ring>(state: &State<W>) -> Vec<W> {
    add(&state.p0.alpha, &state.p1.alpha)
}

/// `D = B + H`, by P0 and P2.
pub fn opened_beta<W: Ring>(state: &State<W>) -> Vec<W> {
    add(&state.p2.beta, &state.p0.beta)
}
