//! OT extension: any number of OTs from 128 (`[iknp03, section 3]`, passive, with random keys).
//!
//! The receiver has both seeds of each column, the sender the one that the bit `Delta_i` chooses. A stream of each seed is a
//! column of bits, one for each OT: T is what the receiver makes of the first seeds. It sends in each column
//! `u_i = T_i xor (stream of the second seed) xor choices`; the sender computes `Q_i = (its stream) xor Delta_i u_i`. Then row j of
//! Q is `T_j xor x_j Delta`, where `x_j` is the choice of OT j. The sender's keys are hashes of `Q_j` and `Q_j xor Delta`, the
//! receiver's is that of `T_j`: the hash breaks that all pairs of rows differ by Delta.

use sha2::{Digest, Sha256};
use zeroize::{Zeroize, Zeroizing};

use super::{COLUMNS, Seed};
use crate::engine::PartyStream;
use crate::engine::tree::{low_half, mask};
use crate::wire::Role;
use crate::wire::bits::{pack, packed_length};
use crate::{Block, Word};

/// The words of a seed.
const SEED_WORDS: usize = size_of::<Seed>() / size_of::<Word>();

/// Which OTs of the session: a batch of its own, for whose number no seed has given a stream before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// The stream that is drawn from each seed.
    pub stream: u64,
    /// The number of the first OT of the batch among all of the session.
    pub first: u64,
}

/// Who receives the extended OTs.
pub struct Receiver {
    role: Role,
    /// Both of each column.
    seeds: Zeroizing<Vec<[Seed; 2]>>,
}

/// Who sends them.
pub struct Sender {
    /// The role of the one who receives.
    receiver: Role,
    delta: Box<Zeroizing<Block>>,
    /// Those that Delta chooses.
    seeds: Zeroizing<Vec<Seed>>,
}

impl Receiver {
    pub(crate) fn new(role: Role, seeds: Zeroizing<Vec<[Seed; 2]>>) -> Self {
        Self { role, seeds }
    }

    /// The columns to send, one after another, and for each choice its key. The choices are packed in each column.
    pub fn extend(&self, extent: Extent, choices: &[bool]) -> (Vec<u8>, Zeroizing<Vec<Block>>) {
        let mut rows = Rows::new(choices.len());
        let choices = Zeroizing::new(pack(choices));
        let mut columns = Vec::with_capacity(COLUMNS * choices.len());
        for (number, pair) in self.seeds.iter().enumerate() {
            let [zero, one] = pair.each_ref().map(|seed| column(seed, extent.stream, rows.count));
            columns
                .extend(zero.iter().zip(one.iter()).zip(choices.iter()).map(|((t, other), x)| t ^ other ^ x));
            rows.put(number, &zero);
        }
        (columns, rows.keys(|row, j| key(self.role, extent.first.wrapping_add(j), row)))
    }

    /// Its seeds, to be saved.
    pub(crate) fn write(&self, words: &mut Vec<Word>) {
        self.seeds.as_flattened().iter().for_each(|seed| words.extend(words_of(seed)));
    }

    pub(crate) const WORDS: usize = 2 * COLUMNS * SEED_WORDS;

    /// What [`Receiver::write`] has written.
    pub(crate) fn read(role: Role, words: &[Word]) -> Self {
        let mut seeds = Zeroizing::new(Vec::with_capacity(COLUMNS));
        let pairs = words.as_chunks::<SEED_WORDS>().0.as_chunks::<2>().0;
        seeds.extend(pairs.iter().map(|pair| pair.each_ref().map(seed_of)));
        Self { role, seeds }
    }
}

impl Sender {
    /// `receiver`: the role of the one who receives.
    pub(crate) fn new(receiver: Role, delta: Block, seeds: Zeroizing<Vec<Seed>>) -> Self {
        Self { receiver, delta: Box::new(Zeroizing::new(delta)), seeds }
    }

