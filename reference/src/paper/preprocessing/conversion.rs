//! App. D: from XOR shares of unit vectors to additive ones, and what follows from the leaves.

use std::mem;

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::drawn::Drawn;
use super::keys::HelperKeys;
use super::triples::ProductTriple;
use super::{DPFS_PER_ITEM, READ_ITEMS, agreed};
use crate::Word;
use crate::engine::Parameters;
use crate::engine::endpoint::Due;
use crate::engine::step::{Next, State};
use crate::paper::items::{ReadItem, UpdateItem};
use crate::paper::primary::PrimaryWorld;
use crate::paper::{Compute, Correction, DpfShare, LeafSums};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// What is opened of one DPF before its conversion factor (`[duoram, appendix D, steps 3 and 5]`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConversionOperand {
    /// `pm_b + r_b`.
    pub blinded_sign: Word,
    /// `F_b + X_b`.
    pub masked_correction: Word,
    /// `pm_b + Y_b`.
    pub masked_sign: Word,
}

/// P0 and P1: what is opened before the conversion factors. Wiped on drop, for the deltas are secrets of P0 and P1.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct ConversionOperands {
    /// One a DPF.
    #[zeroize(skip)] // masked
    pub dpfs: Vec<ConversionOperand>,
    /// `delta^(2), delta^(3)` for each UPDATE item; from P0 only.
    pub deltas: Vec<[Word; 2]>,
}

/// What [`ConversionOperands`] are known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConversionShape {
    /// The number of DPFs.
    pub dpfs: usize,
    /// The number of UPDATE items, from P0; 0 from P1, which draws no deltas.
    pub deltas: usize,
}

impl Message for ConversionOperands {
    const KIND: Kind = Kind::agreeing(7, "conversion operands", READ_ITEMS).making();
    type Shape = ConversionShape;

    fn length(shape: ConversionShape) -> Length {
        let operands = Length::words(shape.dpfs.saturating_mul(3));
        operands.and(Length::words(shape.deltas.saturating_mul(2)))
    }

    fn write(&self, out: &mut Writer) {
        for operand in &self.dpfs {
            out.words(&[operand.blinded_sign, operand.masked_correction, operand.masked_sign]);
        }
        for pair in &self.deltas {
            out.words(pair);
        }
    }

    fn read(reader: &mut Reader<'_>, shape: ConversionShape) -> Result<Self, Misbehaviour> {
        let mut operand = || ConversionOperand {
            blinded_sign: reader.word(),
            masked_correction: reader.word(),
            masked_sign: reader.word(),
        };
        let dpfs = (0..shape.dpfs).map(|_| operand()).collect();
        let deltas = (0..shape.deltas).map(|_| [reader.word(), reader.word()]).collect();
        Ok(Self { dpfs, deltas })
    }
}

/// P0 and P1: `F'_b`, for each DPF.
pub struct ConversionOpening(pub Vec<Word>);

impl Message for ConversionOpening {
    const KIND: Kind = Kind::agreeing(8, "conversion opening", READ_ITEMS).making();

    /// The number of DPFs.
    type Shape = usize;

    fn length(dpfs: usize) -> Length {
        Length::words(dpfs)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, dpfs: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.words(dpfs)))
    }
}

/// The trees are complete, the operands of App. D are sent, and the other primary's are due.
pub(super) struct Conversion {
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
    /// Sends the operands.
    pub(super) fn begin<C: Compute>(self, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        let operands = self.operands(world.core.role());
        world.core.send(world.other, agreed(self.drawn.batch), &operands);
        Next::state(self)
    }

    /// `pm_b + r_b` (`[duoram, appendix D, step 3]`), and the operands of `F pm` (step 5).
    fn operands(&self, role: Role) -> ConversionOperands {
        let operand = |dpf: usize| {
            let (sums, triple) = (&self.sums[dpf], &self.products[dpf]);
            let sign = sign_share(role, sums);
            ConversionOperand {
                blinded_sign: sign.wrapping_add(self.drawn.blinds[dpf]),
                masked_correction: conversion_correction(role, sums).wrapping_add(triple.x),
                masked_sign: sign.wrapping_add(triple.y),
            }
        };
        ConversionOperands {
            dpfs: (0..self.drawn.dpfs()).map(operand).collect(),
            deltas: self.drawn.deltas.clone(),
        }
    }
}

impl<C: Compute> State<PrimaryWorld<C>> for Conversion {
    type Message = ConversionOperands;

    /// Only P0 draws deltas, so only P0's message has them.
    fn due(&self, world: &PrimaryWorld<C>) -> Due<ConversionOperands> {
        let batch = self.drawn.batch;
        let deltas = if world.other == Role::P0 { batch.updates } else { 0 };
        let shape = ConversionShape { dpfs: self.drawn.dpfs(), deltas };
        Due { from: world.other, round: agreed(batch), shape }
    }

