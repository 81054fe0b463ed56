//! What all parties must agree on before they say hello.

use super::Error;
use crate::Word;
use crate::wire::SessionId;

/// The largest `h = lg n` that the protocol allows.
pub const MAX_LOG_SIZE: u32 = 40;

/// The session and the size of the memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Parameters {
    session: SessionId,
    log_size: u32,
}

impl Parameters {
    /// A memory of `n = 2^log_size` words.
    ///
    /// A party allocates several vectors of `n` words as soon as it exists; whether the machine has room for them is for
    /// the caller to know.
    ///
    /// # Errors
    ///
    /// [`Error::LogSizeOutOfRange`] unless `1 <= log_size <= 40` (less where `n` blocks do not fit the address space).
    pub fn new(session: SessionId, log_size: u32) -> Result<Self, Error> {
        let max = MAX_LOG_SIZE.min(usize::BITS - 6);
        if (1..=max).contains(&log_size) {
            Ok(Self { session, log_size })
        } else {
            Err(Error::LogSizeOutOfRange { max, got: log_size })
        }
    }

    /// The session's name.
    pub const fn session(&self) -> SessionId {
        self.session
    }

    /// `h = lg n`, the height of every DPF tree.
    pub const fn log_size(&self) -> u32 {
        self.log_size
    }

    /// `n`, the number of words in the memory.
    pub const fn size(&self) -> u64 {
        1 << self.log_size
    }

    /// `word mod n`.
    pub(crate) const fn reduce(&self, word: Word) -> Word {
        word & (self.size() - 1)
    }
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
}
