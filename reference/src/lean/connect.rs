//! Connect: K and the pairs' seeds are XORs of contributions, so each is random if one of its contributors is.

use zeroize::Zeroizing;

use super::LeanWorld;
use super::pairs::SeedWords;
use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Next, State};
use crate::engine::{Parameters, SessionKey, Step, sizes};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Bound, Kind, Length, Message, Misbehaviour, Role};
use crate::{Block, Word};

/// Agreeing on the session's key and the pairs' seeds.
pub const CONNECT: Step = Step::new("connect");

/// The rule that all three parties have as many rows, and so addresses.
pub const ROWS: &str = "the rows of the memory";

/// The rule that all three parties have rows of as many words.
pub const ROW_WORDS: &str = "the words of a row";

/// What a hello is known by, and must say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HelloShape {
    /// m.
    pub rows: usize,
    /// w.
    pub row_words: usize,
}

impl HelloShape {
    fn of(parameters: &Parameters) -> Self {
        Self { rows: parameters.rows(), row_words: parameters.row_words() }
    }
}

/// All to all: the first message on every link.
pub struct Hello {
    /// The sender's contribution to K, the same for both receivers.
    pub contribution: Block,
    /// The sender's contribution to the seed that it shares with the receiver: 32 bytes, in order.
    pub seed: Zeroizing<SeedWords>,
    /// The sender's `m + 2^48 (w - 1)`.
    pub size: Word,
}

impl Message for Hello {
    const KIND: Kind = Kind::new(1, "hello").making();

    type Shape = HelloShape;

    fn length(_shape: HelloShape) -> Length {
        Length::blocks(1).and(Length::words(5))
    }

    fn write(&self, out: &mut Writer) {
        out.block(self.contribution);
        out.words(&*self.seed);
        out.word(self.size);
    }

    fn read(reader: &mut Reader<'_>, shape: HelloShape) -> Result<Self, Misbehaviour> {
        let contribution = reader.block();
        let seed = Zeroizing::new([(); 4].map(|()| reader.word()));
        let hello = Self { contribution, seed, size: reader.word() };
        let (rows, row_words) = (shape.rows as u64, shape.row_words as u64);
        let [got, got_words] = sizes(hello.size);
        if got != rows {
            Err(reader.content(ROWS, &[], Bound::Is(rows), got))
        } else if got_words != row_words {
            Err(reader.content(ROW_WORDS, &[], Bound::Is(row_words), got_words))
        } else {
            Ok(hello)
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
        let size = core.parameters().size_word();
        core.send(to, 0, &Hello { contribution, seed: seed.clone(), size });
        world.pairs_mut().add(to, &seed);
    }
    Begun::new(CONNECT, Vec::new(), Handshake { sum: contribution, next: peers[0], last: peers[1] })
}

impl<W: LeanWorld> State<W> for Handshake {
    type Message = Hello;

    fn due(&self, world: &W) -> Due<Hello> {
        let shape = HelloShape::of(world.core().parameters());
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
