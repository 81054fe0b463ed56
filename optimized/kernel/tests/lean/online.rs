//! Flags, values, scans and updates.

use duoram_kernel::{Flags, Kernels, Selection, ValueUpdate};

use crate::naive::{Random, Side};
use crate::{each, log_sizes};

/// All of a small memory; of others some with every bit alone, none, all, and any.
pub(crate) fn shifts(random: &mut Random, log_size: usize) -> Vec<usize> {
    let n = 1 << log_size;
    if n <= if cfg!(miri) { 8 } else { 256 } {
        return (0..n).collect();
    }
    let single = (0..log_size).map(|bit| 1 << bit);
    let mut shifts: Vec<_> = [0, n - 1].into_iter().chain(single).collect();
    shifts.extend((0..4).map(|_| random.below(n)));
    shifts
}

fn selected(memory: &[u64], flags: &[bool], shift: usize) -> u64 {
    (0..memory.len()).fold(0, |sum, i| sum ^ if flags[i ^ shift] { memory[i] } else { 0 })
}

#[test]
fn flags_and_values_are_those_of_the_layers() {
    let mut random = Random(1);
    for log_size in log_sizes() {
        let side = Side::random(&mut random, log_size);
        let (flags, values) = (side.flags(), side.values());
        let other = Side::random(&mut random, log_size.max(8));
        each(|kernels, name| {
            // In the place of others, larger ones or as many.
            let mut packed = kernels.flags(&other.bit_key());
            kernels.flags_into(&side.bit_key(), &mut packed);
            assert!(packed.words() == kernels.flags(&side.bit_key()).words());
            assert_eq!((packed.log_size(), packed.words().len()), (log_size, (1 << log_size >> 6).max(2)));
            for i in 0..64 * packed.words().len() {
                let expected = flags.get(i).is_some_and(|flag| *flag);
                assert_eq!(
                    packed.words()[i / 64] >> (i % 64) & 1 == 1,
                    expected,
                    "{i}, h = {log_size}, {name}"
                );
            }
            assert!(*kernels.values(&side.value_key()) == values, "h = {log_size}, {name}");
        });
    }
}

#[test]
fn a_scan_is_the_xor_of_the_selected_words_for_any_number_of_selections() {
    let mut random = Random(2);
    for log_size in log_sizes() {
        let memory = random.words(1 << log_size);
        let sides: Vec<Side> = (0..3).map(|_| Side::random(&mut random, log_size)).collect();
        let flags: Vec<Vec<bool>> = sides.iter().map(Side::flags).collect();
        let shifts = shifts(&mut random, log_size);
        each(|kernels, name| {
            let packed: Vec<Flags> = sides.iter().map(|side| kernels.flags(&side.bit_key())).collect();
            // One side's flags, and the XOR of two: those of P0.
            let pairs = [[&packed[0]].to_vec(), [&packed[1], &packed[2]].to_vec(), [&packed[2]].to_vec()];
            let both: Vec<bool> = flags[1].iter().zip(&flags[2]).map(|(a, b)| a ^ b).collect();
            let expected = [&flags[0], &both, &flags[2]];
            for k in [1, 2, 3, 8, 16, 17] {
                let all = if k == 1 { shifts.len() } else { 2 };
                for start in 0..all {
                    let query = |q: usize| (q % 3, shifts[(start + 5 * q) % shifts.len()]);
                    let selections: Vec<_> =
                        (0..k).map(query).map(|(i, shift)| Selection { flags: &pairs[i], shift }).collect();
                    let sums = kernels.scan(&memory, &selections);
                    assert_eq!(sums.len(), k);
                    for q in 0..k {
                        let (i, shift) = query(q);
                        let expected = selected(&memory, expected[i], shift);
                        assert_eq!(sums[q], expected, "{q} of {k} by {shift}, h = {log_size}, {name}");
                    }
                }
            }
            assert!(kernels.scan(&memory, &[]).is_empty());
            assert_eq!(*kernels.scan(&memory, &[Selection { flags: &[], shift: 0 }]), [0], "no flags");
        });
    }
}

/// One selection goes by in longer chunks, where there are several for each thread; what is left over at the end is no whole one.
#[test]
fn a_scan_of_a_long_memory_is_the_xor_of_the_selected_words() {
    let mut random = Random(3);
    let log_size = if cfg!(miri) { 12 } else { 21 };
    let sides = [(); 2].map(|()| Side::random(&mut random, log_size));
    let [first, second] = sides.each_ref().map(Side::flags);
    let both: Vec<bool> = first.iter().zip(&second).map(|(a, b)| a ^ b).collect();
    let n = 1 << log_size;
    let memory = random.words(n);
    let shifts = [0, n - 1, random.below(n)];
    for words in [n, 3 * n / 4 + n / 32 + 67] {
        let memory = &memory[..words];
        let expected = shifts.map(|shift| selected(memory, &both, shift));
        each(|kernels, name| {
            let packed = sides.each_ref().map(|side| kernels.flags(&side.bit_key()));
            let flags = &packed.each_ref()[..];
            let sums = shifts.map(|shift| kernels.scan(memory, &[Selection { flags, shift }])[0]);
            assert_eq!(sums, expected, "{words} words, shifts {shifts:?}, {name}");
        });
    }
}

