//! Words that an input needs but that need not be chosen one by one.

use duoram_reference::{Block, Word};

/// Words at which arithmetic turns: carries between halves, signs, the least and the greatest.
const EDGES: [Word; 8] = [0, 1, 2, 0xffff_ffff, 1 << 32, 1 << 63, Word::MAX - 1, Word::MAX];

/// A stream of words from a seed (SplitMix64). One word in four is an edge.
pub struct Words(pub u64);

impl Words {
    /// The next word.
    pub fn word(&mut self) -> Word {
        let random = self.random();
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
        let words = [(); 4].map(|()| self.random().to_le_bytes());
        std::array::from_fn(|i| words[i / 8][i % 8])
    }

    fn random(&mut self) -> Word {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
