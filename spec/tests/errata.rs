//! What is wrong in the paper: for each item the printed formula fails and the corrected one holds. The numbers are those
//! of the ERRATA.md.
#![allow(missing_docs)]

use duoram_spec::core::block::{Block, flag, replicate};
use duoram_spec::core::dealer::generate;
use duoram_spec::core::distributed_gen::{Input, child_sums, distributed_generation};
use duoram_spec::core::dpf::{Key, address_bits, eval_full, signed_flags, value_words};
use duoram_spec::core::du_atallah::{
    AndTriple, DotTriple, and_message, and_share, and_triples, dot_message, dot_share, dot_triples,
};
use duoram_spec::core::lemmas::leaves_point_at;
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{add, at, dot, scale, shift, sub, unit_vector, zeros};
use duoram_spec::paper::conversion::{random_index_share, unit_share};
use duoram_spec::paper::lemmas::{lemma_1, lemma_2, lemma_3};
use duoram_spec::paper::memory::{opened, shared};
use duoram_spec::paper::preprocessing::{random_index_shares, unit_vectors, update_material};
use duoram_spec::paper::read::{read, shifted};
use duoram_spec::paper::session::{connect, load, preprocess, reads, updates};
use duoram_spec::paper::update::{apply, reconstruct_corrections, update, update_vectors, updated_p0};
use duoram_vectors::Random;

const CASES: u64 = 200;

fn and_opens(r: &mut Random, triples: (AndTriple, AndTriple)) -> bool {
    let (x_0, x_1, y_0, y_1) = (r.block(), r.block(), r.block(), r.block());
    let z_0 = and_share(x_0, y_0, &triples.0, and_message(x_1, y_1, &triples.1));
    let z_1 = and_share(x_1, y_1, &triples.1, and_message(x_0, y_0, &triples.0));
    z_0 ^ z_1 == (x_0 ^ x_1) & (y_0 ^ y_1)
}

fn dot_opens(r: &mut Random, n: usize, triples: &(DotTriple<u64>, DotTriple<u64>)) -> bool {
    let (x_0, x_1, y_0, y_1) = (r.words(n), r.words(n), r.words(n), r.words(n));
    let (mx_0, my_0) = dot_message(&x_0, &y_0, &triples.0);
    let (mx_1, my_1) = dot_message(&x_1, &y_1, &triples.1);
    let z_0 = dot_share(&x_0, &y_0, &triples.0, &mx_1, &my_1);
    let z_1 = dot_share(&x_1, &y_1, &triples.1, &mx_0, &my_0);
    z_0.wrapping_add(z_1) == dot(&add(&x_0, &x_1), &add(&y_0, &y_1))
}

#[test]
fn erratum_1_definition_4_and_triples() {
    let mut r = Random(1);
    for _ in 0..CASES {
        let (x_0, x_1, y_0, y_1, t) = (r.block(), r.block(), r.block(), r.block(), r.block());
        let printed = (
            AndTriple { x: x_0, y: y_0, z: (x_0 & y_0) ^ t },
            AndTriple { x: x_1, y: y_1, z: (x_1 & y_1) ^ t },
        );
        assert!(!and_opens(&mut r, printed));
        assert!(and_opens(&mut r, and_triples(x_0, x_1, y_0, y_1, t)));
    }
}

#[test]
fn erratum_2_definition_5_dot_product_triples() {
    let mut r = Random(2);
    for _ in 0..CASES {
        let n = 5;
        let (x_0, x_1, y_0, y_1, t) = (r.words(n), r.words(n), r.words(n), r.words(n), r.word());
        let printed = (
            DotTriple { x: x_0.clone(), y: y_0.clone(), z: dot(&x_0, &y_0).wrapping_add(t) },
            DotTriple { x: x_1.clone(), y: y_1.clone(), z: dot(&x_1, &y_0).wrapping_sub(t) },
        );
        assert!(!dot_opens(&mut r, n, &printed));
        assert!(dot_opens(&mut r, n, &dot_triples(&x_0, &x_1, &y_0, &y_1, t)));
    }
}

