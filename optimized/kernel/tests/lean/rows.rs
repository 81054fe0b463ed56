//! Rows of w words: scans, updates and sums of the value layer.

use duoram_kernel::{Flags, Kernels, RowKey, RowUpdate, Selection, ValueUpdate};

use crate::naive::{PRG_KEY, Pi, Random, Side};
use crate::online::shifts;
use crate::{each, log_sizes};

/// One word, which is what `scan` and `update_values` do; less than a register; such that registers begin in every column, and in
/// few; a word of flags and one more; the most that the protocol has. The last ones of small memories only.
const ROW_WORDS: [usize; 11] = [1, 2, 3, 7, 8, 9, 12, 64, 65, 257, 512];

fn row_words(log_size: usize) -> impl Iterator<Item = usize> {
    let most = if cfg!(miri) { 1 << 8 } else { 1 << 14 };
    ROW_WORDS.into_iter().filter(move |w| log_size <= 4 && !cfg!(miri) || w << log_size <= most)
}

/// One side of an UPDATE item's DPF, and what it is at each leaf.
pub(crate) struct Rows {
    pub(crate) side: Side,
    cww: Vec<u64>,
    flags: Vec<bool>,
    values: Vec<u64>,
}

impl Rows {
    pub(crate) fn random(random: &mut Random, log_size: usize, row_words: usize) -> Self {
        let side = Side::random(random, log_size);
        let (pi, cww) = (Pi::new(), random.words(8 * row_words));
        let corrected = |s: &u128| {
            let words = pi.rows(*s, row_words);
            words.into_iter().zip(&cww).map(|(y, c)| y ^ if s & 1 == 1 { *c } else { 0 }).collect::<Vec<_>>()
        };
        let mut values: Vec<u64> = side.nodes(log_size.max(3) - 3).iter().flat_map(corrected).collect();
        values.truncate(row_words << log_size);
        Self { flags: side.flags(), side, cww, values }
    }

    pub(crate) fn key(&self) -> RowKey {
        RowKey::new(self.side.log_size, self.side.node_key(), self.cww.clone())
    }
}

#[test]
fn a_scan_of_rows_is_the_xor_of_the_selected_rows() {
    let mut random = Random(6);
    for log_size in log_sizes() {
        let sides = [(); 2].map(|()| Side::random(&mut random, log_size));
        let flags = sides.each_ref().map(Side::flags);
        let both: Vec<bool> = flags[0].iter().zip(&flags[1]).map(|(a, b)| a ^ b).collect();
        let shifts = shifts(&mut random, log_size);
        for w in row_words(log_size) {
            let memory = random.words(w << log_size);
            let expected = |flags: &[bool], shift: usize| {
                let mut row = vec![0; w];
                for (_, words) in memory.chunks(w).enumerate().filter(|(j, _)| flags[j ^ shift]) {
                    row.iter_mut().zip(words).for_each(|(sum, word)| *sum ^= word);
                }
                row
            };
            each(|kernels, name| {
                let packed = sides.each_ref().map(|side| kernels.flags(&side.bit_key()));
                for k in [0, 1, 3, 17] {
                    let all = if k == 1 { shifts.len().min(24) } else { 1 };
                    for start in 0..all {
                        let query = |q: usize| shifts[(start + 5 * q) % shifts.len()];
                        // One side's flags, and the XOR of two.
                        let of: [&[&Flags]; 2] = [&[&packed[1]], &[&packed[0], &packed[1]]];
                        let selections: Vec<_> =
                            (0..k).map(|q| Selection { flags: of[q % 2], shift: query(q) }).collect();
                        let sums = kernels.scan_rows(&memory, w, &selections);
                        assert_eq!(sums.len(), k * w);
                        for (q, row) in sums.chunks(w).enumerate() {
                            let flags = [&flags[1], &both][q % 2];
                            assert!(
                                row == expected(flags, query(q)),
                                "{q} of {k}, w = {w}, h = {log_size}, {name}"
                            );
                        }
                    }
                }
            });
        }
    }
}

#[test]
fn an_update_of_rows_adds_the_row_that_each_leaf_has() {
    let mut random = Random(7);
    for log_size in log_sizes() {
        let shifts = shifts(&mut random, log_size);
        for w in row_words(log_size) {
            let sides = [(); 2].map(|()| Rows::random(&mut random, log_size, w));
            let (memory, corrections) = (random.words(w << log_size), random.words(3 * w));
            each(|kernels, name| {
                let keys = sides.each_ref().map(|side| (kernels.flags(&side.side.bit_key()), side.key()));
                assert!(*kernels.rows(&keys[0].1) == sides[0].values, "w = {w}, h = {log_size}, {name}");
                for k in [1, 3] {
                    let all = if k == 1 { shifts.len().min(24) } else { 1 };
                    for start in 0..all {
                        let (mut expected, mut updates) = (memory.clone(), Vec::new());
                        for q in 0..k {
                            let shift = shifts[(start + 5 * q) % shifts.len()];
                            let correction = &corrections[q * w..(q + 1) * w];
                            let (side, (flags, key)) = (&sides[q % 2], &keys[q % 2]);
                            for (j, row) in expected.chunks_mut(w).enumerate() {
                                let leaf = j ^ shift;
                                for (c, word) in row.iter_mut().enumerate() {
                                    let added = if side.flags[leaf] { correction[c] } else { 0 };
                                    *word ^= side.values[leaf * w + c] ^ added;
                                }
                            }
                            updates.push(RowUpdate { key, flags, correction, shift });
                        }
                        let mut updated = memory.clone();
                        kernels.update_rows(&mut updated, &updates);
                        assert!(updated == expected, "{k} from {start}, w = {w}, h = {log_size}, {name}");
                    }
                }
            });
        }
    }
}

