//! What a worker keeps of a memory that is put aside: its range, in a file of its own.
//!
//! | bytes | field |
//! |---|---|
//! | 5 | `DUOR` and the version of this layout, 3 |
//! | 16 | the name of the memory |
//! | 8 each | worker, of how many; m; w; vectors; the first row of the range, and the first that is not in it |
//! | 8, and as many as it says | whose: party and session, or a name |
//! | 40 | nothing, sealed |
//! | | the words of the range, vector by vector, in pieces of at most 2^14, each sealed |
//!
//! Numbers are little-endian. What is sealed is bound to all that is before it and to its place, so that a file is good for one range of
//! one memory of one party, whole, and for nothing else. Pieces are short, so that who writes or reads one needs no room for it all.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use duoram_reference::{Aside, MAX_LOG_SIZE, MAX_ROW_WORDS, Word};
use zeroize::Zeroizing;

use super::seal::{Place, SEAL_BYTES, Seal};
use super::{Error, Folder, Medium, Owner, StoreKey};
use crate::hex;

/// What a file begins with.
const MAGIC: [u8; 5] = *b"DUOR\x03";

/// Words that are sealed together.
const PIECE: usize = 1 << 14;

/// The numbers before whose it is, and the length of that.
const NUMBERS: usize = 8;

/// What is before whose it is.
const FIXED: usize = MAGIC.len() + 16 + NUMBERS * size_of::<u64>();

/// The longest name of an owner.
const LONGEST_OWNER: u64 = 1 << 12;

/// Which range of which memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RangeOf {
    /// The memory.
    pub aside: Aside,
    /// Whose range.
    pub worker: usize,
    /// Of how many.
    pub workers: usize,
    /// m: the memory has so many rows.
    pub all_rows: usize,
    /// w: each has so many words.
    pub row_words: usize,
    /// Which of them.
    pub rows: Range<usize>,
}

impl RangeOf {
    /// Which words or rows, and whose, for a message.
    fn cut(&self) -> String {
        let Self { worker, workers, all_rows, row_words, rows, .. } = self;
        let Range { start, end } = rows;
        let (what, of) = match row_words {
            1 => ("words", String::new()),
            row_words => ("rows", format!(" rows of {row_words} words")),
        };
        format!("{what} {start}..{end} of {all_rows}{of}, of worker {worker} of {workers}")
    }

    fn header(&self, vectors: usize, owner: &str) -> Vec<u8> {
        let mut header = [&MAGIC[..], &self.aside.0].concat();
        let Range { start, end } = self.rows;
        let numbers: [usize; NUMBERS] =
            [self.worker, self.workers, self.all_rows, self.row_words, vectors, start, end, owner.len()];
        header.extend(numbers.into_iter().flat_map(|number| (number as u64).to_le_bytes()));
        header.extend_from_slice(owner.as_bytes());
        header
    }
}

/// A worker's folder.
pub struct Ranges<M> {
    medium: M,
    seal: Seal,
    owner: String,
}

/// Where workers keep their ranges: each in a folder of its own in this one, by its number. Workers on several machines have one there each.
#[derive(Clone)]
pub struct RangeFolders {
    parent: PathBuf,
    key: StoreKey,
    owner: Owner,
}

impl RangeFolders {
    /// In this folder, sealed with the party's key.
    pub fn new(parent: &Path, key: StoreKey, owner: Owner) -> Self {
        Self { parent: parent.to_owned(), key, owner }
    }

    /// What shows to others that they have the same key, and work for the same party.
    ///
    /// # Errors
    ///
    /// The system gives no randomness.
    pub fn proof(&self) -> io::Result<Vec<u8>> {
        Seal::new(&self.key, &self.owner).close(Place::Proof, &[])
    }

    /// The folder of a worker, which is made if there is none, and is its alone until this is dropped.
    ///
    /// # Errors
    ///
    /// [`Error::Locked`], [`Error::Medium`].
    pub fn open(&self, worker: usize) -> Result<Ranges<Folder>, Error> {
        let folder = Folder::open(&self.parent.join(worker.to_string()))?;
        Ok(Ranges::new(folder, &self.key, &self.owner))
    }
}

/// A name that no memory has. All of one party's begin as its first one does, which is drawn without one before it: so whoever begins anew, or
/// has the folder by mistake, tells its own files from those of others.
///
/// # Errors
///
/// The system gives no randomness.
pub fn draw(before: Option<Aside>) -> io::Result<Aside> {
    let mut name = [0; 16];
    getrandom::fill(&mut name).map_err(io::Error::other)?;
    if let Some(Aside(before)) = before {
        name[..BEGINNING].copy_from_slice(&before[..BEGINNING]);
    }
    Ok(Aside(name))
}

