//! UPDATE, online: one sequential message.

use super::helper::HelperWorld;
use super::items::{HelperUpdateItem, UpdateItem};
use super::primary::World;
use super::read::{read_shifts, shifts};
use super::side::Side;
use super::{Compute, Row, UpdateQuery, add, address_bytes, sum};
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::items::{Kept, numbers};
use crate::engine::queries::{self, QueryShape};
use crate::engine::step::{Begun, Next, State};
use crate::engine::{Error, Parameters, Step};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// UPDATE, online.
pub const UPDATE: Step = Step::new("update");

/// P_b to the others: for each query `S_b` and `m_b = M_b + f^a_b + x`. Without x, P2 would learn `M_1`.
pub struct Update {
    /// h.
    pub log_size: u32,
    /// `S_b`, each below n.
    pub shares: Vec<Word>,
    /// `m_b`, w words each.
    pub masked: Vec<Word>,
}

/// What an update is known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpdateShape {
    /// The step's queries.
    pub query: QueryShape,
    /// w.
    pub row_words: usize,
}

impl UpdateShape {
    fn of(parameters: &Parameters, queries: usize) -> Self {
        let query = QueryShape { log_size: parameters.log_size(), queries };
        Self { query, row_words: parameters.row_words() }
    }

    fn words(self) -> usize {
        self.query.queries.saturating_mul(self.row_words)
    }
}

/// Whether an UPDATE step takes so many queries: its message must fit a payload.
pub(super) fn check_count(parameters: &Parameters, count: usize) -> Result<(), Error> {
    queries::check_count(Update::length(UpdateShape::of(parameters, 1)).bytes(), count)
}

impl Message for Update {
    const KIND: Kind = Kind::new(14, "update");
    type Shape = UpdateShape;

    fn length(shape: UpdateShape) -> Length {
        let QueryShape { log_size, queries } = shape.query;
        let addresses = Length::of_bytes(queries.saturating_mul(address_bytes(log_size)));
        addresses.and(Length::words(shape.words()))
    }

    fn write(&self, out: &mut Writer) {
        for &share in &self.shares {
            out.short(address_bytes(self.log_size), share);
        }
        out.words(&self.masked);
    }

    fn read(reader: &mut Reader<'_>, shape: UpdateShape) -> Result<Self, Misbehaviour> {
        let shares = read_shifts(reader, shape.query)?;
        Ok(Self { log_size: shape.query.log_size, shares, masked: reader.words(shape.words()) })
    }
}

impl Update {
    /// S and `F_a` of each query, of which this becomes a part.
    fn opened<'a>(
        &'a mut self,
        other: &'a Self,
        row_words: usize,
    ) -> impl Iterator<Item = (u64, &'a [Word])> + 'a {
        add(&mut self.masked, &other.masked);
        shifts(&self.shares, &other.shares).zip(self.masked.chunks(row_words))
    }
}

/// A primary that has sent its openings: the other primary's are due.
struct UpdateDue<S: Side, K: Send + 'static> {
    items: Vec<Kept<UpdateItem<S, K>>>,
    own: Update,
}

/// One item for each address share and `M_b` behind it, `1 + w` words.
pub(super) fn begin<S: Side, C: Compute>(world: &mut World<S, C>, operands: &[Word]) -> Begun<World<S, C>> {
    let parameters = *world.core.parameters();
    let operands = operands.chunks_exact(1 + parameters.row_words());
    let items = world.items.take_updates(operands.len());
    let mut own = Update {
        log_size: parameters.log_size(),
        shares: Vec::with_capacity(items.len()),
        masked: Vec::with_capacity(items.len() * parameters.row_words()),
    };
    for (operands, kept) in operands.zip(&items) {
        own.shares.push(parameters.reduce(operands[0] ^ *kept.item.read.random_index));
        let masked = operands[1..].iter().zip(kept.item.update_mask.iter());
        own.masked.extend(masked.map(|(value, mask)| value ^ mask));
    }
    for to in S::ROLE.peers() {
        world.core.send(to, 0, &own);
    }
    Begun::new(UPDATE, numbers(&items), UpdateDue { items, own })
}

impl<S: Side, C: Compute> State<World<S, C>> for UpdateDue<S, C::Kept> {
    type Message = Update;

    fn due(&self, world: &World<S, C>) -> Due<Update> {
        let shape = UpdateShape::of(world.core.parameters(), self.items.len());
        Due { from: S::OTHER, round: 0, shape }
    }

    fn receive(mut self, theirs: Update, world: &mut World<S, C>) -> Next<World<S, C>> {
        let World { core, compute, memory, .. } = world;
        let opened = self.own.opened(&theirs, core.parameters().row_words());
        let queries: Vec<_> =
            (self.items.iter().zip(opened)).map(|(kept, (shift, f_a))| (&kept.item, f_a, shift)).collect();
        S::update(compute, &core.key, memory, &queries);
        Next::Done
    }
}

/// The helper, waiting for both openings, P0's first.
struct HelperUpdateDue<K> {
    items: Vec<Kept<HelperUpdateItem<K>>>,
    /// P0's, once they have come.
    openings_0: Option<Update>,
}

/// The helper sends nothing in an UPDATE.
pub(super) fn begin_helper<C: Compute>(world: &mut HelperWorld<C>, count: usize) -> Begun<HelperWorld<C>> {
    let items = world.items.take_updates(count);
    Begun::new(UPDATE, numbers(&items), HelperUpdateDue { items, openings_0: None })
}

/// An item of P2, the `F_a` that was opened for it, and its shift.
type Opened<'a, K> = (&'a HelperUpdateItem<K>, &'a [Word], u64);

/// What the helper applies of opened `F_a` at shifts: `F_b = F_a + delta`.
pub(super) fn apply_helper<C: Compute>(world: &mut HelperWorld<C>, opened: &[Opened<'_, C::Kept>]) {
    let HelperWorld { core, compute, memory, .. } = world;
    let f_bs: Vec<Row> = opened.iter().map(|(item, f_a, _)| sum(f_a, &[&item.delta])).collect();
    let queries: Vec<_> = (opened.iter().zip(&f_bs))
        .map(|(&(item, f_a, shift), f_b)| UpdateQuery {
            keys: &item.read.keys,
            final_corrections: [f_a, f_b],
            shift,
        })
        .collect();
    compute.update_both(&core.key, memory, &queries);
}

impl<C: Compute> State<HelperWorld<C>> for HelperUpdateDue<C::Kept> {
    type Message = Update;

    fn due(&self, world: &HelperWorld<C>) -> Due<Update> {
        let from = if self.openings_0.is_none() { Role::P0 } else { Role::P1 };
        Due { from, round: 0, shape: UpdateShape::of(world.core.parameters(), self.items.len()) }
    }

    fn receive(self, openings: Update, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let Some(mut openings_0) = self.openings_0 else {
            return Next::state(Self { openings_0: Some(openings), ..self });
        };
        let opened = openings_0.opened(&openings, world.core.parameters().row_words());
        let opened: Vec<_> =
            self.items.iter().zip(opened).map(|(kept, (shift, f_a))| (&kept.item, f_a, shift)).collect();
        apply_helper(world, &opened);
        Next::Done
    }
}
