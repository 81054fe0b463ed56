//! How random values are read off streams of 64-bit words: the order of draws of the lean protocol.
//!
//! A party has one stream of its own. Each pair of parties has streams in common, of which nothing is sent: one for the load
//! and one for each item, so that whatever is lost or given up cannot shift the items behind it.

use crate::core::block::{Block, block_of_halves, replicate};
use crate::core::ring::Ring;
use crate::core::vector::at;
use crate::lean::layers::{NODE_WORDS, Purpose, flag_bits, tree_depth};
use crate::lean::one_hot::low_bits;

/// The streams of a pair of parties.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PairStreams {
    /// The words of stream 0, the load's, and of stream `1 + j` for item j of the session.
    pub streams: Vec<Vec<u64>>,
}

/// One of a pair's streams, and nothing past the last.
pub fn stream(pair: &PairStreams, number: usize) -> Vec<u64> {
    match pair.streams.get(number) {
        Some(words) => words.clone(),
        None => vec![],
    }
}

/// The stream of an item.
pub fn item_stream(pair: &PairStreams, item: usize) -> Vec<u64> {
    stream(pair, item.wrapping_add(1))
}

/// The word at an offset. Past the end it is 0: whoever makes the stream must make it long enough.
pub fn word(words: &[u64], offset: usize) -> u64 {
    at(words, offset, 0)
}

/// The block at an offset: two words, low half first.
pub fn block(words: &[u64], offset: usize) -> Block {
    block_of_halves(word(words, offset), word(words, offset.wrapping_add(1)))
}

/// A word of the protocol's ring.
pub fn ring_word<W: Ring>(words: &[u64], offset: usize) -> W {
    W::from_u64(word(words, offset))
}

/// `n` words of the ring.
pub fn ring_words<W: Ring>(words: &[u64], offset: usize, n: usize) -> Vec<W> {
    (0..n).map(|i: usize| ring_word(words, offset.wrapping_add(i))).collect()
}

/// What a primary draws of its own for one item: 5 words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrimaryRandomness {
    /// Its share of ri; the lowest h bits are used.
    pub random_index: u64,
    /// Root of DPF a; the flag is overwritten.
    pub root_a: Block,
    /// Root of DPF b.
    pub root_b: Block,
}

/// How many words [`primary_randomness`] reads.
pub const PRIMARY_WORDS: usize = 5;

/// The draws of a primary for the item at an offset of its own stream.
pub fn primary_randomness(words: &[u64], offset: usize) -> PrimaryRandomness {
    PrimaryRandomness {
        random_index: word(words, offset),
        root_a: block(words, offset.wrapping_add(1)),
        root_b: block(words, offset.wrapping_add(3)),
    }
}

/// A level's AND triple as far as a stream gives it: X is a bit, of a word's lowest, and at all places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TripleSeed {
    /// `X_b`
    pub x: Block,
    /// `Y_b`
    pub y: Block,
    /// `Z_0`, of the stream of P0 and P2; 0 for P1, who is sent its own
    pub z: Block,
}

/// What the stream of P0 and P2 gives for one DPF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seed0<W> {
    /// `X_0`, `Y_0`, `Z_0` of each level: 5 words each
    pub triples: Vec<TripleSeed>,
    /// `u_0`
    pub one_hot: Block,
    /// `r_0`: kf bits
    pub mask: u64,
    /// `R'_0`, in UPDATE items, else 0
    pub value_share: W,
    /// `U_0`: 8 words in UPDATE items, else empty
    pub value_one_hot: Vec<W>,
}

/// What the stream of P1 and P2 gives for one DPF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seed1 {
    /// `X_1`, `Y_1` of each level: 3 words each
    pub triples: Vec<TripleSeed>,
    /// `r_1`: kf bits
    pub mask: u64,
}

