//! The lemmas' predicates say no: each is false as soon as any one of the things it is about is off by one.
//!
//! What the tests evaluate and the proofs show true must be able to be false, or neither says anything. The predicates that
//! hold for all well-formed inputs (Lemma 4 and the refinements) are shown false on inputs that break their premises.
#![allow(missing_docs)]

use duoram_spec::core::lemmas::{leaves_point_at, same, same_vector, sums_to_zero};
use duoram_spec::core::vector::{scale, unit_vector};
use duoram_spec::paper::compressed::compress;
use duoram_spec::paper::lemmas::{
    corrections_fit, lemma_1, lemma_2, lemma_3, lemma_3_compressed, lemma_5, refines_read, refines_update,
    same_compressed, units_point_at, vectors_agree,
};
use duoram_spec::paper::memory::State;
use duoram_spec::paper::preprocessing::update_material;
use duoram_spec::paper::read::read;
use duoram_spec::paper::update::UpdateMaterial;
use duoram_spec::two_party::lemmas::lemma_4;
use duoram_vectors::Random;

const N: usize = 4;
const TARGET: u64 = 2;

/// Each value with one word of one vector off by one, for every vector that `vectors` names.
fn each_off_by_one<T: Clone>(value: &T, vectors: impl Fn(&mut T) -> Vec<&mut Vec<u64>>) -> Vec<T> {
    let count = vectors(&mut value.clone()).len();
    (0..count)
        .map(|which| {
            let mut broken = value.clone();
            let word = &mut vectors(&mut broken)[which][1];
            *word = word.wrapping_add(1);
            broken
        })
        .collect()
}

/// The vectors of both primaries for DPF 1, 2, 3.
fn six<'a>(p0: &'a mut Three, p1: &'a mut Three) -> Vec<&'a mut Vec<u64>> {
    vec![&mut p0.0, &mut p0.1, &mut p0.2, &mut p1.0, &mut p1.1, &mut p1.2]
}

type Three = (Vec<u64>, Vec<u64>, Vec<u64>);

#[test]
fn words_and_vectors_are_told_apart() {
    assert!(same(7_u64, 7) && !same(7_u64, 8));
    assert!(same_vector(&[7_u64, 8], &[7, 8]));
    assert!(!same_vector(&[7_u64, 8], &[7, 9]), "another word");
    assert!(!same_vector(&[7_u64], &[7, 8]), "another length");
}

#[test]
fn premise_and_conclusion_of_lemma_1() {
    let mut r = Random(1);
    let units = r.units::<u64>(N, TARGET);
    assert!(units_point_at(&units, N, TARGET) && !units_point_at(&units, N, 1));
    for broken in each_off_by_one(&units, |u| six(&mut u.p0, &mut u.p1)) {
        assert!(!units_point_at(&broken, N, TARGET));
    }
    let (state, address) = (r.state::<u64>(N), r.shares(3));
    let outcome = read(&state, &units, r.shares(TARGET), address, r.word());
    assert!(lemma_1(&state, address, &outcome));
    let mut broken = outcome;
    broken.read_1 = broken.read_1.wrapping_add(1);
    assert!(!lemma_1(&state, address, &broken));
}

#[test]
fn premise_and_conclusion_of_lemma_2() {
    let mut r = Random(2);
    let m = r.word();
    let vectors = r.update_vectors::<u64>(N, TARGET, m);
    let point = scale(m, &unit_vector(N, 2));
    assert!(vectors_agree(&vectors, &point));
    for broken in each_off_by_one(&vectors, |v| six(&mut v.p0, &mut v.p1)) {
        assert!(!vectors_agree(&broken, &point));
    }
    assert!(lemma_2(&[1, 2], &[1, 5], 1, 3_u64));
    assert!(!lemma_2(&[1, 2], &[1, 5], 0, 3_u64), "another target");
    assert!(!lemma_2(&[1, 2], &[1, 5], 1, 4_u64), "another value");
    assert!(!lemma_2(&[1, 2], &[1, 5, 0], 1, 3_u64), "another length");
}

/// Every vector of the three states.
fn eight(state: &mut State<u64>) -> Vec<&mut Vec<u64>> {
    let State { p0, p1, p2 } = state;
    let primaries = [p0, p1].into_iter().flat_map(|p| [&mut p.memory_share, &mut p.blind, &mut p.blinded]);
    primaries.chain([&mut p2.blind_0, &mut p2.blind_1]).collect()
}