/// At every depth, of levels that are stored, above what is stored, and below it.
#[test]
fn sums_of_rows_are_those_of_all_nodes() {
    let mut random = Random(8);
    let (pi, depth) = (Pi::new(), if cfg!(miri) { 6 } else { 9 });
    let roots = [random.block(), random.block()];
    let corrections: Vec<_> = (0..depth).map(|_| random.correction()).collect();
    let mut levels = vec![roots.map(|root| vec![root])];
    for correction in &corrections {
        let above = &levels[levels.len() - 1];
        levels.push(above.each_ref().map(|nodes| pi.level(nodes, correction)));
    }
    for w in [1, 2, 3, 20] {
        let sum = |nodes: &Vec<u128>| {
            let rows = nodes.iter().map(|s| pi.rows(*s, w));
            rows.reduce(|a, b| a.iter().zip(&b).map(|(a, b)| a ^ b).collect()).unwrap()
        };
        let expected: Vec<_> = levels.iter().map(|trees| trees.each_ref().map(sum).concat()).collect();
        each(|kernels, name| {
            for stored in [0, 6, depth] {
                let mut forest = kernels.plant(&roots, stored);
                for (level, expected) in expected.iter().enumerate() {
                    let sums = kernels.row_sums(&mut forest, w);
                    assert!(*sums == *expected, "w = {w}, depth {level}, {stored}, {name}");
                    if let Some(correction) = corrections.get(level) {
                        kernels.grow(&mut forest);
                        kernels.correct(&mut forest, &[*correction; 2]);
                    }
                }
            }
        });
    }
}

/// Rows of one word are words, wherever these have a way of their own.
#[test]
fn a_row_of_one_word_is_a_word() {
    let mut random = Random(9);
    let (rows, memory) = (Rows::random(&mut random, 9, 1), random.words(1 << 9));
    let kernels = Kernels::detect(PRG_KEY);
    let flags = kernels.flags(&rows.side.bit_key());
    let mut side = rows.side.clone();
    side.cww = rows.cww.clone().try_into().unwrap();
    let (mut of_words, mut of_rows) = (memory.clone(), memory);
    kernels.update_values(
        &mut of_words,
        &[ValueUpdate { key: &side.value_key(), flags: &flags, correction: 7, shift: 5 }],
    );
    kernels.update_rows(
        &mut of_rows,
        &[RowUpdate { key: &rows.key(), flags: &flags, correction: &[7], shift: 5 }],
    );
    assert!(of_words == of_rows);
}

/// What the documentation says to panic does: it is a mistake of the caller's that would give wrong shares.
#[test]
fn rows_that_do_not_fit_are_refused() {
    let mut random = Random(10);
    let (small, large) = (Rows::random(&mut random, 3, 2), Rows::random(&mut random, 4, 2));
    let panics = |what: &str, call: &dyn Fn(&Kernels<'_>)| {
        let call = std::panic::AssertUnwindSafe(|| call(&Kernels::detect(1)));
        assert!(std::panic::catch_unwind(call).is_err(), "{what} was accepted");
    };
    let scan = |words: usize, row_words: usize, shift: usize| {
        let side = small.side.clone();
        move |kernels: &Kernels<'_>| {
            let flags = kernels.flags(&side.bit_key());
            kernels.scan_rows(&vec![0; words], row_words, &[Selection { flags: &[&flags], shift }]);
        }
    };
    panics("a scan of rows without words", &scan(16, 0, 0));
    panics("a scan of a row and a half", &scan(15, 2, 0));
    panics("a scan of too many rows", &scan(18, 2, 0));
    panics("a scan shifted too far", &scan(16, 2, 8));
    scan(16, 2, 7)(&Kernels::detect(1));
    let update = |flags: &Rows, key: &Rows, words: usize, correction: usize, shift: usize| {
        let (flags, key) = (flags.side.clone(), key.key());
        move |kernels: &Kernels<'_>| {
            let flags = kernels.flags(&flags.bit_key());
            let correction = &vec![1; correction][..];
            kernels.update_rows(
                &mut vec![0; words],
                &[RowUpdate { key: &key, flags: &flags, correction, shift }],
            );
        }
    };
    panics("updates of two sizes", &|kernels: &Kernels<'_>| {
        let of = |rows: &Rows| (kernels.flags(&rows.side.bit_key()), rows.key());
        let both = [of(&large), of(&small)];
        let update = |(flags, key)| RowUpdate { key, flags, correction: &[1, 1], shift: 0 };
        kernels.update_rows(&mut [0; 10], &both.each_ref().map(|(flags, key)| update((flags, key))));
    });
    panics("an update with too few flags", &update(&small, &large, 16, 2, 0));
    panics("an update of too many rows", &update(&small, &small, 18, 2, 0));
    panics("an update with too small a key", &update(&large, &small, 16, 2, 0));
    panics("an update with a correction of one word", &update(&small, &small, 16, 1, 0));
    panics("an update shifted too far", &update(&small, &small, 16, 2, 8));
    update(&small, &small, 16, 2, 7)(&Kernels::detect(1));
    let key = |words: usize| {
        std::panic::catch_unwind(|| RowKey::new(0, duoram_kernel::Key::new(1, vec![]), vec![0; words]))
    };
    assert!(key(8).is_ok() && key(0).is_err() && key(12).is_err());
}
