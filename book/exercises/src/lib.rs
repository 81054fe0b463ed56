//! What the solutions to the exercises share: a generator of test data, and random inputs for the specification.
//!
//! The solutions are the tests in `tests/`, one file for each part of the book. They use the public functions of
//! `duoram-spec` and `duoram-reference` and nothing else.

use duoram_reference::local::{Delivery, LocalSession};
use duoram_reference::{Compute, Error, HEADER_LENGTH, Header, Parameters, Role, SessionId};
use duoram_spec::core::aes::{bytes_of_block, expand_key};
use duoram_spec::core::block::{Block, block_of_halves, replicate};
use duoram_spec::core::du_atallah::{AndTriple, and_triples, product_triples};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::paper::memory::{State, shared};
use duoram_spec::paper::preprocessing::{DpfTriples, Item, PrimaryRandomness, prepare};

/// A generator for test data (SplitMix64). Not for secrets.
pub struct Random(pub u64);

impl Random {
    /// A word.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// So many words.
    pub fn words(&mut self, n: usize) -> Vec<u64> {
        (0..n).map(|_| self.word()).collect()
    }

    /// A block.
    pub fn block(&mut self) -> Block {
        block_of_halves(self.word(), self.word())
    }

    /// A bit.
    pub fn bit(&mut self) -> bool {
        self.word() & 1 == 1
    }

    /// Additive shares of a word, or of an address.
    pub fn shares(&mut self, x: u64) -> (u64, u64) {
        let share = self.word();
        (share, x.wrapping_sub(share))
    }

    /// The PRG under a random key.
    pub fn prg(&mut self) -> AesPrg {
        AesPrg { aes: expand_key(&bytes_of_block(self.block())) }
    }

    /// AND triples of a replicated bit and a block, one pair a level.
    pub fn bit_triples(&mut self, levels: usize) -> (Vec<AndTriple>, Vec<AndTriple>) {
        let mut one = || {
            let (x_0, x_1) = (replicate(self.bit()), replicate(self.bit()));
            and_triples(x_0, x_1, self.block(), self.block(), self.block())
        };
        (0..levels).map(|_| one()).unzip()
    }

    /// P2's triples for one DPF.
    pub fn dpf_triples(&mut self, levels: usize) -> DpfTriples<u64> {
        let (and_0, and_1) = self.bit_triples(levels);
        let (product_0, product_1) =
            product_triples(self.word(), self.word(), self.word(), self.word(), self.word());
        DpfTriples { and_0, and_1, product_0, product_1 }
    }

    /// What a primary draws for one operation.
    pub fn primary(&mut self) -> PrimaryRandomness<u64> {
        PrimaryRandomness {
            index: self.word(),
            roots: (self.block(), self.block(), self.block()),
            blinds: (self.word(), self.word(), self.word()),
        }
    }

    /// A prepared item, by App. C and App. D, and its target ri.
    pub fn item(&mut self, prg: &AesPrg, log_size: usize) -> (Item<u64>, u64) {
        let (p0, p1) = (self.primary(), self.primary());
        let triples = [(); 3].map(|()| self.dpf_triples(log_size));
        let item = prepare(prg, log_size, &p0, &p1, (&triples[0], &triples[1], &triples[2]));
        (item, (p0.index ^ p1.index) & ((1 << log_size) - 1))
    }

    /// Three states that belong together, over a random memory.
    pub fn state(&mut self, n: usize) -> State<u64> {
        shared(&self.words(n), &self.words(n), &self.words(n), &self.words(n))
    }
}

/// A session of the reference that has connected and keeps a log.
///
/// # Errors
///
/// None for `1 <= log_size <= 40`.
pub fn session<C: Compute + Clone>(log_size: u32, seed: u8, compute: C) -> Result<LocalSession<C>, Error> {
    let parameters = Parameters::new(SessionId([seed; 16]), log_size)?;
    let seeds = [[seed; 32], [seed.wrapping_add(1); 32], [seed.wrapping_add(2); 32]];
    let mut session = LocalSession::new(parameters, seeds, compute)?;
    session.record();
    session.connect()?;
    session.take_log();
    Ok(session)
}

/// The header of a frame in the log.
///
/// # Errors
///
/// None for frames that a party has sent.
pub fn header(delivery: &Delivery) -> Result<Header, Error> {
    Header::decode(delivery.frame.from, &delivery.frame.bytes)
}

/// The payload of a frame in the log, as words.
pub fn words(delivery: &Delivery) -> Vec<u64> {
    delivery.frame.bytes[HEADER_LENGTH..]
        .as_chunks()
        .0
        .iter()
        .map(|bytes| u64::from_le_bytes(*bytes))
        .collect()
}

/// The payload of the first frame in the log from one party to another.
pub fn said(log: &[Delivery], from: Role, to: Role) -> Vec<u64> {
    log.iter().find(|d| d.frame.from == from && d.frame.to == to).map(words).unwrap_or_default()
}
