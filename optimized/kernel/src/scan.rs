//! READ as a scan: the XOR of the memory words that flags select.
//!
//! Flags become masks, so that every word is read and nothing tells which ones count. The memory is read once, whatever the number of
//! selections: it goes by in chunks that stay in the caches until all of them have been through. Chunks of four places go by side by
//! side, for the CPU foresees each stream of addresses by itself, and asks for more lines of four than of one.
//!
//! ```text
//!    memory     | chunk 0 | chunk 1 | ..  | chunk 0 | chunk 1 | ..  | ..        | ..
//!                 stream 0                  stream 1                  stream 2    stream 3
//!                 ^   ^   ^
//!                 selection 0, 1, 2, ..: moved flags of the chunks, masks, sums
//! ```

use core::array::from_fn;

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::backend::dispatch;
use crate::flags::{Flags, WORD, move_flags};
use crate::lanes::{Lanes, MANY, Row, Work};
use crate::workers::ranges;
use crate::{Kernels, Workers};

/// Memory words in a chunk: 32 KiB. Under Miri small, so that small memories have several.
pub(crate) const CHUNK: usize = if cfg!(miri) { 128 } else { 4096 };

/// The same of one selection, which need not find a chunk in the caches again, and loses less with fewer turns.
const LONG: usize = 4 * CHUNK;

/// Up to so many selections are made one after the other.
const ALONE: usize = MANY / 2;

/// Selections whose flags are turned at once.
const EIGHT: usize = 8;

/// How many words ahead memory is asked for: the CPU foresees addresses within a page only, and of four streams late. Some do well enough
/// by themselves ([`Lanes::foresees`]).
pub(crate) const AHEAD: usize = 256;

/// The same where many selections are made of one chunk after the other.
pub(crate) const MANY_AHEAD: usize = 1024;

/// Words in a cache line.
pub(crate) const LINE: usize = 8;

/// Places of the memory that are read side by side.
pub(crate) const STREAMS: usize = 4;

/// Registers of sums, so that one masked XOR need not wait for the one before.
const SUMS: usize = STREAMS;

/// Which words of a memory are XORed.
#[derive(Clone, Copy)]
pub struct Selection<'a> {
    /// Those where the XOR of these flags is set.
    pub flags: &'a [&'a Flags],
    /// S: flag `j` selects memory word `j xor S`. Public.
    pub shift: usize,
}

impl Kernels<'_> {
    /// For each selection the XOR of all words it selects, with one pass over the memory.
    ///
    /// With the flags of the sides that a party holds, the sums of a READ in the lean protocol are
    ///
    /// | party | |
    /// |---|---|
    /// | P0 | A selected by `t^a_0 + t^b_0`, and H by `t^a_0` |
    /// | P1 | E by `t^a_1` |
    /// | P2 | A by `t^b_1`, and B by `t^a_0` |
    ///
    /// ```
    /// # use duoram_kernel::{Kernels, Selection};
    /// let kernels = Kernels::detect(17);
    /// let memory: Vec<u64> = (100..116).collect();
    /// let flags = kernels.deal_bits(5, 4, [1, 2]).unwrap().map(|key| kernels.flags(&key));
    /// // Word 5 xor 3, in two shares.
    /// let [sum_0, sum_1] = flags.map(|flags| kernels.scan(&memory, &[Selection { flags: &[&flags], shift: 3 }])[0]);
    /// assert_eq!(sum_0 ^ sum_1, 106);
    /// ```
    ///
    /// The memory may have fewer words than there are flags: those of the others are not used.
    ///
    /// # Panics
    /// If the memory has more words than there are flags, those that are XORed are not equally many, or a shift is not below their number.
    pub fn scan(&self, memory: &[u64], selections: &[Selection<'_>]) -> Zeroizing<Vec<u64>> {
        for selection in selections {
            check(memory.len(), selection.flags, selection.shift);
        }
        let mut last = Zeroizing::default();
        let share = memory.len() / self.workers.parts(usize::MAX);
        let chunk = if selections.len() == 1 && share >= STREAMS * LONG { LONG } else { CHUNK };
        let parts = parts(self.workers, memory, (1, chunk), &mut last);
        let partial = dispatch!(self.backend, lanes => {
            self.workers.map(parts, |(first, memory)| scan_part(lanes, memory, (first, chunk), selections))
        });
        let mut sums = Zeroizing::new(vec![0; selections.len()]);
        for part in partial {
            for (sum, part) in sums.iter_mut().zip(part.iter()) {
                *sum ^= part;
            }
        }
        sums
    }
}

