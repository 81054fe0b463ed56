//! Evaluation at points: many paths through the tree side by side.

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::backend::dispatch;
use crate::evaluate::BIT_TWEAK;
use crate::key::BIT_LEVELS;
use crate::lanes::{Lanes, Nothing, Row, Work};
use crate::layer::Output;
use crate::prg::{Prg, Step};
use crate::tree::steps;
use crate::{BitKey, Block, Kernels, Key, WordKey};

/// Labels in flight: no backend has more.
const IN_FLIGHT: usize = 16;

impl Kernels<'_> {
    /// The labels at some leaves. Which ones is not secret from whoever evaluates.
    ///
    /// ```
    /// # use duoram_kernel::Kernels;
    /// let kernels = Kernels::detect(17);
    /// let [key_0, key_1] = kernels.deal(123_456, 40, [1, 2]).unwrap();
    /// let [labels_0, labels_1] = [key_0, key_1].map(|key| kernels.labels_at(&key, &[7, 123_456]));
    /// assert!(labels_0[0] == labels_1[0] && labels_0[1] != labels_1[1]);
    /// ```
    ///
    /// # Panics
    /// If there is no such leaf.
    pub fn labels_at(&self, key: &Key, points: &[u64]) -> Zeroizing<Vec<Block>> {
        self.at(key, None, 0, points)
    }

    /// A party's words at some leaves, as in [`Self::words`].
    ///
    /// # Panics
    /// If there is no such leaf.
    pub fn words_at(&self, key: &WordKey, points: &[u64]) -> Zeroizing<Vec<u64>> {
        let labels = self.at(&key.key, None, 0, points);
        let word = |label: &Block| {
            let mask = (*label as u64 & 1).wrapping_neg();
            key.party.sign().wrapping_mul(((label >> 64) as u64).wrapping_add(mask & key.final_correction))
        };
        Zeroizing::new(labels.iter().map(word).collect())
    }

    /// A party's bits at some leaves, as in [`Self::bits`].
    ///
    /// # Panics
    /// If there is no such leaf.
    pub fn bits_at(&self, key: &BitKey, points: &[u64]) -> Zeroizing<Vec<bool>> {
        let mut blocks = Zeroizing::new(vec![0; points.len()]);
        self.outputs_at(key, points, &mut blocks);
        let bit = |(point, block): (&u64, &Block)| block >> (point % (1 << BIT_LEVELS)) & 1 == 1;
        Zeroizing::new(points.iter().zip(blocks.iter()).map(bit).collect())
    }

    /// The blocks of bits that some leaves are in.
    pub(crate) fn outputs_at(&self, key: &BitKey, points: &[u64], blocks: &mut [Block]) {
        assert!(points.iter().all(|point| point >> key.log_size == 0), "there are 2^{} leaves", key.log_size);
        let layer = Output { tweak: BIT_TWEAK, correction: key.correction };
        blocks.copy_from_slice(&self.at(&key.nodes, Some(layer), BIT_LEVELS, points));
    }

    /// The labels of the nodes, or what a layer has on them, above leaves of which each node has `2^below`.
    fn at(&self, key: &Key, layer: Option<Output>, below: usize, points: &[u64]) -> Zeroizing<Vec<Block>> {
        let depth = key.log_size();
        assert!(points.iter().all(|point| point >> below >> depth == 0), "there are 2^{depth} nodes");
        // Whole batches, so that a kernel copies lengths that the compiler knows, without a call; and parts of whole batches.
        let batches = points.len().div_ceil(IN_FLIGHT);
        let mut whole = Zeroizing::new(vec![0; batches * IN_FLIGHT]);
        whole[..points.len()].copy_from_slice(points);
        let mut labels = Zeroizing::new(vec![key.root(); whole.len()]);
        let steps = steps(key.corrections());
        let len = batches.div_ceil(self.workers.parts(batches).max(1)).max(1) * IN_FLIGHT;
        let parts = whole.chunks(len).zip(labels.chunks_mut(len)).collect();
        dispatch!(self.backend, lanes => {
            self.workers.map(parts, |(points, labels): (&[u64], &mut [Block])| {
                lanes.run(Paths { prg: self.prg(), steps: &steps, layer, below, points, labels });
            });
        });
        labels.truncate(points.len());
        labels
    }
}

/// Kernel: from the root down to a node for each point.
struct Paths<'a, P> {
    prg: P,
    steps: &'a [Step],
    layer: Option<Output>,
    below: usize,
    /// Of whole batches, as the labels are.
    points: &'a [u64],
    /// Roots, to be replaced by the nodes.
    labels: &'a mut [Block],
}

impl<L: Lanes, P: Prg> Work<L> for Paths<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        const { assert!(IN_FLIGHT.is_multiple_of(2 * N * L::WIDTH), "parts are not of whole batches") };
        let batch = 2 * N * L::WIDTH;
        for (points, labels) in self.points.chunks_exact(batch).zip(self.labels.chunks_exact_mut(batch)) {
            let mut padded = [0; IN_FLIGHT];
            padded[..batch].copy_from_slice(labels);
            let mut nodes = load::<L, N>(lanes, &padded);
            for (index, step) in self.steps.iter().enumerate() {
                let position = self.below + self.steps.len() - 1 - index;
                let mut lefts = [0; IN_FLIGHT];
                for i in 0..batch {
                    lefts[i] = u128::from(points[i] >> position & 1 ^ 1);
                }
                let level = self.prg.level(lanes, *step);
                nodes = P::child(lanes, &level, nodes, load::<L, N>(lanes, &lefts));
            }
            if let Some(layer) = self.layer {
                let output = self.prg.output(lanes, layer.tweak, layer.correction);
                nodes = P::outputs(lanes, &output, nodes, &mut Nothing);
            }
            let rows = L::BlockRow::rows_mut(&mut padded);
            for i in 0..2 * N {
                lanes.store_blocks(&mut rows[i], nodes[i / N][i % N]);
            }
            labels.copy_from_slice(&padded[..batch]);
        }
    }
}

/// A batch in registers.
#[inline(always)]
fn load<L: Lanes, const N: usize>(lanes: L, labels: &[Block; IN_FLIGHT]) -> [[L::Blocks; N]; 2] {
    let rows = L::BlockRow::rows(labels);
    let mut blocks = [[lanes.splat_block(0); N]; 2];
    for i in 0..2 * N {
        blocks[i / N][i % N] = lanes.load_blocks(&rows[i]);
    }
    blocks
}
