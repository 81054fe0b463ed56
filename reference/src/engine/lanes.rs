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

/// What a party has for each lane; of one lane it has it once, for whatever it does.
///
/// In a place of its own: an enumeration of one and two would have unused bytes, which take along what was on the stack.
pub(crate) struct Lanes<T>(Vec<T>);

impl<T> Lanes<T> {
    /// Of one lane.
    pub(crate) fn one(only: T) -> Self {
        Self(vec![only])
    }

    /// Of two lanes, each made for its own.
    pub(crate) fn two(make: impl FnMut(Lane) -> T) -> Self {
        Self(Lane::ALL.into_iter().map(make).collect())
    }

    pub(crate) fn are_two(&self) -> bool {
        self.0.len() > 1
    }

    pub(crate) fn of(&self, lane: Lane) -> &T {
        &self.0[self.place(lane)]
    }

    pub(crate) fn of_mut(&mut self, lane: Lane) -> &mut T {
        let place = self.place(lane);
        &mut self.0[place]
    }

    /// One or two, as there are here.
    pub(crate) fn alike<U>(&self, make: impl Fn() -> U) -> Lanes<U> {
        Lanes(self.0.iter().map(|_| make()).collect())
    }

    fn place(&self, lane: Lane) -> usize {
        if self.are_two() { usize::from(lane.number()) } else { 0 }
    }
}
