//! The paper's lemmas as boolean functions: what the tests evaluate and what the proofs show to be true.

use crate::core::block::Block;
use crate::core::lemmas::{same, same_vector, sums_to_zero};
use crate::core::ring::Ring;
use crate::core::vector::{add, at, every, mod_size, unit_vector, zeros};
use crate::paper::compressed::{self, CompressedState, compress};
use crate::paper::conversion::{Conversion, opened_unit_vector};
use crate::paper::memory::{HelperState, State, blinding_defect, opened};
use crate::paper::read::{Read, UnitVectors, answer};
use crate::paper::update::{UpdateMaterial, UpdateVectors, apply};

/// Premise of Lemma 1: the shares `t_0^(k)`, `t_1^(k)` add up to `e_i`, for k = 1, 2, 3.
pub fn units_point_at<W: Ring>(units: &UnitVectors<W>, n: usize, i: u64) -> bool {
    let (t_0_dpf_1, t_0_dpf_2, t_0_dpf_3) = &units.p0;
    let (t_1_dpf_1, t_1_dpf_2, t_1_dpf_3) = &units.p1;
    let expected = unit_vector(n, i as usize);
    same_vector(&add(t_0_dpf_1, t_1_dpf_1), &expected)
        && same_vector(&add(t_0_dpf_2, t_1_dpf_2), &expected)
        && same_vector(&add(t_0_dpf_3, t_1_dpf_3), &expected)
}

/// Lemma 1: `read_0 + read_1 = D[i*]`.
pub fn lemma_1<W: Ring>(state: &State<W>, address_shares: (u64, u64), outcome: &Read<W>) -> bool {
    let (i_0, i_1) = address_shares;
    let memory = opened(state);
    let target = mod_size(i_0.wrapping_add(i_1), memory.len());
    same(outcome.read_0.plus(outcome.read_1), at(&memory, target as usize, W::zero()))
}

/// Premise of Lemmas 2 and 3: the update vectors of DPF 1, 2, 3 are shares of one `M e_i*`.
pub fn vectors_agree<W: Ring>(vectors: &UpdateVectors<W>, point_function: &[W]) -> bool {
    let (w_0_dpf_1, w_0_dpf_2, w_0_dpf_3) = &vectors.p0;
    let (w_1_dpf_1, w_1_dpf_2, w_1_dpf_3) = &vectors.p1;
    same_vector(&add(w_0_dpf_1, w_1_dpf_1), point_function)
        && same_vector(&add(w_0_dpf_2, w_1_dpf_2), point_function)
        && same_vector(&add(w_0_dpf_3, w_1_dpf_3), point_function)
}

/// Lemma 2: after an UPDATE the memory is as before, but for `M` added at `i*`.
pub fn lemma_2<W: Ring>(before: &[W], after: &[W], target: u64, m: W) -> bool {
    let holds: Vec<bool> = (0..before.len())
        .map(|i: usize| {
            let added = if i as u64 == target { m } else { W::zero() };
            same(at(after, i, W::zero()), at(before, i, W::zero()).plus(added))
        })
        .collect();
    before.len() == after.len() && every(&holds)
}

/// Lemma 3: `D'_b + zeta'_b = D~'_b` for b = 0 and 1, and P2 has the same blinds as the primaries.
pub fn lemma_3<W: Ring>(state: &State<W>) -> bool {
    let (defect_0, defect_1) = blinding_defect(state);
    same_vector(&defect_0, &zeros(state.p0.memory_share.len()))
        && same_vector(&defect_1, &zeros(state.p0.memory_share.len()))
        && same_vector(&state.p2.blind_0, &state.p0.blind)
        && same_vector(&state.p2.blind_1, &state.p1.blind)
}

/// Lemma 5: `t_0 + t_1 = e_ri`.
pub fn lemma_5<W: Ring>(
    labels_0: &[Block],
    labels_1: &[Block],
    outcome: &Conversion<W>,
    target: u64,
) -> bool {
    let units = opened_unit_vector(labels_0, labels_1, outcome.opened_sign, outcome.opened_correction);
    same_vector(&units, &unit_vector(labels_0.len(), target as usize))
}

/// The shares of F in an UPDATE's material fit its value vectors: `v_0 + v_1 + F e_ri = 0` for k = 1, 2, 3
/// `[duoram, section 4.1.1; figure 6]`.
pub fn corrections_fit<W: Ring>(material: &UpdateMaterial<W>, target: u64) -> bool {
    let (f_0_dpf_1, f_0_dpf_2, f_0_dpf_3) = material.corrections.p0;
    let (f_1_dpf_1, f_1_dpf_2, f_1_dpf_3) = material.corrections.p1;
    let (v_0_dpf_1, v_0_dpf_2, v_0_dpf_3) = &material.values.p0;
    let (v_1_dpf_1, v_1_dpf_2, v_1_dpf_3) = &material.values.p1;
    sums_to_zero(v_0_dpf_1, v_1_dpf_1, f_0_dpf_1.plus(f_1_dpf_1), target)
        && sums_to_zero(v_0_dpf_2, v_1_dpf_2, f_0_dpf_2.plus(f_1_dpf_2), target)
        && sums_to_zero(v_0_dpf_3, v_1_dpf_3, f_0_dpf_3.plus(f_1_dpf_3), target)
}

/// `a = b`, as compressed states.
pub fn same_compressed<W: Ring>(a: &CompressedState<W>, b: &CompressedState<W>) -> bool {
    same_vector(&a.combined, &b.combined) && same_vector(&a.blind, &b.blind)
}

/// Lemma 3 for compressed states: both primaries have one C, and P2 has the same blinds as the primaries.
pub fn lemma_3_compressed<W: Ring>(
    p0: &CompressedState<W>,
    p1: &CompressedState<W>,
    p2: &HelperState<W>,
) -> bool {
    same_vector(&p0.combined, &p1.combined)
        && same_vector(&p2.blind_0, &p0.blind)
        && same_vector(&p2.blind_1, &p1.blind)
}

/// READ on the compressed states yields the shares that READ on the paper's states yields; `at_target` points at i*.
pub fn refines_read<W: Ring>(state: &State<W>, at_target: &UnitVectors<W>, mask: W) -> bool {
    let (gamma_0, gamma_1, read_0, read_1) = answer(state, at_target, mask);
    let (t_0_dpf_1, _, t_0_dpf_3) = &at_target.p0;
    let (t_1_dpf_1, t_1_dpf_2, _) = &at_target.p1;
    same(compressed::read_share(&compress(&state.p0), t_0_dpf_1, t_0_dpf_3, gamma_0), read_0)
        && same(compressed::read_share(&compress(&state.p1), t_1_dpf_1, t_1_dpf_2, gamma_1), read_1)
}

/// UPDATE on the compressed states, without DPF 1, leads to the compression of what UPDATE on the paper's states leads to.
pub fn refines_update<W: Ring>(state: &State<W>, vectors: &UpdateVectors<W>) -> bool {
    let after = apply(state, vectors);
    let (_, w_0_dpf_2, w_0_dpf_3) = &vectors.p0;
    let (_, w_1_dpf_2, w_1_dpf_3) = &vectors.p1;
    same_compressed(&compressed::updated_p0(&compress(&state.p0), w_0_dpf_2, w_0_dpf_3), &compress(&after.p0))
        && same_compressed(
            &compressed::updated_p1(&compress(&state.p1), w_1_dpf_2, w_1_dpf_3),
            &compress(&after.p1),
        )
}
