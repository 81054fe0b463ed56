//! The output layers: one message each, and a correction that mends the two nodes at ri and leaves all others equal.

use super::BatchShape;
use super::levels::Growth;
use super::sides::Making;
use crate::engine::endpoint::Due;
use crate::engine::items::{READ_ITEMS, agreed};
use crate::engine::step::{Next, State};
use crate::lean::one_hot::scaled_folded;
use crate::lean::primary::World;
use crate::lean::{Compute, add};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour};
use crate::{Block, Word};

/// P0 and P1: for each DPF a share of CWf.
pub struct FlagLayer(pub Vec<Block>);

/// P0 and P1: for each DPF of UPDATE items a share of CWw, `8 w` words. Not sent in a batch without any.
pub struct ValueLayer(pub Vec<Vec<Word>>);

impl Message for FlagLayer {
    const KIND: Kind = Kind::agreeing(8, "flag layer", READ_ITEMS).making();
    type Shape = BatchShape;

    fn length(shape: BatchShape) -> Length {
        Length::blocks(shape.dpfs())
    }

    fn write(&self, out: &mut Writer) {
        out.blocks(&self.0);
    }

    fn read(reader: &mut Reader<'_>, shape: BatchShape) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.blocks(shape.dpfs())))
    }
}

impl Message for ValueLayer {
    const KIND: Kind = Kind::agreeing(9, "value layer", READ_ITEMS).making();
    type Shape = BatchShape;

    fn length(shape: BatchShape) -> Length {
        Length::words(shape.update_dpfs().saturating_mul(shape.node_words()))
    }

    fn write(&self, out: &mut Writer) {
        for words in &self.0 {
            out.words(words);
        }
    }

    fn read(reader: &mut Reader<'_>, shape: BatchShape) -> Result<Self, Misbehaviour> {
        Ok(Self((0..shape.update_dpfs()).map(|_| reader.words(shape.node_words())).collect()))
    }
}

impl<S: Making, F> Growth<S, F> {
    /// The share of CWf: the XOR of X(s) over this side's nodes, plus `o_b`.
    pub(super) fn send_flags<C: Compute<Forest = F>>(&mut self, world: &mut World<S, C>) {
        let complete = self.drawn.shape.read_dpfs();
        let mut shares = world.compute.flag_sums(&mut self.forest, complete);
        shares.iter_mut().zip(&self.drawn.dealt.one_hots).for_each(|(share, o)| *share ^= o);
        let message = FlagLayer(shares);
        world.core.send(S::OTHER, agreed(self.drawn.shape.batch), &message);
        self.flag_corrections = message.0;
    }

    /// The share of CWw: the XOR of Y(s) over this side's nodes, plus the dealt and moved value, plus G where this party's
    /// one-hot bits are. P2 knows what it has dealt; without G it would read M off `F_a`.
    pub(super) fn send_values<C: Compute<Forest = F>>(&mut self, world: &mut World<S, C>) {
        let drawn = &self.drawn;
        let mut shares = world.compute.value_sums(&mut self.forest, drawn.shape.row_words);
        let one_hots = drawn.dealt.one_hots.iter().skip(drawn.shape.read_dpfs());
        let values = drawn.common.values.iter().flatten();
        for (share, ((dealt, o), g)) in
            shares.iter_mut().zip(drawn.dealt.value_one_hots.iter().zip(one_hots).zip(values))
        {
            add(share, dealt);
            add(share, &scaled_folded(*o, g));
        }
        let message = ValueLayer(shares);
        world.core.send(S::OTHER, agreed(drawn.shape.batch), &message);
        self.value_corrections = message.0;
    }
}

/// The share of CWf is sent, and what follows it: the other primary's is due.
pub(super) struct FlagsDue<S: Making, F>(pub(super) Growth<S, F>);

impl<S: Making, C: Compute> State<World<S, C>> for FlagsDue<S, C::Forest> {
    type Message = FlagLayer;

    fn due(&self, _world: &World<S, C>) -> Due<FlagLayer> {
        let shape = self.0.drawn.shape;
        Due { from: S::OTHER, round: agreed(shape.batch), shape }
    }

    fn receive(self, theirs: FlagLayer, world: &mut World<S, C>) -> Next<World<S, C>> {
        let Self(mut growth) = self;
        growth.flag_corrections.iter_mut().zip(&theirs.0).for_each(|(own, theirs)| *own ^= theirs);
        growth.wait(world)
    }
}

/// The share of CWw is sent: the other primary's is due.
pub(super) struct ValuesDue<S: Making, F>(pub(super) Growth<S, F>);

impl<S: Making, C: Compute> State<World<S, C>> for ValuesDue<S, C::Forest> {
    type Message = ValueLayer;

    fn due(&self, _world: &World<S, C>) -> Due<ValueLayer> {
        let shape = self.0.drawn.shape;
        Due { from: S::OTHER, round: agreed(shape.batch), shape }
    }

    fn receive(self, theirs: ValueLayer, world: &mut World<S, C>) -> Next<World<S, C>> {
        let Self(mut growth) = self;
        let words = growth.value_corrections.iter_mut().flatten();
        words.zip(theirs.0.iter().flatten()).for_each(|(own, theirs)| *own ^= theirs);
        growth.complete(world)
    }
}
