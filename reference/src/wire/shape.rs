//! How long a payload is, from the numbers of what it holds.

use super::bits::packed_length;

const WORD: usize = 8;
const BLOCK: usize = 16;

/// The length of a payload, summed up section by section. It saturates, so that no number of items overflows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Length(usize);

impl Length {
    /// Of so many words.
    pub const fn words(count: usize) -> Self {
        Self(count.saturating_mul(WORD))
    }

    /// Of so many blocks.
    pub const fn blocks(count: usize) -> Self {
        Self(count.saturating_mul(BLOCK))
    }

    /// Of so many bytes.
    pub const fn of_bytes(count: usize) -> Self {
        Self(count)
    }

    /// Of so many packed bits.
    pub const fn bits(count: usize) -> Self {
        Self(packed_length(count))
    }

    /// Of this and what follows.
    pub const fn and(self, following: Self) -> Self {
        Self(self.0.saturating_add(following.0))
    }

    /// So many times.
    pub(crate) const fn times(self, count: usize) -> Self {
        Self(self.0.saturating_mul(count))
    }

    /// In bytes.
    pub const fn bytes(self) -> usize {
        self.0
    }
}

/// `h` as a length.
pub(crate) fn levels(log_size: u32) -> usize {
    usize::try_from(log_size).unwrap_or(usize::MAX)
}
