//! Words, blocks and packed bits in a payload.

use zeroize::Zeroize;

use crate::bits;
use crate::frame::Kind;
use crate::{Block, Error, Role, Word};

/// Writes a payload.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn word(&mut self, word: Word) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    pub(super) fn words(&mut self, words: &[Word]) {
        for &word in words {
            self.word(word);
        }
    }

    pub(super) fn block(&mut self, block: Block) {
        self.bytes.extend_from_slice(&block.to_le_bytes());
    }

    pub(super) fn blocks(&mut self, blocks: &[Block]) {
        for &block in blocks {
            self.block(block);
        }
    }

    pub(super) fn bits(&mut self, bits: impl Iterator<Item = bool>) {
        let mut bits: Vec<bool> = bits.collect();
        self.bytes.extend_from_slice(&bits::pack(&bits));
        bits.zeroize();
    }

    pub(super) fn finish(self) -> Vec<u8> {
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
