//! App. C: the trees of a batch grow level by level, and two messages a level make its corrections.

use std::mem;

use zeroize::Zeroizing;

use super::conversion::Conversion;
use super::drawn::Drawn;
use super::triples::Triples;
use crate::Block;
use crate::engine::Parameters;
use crate::engine::endpoint::Due;
use crate::engine::level::{
    LevelOperand, check_opening, opening, operand, operands_length, read_operands, write_operands,
};
use crate::engine::step::{Next, State};
use crate::paper::primary::PrimaryWorld;
use crate::paper::{ChildSums, Compute, Correction};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// P0 and P1: the operands of one level's AND, and the flag corrections, for each DPF.
pub struct LevelOperands(pub Vec<LevelOperand>);

/// P0 and P1: a share of one level's correction word, for each DPF.
pub struct LevelOpening(pub Vec<Block>);

impl Message for LevelOperands {
    const KIND: Kind = Kind::new(5, "level operands").making();

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
    const KIND: Kind = Kind::new(6, "level opening").making();

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

/// A level has grown, its operands are sent, and the other primary's are due.
pub(super) struct Growth<F> {
    drawn: Drawn,
    triples: Triples,
    forest: F,
    /// `L_b` and `R_b` of this level, for each DPF.
    sums: Zeroizing<Vec<ChildSums>>,
    /// The corrections so far, for each DPF.
    corrections: Vec<Vec<Correction>>,
    level: u32,
}

impl<F: Send + 'static> Growth<F> {
    /// Plants the trees and grows the first level.
    pub(super) fn plant<C: Compute<Forest = F>>(
        drawn: Drawn,
        triples: Triples,
        world: &mut PrimaryWorld<C>,
    ) -> Next<PrimaryWorld<C>> {
        let log_size = world.core.parameters().log_size();
        let forest = world.compute.plant(&world.core.key, drawn.roots.clone(), log_size);
        let corrections = drawn.roots.iter().map(|_| Vec::new()).collect();
        let planted = Self { drawn, triples, forest, sums: Zeroizing::default(), corrections, level: 0 };
        planted.grow(world)
    }

    /// Grows a level, and sends its operands.
    fn grow<C: Compute<Forest = F>>(mut self, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        self.sums = Zeroizing::new(world.compute.grow(&mut self.forest));
        let operands = LevelOperands(self.operands(world.core.parameters()));
        world.core.send(world.other, self.level, &operands);
        Next::state(self)
    }

    /// For each DPF `x_b xor X_b`, `y_b xor Y_b` and the shares of the flag corrections
    /// (`[duoram, appendix C, steps 3 and 4]`).
    fn operands(&self, parameters: &Parameters) -> Vec<LevelOperand> {
        let own = |(dpf, sums): (usize, &ChildSums)| {
            let x = self.drawn.index_bit(dpf, self.level, parameters);
            operand(sums, x, &self.triples.and[self.triple(dpf, parameters)])
        };
        self.sums.iter().enumerate().map(own).collect()
    }

    /// The number of this level's triple.
    fn triple(&self, dpf: usize, parameters: &Parameters) -> usize {
        // h and the level are at most 40
        dpf * parameters.log_size() as usize + self.level as usize
    }
}

impl<C: Compute> State<PrimaryWorld<C>> for Growth<C::Forest> {
    type Message = LevelOperands;

    fn due(&self, world: &PrimaryWorld<C>) -> Due<LevelOperands> {
        Due { from: world.other, round: self.level, shape: self.drawn.dpfs() }
    }

    /// The AND with the other primary's operands, and the opened flag corrections.
    fn receive(self, theirs: LevelOperands, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        let parameters = world.core.parameters();
        let mut own = Vec::with_capacity(self.sums.len());
        for (dpf, (sums, theirs)) in self.sums.iter().zip(&theirs.0).enumerate() {
            let triple = &self.triples.and[self.triple(dpf, parameters)];
            let x = self.drawn.index_bit(dpf, self.level, parameters);
            own.push(opening(sums, x, triple, theirs));
        }
        let shares = LevelOpening(own.iter().map(|own| own.word).collect());
        world.core.send(world.other, self.level, &shares);
        Next::state(Opening { growth: self, own })
    }
}

/// The share of this level's correction words is sent, and the other primary's is due.
struct Opening<F> {
    growth: Growth<F>,
    /// The own shares of the correction words, with the opened flag corrections.
    own: Vec<Correction>,
}

impl<C: Compute> State<PrimaryWorld<C>> for Opening<C::Forest> {
    type Message = LevelOpening;

    fn due(&self, world: &PrimaryWorld<C>) -> Due<LevelOpening> {
        Due { from: world.other, round: self.growth.level, shape: self.own.len() }
    }

    /// Whether the opened correction words have clear lowest bits, as all are made to.
    fn check(&self, _world: &PrimaryWorld<C>, from: Role, theirs: &LevelOpening) -> Result<(), Misbehaviour> {
        check_opening(LevelOpening::KIND, from, self.growth.level, &self.own, &theirs.0)
    }

    /// Opens and applies the corrections, and grows the next level if there is one
    /// (`[duoram, appendix C, steps 5 and 6]`).
    fn receive(self, theirs: LevelOpening, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        let Self { mut growth, own: mut opened } = self;
        opened.iter_mut().zip(&theirs.0).for_each(|(opened, theirs)| opened.word ^= theirs);
        world.compute.correct(&mut growth.forest, &opened);
        growth.corrections.iter_mut().zip(opened).for_each(|(list, correction)| list.push(correction));
        growth.level += 1;
        if growth.level < world.core.parameters().log_size() {
            return growth.grow(world);
        }
        let Growth { drawn, mut triples, forest, corrections, .. } = growth;
        let sums = Zeroizing::new(world.compute.leaf_sums(forest));
        let products = Zeroizing::new(mem::take(&mut triples.products));
        Conversion { drawn, products, sums, corrections }.begin(world)
    }
}
