//! A memory that is not among what is saved with its party: the local computation has put it aside, whole and for good, and the saved
//! lane has its name.

use thiserror::Error;

use crate::Word;

/// The name of a memory that a local computation has put aside: no other memory ever has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Aside(pub [u8; 16]);

/// Why a memory that was put aside is not there as it was.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
#[error("{0}")]
pub struct NotAside(pub String);

impl NotAside {
    /// What a computation says that puts nothing aside.
    pub(crate) fn never() -> Self {
        Self("expected the vectors of the memory, got the name of one that workers have put aside".to_owned())
    }
}

/// A memory as it is saved.
pub(crate) enum SavedMemory<'a> {
    /// With the party: vectors as long as the memory.
    Vectors(Vec<&'a [Word]>),
    /// Apart from it.
    Aside(Aside),
}

impl<'a> SavedMemory<'a> {
    /// Aside, if that is where it is.
    pub(crate) fn of(aside: Option<Aside>, vectors: impl FnOnce() -> Vec<&'a [Word]>) -> Self {
        aside.map_or_else(|| Self::Vectors(vectors()), Self::Aside)
    }

    /// The vectors that are saved with the party: none of a memory that is aside.
    pub(crate) fn vectors(&self) -> &[&'a [Word]] {
        match self {
            Self::Vectors(vectors) => vectors,
            Self::Aside(_) => &[],
        }
    }
}
