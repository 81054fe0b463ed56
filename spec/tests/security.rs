//! The security points: for each, what a party would learn if an implementation did it the wrong way, and that it learns
//! nothing of the kind when it is done right. Distributions are compared exhaustively in `privacy.rs`.
#![allow(missing_docs)]

use duoram_spec::core::block::{Block, clear_flag, flag, replicate};
use duoram_spec::core::dealer::final_correction_share;
use duoram_spec::core::distributed_gen::ChildSums;
use duoram_spec::core::dpf::value_words;
use duoram_spec::core::share::{Primary, signed_vector};
use duoram_spec::paper::conversion::{conversion_correction_share, random_index_share, sign_share};
use duoram_spec::paper::preprocessing::{
    DpfTriples, local_correction_shares, prepare, random_index_shares, unit_vectors, update_material,
    value_vectors,
};
use duoram_spec::paper::read::shift_share;
use duoram_spec::paper::update::{UpdateMessage, message, rerandomized};
use duoram_vectors::Random;

const CASES: u32 = 400;

/// Signed words taken from the low half, where the flag is.
fn low_words(party: Primary, labels: &[Block]) -> Vec<u64> {
    let words: Vec<u64> = labels.iter().map(|label| duoram_spec::core::block::low_half(*label)).collect();
    signed_vector(party, &words)
}

/// If the value word held the leaf's lowest bit, the opened F would give away the lowest bit of M.
#[test]
fn the_lowest_bit_of_a_leaf_must_not_be_in_the_value_word() {
    let mut r = Random(1);
    let (mut guessed_low, mut guessed_high) = (0, 0);
    for _ in 0..CASES {
        let prg = r.prg();
        let (item, _) = r.item::<u64>(&prg, 2);
        let (labels_0, labels_1) = (&item.dpf_1.generation.labels_0, &item.dpf_1.generation.labels_1);
        let m = r.word();
        let opened = |w_0: &[u64], w_1: &[u64]| {
            m.wrapping_add(final_correction_share(w_0)).wrapping_add(final_correction_share(w_1))
        };
        // The flags at the target differ, so the two words add up to an odd number: M + F is M + 1 mod 2.
        let low = opened(&low_words(Primary::P0, labels_0), &low_words(Primary::P1, labels_1));
        let high = opened(&value_words(Primary::P0, labels_0), &value_words(Primary::P1, labels_1));
        guessed_low += u32::from((low ^ 1) & 1 == m & 1);
        guessed_high += u32::from((high ^ 1) & 1 == m & 1);
    }
    assert_eq!(guessed_low, CASES, "with the lowest bit in the word, every guess is right");
    assert!((CASES / 3..2 * CASES / 3).contains(&guessed_high), "without it, {guessed_high} of {CASES}");
}

/// App. C as printed opens `cw` with its lowest bit. It equals cwt_R if the address bit is 0 and cwt_L if it is 1.
#[test]
fn the_lowest_bit_of_cw_must_not_be_opened() {
    let mut r = Random(2);
    let (mut told, mut right) = (0, 0);
    for _ in 0..CASES {
        let bit = r.bit();
        let sums = ChildSums { left: r.block(), right: r.block() };
        let (l, rr) = (sums.left, sums.right);
        let (cwt_l, cwt_r) = (flag(l) ^ bit ^ true, flag(rr) ^ bit);
        let printed = (replicate(bit) & (l ^ rr)) ^ rr;
        assert_eq!(flag(printed), if bit { cwt_l } else { cwt_r });
        if cwt_l != cwt_r {
            told += 1;
            right += u32::from((flag(printed) == cwt_l) == bit);
        }
        let cleared = (replicate(bit) & (clear_flag(l) ^ clear_flag(rr))) ^ clear_flag(rr);
        assert!(!flag(cleared) && clear_flag(printed) == cleared);
    }
    assert!(told > CASES / 3 && right == told, "{told} bits of {CASES} are told, {right} of them right");
    // And the keys that the real protocol makes have no such bit.
    let prg = r.prg();
    let (item, _) = r.item::<u64>(&prg, 6);
    assert!(item.dpf_1.generation.key_0.corrections.iter().all(|c| !flag(c.word)));
}

