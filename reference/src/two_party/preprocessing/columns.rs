//! OT columns: the one message from which all OTs of a batch come, h of each item in each direction.

use zeroize::Zeroizing;

use super::drawn::Drawn;
use super::levels::Growth;
use super::material::Material;
use super::queries::{Queries, QueriesDue};
use super::{PREPROCESS, READ_ITEMS, agreed};
use crate::Block;
use crate::engine::Batch;
use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Next, State};
use crate::two_party::Compute;
use crate::two_party::ot::COLUMNS;
use crate::two_party::ot::extension::Extent;
use crate::two_party::pir::Pir;
use crate::two_party::primary::PrimaryWorld;
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour};

/// P_b to P_c: the columns of the OTs that P_b receives.
pub struct OtColumns(pub Vec<u8>);

impl Message for OtColumns {
    const KIND: Kind = Kind::agreeing(4, "ot columns", READ_ITEMS).making();

    /// The number of OTs.
    type Shape = usize;

    fn length(transfers: usize) -> Length {
        Length::bits(transfers).times(COLUMNS)
    }

    fn write(&self, out: &mut Writer) {
        out.bytes(&self.0);
    }

    fn read(reader: &mut Reader<'_>, transfers: usize) -> Result<Self, Misbehaviour> {
        let mut columns = Vec::with_capacity(Self::length(transfers).bytes());
        for _ in 0..COLUMNS {
            columns.extend_from_slice(reader.packed(transfers)?);
        }
        Ok(Self(columns))
    }
}

/// A party that has sent its columns: the other's are due.
struct ColumnsDue {
    drawn: Drawn,
    extent: Extent,
    /// The keys that the own choices choose.
    received: Zeroizing<Vec<Block>>,
}

/// Draws, and sends all that does not depend on the other party.
///
/// Stream and index of the OTs come from the numbers of the items, of which no two of a session are the same.
pub(in crate::two_party) fn begin<C: Compute, P: Pir>(
    world: &mut PrimaryWorld<C, P>,
    batch: Batch,
) -> Begun<PrimaryWorld<C, P>> {
    let PrimaryWorld { core, other, tools, channels, items, .. } = world;
    let Some(channels) = channels else { return Begun::without_items(PREPROCESS, Next::Done) };
    let parameters = *core.parameters();
    let first = items.made();
    let extent = Extent { stream: first, first: first.wrapping_mul(parameters.log_size().into()) };
    let drawn = Drawn::draw(core.role(), batch, &parameters, core.stream());
    let (columns, received) = channels.receiver.extend(extent, &drawn.choices());
    core.send(*other, agreed(batch), &OtColumns(columns));
    if batch.reads > 0 {
        let query = |(number, &index)| tools.pir.query(&channels.client, index, number);
        let queries = (first..).zip(&drawn.indices).map(query).collect();
        core.send(*other, agreed(batch), &Queries(queries));
    }
    Begun::new(PREPROCESS, items.coming(batch), ColumnsDue { drawn, extent, received })
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for ColumnsDue {
    type Message = OtColumns;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<OtColumns> {
        Due { from: world.other, round: agreed(self.drawn.batch), shape: self.received.len() }
    }

    /// The keys of the OTs that this party sends.
    fn receive(self, theirs: OtColumns, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let Self { drawn, extent, received } = self;
        let Some(channels) = &world.channels else { return Next::Done };
        let sent = channels.sender.extend(extent, &theirs.0, received.len());
        let reads = drawn.batch.reads;
        let material = Material { drawn, received, sent, queries: Vec::new() };
        if reads > 0 { Next::state(QueriesDue { material }) } else { Growth::plant(material, world) }
    }
}