/// App. A's OT protocol gives P0 what the dealer gives P1 and the other way round; both kinds of triples work.
#[test]
fn erratum_3_ot_triples_are_swapped_and_work() {
    let mut r = Random(3);
    for _ in 0..CASES {
        let (x_0, x_1, y_0, y_1) = (r.block(), r.block(), r.block(), r.block());
        let (t_0, t_1) = (r.block(), r.block());
        let ot_0 = AndTriple { x: x_0, y: y_0, z: (x_1 & y_0) ^ t_1 ^ t_0 };
        let ot_1 = AndTriple { x: x_1, y: y_1, z: (x_0 & y_1) ^ t_0 ^ t_1 };
        let dealt = and_triples(x_0, x_1, y_0, y_1, t_0 ^ t_1);
        assert_eq!((ot_0.z, ot_1.z), (dealt.1.z, dealt.0.z));
        assert!(and_opens(&mut r, (ot_0, ot_1)));
        assert!(and_opens(&mut r, dealt));
    }
}

/// Section 2.1.1 forgets the flag corrections, and has `v_0 xor v_1 = M e` before F is applied.
#[test]
fn erratum_4_a_key_needs_flag_corrections_and_f() {
    let mut r = Random(4);
    for _ in 0..20 {
        let prg = r.prg();
        let target = r.below(16);
        let (key_0, key_1) = generate(&prg, target, 4, r.block(), r.block());
        let without = |key: &Key| {
            let mut key = key.clone();
            for c in &mut key.corrections {
                (c.left_flag, c.right_flag) = (false, false);
            }
            key
        };
        let (full_0, full_1) = (eval_full(&prg, &key_0), eval_full(&prg, &key_1));
        assert!(leaves_point_at(&full_0, &full_1, target));
        assert!(!leaves_point_at(
            &eval_full(&prg, &without(&key_0)),
            &eval_full(&prg, &without(&key_1)),
            target
        ));
        // The words at the target are unrelated to any chosen M: here none of them is M = 1.
        let e: Vec<u64> = unit_vector(16, usize::try_from(target).unwrap());
        let v = add(&value_words::<u64>(Primary::P0, &full_0), &value_words(Primary::P1, &full_1));
        assert_ne!(v, e);
    }
}

/// The caption has P1 add `v_1^(2)` to `D~_0 + v_1^(1)`; P1 subtracts `v_1^(1)`, as the text of section 3.1.2 says.
#[test]
fn erratum_5_caption_of_figure_4() {
    let mut r = Random(5);
    for _ in 0..CASES {
        let n = 4;
        let state = r.state::<u64>(n);
        let (target, m) = (r.below(4), r.word());
        let vectors = r.update_vectors(n, target, m);
        let after = apply(&state, &vectors);
        let mut printed = after.clone();
        printed.p1.blinded = add(&add(&state.p1.blinded, &vectors.p1.0), &vectors.p1.1);
        assert!(lemma_3(&after) && !lemma_3(&printed));
    }
}

#[test]
fn erratum_6_fifth_line_of_the_proof_of_lemma_1() {
    let mut r = Random(6);
    for _ in 0..CASES {
        let n = 4;
        let state = r.state::<u64>(n);
        let target = r.below(4);
        let units = r.units::<u64>(n, target);
        let e = unit_vector::<u64>(n, usize::try_from(target).unwrap());
        let (zeta_0, zeta_1) = (&state.p0.blind, &state.p1.blind);
        let start = dot(&opened(&state), &e).wrapping_add(dot(zeta_1, &e)).wrapping_add(dot(zeta_0, &e));
        let line = |third: &[u64]| {
            [dot(zeta_0, &units.p0.2), dot(zeta_1, &units.p1.1), dot(zeta_0, third), dot(zeta_1, &units.p0.1)]
                .iter()
                .fold(start, |s, term| s.wrapping_sub(*term))
        };
        let word = dot(&opened(&state), &e);
        assert_ne!(line(&units.p0.2), word, "as printed");
        assert_eq!(line(&units.p1.2), word, "with t_1^(3)");
    }
}