/// A memory of rows of so many words in parts for the workers: of each the number of its first row, and its words. They have whole chunks of so
/// many rows, and whole words of flags. Rows that are no whole word are a part of their own, in a place for it, with zeros behind them.
pub(crate) fn parts<'a>(
    workers: &Workers,
    memory: &'a [u64],
    (row_words, chunk): (usize, usize),
    last: &'a mut Zeroizing<Vec<u64>>,
) -> Vec<(usize, &'a [u64])> {
    let whole = memory.len() / row_words / WORD * WORD;
    let (memory, rest) = memory.split_at(whole * row_words);
    let chunks = whole.div_ceil(chunk);
    let mut parts = Vec::new();
    for range in ranges(chunks, workers.parts(chunks)) {
        let (first, end) = (range.start * chunk, (range.end * chunk).min(whole));
        parts.push((first, &memory[first * row_words..end * row_words]));
    }
    if !rest.is_empty() {
        *last = padded(rest, WORD * row_words);
        parts.push((whole, &last[..]));
    }
    parts
}

/// Some words and zeros behind them; without any, nothing.
pub(crate) fn padded(words: &[u64], len: usize) -> Zeroizing<Vec<u64>> {
    let mut padded = Zeroizing::new(vec![0; if words.is_empty() { 0 } else { len }]);
    padded[..words.len()].copy_from_slice(words);
    padded
}

/// That flags are as many as each other, at least as many as words, and more than a shift.
pub(crate) fn check(words: usize, flags: &[&Flags], shift: usize) {
    let all = flags.first().map_or(words, |flags| 1 << flags.log_size());
    for flags in flags {
        let got = flags.log_size();
        assert!(1 << got == all, "expected flags of one size, {all}, got 2^{got}");
    }
    assert!(words <= all, "expected at most a word for each of {all} flags, got {words}");
    assert!(shift < all, "expected a shift below {all}, got {shift}");
}

/// Places one after the other whose lengths are powers of two, none above `most`, which is one, and each a multiple of what follows: so each
/// begins at a multiple of its own length, if the first one does. Of each its beginning and its length.
pub(crate) fn pieces(len: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let start = next;
        let piece = most.min(1 << len.checked_sub(start)?.checked_ilog2()?);
        next += piece;
        Some((start, piece))
    })
}

/// A part of the memory, from word `first` on, chunk by chunk.
fn scan_part<L: Lanes>(
    lanes: L,
    memory: &[u64],
    (first, chunk): (usize, usize),
    selections: &[Selection<'_>],
) -> Zeroizing<Vec<u64>> {
    let mut sums = Zeroizing::new(vec![0; selections.len()]);
    if selections.len() > ALONE {
        // These take longer than memory does to come.
        scan_many(lanes, memory, first, selections, &mut sums);
        return sums;
    }
    let mut moved = Zeroizing::new(vec![0; STREAMS * chunk / WORD]);
    let stream = memory.len() / (STREAMS * chunk) * chunk;
    for start in (0..stream).step_by(chunk) {
        let places: [_; STREAMS] = from_fn(|number| {
            let start = number * stream + start;
            (first + start, &memory[start..start + chunk])
        });
        scan_chunks(lanes, places, selections, &mut moved, &mut sums);
    }
    let rest = STREAMS * stream;
    for (start, len) in pieces(memory.len() - rest, chunk) {
        let start = rest + start;
        let piece = (first + start, &memory[start..start + len]);
        scan_chunks(lanes, [piece], selections, &mut moved, &mut sums);
    }
    sums
}

/// Selections one after the other, of chunks side by side: of each its first word's number, and its words.
fn scan_chunks<L: Lanes, const S: usize>(
    lanes: L,
    chunks: [(usize, &[u64]); S],
    selections: &[Selection<'_>],
    moved: &mut [u64],
    sums: &mut [u64],
) {
    // All lengths are powers of two.
    let len = chunks[0].1.len() / WORD;
    for (Selection { flags, shift }, sum) in selections.iter().zip(sums) {
        for ((first, _), moved) in chunks.iter().zip(moved.chunks_mut(len)) {
            move_flags(lanes, flags, *shift, first / WORD, len, moved);
        }
        let (words, flags) = (chunks.map(|(_, words)| words), from_fn(|i| &moved[i * len..(i + 1) * len]));
        *sum ^= if lanes.foresees() {
            lanes.run(Select::<S, false> { words, flags })
        } else {
            lanes.run(Select::<S, true> { words, flags })
        };
    }
}

/// Many selections together, chunk by chunk.
fn scan_many<L: Lanes>(
    lanes: L,
    memory: &[u64],
    first: usize,
    selections: &[Selection<'_>],
    sums: &mut [u64],
) {
    // Places for the moved flags of eight selections, in whole squares, and for those of many, side by side.
    let rows = (CHUNK.min(memory.len()) / WORD).max(EIGHT);
    let mut moved = Zeroizing::new(vec![0; EIGHT * rows]);
    let mut together = Zeroizing::new(vec![[0; MANY]; rows]);
    for (start, len) in pieces(memory.len(), CHUNK) {
        let (words, first, len) = (&memory[start..start + len], first + start, len / WORD);
        for (selections, sums) in selections.chunks(MANY).zip(sums.chunks_mut(MANY)) {
            if selections.len() <= ALONE {
                scan_chunks(lanes, [(first, words)], selections, &mut moved, sums);
                continue;
            }
            for (half, selections) in selections.chunks(EIGHT).enumerate() {
                for (Selection { flags, shift }, moved) in selections.iter().zip(moved.chunks_mut(rows)) {
                    move_flags(lanes, flags, *shift, first / WORD, len, moved);
                }
                lanes.run_turn(Turn { moved: &moved, together: &mut together, half });
            }
            lanes.run_select_many(SelectMany { words, flags: &together[..len], sums });
        }
    }
}

/// Kernel: puts the flags of eight selections, one after the other, side by side.
pub(crate) struct Turn<'a> {
    pub(crate) moved: &'a [u64],
    pub(crate) together: &'a mut [[u64; MANY]],
    /// Of each row.
    pub(crate) half: usize,
}

impl<L: Lanes> Work<L> for Turn<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let len = self.together.len();
        for (number, square) in self.together.as_chunks_mut::<EIGHT>().0.iter_mut().enumerate() {
            lanes.turn(rows(self.moved, len, number), square, self.half);
        }
    }
}

