//! UPDATE of rows in place: the rows of a [`RowKey`], and a multiple of its flags.
//!
//! A node yields the rows of eight leaves, `8 w` words of `4 w` blocks. They are hashed for as many nodes at a time as a first-level cache has
//! room for, and then XORed to the memory that they meet: leaf `j` meets row `j xor S`, and S, which is public, comes apart into the
//! block of the tree, the node of the block, and the row of the node.
//!
//! ```text
//!    node 5   | row 0 | row 1 | .. | row 7 |           S = .. 2 3:  its row 1 goes to row 1 xor 3 of line 5 xor 2
//!    blocks   | 0 | 1 | 2 | ..       | 4 w - 1 |       with w = 3, row 1 begins in the middle of block 1
//! ```
//!
//! With rows of one word a node is one cache line, and `values` needs no place in between.

use alloc::vec;
use alloc::vec::Vec;
use core::hint::black_box;

use zeroize::Zeroizing;

use crate::backend::dispatch;
use crate::flags::{Flags, WORD, move_flags};
use crate::lanes::{Lanes, Nothing, Row, Work};
use crate::prg::Prg;
use crate::row_scan::row_count;
use crate::scan::check;
use crate::spread::{Place, Spread, Step, bits};
use crate::tree::{BLOCK, Source, Walk, steps};
use crate::values::{LINE, Term, VALUE_TWEAK};
use crate::workers::ranges;
use crate::{Kernels, RowKey};

/// Words that are hashed before they meet the memory: 16 KiB, if a node has not more.
const PLACE: usize = 2048;

/// One UPDATE of a vector of rows: it gets `(v + F t)<S>`.
#[derive(Clone, Copy)]
pub struct RowUpdate<'a> {
    /// v
    pub key: &'a RowKey,
    /// t, of the same side of the same DPF.
    pub flags: &'a Flags,
    /// F, a row, the message included.
    pub correction: &'a [u64],
    /// S: leaf `j` changes row `j xor S`. Public.
    pub shift: usize,
}