    /// Both keys of each of `count` OTs, from the columns that the receiver has sent.
    pub fn extend(&self, extent: Extent, columns: &[u8], count: usize) -> Zeroizing<Vec<[Block; 2]>> {
        let mut rows = Rows::new(count);
        let length = packed_length(count).max(1);
        for ((number, seed), sent) in self.seeds.iter().enumerate().zip(columns.chunks_exact(length)) {
            let mut own = column(seed, extent.stream, count);
            let selected = mask(**self.delta >> number & 1 == 1).to_le_bytes()[0];
            own.iter_mut().zip(sent).for_each(|(q, u)| *q ^= selected & u);
            rows.put(number, &own);
        }
        let pair = |row, j| {
            [row, row ^ **self.delta].map(|row| key(self.receiver, extent.first.wrapping_add(j), row))
        };
        rows.keys(pair)
    }

    /// Delta and its seeds, to be saved.
    pub(crate) fn write(&self, words: &mut Vec<Word>) {
        words.extend([low_half(**self.delta), low_half(**self.delta >> 64)]);
        self.seeds.iter().for_each(|seed| words.extend(words_of(seed)));
    }

    pub(crate) const WORDS: usize = 2 + COLUMNS * SEED_WORDS;

    /// What [`Sender::write`] has written.
    pub(crate) fn read(receiver: Role, words: &[Word]) -> Self {
        let (delta, rest) = words.split_at(words.len().min(2));
        let delta = delta.iter().rev().fold(0, |delta, &word| delta << 64 | Block::from(word));
        let mut seeds = Zeroizing::new(Vec::with_capacity(COLUMNS));
        seeds.extend(rest.as_chunks::<SEED_WORDS>().0.iter().map(seed_of));
        Self::new(receiver, delta, seeds)
    }
}

/// As words, little-endian.
fn words_of(seed: &Seed) -> impl Iterator<Item = Word> {
    seed.as_chunks().0.iter().map(|&bytes| Word::from_le_bytes(bytes))
}

fn seed_of(words: &[Word; SEED_WORDS]) -> Seed {
    let mut seed = Seed::default();
    seed.as_chunks_mut().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
    seed
}

/// A column: as many bits of a stream as there are OTs, the rest of the last byte 0.
fn column(seed: &Seed, stream: u64, count: usize) -> Zeroizing<Vec<u8>> {
    let length = packed_length(count);
    let mut stream = PartyStream::numbered(seed, stream);
    let mut bytes = Zeroizing::new(vec![0; length]);
    for chunk in bytes.chunks_mut(size_of::<Word>()) {
        chunk.copy_from_slice(&stream.word().to_le_bytes()[..chunk.len()]);
    }
    if let Some(last) = bytes.last_mut() {
        *last &= u8::MAX >> (8 * length - count);
    }
    bytes
}

/// A matrix of bits with a row of 128 for each OT, put in by columns.
struct Rows {
    count: usize,
    rows: Zeroizing<Vec<Block>>,
}

impl Rows {
    fn new(count: usize) -> Self {
        Self { count, rows: Zeroizing::new(vec![0; 8 * packed_length(count)]) }
    }

    /// Column `number`, packed: bit `number` of each row.
    fn put(&mut self, number: usize, column: &[u8]) {
        for (byte, rows) in column.iter().zip(self.rows.chunks_exact_mut(8)) {
            for (bit, row) in rows.iter_mut().enumerate() {
                *row |= Block::from(byte >> bit & 1) << number;
            }
        }
    }

    /// What is made of each row and its number in the batch.
    fn keys<K: Zeroize>(&self, key: impl Fn(Block, u64) -> K) -> Zeroizing<Vec<K>> {
        let mut keys = Zeroizing::new(Vec::with_capacity(self.count));
        keys.extend(self.rows.iter().zip(0..).take(self.count).map(|(&row, j)| key(row, j)));
        keys
    }
}

/// The first 16 bytes of `SHA-256("DUORAM OT", receiver, index, row)`: one block of the hash.
///
/// SHA-256, and no cipher under a fixed key, for nobody has to wonder whether it may be keyed by nothing: all that is asked of it
/// is that hashes of rows that differ by one unknown Delta look random.
fn key(receiver: Role, index: u64, row: Block) -> Block {
    let mut hash = Sha256::new();
    hash.update(b"DUORAM OT");
    hash.update([receiver.number()]);
    hash.update(index.to_le_bytes());
    hash.update(row.to_le_bytes());
    let mut digest = <[u8; 32]>::from(hash.finalize());
    let key = digest.first_chunk().copied().map_or(0, Block::from_le_bytes);
    digest.zeroize();
    key
}
