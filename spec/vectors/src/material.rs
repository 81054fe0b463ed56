//! Random inputs of the specification: PRGs, triples, prepared items, states.
//!
//! Sizes are `n = 2^log_size` words. Nothing here draws from anything but the stream, in the order in which it is written,
//! since the committed vectors depend on that order.

use duoram_spec::core::aes::{bytes_of_block, expand_key};
use duoram_spec::core::block::{Block, replicate};
use duoram_spec::core::du_atallah::{AndTriple, and_triples, product_triples};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::Ring;
use duoram_spec::core::share::additive_vector_shares;
use duoram_spec::paper::memory::{State, shared};
use duoram_spec::paper::preprocessing::{DpfTriples, Item, PrimaryRandomness, prepare};
use duoram_spec::paper::read::UnitVectors;
use duoram_spec::paper::update::{UpdateVectors, ValueVectors};
use duoram_spec::two_party::session::Ots;

use crate::Random;

/// `n` words, all 0 but `value` at `target`.
fn point<W: Ring>(n: usize, target: u64, value: W) -> Vec<W> {
    (0..n as u64).map(|i| if i == target { value } else { W::zero() }).collect()
}

impl Random {
    /// The PRG under a random session key.
    pub fn prg(&mut self) -> AesPrg {
        AesPrg { aes: expand_key(&bytes_of_block(self.block())) }
    }

    /// Both primaries' triples for one AND of a replicated bit and a block (App. C).
    pub fn bit_triples(&mut self) -> (AndTriple, AndTriple) {
        let (x_0, x_1) = (replicate(self.bit()), replicate(self.bit()));
        and_triples(x_0, x_1, self.block(), self.block(), self.block())
    }

    /// P2's triples for one DPF: an AND a level, and the product of App. D.
    pub fn dpf_triples<W: Ring>(&mut self, log_size: usize) -> DpfTriples<W> {
        let (and_0, and_1) = (0..log_size).map(|_| self.bit_triples()).unzip();
        let (product_0, product_1) =
            product_triples(self.ring(), self.ring(), self.ring(), self.ring(), self.ring());
        DpfTriples { and_0, and_1, product_0, product_1 }
    }

    /// The blocks that random OTs give their senders.
    pub fn pairs(&mut self, count: usize) -> Vec<(Block, Block)> {
        (0..count).map(|_| (self.block(), self.block())).collect()
    }

    /// The random OTs of a batch of two parties' items, h an item and direction.
    pub fn ots(&mut self, log_size: usize, items: usize) -> Ots {
        Ots { from_0: self.pairs(log_size * items), from_1: self.pairs(log_size * items) }
    }

    /// What a primary draws for one operation.
    pub fn primary<W: Ring>(&mut self) -> PrimaryRandomness<W> {
        PrimaryRandomness {
            random_index_xor: self.word(),
            roots: (self.block(), self.block(), self.block()),
            blinds: (self.ring(), self.ring(), self.ring()),
        }
    }

    /// An item prepared by App. C and App. D themselves, and its target ri.
    pub fn item<W: Ring>(&mut self, prg: &AesPrg, log_size: usize) -> (Item<W>, u64) {
        let (p0, p1) = (self.primary(), self.primary());
        let triples = (self.dpf_triples(log_size), self.dpf_triples(log_size), self.dpf_triples(log_size));
        let target = (p0.random_index_xor ^ p1.random_index_xor) & ((1 << log_size) - 1);
        (prepare(prg, log_size, &p0, &p1, (&triples.0, &triples.1, &triples.2)), target)
    }

    /// Three states that belong together, over a random memory of `n` words.
    pub fn state<W: Ring>(&mut self, n: usize) -> State<W> {
        shared::<W>(&self.vector(n), &self.vector(n), &self.vector(n), &self.vector(n))
    }

    /// Additive shares of a vector.
    pub fn vector_shares<W: Ring>(&mut self, x: &[W]) -> (Vec<W>, Vec<W>) {
        additive_vector_shares(x, &self.vector(x.len()))
    }

    /// Ideal unit vectors of `n` words with this target: three independent sharings of it.
    pub fn units<W: Ring>(&mut self, n: usize, target: u64) -> UnitVectors<W> {
        let e = point(n, target, W::one());
        let (a, b, c) = (self.vector_shares(&e), self.vector_shares(&e), self.vector_shares(&e));
        UnitVectors { p0: (a.0, b.0, c.0), p1: (a.1, b.1, c.1) }
    }

    /// Ideal update vectors: three independent sharings of `value` times the unit vector.
    pub fn update_vectors<W: Ring>(&mut self, n: usize, target: u64, value: W) -> UpdateVectors<W> {
        let e = point(n, target, value);
        let (a, b, c) = (self.vector_shares(&e), self.vector_shares(&e), self.vector_shares(&e));
        UpdateVectors { p0: (a.0, b.0, c.0), p1: (a.1, b.1, c.1) }
    }

    /// Value vectors with this target, as if they came from DPFs: those of a random value.
    pub fn values<W: Ring>(&mut self, n: usize, target: u64) -> ValueVectors<W> {
        let value = self.ring();
        let UpdateVectors { p0, p1 } = self.update_vectors(n, target, value);
        ValueVectors { p0, p1 }
    }
}
