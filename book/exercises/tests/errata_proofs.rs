//! Exercises 14 and 15: an erratum counted, a leak measured, and what a theorem says.
#![allow(missing_docs)]

use duoram_book_exercises::seen;
use duoram_spec::core::block::{flag, replicate};
use duoram_spec::core::dealer::generate;
use duoram_spec::core::distributed_gen::child_sums;
use duoram_spec::core::dpf::{address_bits, next_level};
use duoram_spec::core::du_atallah::{AndTriple, and_message, and_share, and_triples, product_triples};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::additive_shares;
use duoram_spec::core::vector::mod_size;
use duoram_spec::paper::memory::opened;
use duoram_spec::paper::read::read;
use duoram_vectors::Random;

/// Exercise 14.1.
#[test]
fn shares_whose_sum_and_xor_agree() {
    for h in 1..=6u32 {
        let n = 1u64 << h;
        let agree = (0..n * n).filter(|case| {
            let (a, b) = (case % n, case / n);
            (a + b) % n == a ^ b
        });
        // No carry out of any bit but the highest: three of four cases for each, and all four for that.
        assert_eq!(agree.count(), 4 * 3usize.pow(h - 1));
    }
    // At h = 20 one in 236.
    assert_eq!(4u64.pow(19) / 3u64.pow(19), 236);
}

/// Exercise 14.2.
#[test]
fn definition_4_over_one_bit_exhaustively() {
    let (mut printed_right, mut right) = (0, 0);
    for case in 0..512u128 {
        let bit = |k: u32| case >> k & 1;
        let (x_0, x_1, y_0, y_1) = (bit(0), bit(1), bit(2), bit(3));
        let (mask_x_0, mask_x_1, mask_y_0, mask_y_1, t) = (bit(4), bit(5), bit(6), bit(7), bit(8));
        let opens = |(triple_0, triple_1): (AndTriple, AndTriple)| {
            let z_0 = and_share(x_0, y_0, &triple_0, and_message(x_1, y_1, &triple_1));
            let z_1 = and_share(x_1, y_1, &triple_1, and_message(x_0, y_0, &triple_0));
            z_0 ^ z_1 == (x_0 ^ x_1) & (y_0 ^ y_1)
        };
        let printed = (
            AndTriple { x: mask_x_0, y: mask_y_0, z: (mask_x_0 & mask_y_0) ^ t },
            AndTriple { x: mask_x_1, y: mask_y_1, z: (mask_x_1 & mask_y_1) ^ t },
        );
        printed_right += u32::from(opens(printed));
        right += u32::from(opens(and_triples(mask_x_0, mask_x_1, mask_y_0, mask_y_1, t)));
    }
    assert_eq!(right, 512);
    // Off by (X_0 xor X_1) and (Y_0 xor Y_1), which is 1 a quarter of the time.
    assert_eq!(printed_right, 384);
}

/// What App. C as printed opens of each level of a tree: the lowest bit of cw, cwt_L, cwt_R. The keys are GEN's.
fn printed_openings(prg: &AesPrg, r: &mut Random, target: u64, h: usize) -> Vec<(bool, bool, bool)> {
    let (key_0, key_1) = generate(prg, target, h, r.block(), r.block());
    let (mut level_0, mut level_1) = (vec![key_0.root], vec![key_1.root]);
    let path = key_0.corrections.iter().zip(address_bits(target, h));
    path.map(|(correction, bit)| {
        let (sums_0, sums_1) = (child_sums(prg, &level_0), child_sums(prg, &level_1));
        let (left, right) = (sums_0.left ^ sums_1.left, sums_0.right ^ sums_1.right);
        let word = (replicate(bit) & (left ^ right)) ^ right;
        level_0 = next_level(prg, &level_0, correction);
        level_1 = next_level(prg, &level_1, correction);
        (flag(word), correction.left_flag, correction.right_flag)
    })
    .collect()
}

/// The targets that fit what was opened of these trees, of which all have one target.
fn possible_targets(trees: &[Vec<(bool, bool, bool)>], h: usize) -> Vec<u64> {
    let fits = |target: &u64| {
        trees.iter().all(|levels| {
            let path = levels.iter().zip(address_bits(*target, h));
            path.into_iter().all(|((lowest, left, right), bit)| *lowest == if bit { *left } else { *right })
        })
    };
    (0..1 << h).filter(fits).collect()
}

