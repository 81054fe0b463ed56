//! A file as a memory: 64-bit little-endian words, padded with zeros to a power of two.

use std::path::Path;

use duoram_reference::Word;

use crate::Error;

/// The bundled sample; `samples/README.md` says what it holds.
const SAMPLE: &[u8] = include_bytes!("../samples/ring.bin");

/// The words of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryFile {
    /// The file's name, for messages.
    pub name: String,
    /// Its words, without padding: the addresses that may be used.
    pub words: Vec<Word>,
}

impl MemoryFile {
    /// The bundled sample.
    ///
    /// # Errors
    ///
    /// None, as long as the sample is well-formed.
    pub fn sample() -> Result<Self, Error> {
        Self::from_bytes("samples/ring.bin (bundled)".to_owned(), SAMPLE)
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Error::File`], and those of [`Self::from_bytes`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        Self::from_bytes(path.display().to_string(), &bytes)
    }

    /// Takes bytes as words.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyMemory`], [`Error::PartialWord`].
    pub fn from_bytes(name: String, bytes: &[u8]) -> Result<Self, Error> {
        let (words, rest) = bytes.as_chunks::<8>();
        if bytes.is_empty() {
            return Err(Error::EmptyMemory { name });
        }
        if !rest.is_empty() {
            return Err(Error::PartialWord { name, got: bytes.len() });
        }
        Ok(Self { name, words: words.iter().copied().map(Word::from_le_bytes).collect() })
    }

    /// `h`: the smallest, at least 1, with room for all words.
    pub fn log_size(&self) -> u32 {
        self.words.len().next_power_of_two().trailing_zeros().max(1)
    }

    /// The words and the padding.
    pub fn padded(&self) -> Vec<Word> {
        let mut words = self.words.clone();
        words.resize(1 << self.log_size(), 0);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_two_and_at_least_two() {
        for (words, log_size) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (1000, 10), (1024, 10), (1025, 11)]
        {
            let file = MemoryFile::from_bytes("test".to_owned(), &vec![7; 8 * words]).unwrap();
            assert_eq!(file.log_size(), log_size, "{words} words");
            assert_eq!(file.padded().len(), 1 << log_size);
            assert!(file.padded()[words..].iter().all(|&word| word == 0));
        }
    }

    #[test]
    fn words_are_little_endian() {
        let file = MemoryFile::from_bytes("test".to_owned(), &[1, 2, 0, 0, 0, 0, 0, 0]).unwrap();
        assert_eq!(file.words, [0x0201]);
    }

    #[test]
    fn the_sample_is_what_its_readme_says() {
        let ring: Vec<Word> = (0..1000).map(|i| (421 * i + 337) % 1000).collect();
        assert_eq!(MemoryFile::sample().unwrap().words, ring);
        // One ring through all 1000 words: a chase of 1000 steps returns to where it started, and no sooner.
        let mut place = 0;
        for step in 1..=1000 {
            place = ring[usize::try_from(place).unwrap()];
            assert_eq!(place == 0, step == 1000);
        }
    }
}
