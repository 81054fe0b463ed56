//! UPDATE, online (`[duoram, Protocol 2]` without a helper): one message in each direction.

use super::items::UpdateItem;
use super::pir::Pir;
use super::primary::PrimaryWorld;
use super::{Compute, UpdateQuery};
use crate::Word;
use crate::engine::Step;
use crate::engine::endpoint::Due;
use crate::engine::items::{Kept, numbers};
use crate::engine::queries::{QueryShape, check_shifts};
use crate::engine::step::{Begun, Next, State};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour};

/// UPDATE, online.
pub const UPDATE: Step = Step::new("update");

/// What P_b opens in one UPDATE (`[duoram, Protocol 2, line 5]`; erratum 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpdateOpening {
    /// `(i*_b - ri_b) mod n`.
    pub shift: Word,
    /// `M_b + F_b`.
    pub masked: Word,
}

/// P_b to P_c: the shift share and `M_b + F_b` for each query.
pub struct Updates(pub Vec<UpdateOpening>);

impl Message for Updates {
    const KIND: Kind = Kind::new(11, "updates");
    type Shape = QueryShape;

    fn length(shape: QueryShape) -> Length {
        Length::words(shape.queries.saturating_mul(2))
    }

    fn write(&self, out: &mut Writer) {
        self.0.iter().for_each(|opening| out.words(&[opening.shift, opening.masked]));
    }

    fn read(reader: &mut Reader<'_>, shape: QueryShape) -> Result<Self, Misbehaviour> {
        let mut opening = || UpdateOpening { shift: reader.word(), masked: reader.word() };
        let openings: Vec<_> = (0..shape.queries).map(|_| opening()).collect();
        check_shifts(reader, shape, openings.iter().map(|opening| opening.shift))?;
        Ok(Self(openings))
    }
}

/// A party that has sent its openings: the other's are due.
struct UpdatesDue {
    items: Vec<Kept<UpdateItem>>,
    own: Vec<UpdateOpening>,
}

/// One item for each pair of an address share and `M_b`.
pub(super) fn begin<C: Compute, P: Pir>(
    world: &mut PrimaryWorld<C, P>,
    updates: &[(Word, Word)],
) -> Begun<PrimaryWorld<C, P>> {
    let items = world.items.take_updates(updates.len());
    Begun::new(UPDATE, numbers(&items), updates_due(world, items, updates))
}

/// Sends the openings of an UPDATE, or of the one that a WRITE ends with.
pub(super) fn updates_due<C: Compute, P: Pir>(
    world: &mut PrimaryWorld<C, P>,
    items: Vec<Kept<UpdateItem>>,
    updates: &[(Word, Word)],
) -> impl State<PrimaryWorld<C, P>> + use<C, P> {
    let parameters = *world.core.parameters();
    let opening = |((address, value), kept): (&(Word, Word), &Kept<UpdateItem>)| UpdateOpening {
        shift: parameters.reduce(address.wrapping_sub(*kept.item.random_index)),
        masked: value.wrapping_add(*kept.item.final_correction),
    };
    let message = Updates(updates.iter().zip(&items).map(opening).collect());
    world.core.send(world.other, 0, &message);
    UpdatesDue { items, own: message.0 }
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for UpdatesDue {
    type Message = Updates;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<Updates> {
        let log_size = world.core.parameters().log_size();
        Due { from: world.other, round: 0, shape: QueryShape { log_size, queries: self.own.len() } }
    }

    /// With F and the shifts reconstructed (`[duoram, Protocol 2, lines 6 to 8]`).
    fn receive(self, theirs: Updates, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let PrimaryWorld { core, tools, memory, .. } = world;
        let mut queries = Vec::with_capacity(self.items.len());
        for (kept, (own, theirs)) in self.items.into_iter().zip(self.own.iter().zip(&theirs.0)) {
            queries.push(UpdateQuery {
                key: kept.item.key,
                final_correction: own.masked.wrapping_add(theirs.masked),
                shift: core.parameters().reduce(own.shift.wrapping_add(theirs.shift)),
            });
        }
        tools.compute.update(&core.key, core.role(), memory, &queries);
        Next::Done
    }
}