impl Kernels<'_> {
    /// The rows of all leaves, one behind the other, without the flags' part.
    ///
    /// ```
    /// # use duoram_kernel::{Key, Kernels, RowKey};
    /// let kernels = Kernels::detect(17);
    /// let key = RowKey::new(3, Key::new(4, vec![]), vec![7; 8 * 5]);
    /// assert_eq!(kernels.rows(&key).len(), 8 * 5);
    /// ```
    pub fn rows(&self, key: &RowKey) -> Zeroizing<Vec<u64>> {
        let mut rows = Zeroizing::new(vec![0; key.row_words() << key.log_size()]);
        let nothing = vec![0; key.row_words()];
        self.apply_rows(&mut rows, &[(RowTerm { key, correction: &nothing, shift: 0 }, &[])]);
        rows
    }

    /// Applies UPDATEs to a vector of rows, with one pass over it. Which party applies what is said at
    /// [`Kernels::update_values`], of which this is the same for rows.
    ///
    /// # Panics
    /// If keys, corrections and memory do not have rows of one length, keys and flags not one number of them, the memory has more, or a
    /// shift is not below that number.
    pub fn update_rows(&self, memory: &mut [u64], updates: &[RowUpdate<'_>]) {
        let Some((row_words, log_size)) =
            updates.first().map(|update| (update.key.row_words(), update.key.log_size()))
        else {
            return;
        };
        let rows = row_count(memory.len(), row_words);
        let mut flags = Vec::with_capacity(updates.len());
        for update in updates {
            flags.push([update.flags]);
        }
        let mut terms = Vec::with_capacity(updates.len());
        for (update, flags) in updates.iter().zip(&flags) {
            let RowUpdate { key, correction, shift, .. } = *update;
            check(rows, flags, shift);
            let got = [key.log_size(), update.flags.log_size()];
            assert!(got == [log_size; 2], "expected keys and flags of size 2^{log_size}, got {got:?}");
            let got = [key.row_words(), correction.len()];
            assert!(got == [row_words; 2], "expected rows of {row_words} words, got {got:?}");
            terms.push((RowTerm { key, correction, shift }, &flags[..]));
        }
        self.apply_rows(memory, &terms);
    }

    fn apply_rows(&self, memory: &mut [u64], terms: &[(RowTerm<'_>, &[&Flags])]) {
        let Some((first, _)) = terms.first() else { return };
        if first.key.row_words() == 1 {
            return self.apply_words(memory, terms);
        }
        let nodes = 1 << first.key.nodes.log_size();
        dispatch!(self.backend.for_parents(nodes), lanes => run(lanes, self, (memory, nodes.min(BLOCK)), terms));
    }

    /// Rows of one word.
    fn apply_words(&self, memory: &mut [u64], terms: &[(RowTerm<'_>, &[&Flags])]) {
        let mut of_words = Vec::with_capacity(terms.len());
        for (RowTerm { key, correction, shift }, flags) in terms {
            let (correction, shift) = (correction[0], *shift);
            for words in key.correction.as_chunks().0 {
                of_words.push(Term { nodes: &key.nodes, words, flags, correction, shift });
            }
        }
        self.apply_terms(memory, &of_words);
    }
}

/// A key, and a multiple of its flags.
struct RowTerm<'a> {
    key: &'a RowKey,
    correction: &'a [u64],
    shift: usize,
}

impl RowTerm<'_> {
    /// The corrections of a node's blocks, as this [`Prg`] wants them that are in a table.
    fn corrections<P: Prg>(&self, _prg: P) -> Zeroizing<Vec<u128>> {
        let words = self.key.correction.as_chunks::<2>().0;
        let mut blocks = Zeroizing::new(Vec::with_capacity(words.len()));
        for [low, high] in words {
            blocks.push((u128::from(*high) << WORD | u128::from(*low)) ^ P::LEFT_OVER);
        }
        blocks
    }
}

/// Applies all terms to a memory, which may end within a node, block by block of the rows of so many parents. Every part of it is gone
/// through once.
fn run<L: Lanes>(
    lanes: L,
    kernels: &Kernels<'_>,
    (memory, parents): (&mut [u64], usize),
    terms: &[(RowTerm<'_>, &[&Flags])],
) {
    let row_words = terms[0].0.key.row_words();
    let node_words = LINE * row_words;
    let (block, block_rows) = (parents * node_words, parents * LINE);
    let blocks = memory.len().div_ceil(block);
    let mut parts = Vec::new();
    let mut rest = memory;
    for range in ranges(blocks, kernels.workers.parts(blocks)) {
        let words = (range.len() * block).min(rest.len());
        let (part, others) = rest.split_at_mut(words);
        parts.push((range.start, part));
        rest = others;
    }
    let mut tweaks = Vec::with_capacity(node_words / 2);
    tweaks.extend(VALUE_TWEAK..VALUE_TWEAK + node_words as u128 / 2);
    let spread = Spread::new(row_words);
    let by = spread.parts();
    kernels.workers.map(parts, |(first, memory)| {
        let mut walks = Vec::with_capacity(terms.len());
        for (term, flags) in terms {
            let nodes = &term.key.nodes;
            let walk =
                Walk::new(lanes, kernels.prg(), Source::root(nodes.root_label()), steps(nodes.corrections()));
            // As often as a register has places for it.
            let times = (2 * L::WIDTH).div_ceil(row_words);
            let correction = term.correction.repeat(times);
            walks.push((walk, term.corrections(kernels.prg()), term, *flags, correction));
        }
        let mut moved = Zeroizing::new(vec![0; block_rows.div_ceil(WORD)]);
        let mut place = Zeroizing::new(vec![0; node_words * placed(node_words).min(parents)]);
        for (number, memory) in memory.chunks_mut(block).enumerate() {
            let number = first + number;
            for (walk, corrections, term, flags, correction) in &mut walks {
                move_flags(lanes, flags, term.shift, number * block_rows / WORD, moved.len(), &mut moved);
                let parents = walk.parents(number ^ (term.shift / block_rows));
                let shift = term.shift % block_rows;
                let (exchange, turn) = (shift / LINE, shift % LINE);
                let mut line = 0;
                for memory in memory.chunks_mut(place.len()) {
                    let prg = kernels.prg();
                    lanes.run(HashRows {
                        prg,
                        parents,
                        line,
                        exchange,
                        tweaks: &tweaks,
                        corrections,
                        place: &mut place,
                    });
                    let (values, first, flags) = (&place[..], line * LINE, &moved[..]);
                    // Of whole words of flags, where rows are moved as words are.
                    if row_words.is_power_of_two() && memory.len().is_multiple_of(WORD) {
                        let (turn, first) = (turn * row_words, first * row_words / WORD);
                        lanes.run(AddAligned { memory, values, turn, first, flags, by, correction });
                    } else {
                        let correction = term.correction;
                        lanes.run(AddRows { memory, values, turn, first, flags, correction });
                    }
                    line += place.len() / node_words;
                }
            }
        }
    });
}

/// For how many nodes there is room: a power of two, which divides the number of a block's.
fn placed(node_words: usize) -> usize {
    1 << (PLACE / node_words).max(1).ilog2()
}

/// Kernel: the words of the nodes that meet some lines of a block of memory. Like [`AddRows`], it is called with slices and numbers only, so
/// that an analysis of its machine code sees what is secret.
struct HashRows<'a, P> {
    prg: P,
    parents: &'a [u128],
    /// The first line.
    line: usize,
    /// Which node meets a line: its number xor this.
    exchange: usize,
    /// Of the blocks of a node.
    tweaks: &'a [u128],
    corrections: &'a [u128],
    /// For the words of whole nodes.
    place: &'a mut [u64],
}

impl<L: Lanes, P: Prg> Work<L> for HashRows<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        if self.place.len() >= 2 * N * 2 * L::WIDTH {
            self.by::<L, N>(lanes);
        } else {
            self.by::<L, 1>(lanes);
        }
    }
}

impl<P: Prg> HashRows<'_, P> {
    /// `2 N` registers at a time, of which there are as many at least: the last ones again, if it is not a whole number of times.
    #[inline(always)]
    fn by<L: Lanes, const N: usize>(self, lanes: L) {
        let Self { prg, parents, line, exchange, tweaks, corrections, place } = self;
        let fan = prg.fan(lanes, [0; 4], [P::LEFT_OVER; 4]);
        let (parents, place) = (L::BlockRow::rows(parents), L::WordRow::rows_mut(place));
        let (tweaks, corrections) = (L::BlockRow::rows(tweaks), L::BlockRow::rows(corrections));
        let rows = parents.len();
        let mut next = 0;
        while next < place.len() {
            let start = next.min(place.len() - 2 * N);
            let (mut met, mut part) = (line + start / tweaks.len(), start % tweaks.len());
            let zero = [[lanes.splat_block(0); N]; 2];
            let (mut states, mut last) = (zero, zero);
            for i in 0..2 * N {
                let (tweak, correction) =
                    (lanes.load_blocks(&tweaks[part]), lanes.load_blocks(&corrections[part]));
                let node = met ^ exchange;
                let lane = (node >> rows.trailing_zeros()) & (L::WIDTH - 1);
                let label = lanes.load_everywhere(&parents[node & (rows - 1)].items()[lane]);
                [states[i % 2][i / 2], last[i % 2][i / 2]] =
                    P::tabled_out(lanes, &fan, label, tweak, correction);
                part += 1;
                if part == tweaks.len() {
                    (met, part) = (met + 1, 0);
                }
            }
            let hashed = lanes.last_round(P::fan_rounds(lanes, &fan, states, &mut Nothing), last);
            for i in 0..2 * N {
                lanes.store_words(&mut place[start + i], lanes.words(hashed[i % 2][i / 2]));
            }
            next = start + 2 * N;
        }
    }
}

