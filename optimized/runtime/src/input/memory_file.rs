//! A file as a memory: 64-bit little-endian words, or rows of some each. Where a protocol needs a word at every address, they are padded
//! with zeros to a power of two of them.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use duoram_reference::Word;

use super::Error;

/// How much is read at once.
const PIECE_BYTES: usize = 64 << 10;

/// What the addresses have that the file has no rows for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Zeros: the memory has a power of two of rows, at least two.
    Zeros,
    /// Nothing: the memory has the rows of the file.
    Nothing,
}

impl Rest {
    /// How many rows a memory has for a file of so many.
    fn rows(self, rows: u64) -> u64 {
        match self {
            Self::Zeros => rows.checked_next_power_of_two().unwrap_or(1 << 63).max(2),
            Self::Nothing => rows.max(1),
        }
    }
}

/// The words of a file, and the padding if there is any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryFile {
    /// The file's name, for messages.
    pub name: String,
    memory: Vec<Word>,
    /// Without padding.
    count: usize,
    row_words: usize,
}

impl MemoryFile {
    /// Reads a file of rows, piece by piece and straight into words. `room` is asked whether a session on so many rows is
    /// possible before memory is taken for them: for a file with a size once, and before anything is read; for what has none, such as
    /// a pipe, each time that the rows double.
    ///
    /// # Errors
    ///
    /// [`Error::File`], [`Error::EmptyMemory`], [`Error::PartialRow`], [`Error::NoRoom`], and those of `room`.
    pub fn open<E: From<Error>>(
        path: &Path,
        (row_words, rest): (usize, Rest),
        room: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        let failed = |source| Error::File { path: path.to_owned(), source };
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        // Files of the kernel's that are made up when they are read say that they have no bytes.
        let length = Some(metadata.len()).filter(|length| metadata.is_file() && *length > 0);
        Self::read(path.display().to_string(), (row_words, rest), file, length, room)
    }

    /// Takes bytes as rows.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyMemory`], [`Error::PartialRow`].
    pub fn from_bytes(name: String, form: (usize, Rest), bytes: &[u8]) -> Result<Self, Error> {
        Self::read(name, form, bytes, None, |_| Ok::<(), Error>(()))
    }

