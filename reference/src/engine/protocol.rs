//! What makes a protocol one.

use super::Lane;
use crate::wire::Kind;

/// A protocol, as its frames show it. A party is a party of one protocol, chosen when it is made.
pub trait Protocol {
    /// The fourth byte of every frame: names the protocol and its version, so that parties of different ones refuse each
    /// other.
    const VERSION: u8;

    /// All kinds of message, by number.
    const KINDS: &'static [Kind];

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
