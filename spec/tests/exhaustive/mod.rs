//! Exhaustive comparison of views: all values of what is known, of what is not, and of the secrets.
#![allow(missing_docs, dead_code)]

use duoram_spec::core::ring::{Bit, Z4, z4};

/// What is received, packed: 2 bits a word, 1 bit a shift share.
pub(crate) type View = u64;

pub(crate) fn pack(words: &[u64]) -> View {
    words.iter().fold(0, |view, word| view << 2 | (word & 3))
}

/// For each value of what is known, the multiset of views over all unknown values is the same for all secrets.
/// Each of the three is a number of bits, of which all values are tried.
pub(crate) fn independent_of_secrets(
    known: u32,
    unknown: u32,
    secrets: u32,
    view: impl Fn(Bits, Bits, Bits) -> View,
) -> bool {
    (0..1u64 << known).all(|k| {
        let views = |s: u64| {
            let mut seen: Vec<View> = (0..1u64 << unknown).map(|u| view(Bits(k), Bits(u), Bits(s))).collect();
            seen.sort_unstable();
            seen
        };
        let first = views(0);
        (1..1u64 << secrets).all(|s| views(s) == first)
    })
}

/// A number from which values are taken off bit by bit.
#[derive(Clone, Copy)]
pub(crate) struct Bits(pub(crate) u64);

impl Bits {
    pub(crate) fn take(&mut self, count: u32) -> u64 {
        let value = self.0 & ((1 << count) - 1);
        self.0 >>= count;
        value
    }
    pub(crate) fn z4(&mut self) -> Z4 {
        z4(self.take(2))
    }
    pub(crate) fn pair(&mut self) -> Vec<Z4> {
        vec![self.z4(), self.z4()]
    }
    pub(crate) fn bool(&mut self) -> bool {
        self.take(1) == 1
    }
    pub(crate) fn bit(&mut self) -> Bit {
        Bit { bit: self.bool() }
    }
    pub(crate) fn bits(&mut self) -> Vec<Bit> {
        vec![self.bit(), self.bit()]
    }
}
