//! READ: dot products of shifted unit vectors with memory.
//!
//! The additive share of the unit vector is `u[j] = s (A t[j] - c[j])`, so `<m, u> = s (A sum_(t = 1) m - sum m c)`: one
//! multiplication of 64-bit words a leaf. Leaf `j` meets memory word `(j + S) mod n`.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::backend::dispatch;
use crate::lanes::Lanes;
use crate::tree::Consumer;
use crate::window::{Pairs, Scratch, Window};
use crate::workers::ranges;
use crate::{Kernels, Party, UnitKey};

/// One READ of a primary.
#[derive(Clone, Copy)]
pub struct ReadQuery<'a> {
    /// The key of DPF 1, for C.
    pub key: &'a UnitKey,
    /// The key of the DPF that the other primary and the helper do not both know (3 at P0, 2 at P1), for the blind.
    pub refresh_key: &'a UnitKey,
    /// S: the vector at memory index `i` is `u[(i - S) mod n]`.
    pub shift: usize,
}

/// One READ of the helper.
#[derive(Clone, Copy)]
pub struct UnblindingQuery<'a> {
    /// P0's key of DPF 2, for the blind of P1.
    pub key_p0: &'a UnitKey,
    /// P1's key of DPF 3, for the blind of P0.
    pub key_p1: &'a UnitKey,
    /// S, as in [`ReadQuery`].
    pub shift: usize,
}

