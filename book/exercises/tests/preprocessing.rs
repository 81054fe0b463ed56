//! Exercises 5 to 7, 14 and 18: App. C, triples, App. D, an erratum, counting AES calls.
#![allow(missing_docs)]

use std::cell::Cell;

use duoram_spec::core::block::Block;
use duoram_spec::core::dealer::generate;
use duoram_spec::core::distributed_gen::{Input, distributed_generation};
use duoram_spec::core::dpf::{address_bits, eval_full};
use duoram_spec::core::du_atallah::{AndTriple, and_message, and_share, and_triples};
use duoram_spec::core::lemmas::leaves_point_at;
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::core::share::Primary;
use duoram_spec::paper::conversion::{conversion_correction_share, random_index_share, sign_share};
use duoram_spec::paper::preprocessing::{unit_share_0, unit_share_1};
use duoram_vectors::Random;

/// Exercise 5.
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

/// Exercise 6.
#[test]
fn a_triple_used_twice_tells_the_difference_of_operands() {
    let mut r = Random(6);
    let (triple_0, _) = and_triples(r.block(), r.block(), r.block(), r.block(), r.block());
    let (x, x_next, y, y_next) = (r.block(), r.block(), r.block(), r.block());
    let first = and_message(x, y, &triple_0);
    let second = and_message(x_next, y_next, &triple_0);
    assert_eq!((first.0 ^ second.0, first.1 ^ second.1), (x ^ x_next, y ^ y_next));
}

/// Exercise 7.
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

/// Exercise 14.
#[test]
fn definition_4_over_one_bit_exhaustively() {
    let (mut printed_right, mut right) = (0, 0);
    for case in 0..512u128 {
        let bit = |k: u32| case >> k & 1;
        let (x_0, x_1, y_0, y_1) = (bit(0), bit(1), bit(2), bit(3));
        let (mask_x_0, mask_x_1, mask_y_0, mask_y_1, t) = (bit(4), bit(5), bit(6), bit(7), bit(8));
        let opens = |(triple_0, triple_1): (AndTriple, AndTriple)| {
            let z_0 = and_share(x_0, y_0, &triple_0, and_message(x_1, y_1, &triple_1));
            let z_1 = and_share(x_1, y_1, &triple_1, and_message(x_0, y_0, &triple_0));
            z_0 ^ z_1 == (x_0 ^ x_1) & (y_0 ^ y_1)
        };
        let printed = (
            AndTriple { x: mask_x_0, y: mask_y_0, z: (mask_x_0 & mask_y_0) ^ t },
            AndTriple { x: mask_x_1, y: mask_y_1, z: (mask_x_1 & mask_y_1) ^ t },
        );
        printed_right += u32::from(opens(printed));
        right += u32::from(opens(and_triples(mask_x_0, mask_x_1, mask_y_0, mask_y_1, t)));
    }
    assert_eq!(right, 512);
    // Off by (X_0 xor X_1) and (Y_0 xor Y_1), which is 1 a quarter of the time.
    assert_eq!(printed_right, 384);
}

/// A PRG that counts its calls; each is one AES.
struct Counting {
    prg: AesPrg,
    calls: Cell<u64>,
}

impl Prg for Counting {
    fn left(&self, label: Block) -> Block {
        self.calls.set(self.calls.get() + 1);
        self.prg.left(label)
    }
    fn right(&self, label: Block) -> Block {
        self.calls.set(self.calls.get() + 1);
        self.prg.right(label)
    }
}

/// AES calls of growing a tree of height `h` level by level, with level `stored` kept (0: the root alone): each level is
/// made again from the kept one, and at the end all leaves once more.
fn calls_of_growth(h: u32, stored: u32) -> u64 {
    let from = |kept: u32, level: u32| 2 * ((1 << level) - (1 << kept));
    let kept_at = |level: u32| if level >= stored { stored } else { 0 };
    let write_down = if stored == 0 { 0 } else { from(0, stored) };
    (0..h).map(|level| from(kept_at(level), level + 1)).sum::<u64>() + write_down + from(stored, h)
}

/// Exercise 18.
#[test]
fn aes_calls_are_counted() {
    let mut r = Random(16);
    let h = 6;
    let prg = Counting { prg: r.prg(), calls: Cell::new(0) };
    let (key, _) = generate(&prg, 13, h, r.block(), r.block());
    prg.calls.set(0);
    assert_eq!(eval_full(&prg, &key).len(), 1 << h);
    assert_eq!(prg.calls.get(), 2 * ((1 << h) - 1));
    // Growth, in tenths of a call a leaf: 6 with the root alone, less with a level stored, never below 4.
    let tenths = |h: u32, stored: u32| (calls_of_growth(h, stored) * 10) >> h;
    assert_eq!(tenths(24, 0), 59);
    assert_eq!(tenths(24, 18), 58);
    assert!((1..24).all(|stored| calls_of_growth(24, stored) <= calls_of_growth(24, 0)));
}
