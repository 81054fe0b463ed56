//! What all parties must agree on before they say hello.

use super::Error;
use crate::Word;
use crate::wire::SessionId;

/// The largest `h = lg n` that the protocol allows.
pub const MAX_LOG_SIZE: u32 = 40;

/// The largest w, the words of a row, that the protocol allows.
pub const MAX_ROW_WORDS: usize = 512;

/// The most words of a memory: a load numbers its chunks of 2^16 words by 32 bits.
pub const MAX_WORDS: u64 = 1 << 48;

/// The session and the size of the memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Parameters {
    session: SessionId,
    log_size: u32,
    rows: usize,
    row_words: usize,
}

impl Parameters {
    /// A memory of `n = 2^log_size` words.
    ///
    /// A party allocates several vectors of as many words as soon as it exists; whether the machine has room for them is for
    /// the caller to know.
    ///
    /// # Errors
    ///
    /// [`Error::LogSizeOutOfRange`] unless `1 <= log_size <= 40` (less where `n` blocks do not fit the address space).
    pub fn new(session: SessionId, log_size: u32) -> Result<Self, Error> {
        let max = MAX_LOG_SIZE.min(usize::BITS - 6);
        if (1..=max).contains(&log_size) {
            Ok(Self { session, log_size, rows: leaves(log_size), row_words: 1 })
        } else {
            Err(Error::LogSizeOutOfRange { max, got: log_size })
        }
    }

    /// The same with a row of w words at each address instead of one word. Only parties of the lean protocol can have more than one:
    /// those of others refuse to connect ([`Error::NoRows`]).
    ///
    /// # Errors
    ///
    /// [`Error::RowWordsOutOfRange`] unless `1 <= row_words <= 512` and `n * row_words <= 2^48` (less where so many words do not
    /// fit the address space).
    pub fn with_row_words(self, row_words: usize) -> Result<Self, Error> {
        let most = MAX_WORDS.min((usize::MAX >> 6) as u64) >> self.log_size;
        let max = MAX_ROW_WORDS.min(usize::try_from(most).unwrap_or(usize::MAX));
        if (1..=max).contains(&row_words) {
            Ok(Self { row_words, ..self })
        } else {
            Err(Error::RowWordsOutOfRange { max, got: row_words })
        }
    }

    /// The same with a memory of m rows (of words, if w is 1), and nothing at the other addresses: nobody stores it, what is put there
    /// is gone, and zeros are read. Only parties of the lean protocol can have fewer than n: those of others refuse to connect
    /// ([`Error::AllRows`]).
    ///
    /// # Errors
    ///
    /// [`Error::RowsOutOfRange`] unless h is the smallest of which `2^h >= rows`: then it says nothing more than m does. With h = 1
    /// there may also be one row.
    pub fn with_rows(self, rows: usize) -> Result<Self, Error> {
        let log_size = self.log_size;
        if rows > 0 && log_size_of(rows) == log_size {
            return Ok(Self { rows, ..self });
        }
        let min = if log_size == 1 { 1 } else { leaves(log_size - 1) + 1 };
        Err(Error::RowsOutOfRange { log_size, min, max: leaves(log_size), got: rows })
    }

    /// The session's name.
    pub const fn session(&self) -> SessionId {
        self.session
    }

    /// `h = lg n`, the height of every DPF tree.
    pub const fn log_size(&self) -> u32 {
        self.log_size
    }

    /// `n`, the number of addresses.
    pub const fn size(&self) -> u64 {
        1 << self.log_size
    }

    /// `m`, the number of rows that the memory has (of words, if w is 1): at the first addresses, and at no others.
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Whether there is a row at every address: `m = n`.
    pub const fn has_all_rows(&self) -> bool {
        self.rows == leaves(self.log_size)
    }

    /// `w`, the number of words at an address.
    pub const fn row_words(&self) -> usize {
        self.row_words
    }

    /// `m w`, the number of words in the memory.
    pub const fn words(&self) -> usize {
        self.rows * self.row_words
    }