/// Bytes of a name that all names of a party have in common.
const BEGINNING: usize = 8;

fn file_of(worker: usize, aside: Aside) -> String {
    named(worker, &aside.0)
}

/// How the names of a worker's files of all memories of this one's party begin.
fn beginning_of(worker: usize, aside: Aside) -> String {
    named(worker, &aside.0[..BEGINNING])
}

fn named(worker: usize, bytes: &[u8]) -> String {
    let mut name = format!("range.{worker}.");
    hex::write(bytes, &mut name).expect("a String takes all that is written");
    name
}

/// A file that has been opened, up to its words.
struct Opened {
    of: RangeOf,
    vectors: usize,
    header: Vec<u8>,
    file: Box<dyn Read>,
}

impl<M: Medium> Ranges<M> {
    /// In this place.
    pub fn new(medium: M, key: &StoreKey, owner: &Owner) -> Self {
        Self { medium, seal: Seal::new(key, owner), owner: owner.name() }
    }

    /// Whether whoever has made this proof ([`RangeFolders::proof`]) has the same key, and works for the same party.
    ///
    /// # Errors
    ///
    /// [`Error::WrongKey`].
    pub fn check(&self, proof: &[u8]) -> Result<(), Error> {
        let place = self.medium.place("");
        self.seal.open(Place::Proof, proof).map(drop).ok_or(Error::WrongKey { place })
    }

    /// Puts a range there: as many words as it has of each vector. When this returns it is on disk, whole.
    ///
    /// # Errors
    ///
    /// [`Error::Medium`]. What the disk has is not known then; under this name it must not be asked for.
    pub fn put(&self, of: &RangeOf, vectors: &[&[Word]]) -> Result<(), Error> {
        let (name, header) = (file_of(of.worker, of.aside), of.header(vectors.len(), &self.owner));
        let mut bytes = Zeroizing::new(Vec::with_capacity(PIECE * size_of::<Word>()));
        let put = self.medium.put(&name, &mut |file| {
            file.write_all(&header)?;
            file.write_all(&self.seal.close(Place::Piece(&header, 0), &[])?)?;
            let pieces = vectors.iter().flat_map(|vector| vector.chunks(PIECE));
            for (number, words) in (1..).zip(pieces) {
                bytes.clear();
                for word in words {
                    bytes.extend_from_slice(&word.to_le_bytes());
                }
                file.write_all(&self.seal.close(Place::Piece(&header, number), &bytes)?)?;
            }
            Ok(())
        });
        put.map_err(|source| self.failed(&name, source))
    }

    /// Takes back what was put there: this range of this memory, of as many vectors. What is there after an error means nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Foreign`] of a file that is not there, not all there, of another memory, range or party; [`Error::WrongKey`];
    /// [`Error::Damaged`]; [`Error::Medium`].
    pub fn get(&self, of: &RangeOf, vectors: &mut [&mut [Word]]) -> Result<(), Error> {
        let name = file_of(of.worker, of.aside);
        let mut opened = self.open(&name, of)?;
        let foreign = |what, expected: &dyn ToString, got: &dyn ToString| {
            let (expected, got) = (expected.to_string(), got.to_string());
            if expected == got { Ok(()) } else { Err(self.foreign(&name, what, expected, got)) }
        };
        foreign("whose range it is", &of.cut(), &opened.of.cut())?;
        foreign("its vectors", &vectors.len(), &opened.vectors)?;
        self.words(&name, &mut opened, vectors)
    }

