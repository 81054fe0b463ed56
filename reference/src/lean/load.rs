//! Load: a memory that is not zero, into both sharings.

use std::mem;

use zeroize::Zeroizing;

use super::helper::HelperWorld;
use super::primary::World;
use super::side::{Side, Side0, Side1};
use super::{Compute, add};
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Core, Next, State};
use crate::engine::{PartyStream, Step, complete_chunk, next_chunk, place};
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
    fn room<C: Compute>(world: &World<Self, C>) -> Self::Loading;

    /// How much of its share has been given.
    fn given(loading: &Self::Loading) -> usize;

    /// Takes the next words of its share, and sends what chunks they complete.
    fn give<C: Compute>(world: &mut World<Self, C>, words: &[Word]) -> Next<World<Self, C>>;
}

/// Begins with the first words of a primary's share.
pub(super) fn begin<S: Loads, C: Compute>(world: &mut World<S, C>, words: &[Word]) -> Begun<World<S, C>> {
    world.loading = Some(Box::new(S::room(world)));
    Begun::without_items(LOAD, S::give(world, words))
}

/// Room for so many words: a vector that grows would leave copies behind.
fn room(size: usize) -> Zeroizing<Vec<Word>> {
    Zeroizing::new(Vec::with_capacity(size))
}

/// Sends the chunks of a vector that are complete and not sent yet.
fn send_chunks<M: Message>(
    core: &mut Core,
    to: Role,
    words: &[Word],
    sent: &mut usize,
    message: impl Fn(Zeroizing<Vec<Word>>) -> M,
) {
    while let Some(chunk) = complete_chunk(core.parameters(), *sent, words.len()) {
        *sent = chunk.end;
        core.send(to, place(chunk.start), &message(Zeroizing::new(words[chunk].to_vec())));
    }
}

/// P0's load under way.
pub(crate) struct Loading0 {
    /// The words of x to come.
    x: PartyStream,
    /// A, as far as `D_0` has been given.
    alpha: Zeroizing<Vec<Word>>,
    /// The words of A in the chunks that have been sent.
    sent: usize,
    /// n w words: the sum of what has been given of `D_0` and what has come of `D_1 + B`.
    beta: Zeroizing<Vec<Word>>,
    /// How much of the latter has come.
    received: usize,
}

impl Loads for Side0 {
    fn room<C: Compute>(world: &World<Self, C>) -> Loading0 {
        let size = world.core.parameters().words();
        let (x, alpha, beta) = (world.pairs.load(Role::P1), room(size), Zeroizing::new(vec![0; size]));
        Loading0 { x, alpha, sent: 0, beta, received: 0 }
    }

    fn given(loading: &Loading0) -> usize {
        loading.alpha.len()
    }

    /// `A = D_0 + x`. Without x, P2 would hold P0's share of the input.
    fn give<C: Compute>(world: &mut World<Self, C>, words: &[Word]) -> Next<World<Self, C>> {
        let World { core, loading: Some(loading), .. } = world else { return Next::Done };
        let Loading0 { x, alpha, sent, beta, .. } = &mut **loading;
        add(&mut beta[alpha.len()..], words);
        alpha.extend(words.iter().map(|word| word ^ x.word()));
        send_chunks(core, Role::P2, alpha, sent, Alpha);
        next_0(world)
    }
}

/// What P0 misses: chunks of P1, or its caller's words, or nothing. `H = D_0 + (D_1 + B)`.
fn next_0<C: Compute>(world: &mut World<Side0, C>) -> Next<World<Side0, C>> {
    let Some(mut loading) = world.loading.take() else { return Next::Done };
    let size = loading.beta.len();
    let (received, given) = (loading.received, loading.alpha.len());
    if received == size && given == size {
        world.memory = {
            let (alpha, beta) = (mem::take(&mut *loading.alpha), mem::take(&mut *loading.beta));
            world.compute.both(alpha, beta, world.core.parameters().row_words())
        };
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
        if let Some(loading) = &mut world.loading {
            add(&mut loading.beta[loading.received..], &chunk.0);
            loading.received += chunk.0.len();
        }
        next_0(world)
    }
}

/// P1's load under way.
pub(crate) struct Loading1 {
    /// The words of x to come.
    x: PartyStream,
    /// The words of B to come.
    b: PartyStream,
    /// E, as far as `D_1` has been given.
    alpha: Zeroizing<Vec<Word>>,
    /// As much of `D_1 + B`.
    beta: Zeroizing<Vec<Word>>,
    /// The words of that in the chunks that have been sent.
    sent: usize,
}

impl Loads for Side1 {
    fn room<C: Compute>(world: &World<Self, C>) -> Loading1 {
        let size = world.core.parameters().words();
        let (x, b) = (world.pairs.load(Role::P0), world.pairs.load(Role::P2));
        Loading1 { x, b, alpha: room(size), beta: room(size), sent: 0 }
    }

    fn given(loading: &Loading1) -> usize {
        loading.alpha.len()
    }

    /// `E = D_1 + x`, and P0 gets `D_1 + B`. It awaits nothing but its caller's words.
    fn give<C: Compute>(world: &mut World<Self, C>, words: &[Word]) -> Next<World<Self, C>> {
        let World { core, loading: Some(loading), .. } = world else { return Next::Done };
        let Loading1 { x, b, alpha, beta, sent } = &mut **loading;
        alpha.extend(words.iter().map(|word| word ^ x.word()));
        beta.extend(words.iter().map(|word| word ^ b.word()));
        send_chunks(core, Role::P0, beta, sent, Beta);
        if alpha.len() < core.parameters().words() {
            return Next::Pause;
        }
        let alpha = mem::take(&mut **alpha);
        world.loading = None;
        world.memory = world.compute.alpha(alpha, core.parameters().row_words());
        Next::Done
    }
}

/// P2, receiving A chunk by chunk.
struct Loading2 {
    alpha: Zeroizing<Vec<Word>>,
}

/// Makes room for A at once: a vector that grows would leave copies behind.
pub(super) fn begin_2<C: Compute>(world: &mut HelperWorld<C>) -> Begun<HelperWorld<C>> {
    let alpha = Zeroizing::new(Vec::with_capacity(world.core.parameters().words()));
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
        if self.alpha.len() < world.core.parameters().words() {
            return Next::state(self);
        }
        let mut stream = world.pairs.load(Role::P1);
        let beta = self.alpha.iter().map(|_| stream.word()).collect();
        let row_words = world.core.parameters().row_words();
        world.memory = world.compute.both(mem::take(&mut *self.alpha), beta, row_words);
        Next::Done
    }
}
