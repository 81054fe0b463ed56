//! Memories of fewer rows than there are flags: they are scanned and updated as the beginning of a memory of all rows is, of which the
//! others are zeros.

use duoram_kernel::{Flags, Kernels, RowKey, RowUpdate, Selection};

use crate::naive::{PRG_KEY, Random};
use crate::online::shifts;
use crate::rows::Rows;
use crate::{each, log_sizes};

/// All numbers of rows, if there are few; of others such that end at, before and behind a word of flags, a node, and any block.
fn row_counts(random: &mut Random, log_size: usize) -> Vec<usize> {
    let n: usize = 1 << log_size;
    if n <= if cfg!(miri) { 4 } else { 32 } {
        return (0..=n).collect();
    }
    let near =
        [n / 2, n / 2 + 64, n - n / 4].into_iter().flat_map(|rows| [rows - 1, rows, rows + 1, rows + 7]);
    near.chain([0, 1, 8, n - 1]).chain((0..3).map(|_| random.below(n))).filter(|rows| *rows <= n).collect()
}

/// Of each side, what its kernels are told.
type Keys = [(Flags, RowKey); 2];

/// What memories of some rows are asked.
struct Queries<'a> {
    rows: usize,
    w: usize,
    shifts: Vec<usize>,
    corrections: &'a [u64],
}

impl Queries<'_> {
    /// The sums of scans, and the rows after updates; and what each is.
    fn answers(&self, kernels: &Kernels<'_>, keys: &Keys, memory: &[u64]) -> Vec<(String, Vec<u64>)> {
        let mut answers = Vec::new();
        // Few that are made one after the other, and as many as are made together.
        for k in [1, 2, 17] {
            let flags: Vec<_> = (0..k).map(|q| [&keys[q % 2].0]).collect();
            let of = |(flags, shift): (_, &usize)| Selection { flags, shift: *shift };
            let selections: Vec<_> = flags.iter().map(|flags| &flags[..]).zip(&self.shifts).map(of).collect();
            answers.push((format!("{k} scans"), kernels.scan_rows(memory, self.w, &selections).to_vec()));
        }
        for k in [1, 3] {
            let of = |(q, correction)| {
                let (flags, key): &(Flags, RowKey) = &keys[q % 2];
                RowUpdate { key, flags, correction, shift: self.shifts[q] }
            };
            let updates: Vec<_> = self.corrections.chunks(self.w).enumerate().take(k).map(of).collect();
            let mut updated = memory.to_vec();
            kernels.update_rows(&mut updated, &updates);
            updated.truncate(self.rows * self.w);
            answers.push((format!("{k} updates"), updated));
        }
        answers
    }
}

/// What a memory of all rows answers is asked of one thread of the best backend: all of them are compared with the formulas elsewhere.
#[test]
fn a_memory_may_have_fewer_rows_than_there_are_flags() {
    let mut random = Random(11);
    let one = Kernels::detect(PRG_KEY);
    for log_size in log_sizes() {
        let (shifts, counts) = (shifts(&mut random, log_size), row_counts(&mut random, log_size));
        for w in [1, 3, 8] {
            let sides = [(); 2].map(|()| Rows::random(&mut random, log_size, w));
            let keys = |kernels: &Kernels<'_>| {
                sides.each_ref().map(|side| (kernels.flags(&side.side.bit_key()), side.key()))
            };
            let (corrections, keys_of_one) = (random.words(3 * w), keys(&one));
            let cases = counts.iter().map(|&rows| {
                let shifts = (0..17).map(|q| shifts[(rows + 5 * q) % shifts.len()]).collect();
                let queries = Queries { rows, w, shifts, corrections: &corrections };
                let some = random.words(rows * w);
                let mut all = some.clone();
                all.resize(w << log_size, 0);
                let expected = queries.answers(&one, &keys_of_one, &all);
                (queries, some, expected)
            });
            let cases: Vec<_> = cases.collect();
            each(|kernels, name| {
                let keys = keys(kernels);
                for (queries, some, expected) in &cases {
                    for (got, expected) in queries.answers(kernels, &keys, some).iter().zip(expected) {
                        let (what, rows) = (&expected.0, queries.rows);
                        assert!(got == expected, "{what}, {rows} rows of {w}, h = {log_size}, {name}");
                    }
                }
            });
        }
    }
}
