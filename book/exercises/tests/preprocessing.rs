//! Exercises 5 to 7: App. C, triples, App. D.
#![allow(missing_docs)]

use duoram_book_exercises::{header, session};
use duoram_reference::{Batch, Error, Plain};
use duoram_spec::core::block::{Block, flag};
use duoram_spec::core::distributed_gen::{
    Input, child_sums, distributed_generation, opening, operands, planted, reconstruct,
};
use duoram_spec::core::dpf::{address_bits, next_level};
use duoram_spec::core::du_atallah::{
    ProductTriple, and_message, and_triples, product_share, product_triples,
};
use duoram_spec::core::lemmas::leaves_point_at;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{add, dot, scale, unit_vector};
use duoram_spec::paper::conversion::{
    conversion_correction_share, conversion_factor, random_index_share, sign_share, unit_share,
};
use duoram_spec::paper::preprocessing::{unit_share_0, unit_share_1};
use duoram_vectors::Random;

/// The payload bytes that the primaries say to each other while trees grow: kinds 5 and 6.
fn bytes_of_growth(h: u32, reads: usize) -> Result<u32, Error> {
    let mut session = session(h, 51, Plain)?;
    session.preprocess(Batch { reads, updates: 0 })?;
    let headers = session.take_log().iter().map(header).collect::<Result<Vec<_>, _>>()?;
    Ok(headers.iter().filter(|header| [5, 6].contains(&header.kind)).map(|header| header.length).sum())
}

/// Exercise 5.1.
#[test]
fn a_level_costs_the_same_at_any_depth() -> Result<(), Error> {
    // Three trees: 16 bytes and 3 bits each, then 16 bytes each; both ways.
    for h in [1, 2, 5, 10] {
        assert_eq!(bytes_of_growth(h, 1)?, h * 2 * (3 * 16 + 2 + 3 * 16));
    }
    // Bits of a batch are packed together: 72 in 9 bytes, where eight items one by one take 16.
    assert_eq!(bytes_of_growth(5, 8)?, 5 * 2 * (24 * 16 + 9 + 24 * 16));
    // All ten levels of three trees take less than an eighth of what the 1024 leaves of one tree do.
    assert!(8 * bytes_of_growth(10, 1)? < 16 << 10);
    Ok(())
}

/// Exercise 5.2.
#[test]
fn app_c_needs_xor_shares() {
    let mut r = Random(5);
    let (prg, h, target) = (r.prg(), 3, 5u64);
    let mut points_at_target = |share_0: u64, share_1: u64| {
        let (and_0, and_1) = (0..h).map(|_| r.bit_triples()).unzip();
        let (root_0, root_1) = (r.block(), r.block());
        let input_0 = Input { target_bits: address_bits(share_0, h), root: root_0, triples: and_0 };
        let input_1 = Input { target_bits: address_bits(share_1, h), root: root_1, triples: and_1 };
        let made = distributed_generation(&prg, &input_0, &input_1);
        leaves_point_at(&made.labels_0, &made.labels_1, target)
    };
    for share in 0..8u64 {
        assert!(points_at_target(share, share ^ target), "XOR shares");
        let additive = target.wrapping_sub(share) & 7;
        // Right by luck where adding has no carry, that is, where + and xor agree.
        assert_eq!(points_at_target(share, additive), share ^ additive == target, "additive shares");
    }
}

/// The leaves of App. C, in which P1 flips one bit of the masked word that it says to P0 at one level.
fn leaves_after_a_flip(
    prg: &AesPrg,
    r: &mut Random,
    bits: (&[bool], &[bool]),
    flipped: usize,
) -> (Vec<Block>, Vec<Block>) {
    let start = (vec![planted(Primary::P0, r.block())], vec![planted(Primary::P1, r.block())]);
    bits.0.iter().zip(bits.1).enumerate().fold(start, |(level_0, level_1), (depth, (bit_0, bit_1))| {
        let (triple_0, triple_1) = r.bit_triples();
        let (sums_0, sums_1) = (child_sums(prg, &level_0), child_sums(prg, &level_1));
        let (said_0, mut said_1) =
            (operands(*bit_0, &sums_0, &triple_0), operands(*bit_1, &sums_1, &triple_1));
        if depth == flipped {
            said_1.masked_word ^= 2;
        }
        let opening_0 = opening(*bit_0, &sums_0, &triple_0, &said_1);
        let opening_1 = opening(*bit_1, &sums_1, &triple_1, &said_0);
        let correction = reconstruct(&said_0, &said_1, opening_0, opening_1);
        (next_level(prg, &level_0, &correction), next_level(prg, &level_1, &correction))
    })
}

