//! Chunks of a vector of m w words: no message grows with the memory.

use std::ops::Range;

use super::{Error, Parameters};

/// The words in one message of a load.
pub const CHUNK_WORDS: usize = 1 << 16;

/// The place of the chunk that comes after `received` words.
pub(crate) fn place(received: usize) -> u32 {
    // At most 2^48 words, and 2^16 of them a chunk: at most 2^32 chunks.
    u32::try_from(received / CHUNK_WORDS).unwrap_or(u32::MAX)
}

/// The words in the chunk that comes after `received` words.
pub(crate) fn next_chunk(parameters: &Parameters, received: usize) -> usize {
    parameters.words().saturating_sub(received).min(CHUNK_WORDS)
}

/// The next chunk to send: that after `sent` words, once all of it has been given.
pub(crate) fn complete_chunk(parameters: &Parameters, sent: usize, given: usize) -> Option<Range<usize>> {
    let end = sent + next_chunk(parameters, sent);
    (sent < end && end <= given).then_some(sent..end)
}

/// Whether so many words may be given after those that have been: not none, and not more than m w in all.
pub(crate) fn check_piece(parameters: &Parameters, given: usize, piece: usize) -> Result<(), Error> {
    let (expected, got) = (parameters.words() as u64, given.saturating_add(piece) as u64);
    match piece {
        0 => Err(Error::EmptyStep),
        _ if got > expected => Err(Error::MemoryLength { expected, got }),
        _ => Ok(()),
    }
}
