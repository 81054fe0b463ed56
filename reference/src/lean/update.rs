//! UPDATE, online: one sequential message.

use super::helper::HelperWorld;
use super::items::{HelperUpdateItem, UpdateItem};
use super::primary::World;
use super::read::{read_shifts, shifts};
use super::side::Side;
use super::{Compute, UpdateQuery, address_bytes};
use crate::Word;
use crate::engine::Step;
use crate::engine::endpoint::Due;
use crate::engine::items::{Kept, numbers};
use crate::engine::queries::QueryShape;
use crate::engine::step::{Begun, Next, State};
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
    /// `m_b`.
    pub masked: Vec<Word>,
}

impl Message for Update {
    const KIND: Kind = Kind::new(14, "update");
    type Shape = QueryShape;

    fn length(shape: QueryShape) -> Length {
        let addresses = Length::of_bytes(shape.queries.saturating_mul(address_bytes(shape.log_size)));
        addresses.and(Length::words(shape.queries))
    }

    fn write(&self, out: &mut Writer) {
        for &share in &self.shares {
            out.short(address_bytes(self.log_size), share);
        }
        out.words(&self.masked);
    }

    fn read(reader: &mut Reader<'_>, shape: QueryShape) -> Result<Self, Misbehaviour> {
        let shares = read_shifts(reader, shape)?;
        Ok(Self { log_size: shape.log_size, shares, masked: reader.words(shape.queries) })
    }
}

impl Update {
    /// S and `F_a` of each query.
    fn opened<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (u64, Word)> + 'a {
        let corrections = self.masked.iter().zip(&other.masked).map(|(own, theirs)| own ^ theirs);
        shifts(&self.shares, &other.shares).zip(corrections)
    }
}

/// A primary that has sent its openings: the other primary's are due.
struct UpdateDue<S: Side, K: Send + 'static> {
    items: Vec<Kept<UpdateItem<S, K>>>,
    own: Update,
}

/// One item for each pair of an address share and `M_b`.
pub(super) fn begin<S: Side, C: Compute>(
    world: &mut World<S, C>,
    updates: &[(Word, Word)],
) -> Begun<World<S, C>> {
    let items = world.items.take_updates(updates.len());
    let parameters = *world.core.parameters();
    let both = || updates.iter().zip(&items).map(|(update, kept)| (update, &kept.item));
    let own = Update {
        log_size: parameters.log_size(),
        shares: both()
            .map(|((address, _), item)| parameters.reduce(address ^ *item.read.random_index))
            .collect(),
        masked: both().map(|((_, value), item)| value ^ *item.update_mask).collect(),
    };
    for to in S::ROLE.peers() {
        world.core.send(to, 0, &own);
    }
    Begun::new(UPDATE, numbers(&items), UpdateDue { items, own })
}

impl<S: Side, C: Compute> State<World<S, C>> for UpdateDue<S, C::Kept> {
    type Message = Update;

    fn due(&self, world: &World<S, C>) -> Due<Update> {
        let log_size = world.core.parameters().log_size();
        Due { from: S::OTHER, round: 0, shape: QueryShape { log_size, queries: self.items.len() } }
    }

    fn receive(self, theirs: Update, world: &mut World<S, C>) -> Next<World<S, C>> {
        let World { core, compute, memory, .. } = world;
        let queries: Vec<_> = (self.items.iter().zip(self.own.opened(&theirs)))
            .map(|(kept, (shift, f_a))| (&kept.item, f_a, shift))
            .collect();
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

/// What the helper applies of an opened `F_a` at a shift: `F_b = F_a + delta`.
pub(super) fn helper_query<K>(item: &HelperUpdateItem<K>, f_a: Word, shift: u64) -> UpdateQuery<'_, K, 2> {
    UpdateQuery { keys: &item.read.keys, final_corrections: [f_a, f_a ^ *item.delta], shift }
}

impl<C: Compute> State<HelperWorld<C>> for HelperUpdateDue<C::Kept> {
    type Message = Update;

    fn due(&self, world: &HelperWorld<C>) -> Due<Update> {
        let from = if self.openings_0.is_none() { Role::P0 } else { Role::P1 };
        let log_size = world.core.parameters().log_size();
        Due { from, round: 0, shape: QueryShape { log_size, queries: self.items.len() } }
    }

    fn receive(self, openings: Update, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let Some(openings_0) = self.openings_0 else {
            return Next::state(Self { openings_0: Some(openings), ..self });
        };
        let HelperWorld { core, compute, memory, .. } = world;
        let queries: Vec<_> = (self.items.iter().zip(openings_0.opened(&openings)))
            .map(|(kept, (shift, f_a))| helper_query(&kept.item, f_a, shift))
            .collect();
        compute.update_both(&core.key, memory, &queries);
        Next::Done
    }
}
