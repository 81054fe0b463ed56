//! App. D: from XOR shares of unit vectors to additive ones, and what follows from the leaves.

use std::mem;
use std::ops::Range;

use zeroize::Zeroizing;

use super::DPFS_PER_ITEM;
use super::items::{ReadItem, Store, UpdateItem};
use super::primary::Drawn;
use crate::dpf::{Correction, DpfShare, LeafSums};
use crate::message::{ConversionOperand, ConversionOperands, ProductTriple, Shape};
use crate::{Parameters, Role, Word};

/// A primary's store.
pub(crate) type PrimaryStore = Store<ReadItem, UpdateItem>;

/// The trees are complete, the operands of App. D are sent, and the other primary's are due.
pub(crate) struct Conversion {
    pub(super) drawn: Drawn,
    pub(super) products: Zeroizing<Vec<ProductTriple>>,
    pub(super) sums: Zeroizing<Vec<LeafSums>>,
    pub(super) corrections: Vec<Vec<Correction>>,
}

/// `pm_b`, the sum of the signed flags (`[duoram, appendix D, step 2]`).
fn sign_share(role: Role, sums: &LeafSums) -> Word {
    role.sign().wrapping_mul(sums.flag_count)
}

/// `F_b` for App. D, from the conversion words alone: a word that is opened elsewhere too would give away pm.
fn conversion_correction(role: Role, sums: &LeafSums) -> Word {
    role.sign().wrapping_mul(sums.conversion_sum).wrapping_neg()
}

impl Conversion {
    /// The numbers of the items in the making.
    pub(crate) fn numbers(&self) -> Range<u64> {
        self.drawn.numbers.clone()
    }

    /// The other primary's operands. Only P0 draws deltas, so only P0's message has them.
    pub(crate) fn shape(&self, from: Role) -> Shape {
        let deltas = if from == Role::P0 { self.drawn.batch.updates } else { 0 };
        Shape::ConversionOperands { dpfs: self.drawn.dpfs(), deltas }
    }

    /// `pm_b + r_b` (`[duoram, appendix D, step 3]`), and the operands of `F pm` (step 5).
    pub(crate) fn operands(&self, role: Role) -> ConversionOperands {
        let operand = |dpf: usize| {
            let (sums, triple) = (&self.sums[dpf], &self.products[dpf]);
            let sign = sign_share(role, sums);
            ConversionOperand {
                sign: sign.wrapping_add(self.drawn.blinds[dpf]),
                x: conversion_correction(role, sums).wrapping_add(triple.x),
                y: sign.wrapping_add(triple.y),
            }
        };
        ConversionOperands {
            dpfs: (0..self.drawn.dpfs()).map(operand).collect(),
            deltas: self.drawn.deltas.clone(),
        }
    }

    /// The blinded product `F'_b` (`[duoram, section 2.2.1]` and appendix D, steps 5 and 6).
    pub(crate) fn multiply(mut self, role: Role, mut theirs: ConversionOperands) -> Scaling {
        let mut blinded_signs = Vec::with_capacity(self.drawn.dpfs());
        let mut shares = Vec::with_capacity(self.drawn.dpfs());
        for (dpf, theirs) in theirs.dpfs.iter().enumerate() {
            let (sums, triple, blind) = (&self.sums[dpf], &self.products[dpf], self.drawn.blinds[dpf]);
            let (sign, correction) = (sign_share(role, sums), conversion_correction(role, sums));
            let product = correction
                .wrapping_mul(sign.wrapping_add(theirs.y))
                .wrapping_sub(triple.y.wrapping_mul(theirs.x))
                .wrapping_add(triple.z);
            blinded_signs.push(sign.wrapping_add(blind).wrapping_add(theirs.sign));
            shares.push(product.wrapping_add(blind));
        }
        let deltas = match role {
            Role::P0 => mem::take(&mut self.drawn.deltas),
            _ => mem::take(&mut theirs.deltas),
        };
        Scaling { conversion: self, blinded_signs, shares, deltas: Zeroizing::new(deltas) }
    }
}

