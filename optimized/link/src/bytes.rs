//! Numbers, words and byte strings in a message: little-endian, one after another.

use duoram_reference::{Operands, Word};
use zeroize::Zeroizing;

use crate::WireError;

/// Takes what a message consists of: once to count, once to keep, so that the buffer is as long as it needs to be from the start.
/// One that grows would leave its old bytes behind.
pub trait Sink {
    fn put(&mut self, bytes: &[u8]);

    fn byte(&mut self, byte: u8) {
        self.put(&[byte]);
    }

    fn u16(&mut self, number: u16) {
        self.put(&number.to_le_bytes());
    }

    fn u32(&mut self, number: u32) {
        self.put(&number.to_le_bytes());
    }

    fn u64(&mut self, number: u64) {
        self.put(&number.to_le_bytes());
    }

    /// As many as there are; how many is known from elsewhere.
    fn words(&mut self, words: &[Word]) {
        for word in words {
            self.u64(*word);
        }
    }
}

/// Only counts.
#[derive(Default)]
pub(crate) struct Counter(pub(crate) usize);

impl Sink for Counter {
    fn put(&mut self, bytes: &[u8]) {
        self.0 += bytes.len();
    }

    fn words(&mut self, words: &[Word]) {
        self.0 += size_of_val(words);
    }
}

impl Sink for Zeroizing<Vec<u8>> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

/// Reads a body field by field. Whatever it allocates is no longer than what is there.
pub struct Source<'a> {
    message: &'static str,
    length: usize,
    rest: &'a [u8],
}

impl<'a> Source<'a> {
    pub(crate) fn new(message: &'static str, body: &'a [u8]) -> Self {
        Self { message, length: body.len(), rest: body }
    }

    /// The next so many bytes.
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], WireError> {
        let Some((taken, rest)) = self.rest.split_at_checked(count) else {
            let expected = (self.length - self.rest.len()).saturating_add(count);
            return Err(WireError::Truncated { message: self.message, expected, got: self.length });
        };
        self.rest = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, WireError> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, WireError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, WireError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, WireError> {
        self.array().map(u64::from_le_bytes)
    }

    /// Whatever is left.
    pub(crate) fn rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// Whatever is left, in words.
    pub(crate) fn words(&mut self) -> Result<Operands, WireError> {
        let (words, rest) = self.rest.as_chunks();
        if !rest.is_empty() {
            let expected = self.length - rest.len() + size_of::<Word>();
            return Err(WireError::Truncated { message: self.message, expected, got: self.length });
        }
        self.rest = rest;
        Ok(Zeroizing::new(words.iter().map(|word| Word::from_le_bytes(*word)).collect()))
    }

    /// That the message starts as messages of its kind do.
    pub(crate) fn magic(&mut self, expected: [u8; 4]) -> Result<(), WireError> {
        let got = self.array()?;
        if got == expected { Ok(()) } else { Err(WireError::Magic { message: self.message, expected, got }) }
    }

    /// A field that is `made` of a number, or is refused.
    pub(crate) fn field<T>(
        &self,
        field: &'static str,
        expected: &'static str,
        got: impl Into<u64>,
        made: Option<T>,
    ) -> Result<T, WireError> {
        made.ok_or_else(|| WireError::Field { message: self.message, field, expected, got: got.into() })
    }

    /// The error that a field has the wrong characters.
    pub(crate) fn characters(&self, field: &'static str, expected: &'static str) -> WireError {
        WireError::Characters { message: self.message, field, expected }
    }

    /// That nothing follows.
    pub(crate) fn end(self) -> Result<(), WireError> {
        if self.rest.is_empty() {
            return Ok(());
        }
        let expected = self.length - self.rest.len();
        Err(WireError::Trailing { message: self.message, expected, got: self.length })
    }
}
