//! The PIR queries of the READ items.

use super::levels::Growth;
use super::material::Material;
use super::{READ_ITEMS, agreed};
use crate::engine::endpoint::Due;
use crate::engine::step::{Next, State};
use crate::two_party::pir::Pir;
use crate::two_party::primary::PrimaryWorld;
use crate::two_party::{Compute, StringsShape, check_each};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// P_b to P_c: a query for each READ item, for its index `q_b`.
pub struct Queries(pub Vec<Vec<u8>>);

impl Message for Queries {
    const KIND: Kind = Kind::agreeing(5, "queries", READ_ITEMS).making();
    type Shape = StringsShape;

    fn length(shape: StringsShape) -> Length {
        shape.length()
    }

    fn write(&self, out: &mut Writer) {
        self.0.iter().for_each(|query| out.bytes(query));
    }

    fn read(reader: &mut Reader<'_>, shape: StringsShape) -> Result<Self, Misbehaviour> {
        Ok(Self(shape.read(reader)))
    }
}

/// A party that has all of its OTs: the other's queries are due.
pub(super) struct QueriesDue {
    pub(super) material: Material,
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for QueriesDue {
    type Message = Queries;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<Queries> {
        let batch = self.material.drawn.batch;
        let bytes = world.tools.pir.query_length(world.core.parameters().log_size());
        let shape = StringsShape { count: batch.reads, bytes };
        Due { from: world.other, round: agreed(batch), shape }
    }

    fn check(&self, world: &PrimaryWorld<C, P>, from: Role, theirs: &Queries) -> Result<(), Misbehaviour> {
        let log_size = world.core.parameters().log_size();
        let check = |query: &[u8]| world.tools.pir.check_query(log_size, query);
        check_each(Queries::KIND, from, &theirs.0, check)
    }

    fn receive(self, theirs: Queries, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let mut material = Material { queries: theirs.0, ..self.material };
        if material.dpfs() > 0 {
            return Growth::plant(material, world);
        }
        material.put_reads(&mut world.items);
        Next::Done
    }
}
