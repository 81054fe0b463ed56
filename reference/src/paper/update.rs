//! UPDATE and REFRESHBLINDS, online (`[duoram, Protocol 2, lines 5 to 10]`).

use super::helper::HelperWorld;
use super::items::{HelperItem, UpdateItem};
use super::primary::PrimaryWorld;
use super::{Compute, HelperUpdateQuery, QueryShape, UpdateQuery, shifts};
use crate::Word;
use crate::engine::Step;
use crate::engine::endpoint::Due;
use crate::engine::items::{Kept, numbers};
use crate::engine::queries::check_shifts;
use crate::engine::step::{Begun, Next, State};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// Protocol 2, online.
pub const UPDATE: Step = Step::new("update");

/// What P_b opens to P_(1-b) in one UPDATE (`[duoram, Protocol 2, line 5]`; erratum 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpdateOpening {
    /// `(i*_b - ri_b) mod n`.
    pub shift: Word,
    /// `M_b + F_b^(k)` for k = 1, 2, 3.
    pub masked: [Word; 3],
}

/// What P_b opens to P2 in one UPDATE: all but DPF 1, which P2 has no use for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HelperUpdateOpening {
    /// `(i*_b - ri_b) mod n`.
    pub shift: Word,
    /// `M_b + F_b^(k)` for k = 2, 3.
    pub masked: [Word; 2],
}

/// P_b to P_(1-b): the shift share and `M_b + F_b` for each query.
pub struct Update(pub Vec<UpdateOpening>);

/// P_b to P2: the shift share and `M_b + F_b` of DPFs 2 and 3 for each query.
pub struct HelperUpdate(pub Vec<HelperUpdateOpening>);

impl Message for Update {
    const KIND: Kind = Kind::new(12, "update");
    type Shape = QueryShape;

    fn length(shape: QueryShape) -> Length {
        Length::words(shape.queries.saturating_mul(4))
    }

    fn write(&self, out: &mut Writer) {
        for opening in &self.0 {
            out.word(opening.shift);
            out.words(&opening.masked);
        }
    }

    fn read(reader: &mut Reader<'_>, shape: QueryShape) -> Result<Self, Misbehaviour> {
        let mut opening =
            || UpdateOpening { shift: reader.word(), masked: [reader.word(), reader.word(), reader.word()] };
        let openings: Vec<_> = (0..shape.queries).map(|_| opening()).collect();
        check_shifts(reader, shape, openings.iter().map(|opening| opening.shift))?;
        Ok(Self(openings))
    }
}

impl Message for HelperUpdate {
    const KIND: Kind = Kind::new(13, "helper update");
    type Shape = QueryShape;

    fn length(shape: QueryShape) -> Length {
        Length::words(shape.queries.saturating_mul(3))
    }

    fn write(&self, out: &mut Writer) {
        for opening in &self.0 {
            out.word(opening.shift);
            out.words(&opening.masked);
        }
    }

    fn read(reader: &mut Reader<'_>, shape: QueryShape) -> Result<Self, Misbehaviour> {
        let mut opening =
            || HelperUpdateOpening { shift: reader.word(), masked: [reader.word(), reader.word()] };
        let openings: Vec<_> = (0..shape.queries).map(|_| opening()).collect();
        check_shifts(reader, shape, openings.iter().map(|opening| opening.shift))?;
        Ok(Self(openings))
    }
}

/// A primary that has sent its openings: the other primary's are due.
struct UpdateDue {
    items: Vec<Kept<UpdateItem>>,
    own: Vec<UpdateOpening>,
}

/// One item for each pair of an address share and `M_b` (`[duoram, Protocol 2, line 5]`; erratum 8: minus ri_b).
pub(super) fn begin<C: Compute>(
    world: &mut PrimaryWorld<C>,
    updates: &[(Word, Word)],
) -> Begun<PrimaryWorld<C>> {
    let items = world.items.take_updates(updates.len());
    let parameters = *world.core.parameters();
    let opening = |((address, value), kept): (&(Word, Word), &Kept<UpdateItem>)| UpdateOpening {
        shift: parameters.reduce(address.wrapping_sub(*kept.item.random_index)),
        masked: kept.item.final_corrections.map(|correction| value.wrapping_add(correction)),
    };
    let to_primary = Update(updates.iter().zip(&items).map(opening).collect());
    let of_helper = |&UpdateOpening { shift, masked: [_, second, third] }: &UpdateOpening| {
        HelperUpdateOpening { shift, masked: [second, third] }
    };
    let to_helper = HelperUpdate(to_primary.0.iter().map(of_helper).collect());
    world.core.send(world.other, 0, &to_primary);
    world.core.send(Role::P2, 0, &to_helper);
    Begun::new(UPDATE, numbers(&items), UpdateDue { items, own: to_primary.0 })
}