/// Exercise 5.3.
#[test]
fn whether_a_flip_does_harm_tells_a_share_of_the_target() {
    let mut r = Random(53);
    let (prg, h) = (r.prg(), 3);
    for (share_0, share_1, flipped) in (0..192u64).map(|case| (case & 7, case >> 3 & 7, case >> 6)) {
        let flipped = usize::try_from(flipped).unwrap_or(0);
        let (bits_0, bits_1) = (address_bits(share_0, h), address_bits(share_1, h));
        let (leaves_0, leaves_1) = leaves_after_a_flip(&prg, &mut r, (&bits_0, &bits_1), flipped);
        let harmless = leaves_point_at(&leaves_0, &leaves_1, share_0 ^ share_1);
        // P1 has bits_1, and so the bit of the target.
        assert_eq!(harmless, !bits_0[flipped]);
    }
}

/// Exercise 6.1.
#[test]
fn a_triple_used_twice_tells_the_difference_of_operands() {
    let mut r = Random(6);
    let (triple_0, _) = and_triples(r.block(), r.block(), r.block(), r.block(), r.block());
    let (x, x_next, y, y_next) = (r.block(), r.block(), r.block(), r.block());
    let first = and_message(x, y, &triple_0);
    let second = and_message(x_next, y_next, &triple_0);
    assert_eq!((first.0 ^ second.0, first.1 ^ second.1), (x ^ x_next, y ^ y_next));
}

/// What P0 may take for Y_1 if it has X_0 and Z_0, and T is one of these.
fn possible_masks(triple_0: &ProductTriple<Z4>, ts: &[u64]) -> Vec<u64> {
    let fits = |y_1: &u64| ts.iter().any(|t| triple_0.x.times(z4(*y_1)).plus(z4(*t)) == triple_0.z);
    (0..4).filter(fits).collect()
}

/// Exercise 6.2.
#[test]
fn without_t_a_party_solves_for_the_others_mask() {
    for (x_0, y_1, t) in (0..64u64).map(|case| (case & 3, case >> 2 & 3, case >> 4)) {
        let dealt = |t: u64| product_triples(z4(x_0), z4(1), z4(2), z4(y_1), z4(t)).0;
        let without = possible_masks(&dealt(0), &[0]);
        assert!(without.contains(&y_1));
        assert_eq!(without.len(), [4, 1, 2, 1][usize::try_from(x_0).unwrap_or(0)]);
        assert_eq!(possible_masks(&dealt(t), &[0, 1, 2, 3]), [0, 1, 2, 3]);
    }
}

/// Both parties' triples, and shares `c_b` of `X Y` with them: `X_b Y_b + Z_b`.
struct Shared<W> {
    triples: [ProductTriple<W>; 2],
    products: [W; 2],
}

/// What a dealer deals that adds `error` to Z_0.
fn dealt<W: Ring>(r: &mut Random, error: W) -> Shared<W> {
    let (mut triple_0, triple_1) = product_triples::<W>(r.ring(), r.ring(), r.ring(), r.ring(), r.ring());
    triple_0.z = triple_0.z.plus(error);
    let triples = [triple_0, triple_1];
    Shared { triples, products: triples.map(|triple| triple.x.times(triple.y).plus(triple.z)) }
}

/// The check, with the challenge `r`: `rho = r X - X'` and `sigma = Y - Y'` are opened, then the sum of both shares of
/// `r c - c' - sigma X' - rho Y' - rho sigma`, which must be zero. The triple X', Y', c' is spent with it.
fn checked<W: Ring>(r: W, good: &Shared<W>, spent: &Shared<W>) -> bool {
    let opened = |share: &dyn Fn(usize) -> W| share(0).plus(share(1));
    let rho = opened(&|b| r.times(good.triples[b].x).minus(spent.triples[b].x));
    let sigma = opened(&|b| good.triples[b].y.minus(spent.triples[b].y));
    let rest = opened(&|b| {
        let terms = sigma.times(spent.triples[b].x).plus(rho.times(spent.triples[b].y));
        r.times(good.products[b]).minus(spent.products[b]).minus(terms)
    });
    rest.minus(rho.times(sigma)).to_u64() == 0
}

