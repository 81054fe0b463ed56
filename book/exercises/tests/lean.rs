//! Exercises 13: the lean protocol's scan, its deal, its trees, and who could learn what.
#![allow(missing_docs)]

use duoram_book_exercises::counting::Counting;
use duoram_book_exercises::seen;
use duoram_spec::core::block::Block;
use duoram_spec::core::dealer::generate;
use duoram_spec::core::dpf::{Key, eval_full};
use duoram_spec::core::prg::Prg;
use duoram_spec::core::ring::{Bit, Ring, XorWord};
use duoram_spec::core::vector::{add, dot, scale, unit_vector};
use duoram_spec::lean::layers::{
    LayeredKey, Layers, block_bit, flag_bits, flag_depth, flag_sum, labels_at, one_hot_block, unit_flags,
};
use duoram_spec::lean::lemmas::{states_agree, update_adds};
use duoram_spec::lean::memory::{State, opened_alpha, shared};
use duoram_spec::lean::one_hot::{dealt_one_hot, low_bits, moved_block, moved_share};
use duoram_spec::lean::read::{Flags, moved, partial_0, partial_1, partial_2};
use duoram_spec::lean::update::{Material, Values, masked_value_0, masked_value_1, update};
use duoram_vectors::Random;

const N: usize = 8;

fn state(r: &mut Random) -> State<XorWord> {
    shared(&r.vector(N), &r.vector(N), &r.vector(N), &r.vector(N))
}

/// Flags of two DPFs at ri: words of 0 and of all ones.
fn flags(r: &mut Random, ri: usize) -> Flags<XorWord> {
    let mut side = || -> Vec<XorWord> {
        (0..N).map(|_| if r.bit() { XorWord::one() } else { XorWord::zero() }).collect()
    };
    let (a_0, b_0, unit) = (side(), side(), unit_vector(N, ri));
    Flags { a_1: add(&unit, &a_0), b_1: add(&unit, &b_0), a_0, b_0 }
}

/// Exercise 13.1.
#[test]
fn three_scans_add_up_to_the_word() {
    let mut r = Random(13);
    let state = state(&mut r);
    let memory = opened_alpha(&state);
    let parts = |state: &State<XorWord>, t: &Flags<XorWord>| {
        [
            partial_0(&state.p0, &t.a_0, &t.b_0),
            partial_1(&state.p1, &t.a_1),
            partial_2(&state.p2, &t.a_0, &t.b_1),
        ]
    };
    let sum = |parts: [XorWord; 3]| parts[0].plus(parts[1]).plus(parts[2]);
    for (ri, i) in (0..N).flat_map(|ri| (0..N).map(move |i| (ri, i))) {
        let t = moved(&flags(&mut r, ri), (ri ^ i) as u64);
        assert_eq!(sum(parts(&state, &t)), memory[i]);
        // What P0 and P2 together stand in for: E under side 0 of a, which P1 must not see.
        let without_p1 = parts(&state, &t)[0].plus(parts(&state, &t)[2]);
        assert_eq!(without_p1, dot(&state.p0.alpha, &unit_vector(N, i)).plus(dot(&state.p1.alpha, &t.a_0)));
    }
    // P2's A changed in one word: the sum is wrong where side 1 of b is set there, and only there. P2 sees no difference.
    let mut torn = state.clone();
    torn.p2.alpha[3] = torn.p2.alpha[3].plus(XorWord::one());
    assert!(!states_agree(&torn));
    let mut noticed = [0, 0];
    for (i, word) in memory.iter().enumerate() {
        let t = moved(&flags(&mut r, i), 0);
        let wrong = sum(parts(&torn, &t)) != *word;
        assert_eq!(wrong, t.b_1[3] == XorWord::one());
        noticed[usize::from(wrong)] += 1;
    }
    assert!(noticed.iter().all(|count| *count > 0), "right by luck, and wrong: {noticed:?}");
}

/// Exercise 13.2.
#[test]
fn one_alone_has_nothing_and_two_have_all() {
    // A memory of one bit: all D_0, x, B.
    let cases = |d: u64| {
        (0..8).map(move |case: u64| {
            let (d_0, x, b) = (Bit::from_u64(case), Bit::from_u64(case >> 1), Bit::from_u64(case >> 2));
            shared(&[d_0], &[Bit::from_u64(d).minus(d_0)], &[x], &[b])
        })
    };
    let bits =
        |vectors: &[&Vec<Bit>]| -> Vec<u64> { vectors.iter().map(|vector| vector[0].to_u64()).collect() };
    let p0 = |d| seen(cases(d).map(|s| bits(&[&s.p0.alpha, &s.p0.beta])));
    let p1 = |d| seen(cases(d).map(|s| bits(&[&s.p1.alpha])));
    let p2 = |d| seen(cases(d).map(|s| bits(&[&s.p2.alpha, &s.p2.beta])));
    assert_eq!((p0(0), p1(0), p2(0)), (p0(1), p1(1), p2(1)));
    for s in cases(1) {
        let sums =
            [add(&s.p0.alpha, &s.p1.alpha), add(&s.p0.beta, &s.p2.beta), add(&s.p1.alpha, &s.p2.alpha)];
        assert_eq!(sums, [[Bit::one()]; 3]);
    }
    // And with P2 either primary has both sides of a DPF, while P0 and P1 have those of a.
    let t = flags(&mut Random(132), 6);
    for (side, other) in [(&t.a_0, &t.a_1), (&t.b_0, &t.b_1)] {
        assert_eq!(add(side, other), unit_vector(N, 6));
    }
}

