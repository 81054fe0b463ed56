//! WRITE and SWAP, online: one item, two sequential messages. `F_a` is opened of the difference to the old word, of which each
//! party has a part from its READ of the same item.

use zeroize::Zeroizing;

use super::helper::HelperWorld;
use super::items::{HelperUpdateItem, UpdateItem};
use super::primary::World;
use super::read::{Answering, Shift, Unblinding};
use super::side::Side;
use super::update::apply_helper;
use super::{Compute, ReadQuery, add, sum};
use crate::Word;
use crate::engine::Step;
use crate::engine::endpoint::Due;
use crate::engine::items::Kept;
use crate::engine::queries::QueryShape;
use crate::engine::results::Results;
use crate::engine::step::{Begun, Next, State};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// Overwriting a word.
pub const WRITE: Step = Step::new("write");

/// Overwriting a word, with the old one as the result.
pub const SWAP: Step = Step::new("swap");

fn step(swap: bool) -> Step {
    if swap { SWAP } else { WRITE }
}

/// All to all: a masked part of `F_a = M + D[i*] + R_a`, w words.
pub struct Write(pub Vec<Word>);

impl Message for Write {
    const KIND: Kind = Kind::new(15, "write");

    /// w.
    type Shape = usize;

    fn length(row_words: usize) -> Length {
        Length::words(row_words)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, row_words: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.words(row_words)))
    }
}

/// The shift of the step's one query is due.
fn shift_due(from: Role, log_size: u32) -> Due<Shift> {
    Due { from, round: 0, shape: QueryShape { log_size, queries: 1 } }
}

/// S, of both shares.
fn opened(own: Word, theirs: &Shift) -> u64 {
    theirs.shares.iter().fold(own, |sum, share| sum ^ share)
}

/// A primary that has sent its shift share: the other primary's is due.
struct ShiftDue<S: Side, K: Send + 'static> {
    /// Its `write_mask` covers `M_b` by now.
    item: Kept<UpdateItem<S, K>>,
    share: Word,
    swap: bool,
}

/// The first message is that of a READ.
pub(super) fn begin<S: Answering, C: Compute>(
    world: &mut World<S, C>,
    mut item: Kept<UpdateItem<S, C::Kept>>,
    address: Word,
    row: &[Word],
    swap: bool,
) -> Begun<World<S, C>> {
    add(&mut item.item.write_mask, row);
    let parameters = *world.core.parameters();
    let share = parameters.reduce(address ^ *item.item.read.random_index);
    let message = Shift { log_size: parameters.log_size(), shares: vec![share] };
    for to in S::ROLE.peers() {
        world.core.send(to, 0, &message);
    }
    Begun::new(step(swap), vec![item.number], ShiftDue { item, share, swap })
}

impl<S: Answering, C: Compute> State<World<S, C>> for ShiftDue<S, C::Kept> {
    type Message = Shift;

    fn due(&self, world: &World<S, C>) -> Due<Shift> {
        shift_due(S::OTHER, world.core.parameters().log_size())
    }

    /// This party's part of the old word, of which the masked sum with `M_b` is sent.
    fn receive(self, theirs: Shift, world: &mut World<S, C>) -> Next<World<S, C>> {
        let shift = opened(self.share, &theirs);
        let World { core, compute, memory, .. } = world;
        let parts = Zeroizing::new(S::read(compute, &core.key, memory, &[(&self.item.item.read, shift)]));
        let f_a = Write(sum(&self.item.item.write_mask, &[&parts]).to_vec());
        for to in S::ROLE.peers() {
            core.send(to, 0, &f_a);
        }
        let parts = if self.swap { parts } else { Zeroizing::default() };
        Next::state(WriteDue { item: self.item, shift, f_a, parts, from: S::OTHER })
    }
}

