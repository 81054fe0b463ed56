//! Words that an input needs but that need not be chosen one by one.

use duoram_reference::{Block, Word};
use duoram_vectors::Random;

/// Words at which arithmetic turns: carries between halves, signs, the least and the greatest.
const EDGES: [Word; 8] = [0, 1, 2, 0xffff_ffff, 1 << 32, 1 << 63, Word::MAX - 1, Word::MAX];

/// A stream of words. One word in four is an edge.
pub struct Words(Random);

impl Words {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Self(Random(seed))
    }

    /// The next word.
    pub fn word(&mut self) -> Word {
        let random = self.0.word();
        let edge = EDGES.iter().zip(0..).find(|(_, number)| random % 32 == 4 * number);
        edge.map_or(random, |(word, _)| *word)
    }

    /// Some words.
    pub fn words(&mut self, count: usize) -> Vec<Word> {
        (0..count).map(|_| self.word()).collect()
    }

    /// The next block.
    pub fn block(&mut self) -> Block {
        Block::from(self.word()) << 64 | Block::from(self.word())
    }

    /// A seed of a party's stream.
    pub fn seed(&mut self) -> [u8; 32] {
        let words = [(); 4].map(|()| self.0.word().to_le_bytes());
        std::array::from_fn(|i| words[i / 8][i % 8])
    }
}