#[test]
fn lemma_3_for_both_kinds_of_state() {
    let mut r = Random(3);
    let state = r.state::<u64>(N);
    assert!(lemma_3(&state));
    for broken in each_off_by_one(&state, eight) {
        assert!(!lemma_3(&broken));
    }

    let compressed = (compress(&state.p0), compress(&state.p1), state.p2.clone());
    assert!(lemma_3_compressed(&compressed.0, &compressed.1, &compressed.2));
    let broken = each_off_by_one(&compressed, |(p0, p1, p2)| {
        vec![
            &mut p0.combined,
            &mut p0.blind,
            &mut p1.combined,
            &mut p1.blind,
            &mut p2.blind_0,
            &mut p2.blind_1,
        ]
    });
    for (p0, p1, p2) in broken {
        assert!(!lemma_3_compressed(&p0, &p1, &p2));
    }

    assert!(same_compressed(&compressed.0, &compressed.0));
    for broken in each_off_by_one(&compressed.0, |c| vec![&mut c.combined, &mut c.blind]) {
        assert!(!same_compressed(&compressed.0, &broken));
    }
}

/// Lemma 4 has the size of the memory for a premise: for a size that is no power of two its READ goes wrong.
#[test]
fn lemma_4_fails_where_indices_do_not_wrap() {
    let mut r = Random(4);
    let (d_0, d_1) = (r.words(3), r.words(3));
    let holds = |address: u64| lemma_4((&d_0, &d_1), (address, 0), (1, 1), (5, 6));
    assert!((0..3).any(|address| !holds(address)));
}

#[test]
fn leaves_and_units_of_lemma_5() {
    let labels_0 = [0x10, 0x20, 0x31, 0x40];
    let labels_1 = [0x10, 0x20, 0x90, 0x40];
    assert!(leaves_point_at(&labels_0, &labels_1, TARGET));
    assert!(!leaves_point_at(&labels_0, &labels_1, 1), "another target");
    assert!(!leaves_point_at(&labels_0, &labels_1[..3], TARGET), "another length");
    assert!(!leaves_point_at(&labels_0, &[0x10, 0x20, 0x91, 0x40], TARGET), "equal flags at the target");
    assert!(!leaves_point_at(&labels_0, &[0x10, 0x22, 0x90, 0x40], TARGET), "another label off the target");

    let mut r = Random(5);
    let prg = r.prg();
    let (item, target) = r.item::<u64>(&prg, 2);
    let (leaves, mut conversion) = (&item.dpf_1.generation, item.dpf_1.conversion);
    assert!(lemma_5(&leaves.labels_0, &leaves.labels_1, &conversion, target));
    conversion.opened_sign = conversion.opened_sign.wrapping_add(1);
    assert!(!lemma_5(&leaves.labels_0, &leaves.labels_1, &conversion, target));
}

#[test]
fn corrections_must_fit_all_three_value_vectors() {
    assert!(sums_to_zero(&[1, 2], &[u64::MAX, 5], 7_u64.wrapping_neg(), 1));
    assert!(!sums_to_zero(&[1, 2], &[u64::MAX, 5], 7_u64, 1), "another sign");
    assert!(!sums_to_zero(&[1, 2], &[u64::MAX, 5], 7_u64.wrapping_neg(), 0), "another target");

    let mut r = Random(6);
    let prg = r.prg();
    let (item, target) = r.item::<u64>(&prg, 2);
    let material = update_material(&item, r.word(), r.word());
    assert!(corrections_fit(&material, target));
    for broken in each_off_by_one(&material, |m| six(&mut m.values.p0, &mut m.values.p1)) {
        assert!(!corrections_fit(&broken, target));
    }
    for which in 0..6 {
        let mut broken: UpdateMaterial<u64> = material.clone();
        let ((a, b, c), (d, e, f)) = (&mut broken.corrections.p0, &mut broken.corrections.p1);
        let word = [a, b, c, d, e, f].into_iter().nth(which).unwrap();
        *word = word.wrapping_add(1);
        assert!(!corrections_fit(&broken, target), "{which}");
    }
}

/// The refinements hold for all vectors of equal lengths, so what breaks them is a vector that is too short.
#[test]
fn refinements_fail_for_unequal_lengths() {
    let mut r = Random(7);
    let state = r.state::<u64>(N);
    let units = r.units::<u64>(N, TARGET);
    assert!(refines_read(&state, &units, 9));
    let (mut short_0, mut short_1) = (state.clone(), state.clone());
    short_0.p0.blind.pop();
    short_1.p1.blind.pop();
    assert!(!refines_read(&short_0, &units, 9));
    assert!(!refines_read(&short_1, &units, 9));

    let vectors = r.update_vectors::<u64>(N, TARGET, 11);
    assert!(refines_update(&state, &vectors));
    let (mut short_0, mut short_1) = (vectors.clone(), vectors);
    short_0.p0.0.pop();
    short_1.p1.0.pop();
    assert!(!refines_update(&state, &short_0));
    assert!(!refines_update(&state, &short_1));
}
