//! Exercises 1 to 4, and 15: what a server sees, shares, trees, bijections.
#![allow(missing_docs)]

use duoram_book_exercises::{header, session};
use duoram_reference::local::share;
use duoram_reference::{Batch, Error, Plain, Role};
use duoram_spec::core::block::{Block, flag};
use duoram_spec::core::dealer::{eval_value, generate, generate_value};
use duoram_spec::core::dpf::{address_bits, child};
use duoram_spec::core::prg::Prg;
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::{Primary, additive_open, additive_shares, xor_open, xor_shares};
use duoram_vectors::Random;

/// The frames of one READ: kind, sender, receiver, length.
fn shape_of_a_read(address: u64) -> Result<Vec<(u8, Role, Role, u32)>, Error> {
    let mut session = session(3, 7, Plain)?;
    session.preprocess(Batch { reads: 1, updates: 0 })?;
    session.take_log();
    let [address_0, address_1] = share(address, 2718);
    session.read([&[address_0], &[address_1]])?;
    session.take_log().iter().map(|d| header(d).map(|h| (h.kind, h.from, h.to, h.length))).collect()
}

/// Exercise 1.
#[test]
fn reads_of_all_addresses_look_alike() -> Result<(), Error> {
    let first = shape_of_a_read(0)?;
    assert_eq!(first.len(), 6);
    for address in 1..8 {
        assert_eq!(shape_of_a_read(address)?, first);
    }
    Ok(())
}

/// Exercise 2.
#[test]
fn shares_of_a_sum_are_sums_of_shares() {
    let mut r = Random(2);
    let (x, y) = (r.word(), r.word());
    let ((x_0, x_1), (y_0, y_1)) = (additive_shares(x, r.word()), additive_shares(y, r.word()));
    assert_eq!(additive_open(x_0.wrapping_add(y_0), x_1.wrapping_add(y_1)), x.wrapping_add(y));
    // XOR shares add up under XOR and not under +: 1 = 3 xor 2, and 3 + 2 = 5.
    let (a_0, a_1) = xor_shares(1, 3);
    assert_eq!(xor_open(a_0, a_1), 1);
    assert_eq!(a_0 + a_1, 5);
}

/// Exercise 3.
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
    assert!(key_bits(20) < table_bits(20) / 10_000);
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

/// Exercise 4.
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

/// Exercise 15.
#[test]
fn a_bijection_keeps_the_view() {
    let all = || (0..4).map(z4);
    // P1's view of a shared secret: its share x - r.
    let view = |secret: Z4, random: Z4| additive_shares(secret, random).1;
    for (secret, other) in all().flat_map(|s| all().map(move |o| (s, o))) {
        let moved = |random: Z4| random.plus(other.minus(secret));
        let back = |random: Z4| random.plus(secret.minus(other));
        for random in all() {
            assert_eq!(back(moved(random)), random);
            assert_eq!(view(secret, random), view(other, moved(random)));
        }
        // So both secrets yield every view equally often.
        let mut counts = [[0; 4]; 2];
        for random in all() {
            for (count, x) in counts.iter_mut().zip([secret, other]) {
                count[usize::try_from(view(x, random).to_u64()).unwrap_or(0)] += 1;
            }
        }
        assert_eq!(counts[0], counts[1]);
    }
}
