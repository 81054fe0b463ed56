//! App. C: the trees of a batch grow level by level, and two messages a level make its corrections.

use zeroize::Zeroizing;

use super::material::Material;
use super::sums;
use crate::Block;
use crate::engine::endpoint::Due;
use crate::engine::level::{
    LevelOperand, check_opening, opening, operand, operands_length, read_operands, write_operands,
};
use crate::engine::step::{Next, State};
use crate::two_party::pir::Pir;
use crate::two_party::primary::PrimaryWorld;
use crate::two_party::{ChildSums, Compute, Correction};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// The operands of one level's AND, and the flag corrections, for each DPF.
pub struct LevelOperands(pub Vec<LevelOperand>);

/// A share of one level's correction word, for each DPF.
pub struct LevelOpening(pub Vec<Block>);

impl Message for LevelOperands {
    const KIND: Kind = Kind::new(6, "level operands").making();

    /// The number of DPFs.
    type Shape = usize;

    fn length(dpfs: usize) -> Length {
        operands_length(dpfs)
    }

    fn write(&self, out: &mut Writer) {
        write_operands(out, &self.0);
    }

    fn read(reader: &mut Reader<'_>, dpfs: usize) -> Result<Self, Misbehaviour> {
        read_operands(reader, dpfs).map(Self)
    }
}

impl Message for LevelOpening {
    const KIND: Kind = Kind::new(7, "level opening").making();

    /// The number of DPFs.
    type Shape = usize;

    fn length(dpfs: usize) -> Length {
        Length::blocks(dpfs)
    }

    fn write(&self, out: &mut Writer) {
        out.blocks(&self.0);
    }

    fn read(reader: &mut Reader<'_>, dpfs: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.blocks(dpfs)))
    }
}

/// A level has grown, its operands are sent, and the other party's are due.
pub(super) struct Growth<F> {
    material: Material,
    forest: F,
    /// `L_b` and `R_b` of this level, for each DPF.
    sums: Zeroizing<Vec<ChildSums>>,
    /// The corrections so far, for each DPF.
    corrections: Vec<Vec<Correction>>,
    level: u32,
}

impl<F: Send + 'static> Growth<F> {
    /// Plants the trees and grows the first level.
    pub(super) fn plant<C: Compute<Forest = F>, P: Pir>(
        material: Material,
        world: &mut PrimaryWorld<C, P>,
    ) -> Next<PrimaryWorld<C, P>> {
        let log_size = world.core.parameters().log_size();
        let roots = material.drawn.roots.clone();
        let forest = world.tools.compute.plant(&world.core.key, roots, log_size);
        let corrections = (0..material.dpfs()).map(|_| Vec::new()).collect();
        Self { material, forest, sums: Zeroizing::default(), corrections, level: 0 }.grow(world)
    }

    /// Grows a level, and sends its operands: for each DPF `x_b xor X_b`, `y_b xor Y_b` and the shares of the flag corrections
    /// (`[duoram, appendix C, steps 3 and 4]`).
    fn grow<C: Compute<Forest = F>, P: Pir>(
        mut self,
        world: &mut PrimaryWorld<C, P>,
    ) -> Next<PrimaryWorld<C, P>> {
        self.sums = Zeroizing::new(world.tools.compute.grow(&mut self.forest));
        let own = |(dpf, sums)| {
            let triple = Zeroizing::new(self.material.triple(dpf, self.level));
            operand(sums, self.material.drawn.index_bit(dpf, self.level), &triple)
        };
        let operands = LevelOperands(self.sums.iter().enumerate().map(own).collect());
        world.core.send(world.other, self.level, &operands);
        Next::state(self)
    }
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for Growth<C::Forest> {
    type Message = LevelOperands;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<LevelOperands> {
        Due { from: world.other, round: self.level, shape: self.sums.len() }
    }

    /// The AND with the other party's operands, and the opened flag corrections.
    fn receive(self, theirs: LevelOperands, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let mut own = Vec::with_capacity(self.sums.len());
        for (dpf, (sums, theirs)) in self.sums.iter().zip(&theirs.0).enumerate() {
            let triple = Zeroizing::new(self.material.triple(dpf, self.level));
            own.push(opening(sums, self.material.drawn.index_bit(dpf, self.level), &triple, theirs));
        }
        let shares = LevelOpening(own.iter().map(|own| own.word).collect());
        world.core.send(world.other, self.level, &shares);
        Next::state(Opening { growth: self, own })
    }
}

/// The share of this level's correction words is sent, and the other party's is due.
struct Opening<F> {
    growth: Growth<F>,
    /// The own shares of the correction words, with the opened flag corrections.
    own: Vec<Correction>,
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for Opening<C::Forest> {
    type Message = LevelOpening;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<LevelOpening> {
        Due { from: world.other, round: self.growth.level, shape: self.own.len() }
    }

    /// Whether the opened correction words have clear lowest bits, as all are made to.
    fn check(
        &self,
        _world: &PrimaryWorld<C, P>,
        from: Role,
        theirs: &LevelOpening,
    ) -> Result<(), Misbehaviour> {
        check_opening(LevelOpening::KIND, from, self.growth.level, &self.own, &theirs.0)
    }

    /// Opens and applies the corrections, and grows the next level if there is one
    /// (`[duoram, appendix C, steps 5 and 6]`).
    fn receive(self, theirs: LevelOpening, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let Self { mut growth, own: mut opened } = self;
        opened.iter_mut().zip(&theirs.0).for_each(|(opened, theirs)| opened.word ^= theirs);
        world.tools.compute.correct(&mut growth.forest, &opened);
        growth.corrections.iter_mut().zip(opened).for_each(|(list, correction)| list.push(correction));
        growth.level += 1;
        if growth.level < world.core.parameters().log_size() {
            return growth.grow(world);
        }
        let Growth { material, forest, corrections, .. } = growth;
        sums::begin(material, forest, corrections, world)
    }
}
