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
pub(super) struct QueriesDue<P> {
    pub(super) material: Material,
    pub(super) pir: P,
    pub(super) log_size: u32,
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for QueriesDue<P> {
    type Message = Queries;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<Queries> {
        let batch = self.material.drawn.batch;
        let shape = StringsShape { count: batch.reads, bytes: self.pir.query_length(self.log_size) };
        Due { from: world.other, round: agreed(batch), shape }
    }

    fn check(&self, from: Role, theirs: &Queries) -> Result<(), Misbehaviour> {
        let check = |query: &[u8]| self.pir.check_query(self.log_size, query);
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