/// Unreduced, `i*_b - ri_b` with a small ri_b leaves at most n candidates for the share i*_b; reduced, it is uniform.
#[test]
fn shift_shares_are_reduced_before_they_are_sent() {
    let n = 16usize;
    let mut r = Random(3);
    let mut seen = [0u32; 16];
    for _ in 0..1600 {
        let (address_share, random_index_share) = (r.word(), r.below(n as u64));
        let unreduced = address_share.wrapping_sub(random_index_share);
        assert!(address_share.wrapping_sub(unreduced) < n as u64, "the share is within n of what was sent");
        let sent = shift_share(address_share, random_index_share, n);
        assert!(sent < n as u64);
        seen[usize::try_from(sent).unwrap()] += 1;
    }
    assert!(seen.iter().all(|count| (50..200).contains(count)), "{seen:?}");
}

/// If M is opened with the F that App. D used, M is one of two values: `(F - 1) pm` is public.
#[test]
fn app_d_needs_a_word_that_is_opened_nowhere_else() {
    let mut r = Random(4);
    let mut hit_other_lane = 0;
    for _ in 0..CASES {
        let prg = r.prg();
        let (item, _) = r.item::<u64>(&prg, 2);
        let (labels_0, labels_1) = (&item.dpf_1.generation.labels_0, &item.dpf_1.generation.labels_1);
        let m = r.word();
        let f = conversion_correction_share::<u64>(Primary::P0, labels_0)
            .wrapping_add(conversion_correction_share(Primary::P1, labels_1));
        let pm = sign_share::<u64>(Primary::P0, labels_0).wrapping_add(sign_share(Primary::P1, labels_1));
        // Public: the factor A = (1 - F) pm.
        let factor = item.dpf_1.conversion.factor;
        assert_eq!(factor, 1u64.wrapping_sub(f).wrapping_mul(pm));
        let candidates = |opened: u64| {
            [1u64, u64::MAX].map(|s| opened.wrapping_sub(1u64.wrapping_sub(factor.wrapping_mul(s))))
        };
        assert!(candidates(m.wrapping_add(f)).contains(&m), "the same F: M is one of two values");
        let value_f = final_correction_share(&value_words::<u64>(Primary::P0, labels_0))
            .wrapping_add(final_correction_share(&value_words::<u64>(Primary::P1, labels_1)));
        hit_other_lane += u32::from(candidates(m.wrapping_add(value_f)).contains(&m));
    }
    assert_eq!(hit_other_lane, 0, "another lane of the same leaf tells nothing about M");
}

/// Two operations with one DPF: the difference of the addresses, and of the updates, is public.
#[test]
fn reusing_a_dpf_reveals_differences() {
    let mut r = Random(5);
    let prg = r.prg();
    let (item, _) = r.item::<u64>(&prg, 4);
    let material = update_material(&item, r.word(), r.word());
    let (ri_0, ri_1) = random_index_shares(&item);
    let mut send = |i: u64, m: u64| -> (u64, u64) {
        let (address, share) = (r.shares(i), r.word());
        let m_0 = message(shift_share(address.0, ri_0, 16), share, material.corrections.p0);
        let m_1 = message(shift_share(address.1, ri_1, 16), m.wrapping_sub(share), material.corrections.p1);
        (m_0.shift.wrapping_add(m_1.shift) & 15, m_0.masked_dpf_1.wrapping_add(m_1.masked_dpf_1))
    };
    let (first, second) = (send(3, 1000), send(9, 1234));
    assert_eq!(second.0.wrapping_sub(first.0) & 15, 6);
    assert_eq!(second.1.wrapping_sub(first.1), 234);
}

/// P2 holds k_0^(2) and k_1^(3), so it knows F_0^(2) and F_1^(3). With the shares as the paper defines them, what line 5 of
/// Protocol 2 sends it gives M; with fresh shares it does not.
#[test]
fn p2_would_learn_m_without_fresh_shares_of_f() {
    let mut r = Random(6);
    let mut learnt_fresh = 0;
    for _ in 0..CASES {
        let prg = r.prg();
        let (item, _) = r.item::<u64>(&prg, 2);
        let values = value_vectors(&item);
        let printed = local_correction_shares(&values);
        let (m_0, m_1) = (r.word(), r.word());
        // What P2 can compute by itself from its two keys.
        let known_0 =
            final_correction_share(&value_words::<u64>(Primary::P0, &item.dpf_2.generation.labels_0));
        let known_1 =
            final_correction_share(&value_words::<u64>(Primary::P1, &item.dpf_3.generation.labels_1));
        let guess = |to_p2_from_0: &UpdateMessage<u64>, to_p2_from_1: &UpdateMessage<u64>| {
            to_p2_from_0
                .masked_dpf_2
                .wrapping_sub(known_0)
                .wrapping_add(to_p2_from_1.masked_dpf_3.wrapping_sub(known_1))
        };
        let m = m_0.wrapping_add(m_1);
        assert_eq!(guess(&message(0, m_0, printed.p0), &message(0, m_1, printed.p1)), m, "as printed");
        let fresh = rerandomized(&printed, r.word(), r.word());
        learnt_fresh += u32::from(guess(&message(0, m_0, fresh.p0), &message(0, m_1, fresh.p1)) == m);
    }
    assert_eq!(learnt_fresh, 0);
}

