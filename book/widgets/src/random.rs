//! Random values from the seed in the form, in the order in which the specification's tests draw theirs.

use duoram_spec::aes::{bytes_of_block, expand_key};
use duoram_spec::block::{Block, block_of_halves, replicate};
use duoram_spec::du_atallah::{AndTriple, and_triples, product_triples};
use duoram_spec::preprocessing::{DpfTriples, PrimaryRandomness};
use duoram_spec::prg::AesPrg;
use duoram_spec::ring::Ring;

/// SplitMix64: no secret of anybody's depends on it, and a seed reproduces what is shown.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn block(&mut self) -> Block {
        block_of_halves(self.word(), self.word())
    }

    pub(crate) fn ring<W: Ring>(&mut self) -> W {
        W::from_u64(self.word())
    }

    pub(crate) fn vector<W: Ring>(&mut self, n: usize) -> Vec<W> {
        (0..n).map(|_| self.ring()).collect()
    }

    /// The session's PRG.
    pub(crate) fn prg(&mut self) -> AesPrg {
        AesPrg { aes: expand_key(&bytes_of_block(self.block())) }
    }

    /// What a primary draws for one operation.
    pub(crate) fn primary<W: Ring>(&mut self) -> PrimaryRandomness<W> {
        PrimaryRandomness {
            index: self.word(),
            roots: (self.block(), self.block(), self.block()),
            blinds: (self.ring(), self.ring(), self.ring()),
        }
    }

    /// What P2 draws for one DPF.
    pub(crate) fn triples<W: Ring>(&mut self, log_size: usize) -> DpfTriples<W> {
        let (and_0, and_1) = (0..log_size).map(|_| self.bit_triples()).unzip();
        let (product_0, product_1) =
            product_triples(self.ring(), self.ring(), self.ring(), self.ring(), self.ring());
        DpfTriples { and_0, and_1, product_0, product_1 }
    }

    fn bit_triples(&mut self) -> (AndTriple, AndTriple) {
        let (x_0, x_1) = (replicate(self.word() & 1 == 1), replicate(self.word() & 1 == 1));
        and_triples(x_0, x_1, self.block(), self.block(), self.block())
    }
}
