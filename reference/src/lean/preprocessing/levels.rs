//! The trees of a batch grow level by level, and two messages a level make its corrections; the output layers are made as soon
//! as the trees are as high as that.

use zeroize::Zeroizing;

use super::layers::{FlagsDue, ValuesDue};
use super::sides::Making;
use super::start::Drawn;
use crate::engine::endpoint::Due;
use crate::engine::level::{
    LevelOperand, check_opening, opening, operand, operands_length, read_operands, write_operands,
};
use crate::engine::step::{Next, State};
use crate::engine::tree::{ChildSums, Correction};
use crate::lean::layers::flag_depth;
use crate::lean::primary::World;
use crate::lean::{Compute, LayeredKey};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};
use crate::{Block, Word};

/// P0 and P1: the operands of one level's AND, and the flag corrections, for each DPF that has this level.
pub struct LevelOperands(pub Vec<LevelOperand>);

/// P0 and P1: a share of one level's correction word, for each DPF that has this level.
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

/// A batch in the making.
pub(super) struct Growth<S: Making, F> {
    pub(super) drawn: Drawn,
    pub(super) seeds: S::Seeds,
    pub(super) forest: F,
    /// The level that grows next, or has grown and is not corrected yet.
    level: u32,
    /// `L_b` and `R_b` of this level, for each DPF that has it.
    sums: Zeroizing<Vec<ChildSums>>,
    /// The corrections so far, for each DPF.
    corrections: Vec<Vec<Correction>>,
    /// CWf for each DPF: the own share, until the other primary's has come.
    pub(super) flag_corrections: Vec<Block>,
    /// CWw for each DPF of UPDATE items: the own share, until the other primary's has come.
    pub(super) value_corrections: Vec<Vec<Word>>,
}

impl<S: Making, F: Send + 'static> Growth<S, F> {
    /// Plants the trees.
    pub(super) fn plant<C: Compute<Forest = F>>(
        drawn: Drawn,
        seeds: S::Seeds,
        world: &mut World<S, C>,
    ) -> Next<World<S, C>> {
        let forest = world.compute.plant(&world.core.key, drawn.roots.clone(), drawn.shape.height());
        let planted = Self {
            corrections: drawn.roots.iter().map(|_| Vec::new()).collect(),
            drawn,
            seeds,
            forest,
            level: 0,
            sums: Zeroizing::default(),
            flag_corrections: Vec::new(),
            value_corrections: Vec::new(),
        };
        planted.go_on(world)
    }

    /// Says all that can be said of trees of this height: first of their flags, then of the next level or of the values.
    fn go_on<C: Compute<Forest = F>>(mut self, world: &mut World<S, C>) -> Next<World<S, C>> {
        let flags = self.level == flag_depth(self.drawn.shape.log_size);
        if flags {
            self.send_flags(world);
        }
        if self.grows() {
            self.sums = Zeroizing::new(world.compute.grow(&mut self.forest));
            let operands = LevelOperands(self.operands());
            world.core.send(S::OTHER, self.level, &operands);
        } else if self.drawn.shape.batch.updates > 0 {
            self.send_values(world);
        }
        if flags { Next::state(FlagsDue(self)) } else { self.wait(world) }
    }

    /// What comes from the other primary after its flags.
    pub(super) fn wait<C: Compute<Forest = F>>(self, world: &mut World<S, C>) -> Next<World<S, C>> {
        if self.grows() {
            Next::state(OperandsDue(self))
        } else if self.drawn.shape.batch.updates > 0 {
            Next::state(ValuesDue(self))
        } else {
            self.complete(world)
        }
    }

    /// Whether there is another level.
    fn grows(&self) -> bool {
        self.level < self.drawn.shape.height()
    }

    /// The DPFs that have this level.
    fn dpfs(&self) -> std::ops::Range<usize> {
        self.drawn.first_dpf(self.level)..self.drawn.shape.dpfs()
    }

    fn operands(&self) -> Vec<LevelOperand> {
        let level = self.level as usize;
        let own = |(dpf, sums): (usize, &ChildSums)| {
            let x = self.drawn.index_bit(dpf, self.level);
            operand(sums, x, &self.drawn.dealt.triples[dpf][level])
        };
        self.dpfs().zip(self.sums.iter()).map(own).collect()
    }

    /// All trees and layers are complete: the keys, a and b of each item.
    pub(super) fn complete<C: Compute<Forest = F>>(self, world: &mut World<S, C>) -> Next<World<S, C>> {
        let mut values = self.value_corrections.into_iter();
        let reads = self.drawn.shape.read_dpfs();
        let layers = self.corrections.into_iter().zip(self.flag_corrections).enumerate();
        let key = |(dpf, (corrections, flag_correction))| {
            let value_correction = if dpf < reads { None } else { values.next() }.unwrap_or_default();
            LayeredKey::new(self.drawn.roots[dpf], corrections, flag_correction, value_correction)
        };
        let keys = layers.map(key).collect();
        S::complete(self.drawn, self.seeds, keys, world)
    }
}

/// A level has grown, its operands are sent, and the other primary's are due.
struct OperandsDue<S: Making, F>(Growth<S, F>);

impl<S: Making, C: Compute> State<World<S, C>> for OperandsDue<S, C::Forest> {
    type Message = LevelOperands;

    fn due(&self, _world: &World<S, C>) -> Due<LevelOperands> {
        Due { from: S::OTHER, round: self.0.level, shape: self.0.sums.len() }
    }

    /// The AND with the other primary's operands, and the opened flag corrections.
    fn receive(self, theirs: LevelOperands, world: &mut World<S, C>) -> Next<World<S, C>> {
        let Self(growth) = self;
        let level = growth.level as usize;
        let mut own = Vec::with_capacity(growth.sums.len());
        for (dpf, (sums, theirs)) in growth.dpfs().zip(growth.sums.iter().zip(&theirs.0)) {
            let x = growth.drawn.index_bit(dpf, growth.level);
            own.push(opening(sums, x, &growth.drawn.dealt.triples[dpf][level], theirs));
        }
        let shares = LevelOpening(own.iter().map(|own| own.word).collect());
        world.core.send(S::OTHER, growth.level, &shares);
        Next::state(OpeningDue { growth, own })
    }
}

/// The share of this level's correction words is sent, and the other primary's is due.
struct OpeningDue<S: Making, F> {
    growth: Growth<S, F>,
    /// The own shares of the correction words, with the opened flag corrections.
    own: Vec<Correction>,
}

impl<S: Making, C: Compute> State<World<S, C>> for OpeningDue<S, C::Forest> {
    type Message = LevelOpening;

    fn due(&self, _world: &World<S, C>) -> Due<LevelOpening> {
        Due { from: S::OTHER, round: self.growth.level, shape: self.own.len() }
    }

    fn check(&self, _world: &World<S, C>, from: Role, theirs: &LevelOpening) -> Result<(), Misbehaviour> {
        check_opening(LevelOpening::KIND, from, self.growth.level, &self.own, &theirs.0)
    }

    /// Opens and applies the corrections.
    fn receive(self, theirs: LevelOpening, world: &mut World<S, C>) -> Next<World<S, C>> {
        let Self { mut growth, own: mut opened } = self;
        opened.iter_mut().zip(&theirs.0).for_each(|(opened, theirs)| opened.word ^= theirs);
        world.compute.correct(&mut growth.forest, &opened);
        let first = growth.dpfs().start;
        growth.corrections[first..].iter_mut().zip(opened).for_each(|(list, one)| list.push(one));
        growth.level += 1;
        growth.go_on(world)
    }
}
