//! The lemmas of the lean protocol, on random inputs: for XOR words, for bits, and online for integers mod 2^64 as well.
#![allow(missing_docs)]

use duoram_spec::core::lemmas::same_vector;
use duoram_spec::core::ring::{Bit, Ring, XorWord, Z4};
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::{add, scale, sub, unit_vector, xor_shift};
use duoram_spec::lean::lemmas::{
    flags_point_at, load_shares, material_points_at, read_reconstructs, states_agree, swap_puts_and_returns,
    update_adds, write_puts,
};
use duoram_spec::lean::memory::{State, initial, opened_alpha, opened_beta, shared};
use duoram_spec::lean::one_hot::{
    dealt_one_hot, dealt_value, folded, low_bits, moved_block, moved_share, moved_value,
};
use duoram_spec::lean::preprocessing::delta_share;
use duoram_spec::lean::read::{Flags, read};
use duoram_spec::lean::update::{Material, Values, update};
use duoram_spec::lean::write::{Masks, swap};
use duoram_vectors::Random;
use proptest::prelude::*;

/// Shares of a vector.
fn split<W: Ring>(r: &mut Random, x: &[W]) -> (Vec<W>, Vec<W>) {
    let share = r.vector(x.len());
    (share.clone(), sub(x, &share))
}

fn state<W: Ring>(r: &mut Random, n: usize) -> State<W> {
    let (d_0, d_1): (Vec<W>, Vec<W>) = (r.vector(n), r.vector(n));
    let loaded = shared(&d_0, &d_1, &r.vector(n), &r.vector(n));
    assert!(load_shares(&loaded, &d_0, &d_1), "load");
    loaded
}

fn flags<W: Ring>(r: &mut Random, n: usize, ri: usize) -> Flags<W> {
    let unit = unit_vector(n, ri);
    let ((a_0, a_1), (b_0, b_1)) = (split(r, &unit), split(r, &unit));
    Flags { a_0, a_1, b_0, b_1 }
}

/// Ideal material that points at ri.
fn material<W: Ring>(r: &mut Random, n: usize, ri: usize) -> Material<W> {
    let flags = flags(r, n, ri);
    let (r_a, r_b) = (r.ring::<W>(), r.ring::<W>());
    let (a_0, a_1) = split(r, &scale(r_a, &unit_vector(n, ri)));
    let (b_0, b_1) = split(r, &scale(r_b, &unit_vector(n, ri)));
    let f_0 = r.ring::<W>();
    Material {
        flags,
        values: Values { a_0, a_1, b_0, b_1 },
        value_shares: (f_0, r_a.minus(f_0)),
        delta: r_a.minus(r_b),
    }
}

fn xor_shares(r: &mut Random, x: u64) -> (u64, u64) {
    let share = r.word();
    (share, x ^ share)
}

