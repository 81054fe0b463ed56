//! Loading a memory that is not zero: the blinded share goes to the other primary, the blind to the helper.

use zeroize::Zeroizing;

use crate::endpoint::Expected;
use crate::message::Shape;
use crate::parameters::leaves;
use crate::random::PartyStream;
use crate::{Parameters, Role, Word};

/// The words in one message: no message grows with the memory.
pub const CHUNK_WORDS: usize = 1 << 16;

/// The number of the chunk that comes after `received` words.
fn round(received: usize) -> u32 {
    // h <= 40 and 2^16 words a chunk: at most 2^24 chunks.
    u32::try_from(received / CHUNK_WORDS).unwrap_or(u32::MAX)
}

/// The words in the chunk that comes after `received` words.
fn next_chunk(parameters: &Parameters, received: usize) -> usize {
    leaves(parameters.log_size()).saturating_sub(received).min(CHUNK_WORDS)
}

/// A primary that has sent its chunks and waits for the other's.
pub(crate) struct Loading {
    pub(crate) memory_share: Zeroizing<Vec<Word>>,
    pub(crate) blind: Zeroizing<Vec<Word>>,
    pub(crate) blinded: Vec<Word>,
}

impl Loading {
    /// Draws the blind of a share of n words.
    pub(crate) fn start(memory_share: Zeroizing<Vec<Word>>, stream: &mut PartyStream) -> Self {
        let blind = Zeroizing::new(memory_share.iter().map(|_| stream.word()).collect());
        let blinded = Vec::with_capacity(memory_share.len());
        Self { memory_share, blind, blinded }
    }

    /// For each round, what the other primary gets (`D_b + zeta_b`) and what the helper gets (`zeta_b`).
    pub(crate) fn chunks(&self) -> impl Iterator<Item = (u32, Vec<Word>, Zeroizing<Vec<Word>>)> {
        let chunks = self.memory_share.chunks(CHUNK_WORDS).zip(self.blind.chunks(CHUNK_WORDS));
        (0..).zip(chunks).map(|(round, (share, blind))| {
            let blinded = share.iter().zip(blind).map(|(word, zeta)| word.wrapping_add(*zeta)).collect();
            (round, blinded, Zeroizing::new(blind.to_vec()))
        })
    }

    pub(crate) fn expected(&self, from: Role, parameters: &Parameters) -> Expected {
        let received = self.blinded.len();
        let shape = Shape::Blinded { words: next_chunk(parameters, received) };
        Expected { from, round: round(received), shape }
    }

    /// Takes a chunk; true once it was the last.
    pub(crate) fn receive(&mut self, chunk: &[Word]) -> bool {
        self.blinded.extend_from_slice(chunk);
        self.blinded.len() == self.memory_share.len()
    }
}

/// The helper, receiving both blinds chunk by chunk, P0's first.
pub(crate) struct HelperLoading {
    pub(crate) blind_0: Zeroizing<Vec<Word>>,
    pub(crate) blind_1: Zeroizing<Vec<Word>>,
}

impl HelperLoading {
    /// Room for both at once: a vector that grows would leave copies behind.
    pub(crate) fn start(parameters: &Parameters) -> Self {
        let room = || Zeroizing::new(Vec::with_capacity(leaves(parameters.log_size())));
        Self { blind_0: room(), blind_1: room() }
    }

    fn next(&self) -> (Role, usize) {
        if self.blind_0.len() == self.blind_1.len() {
            (Role::P0, self.blind_0.len())
        } else {
            (Role::P1, self.blind_1.len())
        }
    }

    pub(crate) fn expected(&self, parameters: &Parameters) -> Expected {
        let (from, received) = self.next();
        let shape = Shape::Blind { words: next_chunk(parameters, received) };
        Expected { from, round: round(received), shape }
    }

    /// Takes a chunk of the primary that was due; true once it was the last.
    pub(crate) fn receive(&mut self, chunk: &[Word], parameters: &Parameters) -> bool {
        match self.next().0 {
            Role::P0 => self.blind_0.extend_from_slice(chunk),
            _ => self.blind_1.extend_from_slice(chunk),
        }
        self.blind_1.len() == leaves(parameters.log_size())
    }
}
