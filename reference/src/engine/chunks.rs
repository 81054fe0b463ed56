//! Chunks of a vector of n words: no message grows with the memory.

use super::{Parameters, leaves};

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
