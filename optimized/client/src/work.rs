//! What was asked for, and its shares.

use duoram_link::settings::ProtocolName;
use duoram_link::{Request, WorkKind};
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{CHUNK_WORDS, Paper, Protocol, Word};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use zeroize::Zeroizing;

use crate::Error;

/// How a word is shared between the N parties that are asked, chosen once.
#[derive(Clone, Copy)]
pub(crate) struct Sharing<const N: usize> {
    share: fn(Word, Word) -> [Word; N],
    open: fn([Word; N]) -> Word,
}

impl Sharing<1> {
    /// What is asked for is a share already.
    pub(crate) const NONE: Self = Self { share: |share, _| [share], open: |[share]| share };
}

impl Sharing<2> {
    /// As a protocol does between P0 and P1.
    pub(crate) fn of(protocol: ProtocolName) -> Self {
        fn with<P: Protocol>() -> Sharing<2> {
            Sharing { share: P::share, open: P::open }
        }
        match protocol {
            ProtocolName::Paper => with::<Paper>(),
            ProtocolName::Lean => with::<Lean>(),
            ProtocolName::TwoParty => with::<TwoParty>(),
        }
    }
}

impl<const N: usize> Sharing<N> {
    /// The words that the parties' shares stand for, which are equally many.
    pub(crate) fn open(self, shares: [&[Word]; N]) -> Vec<Word> {
        let count = shares.iter().map(|shares| shares.len()).min().unwrap_or(0);
        (0..count).map(|place| (self.open)(shares.map(|shares| shares[place]))).collect()
    }
}

/// A request in the clear, from which its shares follow: always the same ones, however often they are sent.
pub(crate) struct Work {
    pub(crate) kind: WorkKind,
    pub(crate) count: u64,
    /// As [`Request::shares`] has them.
    words: Zeroizing<Vec<Word>>,
    /// Of the stream whose n-th word shares the n-th of `words`.
    seed: Zeroizing<[u8; 32]>,
}

impl Work {
    /// Of so many queries, with fresh randomness.
    pub(crate) fn new(kind: WorkKind, count: u64, words: Vec<Word>) -> Result<Self, Error> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *seed)?;
        Ok(Self { kind, count, words: Zeroizing::new(words), seed })
    }

    /// How many pieces it is sent in.
    pub(crate) fn pieces(&self) -> u64 {
        self.kind.pieces(self.count)
    }

    /// A piece of the request to the party at a place: of two, P0 is at 0.
    pub(crate) fn piece<const N: usize>(
        &self,
        sharing: Sharing<N>,
        place: usize,
        number: u64,
        deadline_ms: u32,
        piece: u32,
    ) -> Request {
        let first = piece as usize * CHUNK_WORDS;
        let last = self.words.len().min(first + CHUNK_WORDS);
        let mut stream = ChaCha20Rng::from_seed(*self.seed);
        // Places in the stream are counted in words of 32 bits.
        stream.set_word_pos(2 * first as u128);
        let words = self.words.get(first..last).unwrap_or_default();
        let shares: Vec<Word> =
            words.iter().map(|word| (sharing.share)(*word, stream.next_u64())[place]).collect();
        Request { number, kind: self.kind, count: self.count, deadline_ms, piece, shares: shares.into() }
    }

    /// All parties that are asked have it: the words are not needed any more.
    pub(crate) fn forget(&mut self) {
        self.words = Zeroizing::default();
        self.seed = Zeroizing::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_a_load_are_the_shares_of_the_whole() {
        let count = 2 * CHUNK_WORDS + 3;
        let words: Vec<Word> = (0..count as u64).map(|word| word * word).collect();
        for protocol in ProtocolName::ALL {
            let sharing = Sharing::of(protocol);
            let work = Work::new(WorkKind::Load, count as u64, words.clone()).unwrap();
            assert_eq!(work.pieces(), 3);
            let all = |place| {
                // In any order, and more than once.
                let _ = work.piece(sharing, place, 7, 0, 2);
                (0..3).flat_map(|piece| work.piece(sharing, place, 7, 0, piece).shares.to_vec()).collect()
            };
            let [shares_0, shares_1]: [Vec<Word>; 2] = [all(0), all(1)];
            assert_eq!(sharing.open([&shares_0, &shares_1]), words);
            assert_ne!(shares_0, words);
            assert_ne!(shares_1, words);
        }
    }

    /// Two requests with the same words have nothing in common, and what was forgotten is gone.
    #[test]
    fn every_request_has_randomness_of_its_own() {
        let sharing = Sharing::of(ProtocolName::Lean);
        let work = || Work::new(WorkKind::Read, 1, vec![5]).unwrap();
        let share = |work: &Work| work.piece(sharing, 0, 0, 0, 0).shares.to_vec();
        let (mut first, second) = (work(), work());
        assert_ne!(share(&first), share(&second));
        assert_eq!(share(&first), share(&first));
        first.forget();
        assert_eq!(share(&first), []);
    }
}