/// `F'_b` is sent, and the other primary's is due.
pub(crate) struct Scaling {
    conversion: Conversion,
    /// `(pm_0 + r_0) + (pm_1 + r_1)` for each DPF.
    blinded_signs: Vec<Word>,
    /// `F'_b` for each DPF.
    shares: Vec<Word>,
    /// Of P0, known to both primaries, for each UPDATE item.
    deltas: Zeroizing<Vec<[Word; 2]>>,
}

impl Scaling {
    /// The numbers of the items in the making.
    pub(crate) fn numbers(&self) -> Range<u64> {
        self.conversion.numbers()
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape::ConversionOpening { dpfs: self.shares.len() }
    }

    /// The own shares of F'.
    pub(crate) fn shares(&self) -> Vec<Word> {
        self.shares.clone()
    }

    /// The items, and the keys of DPF 2 (from P0) or 3 (from P1) for the helper.
    pub(crate) fn finish(
        mut self,
        role: Role,
        theirs: &[Word],
        parameters: &Parameters,
    ) -> (PrimaryStore, Vec<DpfShare>) {
        let batch = self.conversion.drawn.batch;
        let items = batch.reads + batch.updates;
        let mut store = PrimaryStore::new();
        let mut for_helper = Vec::with_capacity(items);
        for (item, number) in (0..items).zip(self.numbers()) {
            let first = DPFS_PER_ITEM * item;
            let [dpf_1, dpf_2, dpf_3] = [first, first + 1, first + 2].map(|dpf| self.share(dpf, theirs));
            let random_index =
                Zeroizing::new(random_index(role, &dpf_1, &self.conversion.sums[first], parameters));
            if item < batch.reads {
                let (helpers, dpf_refresh) = if role == Role::P0 { (dpf_2, dpf_3) } else { (dpf_3, dpf_2) };
                for_helper.push(helpers);
                store.push_read(ReadItem { number, dpf_1, dpf_refresh, random_index });
            } else {
                let helpers = if role == Role::P0 { &dpf_2 } else { &dpf_3 };
                for_helper.push(helpers.duplicate_for_helper());
                let final_corrections = self.final_corrections(role, item);
                store.push_update(UpdateItem {
                    number,
                    dpfs: [dpf_1, dpf_2, dpf_3],
                    random_index,
                    final_corrections,
                });
            }
        }
        (store, for_helper)
    }

    /// The complete key, with `A = (pm_0 + r_0) + (pm_1 + r_1) - (F'_0 + F'_1)`: `[duoram, appendix D, steps 4 and 7]`
    /// in one factor.
    fn share(&mut self, dpf: usize, theirs: &[Word]) -> DpfShare {
        let opened = self.shares[dpf].wrapping_add(theirs[dpf]);
        DpfShare {
            root: self.conversion.drawn.roots[dpf],
            corrections: mem::take(&mut self.conversion.corrections[dpf]),
            conversion_factor: self.blinded_signs[dpf].wrapping_sub(opened),
        }
    }

    /// `F_b^(k) = - s_b sum v_b^(k)[i]` (`[duoram, section 4.1.1]`), and for k = 2, 3 plus `s_b delta^(k)`: the helper
    /// knows `v_0^(2)` and `v_1^(3)`, and would read M_b off `M_b + F_b` without the deltas.
    fn final_corrections(&self, role: Role, item: usize) -> Zeroizing<[Word; 3]> {
        let first = DPFS_PER_ITEM * item;
        let [delta_2, delta_3] = self.deltas[item - self.conversion.drawn.batch.reads];
        let share = |dpf: usize, delta: Word| {
            role.sign().wrapping_mul(delta.wrapping_sub(self.conversion.sums[dpf].value_sum))
        };
        Zeroizing::new([share(first, 0), share(first + 1, delta_2), share(first + 2, delta_3)])
    }
}

/// `ri_b = sum i t_b^(1)[i] mod n`: additive shares of ri without communication. From DPF 1, of which the helper knows
/// nothing.
fn random_index(role: Role, dpf_1: &DpfShare, sums: &LeafSums, parameters: &Parameters) -> Word {
    let unsigned =
        dpf_1.conversion_factor.wrapping_mul(sums.index_flag_sum).wrapping_sub(sums.index_conversion_sum);
    parameters.reduce(role.sign().wrapping_mul(unsigned))
}
