//! Exercises 3 and 4: keys, trees, and what they hide.
#![allow(missing_docs)]

use duoram_book_exercises::counting::Counting;
use duoram_book_exercises::seen;
use duoram_spec::core::block::{Block, clear_flag, flag};
use duoram_spec::core::dealer::{eval_value, generate, generate_value, level_correction};
use duoram_spec::core::dpf::{Correction, Key, address_bits, child, left_child, next_level, right_child};
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::core::share::Primary;
use duoram_vectors::Random;

/// Exercise 3.1.
#[test]
fn a_point_function_in_two_keys() {
    let mut r = Random(3);
    let prg = r.prg();
    let (target, value, log_size) = (5, 42, 3);
    let (key_0, key_1) = generate_value::<u64, _>(&prg, target, log_size, value, r.block(), r.block());
    for address in 0..8 {
        let share_0 = eval_value(&prg, Primary::P0, &key_0, address);
        let share_1 = eval_value(&prg, Primary::P1, &key_1, address);
        assert_eq!(share_0.wrapping_add(share_1), if address == target { value } else { 0 });
        assert_ne!(share_0, 0, "one share alone does not show the target");
    }
    // A root, a correction word and two bits a level, a word: the key grows with h, the table with 2^h.
    let key_bits = |h: usize| 128 + h * (128 + 2) + 64;
    let table_bits = |h: usize| 64usize << h;
    assert_eq!(key_0.key.corrections.len(), log_size);
    assert!(key_bits(3) > table_bits(3));
    assert!(key_bits(4) < table_bits(4));
    assert!(key_bits(20) < table_bits(20) / 10_000);
}

/// Whoever has two keys of one DPF: at each node of the path, go where the two children differ.
fn walk<P: Prg>(prg: &P, key_0: &Key, key_1: &Key) -> u64 {
    let start = (key_0.root, key_1.root, 0);
    let both = key_0.corrections.iter().zip(&key_1.corrections);
    let (_, _, found) = both.fold(start, |(node_0, node_1, found), (correction_0, correction_1)| {
        let left = (left_child(prg, node_0, correction_0), left_child(prg, node_1, correction_1));
        if left.0 == left.1 {
            let (right_0, right_1) =
                (right_child(prg, node_0, correction_0), right_child(prg, node_1, correction_1));
            (right_0, right_1, 2 * found + 1)
        } else {
            (left.0, left.1, 2 * found)
        }
    });
    found
}

/// Exercise 3.2.
#[test]
fn two_keys_tell_the_target_in_one_walk() {
    let mut r = Random(32);
    let h = 16;
    let prg = Counting::new(r.prg());
    let mut keys = |target: u64| generate(&prg, target, h, r.block(), r.block());
    for target in [0, 1, 0x1234, 0xffff] {
        let ((key_0, key_1), (other_0, other_1)) = (keys(target), keys(target));
        prg.calls();
        assert_eq!(walk(&prg, &key_0, &key_1), target);
        assert!(prg.calls() <= 4 * 16, "two calls a level and party, where a scan takes 2 (2^16 - 1)");
        // What P2 has: P0's key of one DPF and P1's key of another. Their labels never agree.
        assert_eq!((walk(&prg, &key_0, &other_1), walk(&prg, &other_0, &key_1)), (0, 0));
    }
}

/// The PRG with labels of 20 bits beside the flag.
struct Small(AesPrg);

impl Prg for Small {
    fn left(&self, label: Block) -> Block {
        self.0.left(label) & 0x1f_ffff
    }
    fn right(&self, label: Block) -> Block {
        self.0.right(label) & 0x1f_ffff
    }
}

/// The labels of all nodes above the leaves, without flags.
fn inner_labels<P: Prg>(prg: &P, key: &Key) -> Vec<Block> {
    let start = (vec![key.root], vec![]);
    let (_, labels) = key.corrections.iter().fold(start, |(level, labels), correction| {
        let here = level.iter().map(|label| clear_flag(*label)).collect();
        (next_level(prg, &level, correction), [labels, here].concat())
    });
    labels
}

/// Those of the nodes on the path to an address.
fn path_labels<P: Prg>(prg: &P, key: &Key, address: u64) -> Vec<Block> {
    let start = (key.root, vec![]);
    let path = key.corrections.iter().zip(address_bits(address, key.corrections.len()));
    let (_, labels) = path.fold(start, |(node, labels), (correction, bit)| {
        (child(prg, node, correction, bit), [labels, vec![clear_flag(node)]].concat())
    });
    labels
}

/// lg of the labels that P0 evaluates in a session of 2^`lg_items` items: three trees of 2^h - 1 inner nodes an item.
fn lg_evaluated(h: u32, lg_items: f64) -> f64 {
    lg_items + 3f64.log2() + f64::from(h)
}

/// lg of those that it must not know: P1's, on the paths.
fn lg_secret(h: u32, lg_items: f64) -> f64 {
    lg_items + (3.0 * f64::from(h)).log2()
}