impl Kernels<'_> {
    /// A primary's answers, still without gamma: `<C, u> - <zeta, u_refresh>` for each query, with one pass over memory.
    ///
    /// # Panics
    /// If the lengths of memory and keys differ.
    pub fn read(
        &self,
        party: Party,
        compressed: &[u64],
        blind: &[u64],
        queries: &[ReadQuery<'_>],
    ) -> Vec<u64> {
        whole(compressed, queries.iter().map(|query| query.key));
        self.read_part(party, 0, compressed, blind, queries)
    }

    /// What a part of the memory adds to [`Self::read`]: that which starts at word `start`. The parts of all may be of any lengths.
    ///
    /// ```
    /// # use duoram_kernel::{Kernels, Key, Party, ReadQuery, UnitKey};
    /// let kernels = Kernels::detect(17);
    /// let [read, refresh] = [8, 9].map(|target| {
    ///     let [key, _] = kernels.deal(target, 4, [1, 2]).unwrap();
    ///     UnitKey::new(key, 3)
    /// });
    /// let query = [ReadQuery { key: &read, refresh_key: &refresh, shift: 5 }];
    /// let memory: Vec<u64> = (100..116).collect();
    /// let whole = kernels.read(Party::P1, &memory, &memory, &query);
    /// let part = |range: std::ops::Range<usize>| {
    ///     kernels.read_part(Party::P1, range.start, &memory[range.clone()], &memory[range], &query)[0]
    /// };
    /// assert_eq!(part(0..3).wrapping_add(part(3..16)), whole[0]);
    /// ```
    ///
    /// # Panics
    /// If the lengths of both parts differ, or the keys have no leaves for them.
    pub fn read_part(
        &self,
        party: Party,
        start: usize,
        compressed: &[u64],
        blind: &[u64],
        queries: &[ReadQuery<'_>],
    ) -> Vec<u64> {
        let mut dots = Vec::with_capacity(2 * queries.len());
        for query in queries {
            dots.push(Dot { memory: compressed, key: query.key, party, shift: query.shift });
            dots.push(Dot { memory: blind, key: query.refresh_key, party, shift: query.shift });
        }
        self.dots(start, &dots)
            .as_chunks()
            .0
            .iter()
            .map(|[main, refresh]| main.wrapping_sub(*refresh))
            .collect()
    }

    /// The helper's sums `(<zeta_0, u_1^(3)>, <zeta_1, u_0^(2)>)` for each query.
    ///
    /// # Panics
    /// If the lengths of memory and keys differ.
    pub fn unblinding(
        &self,
        blind_0: &[u64],
        blind_1: &[u64],
        queries: &[UnblindingQuery<'_>],
    ) -> Vec<(u64, u64)> {
        whole(blind_0, queries.iter().map(|query| query.key_p0));
        self.unblinding_part(0, blind_0, blind_1, queries)
    }

    /// What a part of the blinds adds to [`Self::unblinding`]: that which starts at word `start`.
    ///
    /// # Panics
    /// If the lengths of both parts differ, or the keys have no leaves for them.
    pub fn unblinding_part(
        &self,
        start: usize,
        blind_0: &[u64],
        blind_1: &[u64],
        queries: &[UnblindingQuery<'_>],
    ) -> Vec<(u64, u64)> {
        let mut dots = Vec::with_capacity(2 * queries.len());
        for query in queries {
            dots.push(Dot { memory: blind_0, key: query.key_p1, party: Party::P1, shift: query.shift });
            dots.push(Dot { memory: blind_1, key: query.key_p0, party: Party::P0, shift: query.shift });
        }
        self.dots(start, &dots).as_chunks().0.iter().map(|[first, second]| (*first, *second)).collect()
    }

    fn dots(&self, start: usize, dots: &[Dot<'_>]) -> Zeroizing<Vec<u64>> {
        let Some(first) = dots.first() else { return Zeroizing::default() };
        let (words, leaves) = (first.memory.len(), first.key.key.leaves());
        for dot in dots {
            assert!(
                dot.memory.len() == words && dot.key.key.leaves() == leaves,
                "one length for memory and keys"
            );
        }
        assert!(start.checked_add(words).is_some_and(|end| end <= leaves), "one length for memory and keys");
        if words == 0 {
            return Zeroizing::new(vec![0; dots.len()]);
        }
        dispatch!(self.backend.for_parents(leaves / 2), lanes => run(lanes, self, start, dots))
    }
}

/// What the documentation of operations on a whole memory calls one length.
pub(crate) fn whole<'a>(memory: &[u64], mut keys: impl Iterator<Item = &'a UnitKey>) {
    assert!(keys.all(|key| key.key.leaves() == memory.len()), "one length for memory and keys");
}

/// One dot product.
struct Dot<'a> {
    memory: &'a [u64],
    key: &'a UnitKey,
    party: Party,
    shift: usize,
}

/// Of memories that start at a word of this number.
fn run<L: Lanes>(lanes: L, kernels: &Kernels<'_>, start: usize, dots: &[Dot<'_>]) -> Zeroizing<Vec<u64>> {
    // Every part answers all queries for a range of memory.
    let words = dots.first().map_or(0, |dot| dot.memory.len());
    let parts = ranges(words, kernels.workers.parts(words.div_ceil(1 << 12)));
    let partial = kernels.workers.map(parts, |range| {
        let mut sums = Vec::with_capacity(dots.len());
        let mut windows = Vec::with_capacity(dots.len());
        let place = start + range.start..start + range.end;
        for dot in dots {
            windows.push(Window::new(lanes, kernels, &dot.key.key, &place, dot.shift));
            sums.push(DotSums::new(lanes));
        }
        let mut scratch = Scratch::default();
        let steps = windows.iter().map(Window::steps).max().unwrap_or(0);
        for step in 0..steps {
            for ((window, sums), dot) in windows.iter_mut().zip(&mut sums).zip(dots) {
                if step < window.steps() {
                    let words = window.words(step, &dot.memory[range.clone()], &mut scratch);
                    let products = Products { words, sums: *sums };
                    *sums = window.consume(step, products).sums;
                }
            }
        }
        let mut results = Zeroizing::new(Vec::with_capacity(dots.len()));
        for (sums, dot) in sums.iter().zip(dots) {
            results.push(sums.finish(lanes, dot));
        }
        results
    });
    let mut results = Zeroizing::new(vec![0u64; dots.len()]);
    for part in partial {
        for (result, part) in results.iter_mut().zip(part.iter()) {
            *result = result.wrapping_add(*part);
        }
    }
    results
}

/// The two sums of a dot product.
#[derive(Clone, Copy)]
struct DotSums<L: Lanes> {
    flagged: L::Words,
    products: L::Product,
}

impl<L: Lanes> DotSums<L> {
    fn new(lanes: L) -> Self {
        Self { flagged: lanes.splat_word(0), products: lanes.product() }
    }

    /// `s (A flagged - products)`.
    fn finish(self, lanes: L, dot: &Dot<'_>) -> u64 {
        let flagged = lanes.word_sum(self.flagged).wrapping_mul(dot.key.conversion_factor);
        dot.party.sign().wrapping_mul(flagged.wrapping_sub(lanes.product_sum(self.products)))
    }
}

/// Consumer: leaves times a block of memory.
struct Products<'m, L: Lanes> {
    words: Pairs<'m, &'m [[u64; 2]]>,
    sums: DotSums<L>,
}

impl<L: Lanes> Consumer<L> for Products<'_, L> {
    #[inline(always)]
    fn take(&mut self, lanes: L, row: usize, left: L::Blocks, right: L::Blocks) {
        let [conversions, _] = lanes.unzip(left, right);
        self.words.prefetch(lanes, row);
        let words = lanes.load_pairs(self.words.block, row, self.words.stride::<L>());
        self.sums.flagged = lanes.add_where_odd(self.sums.flagged, conversions, words);
        self.sums.products = lanes.add_product(self.sums.products, conversions, words);
    }
}
