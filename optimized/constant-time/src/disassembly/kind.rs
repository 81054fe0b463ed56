//! What is known about a value, and about the places that pointers lead to.

/// What a pointer that the function was given, or made, points into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Region {
    /// What the function is called with: the argument of this number. Public, but for what the function itself has stored there.
    Argument(usize),
    /// The frame, counted from the stack pointer at the beginning. Secret, but for what the function itself has stored there.
    Frame,
    /// The same, counted from the stack pointer after it was rounded down by an unknown distance.
    Aligned,
}

impl Region {
    /// What is read where nothing was stored.
    pub(super) fn fresh(self) -> Kind {
        if matches!(self, Self::Argument(_)) { Kind::Public } else { Kind::Secret }
    }
}

/// What is known about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Public,
    /// A pointer to constants.
    Constant,
    /// A pointer into a region, so many bytes from its beginning, if that is known. The pointer itself is public.
    Pointer(Region, Option<i64>),
    Secret,
}

impl Kind {
    /// One of two values. Of what may be a pointer into the frame, it is still to be known that something may be stored there.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Secret, _) | (_, Self::Secret) => Self::Secret,
            (Self::Pointer(a, _), Self::Pointer(b, _)) if a == b => Self::Pointer(a, None),
            (Self::Pointer(Region::Aligned, _), _) | (_, Self::Pointer(Region::Aligned, _)) => {
                Self::Pointer(Region::Aligned, None)
            }
            (Self::Pointer(Region::Frame, _), _) | (_, Self::Pointer(Region::Frame, _)) => {
                Self::Pointer(Region::Frame, None)
            }
            _ => Self::Public,
        }
    }

    /// Another value, chosen with the help of this one.
    pub(super) fn choosing(self, other: Self) -> Self {
        if self == Self::Secret { self } else { other }
    }

    /// A value computed from this one: no pointer any more.
    pub(super) fn value(self) -> Self {
        if self == Self::Secret { self } else { Self::Public }
    }

    /// A sum with a known number.
    pub(super) fn plus(self, bytes: i64) -> Self {
        match self {
            Self::Pointer(region, at) => Self::Pointer(region, at.map(|at| at.wrapping_add(bytes))),
            Self::Constant => Self::Constant,
            other => other.value(),
        }
    }

    /// A sum or difference of two values, neither of which is known: it points into what one of them pointed into.
    pub(super) fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Secret, _) | (_, Self::Secret) => Self::Secret,
            (Self::Pointer(region, _), Self::Public) | (Self::Public, Self::Pointer(region, _)) => {
                Self::Pointer(region, None)
            }
            (Self::Constant, Self::Public) | (Self::Public, Self::Constant) => Self::Constant,
            _ => Self::Public,
        }
    }
}
