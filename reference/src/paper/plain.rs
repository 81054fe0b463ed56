//! The plain computation: the paper's formulas over the paper's own state.
//!
//! Every key is evaluated in full when it is used, and its tree dropped at once: memory stays at a few vectors of n.

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::dpf::Forest;
use super::{
    ChildSums, Compute, Correction, DpfShare, HelperReadQuery, HelperUpdateQuery, LeafSums, ReadQuery,
    UpdateQuery,
};
use crate::engine::saved::exactly;
use crate::engine::{SessionKey, leaves};
use crate::wire::Role;
use crate::{Block, Word};

/// The plain implementation of [`Compute`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// What a primary holds (`[duoram, section 3, Notation]`), n words each. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct PrimaryMemory {
    /// `D_b`.
    pub memory_share: Vec<Word>,
    /// `zeta_b`.
    pub blind: Vec<Word>,
    /// `D~_(1-b) = D_(1-b) + zeta_(1-b)`, of the other primary.
    pub blinded: Vec<Word>,
}

/// What the helper holds, n words each. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct HelperMemory {
    /// `zeta_0`.
    pub blind_0: Vec<Word>,
    /// `zeta_1`.
    pub blind_1: Vec<Word>,
}

/// `t[i] <- t[i - S]`, all at once (`[duoram, Protocol 1, line 7]`; erratum 9). The shift is public.
fn cyclic_shift(vector: &mut [Word], shift: u64) {
    let length = vector.len();
    if let Ok(shift) = usize::try_from(shift) {
        vector.rotate_right(shift % length);
    }
}

/// The shifted additive share of the unit vector: now at `i*`.
fn shifted_unit_vector(key: &SessionKey, owner: Role, dpf: &DpfShare, shift: u64) -> Zeroizing<Vec<Word>> {
    let mut unit_vector = dpf.unit_vector(owner, &dpf.evaluate(key));
    cyclic_shift(&mut unit_vector, shift);
    unit_vector
}

/// `v[i - S] + F t[i - S]`: the share of `M` at `i*` and 0 elsewhere (`[duoram, Protocol 2, lines 8 and 9]`).
fn shifted_point(
    key: &SessionKey,
    owner: Role,
    dpf: &DpfShare,
    final_correction: Word,
    shift: u64,
) -> Zeroizing<Vec<Word>> {
    let labels = dpf.evaluate(key);
    let unit_vector = dpf.unit_vector(owner, &labels);
    let mut point = DpfShare::values(owner, &labels);
    for (value, t) in point.iter_mut().zip(unit_vector.iter()) {
        *value = value.wrapping_add(final_correction.wrapping_mul(*t));
    }
    cyclic_shift(&mut point, shift);
    point
}

fn dot(left: &[Word], right: &[Word]) -> Word {
    left.iter().zip(right).fold(0, |sum: Word, (l, r)| sum.wrapping_add(l.wrapping_mul(*r)))
}

fn add(vector: &mut [Word], change: &[Word]) {
    vector.iter_mut().zip(change).for_each(|(word, c)| *word = word.wrapping_add(*c));
}

fn subtract(vector: &mut [Word], change: &[Word]) {
    vector.iter_mut().zip(change).for_each(|(word, c)| *word = word.wrapping_sub(*c));
}

impl Compute for Plain {
    type PrimaryMemory = PrimaryMemory;
    type HelperMemory = HelperMemory;
    type Forest = Forest;

    fn zero_primary_memory(&self, log_size: u32) -> PrimaryMemory {
        let zero = || vec![0; leaves(log_size)];
        PrimaryMemory { memory_share: zero(), blind: zero(), blinded: zero() }
    }

    fn zero_helper_memory(&self, log_size: u32) -> HelperMemory {
        let zero = || vec![0; leaves(log_size)];
        HelperMemory { blind_0: zero(), blind_1: zero() }
    }

    fn primary_memory(&self, memory_share: Vec<Word>, blind: Vec<Word>, blinded: Vec<Word>) -> PrimaryMemory {
        PrimaryMemory { memory_share, blind, blinded }
    }

    fn helper_memory(&self, blind_0: Vec<Word>, blind_1: Vec<Word>) -> HelperMemory {
        HelperMemory { blind_0, blind_1 }
    }

