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
use crate::lanes::{Lanes, Row};
use crate::layer::Values;
use crate::scan::check;
use crate::tree::{BLOCK, Consumer, Source, Walk, steps};
use crate::workers::ranges;
use crate::{Kernels, ValueKey};

/// The tweak of the first of the four blocks of values; the others' follow.
pub(crate) const VALUE_TWEAK: u128 = 8;

/// Words of a node.
pub(crate) const LINE: usize = 1 << VALUE_LEVELS;

/// How many lines ahead memory is asked for: stores wait for the cipher, so the CPU's own requests for their lines come late.
const AHEAD: usize = 32;

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
        self.apply_terms(&mut words, &[Term { key, flags: &[], correction: 0, shift: 0 }]);
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
    /// If keys, flags and memory do not have one size, or a shift is not below it.
    pub fn update_values(&self, memory: &mut [u64], updates: &[ValueUpdate<'_>]) {
        let mut flags = Vec::with_capacity(updates.len());
        for update in updates {
            flags.push([update.flags]);
        }
        let mut terms = Vec::with_capacity(updates.len());
        for (update, flags) in updates.iter().zip(&flags) {
            let ValueUpdate { key, correction, shift, .. } = *update;
            check(memory.len(), flags, shift);
            assert!(
                key.log_size() == update.flags.log_size(),
                "flags are of the same DPF: expected 2^{}, got 2^{}",
                key.log_size(),
                update.flags.log_size()
            );
            terms.push(Term { key, flags, correction, shift });
        }
        self.apply_terms(memory, &terms);
    }

    fn apply_terms(&self, memory: &mut [u64], terms: &[Term<'_>]) {
        let Some(first) = terms.first() else { return };
        let nodes = 1 << first.key.nodes.log_size();
        if memory.len() < LINE {
            let mut padded = Zeroizing::new(vec![0; LINE]);
            padded[..memory.len()].copy_from_slice(memory);
            dispatch!(self.backend.for_parents(nodes), lanes => run(lanes, self, &mut padded, terms));
            memory.copy_from_slice(&padded[..memory.len()]);
        } else {
            dispatch!(self.backend.for_parents(nodes), lanes => run(lanes, self, memory, terms));
        }
    }
}

/// A key, and a multiple of some flags.
struct Term<'a> {
    key: &'a ValueKey,
    flags: &'a [&'a Flags],
    correction: u64,
    shift: usize,
}

impl Term<'_> {
    /// What hangs on the parents of any block of so many.
    fn layer(&self, parents: usize) -> Values {
        let mut layer = Values { tweaks: [0; 4], corrections: [0; 4], exchange: 0 };
        for place in 0..LINE / 2 {
            let number = place ^ (self.shift / 2 % 4);
            let [low, high] = [2 * number, 2 * number + 1].map(|word| u128::from(self.key.correction[word]));
            layer.tweaks[place] = VALUE_TWEAK + number as u128;
            layer.corrections[place] = high << WORD | low;
        }
        layer.exchange = self.shift / LINE % parents;
        layer
    }
}

/// Applies all terms to a memory of whole lines. Every part of it is gone through once.
fn run<L: Lanes>(lanes: L, kernels: &Kernels<'_>, memory: &mut [u64], terms: &[Term<'_>]) {
    let parents = (memory.len() / LINE).min(BLOCK);
    let block = parents * LINE;
    let blocks = memory.len() / block;
    let mut parts = Vec::new();
    let mut rest = memory;
    for range in ranges(blocks, kernels.workers.parts(blocks)) {
        let (part, others) = rest.split_at_mut(range.len() * block);
        parts.push((range.start, part));
        rest = others;
    }
    kernels.workers.map(parts, |(first, memory)| {
        let mut walks = Vec::with_capacity(terms.len());
        for term in terms {
            let nodes = &term.key.nodes;
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
                let (rows, flags) = (L::WordRow::rows_mut(memory), &moved[..]);
                let correction = lanes.splat_word(term.correction);
                let (number, layer) = (number ^ (term.shift / block), term.layer(parents));
                if term.shift.is_multiple_of(2) {
                    walk.consume(number, layer, Xor::<L, false> { rows, flags, correction });
                } else {
                    walk.consume(number, layer, Xor::<L, true> { rows, flags, correction });
                }
            }
            rest = others;
        }
    });
}

/// Consumer: XORs a block of memory with values, whose neighbours change places if `SWAP`, and with the correction where a flag is set.
struct Xor<'m, L: Lanes, const SWAP: bool> {
    rows: &'m mut [L::WordRow],
    /// Moved.
    flags: &'m [u64],
    correction: L::Words,
}

impl<L: Lanes, const SWAP: bool> Consumer<L> for Xor<'_, L, SWAP> {
    #[inline(always)]
    fn take(&mut self, lanes: L, unit: usize, first: L::Blocks, second: L::Blocks) {
        let group = WORD / (2 * L::WIDTH);
        for (row, values) in [(2 * unit, first), (2 * unit + 1, second)] {
            if (row * L::WIDTH).is_multiple_of(LINE / 2) {
                lanes.prefetch(self.rows, row + AHEAD * (LINE / 2) / L::WIDTH);
            }
            let mut values = lanes.words(values);
            if SWAP {
                values = lanes.swap_words(values);
            }
            let sum = lanes.xor(lanes.load_words(&self.rows[row]), values);
            let bits = lanes.bits(self.flags[row / group]);
            lanes.store_words(
                &mut self.rows[row],
                lanes.xor_where_bits(sum, bits, row % group, self.correction),
            );
        }
    }
}