    fn read<E: From<Error>>(
        name: String,
        (row_words, rest): (usize, Rest),
        mut reader: impl Read,
        length: Option<u64>,
        mut room: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        let mut words: Vec<Word> = Vec::new();
        let w = row_words as u64;
        let mut reserve = |words: &mut Vec<Word>, count: u64| -> Result<(), E> {
            if words.capacity() as u64 >= count {
                return Ok(());
            }
            // Without a size there may be as much again.
            let rows = if length.is_some() { rest } else { Rest::Zeros }.rows(count.div_ceil(w));
            let all = rows.saturating_mul(w);
            room(rows)?;
            let more = usize::try_from(all).unwrap_or(usize::MAX).saturating_sub(words.len());
            let no_room = |_| Error::NoRoom { name: name.clone(), words: all };
            Ok(words.try_reserve_exact(more).map_err(no_room)?)
        };
        if let Some(length) = length {
            if !length.is_multiple_of(8 * w) {
                return Err(Error::PartialRow { name, row_words, got: length }.into());
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
        if !total.is_multiple_of(8 * w) {
            return Err(Error::PartialRow { name, row_words, got: total }.into());
        }
        let count = words.len();
        // As many as there has been made room for.
        let all = usize::try_from(rest.rows((count / row_words) as u64)).unwrap_or(usize::MAX);
        words.resize(all.saturating_mul(row_words), 0);
        Ok(Self { name, memory: words, count, row_words })
    }

    /// `m`: the rows of the memory, with the padding if there is any.
    pub fn memory_rows(&self) -> usize {
        self.memory.len() / self.row_words
    }

    /// The rows without padding: the addresses that may be used.
    pub fn rows(&self) -> usize {
        self.count / self.row_words
    }

    /// The words of the rows without padding.
    pub fn words(&self) -> &[Word] {
        &self.memory[..self.count]
    }

    /// The words of the memory: those of the file, and the padding if there is any.
    pub fn memory(&self) -> &[Word] {
        &self.memory
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_powers_of_two_and_at_least_two_or_those_of_the_file() {
        for (words, log_size) in [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (1000, 10), (1024, 10), (1025, 11)]
        {
            let file = zeros(1, &vec![7; 8 * words]).unwrap();
            assert_eq!(file.memory_rows(), 1 << log_size, "{words} words");
            assert_eq!(file.memory().len(), 1 << log_size);
            assert!(file.memory()[words..].iter().all(|&word| word == 0));
            let bare =
                MemoryFile::from_bytes("test".to_owned(), (1, Rest::Nothing), &vec![7; 8 * words]).unwrap();
            assert_eq!((bare.memory_rows(), bare.rows(), bare.memory()), (words, words, file.words()));
        }
    }

    #[test]
    fn rows_are_padded_to_a_power_of_two_of_them() {
        for (rows, row_words, log_size) in [(1, 3, 1), (2, 3, 1), (5, 3, 3), (8, 512, 3), (9, 2, 4)] {
            let bytes = vec![7; 8 * rows * row_words];
            let file = zeros(row_words, &bytes).unwrap();
            assert_eq!(
                (file.memory_rows(), file.rows()),
                (1 << log_size, rows),
                "{rows} rows of {row_words}"
            );
            assert_eq!((file.words().len(), file.memory().len()), (rows * row_words, row_words << log_size));
        }
        let error =
            MemoryFile::from_bytes("m".to_owned(), (3, Rest::Nothing), &[7; 8 * 14]).unwrap_err().to_string();
        let expected =
            "m: expected a multiple of 24 bytes (rows of 3 64-bit little-endian words), got 112 bytes";
        assert_eq!(error, expected);
    }

    #[test]
    fn words_are_little_endian() {
        let file = zeros(1, &[1, 2, 0, 0, 0, 0, 0, 0]).unwrap();
        assert_eq!(file.words(), [0x0201]);
    }

    fn zeros(row_words: usize, bytes: &[u8]) -> Result<MemoryFile, Error> {
        MemoryFile::from_bytes("test".to_owned(), (row_words, Rest::Zeros), bytes)
    }

    fn opened(
        bytes: &[u8],
        rest: Rest,
        room: impl FnMut(u64) -> Result<(), Error>,
    ) -> Result<MemoryFile, Error> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        MemoryFile::open(file.path(), (1, rest), room)
    }

    #[test]
    fn a_file_is_asked_for_its_size_and_read_into_that_much() {
        let bytes: Vec<u8> = (0..8 * 20_000).map(|i| u8::try_from(i % 251).unwrap()).collect();
        for (rest, rows) in [(Rest::Zeros, 1 << 15), (Rest::Nothing, 20_000)] {
            let mut asked = Vec::new();
            let file = opened(&bytes, rest, |rows| {
                asked.push(rows);
                Ok(())
            });
            let file = file.unwrap();
            assert_eq!(asked, [rows as u64]);
            assert_eq!((file.words().len(), file.memory.len(), file.memory.capacity()), (20_000, rows, rows));
            let of_bytes = MemoryFile::from_bytes(String::new(), (1, rest), &bytes).unwrap();
            assert_eq!(file.memory(), of_bytes.memory());
        }
    }

    #[test]
    fn what_has_no_room_is_refused_before_it_is_read() {
        let refuse = |name: &str| Error::EmptyScript { name: name.to_owned() };
        let mut asked = 0;
        let error = opened(&[1; 8 * 33], Rest::Nothing, |rows| {
            asked += 1;
            Err(refuse(&rows.to_string()))
        });
        assert_eq!((error.unwrap_err().to_string(), asked), (refuse("33").to_string(), 1));
        assert!(matches!(opened(&[1; 9], Rest::Nothing, |_| Ok(())), Err(Error::PartialRow { got: 9, .. })));
        assert!(matches!(opened(&[], Rest::Zeros, |_| Ok(())), Err(Error::EmptyMemory { .. })));
    }

    /// Endless, and without a size: it is read until there is no room.
    #[test]
    #[cfg(unix)]
    fn what_has_no_size_is_asked_about_whenever_it_doubles() {
        let mut asked = Vec::new();
        let error = MemoryFile::open(Path::new("/dev/zero"), (1, Rest::Nothing), |rows| {
            asked.push(rows);
            if rows < 1 << 16 { Ok(()) } else { Err(Error::EmptyScript { name: "no room".to_owned() }) }
        });
        assert!(error.is_err());
        // The first piece is 2^13 words.
        assert_eq!(asked, [13, 14, 15, 16].map(|log| 1 << log));
        let mut asked = Vec::new();
        let error = MemoryFile::open(Path::new("/dev/zero"), (3, Rest::Zeros), |rows| {
            asked.push(rows);
            if rows < 1 << 14 { Ok(()) } else { Err(Error::EmptyScript { name: "no room".to_owned() }) }
        });
        assert!(error.is_err());
        // A third of 2^13 rows, and of what is more.
        assert_eq!(asked, [12, 13, 14].map(|log| 1 << log));
    }

    #[test]
    fn a_size_beyond_every_machine_is_an_error() {
        let error: Error =
            MemoryFile::read("m".to_owned(), (1, Rest::Zeros), &[][..], Some(1 << 62), |_| Ok(()))
                .unwrap_err();
        assert_eq!(error.to_string(), format!("m: there is no room for {} words of 8 bytes", 1_u64 << 59));
    }
}
