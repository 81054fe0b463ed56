//! Words, blocks and packed bits in a payload.

use zeroize::{Zeroize, Zeroizing};

use super::{Bound, Kind, Misbehaviour, Role, bits};
use crate::{Block, Word};

/// Writes a payload.
#[derive(Default)]
pub struct Writer {
    bytes: Zeroizing<Vec<u8>>,
}

impl Writer {
    /// With room for so many bytes.
    pub fn with_room(length: usize) -> Self {
        Self { bytes: Zeroizing::new(Vec::with_capacity(length)) }
    }

    /// Makes room for so many bytes more; a vector that grew by itself would leave copies behind.
    fn make_room(&mut self, more: usize) {
        let length = self.bytes.len() + more;
        if length > self.bytes.capacity() {
            let mut larger = Zeroizing::new(Vec::with_capacity(2 * length));
            larger.extend_from_slice(&self.bytes);
            self.bytes = larger;
        }
    }

    fn append(&mut self, bytes: &[u8]) {
        self.make_room(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// A word.
    pub fn word(&mut self, word: Word) {
        self.append(&word.to_le_bytes());
    }

    /// A byte.
    pub fn byte(&mut self, byte: u8) {
        self.append(&[byte]);
    }

    /// Bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.append(bytes);
    }

    /// A word below `2^(8 width)`, in so many bytes.
    pub(crate) fn short(&mut self, width: usize, word: Word) {
        self.append(&word.to_le_bytes()[..width.min(size_of::<Word>())]);
    }

    /// Words.
    pub fn words(&mut self, words: &[Word]) {
        self.make_room(size_of_val(words));
        for word in words {
            self.bytes.extend_from_slice(&word.to_le_bytes());
        }
    }

    pub(crate) fn block(&mut self, block: Block) {
        self.append(&block.to_le_bytes());
    }

    pub(crate) fn blocks(&mut self, blocks: &[Block]) {
        for &block in blocks {
            self.block(block);
        }
    }

    /// Takes a list, not an iterator of bits: asking that for its next bit or its end branches on the bit.
    pub(crate) fn bits(&mut self, mut bits: Vec<bool>) {
        self.append(&Zeroizing::new(bits::pack(&bits)));
        bits.zeroize();
    }

    /// What was written.
    pub fn finish(self) -> Zeroizing<Vec<u8>> {
        self.bytes
    }
}

/// Reads a payload whose length has been checked. Past its end there are only zeros.
pub struct Reader<'a> {
    from: Role,
    kind: Kind,
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The peer that the payload came from.
    pub(crate) fn from(&self) -> Role {
        self.from
    }

    /// The error that a number in the payload breaks a rule.
    pub(crate) fn content(
        &self,
        rule: &'static str,
        at: &[(&'static str, usize)],
        expected: Bound,
        got: u64,
    ) -> Misbehaviour {
        Misbehaviour::Content { from: self.from, kind: self.kind, rule, at: at.to_vec(), expected, got }
    }

    /// The error that something in the payload is not what it must be, and is no number.
    pub(crate) fn invalid(&self, rule: &'static str, at: &[(&'static str, usize)]) -> Misbehaviour {
        Misbehaviour::Invalid { from: self.from, kind: self.kind, rule, at: at.to_vec() }
    }

    pub(crate) fn new(from: Role, kind: Kind, bytes: &'a [u8]) -> Self {
        Self { from, kind, bytes }
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(length.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).first_chunk().copied().unwrap_or([0; N])
    }

    /// So many bytes, or those that are left.
    pub(crate) fn bytes(&mut self, length: usize) -> &'a [u8] {
        self.take(length)
    }

    pub(crate) fn word(&mut self) -> Word {
        Word::from_le_bytes(self.array())
    }

    pub(crate) fn byte(&mut self) -> u8 {
        u8::from_le_bytes(self.array())
    }

    /// A word in so many bytes.
    pub(crate) fn short(&mut self, width: usize) -> Word {
        let mut bytes = [0; size_of::<Word>()];
        let taken = self.take(width.min(bytes.len()));
        bytes[..taken.len()].copy_from_slice(taken);
        Word::from_le_bytes(bytes)
    }

    pub(crate) fn words(&mut self, count: usize) -> Vec<Word> {
        (0..count).map(|_| self.word()).collect()
    }

    pub(crate) fn block(&mut self) -> Block {
        Block::from_le_bytes(self.array())
    }

    pub(crate) fn blocks(&mut self, count: usize) -> Vec<Block> {
        (0..count).map(|_| self.block()).collect()
    }

    pub(crate) fn bits(&mut self, count: usize) -> Result<Vec<bool>, Misbehaviour> {
        let bytes = self.take(bits::packed_length(count));
        bits::unpack(bytes, count).map_err(|got| self.padding(got))
    }

    /// So many bits, as they are.
    pub(crate) fn packed(&mut self, count: usize) -> Result<&'a [u8], Misbehaviour> {
        let bytes = self.take(bits::packed_length(count));
        bits::check_padding(bytes, count).map(|()| bytes).map_err(|got| self.padding(got))
    }

    fn padding(&self, got: u8) -> Misbehaviour {
        Misbehaviour::Padding { from: self.from, kind: self.kind, got }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a vector leaves behind when it grows by itself cannot be wiped; so the writer makes room, and uses it up.
    #[test]
    fn a_payload_is_moved_by_its_writer_only_when_it_is_full() {
        let mut writer = Writer::default();
        writer.word(1);
        let (room, place) = (writer.bytes.capacity(), writer.bytes.as_ptr());
        assert!(room >= 16, "twice what was needed");
        while writer.bytes.len() < room {
            writer.append(&[2]);
        }
        assert_eq!((writer.bytes.capacity(), writer.bytes.as_ptr()), (room, place));
        writer.append(&[3]);
        assert!(writer.bytes.capacity() >= 2 * (room + 1), "by the writer, not by the vector");
    }
}
