//! Load: a memory that is not zero. The blinded share goes to the other primary, the blind to the helper.

use std::mem;

use zeroize::Zeroizing;

use super::helper::HelperWorld;
use super::primary::PrimaryWorld;
use crate::Word;
use crate::engine::endpoint::Due;
use crate::engine::step::{Begun, Next, State};
use crate::engine::{CHUNK_WORDS, Step, leaves, next_chunk, place};
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

/// A primary that has sent its chunks: the other's are due.
struct Loading {
    memory_share: Zeroizing<Vec<Word>>,
    blind: Zeroizing<Vec<Word>>,
    blinded: Vec<Word>,
}

/// Draws the blind of a share of n words, and sends all chunks.
pub(super) fn begin<C: Compute>(
    world: &mut PrimaryWorld<C>,
    memory_share: Zeroizing<Vec<Word>>,
) -> Begun<PrimaryWorld<C>> {
    let core = &mut world.core;
    let blind = Zeroizing::new(memory_share.iter().map(|_| core.stream.word()).collect::<Vec<_>>());
    let chunks = memory_share.chunks(CHUNK_WORDS).zip(blind.chunks(CHUNK_WORDS));
    for (number, (share, blind)) in chunks.enumerate() {
        let blinded = share.iter().zip(blind).map(|(word, zeta)| word.wrapping_add(*zeta)).collect();
        let place = place(number * CHUNK_WORDS);
        core.send(world.other, place, &Blinded(blinded));
        core.send(Role::P2, place, &Blind(Zeroizing::new(blind.to_vec())));
    }
    let blinded = Vec::with_capacity(memory_share.len());
    Begun::new(LOAD, Vec::new(), Loading { memory_share, blind, blinded })
}

impl<C: Compute> State<PrimaryWorld<C>> for Loading {
    type Message = Blinded;

    fn due(&self, world: &PrimaryWorld<C>) -> Due<Blinded> {
        let received = self.blinded.len();
        let shape = next_chunk(world.core.parameters(), received);
        Due { from: world.other, round: place(received), shape }
    }

    fn receive(mut self, chunk: Blinded, world: &mut PrimaryWorld<C>) -> Next<PrimaryWorld<C>> {
        self.blinded.extend_from_slice(&chunk.0);
        if self.blinded.len() < self.memory_share.len() {
            return Next::state(self);
        }
        let (memory_share, blind) = (mem::take(&mut *self.memory_share), mem::take(&mut *self.blind));
        world.memory = world.compute.primary_memory(memory_share, blind, self.blinded);
        Next::Done
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
