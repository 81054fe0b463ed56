//! Saved lanes, and how they are damaged.

use duoram_reference::{Lane, Role, Word};
use zeroize::Zeroizing;

use super::lasting::Session;

/// Where the parts of a saved lane are: see `PROTOCOL.md`, part three.
pub(crate) mod place {
    pub(crate) const OPERATION: usize = 32;
    pub(crate) const POSITION: usize = 72;
    pub(crate) const KEY: usize = 88;
    pub(crate) const MADE: usize = 104;
    pub(crate) const RESULTS: usize = 112;
    pub(crate) const SHARES: usize = 120;
    pub(crate) const VECTORS: usize = 128;
    pub(crate) const READS: usize = 136;
    pub(crate) const UPDATES: usize = 144;
    pub(crate) const CONTENTS: usize = 152;
}

pub(crate) fn word(bytes: &[u8], at: usize) -> Word {
    Word::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

pub(crate) fn with_word(bytes: &[u8], at: usize, word: Word) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
    bytes
}

/// The two lanes of each party of a finished run, which all have items left.
pub(crate) fn saved(session: &Session) -> impl Iterator<Item = (Role, [Zeroizing<Vec<u8>>; 2])> {
    let save = |role: Role| Lane::ALL.map(|lane| session.parties[role.index()].save(lane).unwrap());
    session.which.roles().iter().map(move |&role| (role, save(role)))
}
