//! Which functions are run, on what.

pub mod accepted;
mod lean;
mod lean_turns;
mod lemmas;
mod parties;
mod primitives;
mod protocols;
mod rows;
mod sessions;
mod two_party;
mod words;

use crate::Vectors;

pub fn all(vectors: &mut Vectors) {
    words::words(vectors);
    primitives::aes(vectors);
    primitives::dpf(vectors);
    primitives::generation(vectors);
    primitives::conversion(vectors);
    protocols::preprocessing(vectors);
    protocols::online(vectors);
    protocols::compressed(vectors);
    lemmas::lemmas(vectors);
    sessions::payload(vectors);
    sessions::session(vectors);
    parties::all(vectors);
    lean::formulas(vectors);
    lean::items(vectors);
    lean::parties(vectors);
    lean::sessions(vectors);
    lean_turns::turns(vectors);
    rows::rows(vectors);
    rows::sessions(vectors);
    two_party::formulas(vectors);
    two_party::messages(vectors);
    two_party::parties(vectors);
    two_party::sessions(vectors);
}