/// Lemmas 2 to 5 and the 2-party READ are right as printed: they are tested in `lemmas.rs`. Here: READ's formulas.
#[test]
fn erratum_7_read_is_right_as_printed() {
    let mut r = Random(7);
    for _ in 0..CASES {
        let state = r.state::<u64>(8);
        let units = r.units::<u64>(8, 5);
        let (ri, address) = (r.shares(5), r.shares(2));
        assert!(lemma_1(&state, address, &read(&state, &units, ri, address, r.word())));
    }
}

#[test]
fn erratum_8_protocol_2_signs_and_names() {
    let mut r = Random(8);
    let n = 8;
    for _ in 0..20 {
        let prg = r.prg();
        let state = r.state::<u64>(n);
        let (item, ri) = r.item::<u64>(&prg, 3);
        let material = update_material(&item, r.word(), r.word());
        let (ri_0, ri_1) = random_index_shares(&item);
        let target = r.below(8);
        let (address, m) = (r.shares(target), (r.word(), r.word()));
        let total = m.0.wrapping_add(m.1);
        let right = update(&state, &material, (ri_0, ri_1), address, m);
        assert!(lemma_2(&opened(&state), &opened(&right.state), target, total));
        assert!(lemma_3(&right.state));

        // Lines 5 and 7 as printed, with i* + ri: the update lands on i* + 2 ri.
        let negated = (ri_0.wrapping_neg(), ri_1.wrapping_neg());
        let printed = update(&state, &material, negated, address, m).state;
        let landed = target.wrapping_add(ri.wrapping_mul(2)) & 7;
        assert!(lemma_2(&opened(&state), &opened(&printed), landed, total));

        // The header's invariant, D'_0 = D_0 + zeta'_0, does not hold; D~'_0 = D'_0 + zeta'_0 does.
        assert_ne!(right.state.p0.memory_share, add(&state.p0.memory_share, &right.state.p0.blind));
        assert_eq!(right.state.p1.blinded, add(&right.state.p0.memory_share, &right.state.p0.blind));

        // Lines 8 and 9 call the vector that P0 holds D~_0: taken literally, P0 would start from P1's vector.
        let s = right.message_0.shift.wrapping_add(right.message_1.shift) & 7;
        let f = reconstruct_corrections(&right.message_0, &right.message_1);
        let (w_1, w_2, w_3) = update_vectors(&material, s, f).p0;
        let mut literal = state.p0.clone();
        literal.blinded.clone_from(&state.p1.blinded);
        assert_eq!(updated_p0(&state.p0, &w_1, &w_2, &w_3), right.state.p0);
        assert_ne!(updated_p0(&literal, &w_1, &w_2, &w_3).blinded, right.state.p0.blinded);
    }
}

/// `t[i] <- t[i - S]` done in place smears the words that are overwritten first.
#[test]
fn erratum_9_the_shift_is_simultaneous() {
    let in_place = |t: &[u64], s: usize| {
        let mut t = t.to_vec();
        for i in 0..t.len() {
            t[i] = t[(i + t.len() - s) % t.len()];
        }
        t
    };
    let t = vec![10, 11, 12, 13];
    assert_eq!(shift(&t, 1), vec![13, 10, 11, 12]);
    assert_eq!(in_place(&t, 1), vec![13, 13, 13, 13]);
}