    /// The blinded product `F'_b` (`[duoram, section 2.2.1]` and appendix D, steps 5 and 6).
    fn receive(
        mut self,
        mut theirs: ConversionOperands,
        world: &mut PrimaryWorld<C>,
    ) -> Next<PrimaryWorld<C>> {
        let role = world.core.role();
        let mut blinded_signs = Vec::with_capacity(self.drawn.dpfs());
        let mut shares = Vec::with_capacity(self.drawn.dpfs());
        for (dpf, theirs) in theirs.dpfs.iter().enumerate() {
            let (sums, triple, blind) = (&self.sums[dpf], &self.products[dpf], self.drawn.blinds[dpf]);
            let (sign, correction) = (sign_share(role, sums), conversion_correction(role, sums));
            let product = correction
                .wrapping_mul(sign.wrapping_add(theirs.masked_sign))
                .wrapping_sub(triple.y.wrapping_mul(theirs.masked_correction))
                .wrapping_add(triple.z);
            blinded_signs.push(sign.wrapping_add(blind).wrapping_add(theirs.blinded_sign));
            shares.push(product.wrapping_add(blind));
        }
        let deltas = Zeroizing::new(match role {
            Role::P0 => mem::take(&mut self.drawn.deltas),
            _ => mem::take(&mut theirs.deltas),
        });
        let opening = ConversionOpening(shares);
        world.core.send(world.other, agreed(self.drawn.batch), &opening);
        Next::state(Scaling { conversion: self, blinded_signs, shares: opening.0, deltas })
    }
}

/// `F'_b` is sent, and the other primary's is due.
struct Scaling {
    conversion: Conversion,
    /// `(pm_0 + r_0) + (pm_1 + r_1)` for each DPF.
    blinded_signs: Vec<Word>,
    /// `F'_b` for each DPF.
    shares: Vec<Word>,
    /// Of P0, known to both primaries, for each UPDATE item.
    deltas: Zeroizing<Vec<[Word; 2]>>,
}

impl<C: Compute> State<PrimaryWorld<C>> for Scaling {
    type Message = ConversionOpening;

    fn due(&self, world: &PrimaryWorld<C>) -> Due<ConversionOpening> {
        let round = agreed(self.conversion.drawn.batch);
        Due { from: world.other, round, shape: self.shares.len() }
    }

    /// The items, and the keys of DPF 2 (from P0) or 3 (from P1) for the helper.
    fn receive(mut self, theirs: ConversionOpening, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        let PrimaryWorld { core, items: store, .. } = world;
        let (role, batch) = (core.role(), self.conversion.drawn.batch);
        let mut for_helper = Vec::with_capacity(batch.items());
        for item in 0..batch.items() {
            let first = DPFS_PER_ITEM * item;
            let [dpf_1, dpf_2, dpf_3] = [first, first + 1, first + 2].map(|dpf| self.share(dpf, &theirs.0));
            let sums = &self.conversion.sums[first];
            let random_index = Zeroizing::new(random_index(role, &dpf_1, sums, core.parameters()));
            if item < batch.reads {
                let (helpers, refresh) = if role == Role::P0 { (dpf_2, dpf_3) } else { (dpf_3, dpf_2) };
                for_helper.push(helpers);
                store.put_read(ReadItem { read: dpf_1, refresh, random_index });
            } else {
                let helpers = if role == Role::P0 { &dpf_2 } else { &dpf_3 };
                for_helper.push(helpers.duplicate_for_helper());
                let final_corrections = self.final_corrections(role, item);
                store.put_update(UpdateItem { dpfs: [dpf_1, dpf_2, dpf_3], random_index, final_corrections });
            }
        }
        core.send(Role::P2, agreed(batch), &HelperKeys(for_helper));
        Next::Done
    }
}

impl Scaling {
    /// The complete key, with `A = (pm_0 + r_0) + (pm_1 + r_1) - (F'_0 + F'_1)`: `[duoram, appendix D, steps 4 and 7]`
    /// in one factor.
    fn share(&mut self, dpf: usize, theirs: &[Word]) -> DpfShare {
        let opened = self.shares[dpf].wrapping_add(theirs[dpf]);
        DpfShare::new(
            self.conversion.drawn.roots[dpf],
            mem::take(&mut self.conversion.corrections[dpf]),
            self.blinded_signs[dpf].wrapping_sub(opened),
        )
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
        dpf_1.conversion_factor().wrapping_mul(sums.index_flag_sum).wrapping_sub(sums.index_conversion_sum);
    parameters.reduce(role.sign().wrapping_mul(unsigned))
}
