//! UPDATE in place: the words of a [`ValueKey`], and a multiple of its flags, meet the memory as they leave the cipher.
//!
//! A node yields the eight words of one cache line. Leaf `j` meets memory word `j xor S`, and S, which is public, comes apart: its upper
//! bits say which block of the tree meets a block of memory, the next ones which node meets a line ([`Values`]), two more
//! in which order its four blocks are hashed, and the lowest whether the words of each of them change places.
//!
//! ```text
//!    S = | block of the tree | node of the block | block of the line | word |
//!          ..                  10 bits             2 bits              1 bit
//! ```

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::backend::dispatch;
use crate::flags::{Flags, WORD, move_flags};
use crate::key::VALUE_LEVELS;
use crate::lanes::{Lanes, Meanwhile, Row, Work};
use crate::prg::Prg;
use crate::scan::{check, padded};
use crate::tree::{BLOCK, Source, Walk, steps};
use crate::workers::ranges;
use crate::{Kernels, Key, ValueKey};

/// The tweak of the first of the four blocks of values; the others' follow.
pub(crate) const VALUE_TWEAK: u128 = 8;

/// Words of a node.
pub(crate) const LINE: usize = 1 << VALUE_LEVELS;

/// How many lines ahead memory is asked for: stores wait for the cipher, so the CPU's own requests for their lines come late.
const AHEAD: usize = 64;

/// One UPDATE of one vector: it gets `(v + F t)<S>`.
#[derive(Clone, Copy)]
pub struct ValueUpdate<'a> {
    /// v
    pub key: &'a ValueKey,
    /// t, of the same side of the same DPF.
    pub flags: &'a Flags,
    /// F, the message included.
    pub correction: u64,
    /// S: leaf `j` changes memory word `j xor S`. Public.
    pub shift: usize,
}

impl Kernels<'_> {
    /// The words of all leaves, without the flags' part.
    ///
    /// ```
    /// # use duoram_kernel::{Key, Kernels, ValueKey};
    /// let kernels = Kernels::detect(17);
    /// // Equal roots: equal words.
    /// let [key_0, key_1] = [(); 2].map(|()| ValueKey::new(3, Key::new(4, vec![]), [7; 8]));
    /// assert_eq!(kernels.values(&key_0), kernels.values(&key_1));
    /// ```
    pub fn values(&self, key: &ValueKey) -> Zeroizing<Vec<u64>> {
        let mut words = Zeroizing::new(vec![0; 1 << key.log_size()]);
        self.apply_terms(&mut words, &[Term::new(key, &[], 0, 0)]);
        words
    }

    /// Applies UPDATEs to a vector, with one pass over it.
    ///
    /// | party | in an UPDATE of the lean protocol |
    /// |---|---|
    /// | P0 | A by side 0 of a, and H by side 0 of b |
    /// | P1 | E by side 1 of a |
    /// | P2 | A by side 0 of a, and B by side 1 of b |
    ///
    /// # Panics
    /// If keys and flags do not have one size, the memory is larger, or a shift is not below that size.
    pub fn update_values(&self, memory: &mut [u64], updates: &[ValueUpdate<'_>]) {
        let Some(log_size) = updates.first().map(|update| update.key.log_size()) else { return };
        let mut flags = Vec::with_capacity(updates.len());
        for update in updates {
            flags.push([update.flags]);
        }
        let mut terms = Vec::with_capacity(updates.len());
        for (update, flags) in updates.iter().zip(&flags) {
            let ValueUpdate { key, correction, shift, .. } = *update;
            check(memory.len(), flags, shift);
            let got = [key.log_size(), update.flags.log_size()];
            assert!(got == [log_size; 2], "expected keys and flags of size 2^{log_size}, got {got:?}");
            terms.push(Term::new(key, flags, correction, shift));
        }
        self.apply_terms(memory, &terms);
    }

    pub(crate) fn apply_terms(&self, memory: &mut [u64], terms: &[Term<'_>]) {
        let Some(first) = terms.first() else { return };
        let nodes = 1 << first.nodes.log_size();
        dispatch!(self.backend.for_parents(nodes), lanes => run(lanes, self, (memory, nodes.min(BLOCK)), terms));
    }
}

/// A key's nodes and the correction of their words, and a multiple of some flags.
pub(crate) struct Term<'a> {
    pub(crate) nodes: &'a Key,
    pub(crate) words: &'a [u64; LINE],
    pub(crate) flags: &'a [&'a Flags],
    pub(crate) correction: u64,
    pub(crate) shift: usize,
}