/// App. C fed with additive shares of ri builds a DPF for another target, most of the time.
#[test]
fn erratum_10_app_c_needs_xor_shares_most_significant_bit_first() {
    let mut r = Random(10);
    let (log_size, cases) = (6, 100);
    let run = |r: &mut Random, bits_0: Vec<bool>, bits_1: Vec<bool>| {
        let triples = r.dpf_triples::<u64>(log_size);
        let prg = r.prg();
        let input_0 = Input { target_bits: bits_0, root: r.block(), triples: triples.and_0 };
        let input_1 = Input { target_bits: bits_1, root: r.block(), triples: triples.and_1 };
        distributed_generation(&prg, &input_0, &input_1)
    };
    let (mut wrong, mut wrong_order) = (0, 0);
    for _ in 0..cases {
        let (ri, share) = (r.below(64), r.below(64));
        let (msb, additive) = (address_bits(share, log_size), ri.wrapping_sub(share) & 63);
        let xor = run(&mut r, msb.clone(), address_bits(ri ^ share, log_size));
        assert!(leaves_point_at(&xor.labels_0, &xor.labels_1, ri));
        let sum = run(&mut r, msb.clone(), address_bits(additive, log_size));
        wrong += u32::from(!leaves_point_at(&sum.labels_0, &sum.labels_1, ri));
        let reversed = |bits: Vec<bool>| bits.into_iter().rev().collect();
        let lsb = run(&mut r, reversed(msb), reversed(address_bits(ri ^ share, log_size)));
        wrong_order += u32::from(!leaves_point_at(&lsb.labels_0, &lsb.labels_1, ri));
    }
    assert!(wrong > 60, "additive shares hit a wrong target {wrong} times in {cases}");
    assert!(wrong_order > 60, "least significant bit first: {wrong_order} times in {cases}");
}

/// The printed `cw`, with two ANDs, equals `(i and (L xor R)) xor R`, and step 5 takes the children before correction.
#[test]
fn erratum_11_one_and_a_level_gives_cw() {
    let mut r = Random(11);
    for _ in 0..CASES {
        let (i, l, rr): (Block, Block, Block) = (replicate(r.bit()), r.block(), r.block());
        assert_eq!((i & l) ^ (!i & rr), (i & (l ^ rr)) ^ rr);
    }
    // With step 6 before step 5, the flags come from the children after correction, and stop pointing at the target.
    let prg = r.prg();
    let mut failures = 0;
    for _ in 0..50 {
        let target = r.below(2);
        let (key_0, key_1) = generate(&prg, target, 1, r.block(), r.block());
        let flags_after = |key: &Key| {
            let c = &key.corrections[0];
            let sums = child_sums(&prg, &[key.root]);
            // cw as App. C has it: with its lowest bit, that of the child off the path.
            let lost_flag = if target == 1 { c.left_flag } else { c.right_flag };
            let corrected = |child: Block, cwt: bool| {
                let t = flag(key.root);
                flag(child) ^ (t & lost_flag) ^ (t & cwt)
            };
            [corrected(sums.left, c.left_flag), corrected(sums.right, c.right_flag)]
        };
        let (t_0, t_1) = (flags_after(&key_0), flags_after(&key_1));
        let points = [t_0[0] ^ t_1[0], t_0[1] ^ t_1[1]] == [target == 0, target == 1];
        failures += u32::from(!points);
    }
    assert!(failures > 10, "step 6 before step 5 failed {failures} times in 50");
}

/// Three things are called F: the shares for the value zero, the opened word of UPDATE, and App. D's auxiliary.
#[test]
fn erratum_12_the_three_meanings_of_f_differ() {
    let mut r = Random(12);
    let prg = r.prg();
    let (item, ri) = r.item::<u64>(&prg, 3);
    let material = update_material(&item, r.word(), r.word());
    let m = r.word();
    let zero_value = material.corrections.p0.0.wrapping_add(material.corrections.p1.0);
    let opened_word = m.wrapping_add(zero_value);
    let dpf = &item.dpf_1.generation;
    let auxiliary =
        [(Primary::P0, &dpf.labels_0), (Primary::P1, &dpf.labels_1)].iter().fold(0u64, |f, (b, labels)| {
            f.wrapping_add(duoram_spec::paper::conversion::conversion_correction_share(*b, labels))
        });
    let result = |f: u64| {
        let t = add(&material.units.p0.0, &material.units.p1.0);
        add(&add(&material.values.p0.0, &material.values.p1.0), &scale(f, &t))
    };
    let e: Vec<u64> = unit_vector(8, usize::try_from(ri).unwrap());
    assert_eq!(result(zero_value), zeros::<u64>(8));
    assert_eq!(result(opened_word), scale(m, &e));
    assert_ne!(result(auxiliary), zeros::<u64>(8));
}

