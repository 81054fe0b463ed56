//! Sharing: what the owner of the data does to it before the parties see it.

use std::marker::PhantomData;

use duoram_reference::{Protocol, Word};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::operation::Row;
use crate::protocol::Rules;

/// The owner's stream of random words, for shares as the protocol P has them.
pub struct Sharing<P> {
    stream: ChaCha20Rng,
    protocol: PhantomData<fn() -> P>,
}

impl<P: Rules> Sharing<P> {
    /// From the owner's seed.
    pub fn new(seed: [u8; 32]) -> Self {
        Self { stream: ChaCha20Rng::from_seed(seed), protocol: PhantomData }
    }

    /// Two shares of this word, of which each alone is uniform.
    pub fn word(&mut self, word: Word) -> [Word; 2] {
        P::share(word, self.stream.next_u64())
    }

    /// Word by word.
    pub fn words(&mut self, words: &[Word]) -> [Vec<Word>; 2] {
        let (shares_0, shares_1) = words.iter().map(|&word| <(Word, Word)>::from(self.word(word))).unzip();
        [shares_0, shares_1]
    }
}

/// The row that two shares of it stand for, word by word.
pub fn opened<P: Protocol>([share_0, share_1]: [&[Word]; 2]) -> Row {
    share_0.iter().zip(share_1).map(|(&word_0, &word_1)| P::open([word_0, word_1])).collect()
}

#[cfg(test)]
mod tests {
    use duoram_reference::Paper;
    use duoram_reference::lean::Lean;

    use super::*;

    fn shares_open_to_the_word<P: Rules>() {
        let mut sharing = Sharing::<P>::new([1; 32]);
        for word in [0, 1, Word::MAX] {
            assert_eq!(P::open(sharing.word(word)), word);
            assert_ne!(sharing.word(word), sharing.word(word));
        }
    }

    #[test]
    fn shares_of_both_protocols_open_to_the_word() {
        shares_open_to_the_word::<Paper>();
        shares_open_to_the_word::<Lean>();
    }
}