/// A primary that has sent its part of `F_a`: the other primary's is due, and then the helper's.
struct WriteDue<S: Side, K: Send + 'static> {
    item: Kept<UpdateItem<S, K>>,
    shift: u64,
    /// The parts of `F_a` that are known, each masked.
    f_a: Write,
    /// Of a SWAP, this party's part of the old word; of a WRITE, none.
    parts: Zeroizing<Vec<Word>>,
    /// Whose part is due.
    from: Role,
}

impl<S: Answering, C: Compute> State<World<S, C>> for WriteDue<S, C::Kept> {
    type Message = Write;

    fn due(&self, world: &World<S, C>) -> Due<Write> {
        Due { from: self.from, round: 0, shape: world.core.parameters().row_words() }
    }

    fn receive(mut self, theirs: Write, world: &mut World<S, C>) -> Next<World<S, C>> {
        add(&mut self.f_a.0, &theirs.0);
        if self.from != Role::P2 {
            return Next::state(Self { from: Role::P2, ..self });
        }
        let World { core, compute, memory, .. } = world;
        let item = &self.item.item;
        S::update(compute, &core.key, memory, &[(item, &self.f_a.0, self.shift)]);
        if self.parts.is_empty() { Next::Done } else { S::answer(self.parts, &[&item.read], world) }
    }
}

/// The helper, waiting for both shift shares, P0's first.
struct HelperShiftDue<K> {
    item: Kept<HelperUpdateItem<K>>,
    /// P0's, once it has come.
    share_0: Option<Word>,
    swap: bool,
}

/// The helper sends nothing until it knows the shift.
pub(super) fn begin_helper<C: Compute>(
    item: Kept<HelperUpdateItem<C::Kept>>,
    swap: bool,
) -> Begun<HelperWorld<C>> {
    Begun::new(step(swap), vec![item.number], HelperShiftDue { item, share_0: None, swap })
}

impl<C: Compute> State<HelperWorld<C>> for HelperShiftDue<C::Kept> {
    type Message = Shift;

    fn due(&self, world: &HelperWorld<C>) -> Due<Shift> {
        let from = if self.share_0.is_none() { Role::P0 } else { Role::P1 };
        shift_due(from, world.core.parameters().log_size())
    }

    fn receive(self, share: Shift, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let Some(share_0) = self.share_0 else {
            return Next::state(Self { share_0: Some(opened(0, &share)), ..self });
        };
        let shift = opened(share_0, &share);
        let HelperWorld { core, compute, memory, .. } = world;
        let item = &self.item.item;
        let query = ReadQuery { keys: &item.read.keys, shift };
        let parts = Zeroizing::new(compute.read_2(&core.key, memory, &[query]));
        let f_a = Write(sum(&item.write_mask, &[&parts]).to_vec());
        for to in Role::P2.peers() {
            core.send(to, 0, &f_a);
        }
        if self.swap {
            core.send(Role::P0, 0, &Unblinding(sum(&parts, &[&item.read.rho]).to_vec()));
            world.results = Results::counted(1);
        }
        Next::state(HelperWriteDue { item: self.item, shift, f_a, from: Role::P0 })
    }
}

/// The helper has sent its part of `F_a`: P0's is due, and then P1's.
struct HelperWriteDue<K> {
    item: Kept<HelperUpdateItem<K>>,
    shift: u64,
    /// The parts of `F_a` that are known, each masked.
    f_a: Write,
    /// Whose part is due.
    from: Role,
}

impl<C: Compute> State<HelperWorld<C>> for HelperWriteDue<C::Kept> {
    type Message = Write;

    fn due(&self, world: &HelperWorld<C>) -> Due<Write> {
        Due { from: self.from, round: 0, shape: world.core.parameters().row_words() }
    }

    fn receive(mut self, theirs: Write, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        add(&mut self.f_a.0, &theirs.0);
        if self.from != Role::P1 {
            return Next::state(Self { from: Role::P1, ..self });
        }
        apply_helper(world, &[(&self.item.item, &self.f_a.0, self.shift)]);
        Next::Done
    }
}
