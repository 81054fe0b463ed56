//! What the tests share: a generator, random states and random material.
#![allow(dead_code, missing_docs, unreachable_pub)]

use duoram_spec::core::aes::{bytes_of_block, expand_key};
use duoram_spec::core::block::{Block, block_of_halves, replicate};
use duoram_spec::core::du_atallah::{AndTriple, and_triples, product_triples};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::Ring;
use duoram_spec::core::share::additive_vector_shares;
use duoram_spec::core::vector::{scale, unit_vector};
use duoram_spec::paper::memory::{State, shared};
use duoram_spec::paper::preprocessing::{DpfTriples, Item, PrimaryRandomness, prepare};
use duoram_spec::paper::read::UnitVectors;
use duoram_spec::paper::update::{UpdateVectors, ValueVectors};

/// SplitMix64: enough for test data, and a seed reproduces a case.
pub struct Random(pub u64);

impl Random {
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, bound: u64) -> u64 {
        self.word() % bound
    }
    pub fn bit(&mut self) -> bool {
        self.word() & 1 == 1
    }
    pub fn block(&mut self) -> Block {
        block_of_halves(self.word(), self.word())
    }
    pub fn ring<W: Ring>(&mut self) -> W {
        W::from_u64(self.word())
    }
    pub fn vector<W: Ring>(&mut self, n: usize) -> Vec<W> {
        (0..n).map(|_| self.ring()).collect()
    }
    pub fn words(&mut self, n: usize) -> Vec<u64> {
        (0..n).map(|_| self.word()).collect()
    }
    pub fn prg(&mut self) -> AesPrg {
        AesPrg { aes: expand_key(&bytes_of_block(self.block())) }
    }
    pub fn bit_triples(&mut self) -> (AndTriple, AndTriple) {
        let (x_0, x_1) = (replicate(self.bit()), replicate(self.bit()));
        and_triples(x_0, x_1, self.block(), self.block(), self.block())
    }
    pub fn dpf_triples<W: Ring>(&mut self, log_size: usize) -> DpfTriples<W> {
        let (and_0, and_1) = (0..log_size).map(|_| self.bit_triples()).unzip();
        let (product_0, product_1) =
            product_triples(self.ring(), self.ring(), self.ring(), self.ring(), self.ring());
        DpfTriples { and_0, and_1, product_0, product_1 }
    }
    pub fn primary<W: Ring>(&mut self) -> PrimaryRandomness<W> {
        PrimaryRandomness {
            index: self.word(),
            roots: (self.block(), self.block(), self.block()),
            blinds: (self.ring(), self.ring(), self.ring()),
        }
    }
    /// A prepared item by the real preprocessing, and its target.
    pub fn item<W: Ring>(&mut self, prg: &AesPrg, log_size: usize) -> (Item<W>, u64) {
        let (p0, p1) = (self.primary(), self.primary());
        let triples = (self.dpf_triples(log_size), self.dpf_triples(log_size), self.dpf_triples(log_size));
        let target = (p0.index ^ p1.index) & ((1 << log_size) - 1);
        (prepare(prg, log_size, &p0, &p1, (&triples.0, &triples.1, &triples.2)), target)
    }
    /// Three states that belong together, over a random memory.
    pub fn state<W: Ring>(&mut self, n: usize) -> State<W> {
        shared::<W>(&self.vector(n), &self.vector(n), &self.vector(n), &self.vector(n))
    }
    pub fn shares<W: Ring>(&mut self, x: &[W]) -> (Vec<W>, Vec<W>) {
        additive_vector_shares(x, &self.vector(x.len()))
    }
    /// Ideal unit vectors with target `i`.
    pub fn units<W: Ring>(&mut self, n: usize, i: u64) -> UnitVectors<W> {
        let e = unit_vector(n, usize::try_from(i).unwrap());
        let (a, b, c) = (self.shares(&e), self.shares(&e), self.shares(&e));
        UnitVectors { p0: (a.0, b.0, c.0), p1: (a.1, b.1, c.1) }
    }
    /// Ideal update vectors: shares of `m e_i`.
    pub fn update_vectors<W: Ring>(&mut self, n: usize, i: u64, m: W) -> UpdateVectors<W> {
        let e = scale(m, &unit_vector(n, usize::try_from(i).unwrap()));
        let (a, b, c) = (self.shares(&e), self.shares(&e), self.shares(&e));
        UpdateVectors { p0: (a.0, b.0, c.0), p1: (a.1, b.1, c.1) }
    }
    pub fn values<W: Ring>(&mut self, n: usize, i: u64) -> ValueVectors<W> {
        let w = {
            let m = self.ring();
            self.update_vectors(n, i, m)
        };
        ValueVectors { p0: w.p0, p1: w.p1 }
    }
    /// Additive shares of an address, as 64-bit words.
    pub fn address(&mut self, i: u64) -> (u64, u64) {
        let share = self.word();
        (share, i.wrapping_sub(share))
    }
}
