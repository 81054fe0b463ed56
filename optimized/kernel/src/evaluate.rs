//! Evaluation of all leaves, or of a range of them, written down in order.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use zeroize::{Zeroize, Zeroizing};

use crate::backend::dispatch;
use crate::key::BIT_LEVELS;
use crate::lanes::Lanes;
use crate::layer::{Children, Layer, Output};
use crate::prg::{Mmo, Step};
use crate::tree::{Consumer, Source, Walk, steps};
use crate::workers::ranges;
use crate::{BitKey, Block, Kernels, Key, WordKey};

/// The tweak of the layer of bits: 0 and 1 are the children's.
pub(crate) const BIT_TWEAK: u128 = 2;

/// Leaves in a block of bits.
const BITS: usize = 128;

impl Kernels<'_> {
    /// The labels of all leaves.
    ///
    /// ```
    /// # use duoram_kernel::Kernels;
    /// let kernels = Kernels::detect(17);
    /// let [key_0, key_1] = kernels.deal(5, 3, [1, 2]).unwrap();
    /// let (labels_0, labels_1) = (kernels.labels(&key_0), kernels.labels(&key_1));
    /// for leaf in 0..8 {
    ///     assert_eq!(labels_0[leaf] == labels_1[leaf], leaf != 5);
    /// }
    /// ```
    pub fn labels(&self, key: &Key) -> Zeroizing<Vec<Block>> {
        let mut labels = Zeroizing::new(vec![0; key.leaves()]);
        self.labels_into(key, 0, &mut labels);
        labels
    }

    /// The labels of the leaves from `first` on, as many as `labels` has places for.
    ///
    /// # Panics
    /// If there are not so many leaves.
    pub fn labels_into(&self, key: &Key, first: usize, labels: &mut [Block]) {
        inside(first, labels.len(), key.leaves());
        let mut steps = steps(key.corrections());
        match steps.pop() {
            None if labels.is_empty() => {}
            None => labels[0] = key.root(),
            Some(leaves) => self.fill(key, steps, Children(leaves), AsLabels, first, labels),
        }
    }

    /// A party's words of all leaves: those of both parties add up to the value at the target, and to 0 elsewhere.
    ///
    /// ```
    /// # use duoram_kernel::Kernels;
    /// let kernels = Kernels::detect(17);
    /// let [words_0, words_1] = kernels.deal_words(5, 3, 1000, [1, 2]).unwrap().map(|key| kernels.words(&key));
    /// let sums: Vec<u64> = words_0.iter().zip(words_1.iter()).map(|(a, b)| a.wrapping_add(*b)).collect();
    /// assert_eq!(sums, [0, 0, 0, 0, 0, 1000, 0, 0]);
    /// ```
    ///
    /// # Panics
    /// If the tree has no level but the root.
    pub fn words(&self, key: &WordKey) -> Zeroizing<Vec<u64>> {
        let mut words = Zeroizing::new(vec![0; key.key.leaves()]);
        self.words_into(key, 0, &mut words);
        words
    }

    /// The words of the leaves from `first` on, as many as `words` has places for.
    ///
    /// # Panics
    /// If there are not so many leaves, or the tree has no level but the root.
    pub fn words_into(&self, key: &WordKey, first: usize, words: &mut [u64]) {
        inside(first, words.len(), key.key.leaves());
        let mut steps = steps(key.key.corrections());
        let leaves = steps.pop().expect("a root is no leaf");
        let writer = AsWords { sign: key.party.sign(), final_correction: key.final_correction };
        self.fill(&key.key, steps, Children(leaves), writer, first, words);
    }

    /// A party's bits of all leaves: bit `i` of block `j` is that of leaf `128 j + i`. The XOR of both parties' bits is 1 at the
    /// target only.
    ///
    /// ```
    /// # use duoram_kernel::Kernels;
    /// let kernels = Kernels::detect(17);
    /// let [bits_0, bits_1] = kernels.deal_bits(300, 9, [1, 2]).unwrap().map(|key| kernels.bits(&key));
    /// let unit: Vec<u128> = bits_0.iter().zip(bits_1.iter()).map(|(a, b)| a ^ b).collect();
    /// assert_eq!(unit, [0, 0, 1 << (300 - 256), 0]);
    /// ```
    pub fn bits(&self, key: &BitKey) -> Zeroizing<Vec<Block>> {
        self.bits_range(key, 0..1 << key.log_size)
    }

    /// The bits of a range of leaves: bit `i` of block `j` is that of leaf `start + 128 j + i`. What is left of the last block
    /// is 0. A range that starts at a multiple of 128 costs least.
    ///
    /// # Panics
    /// If there are not so many leaves.
    pub fn bits_range(&self, key: &BitKey, range: Range<usize>) -> Zeroizing<Vec<Block>> {
        let len = range.end.saturating_sub(range.start);
        inside(range.start, len, 1 << key.log_size);
        // What ends in the middle of a block needs one more to be moved down from.
        let (first, offset) = (range.start / BITS, range.start % BITS);
        let mut blocks = Zeroizing::new(vec![0; (offset + len).div_ceil(BITS)]);
        self.bit_blocks(key, first, &mut blocks);
        if offset > 0 {
            for index in 0..blocks.len() {
                let above = blocks.get(index + 1).map_or(0, |block| block << (BITS - offset));
                blocks[index] = blocks[index] >> offset | above;
            }
        }
        blocks.truncate(len.div_ceil(BITS));
        if !len.is_multiple_of(BITS)
            && let Some(last) = blocks.last_mut()
        {
            *last &= (1 << (len % BITS)) - 1;
        }
        blocks
    }

    /// Whole blocks of bits, from block `first` on.
    fn bit_blocks(&self, key: &BitKey, first: usize, blocks: &mut [Block]) {
        let layer = Output { tweak: BIT_TWEAK, correction: key.correction };
        if key.log_size > BIT_LEVELS {
            self.fill(&key.nodes, steps(key.nodes.corrections()), layer, AsLabels, first, blocks);
        } else if !blocks.is_empty() {
            self.outputs_at(key, &[0], blocks);
        }
    }

    /// All bits, a block as two words. What lies behind the last leaf is arbitrary.
    pub(crate) fn bit_pairs(&self, key: &BitKey, pairs: &mut [[u64; 2]]) {
        if key.log_size > BIT_LEVELS {
            let layer = Output { tweak: BIT_TWEAK, correction: key.correction };
            self.fill(&key.nodes, steps(key.nodes.corrections()), layer, AsPairs, 0, pairs);
        } else {
            // Outputs are hashed two by two, and there is only one.
            let mut two = Zeroizing::new([[0; 2]; 2]);
            let layer = Children(Step::output(BIT_TWEAK, key.correction));
            self.fill(&key.nodes, Vec::new(), layer, AsPairs, 0, &mut two[..]);
            pairs[0] = two[0];
        }
    }

    /// Evaluates a layer from output `first` on, until `out` is full.
    fn fill<Y: for<'a> Layer<Mmo<'a>>, W: Writer>(
        &self,
        key: &Key,
        steps: Vec<Step>,
        layer: Y,
        writer: W,
        first: usize,
        out: &mut [W::Item],
    ) {
        if !out.is_empty() {
            let filling = Filling { kernels: self, key, steps, layer, writer };
            dispatch!(self.backend.for_parents(1 << filling.steps.len()), lanes => filling.run(lanes, first, out));
        }
    }
}

