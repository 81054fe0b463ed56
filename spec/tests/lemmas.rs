//! The lemmas of the paper, on random inputs, for 64-bit and for 2-bit words.
#![allow(missing_docs)]

use duoram_spec::core::dealer::{
    deferred_final_correction, eval_value, generate, generate_value, leaf_value,
};
use duoram_spec::core::distributed_gen::{Input, distributed_generation};
use duoram_spec::core::dpf::{Correction, address_bits, eval, eval_full, left_child, right_child};
use duoram_spec::core::du_atallah::{
    and_message, and_share, and_triples, dot_message, dot_share, dot_triples, product_share, product_triples,
};
use duoram_spec::core::lemmas::leaves_point_at;
use duoram_spec::core::prg::Prg;
use duoram_spec::core::ring::{Ring, Z4};
use duoram_spec::core::share::{Primary, additive_open, additive_shares, xor_open, xor_shares};
use duoram_spec::core::vector::{add, dot, scale, shift, unit_vector};
use duoram_spec::paper::compressed::compress;
use duoram_spec::paper::conversion::{convert, unit_share};
use duoram_spec::paper::lemmas::{
    corrections_fit, lemma_1, lemma_2, lemma_3, lemma_3_compressed, lemma_5, refines_read, refines_update,
    units_point_at, vectors_agree,
};
use duoram_spec::paper::memory::{initial, opened};
use duoram_spec::paper::preprocessing::{random_index_shares, unit_vectors, update_material};
use duoram_spec::paper::read::read;
use duoram_spec::paper::update::{WriteMaterial, apply, update, write};
use duoram_spec::two_party::lemmas::lemma_4;
use duoram_vectors::Random;
use proptest::prelude::*;

fn lemma_1_ideal<W: Ring>(seed: u64, log_size: usize) -> bool {
    let mut random = Random(seed);
    let n = 1 << log_size;
    let state = random.state::<W>(n);
    let ri = random.below(n as u64);
    let units = random.units(n, ri);
    let target = random.below(n as u64);
    let (ri_shares, address) = (random.shares(ri), random.shares(target));
    let mask = random.ring();
    let outcome = read(&state, &units, ri_shares, address, mask);
    units_point_at(&units, n, ri) && lemma_1(&state, address, &outcome)
}

fn lemmas_2_and_3_ideal<W: Ring>(seed: u64, log_size: usize) -> bool {
    let mut random = Random(seed);
    let n = 1 << log_size;
    let before = random.state::<W>(n);
    let (target, m) = (random.below(n as u64), random.ring::<W>());
    let vectors = random.update_vectors(n, target, m);
    let point = scale(m, &unit_vector(n, usize::try_from(target).unwrap()));
    let after = apply(&before, &vectors);
    vectors_agree(&vectors, &point)
        && lemma_3(&before)
        && lemma_2(&opened(&before), &opened(&after), target, m)
        && lemma_3(&after)
}

fn lemma_5_real<W: Ring>(seed: u64, log_size: usize) -> bool {
    let mut random = Random(seed);
    let prg = random.prg();
    let (item, target) = random.item::<W>(&prg, log_size);
    [&item.dpf_1, &item.dpf_2, &item.dpf_3]
        .iter()
        .all(|dpf| lemma_5(&dpf.generation.labels_0, &dpf.generation.labels_1, &dpf.conversion, target))
        && units_point_at(&unit_vectors(&item), 1 << log_size, target)
}

