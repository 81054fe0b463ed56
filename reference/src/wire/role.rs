//! Who is who.

use std::fmt;

use crate::Word;

/// A party: `P0` and `P1` are the primaries, `P2` is the helper (`[duoram, section 3, Notation]`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Role {
    /// The primary with `b = 0`.
    P0,
    /// The primary with `b = 1`.
    P1,
    /// The helper: holds both blinds, deals triples, unblinds READs.
    P2,
}

impl Role {
    /// All three, in order.
    pub const ALL: [Self; 3] = [Self::P0, Self::P1, Self::P2];

    /// 0, 1 or 2.
    pub const fn index(self) -> usize {
        match self {
            Self::P0 => 0,
            Self::P1 => 1,
            Self::P2 => 2,
        }
    }

    /// The byte that stands for the party in a frame.
    pub const fn number(self) -> u8 {
        match self {
            Self::P0 => 0,
            Self::P1 => 1,
            Self::P2 => 2,
        }
    }

    /// The party that a byte of a frame stands for.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::P0),
            1 => Some(Self::P1),
            2 => Some(Self::P2),
            _ => None,
        }
    }

    /// The other two, in order.
    pub const fn peers(self) -> [Self; 2] {
        match self {
            Self::P0 => [Self::P1, Self::P2],
            Self::P1 => [Self::P0, Self::P2],
            Self::P2 => [Self::P0, Self::P1],
        }
    }

    /// The others of some parties, in order: of a protocol's ([`crate::Protocol::ROLES`]), those to whom this one has a link.
    pub fn others(self, roles: &[Self]) -> impl Iterator<Item = Self> {
        roles.iter().copied().filter(move |role| *role != self)
    }

    /// The sign `s_b` that turns XOR shares into additive ones: -1 for P1, else +1 (`[duoram, section 4.1.1]`).
    ///
    /// The helper has no sign of its own: it evaluates the keys of P0 and P1 with their owner's.
    pub const fn sign(self) -> Word {
        match self {
            Self::P0 | Self::P2 => 1,
            Self::P1 => Word::MAX,
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "P{}", self.index())
    }
}
