//! Load: a memory that is not zero. The blinded share goes to the other primary, the blind to the helper.

use std::mem;

use zeroize::Zeroizing;

use super::helper::HelperWorld;
use super::primary::PrimaryWorld;
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Next, State};
use crate::engine::{Step, complete_chunk, leaves, next_chunk, place};
use crate::paper::Compute;
use crate::wire::codec::{Reader, Writer};
use crate::wire::{Kind, Length, Message, Misbehaviour, Role};

/// Blinding a memory that is not zero.
pub const LOAD: Step = Step::new("load");

/// P_b to P_(1-b): a chunk of `D_b + zeta_b`.
pub struct Blinded(pub Vec<Word>);

/// P_b to P2: a chunk of `zeta_b`.
pub struct Blind(pub Zeroizing<Vec<Word>>);

impl Message for Blinded {
    const KIND: Kind = Kind::new(2, "blinded");

    /// The number of words.
    type Shape = usize;

    fn length(words: usize) -> Length {
        Length::words(words)
    }

    fn write(&self, out: &mut Writer) {
        out.words(&self.0);
    }

    fn read(reader: &mut Reader<'_>, words: usize) -> Result<Self, Misbehaviour> {
        Ok(Self(reader.words(words)))
    }
}

impl Message for Blind {
    const KIND: Kind = Kind::new(3, "blind");

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

/// A primary's load under way: what it has been given, and what has come from the other one. Room is made at once: a vector
/// that grows would leave copies behind.
pub(crate) struct Loading {
    /// `D_b`, as far as it has been given.
    memory_share: Zeroizing<Vec<Word>>,
    /// As much of `zeta_b`.
    blind: Zeroizing<Vec<Word>>,
    /// The words in the chunks that have been sent.
    sent: usize,
    /// `D~_(1-b)`, as far as it has come.
    blinded: Vec<Word>,
}

impl Loading {
    /// How much of the share has been given.
    pub(super) fn given(&self) -> usize {
        self.memory_share.len()
    }
}

/// Begins with the first words of this primary's share.
pub(super) fn begin<C: Compute>(world: &mut PrimaryWorld<C>, words: &[Word]) -> Begun<PrimaryWorld<C>> {
    let size = leaves(world.core.parameters().log_size());
    world.loading = Some(Box::new(Loading {
        memory_share: Zeroizing::new(Vec::with_capacity(size)),
        blind: Zeroizing::new(Vec::with_capacity(size)),
        sent: 0,
        blinded: Vec::with_capacity(size),
    }));
    Begun::without_items(LOAD, give(world, words))
}

/// Draws the blind of the next words of the share, and sends what chunks they complete.
pub(super) fn give<C: Compute>(world: &mut PrimaryWorld<C>, words: &[Word]) -> Next<PrimaryWorld<C>> {
    let PrimaryWorld { core, other, loading: Some(loading), .. } = world else { return Next::Done };
    loading.memory_share.extend_from_slice(words);
    loading.blind.extend(words.iter().map(|_| core.stream().word()));
    while let Some(chunk) = complete_chunk(core.parameters(), loading.sent, loading.given()) {
        let (share, blind) = (&loading.memory_share[chunk.clone()], &loading.blind[chunk.clone()]);
        let blinded = share.iter().zip(blind).map(|(word, zeta)| word.wrapping_add(*zeta)).collect();
        let place = place(chunk.start);
        core.send(*other, place, &Blinded(blinded));
        core.send(Role::P2, place, &Blind(Zeroizing::new(blind.to_vec())));
        loading.sent = chunk.end;
    }
    next(world)
}

/// What is missing: chunks of the other primary, or the caller's words, or nothing.
fn next<C: Compute>(world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
    let size = leaves(world.core.parameters().log_size());
    let Some(mut loading) = world.loading.take() else { return Next::Done };
    let (received, given) = (loading.blinded.len(), loading.given());
    if received == size && given == size {
        let (memory_share, blind) = (mem::take(&mut *loading.memory_share), mem::take(&mut *loading.blind));
        let blinded = mem::take(&mut loading.blinded);
        world.memory = world.compute.primary_memory(memory_share, blind, blinded);
        return Next::Done;
    }
    world.loading = Some(loading);
    if received < size { Next::state(BlindedDue) } else { Next::Pause }
}

/// A primary that awaits the other's next chunk.
struct BlindedDue;

impl<C: Compute> State<PrimaryWorld<C>> for BlindedDue {
    type Message = Blinded;

    fn due(&self, world: &PrimaryWorld<C>) -> Due<Blinded> {
        let received = world.loading.as_ref().map_or(0, |loading| loading.blinded.len());
        let shape = next_chunk(world.core.parameters(), received);
        Due { from: world.other, round: place(received), shape }
    }

    fn receive(self, chunk: Blinded, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        if let Some(loading) = &mut world.loading {
            loading.blinded.extend_from_slice(&chunk.0);
        }
        next(world)
    }
}

/// The helper, receiving both blinds chunk by chunk, P0's first.
struct HelperLoading {
    blind_0: Zeroizing<Vec<Word>>,
    blind_1: Zeroizing<Vec<Word>>,
}

/// Makes room for both blinds at once: a vector that grows would leave copies behind.
pub(super) fn begin_helper<C: Compute>(world: &mut HelperWorld<C>) -> Begun<HelperWorld<C>> {
    let room = || Zeroizing::new(Vec::with_capacity(leaves(world.core.parameters().log_size())));
    Begun::new(LOAD, Vec::new(), HelperLoading { blind_0: room(), blind_1: room() })
}

impl HelperLoading {
    /// The primary whose chunk is due, and how much of its blind has come.
    fn next(&self) -> (Role, usize) {
        if self.blind_0.len() == self.blind_1.len() {
            (Role::P0, self.blind_0.len())
        } else {
            (Role::P1, self.blind_1.len())
        }
    }
}

impl<C: Compute> State<HelperWorld<C>> for HelperLoading {
    type Message = Blind;

    fn due(&self, world: &HelperWorld<C>) -> Due<Blind> {
        let (from, received) = self.next();
        Due { from, round: place(received), shape: next_chunk(world.core.parameters(), received) }
    }

    fn receive(mut self, chunk: Blind, world: &mut HelperWorld<C>) -> Next<HelperWorld<C>> {
        match self.next().0 {
            Role::P0 => self.blind_0.extend_from_slice(&chunk.0),
            _ => self.blind_1.extend_from_slice(&chunk.0),
        }
        if self.blind_1.len() < leaves(world.core.parameters().log_size()) {
            return Next::state(self);
        }
        let (blind_0, blind_1) = (mem::take(&mut *self.blind_0), mem::take(&mut *self.blind_1));
        world.memory = world.compute.helper_memory(blind_0, blind_1);
        Next::Done
    }
}