/// A READ, an UPDATE and a WRITE with nothing idealized but the PRG's key.
fn whole_operations<W: Ring>(seed: u64, log_size: usize) {
    let mut random = Random(seed);
    let n: usize = 1 << log_size;
    let prg = random.prg();
    let state = random.state::<W>(n);
    let target = random.below(n as u64);

    let (item, ri) = random.item::<W>(&prg, log_size);
    let (ri_0, ri_1) = random_index_shares(&item);
    assert_eq!(ri_0.wrapping_add(ri_1) & (n as u64 - 1), ri, "additive index");
    let address = random.shares(target);
    let outcome = read(&state, &unit_vectors(&item), (ri_0, ri_1), address, random.ring());
    assert!(lemma_1(&state, address, &outcome), "Lemma 1");

    let (item, ri) = random.item::<W>(&prg, log_size);
    let material = update_material(&item, random.ring(), random.ring());
    assert!(corrections_fit(&material, ri));
    let (m_0, m_1) = (random.ring::<W>(), random.ring::<W>());
    let after =
        update(&state, &material, random_index_shares(&item), random.shares(target), (m_0, m_1)).state;
    assert!(lemma_2(&opened(&state), &opened(&after), target, m_0.plus(m_1)), "Lemma 2");
    assert!(lemma_3(&after), "Lemma 3");

    let (first, _) = random.item::<W>(&prg, log_size);
    let (second, _) = random.item::<W>(&prg, log_size);
    let material = WriteMaterial {
        units: unit_vectors(&first),
        read_random_index_shares: random_index_shares(&first),
        update: update_material(&second, random.ring(), random.ring()),
        update_random_index_shares: random_index_shares(&second),
    };
    let (_, written) = write(&after, &material, random.shares(target), (m_0, m_1), random.ring());
    let memory = opened(&written.state);
    assert_eq!(memory[usize::try_from(target).unwrap()].to_u64(), m_0.plus(m_1).to_u64(), "WRITE");
    assert!(lemma_3(&written.state));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sharing_reconstructs(x: u64, r: u64, y: u128, s: u128) {
        let (x_0, x_1) = additive_shares(x, r);
        prop_assert_eq!(additive_open(x_0, x_1), x);
        let (y_0, y_1) = xor_shares(y, s);
        prop_assert_eq!(xor_open(y_0, y_1), y);
    }

    #[test]
    fn du_atallah_and(seed: u64) {
        let mut r = Random(seed);
        let (x_0, x_1, y_0, y_1) = (r.block(), r.block(), r.block(), r.block());
        let (t_0, t_1) = and_triples(r.block(), r.block(), r.block(), r.block(), r.block());
        let z_0 = and_share(x_0, y_0, &t_0, and_message(x_1, y_1, &t_1));
        let z_1 = and_share(x_1, y_1, &t_1, and_message(x_0, y_0, &t_0));
        prop_assert_eq!(z_0 ^ z_1, (x_0 ^ x_1) & (y_0 ^ y_1));
    }

    #[test]
    fn du_atallah_dot_product(seed: u64, n in 0usize..9) {
        let mut r = Random(seed);
        let (x_0, x_1, y_0, y_1) = (r.words(n), r.words(n), r.words(n), r.words(n));
        let (t_0, t_1) = dot_triples(&r.words(n), &r.words(n), &r.words(n), &r.words(n), r.word());
        let (mx_0, my_0) = dot_message(&x_0, &y_0, &t_0);
        let (mx_1, my_1) = dot_message(&x_1, &y_1, &t_1);
        let z = dot_share(&x_0, &y_0, &t_0, &mx_1, &my_1).wrapping_add(dot_share(&x_1, &y_1, &t_1, &mx_0, &my_0));
        prop_assert_eq!(z, dot(&add(&x_0, &x_1), &add(&y_0, &y_1)));
    }

    #[test]
    fn product_is_a_dot_product_of_length_one(seed: u64) {
        let mut r = Random(seed);
        let v: Vec<u64> = r.words(9);
        let (p_0, _) = product_triples(v[0], v[1], v[2], v[3], v[4]);
        let (d_0, _) = dot_triples(&v[0..1], &v[1..2], &v[2..3], &v[3..4], v[4]);
        prop_assert_eq!(
            product_share(v[5], v[6], &p_0, v[7], v[8]),
            dot_share(&v[5..6], &v[6..7], &d_0, &v[7..8], &v[8..9])
        );
    }

    #[test]
    fn shift_moves_a_unit_vector(log_size in 1usize..8, i: u64, s: u64) {
        let n = 1usize << log_size;
        let i = i & (n as u64 - 1);
        let moved = i.wrapping_add(s) & (n as u64 - 1);
        prop_assert_eq!(
            shift(&unit_vector::<u64>(n, usize::try_from(i).unwrap()), s),
            unit_vector::<u64>(n, usize::try_from(moved).unwrap())
        );
    }

    /// Definition 2, and EVALFULL against EVAL.
    #[test]
    fn dpf_is_a_point_function(seed: u64, log_size in 1usize..7) {
        let mut r = Random(seed);
        let prg = r.prg();
        let (target, m) = (r.below(1 << log_size), r.word());
        let (k_0, k_1) = generate_value::<u64, _>(&prg, target, log_size, m, r.block(), r.block());
        let (leaves_0, leaves_1) = (eval_full(&prg, &k_0.key), eval_full(&prg, &k_1.key));
        prop_assert!(leaves_point_at(&leaves_0, &leaves_1, target));
        for i in 0..1u64 << log_size {
            let at = usize::try_from(i).unwrap();
            prop_assert_eq!(eval(&prg, &k_0.key, i), leaves_0[at]);
            let value = eval_value(&prg, Primary::P0, &k_0, i)
                .wrapping_add(eval_value(&prg, Primary::P1, &k_1, i));
            prop_assert_eq!(value, if i == target { m } else { 0 });
            prop_assert_eq!(
                leaf_value(Primary::P0, leaves_0[at], k_0.final_correction),
                eval_value(&prg, Primary::P0, &k_0, i)
            );
        }
    }

    /// App. C yields exactly GEN's keys, on equal root seeds.
    #[test]
    fn distributed_generation_yields_the_keys_of_gen(seed: u64, log_size in 1usize..7) {
        let mut r = Random(seed);
        let prg = r.prg();
        let (i_0, i_1) = (r.below(1 << log_size), r.below(1 << log_size));
        let (root_0, root_1) = (r.block(), r.block());
        let triples = r.dpf_triples::<u64>(log_size);
        let made = distributed_generation(
            &prg,
            &Input { target_bits: address_bits(i_0, log_size), root: root_0, triples: triples.and_0 },
            &Input { target_bits: address_bits(i_1, log_size), root: root_1, triples: triples.and_1 },
        );
        let (key_0, key_1) = generate(&prg, i_0 ^ i_1, log_size, root_0, root_1);
        prop_assert_eq!(&made.key_0, &key_0);
        prop_assert_eq!(&made.key_1, &key_1);
        prop_assert_eq!(&made.labels_0, &eval_full(&prg, &key_0));
        prop_assert_eq!(&made.labels_1, &eval_full(&prg, &key_1));
        prop_assert!(leaves_point_at(&made.labels_0, &made.labels_1, i_0 ^ i_1));
    }

    /// Section 4: the shares of the deferred final correction word.
    #[test]
    fn deferred_final_correction_word(seed: u64, log_size in 1usize..6) {
        let mut r = Random(seed);
        let prg = r.prg();
        let (item, target) = r.item::<u64>(&prg, log_size);
        let material = update_material(&item, r.word(), r.word());
        let dpf = &item.dpf_2.generation;
        prop_assert_eq!(
            material.corrections.p0.1.wrapping_add(material.corrections.p1.1),
            deferred_final_correction::<u64>(&dpf.labels_0, &dpf.labels_1, target)
        );
    }

    #[test]
    fn lemma_1_read_reconstructs(seed: u64, log_size in 1usize..7) {
        prop_assert!(lemma_1_ideal::<u64>(seed, log_size));
        // An address of the 2-bit ring has at most 2 bits.
        prop_assert!(lemma_1_ideal::<Z4>(seed, log_size.min(2)));
    }

    #[test]
    fn lemmas_2_and_3_update_and_refreshblinds(seed: u64, log_size in 1usize..7) {
        prop_assert!(lemmas_2_and_3_ideal::<u64>(seed, log_size));
        prop_assert!(lemmas_2_and_3_ideal::<Z4>(seed, log_size));
    }

    /// Share for share, whatever the vectors: the refinement needs no premise but their equal lengths.
    #[test]
    fn the_compressed_state_refines_the_papers(seed: u64, log_size in 1usize..7) {
        let mut r = Random(seed);
        let n: usize = 1 << log_size;
        let state = r.state::<u64>(n);
        let target = r.below(n as u64);
        let units = r.units::<u64>(n, target);
        prop_assert!(refines_read(&state, &units, r.word()));
        let m = r.word();
        let vectors = r.update_vectors(n, target, m);
        prop_assert!(refines_update(&state, &vectors));
        let after = apply(&state, &vectors);
        let (p0, p1) = (compress(&after.p0), compress(&after.p1));
        prop_assert!(lemma_3_compressed(&p0, &p1, &after.p2));
        prop_assert_eq!(duoram_spec::paper::compressed::opened(&p0, &after.p2), opened(&after));
        // It bites: one word off, and the states do not belong together.
        let mut broken = p1.clone();
        broken.combined[0] = broken.combined[0].wrapping_add(1);
        prop_assert!(!lemma_3_compressed(&p0, &broken, &after.p2));
    }

    #[test]
    fn lemma_4_two_party_read(seed: u64, log_size in 1usize..7) {
        let mut r = Random(seed);
        let n: usize = 1 << log_size;
        let (d_0, d_1) = (r.words(n), r.words(n));
        let target = r.below(n as u64);
        let address = r.shares(target);
        prop_assert!(lemma_4((&d_0, &d_1), address, (r.word(), r.word()), (r.word(), r.word())));
    }

    #[test]
    fn lemma_5_conversion(seed: u64, log_size in 1usize..6) {
        prop_assert!(lemma_5_real::<u64>(seed, log_size));
        prop_assert!(lemma_5_real::<Z4>(seed, log_size.min(2)));
    }

    /// The factor that P2 is sent does the same as the paper's step 7.
    #[test]
    fn conversion_by_factor_is_step_7(seed: u64, sign: u64, correction: u64) {
        let mut r = Random(seed);
        let labels = [r.block(), r.block(), r.block(), r.block()];
        for party in [Primary::P0, Primary::P1] {
            prop_assert_eq!(
                convert(party, &labels, sign, correction),
                unit_share(party, &labels, sign.wrapping_sub(correction))
            );
        }
    }

    #[test]
    fn whole_operations_with_real_preprocessing(seed: u64, log_size in 1usize..6) {
        whole_operations::<u64>(seed, log_size);
        whole_operations::<Z4>(seed, log_size.min(2));
    }
}

