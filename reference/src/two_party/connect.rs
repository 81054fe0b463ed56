//! Connect: K, the base OTs in both directions, and the PIR's keys.

use std::cell::OnceCell;

use zeroize::Zeroizing;

use super::Compute;
use super::channels::{Channels, Private};
use super::ot::base::{BaseSender, Point, Scalars};
use super::ot::{COLUMNS, Receiver, Seed, Sender};
use super::pir::Pir;
use super::primary::PrimaryWorld;
use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Next, State};
use crate::engine::{Lane, SessionKey, Step};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Bound, Kind, Length, Message, Misbehaviour, Role};
use crate::{Block, Word};

/// Agreeing on the session's key, and on what OTs and PIR come from.
pub const CONNECT: Step = Step::new("connect");

/// The rule that both parties run with the same size.
pub const LOG_SIZE: &str = "lg n";

/// The rule for points.
pub const POINT: &str = "not the canonical encoding of a point other than the identity";

/// The bytes of a point.
const POINT_BYTES: usize = 32;

/// The first message in each direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The sender's contribution to K.
    pub contribution: Block,
    /// The sender's h.
    pub log_size: Word,
    /// A, of the base OTs of which it is the sender.
    pub point: Point,
}

/// `B_i` of each base OT of which the sender of this message is the receiver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BaseChoices(pub Vec<Point>);

/// What the sender's PIR client has for the server.
pub struct PirKeys(pub Vec<u8>);

fn read_point(reader: &mut Reader<'_>, at: &[(&'static str, usize)]) -> Result<Point, Misbehaviour> {
    Point::read(reader.array()).ok_or_else(|| reader.invalid(POINT, at))
}

impl Message for Hello {
    const KIND: Kind = Kind::new(1, "hello").making();

    /// h.
    type Shape = u32;

    fn length(_log_size: u32) -> Length {
        Length::blocks(1).and(Length::words(1)).and(Length::of_bytes(POINT_BYTES))
    }

    fn write(&self, out: &mut Writer) {
        out.block(self.contribution);
        out.word(self.log_size);
        out.bytes(self.point.encoding());
    }

    fn read(reader: &mut Reader<'_>, log_size: u32) -> Result<Self, Misbehaviour> {
        let (contribution, got) = (reader.block(), reader.word());
        let expected = Word::from(log_size);
        if got != expected {
            return Err(reader.content(LOG_SIZE, &[], Bound::Is(expected), got));
        }
        Ok(Self { contribution, log_size: got, point: read_point(reader, &[])? })
    }
}

impl Message for BaseChoices {
    const KIND: Kind = Kind::new(2, "base choices").making();
    type Shape = ();

    fn length((): ()) -> Length {
        Length::of_bytes(COLUMNS * POINT_BYTES)
    }

    fn write(&self, out: &mut Writer) {
        self.0.iter().for_each(|point| out.bytes(point.encoding()));
    }

