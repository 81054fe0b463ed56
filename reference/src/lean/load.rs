//! Load: a memory that is not zero, into both sharings.

use std::mem;

use zeroize::Zeroizing;

use super::Compute;
use super::helper::HelperWorld;
use super::primary::{Side0, Side1, World};
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Core, Next, State};
use crate::engine::{CHUNK_WORDS, PartyStream, Step, leaves, next_chunk, place};
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// Sharing a memory that is not zero.
pub const LOAD: Step = Step::new("load");

/// P0 to P2: a chunk of A.
pub struct Alpha(pub Zeroizing<Vec<Word>>);

/// P1 to P0: a chunk of `D_1 + B`.
pub struct Beta(pub Zeroizing<Vec<Word>>);

impl Message for Alpha {
    const KIND: Kind = Kind::new(2, "alpha");

    /// The number of words.
    type Shape = usize;

    fn length(words: usize) -> Length {
        Length::words(words)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, words: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(Zeroizing::new(reader.words(words))))
    }
}

impl Message for Beta {
    const KIND: Kind = Kind::new(3, "beta");

    /// The number of words.
    type Shape = usize;

    fn length(words: usize) -> Length {
        Length::words(words)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, words: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(Zeroizing::new(reader.words(words))))
    }
}

/// A vector plus the next words of a stream.
fn masked(words: &[Word], mut stream: PartyStream) -> Zeroizing<Vec<Word>> {
    Zeroizing::new(words.iter().map(|word| word ^ stream.word()).collect())
}

/// Sends all chunks of a vector at once.
fn send_chunks<M: Message>(
    core: &mut Core,
    to: Role,
    words: &[Word],
    message: impl Fn(Zeroizing<Vec<Word>>) -> M,
) {
    for (number, chunk) in words.chunks(CHUNK_WORDS).enumerate() {
        core.send(to, place(number * CHUNK_WORDS), &message(Zeroizing::new(chunk.to_vec())));
    }
}

/// P0 has sent A; P1's chunks are due.
struct Loading0 {
    alpha: Zeroizing<Vec<Word>>,
    /// `D_0`, of which as much has become H as chunks have come.
    beta: Zeroizing<Vec<Word>>,
    received: usize,
}

/// P0: `A = D_0 + x`. Without x, P2 would hold P0's share of the input.
pub(super) fn begin_0<C: Compute>(
    world: &mut World<Side0, C>,
    memory_share: Zeroizing<Vec<Word>>,
) -> Begun<World<Side0, C>> {
    let alpha = masked(&memory_share, world.pairs.load(Role::P1));
    send_chunks(&mut world.core, Role::P2, &alpha, Alpha);
    Begun::new(LOAD, Vec::new(), Loading0 { alpha, beta: memory_share, received: 0 })
}

impl<C: Compute> State<World<Side0, C>> for Loading0 {
    type Message = Beta;

    fn due(&self, world: &World<Side0, C>) -> Due<Beta> {
        let shape = next_chunk(world.core.parameters(), self.received);
        Due { from: Role::P1, round: place(self.received), shape }
    }

    /// `H = D_0 + (D_1 + B)`.
    fn receive(mut self, chunk: Beta, world: &mut World<Side0, C>) -> Next<World<Side0, C>> {
        self.beta[self.received..].iter_mut().zip(chunk.0.iter()).for_each(|(word, theirs)| *word ^= theirs);
        self.received += chunk.0.len();
        if self.received < self.beta.len() {
            return Next::state(self);
        }
        world.memory = world.compute.both(mem::take(&mut *self.alpha), mem::take(&mut *self.beta));
        Next::Done
    }
}

/// P1: `E = D_1 + x`, and P0 gets `D_1 + B`. It awaits nothing.
pub(super) fn begin_1<C: Compute>(
    world: &mut World<Side1, C>,
    mut memory_share: Zeroizing<Vec<Word>>,
) -> Begun<World<Side1, C>> {
    let beta = masked(&memory_share, world.pairs.load(Role::P2));
    send_chunks(&mut world.core, Role::P0, &beta, Beta);
    let mut x = world.pairs.load(Role::P0);
    memory_share.iter_mut().for_each(|word| *word ^= x.word());
    world.memory = world.compute.alpha(mem::take(&mut *memory_share));
    Begun::done()
}

/// P2, receiving A chunk by chunk.
struct Loading2 {
    alpha: Zeroizing<Vec<Word>>,
}

/// Makes room for A at once: a vector that grows would leave copies behind.
pub(super) fn begin_2<C: Compute>(world: &mut HelperWorld<C>) -> Begun<HelperWorld<C>> {
    let alpha = Zeroizing::new(Vec::with_capacity(leaves(world.core.parameters().log_size())));
    Begun::new(LOAD, Vec::new(), Loading2 { alpha })
}

impl<C: Compute> State<HelperWorld<C>> for Loading2 {
    type Message = Alpha;

    fn due(&self, world: &HelperWorld<C>) -> Due<Alpha> {
        let received = self.alpha.len();
        Due { from: Role::P0, round: place(received), shape: next_chunk(world.core.parameters(), received) }
    }

    fn receive(mut self, chunk: Alpha, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        self.alpha.extend_from_slice(&chunk.0);
        if self.alpha.len() < leaves(world.core.parameters().log_size()) {
            return Next::state(self);
        }
        let mut stream = world.pairs.load(Role::P1);
        let beta = self.alpha.iter().map(|_| stream.word()).collect();
        world.memory = world.compute.both(mem::take(&mut *self.alpha), beta);
        Next::Done
    }
}