/// Section 3: initialization needs no communication, and satisfies the invariant.
#[test]
fn initial_state_is_zero_and_belongs_together() {
    let state = initial::<u64>(8);
    assert!(lemma_3(&state));
    assert_eq!(opened(&state), vec![0; 8]);
}

/// The checks bite: a state, a memory or a vector that is off by one word is told apart.
#[test]
fn lemmas_reject_what_is_wrong() {
    let mut r = Random(1);
    let state = r.state::<u64>(4);
    let mut broken = state.clone();
    broken.p1.blinded[2] = broken.p1.blinded[2].wrapping_add(1);
    assert!(lemma_3(&state) && !lemma_3(&broken));
    let mut broken = state.clone();
    broken.p2.blind_1[3] = broken.p2.blind_1[3].wrapping_add(1);
    assert!(!lemma_3(&broken));
    assert!(lemma_2(&[1, 2], &[1, 5], 1, 3u64));
    assert!(!lemma_2(&[1, 2], &[1, 5], 0, 3u64));
    assert!(!lemma_2(&[1, 2], &[1, 5, 0], 1, 3u64));
    let units = r.units::<u64>(4, 2);
    assert!(units_point_at(&units, 4, 2) && !units_point_at(&units, 4, 1));
    assert!(!leaves_point_at(&[2, 3], &[2, 3], 0));
}

/// App. C, steps 5 and 6, as the formula has it: the correction is XORed, for any correction word.
#[test]
fn children_get_the_word_xor_the_flag_correction() {
    let prg = Random(2).prg();
    let (parent, word) = (0b11, 0b101);
    let correction = Correction { word, left_flag: true, right_flag: false };
    assert_eq!(left_child(&prg, parent, &correction), prg.left(parent) ^ 0b100);
    assert_eq!(right_child(&prg, parent, &correction), prg.right(parent) ^ 0b101);
    let correction = Correction { word, left_flag: false, right_flag: true };
    assert_eq!(left_child(&prg, parent, &correction), prg.left(parent) ^ 0b101);
    assert_eq!(right_child(&prg, parent, &correction), prg.right(parent) ^ 0b100);
    assert_eq!(left_child(&prg, 0b10, &correction), prg.left(0b10), "no flag, no correction");
}
