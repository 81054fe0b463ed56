//! Connect: K is the XOR of a contribution of each party, so it is random if one of them is.

use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Next, State, World};
use crate::engine::{SessionKey, Step};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Bound, Kind, Length, Message, Misbehaviour, Role};
use crate::{Block, Word};

/// Agreeing on the session's key.
pub const CONNECT: Step = Step::new("connect");

/// The rule that all three parties run with the same size.
pub const LOG_SIZE: &str = "lg n";

/// All to all: the first message on every link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The sender's contribution to K.
    pub contribution: Block,
    /// The sender's h.
    pub log_size: Word,
}

impl Message for Hello {
    const KIND: Kind = Kind::new(1, "hello").making();

    /// h.
    type Shape = u32;

    fn length(_log_size: u32) -> Length {
        Length::blocks(1).and(Length::words(1))
    }

    fn write(&self, out: &mut Writer) {
        out.block(self.contribution);
        out.word(self.log_size);
    }

    fn read(reader: &mut Reader<'_>, log_size: u32) -> Result<Self, Misbehaviour> {
        let hello = Self { contribution: reader.block(), log_size: reader.word() };
        let expected = Word::from(log_size);
        if hello.log_size == expected {
            Ok(hello)
        } else {
            Err(reader.content(LOG_SIZE, &[], Bound::Is(expected), hello.log_size))
        }
    }
}

/// Between the own hello and the last of the peers'.
struct Handshake {
    /// The XOR of the contributions so far.
    sum: Block,
    /// The peer whose hello is due.
    next: Role,
    /// The peer whose hello is due last.
    last: Role,
}

/// Draws the own contribution, and sends it to both peers.
pub(super) fn begin<W: World>(world: &mut W) -> Begun<W> {
    let core = world.core_mut();
    let sum = core.stream().block();
    let hello = Hello { contribution: sum, log_size: core.parameters().log_size().into() };
    let peers = core.role().peers();
    for to in peers {
        core.send(to, 0, &hello);
    }
    Begun::new(CONNECT, Vec::new(), Handshake { sum, next: peers[0], last: peers[1] })
}

impl<W: World> State<W> for Handshake {
    type Message = Hello;

    fn due(&self, world: &W) -> Due<Hello> {
        let shape = world.core().parameters().log_size();
        Due { from: self.next, round: 0, shape }
    }

    fn receive(self, hello: Hello, world: &mut W) -> Next<W> {
        let sum = self.sum ^ hello.contribution;
        if self.next != self.last {
            return Next::state(Self { sum, next: self.last, ..self });
        }
        world.core_mut().key = SessionKey::new(sum.to_le_bytes());
        Next::Done
    }
}
