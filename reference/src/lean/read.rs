//! READ, online: two sequential messages.

use zeroize::Zeroizing;

use super::helper::HelperWorld;
use super::items::{HelperReadItem, ReadItem};
use super::primary::World;
use super::side::{Side, Side0, Side1};
use super::{Compute, ReadQuery, add, address_bytes};
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::items::{Kept, numbers};
use crate::engine::queries::{self, QueryShape, check_shifts};
use crate::engine::results::Results;
use crate::engine::step::{Begun, Next, State};
use crate::engine::{Error, Parameters, Step};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// READ, online.
pub const READ: Step = Step::new("read");

/// P_b to the others: `S_b = (i*_b xor ri_b) mod n` for each query.
pub struct Shift {
    /// h.
    pub log_size: u32,
    /// `S_b`, each below n.
    pub shares: Vec<Word>,
}

/// P2 to P0: g for each query, w words.
pub struct Unblinding(pub Vec<Word>);

impl Message for Shift {
    const KIND: Kind = Kind::new(12, "shift");
    type Shape = QueryShape;

    fn length(shape: QueryShape) -> Length {
        Length::of_bytes(shape.queries.saturating_mul(address_bytes(shape.log_size)))
    }

    fn write(&self, out: &mut Writer) {
        for &share in &self.shares {
            out.short(address_bytes(self.log_size), share);
        }
    }

    fn read(reader: &mut Reader<'_>, shape: QueryShape) -> Result<Self, Misbehaviour> {
        Ok(Self { log_size: shape.log_size, shares: read_shifts(reader, shape)? })
    }
}

/// An address for each query, each below n.
pub(super) fn read_shifts(reader: &mut Reader<'_>, shape: QueryShape) -> Result<Vec<Word>, Misbehaviour> {
    let width = address_bytes(shape.log_size);
    let shares: Vec<_> = (0..shape.queries).map(|_| reader.short(width)).collect();
    check_shifts(reader, shape, shares.iter().copied())?;
    Ok(shares)
}

impl Message for Unblinding {
    const KIND: Kind = Kind::new(13, "unblinding");

    /// The number of words: w for each query.
    type Shape = usize;

    fn length(words: usize) -> Length {
        Length::words(words)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, words: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.words(words)))
    }
}

/// Whether a READ step takes so many queries: its longest message, addresses or the unblinding, must fit a payload.
pub(super) fn check_count(parameters: &Parameters, count: usize) -> Result<(), Error> {
    let shift = Shift::length(QueryShape { log_size: parameters.log_size(), queries: 1 });
    queries::check_count(shift.bytes().max(Unblinding::length(parameters.row_words()).bytes()), count)
}

/// S for each query.
pub(super) fn shifts<'a>(own: &'a [Word], theirs: &'a [Word]) -> impl Iterator<Item = u64> + 'a {
    own.iter().zip(theirs).map(|(own, theirs)| own ^ theirs)
}

/// How the two primaries come from their parts of the answers to their shares of the results.
pub(crate) trait Answering: Side {
    /// `read_b`, at once or when g has come.
    fn answer<C: Compute>(
        parts: Zeroizing<Vec<Word>>,
        items: &[&ReadItem<Self, C::Kept>],
        world: &mut World<Self, C>,
    ) -> Next<World<Self, C>>;
}

impl Answering for Side0 {
    fn answer<C: Compute>(
        parts: Zeroizing<Vec<Word>>,
        _items: &[&ReadItem<Self, C::Kept>],
        _world: &mut World<Self, C>,
    ) -> Next<World<Self, C>> {
        Next::state(UnblindingDue { parts })
    }
}

impl Answering for Side1 {
    /// `read_1 = <t^a_1<S>, E> + rho`.
    fn answer<C: Compute>(
        mut parts: Zeroizing<Vec<Word>>,
        items: &[&ReadItem<Self, C::Kept>],
        world: &mut World<Self, C>,
    ) -> Next<World<Self, C>> {
        let row_words = world.core.parameters().row_words();
        parts.chunks_mut(row_words).zip(items).for_each(|(part, item)| add(part, &item.rho));
        world.results = Results::of_rows(parts, row_words);
        Next::Done
    }
}

/// A primary that has sent its shift shares: the other primary's are due.
struct ShiftDue<S: Side, K: Send + 'static> {
    items: Vec<Kept<ReadItem<S, K>>>,
    /// `S_b` for each query.
    shares: Vec<Word>,
}

