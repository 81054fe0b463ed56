//! Exercises 8 and 9: READ, UPDATE, and who could learn or change what.
#![allow(missing_docs)]

use duoram_spec::core::ring::{Z4, z4};
use duoram_spec::core::vector::{add, shift, sub, unit_vector};
use duoram_spec::paper::lemmas::{lemma_1, lemma_2, lemma_3};
use duoram_spec::paper::memory::{opened, shared};
use duoram_spec::paper::preprocessing::{random_index_shares, unit_vectors, update_material};
use duoram_spec::paper::read::{answer, read, reconstruct_shift, shift_share, shifted};
use duoram_spec::paper::update::{message, reconstruct_corrections, update, update_words};
use duoram_vectors::Random;

fn place(i: u64) -> usize {
    usize::try_from(i).unwrap_or(usize::MAX)
}

/// Exercise 8.1.
#[test]
fn a_shift_by_hand() {
    // i* = 5 and ri = 3, in a memory of 8 words; an address share is any word.
    let (i_0, i_1) = (3u64.wrapping_neg(), 8);
    let (ri_0, ri_1) = (6, 5);
    let (sent_0, sent_1) = (shift_share(i_0, ri_0, 8), shift_share(i_1, ri_1, 8));
    assert_eq!((sent_0, sent_1), (7, 3));
    assert_eq!(reconstruct_shift(sent_0, sent_1, 8), 2);
    let moved = |place| shift::<u64>(&unit_vector(8, place), 2);
    assert_eq!(moved(3), unit_vector::<u64>(8, 5));
    // And what was at the end comes round.
    assert_eq!(moved(7), unit_vector::<u64>(8, 1));
}

/// Exercise 8.2.
#[test]
fn gamma_and_its_mask() {
    let mut r = Random(8);
    let (prg, h, n) = (r.prg(), 3, 8);
    let (item, _) = r.item(&prg, h);
    let (state, units, (ri_0, ri_1)) = (r.state(n), unit_vectors(&item), random_index_shares(&item));
    let (address, mask) = (r.shares(5), r.word());
    let outcome = read(&state, &units, (ri_0, ri_1), address, mask);
    assert!(lemma_1(&state, address, &outcome));
    // The mask cancels in the result. With + rho on both sides it would stay, twice.
    let sum = outcome.read_0.wrapping_add(outcome.read_1);
    let with_equal_signs = outcome.read_1.wrapping_add(mask).wrapping_add(mask).wrapping_add(outcome.read_0);
    assert_eq!(with_equal_signs, sum.wrapping_add(mask.wrapping_mul(2)));
    // Without it, P0 receives - <zeta_0, t_1^(3)> itself, which depends on where the vector points.
    let at = |i: u64| {
        let s = reconstruct_shift(shift_share(i, ri_0, n), shift_share(0, ri_1, n), n);
        answer(&state, &shifted(&units, s), 0).0
    };
    assert_ne!(at(0), at(1));
}

/// Exercise 8.3.
#[test]
fn any_two_of_three_have_everything() {
    let mut r = Random(83);
    let (prg, h, n) = (r.prg(), 4, 16);
    for i in 0..16 {
        let (item, _) = r.item::<u64>(&prg, h);
        let (state, units, ri) = (r.state::<u64>(n), unit_vectors(&item), random_index_shares(&item));
        let address = r.shares(i);
        let heard = read(&state, &units, ri, address, r.word());
        let s = reconstruct_shift(heard.shift_0, heard.shift_1, n);
        let target = |t_0: &[u64], t_1: &[u64]| {
            let ri = add(t_0, t_1).iter().position(|word| *word == 1).unwrap_or(n);
            (ri as u64).wrapping_add(s) % 16
        };
        // P0 and P1 need not even look at vectors.
        assert_eq!(address.0.wrapping_add(address.1), i);
        // P0 and P2: the blinded copy without its blind, and both sides of DPF 3.
        let memory = add(&state.p0.memory_share, &sub(&state.p0.blinded, &state.p2.blind_1));
        assert_eq!((memory, target(&units.p0.2, &units.p1.2)), (opened(&state), i));
        // P1 and P2: the other copy, and both sides of DPF 2.
        let memory = add(&state.p1.memory_share, &sub(&state.p1.blinded, &state.p2.blind_0));
        assert_eq!((memory, target(&units.p0.1, &units.p1.1)), (opened(&state), i));
    }
}

