//! The lemmas: on random values, where they mostly fail, and on values that make them true.

use crate::random::{Memory, Random, list};
use crate::{Vectors, case, given};
use duoram_spec::core::lemmas as shared;
use duoram_spec::core::vector::{scale, sub, unit_vector};
use duoram_spec::paper::compressed::{CompressedState, compress};
use duoram_spec::paper::conversion::{Conversion, conversion, opened_unit_vector};
use duoram_spec::paper::lemmas;
use duoram_spec::paper::memory::{HelperState, State, initial, opened, shared};
use duoram_spec::paper::read::{Read, UnitVectors, read};
use duoram_spec::paper::update::{UpdateMaterial, UpdateVectors, apply};
use duoram_spec::two_party;

type Words = Vec<u64>;
type Triple = (Words, Words, Words);

pub fn lemmas(v: &mut Vectors) {
    random(v);
    for _ in 0..3 {
        holding(v);
    }
}

fn random(v: &mut Vectors) {
    case!(v, 2, "core::lemmas::same", "", |a: u64, b: u64| shared::same(a, b));
    case!(v, 2, "core::lemmas::same_vector", "", |a: Words, b: Words| shared::same_vector(&a, &b));
    case!(v, 2, "paper::lemmas::units_point_at", "", |u: UnitVectors<u64>, n: usize, i: u64| {
        lemmas::units_point_at(&u, n, i)
    });
    case!(v, 2, "paper::lemmas::lemma_1", "", |s: State<u64>, a: (u64, u64), o: Read<u64>| lemmas::lemma_1(
        &s, a, &o
    ));
    case!(v, 2, "paper::lemmas::vectors_agree", "", |u: UpdateVectors<u64>, p: Words| lemmas::vectors_agree(
        &u, &p
    ));
    case!(v, 2, "paper::lemmas::lemma_2", "", |a: Words, b: Words, t: u64, m: u64| lemmas::lemma_2(
        &a, &b, t, m
    ));
    case!(v, 2, "paper::lemmas::lemma_3", "", |s: State<u64>| lemmas::lemma_3(&s));
    case!(
        v,
        4,
        "two_party::lemmas::lemma_4",
        "",
        |d: (Memory, Memory), a: (u64, u64), q: (u64, u64), r: (u64, u64)| {
            two_party::lemmas::lemma_4((&d.0.0, &d.1.0), a, q, r)
        }
    );
    case!(v, 2, "core::lemmas::leaves_point_at", "", |a: Vec<u128>, b: Vec<u128>, t: u64| {
        shared::leaves_point_at(&a, &b, t)
    });
    case!(v, 2, "paper::lemmas::lemma_5", "", |a: Vec<u128>, b: Vec<u128>, o: Conversion<u64>, t: u64| {
        lemmas::lemma_5(&a, &b, &o, t)
    });
    case!(v, 2, "core::lemmas::sums_to_zero", "", |a: Words, b: Words, f: u64, t: u64| {
        shared::sums_to_zero(&a, &b, f, t)
    });
    case!(v, 2, "paper::lemmas::corrections_fit", "", |m: UpdateMaterial<u64>, t: u64| {
        lemmas::corrections_fit(&m, t)
    });
    case!(v, 2, "paper::lemmas::same_compressed", "", |a: CompressedState<u64>, b: CompressedState<u64>| {
        lemmas::same_compressed(&a, &b)
    });
    case!(
        v,
        2,
        "paper::lemmas::lemma_3_compressed",
        "",
        |a: CompressedState<u64>, b: CompressedState<u64>, c: HelperState<u64>| {
            lemmas::lemma_3_compressed(&a, &b, &c)
        }
    );
    case!(v, 2, "paper::lemmas::refines_read", "", |s: State<u64>, u: UnitVectors<u64>, m: u64| {
        lemmas::refines_read(&s, &u, m)
    });
    case!(v, 2, "paper::lemmas::refines_update", "", |s: State<u64>, u: UpdateVectors<u64>| {
        lemmas::refines_update(&s, &u)
    });
}

/// Three pairs of shares of one vector.
fn three_sharings(v: &mut Vectors, x: &Words) -> (Triple, Triple) {
    let mut pair = || {
        let share: Words = list(&mut v.rng, x.len());
        let other = sub(x, &share);
        (share, other)
    };
    let ((a_0, a_1), (b_0, b_1), (c_0, c_1)) = (pair(), pair(), pair());
    ((a_0, b_0, c_0), (a_1, b_1, c_1))
}