/// What the documentation calls so many leaves.
fn inside(first: usize, len: usize, leaves: usize) {
    assert!(
        first <= leaves && len <= leaves - first,
        "expected leaves below {leaves}, got {first} and {len} on"
    );
}

/// A layer that is to be written down.
struct Filling<'a, Y, W> {
    kernels: &'a Kernels<'a>,
    key: &'a Key,
    steps: Vec<Step>,
    layer: Y,
    writer: W,
}

impl<'a, Y: Layer<Mmo<'a>>, W: Writer> Filling<'a, Y, W> {
    fn walk<L: Lanes>(&'a self, lanes: L) -> Walk<'a, L, Mmo<'a>> {
        Walk::new(lanes, self.kernels.prg(), Source::root(self.key.root_label()), self.steps.clone())
    }

    /// `out` is not empty.
    fn run<L: Lanes>(&'a self, lanes: L, first: usize, out: &mut [W::Item]) {
        let block = Y::OUTPUTS * self.walk(lanes).block_parents();
        let (start, end) = (first / block, (first + out.len()).div_ceil(block));
        let mut parts = Vec::new();
        let mut rest = out;
        let mut place = first;
        for part in ranges(end - start, self.kernels.workers.parts(end - start)) {
            let blocks = start + part.start..start + part.end;
            let (out, others) = rest.split_at_mut((blocks.end * block - place).min(rest.len()));
            parts.push((blocks, place, out));
            place = part.end * block + start * block;
            rest = others;
        }
        self.kernels.workers.map(parts, |(blocks, first, out)| {
            let mut walk = self.walk(lanes);
            let mut scratch = Zeroizing::new(Vec::new());
            for number in blocks {
                // The part of the block that is asked for, and where it goes.
                let (from, to) = (first.max(number * block), (first + out.len()).min((number + 1) * block));
                let out = &mut out[from - first..to - first];
                if out.len() == block {
                    walk.consume(number, self.layer, self.writer.consumer(lanes, out));
                } else {
                    scratch.resize(block, W::Item::default());
                    walk.consume(number, self.layer, self.writer.consumer(lanes, &mut scratch[..]));
                    out.copy_from_slice(&scratch[from - number * block..to - number * block]);
                }
            }
        });
    }
}