/// Exercise 8.4.
#[test]
fn a_lie_before_the_load_asks_a_question_and_a_lie_after_it_does_not() {
    let mut r = Random(84);
    let (n, lied, error) = (8, 3, 1000);
    let (d_0, d_1, zeta_0, zeta_1) = (r.words(n), r.words(n), r.words(n), r.words(n));
    let mut false_0 = d_0.clone();
    false_0[lied] = false_0[lied].wrapping_add(error);
    let honest = shared(&d_0, &d_1, &zeta_0, &zeta_1);
    let before = shared(&false_0, &d_1, &zeta_0, &zeta_1);
    let mut after = honest.clone();
    after.p0.memory_share = false_0;
    for i in 0..n as u64 {
        let ri = r.below(n as u64);
        let units = r.units(n, ri);
        let (ri_shares, address, mask) = (r.shares(ri), r.shares(i), r.word());
        let opened = |state| {
            let outcome = read(state, &units, ri_shares, address, mask);
            outcome.read_0.wrapping_add(outcome.read_1)
        };
        let right = opened(&honest);
        // It is in P1's blinded copy too: the result is wrong just where P0 lied. Who finds out may be heard to say so.
        let expected = if i == lied as u64 { error } else { 0 };
        assert_eq!(opened(&before).wrapping_sub(right), expected);
        // It is in P0's share only: the result is wrong by what P0 can compute itself, whatever the address.
        let own = shift(&units.p0.0, i.wrapping_sub(ri));
        assert_eq!(opened(&after).wrapping_sub(right), error.wrapping_mul(own[lied]));
    }
}

/// Exercise 9.1.
#[test]
fn one_update_mod_4_by_hand() {
    // M = 1 + 2 = 3; the shares of F are 3 and 3, so the two values at ri add up to - (3 + 3) = 2.
    let (value_0, value_1) = (vec![z4(1), z4(0), z4(3), z4(2)], vec![z4(3), z4(0), z4(3), z4(2)]);
    assert_eq!(add(&value_0, &value_1), [z4(0), z4(0), z4(2), z4(0)]);
    let (unit_0, unit_1) = (vec![z4(2), z4(1), z4(0), z4(3)], vec![z4(2), z4(3), z4(1), z4(1)]);
    assert_eq!(add(&unit_0, &unit_1), unit_vector::<Z4>(4, 2));
    let word = |b: u64| message(0, z4(1 + b), (z4(3), z4(0), z4(0)));
    assert_eq!((word(0).masked_dpf_1, word(1).masked_dpf_1), (z4(0), z4(1)));
    let (f, _, _) = reconstruct_corrections(&word(0), &word(1));
    assert_eq!(f, z4(1));
    // To address 0: S = 0 - 2 = 2 mod 4.
    let (w_0, w_1) = (update_words(&value_0, &unit_0, f, 2), update_words(&value_1, &unit_1, f, 2));
    assert_eq!(add(&w_0, &w_1), [z4(3), z4(0), z4(0), z4(0)]);
}

/// Exercise 9.2.
#[test]
fn line_5_as_printed_misses() {
    let mut r = Random(9);
    let (prg, h, n) = (r.prg(), 4, 16);
    let (mut item, mut ri) = r.item(&prg, h);
    while ri % 8 == 0 {
        (item, ri) = r.item(&prg, h);
    }
    let material = update_material(&item, r.word(), r.word());
    let state = r.state(n);
    let (address, value) = (r.shares(3), r.shares(1000));
    let (ri_0, ri_1) = random_index_shares(&item);
    let as_corrected = update(&state, &material, (ri_0, ri_1), address, value).state;
    assert!(lemma_2(&opened(&state), &opened(&as_corrected), 3, 1000));
    assert!(lemma_3(&as_corrected));
    // i*_b + ri_b is i*_b - (- ri_b).
    let negated = (ri_0.wrapping_neg(), ri_1.wrapping_neg());
    let as_printed = update(&state, &material, negated, address, value).state;
    let landed = (3 + 2 * ri) % 16;
    assert_ne!(landed, 3);
    assert!(lemma_2(&opened(&state), &opened(&as_printed), landed, 1000));
}

/// Exercise 9.3.
#[test]
fn a_write_needs_one_item() {
    let mut r = Random(93);
    let (prg, h, n) = (r.prg(), 3, 8);
    for i in 0..8 {
        let (item, _) = r.item(&prg, h);
        let (ri, material) = (random_index_shares(&item), update_material(&item, r.word(), r.word()));
        let state = r.state::<u64>(n);
        let (address, value) = (r.shares(i), r.shares(777));
        let first = read(&state, &material.units, ri, address, r.word());
        let change = (value.0.wrapping_sub(first.read_0), value.1.wrapping_sub(first.read_1));
        let second = update(&state, &material, ri, address, change);
        let added = 777u64.wrapping_sub(opened(&state)[place(i)]);
        assert!(lemma_2(&opened(&state), &opened(&second.state), i, added) && lemma_3(&second.state));
        assert_eq!(opened(&second.state)[place(i)], 777);
        // The second pair of shift shares is the first again, so it need not be sent: 20 words less 4.
        assert_eq!((second.message_0.shift, second.message_1.shift), (first.shift_0, first.shift_1));
        // Only the same shares will do. With those of another address, everybody hears how far it is away.
        let other = update(&state, &material, ri, r.shares(i + 3), change);
        let s = |shares: (u64, u64)| reconstruct_shift(shares.0, shares.1, n);
        let apart =
            s((other.message_0.shift, other.message_1.shift)).wrapping_sub(s((first.shift_0, first.shift_1)));
        assert_eq!(apart % 8, 3);
    }
}
