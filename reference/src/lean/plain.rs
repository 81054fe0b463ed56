//! The plain computation: the formulas of `PROTOCOL.md`, part two, word by word.
//!
//! Every key is evaluated when it is used, and what it evaluates to dropped at once: memory stays at a few vectors of n.

use std::hint::black_box;

use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use super::layers::{flag_bits, node_flags, node_values};
use super::{Compute, LayeredKey, NODE_WORDS, ReadQuery, UpdateQuery};
use crate::engine::tree::{ChildSums, Correction, Forest, low_half};
use crate::engine::{SessionKey, leaves};
use crate::{Block, Word};

/// The plain implementation of [`Compute`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Plain;

/// Parts of both sharings of the memory, n words each. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Both {
    /// A.
    pub alpha: Vec<Word>,
    /// H of P0, B of P2.
    pub beta: Vec<Word>,
}

/// A part of one sharing of the memory, n words. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Alpha {
    /// E.
    pub alpha: Vec<Word>,
}

/// `h`, of a vector of `n = 2^h` words.
fn log_size(vector: &[Word]) -> u32 {
    vector.len().ilog2()
}

/// `i xor S`, where both are public and below the length of a vector.
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

/// `(v + F t)<S>`: shares of the value that F is of, at `i*`, and of 0 elsewhere.
fn moved_point(
    key: &SessionKey,
    dpf: &LayeredKey,
    final_correction: Word,
    log_size: u32,
    shift: u64,
) -> Zeroizing<Vec<Word>> {
    let values = dpf.values(key, log_size);
    let mut point = moved_flags(key, dpf, log_size, shift);
    for (index, word) in point.iter_mut().enumerate() {
        *word = *word & final_correction ^ values[moved(index, shift)];
    }
    point
}

/// `<t, x>`, of flags that are masks.
fn selected(flags: &[Word], words: &[Word]) -> Word {
    flags.iter().zip(words).fold(0, |sum, (flag, word)| sum ^ flag & word)
}

fn add(vector: &mut [Word], change: &[Word]) {
    vector.iter_mut().zip(change).for_each(|(word, c)| *word ^= c);
}

impl Compute for Plain {
    type Both = Both;
    type Alpha = Alpha;
    type Forest = Forest;
    type Kept = LayeredKey;

    fn zero_both(&self, log_size: u32) -> Both {
        Both { alpha: vec![0; leaves(log_size)], beta: vec![0; leaves(log_size)] }
    }

    fn zero_alpha(&self, log_size: u32) -> Alpha {
        Alpha { alpha: vec![0; leaves(log_size)] }
    }

    fn both(&self, alpha: Vec<Word>, beta: Vec<Word>) -> Both {
        Both { alpha, beta }
    }

    fn alpha(&self, alpha: Vec<Word>) -> Alpha {
        Alpha { alpha }
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

    fn value_sums(&self, forest: &mut Forest) -> Vec<[Word; NODE_WORDS]> {
        let sum = |labels: &[Block]| {
            let mut sum = [0; NODE_WORDS];
            for label in labels {
                add(&mut sum, &node_values(forest.key(), *label));
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
        let answer = |&ReadQuery { keys: [a, b], shift }: &ReadQuery<'_, LayeredKey, 2>| {
            let t_a = moved_flags(key, a, log_size(&memory.alpha), shift);
            let t_b = moved_flags(key, b, log_size(&memory.alpha), shift);
            selected(&t_a, &memory.alpha) ^ selected(&t_b, &memory.alpha) ^ selected(&t_a, &memory.beta)
        };
        queries.iter().map(answer).collect()
    }

    fn read_1(
        &self,
        key: &SessionKey,
        memory: &Alpha,
        queries: &[ReadQuery<'_, LayeredKey, 1>],
    ) -> Vec<Word> {
        let answer = |&ReadQuery { keys: [a], shift }: &ReadQuery<'_, LayeredKey, 1>| {
            selected(&moved_flags(key, a, log_size(&memory.alpha), shift), &memory.alpha)
        };
        queries.iter().map(answer).collect()
    }

    fn read_2(&self, key: &SessionKey, memory: &Both, queries: &[ReadQuery<'_, LayeredKey, 2>]) -> Vec<Word> {
        let answer = |&ReadQuery { keys: [a, b], shift }: &ReadQuery<'_, LayeredKey, 2>| {
            let t_a = moved_flags(key, a, log_size(&memory.alpha), shift);
            let t_b = moved_flags(key, b, log_size(&memory.alpha), shift);
            selected(&t_b, &memory.alpha) ^ selected(&t_a, &memory.beta)
        };
        queries.iter().map(answer).collect()
    }

    fn update_both(&self, key: &SessionKey, memory: &mut Both, queries: &[UpdateQuery<'_, LayeredKey, 2>]) {
        let log_size = log_size(&memory.alpha);
        for &UpdateQuery { keys: [a, b], final_corrections: [f_a, f_b], shift } in queries {
            add(&mut memory.alpha, &moved_point(key, a, f_a, log_size, shift));
            add(&mut memory.beta, &moved_point(key, b, f_b, log_size, shift));
        }
    }

    fn update_alpha(&self, key: &SessionKey, memory: &mut Alpha, queries: &[UpdateQuery<'_, LayeredKey, 1>]) {
        let log_size = log_size(&memory.alpha);
        for &UpdateQuery { keys: [a], final_corrections: [f_a], shift } in queries {
            add(&mut memory.alpha, &moved_point(key, a, f_a, log_size, shift));
        }
    }
}