/// The `number`th eight words of each of eight selections' flags, of which each has `len` words.
#[inline(always)]
pub(crate) fn rows(moved: &[u64], len: usize, number: usize) -> [&[u64; EIGHT]; EIGHT] {
    let mut rows = [&[0; EIGHT]; EIGHT];
    for (selection, row) in rows.iter_mut().enumerate() {
        *row = &moved[selection * len..(selection + 1) * len].as_chunks().0[number];
    }
    rows
}

/// Kernel: many selections of words.
pub(crate) struct SelectMany<'a> {
    pub(crate) words: &'a [u64],
    pub(crate) flags: &'a [[u64; MANY]],
    pub(crate) sums: &'a mut [u64],
}

impl<L: Lanes> Work<L> for SelectMany<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        lanes.select_many(self.words, self.flags, self.sums);
    }
}

/// Kernel: the XOR of the words whose flag is set, of slices of one length that are read side by side; `ASKS` for memory ahead or not.
struct Select<'a, const S: usize, const ASKS: bool> {
    words: [&'a [u64]; S],
    flags: [&'a [u64]; S],
}

impl<L: Lanes, const S: usize, const ASKS: bool> Work<L> for Select<'_, S, ASKS> {
    type Output = u64;

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) -> u64 {
        let group = WORD / (2 * L::WIDTH);
        let mut rows = [L::WordRow::rows(self.words[0]); S];
        for stream in 0..S {
            rows[stream] = L::WordRow::rows(self.words[stream]);
        }
        let mut sums = [lanes.splat_word(0); SUMS];
        for number in 0..self.flags[0].len() {
            let mut bits = [lanes.bits(0); S];
            let mut groups = [&rows[0][..0]; S];
            for stream in 0..S {
                bits[stream] = lanes.bits(self.flags[stream][number]);
                groups[stream] = &rows[stream][number * group..(number + 1) * group];
            }
            for stream in 0..S {
                for line in 0..if ASKS { WORD / LINE } else { 0 } {
                    lanes.prefetch(self.words[stream], number * WORD + line * LINE + AHEAD);
                }
            }
            for i in 0..group {
                for stream in 0..S {
                    let sum = &mut sums[(i * S + stream) % SUMS];
                    *sum = lanes.xor_where_bits(*sum, bits[stream], i, lanes.load_words(&groups[stream][i]));
                }
            }
        }
        let mut total = sums[0];
        for i in 1..SUMS {
            total = lanes.xor(total, sums[i]);
        }
        lanes.word_xor(total)
    }
}
