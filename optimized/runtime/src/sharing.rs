//! Additive sharing: what the owner of the data does to it before the parties see it `[duoram, section 2.2]`.

use duoram_reference::Word;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The owner's stream of random words.
pub struct Sharing {
    stream: ChaCha20Rng,
}

impl Sharing {
    /// From the owner's seed.
    pub fn new(seed: [u8; 32]) -> Self {
        Self { stream: ChaCha20Rng::from_seed(seed) }
    }

    /// Two words that add up to this one, of which each alone is uniform.
    pub fn word(&mut self, word: Word) -> [Word; 2] {
        let share_0 = self.stream.next_u64();
        [share_0, word.wrapping_sub(share_0)]
    }

    /// Word by word.
    pub fn words(&mut self, words: &[Word]) -> [Vec<Word>; 2] {
        let (shares_0, shares_1) = words.iter().map(|&word| <(Word, Word)>::from(self.word(word))).unzip();
        [shares_0, shares_1]
    }
}

/// The word that two shares stand for.
pub const fn open([share_0, share_1]: [Word; 2]) -> Word {
    share_0.wrapping_add(share_1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_open_to_the_word() {
        let mut sharing = Sharing::new([1; 32]);
        for word in [0, 1, Word::MAX] {
            assert_eq!(open(sharing.word(word)), word);
            assert_ne!(sharing.word(word), sharing.word(word));
        }
    }
}