/// Exercise 14.3.
#[test]
fn three_printed_trees_leave_two_targets_of_64() {
    let mut r = Random(143);
    let (prg, h, cases) = (r.prg(), 6, 100);
    let (mut of_one, mut of_three) = (0, 0);
    for _ in 0..cases {
        let target = r.below(64);
        let trees: Vec<_> = (0..3).map(|_| printed_openings(&prg, &mut r, target, h)).collect();
        let (one, three) = (possible_targets(&trees[..1], h), possible_targets(&trees, h));
        assert!(one.contains(&target) && three.contains(&target));
        of_one += one.len();
        of_three += three.len();
    }
    // On average (3/2)^6 = 11.4 and (9/8)^6 = 2.03.
    assert!((8 * cases..15 * cases).contains(&of_one), "{of_one}");
    assert!((3 * cases / 2..5 * cases / 2).contains(&of_three), "{of_three}");
}

/// Exercise 15.1.
#[test]
fn a_read_needs_its_premise() {
    let mut r = Random(151);
    // All places ri and addresses below n: in how many cases is a READ wrong?
    let mut wrong = |n: usize| {
        let cases = (0..n as u64).flat_map(|ri| (0..n as u64).map(move |i| (ri, i)));
        cases
            .filter(|(ri, i)| {
                let (state, units) = (r.state::<u64>(n), r.units(n, *ri));
                let outcome = read(&state, &units, (*ri, 0), (*i, 0), r.word());
                let word = opened(&state)[usize::try_from(*i).unwrap_or(0)];
                outcome.read_0.wrapping_add(outcome.read_1) != word
            })
            .count()
    };
    assert_eq!([1, 2, 4, 8].map(&mut wrong), [0; 4]);
    assert!([3, 5, 6, 7].map(wrong).iter().all(|count| *count > 0));
    // What breaks: the low bits of a number are the number mod n only if n is a power of two.
    assert_eq!((mod_size(4, 3), 4 % 3), (0, 1));
}

/// Exercise 15.2.
#[test]
fn a_bijection_keeps_the_view() {
    let all = || (0..4).map(z4);
    // P1's view of a shared secret: its share x - r.
    let view = |secret: Z4, random: Z4| additive_shares(secret, random).1;
    for (secret, other) in all().flat_map(|s| all().map(move |o| (s, o))) {
        let moved = |random: Z4| random.plus(other.minus(secret));
        let back = |random: Z4| random.plus(secret.minus(other));
        for random in all() {
            assert_eq!(back(moved(random)), random);
            assert_eq!(view(secret, random), view(other, moved(random)));
        }
        // So both secrets yield every view equally often.
        let views = |secret| seen(all().map(|random| view(secret, random).to_u64()));
        assert_eq!(views(secret), views(other));
    }
}

/// P1's operands of a product, which P0 is not to learn.
type Secret = (Z4, Z4);

/// What P0 does not know of a triple: X_1, Y_1, T.
type Unknown = (Z4, Z4, Z4);

/// What P0 sees of a product, where it has X_0 and Y_0: its Z_0, and P1's message.
fn view_of_a_product(own: (Z4, Z4), (x_1, y_1): Secret, (mask_x, mask_y, t): Unknown) -> [u64; 3] {
    let (triple_0, triple_1) = product_triples(own.0, mask_x, own.1, mask_y, t);
    [triple_0.z, x_1.plus(triple_1.x), y_1.plus(triple_1.y)].map(Ring::to_u64)
}

/// The unknown words with which another secret looks the same to P0: masks make up for operands, and T for the mask.
fn moved(own: (Z4, Z4), from: Secret, to: Secret, (mask_x, mask_y, t): Unknown) -> Unknown {
    let (dx, dy) = (from.0.minus(to.0), from.1.minus(to.1));
    (mask_x.plus(dx), mask_y.plus(dy), t.minus(own.0.times(dy)))
}

/// Exercise 15.3.
#[test]
fn a_bijection_for_the_product() {
    let pairs = || (0..16).map(|case| (z4(case), z4(case >> 2)));
    let unknowns = || (0..64).map(|case| (z4(case), z4(case >> 2), z4(case >> 4)));
    let cases = pairs().flat_map(|own| pairs().flat_map(move |from| pairs().map(move |to| (own, from, to))));
    for (own, from, to) in cases {
        for unknown in unknowns() {
            let other = moved(own, from, to, unknown);
            assert_eq!(moved(own, to, from, other), unknown, "it can be undone");
            assert_eq!(view_of_a_product(own, from, unknown), view_of_a_product(own, to, other));
        }
    }
    // Without T there is none: at X_0 = 1 both views of different operands have nothing in common.
    let without = |y_1: u64| {
        let masks = unknowns().map(|(mask_x, mask_y, _)| (mask_x, mask_y, z4(0)));
        seen(masks.map(|unknown| view_of_a_product((z4(1), z4(0)), (z4(0), z4(y_1)), unknown)))
    };
    assert!(without(1).iter().all(|view| !without(2).contains(view)));
}