/// Index shares made from DPF 2 or 3 are known to P2, which then learns a share of the address from the shift share.
#[test]
fn index_shares_come_from_the_dpf_that_p2_does_not_know() {
    let mut r = Random(7);
    let (mut wrong_dpf, mut right_dpf) = (0, 0);
    for _ in 0..CASES {
        let prg = r.prg();
        let (item, _) = r.item::<u64>(&prg, 6);
        let units = unit_vectors(&item);
        let i_0 = r.below(64);
        // P2's own computation, from t_0^(2).
        let guess = random_index_share(&units.p0.1);
        let recovered = |sent: u64| sent.wrapping_add(guess) & 63;
        wrong_dpf += u32::from(recovered(shift_share(i_0, random_index_share(&units.p0.1), 64)) == i_0);
        right_dpf += u32::from(recovered(shift_share(i_0, random_index_shares(&item).0, 64)) == i_0);
    }
    assert_eq!(wrong_dpf, CASES);
    assert!(right_dpf < CASES / 16, "{right_dpf} of {CASES}");
}

/// P2 deals the triples, so it can take off the masks of App. C: if it hears what P0 and P1 say to each other, it has ri, and
/// with the shift the address. With other triples the same computation finds it no more often than chance.
#[test]
fn p2_would_learn_the_address_from_the_links_between_the_primaries() {
    let mut r = Random(8);
    let (mut with_triples, mut without) = (0, 0);
    for _ in 0..CASES {
        let prg = r.prg();
        let (p0, p1) = (r.primary::<u64>(), r.primary::<u64>());
        let (dealt, guessed) = (r.dpf_triples(6), r.dpf_triples(6));
        let item = prepare(&prg, 6, &p0, &p1, (&dealt, &r.dpf_triples(6), &r.dpf_triples(6)));
        let address = r.below(64);
        let (i_0, i_1) = r.shares(address);
        let (ri_0, ri_1) = random_index_shares(&item);
        // What P2 is sent in both protocols, line 5.
        let shift = shift_share(i_0, ri_0, 64).wrapping_add(shift_share(i_1, ri_1, 64));
        let heard = &item.dpf_1.generation.messages;
        let with = |triples: &DpfTriples<u64>| {
            let masks = triples.and_0.iter().zip(&triples.and_1).map(|(t_0, t_1)| flag(t_0.x ^ t_1.x));
            let ri = heard.iter().zip(masks).fold(0, |ri, (level, mask)| {
                let bit = level.operands_0.masked_bit ^ level.operands_1.masked_bit ^ mask;
                2 * ri + u64::from(bit)
            });
            u32::from(shift.wrapping_add(ri) & 63 == address)
        };
        with_triples += with(&dealt);
        without += with(&guessed);
    }
    assert_eq!(with_triples, CASES);
    assert!(without < CASES / 16, "{without} of {CASES}");
}

/// READs and UPDATEs do not commute, so all parties need one order of them; UPDATEs among themselves do.
#[test]
fn order_of_reads_and_updates_matters() {
    use duoram_spec::core::ideal::{Operation, step};
    let memory = [5u64, 6];
    let update = |address, delta| Operation::Update { address, delta };
    let read = Operation::Read { address: 0 };
    let (after, _) = step(&memory, &update(0, 1));
    assert_ne!(step(&after, &read).1, step(&memory, &read).1);
    let other = step(&step(&memory, &update(0, 2)).0, &update(0, 1)).0;
    assert_eq!(step(&after, &update(0, 2)).0, other);
}