    fn read(reader: &mut Reader<'_>, (): ()) -> Result<Self, Misbehaviour> {
        (0..COLUMNS)
            .map(|number| read_point(reader, &[("point", number)]))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl Message for PirKeys {
    const KIND: Kind = Kind::new(3, "pir keys").making();

    /// The number of bytes.
    type Shape = usize;

    fn length(bytes: usize) -> Length {
        Length::of_bytes(bytes)
    }

    fn write(&self, out: &mut Writer) {
        out.bytes(&self.0);
    }

    fn read(reader: &mut Reader<'_>, bytes: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.bytes(bytes).to_vec()))
    }
}

/// A party that has sent its hello: the other's is due.
struct HelloDue {
    contribution: Block,
    base: BaseSender,
    /// What the rest of the step is drawn from.
    private: Private,
}

/// Draws the own contribution to K, and a point.
pub(super) fn begin<C: Compute, P: Pir>(world: &mut PrimaryWorld<C, P>) -> Begun<PrimaryWorld<C, P>> {
    let mut private = Private::of(&world.core.stream_of(Lane::Making).seed());
    let contribution = world.core.stream().block();
    let base = BaseSender::draw(&mut private.transfers);
    let log_size = world.core.parameters().log_size().into();
    world.core.send(world.other, 0, &Hello { contribution, log_size, point: *base.point() });
    Begun::new(CONNECT, Vec::new(), HelloDue { contribution, base, private })
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for HelloDue {
    type Message = Hello;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<Hello> {
        Due { from: world.other, round: 0, shape: world.core.parameters().log_size() }
    }

    /// Draws Delta and the scalars of the base OTs.
    fn receive(self, hello: Hello, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let Self { contribution, base, mut private } = self;
        let (other, parameters) = (world.other, *world.core.parameters());
        let delta = Zeroizing::new(private.transfers.block());
        let scalars = Scalars::draw(&mut private.transfers);
        let (points, seeds) =
            world.tools.compute.choose(&scalars, parameters.session(), other, &hello.point, *delta);
        let sender = Sender::new(other, *delta, seeds);
        world.core.send(other, 0, &BaseChoices(points));
        let (client, setup) = world.tools.pir.client(parameters.log_size(), &private.pir);
        world.core.send(other, 0, &PirKeys(setup));
        let client = Box::new(client);
        let sum = contribution ^ hello.contribution;
        Next::state(ChoicesDue::<P> { sum, base, sender, client, pir_seed: private.pir })
    }
}

/// A party that has sent its choices and the keys of its PIR client: the other's choices are due.
struct ChoicesDue<P: Pir> {
    /// K, which becomes the party's when the step is done: until then a lane is saved as one that has not connected.
    sum: Block,
    base: BaseSender,
    sender: Sender,
    client: Box<P::Client>,
    pir_seed: Box<Zeroizing<Seed>>,
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for ChoicesDue<P> {
    type Message = BaseChoices;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<BaseChoices> {
        Due { from: world.other, round: 0, shape: () }
    }

    fn receive(self, theirs: BaseChoices, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let Self { sum, base, sender, client, pir_seed } = self;
        let (role, session) = (world.core.role(), world.core.parameters().session());
        let seeds = world.tools.compute.seeds(&base, session, role, &theirs.0);
        let receiver = Receiver::new(role, seeds);
        Next::state(KeysDue::<P> { sum, receiver, sender, client, pir_seed, server: OnceCell::new() })
    }
}

/// The keys of the other's PIR client are due.
struct KeysDue<P: Pir> {
    sum: Block,
    receiver: Receiver,
    sender: Sender,
    client: Box<P::Client>,
    pir_seed: Box<Zeroizing<Seed>>,
    /// What the check has made of them.
    server: OnceCell<P::Server>,
}

impl<C: Compute, P: Pir> State<PrimaryWorld<C, P>> for KeysDue<P> {
    type Message = PirKeys;

    fn due(&self, world: &PrimaryWorld<C, P>) -> Due<PirKeys> {
        Due {
            from: world.other,
            round: 0,
            shape: world.tools.pir.setup_length(world.core.parameters().log_size()),
        }
    }

    fn check(&self, world: &PrimaryWorld<C, P>, from: Role, theirs: &PirKeys) -> Result<(), Misbehaviour> {
        let invalid = |rule| Misbehaviour::Invalid { from, kind: PirKeys::KIND, rule, at: Vec::new() };
        let server =
            world.tools.pir.server(world.core.parameters().log_size(), &theirs.0).map_err(invalid)?;
        self.server.get_or_init(|| server);
        Ok(())
    }

    fn receive(self, theirs: PirKeys, world: &mut PrimaryWorld<C, P>) -> Next<PrimaryWorld<C, P>> {
        let Self { sum, receiver, sender, client, pir_seed, server, .. } = self;
        let channels = |server| Channels { receiver, sender, client, pir_seed, server, setup: theirs.0 };
        world.core.key = SessionKey::new(sum.to_le_bytes());
        world.channels = server.into_inner().map(channels).map(Box::new);
        Next::Done
    }
}
