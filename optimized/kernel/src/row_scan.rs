//! READ of rows as a scan: the XOR of the rows that flags select, of a memory whose places hold w words each.
//!
//! A flag becomes a bit for each word of its row (`spread`), and then it is a scan of words as any other (`scan`), but for the sums: word `p` of the
//! memory belongs to column `p mod w`. A register begins in another column than the one before, until after `w / gcd(w, width)` of them it
//! is the first again; so there are that many sums, or twice as many and so on, that one masked XOR need not wait for the one before:
//!
//! ```text
//!    w = 3, registers of four words
//!
//!    row        | 0 0 0 | 1 1 1 | 2 2 2 | 3 3 3 | 4 4 4 | ..
//!    column     | 0 1 2 | 0 1 2 | 0 1 2 | 0 1 2 | 0 1 2 | ..
//!    register   | 0       | 1       | 2       | 3       | ..
//!    sum        | 0: 0120 | 1: 1201 | 2: 2012 | 0: 0120 | ..      after the last one, what columns they are of
//! ```

use alloc::vec;
use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::Kernels;
use crate::backend::dispatch;
use crate::flags::{WORD, move_flags};
use crate::lanes::{Lanes, Row, Work};
use crate::scan::{AHEAD, CHUNK, LINE, Selection, check, parts, pieces};
use crate::spread::{Place, Spread, Step, bits};

/// Sums at least, as long as it takes to store one and to load it again.
const SUMS: usize = 8;

impl Kernels<'_> {
    /// For each selection the XOR of all rows that it selects, one row behind the other, with one pass over the memory: row `j` is the words
    /// from `j row_words` on. With rows of one word it is [`Kernels::scan`].
    ///
    /// ```
    /// # use duoram_kernel::{Kernels, Selection};
    /// let kernels = Kernels::detect(17);
    /// // Row j is 100 j, 100 j + 1, 100 j + 2.
    /// let memory: Vec<u64> = (0..48).map(|i| 100 * (i / 3) + i % 3).collect();
    /// let flags = kernels.deal_bits(5, 4, [1, 2]).unwrap().map(|key| kernels.flags(&key));
    /// // Row 5 xor 3, in two shares.
    /// let [sum_0, sum_1] = flags.map(|flags| kernels.scan_rows(&memory, 3, &[Selection { flags: &[&flags], shift: 3 }]));
    /// assert_eq!([0, 1, 2].map(|column| sum_0[column] ^ sum_1[column]), [600, 601, 602]);
    /// ```
    ///
    /// # Panics
    /// If the memory has more rows than there are flags, those that are XORed are not equally many, rows have no words, or a shift is not below
    /// the number of flags.
    pub fn scan_rows(
        &self,
        memory: &[u64],
        row_words: usize,
        selections: &[Selection<'_>],
    ) -> Zeroizing<Vec<u64>> {
        if row_words == 1 {
            return self.scan(memory, selections);
        }
        let rows = row_count(memory.len(), row_words);
        for selection in selections {
            check(rows, selection.flags, selection.shift);
        }
        let chunk = (CHUNK / row_words.next_power_of_two()).max(WORD);
        let mut last = Zeroizing::default();
        let parts = parts(self.workers, memory, (row_words, chunk), &mut last);
        let spread = Spread::new(row_words);
        let partial = dispatch!(self.backend, lanes => {
            self.workers.map(parts, |(first, memory)| scan_part(lanes, memory, &spread, (first, chunk), selections))
        });
        let mut sums = Zeroizing::new(vec![0; selections.len() * row_words]);
        for part in partial {
            for (sum, part) in sums.iter_mut().zip(part.iter()) {
                *sum ^= part;
            }
        }
        sums
    }
}

/// How many rows a memory has.
pub(crate) fn row_count(words: usize, row_words: usize) -> usize {
    assert!(
        row_words > 0 && words.is_multiple_of(row_words),
        "expected rows of {row_words} words, got {words} words"
    );
    words / row_words
}