    /// A file up to its words, whatever range it has of this memory.
    fn open(&self, name: &str, of: &RangeOf) -> Result<Opened, Error> {
        let foreign = |what, expected: String, got: String| Err(self.foreign(name, what, expected, got));
        let failed = |source| self.failed(name, source);
        let Some((length, mut file)) = self.medium.open(name).map_err(failed)? else {
            return foreign("the file of a range", of.cut(), "no such file".to_owned());
        };
        let mut fixed = [0; FIXED];
        let short = |file: &mut dyn Read, bytes: &mut [u8]| match file.read_exact(bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                let (expected, got) = (format!("{FIXED} bytes or more"), length.to_string());
                Err(self.foreign(name, "its length", expected, got))
            }
            read => read.map_err(failed),
        };
        short(&mut file, &mut fixed)?;
        let (magic, rest) = fixed.split_at(MAGIC.len());
        if magic != MAGIC {
            return foreign("its beginning", format!("{MAGIC:02x?}"), format!("{magic:02x?}"));
        }
        let (aside, numbers) = rest.split_at(16);
        if aside != of.aside.0 {
            let expected = format!("{:02x?}", of.aside.0);
            return foreign("the name of the memory", expected, format!("{aside:02x?}"));
        }
        let mut words = [0_u64; NUMBERS];
        for (word, bytes) in words.iter_mut().zip(numbers.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        let [worker, workers, all_rows, row_words, vectors, start, end, owner_length] = words;
        if owner_length > LONGEST_OWNER {
            return foreign(
                "the length of a name",
                format!("at most {LONGEST_OWNER}"),
                owner_length.to_string(),
            );
        }
        if all_rows > 1 << MAX_LOG_SIZE || start > end || end > all_rows {
            return foreign("its range", of.cut(), format!("rows {start}..{end} of {all_rows}"));
        }
        if !(1..=MAX_ROW_WORDS as u64).contains(&row_words) {
            return foreign("the words of its rows", of.row_words.to_string(), row_words.to_string());
        }
        if !(1..=2).contains(&vectors) {
            return foreign("its vectors", "1 or 2".to_owned(), vectors.to_string());
        }
        let number = |word: u64| usize::try_from(word).unwrap_or(usize::MAX);
        let mut owner = vec![0; number(owner_length)];
        short(&mut file, &mut owner)?;
        if owner != self.owner.as_bytes() {
            let got = String::from_utf8_lossy(&owner).escape_debug().to_string();
            return foreign("whose it is", self.owner.clone(), got);
        }
        let header = [&fixed[..], &owner].concat();
        let per_vector = (end - start) * row_words;
        let pieces = per_vector.div_ceil(PIECE as u64) * vectors;
        let expected = header.len() as u64 + (pieces + 1) * SEAL_BYTES as u64 + 8 * per_vector * vectors;
        if length != expected {
            return foreign("its length", format!("{expected} bytes"), length.to_string());
        }
        let mut proof = [0; SEAL_BYTES];
        short(&mut file, &mut proof)?;
        if self.seal.open(Place::Piece(&header, 0), &proof).is_none() {
            return Err(Error::WrongKey { place: self.medium.place(name) });
        }
        let (worker, workers) = (number(worker), number(workers));
        let (row_words, rows) = (number(row_words), number(start)..number(end));
        let of = RangeOf { aside: of.aside, worker, workers, all_rows: number(all_rows), row_words, rows };
        Ok(Opened { of, vectors: number(vectors), header, file })
    }

    /// The words of a file whose range and vectors are these.
    fn words(&self, name: &str, opened: &mut Opened, vectors: &mut [&mut [Word]]) -> Result<(), Error> {
        let mut sealed = vec![0; PIECE * size_of::<Word>() + SEAL_BYTES];
        let pieces = vectors.iter_mut().flat_map(|vector| vector.chunks_mut(PIECE));
        for (number, words) in (1..).zip(pieces) {
            let sealed = &mut sealed[..size_of_val(words) + SEAL_BYTES];
            opened.file.read_exact(sealed).map_err(|source| self.failed(name, source))?;
            let text = self.seal.open(Place::Piece(&opened.header, number), sealed);
            let text =
                text.filter(|text| text.len() == size_of_val(words)).ok_or_else(|| Error::Damaged {
                    place: self.medium.place(name),
                    what: format!("piece {number} of its words"),
                })?;
            for (word, bytes) in words.iter_mut().zip(text.as_chunks().0) {
                *word = Word::from_le_bytes(*bytes);
            }
        }
        Ok(())
    }

    /// Removes what a worker has of all memories of the party that has these, but of these. What names of another beginning have stays.
    ///
    /// # Errors
    ///
    /// [`Error::Medium`].
    pub fn keep_only(&self, worker: usize, kept: &[Aside]) -> Result<(), Error> {
        let beginnings: Vec<_> = kept.iter().map(|aside| beginning_of(worker, *aside)).collect();
        let kept: Vec<_> = kept.iter().map(|aside| file_of(worker, *aside)).collect();
        for name in self.medium.names().map_err(|source| self.failed("", source))? {
            let is_own = beginnings.iter().any(|beginning| name.starts_with(beginning));
            if is_own && !kept.contains(&name) {
                self.medium.remove(&name).map_err(|source| self.failed(&name, source))?;
            }
        }
        Ok(())
    }

    fn failed(&self, name: &str, source: io::Error) -> Error {
        Error::Medium { place: self.medium.place(name), source }
    }

    fn foreign(&self, name: &str, what: &'static str, expected: String, got: String) -> Error {
        Error::Foreign { place: self.medium.place(name), what, expected, got }
    }
}

/// No key shows itself.
impl<M> fmt::Debug for Ranges<M> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Ranges").field("owner", &self.owner).finish_non_exhaustive()
    }
}