/// App. D: flags as words and flags as bits are different vectors, and P2 needs the conversion factor.
#[test]
fn erratum_13_p2_cannot_convert_without_the_opened_values() {
    let mut r = Random(13);
    let prg = r.prg();
    let (item, ri) = r.item::<u64>(&prg, 3);
    let e: Vec<u64> = unit_vector(8, usize::try_from(ri).unwrap());
    let dpf = &item.dpf_2;
    let p1 = unit_share::<u64>(Primary::P1, &dpf.generation.labels_1, dpf.conversion.factor);
    let with_factor = unit_share::<u64>(Primary::P0, &dpf.generation.labels_0, dpf.conversion.factor);
    let without = unit_share::<u64>(Primary::P0, &dpf.generation.labels_0, 1);
    assert_eq!(add(&with_factor, &p1), e);
    assert_ne!(add(&without, &p1), e);
    // As words, with P1's negated, the flags add up to plus or minus e; the sign decides.
    let words = add(
        &signed_flags::<u64>(Primary::P0, &dpf.generation.labels_0),
        &signed_flags(Primary::P1, &dpf.generation.labels_1),
    );
    assert!(words == e || words == sub(&zeros(8), &e));
}

/// Table 2 against the artifact: READ sends 6 words over all links, UPDATE 14, so two of each 320 bytes.
#[test]
fn erratum_14_read_and_update_send_twenty_words() {
    let mut r = Random(14);
    for log_size in [1, 3, 5] {
        let n = 1 << log_size;
        let (w_0, w_1, w_2) = (r.words(n + 100), r.words(n + 100), r.words(2000));
        let session = connect(log_size, &w_0, &w_1, &w_2).session;
        let session = load(session, &r.words(n), &r.words(n)).session;
        let session = preprocess(session, 1, 1).session;
        let step = reads(session, &[(r.word(), r.word())]);
        let bytes = |step: &duoram_spec::paper::session::Step| {
            step.sent.iter().map(|m| m.payload.len()).sum::<usize>()
        };
        assert_eq!(bytes(&step), 6 * 8);
        let query = duoram_spec::paper::session::UpdateQuery {
            address: (r.word(), r.word()),
            value: (r.word(), r.word()),
        };
        assert_eq!(bytes(&updates(step.session, &[query])), 14 * 8);
    }
}

/// A memory that is not zero needs blinds that are not zero: else the blinded share is the share.
#[test]
fn loading_a_memory_needs_blinds() {
    let mut r = Random(15);
    let (d_0, d_1) = (r.words(4), r.words(4));
    let bare = shared(&d_0, &d_1, &zeros(4), &zeros(4));
    assert_eq!(bare.p0.blinded, d_1, "P0 would hold P1's share");
    let blinded = shared(&d_0, &d_1, &r.words(4), &r.words(4));
    assert_ne!(blinded.p0.blinded, d_1);
    assert!(lemma_3(&bare) && lemma_3(&blinded));
}

/// The unit vectors move with the shift, all six of them.
#[test]
fn shifted_units_point_at_the_address() {
    let mut r = Random(16);
    let units = r.units::<u64>(8, 3);
    let moved = shifted(&units, 7);
    assert!(duoram_spec::paper::lemmas::units_point_at(&moved, 8, 2));
    assert_eq!(at(&moved.p0.1, 2, 0), units.p0.1[3]);
    let real = {
        let prg = r.prg();
        r.item::<u64>(&prg, 3)
    };
    assert_eq!(random_index_share(&unit_vectors(&real.0).p0.0), random_index_shares(&real.0).0);
}
