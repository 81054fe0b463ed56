//! READ: dot products of shifted unit vectors with memory.
//!
//! The additive share of the unit vector is `u[j] = s (A t[j] - c[j])`, so `<m, u> = s (A sum_(t = 1) m - sum m c)`: one
//! multiplication of 64-bit words a leaf. Leaf `j` meets memory word `(j + S) mod n`.

use crate::backend::dispatch;
use crate::lanes::Lanes;
use crate::sums::walk;
use crate::tree::Consumer;
use crate::window::{Pairs, Scratch, Window};
use crate::workers::ranges;
use duoram_reference::{DpfShare, Role};
use zeroize::Zeroizing;

use crate::{Kernels, leaves_of, signed};

/// One READ of a primary.
#[derive(Clone, Copy)]
pub struct ReadQuery<'a> {
    /// The key of DPF 1, for C.
    pub key: &'a DpfShare,
    /// The key of the DPF that the other primary and the helper do not both know (3 at P0, 2 at P1), for the blind.
    pub refresh_key: &'a DpfShare,
    /// S: the vector at memory index `i` is `u[(i - S) mod n]`.
    pub shift: usize,
}

/// One READ of the helper.
#[derive(Clone, Copy)]
pub struct UnblindingQuery<'a> {
    /// P0's key of DPF 2, for the blind of P1.
    pub key_p0: &'a DpfShare,
    /// P1's key of DPF 3, for the blind of P0.
    pub key_p1: &'a DpfShare,
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
        party: Role,
        compressed: &[u64],
        blind: &[u64],
        queries: &[ReadQuery<'_>],
    ) -> Vec<u64> {
        let mut dots = Vec::with_capacity(2 * queries.len());
        for query in queries {
            dots.push(Dot { memory: compressed, key: query.key, party, shift: query.shift });
            dots.push(Dot { memory: blind, key: query.refresh_key, party, shift: query.shift });
        }
        self.dots(&dots).as_chunks().0.iter().map(|[main, refresh]| main.wrapping_sub(*refresh)).collect()
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
        let mut dots = Vec::with_capacity(2 * queries.len());
        for query in queries {
            dots.push(Dot { memory: blind_0, key: query.key_p1, party: Role::P1, shift: query.shift });
            dots.push(Dot { memory: blind_1, key: query.key_p0, party: Role::P0, shift: query.shift });
        }
        self.dots(&dots).as_chunks().0.iter().map(|[first, second]| (*first, *second)).collect()
    }

    fn dots(&self, dots: &[Dot<'_>]) -> Zeroizing<Vec<u64>> {
        let Some(first) = dots.first() else { return Zeroizing::default() };
        let leaves = first.memory.len();
        for dot in dots {
            assert!(
                dot.memory.len() == leaves && leaves_of(dot.key) == leaves,
                "one length for memory and keys"
            );
        }
        dispatch!(self.backend.for_parents(leaves / 2), lanes => run(lanes, self, leaves, dots))
    }
}

/// One dot product.
struct Dot<'a> {
    memory: &'a [u64],
    key: &'a DpfShare,
    party: Role,
    shift: usize,
}

fn run<L: Lanes>(lanes: L, kernels: &Kernels<'_>, leaves: usize, dots: &[Dot<'_>]) -> Zeroizing<Vec<u64>> {
    // Every part answers all queries for a range of memory.
    let parts = ranges(leaves, kernels.workers.parts(leaves.div_ceil(1 << 12)));
    let partial = kernels.workers.map(parts, |range| {
        let mut sums = Vec::with_capacity(dots.len());
        let mut windows = Vec::with_capacity(dots.len());
        for dot in dots {
            windows.push(Window::new(walk(lanes, &kernels.schedule, dot.key), &range, dot.shift));
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
        let flagged = lanes.word_sum(self.flagged).wrapping_mul(dot.key.conversion_factor());
        signed(dot.party, flagged.wrapping_sub(lanes.product_sum(self.products)))
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