/// A part of the memory, from row `first` on, chunk by chunk of at most so many rows.
fn scan_part<L: Lanes>(
    lanes: L,
    memory: &[u64],
    spread: &Spread,
    (first, chunk): (usize, usize),
    selections: &[Selection<'_>],
) -> Zeroizing<Vec<u64>> {
    let (steps, places, row) = spread.parts();
    // A place for each word of a row.
    let (row_words, width) = (places.len(), 2 * L::WIDTH);
    let sums_words = sums_of(row_words, width) * width;
    let mut sums = Zeroizing::new(vec![0; selections.len() * sums_words]);
    let mut moved = Zeroizing::new(vec![0; chunk / WORD]);
    for (start, len) in pieces(memory.len() / row_words, chunk) {
        let words = &memory[start * row_words..(start + len) * row_words];
        let (first, moved) = ((first + start) / WORD, &mut moved[..len / WORD]);
        for (selection, sums) in selections.iter().zip(sums.chunks_mut(sums_words)) {
            move_flags(lanes, selection.flags, selection.shift, first, moved.len(), moved);
            let flags = &moved[..];
            if lanes.foresees() {
                lanes.run(SelectRows::<false> { words, flags, steps, places, row, sums });
            } else {
                lanes.run(SelectRows::<true> { words, flags, steps, places, row, sums });
            }
        }
    }
    // Every register began with a row's first word, or some registers after one that did.
    let mut columns = Zeroizing::new(vec![0; selections.len() * row_words]);
    for (columns, sums) in columns.chunks_mut(row_words).zip(sums.chunks(sums_words)) {
        for (word, sum) in sums.iter().enumerate() {
            columns[word % row_words] ^= sum;
        }
    }
    columns
}

/// How many sums there are: a multiple of the registers after which columns come again.
fn sums_of(row_words: usize, width: usize) -> usize {
    let period = row_words >> row_words.trailing_zeros().min(width.trailing_zeros());
    period * SUMS.div_ceil(period)
}

/// Kernel: for each flag, XORs the words of its row to the sums if it is set. It is called with slices of words and numbers only, so that an
/// analysis of its machine code sees what is secret. It `ASKS` for memory ahead or not.
struct SelectRows<'a, const ASKS: bool> {
    words: &'a [u64],
    /// One for each row.
    flags: &'a [u64],
    steps: &'a [Step],
    places: &'a [Place],
    row: u64,
    sums: &'a mut [u64],
}

impl<L: Lanes, const ASKS: bool> Work<L> for SelectRows<'_, ASKS> {
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self, lanes: L) {
        let Self { words, flags, steps, places, row, sums } = self;
        let group = WORD / (2 * L::WIDTH);
        let (rows, sums) = (L::WordRow::rows(words), L::WordRow::rows_mut(sums));
        let (mut number, mut sum) = (0, 0);
        for flags in flags {
            for place in places {
                let bits = lanes.bits(bits(*flags, steps, *place, row));
                for line in 0..if ASKS { WORD / LINE } else { 0 } {
                    lanes.prefetch(words, number * WORD + line * LINE + AHEAD);
                }
                let here = &rows[number * group..(number + 1) * group];
                for i in 0..group {
                    let words = lanes.load_words(&here[i]);
                    let added = lanes.xor_where_bits(lanes.load_words(&sums[sum]), bits, i, words);
                    lanes.store_words(&mut sums[sum], added);
                    sum += 1;
                    if sum == sums.len() {
                        sum = 0;
                    }
                }
                number += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums that were fewer would mix columns, and ones that are more cost a cache.
    #[test]
    fn sums_are_as_many_as_columns_need() {
        for (row_words, width, sums) in
            [(3, 4, 9), (3, 8, 9), (8, 8, 8), (12, 8, 9), (16, 8, 8), (512, 8, 64), (7, 2, 14)]
        {
            assert_eq!(sums_of(row_words, width), sums);
            assert!((sums * width).is_multiple_of(row_words));
        }
    }
}