/// Exercise 6.3.
#[test]
fn a_sacrificed_triple_finds_a_wrong_one_but_for_zero_divisors() {
    let mut r = Random(63);
    // A wrong triple is a wrong product, by just that.
    let wrong = dealt(&mut r, z4(1)).triples;
    let sent = wrong.map(|triple| (z4(3).plus(triple.x), z4(2).plus(triple.y)));
    let share = |b: usize| product_share(z4(3), z4(2), &wrong[b], sent[1 - b].0, sent[1 - b].1);
    assert_eq!(share(0).plus(share(1)), z4(6 * 4 + 1));
    // Of four challenges, how many does a dealer get past with an error in each of both triples?
    let mut passed = |error: u64, other: u64| {
        let (good, spent) = (dealt(&mut r, z4(error)), dealt(&mut r, z4(other)));
        (0..4).filter(|challenge| checked(z4(*challenge), &good, &spent)).count()
    };
    let table: Vec<[usize; 4]> = (0..4).map(|error| [0, 1, 2, 3].map(|other| passed(error, other))).collect();
    assert_eq!(table, [[4, 0, 0, 0], [1, 1, 1, 1], [2, 0, 2, 0], [1, 1, 1, 1]]);
    // In 64 bits too: an error in the highest bit passes half of all challenges.
    for _ in 0..100 {
        let (good, spent) = (dealt(&mut r, 1u64 << 63), dealt(&mut r, 0));
        let challenge = r.word();
        assert_eq!(checked(challenge, &good, &spent), challenge.is_multiple_of(2));
    }
}

/// Exercise 7.1.
#[test]
fn the_factor_is_as_often_each_word_for_both_signs() {
    // F is odd; the sign is 1 or 3, which is -1; r is any blind. For F = 1 and for F = 3:
    let factors = |sign: u64, r: Z4| {
        let sign = z4(sign);
        [1, 3].map(|f| conversion_factor(sign.plus(r), z4(f).times(sign).plus(r)).to_u64())
    };
    for r in (0..4).map(z4) {
        assert_eq!((factors(1, r), factors(3, r)), ([0, 2], [0, 2]));
    }
}

/// Exercise 7.2.
#[test]
fn the_conversion_by_hand() {
    let mut r = Random(7);
    let prg = r.prg();
    let (item, ri) = r.item::<u64>(&prg, 4);
    let dpf = &item.dpf_1;
    let (labels_0, labels_1) = (&dpf.generation.labels_0, &dpf.generation.labels_1);
    let pm = sign_share::<u64>(Primary::P0, labels_0).wrapping_add(sign_share(Primary::P1, labels_1));
    assert!(pm == 1 || pm == u64::MAX);
    let f = conversion_correction_share::<u64>(Primary::P0, labels_0)
        .wrapping_add(conversion_correction_share(Primary::P1, labels_1));
    // The only value that P2 is sent: (1 - F) pm. F masks pm.
    assert_eq!(dpf.conversion.factor, 1u64.wrapping_sub(f).wrapping_mul(pm));
    let (t_0, t_1) = (unit_share_0(dpf), unit_share_1(dpf));
    for (i, (a, b)) in (0u64..).zip(t_0.iter().zip(&t_1)) {
        assert_eq!(a.wrapping_add(*b), u64::from(i == ri));
    }
    // Additive shares of ri for nothing: sum_i i t_b[i].
    assert_eq!(random_index_share(&t_0).wrapping_add(random_index_share(&t_1)) & 15, ri);
}

/// Exercise 7.3.
#[test]
fn one_more_in_the_factor_tells_the_sign() {
    let mut r = Random(73);
    let (prg, h, n) = (r.prg(), 4, 16);
    let memory = vec![5u64; n];
    let (mut results, mut left) = ([0, 0], 0);
    for _ in 0..50 {
        let (item, ri) = r.item::<u64>(&prg, h);
        let dpf = &item.dpf_1;
        let (labels_0, labels_1) = (&dpf.generation.labels_0, &dpf.generation.labels_1);
        // P1 adds 1 to the first thing that it says, pm_1 + r_1. So all make their vectors with a factor of one more.
        let factor = dpf.conversion.factor.wrapping_add(1);
        let vector =
            add(&unit_share(Primary::P0, labels_0, factor), &unit_share(Primary::P1, labels_1, factor));
        let result = dot(&memory, &vector);
        let sign = if result == 10 { 1u64 } else { u64::MAX };
        assert_eq!(vector, scale(sign.wrapping_add(1), &unit_vector(n, usize::try_from(ri).unwrap_or(0))));
        results[usize::from(result == 10)] += 1;
        assert!(result == 10 || result == 0);
        // With sign +1 the flag at ri is P0's, so that P1's is not set there.
        let possible: Vec<u64> = (0..)
            .zip(labels_1)
            .filter(|(_, label)| flag(**label) != (result == 10))
            .map(|(i, _)| i)
            .collect();
        assert!(possible.contains(&ri));
        left += possible.len();
    }
    assert!(results.iter().all(|count| *count > 10), "{results:?}");
    assert!((40..60).contains(&(100 * left / (50 * n))), "half of the places are left: {left}");
}
