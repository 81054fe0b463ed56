//! What the three parties hold between operations `[duoram, section 3, Notation; Protocol 1]`.

use crate::core::ring::Ring;
use crate::core::vector::{add, sub, zeros};

/// P_b's state. Each vector has n words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrimaryState<W> {
    /// `D_b`
    pub memory_share: Vec<W>,
    /// `zeta_b`, the blind of `D_b`
    pub blind: Vec<W>,
    /// `D~_(1-b)`, the blinded share of the other primary
    pub blinded: Vec<W>,
}

/// P2's state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HelperState<W> {
    /// `zeta_0`
    pub blind_0: Vec<W>,
    /// `zeta_1`
    pub blind_1: Vec<W>,
}

/// The states of all three parties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State<W> {
    /// P0
    pub p0: PrimaryState<W>,
    /// P1
    pub p1: PrimaryState<W>,
    /// P2
    pub p2: HelperState<W>,
}

/// Initialization: everything zero, no communication `[duoram, section 3]`.
pub fn initial<W: Ring>(n: usize) -> State<W> {
    let empty = PrimaryState { memory_share: zeros(n), blind: zeros(n), blinded: zeros(n) };
    State { p0: empty.clone(), p1: empty, p2: HelperState { blind_0: zeros(n), blind_1: zeros(n) } }
}

/// `D~_b`, what P_b gives the other primary of its share.
pub fn blinded_share<W: Ring>(memory_share: &[W], blind: &[W]) -> Vec<W> {
    add(memory_share, blind)
}

/// Initialization with a memory that is not zero, from its shares and uniform blinds.
///
/// The paper starts from zeros, where blinds may be zero too. With data in the shares they must not be: `D~_b = D_b` would
/// hand one share to the other primary.
pub fn shared<W: Ring>(memory_share_0: &[W], memory_share_1: &[W], blind_0: &[W], blind_1: &[W]) -> State<W> {
    State {
        p0: PrimaryState {
            memory_share: memory_share_0.to_vec(),
            blind: blind_0.to_vec(),
            blinded: blinded_share(memory_share_1, blind_1),
        },
        p1: PrimaryState {
            memory_share: memory_share_1.to_vec(),
            blind: blind_1.to_vec(),
            blinded: blinded_share(memory_share_0, blind_0),
        },
        p2: HelperState { blind_0: blind_0.to_vec(), blind_1: blind_1.to_vec() },
    }
}

/// `D = D_0 + D_1`
pub fn opened<W: Ring>(state: &State<W>) -> Vec<W> {
    add(&state.p0.memory_share, &state.p1.memory_share)
}

/// `D~_b - (D_b + zeta_b)` for b = 0 and b = 1: zeros, as long as the states belong together (Lemma 3).
pub fn blinding_defect<W: Ring>(state: &State<W>) -> (Vec<W>, Vec<W>) {
    (
        sub(&state.p1.blinded, &add(&state.p0.memory_share, &state.p0.blind)),
        sub(&state.p0.blinded, &add(&state.p1.memory_share, &state.p1.blind)),
    )
}