/// Kernel: XORs rows of memory with those that meet them, and with the correction where a flag is set.
struct AddRows<'a> {
    memory: &'a mut [u64],
    /// As many rows.
    values: &'a [u64],
    /// Which of a node's rows meets one: its number xor this.
    turn: usize,
    /// The first row's flag.
    first: usize,
    /// Moved.
    flags: &'a [u64],
    correction: &'a [u64],
}

impl<L: Lanes> Work<L> for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, _lanes: L) {
        let Self { memory, values, turn, first, flags, correction } = self;
        let row_words = correction.len();
        for number in 0..memory.len() / row_words {
            let (from, to) = ((number ^ turn) * row_words, number * row_words);
            let (values, row) = (&values[from..from + row_words], &mut memory[to..to + row_words]);
            let flag = first + number;
            // The compiler must not know that there are only two masks: it would make two loops, and a branch of the flag.
            let mask = 0u64.wrapping_sub(black_box(flags[flag / WORD] >> (flag % WORD) & 1));
            for i in 0..row_words {
                row[i] ^= values[i] ^ (correction[i] & mask);
            }
        }
    }
}

/// Kernel: the same of rows of a power of two of words. Then to exchange rows is to exchange words, and the correction is the same for each
/// register, or for each of a row.
struct AddAligned<'a> {
    memory: &'a mut [u64],
    /// As many words.
    values: &'a [u64],
    /// Which of a node's words meets one: its number xor this.
    turn: usize,
    /// Words of bits that come before those of the memory, of all that the flags become.
    first: usize,
    /// Moved.
    flags: &'a [u64],
    /// How flags become bits ([`Spread::parts`]).
    by: (&'a [Step], &'a [Place], u64),
    /// As often as a register has places for it.
    correction: &'a [u64],
}

impl<L: Lanes> Work<L> for AddAligned<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let Self { memory, values, turn, first, flags, by: (steps, places, row), correction } = self;
        let width = 2 * L::WIDTH;
        let (group, row_words) = (WORD / width, places.len());
        let (exchange, distance) = (turn / width, lanes.distance(turn % width));
        let (memory, values) = (L::WordRow::rows_mut(memory), L::WordRow::rows(values));
        let correction = L::WordRow::rows(correction);
        for (number, memory) in memory.chunks_exact_mut(group).enumerate() {
            let word = first + number;
            let place = places[word % row_words];
            let bits = lanes.bits(bits(flags[word / row_words], steps, place, row));
            for i in 0..group {
                let register = number * group + i;
                let added = lanes.exchange(lanes.load_words(&values[register ^ exchange]), distance);
                let sum = lanes.xor(lanes.load_words(&memory[i]), added);
                let correction = lanes.load_words(&correction[register % correction.len()]);
                lanes.store_words(&mut memory[i], lanes.xor_where_bits(sum, bits, i, correction));
            }
        }
    }
}
