//! What makes a protocol one.

use super::Lane;
use crate::Word;
use crate::wire::{Kind, Role};

/// A protocol, as its frames and whoever shares words for it show it. A party is a party of one protocol, chosen when it is made.
pub trait Protocol {
    /// The fourth byte of every frame: names the protocol and its version, so that parties of different ones refuse each
    /// other.
    const VERSION: u8;

    /// All kinds of message, by number.
    const KINDS: &'static [Kind];

    /// The parties that take part.
    const ROLES: &'static [Role] = &Role::ALL;

    /// Whether an address may hold a row of more than one word ([`super::Parameters::with_row_words`]).
    const ROWS: bool = false;

    /// Two shares of a word, of which the first is a word drawn at random.
    fn share(word: Word, random: Word) -> [Word; 2];

    /// The word that two shares stand for. Of a word of the memory and what an UPDATE puts in: what it becomes.
    fn open(shares: [Word; 2]) -> Word;

    /// The kind of a number.
    fn kind(number: u8) -> Option<Kind> {
        kind_of(Self::KINDS, number)
    }
}

/// The lane that messages of a kind belong to.
pub(crate) fn lane_of(kind: Kind) -> Lane {
    if kind.is_making() { Lane::Making } else { Lane::Memory }
}

/// The kind of a number among those of a protocol.
pub(crate) fn kind_of(kinds: &[Kind], number: u8) -> Option<Kind> {
    kinds.iter().copied().find(|kind| kind.number() == number)
}