    /// What is said of the memory's size: see [`size_word`].
    pub(crate) const fn size_word(&self) -> Word {
        size_word(self.rows, self.row_words)
    }

    /// `word mod n`.
    pub(crate) const fn reduce(&self, word: Word) -> Word {
        word & (self.size() - 1)
    }
}

/// `m + 2^48 (w - 1)`, from which h follows as well.
pub(crate) const fn size_word(rows: usize, row_words: usize) -> Word {
    rows as Word | (row_words.wrapping_sub(1) as Word) << ROWS_BITS
}

/// m and w, of what [`size_word`] says.
pub(crate) const fn sizes(word: Word) -> [u64; 2] {
    [word & ((1 << ROWS_BITS) - 1), (word >> ROWS_BITS) + 1]
}

const ROWS_BITS: u32 = 48;

/// `h`, of a memory of so many rows: the smallest, from 1 on, of which `2^h` is as large.
pub const fn log_size_of(rows: usize) -> u32 {
    let bits = usize::BITS - rows.saturating_sub(1).leading_zeros();
    if bits == 0 { 1 } else { bits }
}

/// `2^log_size` as a length.
pub(crate) const fn leaves(log_size: u32) -> usize {
    1 << log_size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_from_1_to_40() {
        let session = SessionId([0; 16]);
        for log_size in 1..=40 {
            let parameters = Parameters::new(session, log_size).unwrap();
            assert_eq!(parameters.size(), 1 << log_size);
            assert_eq!(parameters.reduce(Word::MAX), parameters.size() - 1);
        }
        for got in [0, 41, u32::MAX] {
            assert_eq!(Parameters::new(session, got), Err(Error::LogSizeOutOfRange { max: 40, got }));
        }
    }

    /// h is the height that so many rows need, and no larger.
    #[test]
    fn as_many_rows_as_need_the_height() {
        let session = SessionId([0; 16]);
        for (log_size, min, max) in
            [(1, 1, 2), (2, 3, 4), (3, 5, 8), (10, 513, 1024), (40, (1 << 39) + 1, 1 << 40)]
        {
            let all = Parameters::new(session, log_size).unwrap();
            assert_eq!((all.rows(), all.has_all_rows()), (max, true));
            for rows in [min, max] {
                assert_eq!(log_size_of(rows), log_size);
                let parameters = all.with_rows(rows).unwrap();
                assert_eq!((parameters.rows(), parameters.has_all_rows()), (rows, rows == max));
                assert_eq!((parameters.words(), parameters.size()), (rows, 1 << log_size));
                let wide = parameters.with_row_words(3).unwrap();
                assert_eq!((wide.words(), wide.size_word()), (3 * rows, rows as u64 + (2 << 48)));
                assert_eq!(sizes(wide.size_word()), [rows as u64, 3]);
            }
            for got in [0, min - 1, max + 1, usize::MAX] {
                let refused = Err(Error::RowsOutOfRange { log_size, min, max, got });
                assert_eq!(all.with_rows(got), refused);
            }
        }
        assert_eq!(sizes(size_word(1 << 40, 256)), [1 << 40, 256]);
        assert_eq!(sizes(size_word(1, 512)), [1, 512]);
    }

    #[test]
    fn rows_from_1_to_512_words_as_far_as_chunks_can_be_numbered() {
        let of = |log_size| Parameters::new(SessionId([0; 16]), log_size).unwrap();
        for row_words in [1, 2, 3, 511, 512] {
            let parameters = of(5).with_row_words(row_words).unwrap();
            assert_eq!((parameters.row_words(), parameters.words()), (row_words, 32 * row_words));
            assert_eq!(parameters.size(), 32);
        }
        assert_eq!(of(5), of(5).with_row_words(1).unwrap());
        for (log_size, max) in [(1, 512), (39, 512), (40, 256)] {
            assert_eq!(of(log_size).with_row_words(max).map(|p| p.row_words()), Ok(max));
            for got in [0, max + 1, usize::MAX] {
                let refused = Err(Error::RowWordsOutOfRange { max, got });
                assert_eq!(of(log_size).with_row_words(got), refused);
            }
        }
    }
}