/// One item for each address share. Cut to h bits: more would tell the upper bits of the address.
pub(super) fn begin<S: Answering, C: Compute>(
    world: &mut World<S, C>,
    addresses: &[Word],
) -> Begun<World<S, C>> {
    let items = world.items.take_reads(addresses.len());
    let parameters = *world.core.parameters();
    let share = |(address, kept): (&Word, &Kept<ReadItem<S, C::Kept>>)| {
        parameters.reduce(address ^ *kept.item.random_index)
    };
    let message =
        Shift { log_size: parameters.log_size(), shares: addresses.iter().zip(&items).map(share).collect() };
    for to in S::ROLE.peers() {
        world.core.send(to, 0, &message);
    }
    Begun::new(READ, numbers(&items), ShiftDue { items, shares: message.shares })
}

impl<S: Answering, C: Compute> State<World<S, C>> for ShiftDue<S, C::Kept> {
    type Message = Shift;

    fn due(&self, world: &World<S, C>) -> Due<Shift> {
        let log_size = world.core.parameters().log_size();
        let shape = QueryShape { log_size, queries: self.shares.len() };
        Due { from: S::OTHER, round: 0, shape }
    }

    /// This party's part of the answers.
    fn receive(self, theirs: Shift, world: &mut World<S, C>) -> Next<World<S, C>> {
        let items: Vec<_> = self.items.iter().map(|kept| &kept.item).collect();
        let queries: Vec<_> = items.iter().copied().zip(shifts(&self.shares, &theirs.shares)).collect();
        let World { core, compute, memory, .. } = world;
        let parts = Zeroizing::new(S::read(compute, &core.key, memory, &queries));
        S::answer(parts, &items, world)
    }
}

/// P0, waiting for g.
struct UnblindingDue {
    /// `read_0 + g` for each query, w words.
    parts: Zeroizing<Vec<Word>>,
}

impl<C: Compute> State<World<Side0, C>> for UnblindingDue {
    type Message = Unblinding;

    fn due(&self, _world: &World<Side0, C>) -> Due<Unblinding> {
        Due { from: Role::P2, round: 0, shape: self.parts.len() }
    }

    fn receive(mut self, gs: Unblinding, world: &mut World<Side0, C>) -> Next<World<Side0, C>> {
        add(&mut self.parts, &gs.0);
        world.results = Results::of_rows(self.parts, world.core.parameters().row_words());
        Next::Done
    }
}

/// The helper, waiting for both shift shares, P0's first.
struct HelperRead<K> {
    items: Vec<Kept<HelperReadItem<K>>>,
    /// P0's, once they have come.
    shares_0: Option<Vec<Word>>,
}

/// The helper sends nothing until it knows the shifts.
pub(super) fn begin_helper<C: Compute>(world: &mut HelperWorld<C>, count: usize) -> Begun<HelperWorld<C>> {
    let items = world.items.take_reads(count);
    Begun::new(READ, numbers(&items), HelperRead { items, shares_0: None })
}

impl<C: Compute> State<HelperWorld<C>> for HelperRead<C::Kept> {
    type Message = Shift;

    fn due(&self, world: &HelperWorld<C>) -> Due<Shift> {
        let from = if self.shares_0.is_none() { Role::P0 } else { Role::P1 };
        let log_size = world.core.parameters().log_size();
        Due { from, round: 0, shape: QueryShape { log_size, queries: self.items.len() } }
    }

    /// `g = <t^b_1<S>, A> + <t^a_0<S>, B> + rho` for each query: rho is new each time, or P0 would learn sums of words of B.
    fn receive(self, shares: Shift, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let Some(shares_0) = self.shares_0 else {
            return Next::state(Self { shares_0: Some(shares.shares), ..self });
        };
        let HelperWorld { core, compute, memory, .. } = world;
        let queries: Vec<_> = (self.items.iter().zip(shifts(&shares_0, &shares.shares)))
            .map(|(kept, shift)| ReadQuery { keys: &kept.item.keys, shift })
            .collect();
        let mut parts = Zeroizing::new(compute.read_2(&core.key, memory, &queries));
        let rows = parts.chunks_mut(core.parameters().row_words());
        rows.zip(&self.items).for_each(|(part, kept)| add(part, &kept.item.rho));
        core.send(Role::P0, 0, &Unblinding(parts.to_vec()));
        world.results = Results::counted(self.items.len());
        Next::Done
    }
}
