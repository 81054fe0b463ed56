//! What the last READ has yielded.

use zeroize::Zeroizing;

use crate::Word;

/// The results of the last step that had any. All parties know how many there are; only the primaries have shares of them.
#[derive(Default)]
pub(crate) struct Results {
    pub(crate) count: usize,
    pub(crate) shares: Zeroizing<Vec<Word>>,
}

impl Results {
    /// A primary's.
    pub(crate) fn of(shares: Zeroizing<Vec<Word>>) -> Self {
        Self { count: shares.len(), shares }
    }

    /// The helper's.
    pub(crate) fn counted(count: usize) -> Self {
        Self { count, shares: Zeroizing::default() }
    }

    /// Takes the shares, and leaves none.
    pub(crate) fn take(&mut self) -> Vec<Word> {
        self.count = 0;
        std::mem::take(&mut *self.shares)
    }
}