#[test]
fn an_update_adds_what_each_leaf_has_for_any_number_of_updates() {
    let mut random = Random(3);
    for log_size in log_sizes() {
        let memory = random.words(1 << log_size);
        let sides: Vec<Side> = (0..2).map(|_| Side::random(&mut random, log_size)).collect();
        let leaves: Vec<_> = sides.iter().map(|side| (side.flags(), side.values())).collect();
        let (shifts, corrections) = (shifts(&mut random, log_size), random.words(17));
        each(|kernels, name| {
            let keys: Vec<_> =
                sides.iter().map(|side| (kernels.flags(&side.bit_key()), side.value_key())).collect();
            for k in [1, 2, 3, 8, 16, 17] {
                let all = if k == 1 { shifts.len() } else { 1 };
                for start in 0..all {
                    let mut expected = memory.clone();
                    let mut updates = Vec::new();
                    for q in 0..k {
                        let (shift, correction) = (shifts[(start + 5 * q) % shifts.len()], corrections[q]);
                        let (flags, values) = &leaves[q % 2];
                        for (i, word) in expected.iter_mut().enumerate() {
                            *word ^= values[i ^ shift] ^ if flags[i ^ shift] { correction } else { 0 };
                        }
                        let (flags, key) = &keys[q % 2];
                        updates.push(ValueUpdate { key, flags, correction, shift });
                    }
                    let mut updated = memory.clone();
                    kernels.update_values(&mut updated, &updates);
                    assert!(updated == expected, "{k} from {start}, h = {log_size}, {name}");
                }
            }
        });
    }
}

/// What the documentation says to panic does: it is a mistake of the caller's that would give wrong shares.
#[test]
fn sizes_that_differ_and_shifts_beyond_the_memory_are_refused() {
    let mut random = Random(4);
    let [small, large] = [3, 4].map(|log_size| Side::random(&mut random, log_size));
    let panics = |what: &str, call: &(dyn Fn(&Kernels<'_>) + std::panic::RefUnwindSafe)| {
        let caught = std::panic::catch_unwind(|| call(&Kernels::detect(1)));
        assert!(caught.is_err(), "{what} was accepted");
    };
    let scan = |side: &Side, words: usize, shift: usize| {
        let side = side.clone();
        move |kernels: &Kernels<'_>| {
            let flags = kernels.flags(&side.bit_key());
            kernels.scan(&vec![0; words], &[Selection { flags: &[&flags], shift }]);
        }
    };
    let update = |flags: &Side, key: &Side, words: usize, shift: usize| {
        let (flags, key) = (flags.clone(), key.clone());
        move |kernels: &Kernels<'_>| {
            let (flags, key) = (kernels.flags(&flags.bit_key()), key.value_key());
            let update = ValueUpdate { key: &key, flags: &flags, correction: 1, shift };
            kernels.update_values(&mut vec![0; words], &[update]);
        }
    };
    panics("a scan with too few flags", &scan(&small, 16, 0));
    panics("a scan shifted too far", &scan(&small, 8, 8));
    panics("a scan of fewer words shifted too far", &scan(&small, 5, 8));
    panics("a scan by flags of two sizes", &|kernels| {
        let flags = [&large, &small].map(|side| kernels.flags(&side.bit_key()));
        kernels.scan(&[0; 5], &[Selection { flags: &[&flags[0], &flags[1]], shift: 0 }]);
    });
    panics("updates of two sizes", &|kernels| {
        let of = |side: &Side| (kernels.flags(&side.bit_key()), side.value_key());
        let both = [of(&large), of(&small)];
        let update = |(flags, key)| ValueUpdate { key, flags, correction: 1, shift: 0 };
        kernels.update_values(&mut [0; 5], &both.each_ref().map(|(flags, key)| update((flags, key))));
    });
    panics("an update with too few flags", &update(&small, &large, 8, 0));
    panics("an update with too small a key", &update(&large, &small, 8, 0));
    panics("an update of too many words", &update(&small, &small, 16, 0));
    panics("an update shifted too far", &update(&small, &small, 8, 8));
    scan(&small, 8, 7)(&Kernels::detect(1));
    update(&small, &small, 8, 7)(&Kernels::detect(1));
}
