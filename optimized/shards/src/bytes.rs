//! Requests as bytes: what rank 0 tells all workers. Numbers are little-endian.

use std::fmt::Display;

use duoram_kernel as kernel;
use duoram_reference::{Aside, Block, Correction, MAX_LOG_SIZE, MAX_ROW_WORDS, SessionKey};
use zeroize::Zeroizing;

use crate::Failure;

/// A request that is being written. Wiped on drop, and whenever it moves to a larger place.
pub(crate) struct Request(Zeroizing<Vec<u8>>);

impl Request {
    pub(crate) fn new(operation: u8) -> Self {
        let mut request = Self(Zeroizing::new(Vec::with_capacity(1 << 10)));
        request.byte(operation);
        request
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        let needed = self.0.len() + bytes.len();
        if needed > self.0.capacity() {
            // A vector that grows by itself would leave a copy behind.
            let mut larger = Zeroizing::new(Vec::with_capacity(2 * needed));
            larger.extend_from_slice(&self.0);
            self.0 = larger;
        }
        self.0.extend_from_slice(bytes);
        self
    }

    pub(crate) fn byte(&mut self, byte: u8) -> &mut Self {
        self.bytes(&[byte])
    }

    pub(crate) fn word(&mut self, word: u64) -> &mut Self {
        self.bytes(&word.to_le_bytes())
    }

    pub(crate) fn count(&mut self, count: usize) -> &mut Self {
        self.word(count as u64)
    }

    pub(crate) fn block(&mut self, block: Block) -> &mut Self {
        self.bytes(&block.to_le_bytes())
    }

    pub(crate) fn key(&mut self, key: &SessionKey) -> &mut Self {
        self.bytes(key.bytes())
    }

    /// As many as there are, and then each: the word, and a byte with the flags, the left one lowest.
    pub(crate) fn corrections(&mut self, corrections: &[Correction]) -> &mut Self {
        self.count(corrections.len());
        for correction in corrections {
            self.block(correction.word);
            self.byte(u8::from(correction.left_flag) | u8::from(correction.right_flag) << 1);
        }
        self
    }

    pub(crate) fn finish(self) -> Zeroizing<Vec<u8>> {
        self.0
    }
}

/// A request that is being read.
pub(crate) struct Reader<'a> {
    operation: u8,
    bytes: &'a [u8],
}

type Read<T> = Result<T, Failure>;

impl<'a> Reader<'a> {
    /// The request's first byte is its operation.
    pub(crate) fn new(bytes: &'a [u8]) -> Read<Self> {
        let mut reader = Self { operation: 0, bytes };
        reader.operation = reader.byte()?;
        Ok(reader)
    }

    pub(crate) const fn operation(&self) -> u8 {
        self.operation
    }

    /// What is wrong with the request.
    #[allow(clippy::needless_pass_by_value)] // numbers
    pub(crate) fn nonsense(&self, expected: &str, got: impl Display) -> Failure {
        Failure::Nonsense { operation: self.operation, expected: expected.to_owned(), got: got.to_string() }
    }

    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let Some((bytes, rest)) = self.bytes.split_first_chunk() else {
            return Err(self.nonsense(&format!("{N} more bytes"), self.bytes.len()));
        };
        self.bytes = rest;
        Ok(*bytes)
    }

    pub(crate) fn byte(&mut self) -> Read<u8> {
        self.array().map(|[byte]| byte)
    }

    pub(crate) fn word(&mut self) -> Read<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn block(&mut self) -> Read<Block> {
        self.array().map(Block::from_le_bytes)
    }

    /// So many bytes as they say themselves.
    pub(crate) fn bytes(&mut self) -> Read<&'a [u8]> {
        let count = self.count(1)?;
        let (bytes, rest) = self.bytes.split_at(count.min(self.bytes.len()));
        self.bytes = rest;
        Ok(bytes)
    }

    pub(crate) fn aside(&mut self) -> Read<Aside> {
        self.array().map(Aside)
    }

    pub(crate) fn key(&mut self) -> Read<SessionKey> {
        self.array().map(SessionKey::new)
    }

    /// A number below a bound.
    pub(crate) fn below(&mut self, bound: u64, what: &str) -> Read<u64> {
        let word = self.word()?;
        if word < bound { Ok(word) } else { Err(self.nonsense(&format!("{what} below {bound}"), word)) }
    }

    /// m, as parties can have it.
    pub(crate) fn rows(&mut self) -> Read<usize> {
        let word = self.word()?;
        let rows = usize::try_from(word).ok().filter(|rows| (1..=1 << MAX_LOG_SIZE).contains(rows));
        rows.ok_or_else(|| self.nonsense(&format!("1 to 2^{MAX_LOG_SIZE} rows"), word))
    }

    /// w, as parties can have it.
    pub(crate) fn row_words(&mut self) -> Read<usize> {
        let word = self.word()?;
        let row_words = usize::try_from(word).ok().filter(|words| (1..=MAX_ROW_WORDS).contains(words));
        row_words.ok_or_else(|| self.nonsense("1 to 512 words of a row", word))
    }

    /// A number of things of which each takes so many bytes at the least: not more than there can be.
    pub(crate) fn count(&mut self, least: usize) -> Read<usize> {
        let most = self.bytes.len() as u64 / least.max(1) as u64;
        self.below(most + 1, "a count").map(|count| usize::try_from(count).unwrap_or_default())
    }

    /// What [`Request::corrections`] has written, with room at once: a vector that grows would leave copies behind.
    pub(crate) fn corrections(&mut self) -> Read<Zeroizing<Vec<Correction>>> {
        let count = self.count(17)?;
        let mut corrections = Zeroizing::new(Vec::with_capacity(count));
        for _ in 0..count {
            let (word, flags) = (self.block()?, self.byte()?);
            corrections.push(Correction { word, left_flag: flags & 1 == 1, right_flag: flags & 2 == 2 });
        }
        Ok(corrections)
    }

    /// The same as the kernels take them.
    pub(crate) fn kernel_corrections(&mut self) -> Read<Zeroizing<Vec<kernel::Correction>>> {
        let corrections = self.corrections()?;
        let mut of_kernel = Zeroizing::new(Vec::with_capacity(corrections.len()));
        for correction in corrections.iter() {
            of_kernel.push(kernel_correction(correction));
        }
        Ok(of_kernel)
    }

    /// Nothing may follow.
    pub(crate) fn end(&self) -> Read<()> {
        if self.bytes.is_empty() { Ok(()) } else { Err(self.nonsense("the end", self.bytes.len())) }
    }
}

fn kernel_correction(correction: &Correction) -> kernel::Correction {
    let Correction { word, left_flag, right_flag } = *correction;
    kernel::Correction { word, left_flag, right_flag }
}