/// READ, UPDATE, WRITE and SWAP from ideal material, over any ring, of a memory that has a word for each address, or fewer.
fn online<W: Ring>(seed: u64, log_size: usize, fewer: bool) {
    let mut r = Random(seed);
    let n: usize = 1 << log_size;
    let words = if fewer { 1 + usize::try_from(r.below(n as u64 - 1)).unwrap() } else { n };
    let before = state::<W>(&mut r, words);
    let ri = r.below(n as u64);
    let (ri_shares, address) = {
        let (ri_0, target) = (r.below(n as u64), r.word());
        ((ri_0, ri ^ ri_0), xor_shares(&mut r, target))
    };
    let at = usize::try_from(ri).unwrap();

    let flags = flags(&mut r, n, at);
    assert!(flags_point_at(&flags, n, ri));
    let outcome = read(&before, &flags, n, ri_shares, address, r.ring());
    assert!(read_reconstructs(&before, n, address, &outcome), "READ reconstructs");
    assert!(outcome.shift_0 < n as u64 && outcome.shift_1 < n as u64, "shares are cut to h bits");

    let item = material::<W>(&mut r, n, at);
    assert!(material_points_at(&item, n, ri));
    let (m_0, m_1) = (r.ring::<W>(), r.ring::<W>());
    let m = m_0.plus(m_1);
    let after = update(&before, &item, n, ri_shares, address, (m_0, m_1), r.ring()).state;
    assert!(update_adds(&before, &after, n, address, m), "UPDATE adds in both sharings");
    assert_eq!(opened_alpha(&after).len(), words);

    let item = material::<W>(&mut r, n, at);
    let masks = Masks { y_01: r.ring(), y_02: r.ring(), y_12: r.ring() };
    let outcome = swap(&after, &item, n, ri_shares, address, (m_0, m_1), masks, r.ring());
    assert!(write_puts(&after, &outcome.state, n, address, m), "WRITE puts");
    assert!(swap_puts_and_returns(&after, n, address, m, &outcome), "SWAP returns the old word");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Over every ring: the lean form of words mod 2^64 needs only its own preparation.
    #[test]
    fn read_reconstructs_update_adds_write_and_swap_put(seed: u64, log_size in 1usize..8, fewer: bool) {
        online::<XorWord>(seed, log_size, fewer);
        online::<Bit>(seed, log_size, fewer);
        online::<u64>(seed, log_size, fewer);
        online::<Z4>(seed, log_size, fewer);
    }

    /// `x<S>` moves the word at j to j xor S, and back.
    #[test]
    fn xor_shift_moves_a_unit_vector(log_size in 1usize..8, i: u64, s: u64) {
        let n = 1usize << log_size;
        let place = |x: u64| usize::try_from(x & (n as u64 - 1)).unwrap();
        let unit = unit_vector::<u64>(n, place(i));
        prop_assert_eq!(xor_shift(&unit, s), unit_vector::<u64>(n, place(i ^ s)));
        prop_assert_eq!(xor_shift(&xor_shift(&unit, s), s), unit);
    }

    /// The dealt one-hot vector, moved, is one at ri mod 2^kf, and folded one at ri mod 8.
    #[test]
    fn a_dealt_one_hot_vector_moves_to_ri(seed: u64, bits in 1usize..8) {
        let mut r = Random(seed);
        let (ri_0, ri_1) = (r.word(), r.word());
        let (r_0, r_1) = (low_bits(r.word(), bits), low_bits(r.word(), bits));
        let u_0 = r.block();
        let u_1 = dealt_one_hot(u_0, r_0, r_1);
        let e = moved_share(ri_0, r_0, bits) ^ moved_share(ri_1, r_1, bits);
        let (o_0, o_1) = (moved_block(u_0, e), moved_block(u_1, e));
        let ri = low_bits(ri_0 ^ ri_1, bits);
        prop_assert_eq!(o_0 ^ o_1, 1u128 << ri);
        let eighth: Vec<bool> = folded(o_0).iter().zip(folded(o_1)).map(|(x, y)| x ^ y).collect();
        prop_assert_eq!(eighth, (0..8).map(|c| c == ri % 8).collect::<Vec<_>>());
        // The value: R = R' + G at ri mod 8, of which f_0 = R'_0 + G and f_1 = R'_1 are shares.
        let dealt: Vec<XorWord> = r.vector(8);
        let (value, g) = (r.ring::<XorWord>(), r.ring::<XorWord>());
        let other = dealt_value(&dealt, value, r_0 ^ r_1);
        let moved = add(&moved_value(&dealt, e, g, o_0), &moved_value(&other, e, g, o_1));
        let expected = scale(value.plus(g), &unit_vector(8, usize::try_from(ri % 8).unwrap()));
        prop_assert!(same_vector(&moved, &expected));
    }

    /// The shares of delta open to `R_a - R_b`, in any ring.
    #[test]
    fn the_shares_of_delta_open_to_the_difference(a_0: u64, a_1: u64, b_0: u64, b_1: u64, x: u64) {
        let q = delta_share(Primary::P0, a_0, b_0, x).wrapping_add(delta_share(Primary::P1, a_1, b_1, x));
        prop_assert_eq!(q, a_0.wrapping_add(a_1).wrapping_sub(b_0.wrapping_add(b_1)));
    }
}

/// Without a load everything is zero, nothing is sent, and the sharings are of one memory.
#[test]
fn initial_state_is_zero_and_agrees() {
    let state = initial::<XorWord>(8);
    assert!(states_agree(&state));
    assert_eq!(opened_beta(&state), vec![XorWord::zero(); 8]);
}

/// The checks bite: one word off in any of the five vectors is told apart.
#[test]
fn lean_lemmas_reject_what_is_wrong() {
    let mut r = Random(1);
    let good = state::<XorWord>(&mut r, 4);
    let off = |x: &mut Vec<XorWord>| x[2] = XorWord { bits: x[2].bits ^ 1 };
    let broken = |f: &dyn Fn(&mut State<XorWord>)| {
        let mut state = good.clone();
        f(&mut state);
        state
    };
    for state in [
        broken(&|s| off(&mut s.p0.alpha)),
        broken(&|s| off(&mut s.p0.beta)),
        broken(&|s| off(&mut s.p1.alpha)),
        broken(&|s| off(&mut s.p2.alpha)),
        broken(&|s| off(&mut s.p2.beta)),
    ] {
        assert!(!states_agree(&state) && !update_adds(&good, &state, 4, (0, 0), XorWord::zero()));
        assert!(!write_puts(&good, &state, 4, (0, 0), opened_alpha(&good)[0]));
    }
    assert!(update_adds(&good, &good, 4, (0, 0), XorWord::zero()));
    // Agreeing states of another memory.
    let moved = broken(&|s| {
        off(&mut s.p1.alpha);
        off(&mut s.p2.beta);
    });
    assert!(states_agree(&moved) && !update_adds(&good, &moved, 4, (0, 0), XorWord::zero()));
    assert!(update_adds(&good, &moved, 4, (2, 0), XorWord { bits: 1 }));
    assert!(!write_puts(&good, &moved, 4, (1, 0), opened_alpha(&good)[1]));
    let item = material::<XorWord>(&mut r, 4, 2);
    assert!(material_points_at(&item, 4, 2) && !material_points_at(&item, 4, 1));
    let other = Material { delta: XorWord { bits: item.delta.bits ^ 1 }, ..item };
    assert!(!material_points_at(&other, 4, 2));
}
