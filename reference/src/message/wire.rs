//! Words, blocks and packed bits in a payload.

use zeroize::{Zeroize, Zeroizing};

use crate::bits;
use crate::frame::Kind;
use crate::{Block, Error, Role, Word};

/// Writes a payload.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Zeroizing<Vec<u8>>,
}

impl Writer {
    /// Appends; a vector that grew by itself would leave copies behind.
    fn append(&mut self, bytes: &[u8]) {
        let length = self.bytes.len() + bytes.len();
        if length > self.bytes.capacity() {
            let mut larger = Zeroizing::new(Vec::with_capacity(2 * length));
            larger.extend_from_slice(&self.bytes);
            self.bytes = larger;
        }
        self.bytes.extend_from_slice(bytes);
    }

    pub(super) fn word(&mut self, word: Word) {
        self.append(&word.to_le_bytes());
    }

    pub(super) fn words(&mut self, words: &[Word]) {
        for &word in words {
            self.word(word);
        }
    }

    pub(super) fn block(&mut self, block: Block) {
        self.append(&block.to_le_bytes());
    }

    pub(super) fn blocks(&mut self, blocks: &[Block]) {
        for &block in blocks {
            self.block(block);
        }
    }

    /// Takes a list, not an iterator of bits: asking that for its next bit or its end branches on the bit.
    pub(super) fn bits(&mut self, mut bits: Vec<bool>) {
        self.append(&Zeroizing::new(bits::pack(&bits)));
        bits.zeroize();
    }

    pub(super) fn finish(self) -> Zeroizing<Vec<u8>> {
        self.bytes
    }
}

/// Reads a payload whose length has been checked. Past its end there are only zeros.
pub(super) struct Reader<'a> {
    from: Role,
    kind: Kind,
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(from: Role, kind: Kind, bytes: &'a [u8]) -> Self {
        Self { from, kind, bytes }
    }

    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(length.min(self.bytes.len()));
        self.bytes = rest;
        taken
    }

    fn array<const N: usize>(&mut self) -> [u8; N] {
        self.take(N).first_chunk().copied().unwrap_or([0; N])
    }

    pub(super) fn word(&mut self) -> Word {
        Word::from_le_bytes(self.array())
    }

    pub(super) fn words(&mut self, count: usize) -> Vec<Word> {
        (0..count).map(|_| self.word()).collect()
    }

    pub(super) fn block(&mut self) -> Block {
        Block::from_le_bytes(self.array())
    }

    pub(super) fn blocks(&mut self, count: usize) -> Vec<Block> {
        (0..count).map(|_| self.block()).collect()
    }

    pub(super) fn bits(&mut self, count: usize) -> Result<Vec<bool>, Error> {
        let (from, kind) = (self.from, self.kind);
        let bytes = self.take(bits::packed_length(count));
        bits::unpack(bytes, count).map_err(|got| Error::Padding { from, kind, got })
    }
}