    fn primary_words<'a>(&self, memory: &'a PrimaryMemory) -> Vec<&'a [Word]> {
        vec![&memory.memory_share, &memory.blind, &memory.blinded]
    }

    fn primary_from_words(&self, vectors: Vec<Vec<Word>>) -> PrimaryMemory {
        let [memory_share, blind, blinded] = exactly(vectors);
        PrimaryMemory { memory_share, blind, blinded }
    }

    fn helper_words<'a>(&self, memory: &'a HelperMemory) -> [&'a [Word]; 2] {
        [&memory.blind_0, &memory.blind_1]
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, log_size: u32) -> Forest {
        Forest::plant(key, roots, log_size)
    }

    fn grow(&self, forest: &mut Forest) -> Vec<ChildSums> {
        forest.grow()
    }

    fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        forest.correct(corrections);
    }

    fn leaf_sums(&self, forest: Forest) -> Vec<LeafSums> {
        forest.labels().map(LeafSums::of).collect()
    }

    fn read(&self, key: &SessionKey, role: Role, memory: &PrimaryMemory, queries: &[ReadQuery]) -> Vec<Word> {
        let answer = |query: &ReadQuery| {
            // [duoram, Protocol 1, line 7]
            let t_read = shifted_unit_vector(key, role, &query.read, query.shift);
            let t_refresh = shifted_unit_vector(key, role, &query.refresh, query.shift);
            // [duoram, Protocol 1, lines 9 and 10], without gamma:
            // <D_b + D~_(1-b), t^(1)> - <zeta_b, t^(refresh) - t^(1)>, the refresh DPF being 3 at P0 and 2 at P1
            let mut sum = Zeroizing::new(memory.memory_share.clone());
            add(&mut sum, &memory.blinded);
            let mut difference = t_refresh;
            subtract(&mut difference, &t_read);
            dot(&sum, &t_read).wrapping_sub(dot(&memory.blind, &difference))
        };
        queries.iter().map(answer).collect()
    }

    fn unblinding(
        &self,
        key: &SessionKey,
        memory: &HelperMemory,
        queries: &[HelperReadQuery],
    ) -> Vec<[Word; 2]> {
        let answer = |query: &HelperReadQuery| {
            // [duoram, Protocol 1, lines 7 and 8]
            let t_dpf_3 = shifted_unit_vector(key, Role::P1, &query.dpf_3, query.shift);
            let t_dpf_2 = shifted_unit_vector(key, Role::P0, &query.dpf_2, query.shift);
            [dot(&memory.blind_0, &t_dpf_3), dot(&memory.blind_1, &t_dpf_2)]
        };
        queries.iter().map(answer).collect()
    }

    fn update(&self, key: &SessionKey, role: Role, memory: &mut PrimaryMemory, queries: &[UpdateQuery]) {
        for query in queries {
            let point =
                |k: usize| shifted_point(key, role, &query.dpfs[k], query.final_corrections[k], query.shift);
            // Whose blind a DPF refreshes: DPF 2 refreshes zeta_0, DPF 3 zeta_1.
            let (own, others) = if role == Role::P0 { (1, 2) } else { (2, 1) };
            // [duoram, Protocol 2, lines 8 and 9]; the blinded share is the other primary's (erratum 8)
            let change = point(0);
            add(&mut memory.memory_share, &change);
            subtract(&mut memory.blind, &point(own));
            add(&mut memory.blinded, &point(others));
            subtract(&mut memory.blinded, &change);
        }
    }

    fn update_blinds(&self, key: &SessionKey, memory: &mut HelperMemory, queries: &[HelperUpdateQuery]) {
        for query in queries {
            // [duoram, Protocol 2, line 10]
            let point_dpf_2 =
                shifted_point(key, Role::P0, &query.dpf_2, query.final_correction_2, query.shift);
            subtract(&mut memory.blind_0, &point_dpf_2);
            let point_dpf_3 =
                shifted_point(key, Role::P1, &query.dpf_3, query.final_correction_3, query.shift);
            subtract(&mut memory.blind_1, &point_dpf_3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn erratum_9_the_shift_is_simultaneous() {
        let mut vector = [10, 11, 12, 13];
        cyclic_shift(&mut vector, 1);
        assert_eq!(vector, [13, 10, 11, 12]);
    }

    #[test]
    fn dot_products_wrap() {
        assert_eq!(dot(&[Word::MAX, 3], &[2, 5]), 13);
    }
}
