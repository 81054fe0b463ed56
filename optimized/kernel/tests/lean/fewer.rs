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

/// What is done with a memory, so many scans or updates at once.
struct Queries<'a> {
    w: usize,
    shifts: Vec<usize>,
    corrections: &'a [u64],
}

impl Queries<'_> {
    fn scans(
        &self,
        kernels: &Kernels<'_>,
        memory: &[u64],
        keys: &[(Flags, RowKey); 2],
        k: usize,
    ) -> Vec<u64> {
        let flags: Vec<_> = (0..k).map(|q| [&keys[q % 2].0]).collect();
        let selections: Vec<_> =
            flags.iter().zip(&self.shifts).map(|(flags, shift)| Selection { flags, shift: *shift }).collect();
        kernels.scan_rows(memory, self.w, &selections).to_vec()
    }

    fn updated(
        &self,
        kernels: &Kernels<'_>,
        memory: &[u64],
        keys: &[(Flags, RowKey); 2],
        k: usize,
    ) -> Vec<u64> {
        let mut memory = memory.to_vec();
        let update = |(q, correction)| {
            let (flags, key): &(Flags, RowKey) = &keys[q % 2];
            RowUpdate { key, flags, correction, shift: self.shifts[q] }
        };
        let updates: Vec<_> = self.corrections.chunks(self.w).enumerate().take(k).map(update).collect();
        kernels.update_rows(&mut memory, &updates);
        memory
    }
}

/// What a memory of all rows answers is said once, by one thread of the best backend: all of them are compared with the formulas elsewhere.
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
            let (corrections, all_keys) = (random.words(3 * w), keys(&one));
            // Scans: few that are made one after the other, and as many as are made together.
            let (scans, updates) = ([1, 2, 17], [1, 3]);
            let cases: Vec<_> = counts
                .iter()
                .map(|&rows| {
                    let shifts = (0..17).map(|q| shifts[(rows + 5 * q) % shifts.len()]).collect();
                    let queries = Queries { w, shifts, corrections: &corrections };
                    let some = random.words(rows * w);
                    let mut all = some.clone();
                    all.resize(w << log_size, 0);
                    let scanned = scans.map(|k| queries.scans(&one, &all, &all_keys, k));
                    let updated = updates.map(|k| {
                        let mut updated = queries.updated(&one, &all, &all_keys, k);
                        updated.truncate(some.len());
                        updated
                    });
                    (queries, some, scanned, updated)
                })
                .collect();
            each(|kernels, name| {
                let keys = keys(kernels);
                for (queries, some, scanned, updated) in &cases {
                    let rows = some.len() / w;
                    for (k, expected) in scans.into_iter().zip(scanned) {
                        let got = queries.scans(kernels, some, &keys, k);
                        assert!(got == *expected, "{k} scans, {rows} rows of {w}, h = {log_size}, {name}");
                    }
                    for (k, expected) in updates.into_iter().zip(updated) {
                        let got = queries.updated(kernels, some, &keys, k);
                        assert!(got == *expected, "{k} updates, {rows} rows of {w}, h = {log_size}, {name}");
                    }
                }
            });
        }
    }
}