/// What is written down of two neighbours.
trait Writer: Copy + Send + Sync {
    /// What is written for one of them.
    type Item: Copy + Default + Send + Zeroize;
    /// Writes a block down.
    fn consumer<L: Lanes>(self, lanes: L, out: &mut [Self::Item]) -> impl Consumer<L> + use<'_, L, Self>;
}

/// All of it.
#[derive(Clone, Copy)]
struct AsLabels;

impl Writer for AsLabels {
    type Item = Block;

    fn consumer<L: Lanes>(self, _: L, labels: &mut [Block]) -> impl Consumer<L> + use<'_, L> {
        Labels { labels }
    }
}

/// Consumer: writes the labels of a block down, in order.
pub(crate) struct Labels<'m> {
    pub(crate) labels: &'m mut [Block],
}

impl<L: Lanes> Consumer<L> for Labels<'_> {
    #[inline(always)]
    fn take(&mut self, lanes: L, unit: usize, first: L::Blocks, second: L::Blocks) {
        let stride = self.labels.len() / L::WIDTH;
        lanes.store_apart(self.labels, 2 * unit, stride, first);
        lanes.store_apart(self.labels, 2 * unit + 1, stride, second);
    }
}

/// All of it, as words.
#[derive(Clone, Copy)]
struct AsPairs;

impl Writer for AsPairs {
    type Item = [u64; 2];

    fn consumer<L: Lanes>(self, _: L, pairs: &mut [[u64; 2]]) -> impl Consumer<L> + use<'_, L> {
        LabelPairs { pairs }
    }
}

/// How many units ahead memory is asked for that is only written.
const AHEAD: usize = 16;

/// Consumer: writes the labels of a block down, in order, as pairs of words.
struct LabelPairs<'m> {
    pairs: &'m mut [[u64; 2]],
}

impl<L: Lanes> Consumer<L> for LabelPairs<'_> {
    #[inline(always)]
    fn take(&mut self, lanes: L, unit: usize, first: L::Blocks, second: L::Blocks) {
        let stride = self.pairs.len() / L::WIDTH;
        // Two units make a cache line of each lane.
        for lane in 0..if unit.is_multiple_of(2) { L::WIDTH } else { 0 } {
            lanes.prefetch(self.pairs, 2 * (unit + AHEAD) + lane * stride);
        }
        lanes.store_pairs(self.pairs, 2 * unit, stride, lanes.words(first));
        lanes.store_pairs(self.pairs, 2 * unit + 1, stride, lanes.words(second));
    }
}

/// The high words of leaves, corrected and signed.
#[derive(Clone, Copy)]
struct AsWords {
    sign: u64,
    final_correction: u64,
}

impl Writer for AsWords {
    type Item = u64;

    fn consumer<L: Lanes>(self, lanes: L, words: &mut [u64]) -> impl Consumer<L> + use<'_, L> {
        Words {
            pairs: words.as_chunks_mut().0,
            negative: lanes.splat_word(if self.sign == 1 { 0 } else { u64::MAX }),
            final_correction: lanes.splat_word(self.final_correction),
        }
    }
}

/// Consumer: writes the words of a block down, in order.
struct Words<'m, L: Lanes> {
    pairs: &'m mut [[u64; 2]],
    /// All ones for the sign -1: `-v = (v ^ ones) - ones`.
    negative: L::Words,
    final_correction: L::Words,
}

impl<L: Lanes> Consumer<L> for Words<'_, L> {
    #[inline(always)]
    fn take(&mut self, lanes: L, unit: usize, first: L::Blocks, second: L::Blocks) {
        let [flags, values] = lanes.unzip(first, second);
        let words = lanes.add_where_odd(values, flags, self.final_correction);
        let signed = lanes.sub(lanes.xor(words, self.negative), self.negative);
        lanes.store_pairs(self.pairs, unit, self.pairs.len() / L::WIDTH, signed);
    }
}
