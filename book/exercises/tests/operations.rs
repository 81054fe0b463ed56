//! Exercises 8 to 12, 16 and 19: READ, UPDATE, messages, the compressed state, two parties, crashes, what P2 knows.
#![allow(missing_docs)]

use duoram_book_exercises::{said, session, words};
use duoram_reference::local::share;
use duoram_reference::{Batch, Error, Plain, Role};
use duoram_spec::core::dealer::final_correction_share;
use duoram_spec::paper::compressed::{compress, opened as opened_compressed, updated_p0, updated_p1};
use duoram_spec::paper::lemmas::{lemma_1, lemma_2, lemma_3};
use duoram_spec::paper::memory::{opened, shared};
use duoram_spec::paper::preprocessing::{
    local_correction_shares, random_index_shares, unit_vectors, update_material, value_words_0, value_words_1,
};
use duoram_spec::paper::read::{answer, read, reconstruct_shift, shift_share, shifted};
use duoram_spec::paper::update::{
    apply, message, reconstruct_corrections, rerandomized, update, update_vectors,
};
use duoram_spec::two_party;
use duoram_vectors::Random;

/// Exercise 8.
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

/// Exercise 9.
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

/// Exercise 10.
#[test]
fn words_and_rounds_of_a_write() -> Result<(), Error> {
    for h in [1, 5, 9] {
        let mut session = session(h, 10, Plain)?;
        session.preprocess(Batch { reads: 1, updates: 1 })?;
        session.take_log();
        session.write(share(1, 77), share(5, 78))?;
        let log = session.take_log();
        assert_eq!(log.iter().map(|d| words(d).len()).sum::<usize>(), 6 + 14);
        assert_eq!(log.iter().map(|d| d.depth).max(), Some(3));
    }
    Ok(())
}

/// Exercise 11.
#[test]
fn two_vectors_are_enough() {
    let mut r = Random(11);
    let (prg, h, n) = (r.prg(), 3, 8);
    let (item, _) = r.item(&prg, h);
    let material = update_material(&item, r.word(), r.word());
    let state = r.state(n);
    let (ri_0, ri_1) = random_index_shares(&item);
    let (address, value) = (r.shares(6), r.shares(99));
    let message_0 = message(shift_share(address.0, ri_0, n), value.0, material.corrections.p0);
    let message_1 = message(shift_share(address.1, ri_1, n), value.1, material.corrections.p1);
    let s = reconstruct_shift(message_0.shift, message_1.shift, n);
    let vectors = update_vectors(&material, s, reconstruct_corrections(&message_0, &message_1));
    let after = apply(&state, &vectors);
    // DPF 1 is not used.
    let c_0 = updated_p0(&compress(&state.p0), &vectors.p0.1, &vectors.p0.2);
    let c_1 = updated_p1(&compress(&state.p1), &vectors.p1.1, &vectors.p1.2);
    assert_eq!((&c_0, &c_1), (&compress(&after.p0), &compress(&after.p1)));
    assert_eq!(c_0.combined, c_1.combined, "both primaries hold the same C");
    assert_eq!(opened_compressed(&c_0, &after.p2), opened(&after));
    // Only if the blinds fit: with a word of D~_1 changed, the two C differ.
    let mut torn = state.clone();
    torn.p0.blinded[0] = torn.p0.blinded[0].wrapping_add(1);
    assert!(!lemma_3(&torn));
    assert_ne!(compress(&torn.p0).combined, compress(&torn.p1).combined);
}

/// Exercise 12.
#[test]
fn two_parties_need_their_blinds() {
    let mut r = Random(12);
    let (d_0, d_1) = (r.words(8), r.words(8));
    let (address, queries) = (r.shares(4), (r.word(), r.word()));
    let blinds = (r.word(), r.word());
    let (read_0, read_1) = two_party::read::read((&d_0, &d_1), address, queries, blinds);
    assert_eq!(read_0.wrapping_add(read_1), d_0[4].wrapping_add(d_1[4]));
    // What P0 takes from the PIR is read_0 + r_0. With r_1 = 0 it is P1's share of the word itself.
    let (read_0, _) = two_party::read::read((&d_0, &d_1), address, queries, (blinds.0, 0));
    assert_eq!(read_0.wrapping_add(blinds.0), d_1[4]);
}

/// Exercise 16: a restart replays the same randomness. If the client does not repeat its shares, the item serves twice.
#[test]
fn a_client_that_forgets_gives_away_a_difference() -> Result<(), Error> {
    // What everybody hears of a READ: S, from a session that always starts from the same seeds.
    let heard = |address: u64, mask: u64| -> Result<[u64; 2], Error> {
        let mut session = session(4, 15, Plain)?;
        session.preprocess(Batch { reads: 1, updates: 0 })?;
        session.take_log();
        let [address_0, address_1] = share(address, mask);
        session.read([&[address_0], &[address_1]])?;
        let log = session.take_log();
        Ok([said(&log, Role::P0, Role::P2)[0], said(&log, Role::P1, Role::P2)[0]])
    };
    let (before, repeated, other) = (heard(3, 1000)?, heard(3, 1000)?, heard(11, 2000)?);
    assert_eq!(before, repeated, "the same inputs: the same words");
    let s = |shares: [u64; 2]| shares[0].wrapping_add(shares[1]) & 15;
    assert_eq!(s(other).wrapping_sub(s(before)) & 15, 11 - 3);
    Ok(())
}

/// Exercise 19.
#[test]
fn what_p2_would_compute() {
    let mut r = Random(17);
    let prg = r.prg();
    let (item, _) = r.item(&prg, 3);
    let (m_0, m_1) = r.shares(123_456);
    // From the two keys that it holds.
    let f_0_2 = final_correction_share(&value_words_0::<u64>(&item.dpf_2));
    let f_1_3 = final_correction_share(&value_words_1::<u64>(&item.dpf_3));
    let printed = update_material(&item, 0, 0).corrections;
    let values = duoram_spec::paper::preprocessing::value_vectors::<u64>(&item);
    assert_eq!(printed, local_correction_shares(&values));
    let guess = |corrections: duoram_spec::paper::update::CorrectionShares<u64>| {
        let (to_p2_0, to_p2_1) = (message(0, m_0, corrections.p0), message(0, m_1, corrections.p1));
        to_p2_0.masked_dpf_2.wrapping_sub(f_0_2).wrapping_add(to_p2_1.masked_dpf_3.wrapping_sub(f_1_3))
    };
    assert_eq!(guess(printed), 123_456);
    let (delta_2, delta_3) = (r.word(), r.word());
    let off = delta_2.wrapping_sub(delta_3);
    assert_eq!(guess(rerandomized(&printed, delta_2, delta_3)), 123_456u64.wrapping_add(off));
    // A memory that is loaded needs blinds too: without them P0 is sent P1's share.
    let (d_0, d_1, zero) = (r.words(4), r.words(4), vec![0; 4]);
    assert_eq!(shared::<u64>(&d_0, &d_1, &zero, &zero).p0.blinded, d_1);
}
