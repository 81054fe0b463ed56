//! Lanes: what goes on at the same time in one party.

use std::fmt;

/// What goes on at the same time in one party. Steps of one lane are taken one after another; the two lanes share nothing but
/// the key, and the items, which the one makes and the other uses in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Lane {
    /// Load, READ, UPDATE, WRITE, SWAP: whatever touches the memory.
    Memory,
    /// Connect and preprocessing.
    Making,
}

impl Lane {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Memory, Self::Making];

    /// 0 or 1; of the lane's stream, which one of the seed's it is.
    pub const fn number(self) -> u8 {
        match self {
            Self::Memory => 0,
            Self::Making => 1,
        }
    }

    /// The other one.
    pub const fn other(self) -> Self {
        match self {
            Self::Memory => Self::Making,
            Self::Making => Self::Memory,
        }
    }
}

impl fmt::Display for Lane {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Memory => "the memory lane",
            Self::Making => "the making lane",
        })
    }
}

/// What a party has for each lane. A party of one lane has it once, for whatever it does.
pub(crate) enum Lanes<T> {
    /// One lane.
    One(T),
    /// Memory, making.
    Two([T; 2]),
}

impl<T> Lanes<T> {
    pub(crate) fn are_two(&self) -> bool {
        matches!(self, Self::Two(_))
    }

    pub(crate) fn of(&self, lane: Lane) -> &T {
        match (self, lane) {
            (Self::One(only), _) => only,
            (Self::Two([memory, _]), Lane::Memory) => memory,
            (Self::Two([_, making]), Lane::Making) => making,
        }
    }

    pub(crate) fn of_mut(&mut self, lane: Lane) -> &mut T {
        match (self, lane) {
            (Self::One(only), _) => only,
            (Self::Two([memory, _]), Lane::Memory) => memory,
            (Self::Two([_, making]), Lane::Making) => making,
        }
    }

    /// One or two, as there are here.
    pub(crate) fn alike<U>(&self, mut make: impl FnMut() -> U) -> Lanes<U> {
        match self {
            Self::One(_) => Lanes::One(make()),
            Self::Two(_) => Lanes::Two([make(), make()]),
        }
    }
}
