//! The plain computation: the formulas of `PROTOCOL.md`, part two, word by word.
//!
//! Every key is evaluated when it is used, and what it evaluates to dropped at once: memory stays at a few vectors of n.

use std::hint::black_box;

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::compute::log_size;
use super::layers::{NODE_ROWS, flag_bits, node_flags, node_values};
use super::{Compute, LayeredKey, ReadQuery, UpdateQuery, add};
use crate::engine::tree::{ChildSums, Correction, Forest, low_half};
use crate::engine::{SessionKey, leaves};
use crate::{Block, Word};

/// The plain implementation of [`Compute`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// Parts of both sharings of the memory, m w words each. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Both {
    /// A.
    pub alpha: Vec<Word>,
    /// H of P0, B of P2.
    pub beta: Vec<Word>,
    /// w.
    pub row_words: usize,
}

/// A part of one sharing of the memory, m w words. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Alpha {
    /// E.
    pub alpha: Vec<Word>,
    /// w.
    pub row_words: usize,
}

/// `i xor S`, where both are public and below n.
fn moved(index: usize, shift: u64) -> usize {
    index ^ usize::try_from(shift).unwrap_or(0)
}

/// `t<S>`, of the flags of a key: word i is all ones if the flag is set that i is moved to, else zero.
fn moved_flags(key: &SessionKey, dpf: &LayeredKey, log_size: u32, shift: u64) -> Zeroizing<Vec<Word>> {
    let flags = dpf.flags(key, log_size);
    let bits = flag_bits(log_size);
    let mask = |index| {
        let place: usize = moved(index, shift);
        let flag = flags[place >> bits] >> (place & ((1 << bits) - 1)) & 1;
        // The compiler must not know that there are only these two: it would make a branch of an AND with them.
        black_box(low_half(flag)).wrapping_neg()
    };
    Zeroizing::new((0..leaves(log_size)).map(mask).collect())
}

/// Adds `(v + F t)<S>`: shares of the row that F is of, at `i*`, and of zeros elsewhere.
fn add_point(vector: &mut [Word], key: &SessionKey, dpf: &LayeredKey, final_correction: &[Word], shift: u64) {
    let row_words = final_correction.len();
    let log_size = log_size(vector, row_words);
    let (values, flags) = (dpf.values(key, log_size), moved_flags(key, dpf, log_size, shift));
    for (index, (row, flag)) in vector.chunks_exact_mut(row_words).zip(flags.iter()).enumerate() {
        let values = &values[moved(index, shift) * row_words..][..row_words];
        for ((word, value), correction) in row.iter_mut().zip(values).zip(final_correction) {
            *word ^= flag & correction ^ value;
        }
    }
}

/// Adds `<t, x>`, of flags that are masks, to a row.
fn add_selected(sum: &mut [Word], flags: &[Word], rows: &[Word]) {
    for (flag, row) in flags.iter().zip(rows.chunks_exact(sum.len())) {
        sum.iter_mut().zip(row).for_each(|(sum, word)| *sum ^= flag & word);
    }
}

/// Of each query a row, one behind the other.
fn answers<Q>(queries: &[Q], row_words: usize, answer: impl Fn(&Q, &mut [Word])) -> Vec<Word> {
    let mut rows = vec![0; queries.len() * row_words];
    queries.iter().zip(rows.chunks_exact_mut(row_words)).for_each(|(query, row)| answer(query, row));
    rows
}

impl Compute for Plain {
    type Both = Both;
    type Alpha = Alpha;
    type Forest = Forest;
    type Kept = LayeredKey;

    fn zero_both(&self, rows: usize, row_words: usize) -> Both {
        let zeros = || vec![0; rows * row_words];
        Both { alpha: zeros(), beta: zeros(), row_words }
    }

    fn zero_alpha(&self, rows: usize, row_words: usize) -> Alpha {
        Alpha { alpha: vec![0; rows * row_words], row_words }
    }

    fn add_both(&self, memory: &mut Both, from: usize, [alpha, beta]: [&[Word]; 2]) {
        add(&mut memory.alpha[from..], alpha);
        add(&mut memory.beta[from..], beta);
    }