/// Exercise 13.3.
#[test]
fn an_overheard_byte_is_the_random_index() {
    let mut r = Random(14);
    for ri in 0..128 {
        let (ri_0, r_0, r_1, u_0) = (r.below(128), r.below(128), r.below(128), r.block());
        let ri_1 = ri ^ ri_0;
        let u_1 = dealt_one_hot(u_0, r_0, r_1);
        // Each primary hears a share of ri under a mask that it does not have.
        let said = (moved_share(ri_0, r_0, 7), moved_share(ri_1, r_1, 7));
        let e = said.0 ^ said.1;
        let (o_0, o_1) = (moved_block(u_0, e), moved_block(u_1, e));
        assert_eq!(o_0 ^ o_1, one_hot_block(ri));
        assert!((0..128).all(|j| block_bit(o_0, j) == block_bit(u_0, j ^ e)));
        // P2 has both masks.
        assert_eq!((said.0 ^ r_0) ^ (said.1 ^ r_1), ri);
    }
}

/// Exercise 13.4.
#[test]
fn without_x_the_dealer_takes_off_its_own_share() {
    let mut r = Random(15);
    let state = state(&mut r);
    // P2 dealt R'_0 and R'_1; G is the primaries'.
    let (dealt_0, dealt_1, g, x): (XorWord, XorWord, XorWord, XorWord) =
        (r.ring(), r.ring(), r.ring(), r.ring());
    let (f_0, f_1) = (dealt_0.plus(g), dealt_1);
    let r_a = f_0.plus(f_1);
    let (ri, i) = (5, (6, 4));
    let mut values = || -> (Vec<XorWord>, Vec<XorWord>) {
        let side: Vec<XorWord> = r.vector(N);
        (add(&side, &scale(r_a, &unit_vector(N, ri))), side)
    };
    let ((a_0, a_1), (b_0, b_1)) = (values(), values());
    let material = Material {
        flags: flags(&mut r, ri),
        values: Values { a_0, a_1, b_0, b_1 },
        value_shares: (f_0, f_1),
        delta: XorWord::zero(),
    };
    let value: (XorWord, XorWord) = (r.ring(), r.ring());
    let m = value.0.plus(value.1);
    for x in [x, XorWord::zero()] {
        let run = update(&state, &material, N, (ri as u64, 0), i, value, x);
        assert!(update_adds(&state, &run.state, N, i, m), "right with x and without");
        assert_eq!(run.message_0.1, masked_value_0(value.0, f_0, x));
        assert_eq!(run.message_1.1, masked_value_1(value.1, f_1, x));
        // What P2 computes: with x it is off by x, without it it has P1's share of M. G still hides P0's.
        assert_eq!(run.message_1.1.plus(dealt_1), value.1.plus(x));
        assert_eq!(run.message_0.1.plus(dealt_0), value.0.plus(g).plus(x));
    }
}

/// GEN for a tree that ends early, by a dealer who knows the target: the tree, and the correction of its flag layer.
fn early_keys<P: Prg + Layers>(
    prg: &P,
    target: u64,
    h: usize,
    roots: (Block, Block),
) -> [LayeredKey<XorWord>; 2] {
    let (bits, depth) = (flag_bits(h), flag_depth(h));
    let (tree_0, tree_1) = generate(prg, target >> bits, depth, roots.0, roots.1);
    let sum = |tree: &Key| flag_sum(prg, &labels_at(prg, tree, depth));
    let flag_correction = sum(&tree_0) ^ sum(&tree_1) ^ one_hot_block(low_bits(target, bits));
    [tree_0, tree_1].map(|tree| LayeredKey { tree, flag_correction, word_correction: vec![] })
}

/// Exercise 13.5.
#[test]
fn a_tree_that_ends_early() {
    let mut r = Random(135);
    let prg = Counting::new(r.prg());
    // In 16 words the layer hangs on the root; in 512 it is at depth 2.
    for h in [4, 9] {
        for target in 0..1u64 << h {
            let keys = early_keys(&prg, target, h, (r.block(), r.block()));
            let [t_0, t_1] = keys.map(|key| unit_flags(&prg, &key, h));
            assert_eq!(add(&t_0, &t_1), unit_vector(1 << h, usize::try_from(target).unwrap_or(0)));
        }
    }
    let [key, _] = early_keys(&prg, 12_345, 14, (r.block(), r.block()));
    prg.calls();
    unit_flags(&prg, &key, 14);
    assert_eq!(prg.calls(), 2 * 127 + 128, "two for each of 127 inner nodes, one for each of 128 leaves");
    let (whole, _) = generate(&prg, 12_345, 14, r.block(), r.block());
    prg.calls();
    eval_full(&prg, &whole);
    assert_eq!(prg.calls(), 2 * ((1 << 14) - 1), "86 times as many");
}