impl<C: Compute> State<PrimaryWorld<C>> for UpdateDue {
    type Message = Update;

    fn due(&self, world: &PrimaryWorld<C>) -> Due<Update> {
        let log_size = world.core.parameters().log_size();
        let shape = QueryShape { log_size, queries: self.own.len() };
        Due { from: world.other, round: 0, shape }
    }

    /// With the final correction words and shifts reconstructed (`[duoram, Protocol 2, lines 6 to 9]`).
    fn receive(self, theirs: Update, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        let PrimaryWorld { core, compute, memory, .. } = world;
        let own_shifts = self.own.iter().map(|opening| opening.shift);
        let shifts = shifts(core.parameters(), own_shifts, theirs.0.iter().map(|opening| opening.shift));
        let openings = self.own.iter().zip(&theirs.0);
        let mut queries = Vec::with_capacity(self.items.len());
        for ((kept, (own, theirs)), shift) in self.items.into_iter().zip(openings).zip(shifts) {
            queries.push(UpdateQuery {
                dpfs: kept.item.dpfs,
                final_corrections: sums(own.masked, theirs.masked),
                shift,
            });
        }
        compute.update(&core.key, core.role(), memory, &queries);
        Next::Done
    }
}

/// The helper, waiting for both openings, P0's first.
struct HelperUpdateDue {
    items: Vec<Kept<HelperItem>>,
    /// P0's, once they have come.
    openings_0: Option<Vec<HelperUpdateOpening>>,
}

/// The helper sends nothing in an UPDATE.
pub(super) fn begin_helper<C: Compute>(world: &mut HelperWorld<C>, count: usize) -> Begun<HelperWorld<C>> {
    let items = world.items.take_updates(count);
    Begun::new(UPDATE, numbers(&items), HelperUpdateDue { items, openings_0: None })
}

impl<C: Compute> State<HelperWorld<C>> for HelperUpdateDue {
    type Message = HelperUpdate;

    fn due(&self, world: &HelperWorld<C>) -> Due<HelperUpdate> {
        let from = if self.openings_0.is_none() { Role::P0 } else { Role::P1 };
        let log_size = world.core.parameters().log_size();
        Due { from, round: 0, shape: QueryShape { log_size, queries: self.items.len() } }
    }

    /// With all openings (`[duoram, Protocol 2, lines 6, 7 and 10]`).
    fn receive(self, openings: HelperUpdate, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let Some(openings_0) = self.openings_0 else {
            return Next::state(Self { openings_0: Some(openings.0), ..self });
        };
        let HelperWorld { core, compute, memory, .. } = world;
        let shares = |openings: &[HelperUpdateOpening]| -> Vec<Word> {
            openings.iter().map(|opening| opening.shift).collect()
        };
        let shifts =
            shifts(core.parameters(), shares(&openings_0).into_iter(), shares(&openings.0).into_iter());
        let openings = openings_0.iter().zip(&openings.0);
        let mut queries = Vec::with_capacity(self.items.len());
        for ((kept, (opening_0, opening_1)), shift) in self.items.into_iter().zip(openings).zip(shifts) {
            let [final_correction_2, final_correction_3] = sums(opening_0.masked, opening_1.masked);
            queries.push(HelperUpdateQuery {
                dpf_2: kept.item.dpf_2,
                dpf_3: kept.item.dpf_3,
                final_correction_2,
                final_correction_3,
                shift,
            });
        }
        compute.update_blinds(&core.key, memory, &queries);
        Next::Done
    }
}

/// `F^(k) = (M_0 + F_0^(k)) + (M_1 + F_1^(k))`.
fn sums<const K: usize>(left: [Word; K], right: [Word; K]) -> [Word; K] {
    std::array::from_fn(|k| left[k].wrapping_add(right[k]))
}