/// How many words [`seed_0`] reads.
pub fn seed_words_0(log_size: usize, purpose: Purpose) -> usize {
    let values = match purpose {
        Purpose::Read => 0,
        Purpose::Update => 1 + NODE_WORDS,
    };
    tree_depth(log_size, purpose).wrapping_mul(5).wrapping_add(3).wrapping_add(values)
}

/// How many words [`seed_1`] reads.
pub fn seed_words_1(log_size: usize, purpose: Purpose) -> usize {
    tree_depth(log_size, purpose).wrapping_mul(3).wrapping_add(1)
}

/// The draws for DPF number `dpf` (a is 0, b is 1) from an item's stream of P0 and P2.
pub fn seed_0<W: Ring>(words: &[u64], log_size: usize, purpose: Purpose, dpf: usize) -> Seed0<W> {
    let start = dpf.wrapping_mul(seed_words_0(log_size, purpose));
    let levels = tree_depth(log_size, purpose);
    let end = start.wrapping_add(levels.wrapping_mul(5));
    let triples: Vec<TripleSeed> = (0..levels)
        .map(|level: usize| {
            let place = start.wrapping_add(level.wrapping_mul(5));
            TripleSeed {
                x: replicate(word(words, place) & 1 == 1),
                y: block(words, place.wrapping_add(1)),
                z: block(words, place.wrapping_add(3)),
            }
        })
        .collect();
    let (value_share, value_one_hot) = match purpose {
        Purpose::Read => (W::zero(), vec![]),
        Purpose::Update => {
            (ring_word(words, end.wrapping_add(11)), ring_words(words, end.wrapping_add(3), NODE_WORDS))
        }
    };
    Seed0 {
        triples,
        one_hot: block(words, end),
        mask: low_bits(word(words, end.wrapping_add(2)), flag_bits(log_size)),
        value_share,
        value_one_hot,
    }
}

/// The draws for DPF number `dpf` from an item's stream of P1 and P2.
pub fn seed_1(words: &[u64], log_size: usize, purpose: Purpose, dpf: usize) -> Seed1 {
    let start = dpf.wrapping_mul(seed_words_1(log_size, purpose));
    let levels = tree_depth(log_size, purpose);
    let triples: Vec<TripleSeed> = (0..levels)
        .map(|level: usize| {
            let place = start.wrapping_add(level.wrapping_mul(3));
            TripleSeed {
                x: replicate(word(words, place) & 1 == 1),
                y: block(words, place.wrapping_add(1)),
                z: 0,
            }
        })
        .collect();
    Seed1 {
        triples,
        mask: low_bits(word(words, start.wrapping_add(levels.wrapping_mul(3))), flag_bits(log_size)),
    }
}

/// G of DPF number `dpf`, of the stream of P0 and P1.
pub fn common_value<W: Ring>(words: &[u64], dpf: usize) -> W {
    ring_word(words, dpf)
}

/// x of delta, of the stream of P0 and P1.
pub fn delta_mask<W: Ring>(words: &[u64]) -> W {
    ring_word(words, 2)
}

/// What P0 and P1 have in common for an UPDATE: x.
pub fn online_01<W: Ring>(words: &[u64]) -> W {
    ring_word(words, 3)
}

/// What P0 and P1 have in common for a WRITE: `y_01`.
pub fn write_mask_01<W: Ring>(words: &[u64]) -> W {
    ring_word(words, 4)
}

/// What P0 and P2 have in common for a WRITE: `y_02`.
pub fn online_02<W: Ring>(words: &[u64], log_size: usize) -> W {
    ring_word(words, seed_words_0(log_size, Purpose::Update).wrapping_mul(2))
}

/// What P1 and P2 have in common for an operation: rho of READ and SWAP; `y_12` of WRITE is the word behind.
pub fn online_12<W: Ring>(words: &[u64], log_size: usize, purpose: Purpose, place: usize) -> W {
    ring_word(words, seed_words_1(log_size, purpose).wrapping_mul(2).wrapping_add(place))
}
