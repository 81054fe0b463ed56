//! What the last READ has yielded.

use zeroize::Zeroizing;

use crate::Word;

/// The results of the last step that had any: a word each or, with rows, w words. All parties know how many there are; only the
/// primaries have shares of them.
#[derive(Default)]
pub(crate) struct Results {
    pub(crate) count: usize,
    pub(crate) shares: Zeroizing<Vec<Word>>,
}

impl Results {
    /// A primary's, of a word each.
    pub(crate) fn of(shares: Zeroizing<Vec<Word>>) -> Self {
        Self::of_rows(shares, 1)
    }

    /// A primary's, of so many words each.
    pub(crate) fn of_rows(shares: Zeroizing<Vec<Word>>, row_words: usize) -> Self {
        Self { count: shares.len() / row_words, shares }
    }

    /// The first word of each.
    pub(crate) fn first_words(&self, row_words: usize) -> Zeroizing<Vec<Word>> {
        Zeroizing::new(self.shares.chunks(row_words).map(|row| row[0]).collect())
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