impl<'a> Term<'a> {
    fn new(key: &'a ValueKey, flags: &'a [&'a Flags], correction: u64, shift: usize) -> Self {
        Self { nodes: &key.nodes, words: &key.correction, flags, correction, shift }
    }

    /// What hangs on the parents of any block of so many.
    fn layer(&self, parents: usize) -> Values {
        let mut layer = Values { tweaks: [0; 4], corrections: [0; 4], exchange: 0 };
        for place in 0..LINE / 2 {
            let number = place ^ (self.shift / 2 % 4);
            let [low, high] = [2 * number, 2 * number + 1].map(|word| u128::from(self.words[word]));
            layer.tweaks[place] = VALUE_TWEAK + number as u128;
            layer.corrections[place] = high << WORD | low;
        }
        layer.exchange = self.shift / LINE % parents;
        layer
    }
}

/// An output layer of eight words for each parent, in the order of a memory that they are going to meet: a parent's label goes to
/// all lanes, and each lane has a tweak of its own, so that nothing has to be moved after the cipher.
///
/// ```text
///    line l of the block  =  words of parent l xor exchange
///
///             lane 0      lane 1      lane 2      lane 3
///           | T_8(s)    | T_9(s)    | T_10(s)   | T_11(s)   |       four lanes; two lanes take two registers, one lane four
/// ```
#[derive(Clone, Copy)]
struct Values {
    /// Those of the four blocks of a line, from its first.
    tweaks: [u128; 4],
    corrections: [u128; 4],
    /// Below the number of a block's parents.
    exchange: usize,
}

/// Applies all terms to a memory, block by block of the words of so many parents. Every part of it is gone through once.
fn run<L: Lanes>(
    lanes: L,
    kernels: &Kernels<'_>,
    (memory, parents): (&mut [u64], usize),
    terms: &[Term<'_>],
) {
    let block = parents * LINE;
    let blocks = memory.len() / block;
    let (whole, last) = memory.split_at_mut(blocks * block);
    let mut parts = Vec::new();
    let mut rest = whole;
    for range in ranges(blocks, kernels.workers.parts(blocks)) {
        let (part, others) = rest.split_at_mut(range.len() * block);
        parts.push((range.start, part));
        rest = others;
    }
    // The memory may end within a block.
    let mut filled = padded(last, block);
    if !last.is_empty() {
        parts.push((blocks, &mut filled[..]));
    }
    kernels.workers.map(parts, |(first, memory)| {
        let mut walks = Vec::with_capacity(terms.len());
        for term in terms {
            let nodes = term.nodes;
            let source = Source::root(nodes.root_label());
            walks.push((Walk::new(lanes, kernels.prg(), source, steps(nodes.corrections())), term));
        }
        let mut moved = Zeroizing::new(vec![0; block.div_ceil(WORD)]);
        let mut rest = memory;
        for number in first..first + rest.len() / block {
            let (memory, others) = rest.split_at_mut(block);
            for line in 0..AHEAD {
                lanes.prefetch(others, line * LINE);
            }
            for (walk, term) in &mut walks {
                move_flags(lanes, term.flags, term.shift, number * block / WORD, moved.len(), &mut moved);
                let parents = walk.parents(number ^ (term.shift / block));
                let (prg, layer) = (kernels.prg(), term.layer(parents.len()));
                let (flags, correction) = (&moved[..], term.correction);
                if term.shift.is_multiple_of(2) {
                    lanes.run(Xor::<_, false> { prg, parents, layer, memory, flags, correction });
                } else {
                    lanes.run(Xor::<_, true> { prg, parents, layer, memory, flags, correction });
                }
            }
            rest = others;
        }
    });
    last.copy_from_slice(&filled[..last.len()]);
}

/// Kernel: XORs a block of memory with values, whose neighbours change places if `SWAP`, and with the correction where a flag is set.
///
/// Memory and correction are part of the last round's key, so that nothing is left to do after the cipher.
struct Xor<'a, P, const SWAP: bool> {
    prg: P,
    parents: &'a [u128],
    layer: Values,
    memory: &'a mut [u64],
    /// Moved.
    flags: &'a [u64],
    correction: u64,
}

impl<L: Lanes, P: Prg, const SWAP: bool> Work<L> for Xor<'_, P, SWAP> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let Values { tweaks, corrections, exchange } = self.layer;
        let parents = L::BlockRow::rows(self.parents);
        let fan = self.prg.fan(lanes, tweaks, corrections);
        let correction = lanes.splat_word(self.correction);
        let part = Part::<L, P, SWAP> { fan, parents, exchange, flags: self.flags, correction };
        let rows = L::WordRow::rows_mut(self.memory);
        // All lengths are powers of two.
        if rows.len() >= 2 * N && parents.len() >= lines::<L, N>() {
            part.update::<N>(lanes, rows);
        } else {
            part.update::<1>(lanes, rows);
        }
    }
}

/// What all rows of a block have in common.
struct Part<'a, L: Lanes, P: Prg, const SWAP: bool> {
    fan: P::Fan<L>,
    parents: &'a [L::BlockRow],
    exchange: usize,
    flags: &'a [u64],
    correction: L::Words,
}

