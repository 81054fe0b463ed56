//! What the tests of lean sessions share.
#![allow(missing_docs, dead_code)]

use duoram_spec::core::block::Block;
use duoram_spec::core::prg::Prg;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::layers::Layers;
use duoram_spec::lean::online::Query;
use duoram_spec::lean::party::size;
use duoram_spec::lean::session::{Session, Streams, started};
use duoram_spec::lean::tape::PairStreams;
use duoram_vectors::Random;

/// A PRG for tests of what does not depend on it: `SplitMix64`'s finalizer over both halves, with the tweak.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Toy(pub(crate) u64);

impl Layers for Toy {
    fn output(&self, label: Block, tweak: Block) -> Block {
        let input = (label & !1) ^ tweak;
        let low = Random(self.0 ^ u64::try_from(input & u128::from(u64::MAX)).unwrap()).word();
        let high = Random(low ^ u64::try_from(input >> 64).unwrap()).word();
        let last = Random(high ^ low.rotate_left(32)).word();
        u128::from(high) << 64 | u128::from(last)
    }
}

impl Prg for Toy {
    fn left(&self, label: Block) -> Block {
        self.output(label, 0)
    }
    fn right(&self, label: Block) -> Block {
        self.output(label, 1)
    }
}

pub(crate) type Party3 = Session<XorWord, Toy>;

/// A session over a memory of `2^memory` words, whose streams suffice for `items` items of depth h.
pub(crate) fn connected(r: &mut Random, log_size: usize, memory: usize, items: usize) -> Party3 {
    connected_words(r, log_size, memory, size(memory), items)
}

/// The same over a memory of `words` words, at most `2^memory`.
pub(crate) fn connected_words(
    r: &mut Random,
    log_size: usize,
    memory: usize,
    words: usize,
    items: usize,
) -> Party3 {
    let mut pair = || PairStreams {
        streams: (0..=items)
            .map(|j| r.words(if j == 0 { words } else { 2 * (5 * log_size + 12) + 4 }))
            .collect(),
    };
    let streams = Streams { pair_01: pair(), pair_02: pair(), pair_12: pair() };
    let mut own = || r.words(16 + 8 * items);
    let (words_0, words_1, words_2) = (own(), own(), own());
    started(memory, words, &Toy(r.word()), (&words_0, &words_1, &words_2), &streams)
}

/// XOR shares of a word.
pub(crate) fn xor_shares(r: &mut Random, x: u64) -> (u64, u64) {
    let share = r.word();
    (share, x ^ share)
}

/// Both primaries' shares of a random value for an address, and the value.
pub(crate) fn query(r: &mut Random, target: u64) -> ((Query<XorWord>, Query<XorWord>), XorWord) {
    let (address_0, address_1) = xor_shares(r, target);
    let (value_0, value_1): (XorWord, XorWord) = (r.ring(), r.ring());
    let of = |address, value| Query { address, value };
    ((of(address_0, value_0), of(address_1, value_1)), value_0.plus(value_1))
}
