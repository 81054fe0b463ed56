//! Memories of fewer rows than there are flags: they are scanned and updated as the beginning of a memory of all rows is, of which the
//! others are zeros.

use duoram_kernel::{RowUpdate, Selection};

use crate::naive::Random;
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

#[test]
fn a_memory_may_have_fewer_rows_than_there_are_flags() {
    let mut random = Random(11);
    for log_size in log_sizes() {
        let (shifts, counts) = (shifts(&mut random, log_size), row_counts(&mut random, log_size));
        for w in [1, 3, 8] {
            let sides = [(); 2].map(|()| Rows::random(&mut random, log_size, w));
            let corrections = random.words(3 * w);
            for rows in counts.iter().copied() {
                let mut all = random.words(rows * w);
                let some = all.clone();
                all.resize(w << log_size, 0);
                let shift = |q: usize| shifts[(rows + 5 * q) % shifts.len()];
                each(|kernels, name| {
                    let keys = sides.each_ref().map(|side| (kernels.flags(&side.side.bit_key()), side.key()));
                    // Few that are made one after the other, and as many as are made together.
                    for k in [1, 2, 17] {
                        let flags: Vec<_> = (0..k).map(|q| [&keys[q % 2].0]).collect();
                        let selections: Vec<_> = flags
                            .iter()
                            .enumerate()
                            .map(|(q, flags)| Selection { flags, shift: shift(q) })
                            .collect();
                        let expected = kernels.scan_rows(&all, w, &selections);
                        let got = kernels.scan_rows(&some, w, &selections);
                        assert!(got == expected, "{k} scans, {rows} rows of {w}, h = {log_size}, {name}");
                    }
                    let updates: Vec<_> = (0..3)
                        .map(|q| {
                            let (flags, key) = &keys[q % 2];
                            RowUpdate {
                                key,
                                flags,
                                correction: &corrections[q * w..(q + 1) * w],
                                shift: shift(q),
                            }
                        })
                        .collect();
                    for updates in [&updates[..1], &updates] {
                        let (mut expected, mut updated) = (all.clone(), some.clone());
                        kernels.update_rows(&mut expected, updates);
                        kernels.update_rows(&mut updated, updates);
                        let k = updates.len();
                        assert!(
                            updated == expected[..rows * w],
                            "{k} updates, {rows} rows of {w}, h = {log_size}, {name}"
                        );
                    }
                });
            }
        }
    }
}