impl<L: Lanes, P: Prg, const SWAP: bool> Part<'_, L, P, SWAP> {
    /// Updates all rows, `2 N` at a time, of which there is a whole number.
    #[inline(always)]
    fn update<const N: usize>(&self, lanes: L, rows: &mut [L::WordRow]) {
        let mut first = 0;
        while first < rows.len() {
            let nodes = self.nodes::<N>(first);
            let mut states = [[lanes.splat_block(0); N]; 2];
            for i in 0..2 * N {
                let label = lanes.load_everywhere(nodes.label::<N>(i));
                states[i % 2][i / 2] = P::fan_state(lanes, &self.fan, part::<L, N>(first, i), label);
            }
            let mut keys = LastKeys::<L, P, SWAP, N>::new(self, lanes, nodes, rows, first);
            let states = P::fan_rounds(lanes, &self.fan, states, &mut keys);
            let updated = lanes.last_round(states, keys.last);
            for (i, row) in rows[first..first + 2 * N].iter_mut().enumerate() {
                let words = lanes.words(updated[i % 2][i / 2]);
                lanes.store_words(row, if SWAP { lanes.swap_words(words) } else { words });
            }
            first += 2 * N;
        }
    }

    /// The nodes that `2 N` rows are of, from the first on.
    #[inline(always)]
    fn nodes<const N: usize>(&self, first: usize) -> Nodes<'_, L> {
        // Lines meet nodes by whole groups, and within a group by one pattern.
        let lines = lines::<L, N>();
        let first = (first / line_rows::<L>()) ^ (self.exchange & !(lines - 1));
        let lane = (first >> self.parents.len().trailing_zeros()) & (L::WIDTH - 1);
        let group = &self.parents[first & (self.parents.len() - 1)..][..lines];
        Nodes { group, lane, exchange: self.exchange & (lines - 1) }
    }
}

/// Nodes of one lane, a power of two of them.
#[derive(Clone, Copy)]
struct Nodes<'a, L: Lanes> {
    group: &'a [L::BlockRow],
    lane: usize,
    /// Below their number: which of them meets a line is its number xor this.
    exchange: usize,
}

impl<'a, L: Lanes> Nodes<'a, L> {
    /// The label that row `i` of `2 N` is of. No array of all of them: it would lie among secrets, where the analysis of machine code
    /// takes for secret what is loaded.
    #[inline(always)]
    fn label<const N: usize>(&self, i: usize) -> &'a u128 {
        let node = ((i / line_rows::<L>()) ^ self.exchange) & (lines::<L, N>() - 1);
        &self.group[node].items()[self.lane]
    }
}

/// Rows of one line: the first of it and those behind, as many as four blocks fill.
const fn line_rows<L: Lanes>() -> usize {
    LINE / 2 / L::WIDTH
}

/// Lines that `2 N` rows are of.
const fn lines<L: Lanes, const N: usize>() -> usize {
    (2 * N).div_ceil(line_rows::<L>())
}

/// Which of its line's rows row `first + i` is: a constant, if rows come by whole lines.
#[inline(always)]
const fn part<L: Lanes, const N: usize>(first: usize, i: usize) -> usize {
    let first = if (2 * N).is_multiple_of(line_rows::<L>()) { 0 } else { first };
    (first + i) % line_rows::<L>()
}

/// The last round's keys of `2 N` rows, made while these are ciphered. All lengths are looked at before, for a branch between rounds would
/// keep compilers from mixing the one with the other.
struct LastKeys<'a, L: Lanes, P: Prg, const SWAP: bool, const N: usize> {
    part: &'a Part<'a, L, P, SWAP>,
    nodes: Nodes<'a, L>,
    rows: &'a [L::WordRow],
    /// The number of the first one.
    first: usize,
    /// Theirs.
    bits: L::Bits,
    last: [[L::Blocks; N]; 2],
}

impl<'a, L: Lanes, P: Prg, const SWAP: bool, const N: usize> LastKeys<'a, L, P, SWAP, N> {
    #[inline(always)]
    fn new(
        part: &'a Part<'a, L, P, SWAP>,
        lanes: L,
        nodes: Nodes<'a, L>,
        rows: &'a [L::WordRow],
        first: usize,
    ) -> Self {
        let mut ahead = first;
        while ahead < first + 2 * N {
            lanes.prefetch(rows, ahead + AHEAD * line_rows::<L>());
            ahead += line_rows::<L>();
        }
        let word = first * 2 * L::WIDTH;
        let bits = lanes.bits(part.flags[word / WORD] >> (word % WORD));
        let last = [[lanes.splat_block(0); N]; 2];
        Self { part, nodes, rows: &rows[first..first + 2 * N], first, bits, last }
    }
}

impl<L: Lanes, P: Prg, const SWAP: bool, const N: usize> Meanwhile<L> for LastKeys<'_, L, P, SWAP, N> {
    #[inline(always)]
    fn after_round(&mut self, lanes: L, round: usize) {
        let Part { fan, correction, .. } = self.part;
        for i in round * 2 * N / 9..(round + 1) * 2 * N / 9 {
            let words = lanes.xor_where_bits(lanes.load_words(&self.rows[i]), self.bits, i, *correction);
            let added = lanes.labels(if SWAP { lanes.swap_words(words) } else { words });
            let label = lanes.load_everywhere(self.nodes.label::<N>(i));
            let key = P::fan_last(lanes, fan, part::<L, N>(self.first, i), label, added);
            self.last[i % 2][i / 2] = lanes.now(key);
        }
    }
}