fn holding(v: &mut Vectors) {
    let n = 1 << v.rng.below(3);
    let target = v.rng.below(n as u64);
    let word = u64::random(&mut v.rng);
    let mut words = || -> Words { list(&mut v.rng, n) };
    let state = shared(&words(), &words(), &words(), &words());
    given!(v, "core::lemmas::same", "", shared::same(word, word); word, word);
    let a: Words = list(&mut v.rng, n);
    given!(v, "core::lemmas::same_vector", "", shared::same_vector(&a, &a); a, a);

    let (p0, p1) = three_sharings(v, &unit_vector(n, target as usize));
    let units = UnitVectors { p0, p1 };
    given!(v, "paper::lemmas::units_point_at", "", lemmas::units_point_at(&units, n, target); units, n, target);
    let random_index_shares = (word, target.wrapping_sub(word));
    let address_shares = <(u64, u64)>::random(&mut v.rng);
    let outcome = read(&state, &units, random_index_shares, address_shares, word);
    given!(v, "paper::lemmas::lemma_1", "", lemmas::lemma_1(&state, address_shares, &outcome);
        state, address_shares, outcome);
    given!(v, "paper::lemmas::refines_read", "", lemmas::refines_read(&state, &units, word); state, units, word);

    let point = scale(word, &unit_vector(n, target as usize));
    let (p0, p1) = three_sharings(v, &point);
    let vectors = UpdateVectors { p0, p1 };
    given!(v, "paper::lemmas::vectors_agree", "", lemmas::vectors_agree(&vectors, &point); vectors, point);
    given!(v, "paper::lemmas::refines_update", "", lemmas::refines_update(&state, &vectors); state, vectors);
    let after = apply(&state, &vectors);
    let (before_memory, after_memory) = (opened(&state), opened(&after));
    given!(v, "paper::lemmas::lemma_2", "", lemmas::lemma_2(&before_memory, &after_memory, target, word);
        before_memory, after_memory, target, word);
    given!(v, "paper::lemmas::lemma_3", "", lemmas::lemma_3(&after); after);
    let (c_0, c_1) = (compress(&after.p0), compress(&after.p1));
    given!(v, "paper::lemmas::same_compressed", "", lemmas::same_compressed(&c_0, &c_0); c_0, c_0);
    given!(v, "paper::lemmas::lemma_3_compressed", "", lemmas::lemma_3_compressed(&c_0, &c_1, &after.p2);
        c_0, c_1, after.p2);

    let labels_0: Vec<u128> = list(&mut v.rng, n);
    let mut labels_1 = labels_0.clone();
    labels_1[target as usize] = u128::random(&mut v.rng) & !1 | (!labels_0[target as usize] & 1);
    given!(v, "core::lemmas::leaves_point_at", "", shared::leaves_point_at(&labels_0, &labels_1, target);
        labels_0, labels_1, target);
    let (mut input_0, mut input_1) = (Random::random(&mut v.rng), Random::random(&mut v.rng));
    agree(&mut input_0, &mut input_1, &labels_0, &labels_1);
    let outcome = conversion(&input_0, &input_1);
    given!(v, "paper::lemmas::lemma_5", "", lemmas::lemma_5(&labels_0, &labels_1, &outcome, target);
        labels_0, labels_1, outcome, target);
    let units = opened_unit_vector(&labels_0, &labels_1, outcome.opened_sign, outcome.opened_correction);
    given!(v, "core::lemmas::sums_to_zero", "", shared::sums_to_zero(&units, &initial::<u64>(n).p0.blind, u64::MAX, target);
        units, initial::<u64>(n).p0.blind, u64::MAX, target);

    let (v_0, v_1) = three_sharings(v, &point);
    let negated = word.wrapping_neg();
    let mut material = UpdateMaterial::random(&mut v.rng);
    (material.values.p0, material.values.p1) = (v_0, v_1);
    material.corrections.p0 = Random::random(&mut v.rng);
    let (a, b, c) = material.corrections.p0;
    material.corrections.p1 = (negated.wrapping_sub(a), negated.wrapping_sub(b), negated.wrapping_sub(c));
    given!(v, "paper::lemmas::corrections_fit", "", lemmas::corrections_fit(&material, target); material, target);
}

/// Makes the inputs of a conversion those of a dealer, for these leaves.
fn agree(
    input_0: &mut duoram_spec::paper::conversion::Input<u64>,
    input_1: &mut duoram_spec::paper::conversion::Input<u64>,
    labels_0: &[u128],
    labels_1: &[u128],
) {
    (input_0.labels, input_1.labels) = (labels_0.to_vec(), labels_1.to_vec());
    let (x_0, y_0, x_1, y_1) = (input_0.triple.x, input_0.triple.y, input_1.triple.x, input_1.triple.y);
    (input_0.triple, input_1.triple) =
        duoram_spec::core::du_atallah::product_triples(x_0, x_1, y_0, y_1, input_0.triple.z);
}
