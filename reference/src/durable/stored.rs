//! Numbers, words and byte strings as they are stored: little-endian words, and before whatever has a length its length.
//!
//! Unlike a payload, whose length is known before it is read, what comes from a disk is checked field by field, and nothing
//! is allocated for a length that the rest does not have. Whoever stores something beside a party writes it in the same way.

use zeroize::Zeroizing;

use crate::Word;
use crate::engine::{Lane, Operands};
use crate::wire::Role;
pub use crate::wire::codec::Writer;

/// Appends bytes, their number first.
pub fn write_bytes(out: &mut Writer, bytes: &[u8]) {
    out.word(bytes.len() as u64);
    out.bytes(bytes);
}

/// Appends words, their number first.
pub fn write_words(out: &mut Writer, words: &[Word]) {
    out.word(words.len() as u64);
    out.words(words);
}

/// Reads what was stored; `None` where it is not what is read.
pub struct Stored<'a>(&'a [u8]);

impl<'a> Stored<'a> {
    /// What is to be read.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    /// A byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    /// A word.
    pub fn word(&mut self) -> Option<Word> {
        self.array().map(Word::from_le_bytes)
    }

    /// A word that is a number of things here.
    pub fn size(&mut self) -> Option<usize> {
        usize::try_from(self.word()?).ok()
    }

    /// How many things follow, each of which takes at least so many bytes.
    pub fn count(&mut self, each: usize) -> Option<usize> {
        self.size().filter(|count| count.checked_mul(each).is_some_and(|needed| needed <= self.0.len()))
    }

    /// What [`write_bytes`] has written.
    pub fn bytes(&mut self) -> Option<Zeroizing<Vec<u8>>> {
        let length = self.count(1)?;
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(Zeroizing::new(taken.to_vec()))
    }

    /// What [`write_words`] has written.
    pub fn words(&mut self) -> Option<Operands> {
        let count = self.count(size_of::<Word>())?;
        let mut words = Zeroizing::new(Vec::with_capacity(count));
        for _ in 0..count {
            words.push(self.word()?);
        }
        Some(words)
    }

    /// A role, by its number.
    pub fn role(&mut self) -> Option<Role> {
        Role::from_number(self.byte()?)
    }

    /// A lane, by its number.
    pub fn lane(&mut self) -> Option<Lane> {
        let number = self.byte()?;
        Lane::ALL.into_iter().find(|lane| lane.number() == number)
    }

    /// That nothing follows.
    pub fn end(self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}