/// Exercise 3.3.
#[test]
fn labels_meet_as_often_as_birthdays() {
    let mut r = Random(33);
    let prg = Small(r.prg());
    let (h, keys) = (9, 64);
    let (mut evaluated, mut secret) = (vec![], vec![]);
    for _ in 0..keys {
        let target = r.below(1 << h);
        let (key_0, key_1) = generate(&prg, target, h, r.block() & 0x1f_ffff, r.block() & 0x1f_ffff);
        evaluated.extend(inner_labels(&prg, &key_0));
        secret.extend(path_labels(&prg, &key_1, target));
    }
    assert_eq!((evaluated.len(), secret.len()), (keys * 511, keys * 9));
    let evaluated = seen(evaluated);
    let known = secret.iter().filter(|label| evaluated.binary_search(label).is_ok()).count();
    // Pairs by 2^20 labels: 18. By luck a few more or less.
    let expected = 64 * 511 * 64 * 9 / (1 << 20);
    assert_eq!(expected, 17);
    assert!((expected / 2..expected * 2).contains(&known), "{known}");
    // With 127 bits: the chance that P0 meets one in 2^20 sessions' worth of items, and the items for a chance of 2^-40.
    let lg_chance = |h, lg_items| lg_evaluated(h, lg_items) + lg_secret(h, lg_items) - 127.0;
    assert!(lg_chance(20, 20.0) < -59.0);
    assert!(lg_chance(20, 29.0) < -40.0 && lg_chance(20, 30.0) > -40.0);
    // Whoever spends 2^80 calls of its own besides meets one of that session with a chance of 2^-12.
    let lg_guessed = 80.0 + lg_secret(20, 29.0) - 127.0;
    assert!((-13.0..-12.0).contains(&lg_guessed), "{lg_guessed}");
}

/// A PRG that can be computed by hand. Correctness needs no more; privacy would.
struct ByHand;

impl Prg for ByHand {
    fn left(&self, label: Block) -> Block {
        ((label >> 1) * 5 + 3) & 0xff
    }
    fn right(&self, label: Block) -> Block {
        ((label >> 1) * 7 + 6) & 0xff
    }
}

/// Exercise 4.1.
#[test]
fn one_level_on_paper() {
    let (root_0, root_1) = (0x24, 0x5b);
    assert_eq!((ByHand.left(root_0), ByHand.left(root_1)), (0x5d, 0xe4));
    assert_eq!((ByHand.right(root_0), ByHand.right(root_1)), (0x84, 0x41));
    // The address bit is 1: left children must become equal, and right ones keep different flags.
    let correction = level_correction(&ByHand, root_0, root_1, true);
    assert_eq!(correction, Correction { word: 0xb8, left_flag: true, right_flag: false });
    let children = |node| (left_child(&ByHand, node, &correction), right_child(&ByHand, node, &correction));
    assert_eq!((children(root_0), children(root_1)), ((0x5d, 0x84), (0x5d, 0xf9)));
}

/// Exercise 4.2.
#[test]
fn trees_differ_on_the_path_only() {
    let (target, depth) = (6, 3);
    let (key_0, key_1) = generate(&ByHand, target, depth, 0x24, 0x5a);
    for address in 0..8u64 {
        let (mut node_0, mut node_1) = (key_0.root, key_1.root);
        let mut on_path = true;
        let path = address_bits(address, depth).into_iter().zip(address_bits(target, depth));
        for ((bit, target_bit), correction) in path.zip(&key_0.corrections) {
            node_0 = child(&ByHand, node_0, correction, bit);
            node_1 = child(&ByHand, node_1, correction, bit);
            on_path &= bit == target_bit;
            assert_eq!(flag(node_0) != flag(node_1), on_path);
            assert!(on_path || node_0 == node_1);
        }
    }
}

/// The targets that P0's key can have if P1's root is one of 128: for each of both, GEN would make such a key.
fn possible_targets<P: Prg>(prg: &P, key_0: &Key) -> Vec<u64> {
    let fits = |target: &u64| {
        (0..128)
            .any(|root_1| generate(prg, *target, key_0.corrections.len(), key_0.root, 2 * root_1).0 == *key_0)
    };
    (0..8).filter(fits).collect()
}

/// Exercise 4.3.
#[test]
fn a_small_root_is_guessed_and_with_it_the_target() {
    let mut r = Random(43);
    let aes = r.prg();
    for target in 0..8 {
        let (root_0, root_1) = (r.block() & 0xff, r.block() & 0xff);
        assert_eq!(possible_targets(&ByHand, &generate(&ByHand, target, 3, root_0, root_1).0), [target]);
        // A good PRG is no help for a small root ...
        assert_eq!(possible_targets(&aes, &generate(&aes, target, 3, root_0, root_1).0), [target]);
        // ... and of a large one none of 128 guesses is right.
        assert!(possible_targets(&aes, &generate(&aes, target, 3, root_0, r.block()).0).is_empty());
    }
}
