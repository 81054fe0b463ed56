//! Chunks of a vector of n words: no message grows with the memory.

use std::ops::Range;

use super::{Error, Parameters, leaves};

/// The words in one message of a load.
pub const CHUNK_WORDS: usize = 1 << 16;

/// The place of the chunk that comes after `received` words.
pub(crate) fn place(received: usize) -> u32 {
    // h <= 40 and 2^16 words a chunk: at most 2^24 chunks.
    u32::try_from(received / CHUNK_WORDS).unwrap_or(u32::MAX)
}

/// The words in the chunk that comes after `received` words.
pub(crate) fn next_chunk(parameters: &Parameters, received: usize) -> usize {
    leaves(parameters.log_size()).saturating_sub(received).min(CHUNK_WORDS)
}

/// The next chunk to send: that after `sent` words, once all of it has been given.
pub(crate) fn complete_chunk(parameters: &Parameters, sent: usize, given: usize) -> Option<Range<usize>> {
    let end = sent + next_chunk(parameters, sent);
    (sent < end && end <= given).then_some(sent..end)
}

/// Whether so many words may be given after those that have been: not none, and not more than n in all.
pub(crate) fn check_piece(parameters: &Parameters, given: usize, piece: usize) -> Result<(), Error> {
    let (expected, got) = (parameters.size(), given.saturating_add(piece) as u64);
    match piece {
        0 => Err(Error::EmptyStep),
        _ if got > expected => Err(Error::MemoryLength { expected, got }),
        _ => Ok(()),
    }
}
