//! A party's one source of randomness.

use std::hint::black_box;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use zeroize::{Zeroize, Zeroizing};

use crate::{Block, Word};

/// A stream of 64-bit words from a 32-byte seed: `ChaCha20`.
///
/// One stream a party, drawn from in the order that `PROTOCOL.md` fixes, lets every layer run on equal randomness and be
/// compared message by message. For real use the seed comes from the operating system and is used once.
pub struct PartyStream {
    generator: ChaCha20Rng,
}

impl PartyStream {
    /// The stream of a seed.
    pub fn new(mut seed: [u8; 32]) -> Self {
        let generator = ChaCha20Rng::from_seed(seed);
        seed.zeroize();
        Self { generator }
    }

    /// The stream of a number, of all those that come from one seed: none tells anything of another.
    pub fn numbered(seed: &[u8; 32], number: u64) -> Self {
        let mut generator = ChaCha20Rng::from_seed(*seed);
        generator.set_stream(number);
        Self { generator }
    }

    /// The stream of a number from a place in it on.
    pub(crate) fn at(seed: &[u8; 32], number: u64, position: u128) -> Self {
        let mut stream = Self::numbered(seed, number);
        stream.generator.set_word_pos(position);
        stream
    }

    /// What it is the stream of.
    pub(crate) fn seed(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.generator.get_seed())
    }

    /// How far it has been drawn from, in words of 32 bits.
    pub(crate) fn position(&self) -> u128 {
        self.generator.get_word_pos()
    }

    /// The next word.
    pub fn word(&mut self) -> Word {
        self.generator.next_u64()
    }

    /// The next block: two words, low half first.
    pub fn block(&mut self) -> Block {
        let low = self.word();
        let high = self.word();
        Block::from(low) | Block::from(high) << 64
    }
}

impl Drop for PartyStream {
    /// The generator knows nothing of wiping, so it is overwritten; `black_box` keeps the store.
    fn drop(&mut self) {
        self.generator = ChaCha20Rng::from_seed([0; 32]);
        black_box(&self.generator);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key stream of `ChaCha20` with an all-zero key and nonce: `[rfc8439, appendix A.1, test vector 1]`.
    #[test]
    fn words_are_the_key_stream_in_order() {
        let mut stream = PartyStream::new([0; 32]);
        assert_eq!(stream.word(), u64::from_le_bytes([0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]));
        let mut stream = PartyStream::new([0; 32]);
        let expected =
            [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90, 0x40, 0x5d, 0x6a, 0xe5, 0x53, 0x86, 0xbd, 0x28];
        assert_eq!(stream.block(), Block::from_le_bytes(expected));
    }

    /// After any number of words, that of a refill among them.
    #[test]
    fn a_stream_goes_on_from_its_place() {
        let mut stream = PartyStream::numbered(&[7; 32], 1);
        for drawn in 0..100 {
            let mut again = PartyStream::at(&stream.seed(), 1, stream.position());
            assert_eq!(stream.position(), 2 * drawn);
            assert_eq!(again.word(), stream.word(), "{drawn}");
        }
    }
}
