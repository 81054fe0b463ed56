//! Connect: K and the pairs' seeds are XORs of contributions, so each is random if one of its contributors is.

use zeroize::Zeroizing;

use super::LeanWorld;
use super::pairs::SeedWords;
use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Next, State};
use crate::engine::{SessionKey, Step};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Bound, Kind, Length, Message, Misbehaviour, Role};
use crate::{Block, Word};

/// Agreeing on the session's key and the pairs' seeds.
pub const CONNECT: Step = Step::new("connect");

/// The rule that all three parties run with the same size.
pub const LOG_SIZE: &str = "lg n";

/// All to all: the first message on every link.
pub struct Hello {
    /// The sender's contribution to K, the same for both receivers.
    pub contribution: Block,
    /// The sender's contribution to the seed that it shares with the receiver: 32 bytes, in order.
    pub seed: Zeroizing<SeedWords>,
    /// The sender's h.
    pub log_size: Word,
}

impl Message for Hello {
    const KIND: Kind = Kind::new(1, "hello").making();

    /// h.
    type Shape = u32;

    fn length(_log_size: u32) -> Length {
        Length::blocks(1).and(Length::words(5))
    }

    fn write(&self, out: &mut Writer) {
        out.block(self.contribution);
        out.words(&*self.seed);
        out.word(self.log_size);
    }

    fn read(reader: &mut Reader<'_>, log_size: u32) -> Result<Self, Misbehaviour> {
        let contribution = reader.block();
        let seed = Zeroizing::new([(); 4].map(|()| reader.word()));
        let hello = Self { contribution, seed, log_size: reader.word() };
        let expected = Word::from(log_size);
        if hello.log_size == expected {
            Ok(hello)
        } else {
            Err(reader.content(LOG_SIZE, &[], Bound::Is(expected), hello.log_size))
        }
    }
}

/// Between the own hellos and the last of the peers'.
struct Handshake {
    /// The XOR of the contributions to K so far.
    sum: Block,
    /// The peer whose hello is due.
    next: Role,
    /// The peer whose hello is due last.
    last: Role,
}

/// Draws the own contributions, and sends them.
pub(super) fn begin<W: LeanWorld>(world: &mut W) -> Begun<W> {
    let peers = world.core().role().peers();
    let contribution = world.core_mut().stream().block();
    for to in peers {
        let core = world.core_mut();
        let seed = Zeroizing::new([(); 4].map(|()| core.stream().word()));
        let log_size = core.parameters().log_size().into();
        core.send(to, 0, &Hello { contribution, seed: seed.clone(), log_size });
        world.pairs_mut().add(to, &seed);
    }
    Begun::new(CONNECT, Vec::new(), Handshake { sum: contribution, next: peers[0], last: peers[1] })
}

impl<W: LeanWorld> State<W> for Handshake {
    type Message = Hello;

    fn due(&self, world: &W) -> Due<Hello> {
        let shape = world.core().parameters().log_size();
        Due { from: self.next, round: 0, shape }
    }

    fn receive(self, hello: Hello, world: &mut W) -> Next<W> {
        world.pairs_mut().add(self.next, &hello.seed);
        let sum = self.sum ^ hello.contribution;
        if self.next != self.last {
            return Next::state(Self { sum, next: self.last, ..self });
        }
        world.core_mut().key = SessionKey::new(sum.to_le_bytes());
        Next::Done
    }
}
