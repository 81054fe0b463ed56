//! Load: a memory that is not zero, into both sharings.

use std::mem;

use zeroize::Zeroizing;

use super::Compute;
use super::helper::HelperWorld;
use super::primary::World;
use super::side::{Side, Side0, Side1};
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Core, Next, State};
use crate::engine::{Parameters, PartyStream, Step, next_chunk, place};
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

/// What each of the primaries makes of the words that it is given.
pub(crate) trait Loads: Side {
    /// Before any.
    fn room<C: Compute>(world: &World<Self, C>) -> Self::Loading<C>;

    /// How much of its share has been given.
    fn given<C: Compute>(loading: &Self::Loading<C>) -> usize;

    /// Takes the next words of its share, and sends what chunks they complete.
    fn give<C: Compute>(world: &mut World<Self, C>, words: &[Word]) -> Next<World<Self, C>>;
}

/// Begins with the first words of a primary's share.
pub(super) fn begin<S: Loads, C: Compute>(world: &mut World<S, C>, words: &[Word]) -> Begun<World<S, C>> {
    world.loading = Some(Box::new(S::room(world)));
    Begun::without_items(LOAD, S::give(world, words))
}

/// Words that are sent in chunks, as soon as these are complete.
struct Outgoing {
    /// Those of the next chunk that are there.
    words: Zeroizing<Vec<Word>>,
    /// In the chunks that have been sent.
    sent: usize,
}

impl Outgoing {
    fn new(parameters: &Parameters) -> Self {
        Self { words: room(next_chunk(parameters, 0)), sent: 0 }
    }

    /// Sends what becomes complete.
    fn give<M: Message>(
        &mut self,
        core: &mut Core,
        to: Role,
        mut words: &[Word],
        message: impl Fn(Zeroizing<Vec<Word>>) -> M,
    ) {
        while !words.is_empty() {
            let chunk = next_chunk(core.parameters(), self.sent);
            let (now, later) = words.split_at(words.len().min(chunk - self.words.len()));
            self.words.extend_from_slice(now);
            words = later;
            if self.words.len() == chunk {
                let next = room(next_chunk(core.parameters(), self.sent + chunk));
                core.send(to, place(self.sent), &message(mem::replace(&mut self.words, next)));
                self.sent += chunk;
            }
        }
    }
}

/// Room for so many words: a vector that grows would leave copies behind.
fn room(size: usize) -> Zeroizing<Vec<Word>> {
    Zeroizing::new(Vec::with_capacity(size))
}

/// These words and a stream's.
fn masked(words: &[Word], stream: &mut PartyStream) -> Zeroizing<Vec<Word>> {
    Zeroizing::new(words.iter().map(|word| word ^ stream.word()).collect())
}

/// P0's load under way.
pub(crate) struct Loading0<M> {
    /// The words of x to come.
    x: PartyStream,
    /// A, as far as `D_0` has been given; the sum of that and of what has come of `D_1 + B`.
    memory: M,
    /// How much of `D_0` has been given.
    given: usize,
    /// How much of `D_1 + B` has come.
    received: usize,
    /// A.
    alpha: Outgoing,
}

impl Loads for Side0 {
    fn room<C: Compute>(world: &World<Self, C>) -> Loading0<C::Both> {
        let parameters = world.core.parameters();
        let (x, memory) = (world.pairs.load(Role::P1), Self::zero_memory(&world.compute, parameters));
        Loading0 { x, memory, given: 0, received: 0, alpha: Outgoing::new(parameters) }
    }

    fn given<C: Compute>(loading: &Loading0<C::Both>) -> usize {
        loading.given
    }

    /// `A = D_0 + x`. Without x, P2 would hold P0's share of the input.
    fn give<C: Compute>(world: &mut World<Self, C>, words: &[Word]) -> Next<World<Self, C>> {
        let World { core, compute, loading: Some(loading), .. } = world else { return Next::Done };
        let Loading0 { x, memory, given, alpha, .. } = &mut **loading;
        let part = masked(words, x);
        compute.add_both(memory, *given, [&part, words]);
        *given += words.len();
        alpha.give(core, Role::P2, &part, Alpha);
        next_0(world)
    }
}

