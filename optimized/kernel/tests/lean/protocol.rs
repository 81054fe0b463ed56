//! One item from its roots to the memory: grown, corrected, split into keys, used in a READ and in an UPDATE at all three parties.

use duoram_kernel::{BitKey, Correction, Flags, Kernels, Key, Selection, ValueKey, ValueUpdate};
use proptest::prelude::*;

use crate::each;
use crate::naive::{PRG_KEY, Random};

/// Both sides of a DPF at `target`, and the R that its values are shares of.
struct Dpf {
    sides: [(BitKey, ValueKey); 2],
    r: u64,
}

/// The primaries' part, without their sharing of what they open.
fn grown(kernels: &Kernels<'_>, random: &mut Random, log_size: usize, target: usize) -> Dpf {
    let (kf, kw) = (log_size.min(7), log_size.min(3));
    let depth = log_size - kw;
    let roots = [random.block() & !1, random.block() | 1];
    let mut forest = kernels.plant(&roots, depth);
    let mut corrections = Vec::new();
    let mut cwf = 0;
    for level in 0..=depth {
        if level == log_size - kf {
            let sums = kernels.flag_sums(&mut forest);
            cwf = sums[0] ^ sums[1] ^ 1 << (target % (1 << kf));
        }
        if level == depth {
            break;
        }
        let sums = kernels.grow(&mut forest);
        let [left, right] = [0, 1].map(|side| sums[0][side] ^ sums[1][side]);
        let bit = target >> (log_size - 1 - level) & 1 == 1;
        let correction = Correction {
            word: if bit { left } else { right } & !1,
            left_flag: (left & 1 == 1) ^ bit ^ true,
            right_flag: (right & 1 == 1) ^ bit,
        };
        corrections.push(correction);
        kernels.correct(&mut forest, &[correction; 2]);
    }
    let (sums, r) = (kernels.value_sums(&mut forest), random.word());
    let mut cww: [u64; 8] = std::array::from_fn(|j| sums[0][j] ^ sums[1][j]);
    cww[target % (1 << kw)] ^= r;
    let sides = roots.map(|root| {
        let nodes = |levels| Key::new(root, corrections[..levels].to_vec());
        (BitKey::new(log_size, nodes(log_size - kf), cwf), ValueKey::new(log_size, nodes(depth), cww))
    });
    Dpf { sides, r }
}

/// READ and UPDATE of the word at `wanted` with an item at `target`.
fn read_and_update(kernels: &Kernels<'_>, seed: u128, log_size: usize, target: usize, wanted: usize) {
    let random = &mut Random(seed);
    let n = 1 << log_size;
    let [a, b] = [0, 1].map(|_| grown(kernels, random, log_size, target));
    let (mut p0_a, mut p1_e, mut p2_b) = (random.words(n), random.words(n), random.words(n));
    let xor = |a: &[u64], b: &[u64]| -> Vec<u64> { a.iter().zip(b).map(|(a, b)| a ^ b).collect() };
    let memory = xor(&p0_a, &p1_e);
    let (mut p0_h, mut p2_a) = (xor(&memory, &p2_b), p0_a.clone());
    let shift = wanted ^ target;

    let [t_a0, t_a1] = [0, 1].map(|side| kernels.flags(&a.sides[side].0));
    let [t_b0, t_b1] = [0, 1].map(|side| kernels.flags(&b.sides[side].0));
    let sum = |memory: &[u64], flags: &[&Flags]| kernels.scan(memory, &[Selection { flags, shift }])[0];
    let p0 = sum(&p0_a, &[&t_a0, &t_b0]) ^ sum(&p0_h, &[&t_a0]);
    let p1 = sum(&p1_e, &[&t_a1]);
    let p2 = sum(&p2_a, &[&t_b1]) ^ sum(&p2_b, &[&t_a0]);
    assert_eq!(p0 ^ p1 ^ p2, memory[wanted], "READ");

    let change = random.word();
    let update = |memory: &mut [u64], dpf: &Dpf, side: usize, flags| {
        let key = &dpf.sides[side].1;
        kernels.update_values(memory, &[ValueUpdate { key, flags, correction: change ^ dpf.r, shift }]);
    };
    update(&mut p0_a, &a, 0, &t_a0);
    update(&mut p0_h, &b, 0, &t_b0);
    update(&mut p1_e, &a, 1, &t_a1);
    update(&mut p2_a, &a, 0, &t_a0);
    update(&mut p2_b, &b, 1, &t_b1);
    let mut expected = memory;
    expected[wanted] ^= change;
    assert_eq!(p0_a, p2_a, "A is the same at both");
    assert_eq!(xor(&p0_a, &p1_e), expected, "alpha");
    assert_eq!(xor(&p2_b, &p0_h), expected, "beta");
}

#[test]
fn read_and_update_with_every_backend() {
    for (log_size, target, wanted) in [(1, 0, 1), (3, 5, 5), (7, 99, 4), (10, 1000, 3), (14, 12345, 777)] {
        if cfg!(miri) && log_size > 10 {
            continue;
        }
        each(|kernels, _| read_and_update(kernels, 6, log_size, target, wanted));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 1 } else { 64 }))]
    #[test]
    fn read_and_update_anywhere(seed: u128, log_size in 1usize..12, target: usize, wanted: usize) {
        let kernels = Kernels::detect(PRG_KEY);
        let mask = (1 << log_size) - 1;
        read_and_update(&kernels, seed, log_size, target & mask, wanted & mask);
    }
}