    fn add_alpha(&self, memory: &mut Alpha, from: usize, words: &[Word]) {
        add(&mut memory.alpha[from..], words);
    }

    fn both_words<'a>(&self, memory: &'a Both) -> [&'a [Word]; 2] {
        [&memory.alpha, &memory.beta]
    }

    fn alpha_words<'a>(&self, memory: &'a Alpha) -> &'a [Word] {
        &memory.alpha
    }

    fn plant(&self, key: &SessionKey, roots: Vec<Block>, height: u32) -> Forest {
        Forest::plant(key, roots, height)
    }

    fn grow(&self, forest: &mut Forest) -> Vec<ChildSums> {
        forest.grow()
    }

    fn correct(&self, forest: &mut Forest, corrections: &[Correction]) {
        forest.correct(corrections);
    }

    fn flag_sums(&self, forest: &mut Forest, complete: usize) -> Vec<Block> {
        let sum =
            |labels: &[Block]| labels.iter().fold(0, |sum, label| sum ^ node_flags(forest.key(), *label));
        let sums = forest.labels().map(sum).collect();
        forest.end(complete);
        sums
    }

    fn value_sums(&self, forest: &mut Forest, row_words: usize) -> Vec<Vec<Word>> {
        let sum = |labels: &[Block]| {
            let mut sum = vec![0; NODE_ROWS * row_words];
            for &label in labels {
                for (part, words) in sum.chunks_exact_mut(NODE_ROWS).enumerate() {
                    add(words, &node_values(forest.key(), label, part));
                }
            }
            sum
        };
        forest.labels().map(sum).collect()
    }

    fn keep(&self, _key: &SessionKey, _log_size: u32, keys: Vec<LayeredKey>) -> Vec<LayeredKey> {
        keys
    }

    fn kept_key<'a>(&self, kept: &'a LayeredKey) -> &'a LayeredKey {
        kept
    }

    fn read_0(&self, key: &SessionKey, memory: &Both, queries: &[ReadQuery<'_, LayeredKey, 2>]) -> Vec<Word> {
        let log_size = log_size(&memory.alpha, memory.row_words);
        answers(queries, memory.row_words, |&ReadQuery { keys: [a, b], shift }, row| {
            let t_a = moved_flags(key, a, log_size, shift);
            let t_b = moved_flags(key, b, log_size, shift);
            add_selected(row, &t_a, &memory.alpha);
            add_selected(row, &t_b, &memory.alpha);
            add_selected(row, &t_a, &memory.beta);
        })
    }

    fn read_1(
        &self,
        key: &SessionKey,
        memory: &Alpha,
        queries: &[ReadQuery<'_, LayeredKey, 1>],
    ) -> Vec<Word> {
        let log_size = log_size(&memory.alpha, memory.row_words);
        answers(queries, memory.row_words, |&ReadQuery { keys: [a], shift }, row| {
            add_selected(row, &moved_flags(key, a, log_size, shift), &memory.alpha);
        })
    }

    fn read_2(&self, key: &SessionKey, memory: &Both, queries: &[ReadQuery<'_, LayeredKey, 2>]) -> Vec<Word> {
        let log_size = log_size(&memory.alpha, memory.row_words);
        answers(queries, memory.row_words, |&ReadQuery { keys: [a, b], shift }, row| {
            add_selected(row, &moved_flags(key, b, log_size, shift), &memory.alpha);
            add_selected(row, &moved_flags(key, a, log_size, shift), &memory.beta);
        })
    }

    fn update_both(&self, key: &SessionKey, memory: &mut Both, queries: &[UpdateQuery<'_, LayeredKey, 2>]) {
        for &UpdateQuery { keys: [a, b], final_corrections: [f_a, f_b], shift } in queries {
            add_point(&mut memory.alpha, key, a, f_a, shift);
            add_point(&mut memory.beta, key, b, f_b, shift);
        }
    }

    fn update_alpha(&self, key: &SessionKey, memory: &mut Alpha, queries: &[UpdateQuery<'_, LayeredKey, 1>]) {
        for &UpdateQuery { keys: [a], final_corrections: [f_a], shift } in queries {
            add_point(&mut memory.alpha, key, a, f_a, shift);
        }
    }
}
