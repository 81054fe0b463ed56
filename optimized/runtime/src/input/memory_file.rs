//! A file as a memory: 64-bit little-endian words, padded with zeros to a power of two.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use duoram_reference::Word;

use super::Error;

/// How much is read at once.
const PIECE_BYTES: usize = 64 << 10;

/// The words of a file, and the padding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryFile {
    /// The file's name, for messages.
    pub name: String,
    padded: Vec<Word>,
    /// Without padding.
    count: usize,
}

impl MemoryFile {
    /// Reads a file, piece by piece and straight into words. `room` is asked whether a session on `2^h` words is possible
    /// before memory is taken for them: for a file with a size once, and before anything is read; for what has none, such as
    /// a pipe, each time that the words double.
    ///
    /// # Errors
    ///
    /// [`Error::File`], [`Error::EmptyMemory`], [`Error::PartialWord`], [`Error::NoRoom`], and those of `room`.
    pub fn open<E: From<Error>>(path: &Path, room: impl FnMut(u32) -> Result<(), E>) -> Result<Self, E> {
        let failed = |source| Error::File { path: path.to_owned(), source };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        // Files of the kernel's that are made up when they are read say that they have no bytes.
        let length = Some(metadata.len()).filter(|length| metadata.is_file() && *length > 0);
        Self::read(path.display().to_string(), file, length, room)
    }

    /// Takes bytes as words.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyMemory`], [`Error::PartialWord`].
    pub fn from_bytes(name: String, bytes: &[u8]) -> Result<Self, Error> {
        Self::read(name, bytes, None, |_| Ok::<(), Error>(()))
    }

    fn read<E: From<Error>>(
        name: String,
        mut reader: impl Read,
        length: Option<u64>,
        mut room: impl FnMut(u32) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut words: Vec<Word> = Vec::new();
        let mut reserve = |words: &mut Vec<Word>, count: u64| -> Result<(), E> {
            let padded = count.checked_next_power_of_two().unwrap_or(1 << 63).max(2);
            if words.capacity() as u64 >= padded {
                return Ok(());
            }
            room(padded.trailing_zeros())?;
            let more = usize::try_from(padded).unwrap_or(usize::MAX).saturating_sub(words.len());
            let no_room = |_| Error::NoRoom { name: name.clone(), words: padded };
            Ok(words.try_reserve_exact(more).map_err(no_room)?)
        };
        if let Some(length) = length {
            if !length.is_multiple_of(8) {
                return Err(Error::PartialWord { name, got: length }.into());
            }
            reserve(&mut words, length / 8)?;
        }
        let (mut buffer, mut filled, mut total) = (vec![0; PIECE_BYTES], 0, 0_u64);
        loop {
            match reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(got) => {
                    filled += got;
                    total += got as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(source) => return Err(Error::File { path: PathBuf::from(name), source }.into()),
            }
            let (whole, rest) = buffer[..filled].as_chunks::<8>();
            let left = rest.len();
            let count = words.len() + whole.len();
            reserve(&mut words, count as u64)?;
            words.extend(whole.iter().copied().map(Word::from_le_bytes));
            buffer.copy_within(filled - left..filled, 0);
            filled = left;
        }
        if total == 0 {
            return Err(Error::EmptyMemory { name }.into());
        }
        if filled > 0 {
            return Err(Error::PartialWord { name, got: total }.into());
        }
        let count = words.len();
        words.resize(count.next_power_of_two().max(2), 0);
        Ok(Self { name, padded: words, count })
    }

    /// `h`: the smallest, at least 1, with room for all words.
    pub fn log_size(&self) -> u32 {
        self.padded.len().trailing_zeros()
    }

    /// The words without padding: the addresses that may be used.
    pub fn words(&self) -> &[Word] {
        &self.padded[..self.count]
    }

    /// The words and the padding.
    pub fn padded(&self) -> &[Word] {
        &self.padded
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
        assert_eq!(file.words(), [0x0201]);
    }

    fn opened(bytes: &[u8], room: impl FnMut(u32) -> Result<(), Error>) -> Result<MemoryFile, Error> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        MemoryFile::open(file.path(), room)
    }

    #[test]
    fn a_file_is_asked_for_its_size_and_read_into_that_much() {
        let bytes: Vec<u8> = (0..8 * 20_000).map(|i| u8::try_from(i % 251).unwrap()).collect();
        let mut asked = Vec::new();
        let file = opened(&bytes, |log_size| {
            asked.push(log_size);
            Ok(())
        });
        let file = file.unwrap();
        assert_eq!(asked, [15]);
        assert_eq!((file.words().len(), file.padded.capacity()), (20_000, 1 << 15));
        assert_eq!(file.padded(), MemoryFile::from_bytes(String::new(), &bytes).unwrap().padded());
    }

    #[test]
    fn what_has_no_room_is_refused_before_it_is_read() {
        let refuse = |name: &str| Error::EmptyScript { name: name.to_owned() };
        let mut asked = 0;
        let error = opened(&[1; 8 * 33], |log_size| {
            asked += 1;
            Err(refuse(&log_size.to_string()))
        });
        assert_eq!((error.unwrap_err().to_string(), asked), (refuse("6").to_string(), 1));
        assert!(matches!(opened(&[1; 9], |_| Ok(())), Err(Error::PartialWord { got: 9, .. })));
        assert!(matches!(opened(&[], |_| Ok(())), Err(Error::EmptyMemory { .. })));
    }

    /// Endless, and without a size: it is read until there is no room.
    #[test]
    #[cfg(unix)]
    fn what_has_no_size_is_asked_about_whenever_it_doubles() {
        let mut asked = Vec::new();
        let error = MemoryFile::open(Path::new("/dev/zero"), |log_size| {
            asked.push(log_size);
            if log_size < 16 { Ok(()) } else { Err(Error::EmptyScript { name: "no room".to_owned() }) }
        });
        assert!(error.is_err());
        // The first piece is 2^13 words.
        assert_eq!(asked, [13, 14, 15, 16]);
    }

    #[test]
    fn a_size_beyond_every_machine_is_an_error() {
        let error: Error = MemoryFile::read("m".to_owned(), &[][..], Some(1 << 62), |_| Ok(())).unwrap_err();
        assert_eq!(error.to_string(), format!("m: there is no room for {} words of 8 bytes", 1_u64 << 59));
    }
}