/// What P0 misses: chunks of P1, or its caller's words, or nothing. `H = D_0 + (D_1 + B)`.
fn next_0<C: Compute>(world: &mut World<Side0, C>) -> Next<World<Side0, C>> {
    let Some(loading) = world.loading.take() else { return Next::Done };
    let size = world.core.parameters().words();
    let received = loading.received;
    if received == size && loading.given == size {
        world.memory = loading.memory;
        return Next::Done;
    }
    world.loading = Some(loading);
    if received < size { Next::state(BetaDue) } else { Next::Pause }
}

/// P0, waiting for P1's next chunk.
struct BetaDue;

impl<C: Compute> State<World<Side0, C>> for BetaDue {
    type Message = Beta;

    fn due(&self, world: &World<Side0, C>) -> Due<Beta> {
        let received = world.loading.as_ref().map_or(0, |loading| loading.received);
        let shape = next_chunk(world.core.parameters(), received);
        Due { from: Role::P1, round: place(received), shape }
    }

    fn receive(self, chunk: Beta, world: &mut World<Side0, C>) -> Next<World<Side0, C>> {
        let World { compute, loading, .. } = world;
        if let Some(Loading0 { memory, received, .. }) = loading.as_deref_mut() {
            compute.add_both(memory, *received, [&[], &chunk.0]);
            *received += chunk.0.len();
        }
        next_0(world)
    }
}

/// P1's load under way.
pub(crate) struct Loading1<M> {
    /// The words of x to come.
    x: PartyStream,
    /// The words of B to come.
    b: PartyStream,
    /// E, as far as `D_1` has been given.
    memory: M,
    /// How far that is.
    given: usize,
    /// `D_1 + B`.
    beta: Outgoing,
}

impl Loads for Side1 {
    fn room<C: Compute>(world: &World<Self, C>) -> Loading1<C::Alpha> {
        let parameters = world.core.parameters();
        let (x, b) = (world.pairs.load(Role::P0), world.pairs.load(Role::P2));
        let memory = Self::zero_memory(&world.compute, parameters);
        Loading1 { x, b, memory, given: 0, beta: Outgoing::new(parameters) }
    }

    fn given<C: Compute>(loading: &Loading1<C::Alpha>) -> usize {
        loading.given
    }

    /// `E = D_1 + x`, and P0 gets `D_1 + B`. It awaits nothing but its caller's words.
    fn give<C: Compute>(world: &mut World<Self, C>, words: &[Word]) -> Next<World<Self, C>> {
        let World { core, compute, loading: Some(loading), .. } = world else { return Next::Done };
        let Loading1 { x, b, memory, given, beta } = &mut **loading;
        compute.add_alpha(memory, *given, &masked(words, x));
        *given += words.len();
        beta.give(core, Role::P0, &masked(words, b), Beta);
        if *given < core.parameters().words() {
            return Next::Pause;
        }
        if let Some(loading) = world.loading.take() {
            world.memory = loading.memory;
        }
        Next::Done
    }
}

/// P2, receiving A chunk by chunk.
struct Loading2<M> {
    /// The words of B to come. In a place of its own: a state is moved, and would leave the stream's seed behind.
    b: Box<PartyStream>,
    /// A and B, as far as A has come.
    memory: M,
    /// How far that is.
    received: usize,
}

/// The helper's load.
pub(super) fn begin_2<C: Compute>(world: &mut HelperWorld<C>) -> Begun<HelperWorld<C>> {
    let (b, memory) = (Box::new(world.pairs.load(Role::P1)), world.zero_memory());
    Begun::new(LOAD, Vec::new(), Loading2 { b, memory, received: 0 })
}

impl<C: Compute> State<HelperWorld<C>> for Loading2<C::Both> {
    type Message = Alpha;

    fn due(&self, world: &HelperWorld<C>) -> Due<Alpha> {
        let received = self.received;
        Due { from: Role::P0, round: place(received), shape: next_chunk(world.core.parameters(), received) }
    }

    fn receive(mut self, chunk: Alpha, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        let b = Zeroizing::new(chunk.0.iter().map(|_| self.b.word()).collect::<Vec<_>>());
        world.compute.add_both(&mut self.memory, self.received, [&chunk.0, &b]);
        self.received += chunk.0.len();
        if self.received < world.core.parameters().words() {
            return Next::state(self);
        }
        world.memory = self.memory;
        Next::Done
    }
}
