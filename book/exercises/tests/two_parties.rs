//! Exercises 12: the masks of a table, a triple of oblivious transfers, and what the sum of conversion words tells.
#![allow(missing_docs)]

use duoram_spec::core::block::{Block, replicate};
use duoram_spec::core::du_atallah::{AndTriple, and_message, and_share};
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::Primary;
use duoram_spec::two_party::conversion::sum_share;
use duoram_spec::two_party::lemmas::is_triple;
use duoram_spec::two_party::masks::{aes_prf, masked_table, word_keys};
use duoram_spec::two_party::ot::{and_triple_from_ots, received};
use duoram_vectors::Random;

/// Exercise 12, the masks.
#[test]
fn keys_are_of_one_table() {
    let mut r = Random(16);
    let mut pairs = || -> Vec<(Block, Block)> { (0..3).map(|_| (r.block(), r.block())).collect() };
    let (same, fresh) = (pairs(), pairs());
    let (table, other) = (r.words(8), r.words(8));
    // P0 lacks a key for each bit in which a word's index differs from its own: none of one word.
    let index: u64 = 5;
    let own = word_keys(&same, index);
    for x in 0..8 {
        let missing = word_keys(&same, x).iter().filter(|key| !own.contains(key)).count();
        assert_eq!(missing, (x ^ index).count_ones() as usize);
    }
    // Two tables under the same keys: the masks cancel in the difference, at every word.
    let difference =
        |x: &[u64], y: &[u64]| -> Vec<u64> { x.iter().zip(y).map(|(x, y)| x.wrapping_sub(*y)).collect() };
    let masked = |pairs, table: &[u64]| masked_table(&aes_prf(), pairs, table);
    assert_eq!(difference(&masked(&same, &table), &masked(&same, &other)), difference(&table, &other));
    let with_fresh = difference(&masked(&same, &table), &masked(&fresh, &other));
    assert!(with_fresh.iter().zip(difference(&table, &other)).all(|(x, y)| *x != y));
}

/// Exercise 12, the triple.
#[test]
fn two_transfers_make_a_triple() {
    let mut r = Random(17);
    for _ in 0..100 {
        let bits = (r.bit(), r.bit());
        let pairs = ((r.block(), r.block()), (r.block(), r.block()));
        let keys = (received(&pairs.1, bits.0), received(&pairs.0, bits.1));
        let triples =
            (and_triple_from_ots(bits.0, &pairs.0, keys.0), and_triple_from_ots(bits.1, &pairs.1, keys.1));
        assert!(is_triple(&triples.0, &triples.1));
        let (x_0, x_1, y_0, y_1) = (replicate(r.bit()), replicate(r.bit()), r.block(), r.block());
        let and = |t_0: &AndTriple, t_1: &AndTriple| {
            and_share(x_0, y_0, t_0, and_message(x_1, y_1, t_1))
                ^ and_share(x_1, y_1, t_1, and_message(x_0, y_0, t_0))
        };
        assert_eq!(and(&triples.0, &triples.1), (x_0 ^ x_1) & (y_0 ^ y_1));
        // Z_b without the own K^0: what is off is what each key had on it.
        let bare_0 = AndTriple { z: keys.0, ..triples.0 };
        let bare_1 = AndTriple { z: keys.1, ..triples.1 };
        assert_eq!(and(&bare_0, &bare_1) ^ and(&triples.0, &triples.1), pairs.0.0 ^ pairs.1.0);
    }
}

/// Exercise 12, the sum.
#[test]
fn every_sum_fits_every_index() {
    let mut r = Random(18);
    // P0's leaves, of which the two lowest bits count mod 4. P1 has the same but at ri.
    let own: Vec<Block> = (0..4).map(|_| r.block()).collect();
    let mut z = |ri: usize, low: u64| -> Z4 {
        let mut leaves = own.clone();
        leaves[ri] = r.block() >> 2 << 2 | Block::from(low);
        sum_share::<Z4>(Primary::P0, &own).plus(sum_share(Primary::P1, &leaves))
    };
    for (ri, leaf) in own.iter().enumerate() {
        // P1's leaf there has the other flag. Each of its two low halves makes one of the two odd sums.
        let flag = leaf & 1 == 1;
        let mut sums = [0, 2].map(|half| z(ri, half | u64::from(!flag)));
        sums.sort_by_key(|sum| sum.to_u64());
        assert_eq!(sums, [z4(1), z4(3)]);
        // With the same flag the sum is even, and has no inverse.
        assert_eq!(z(ri, u64::from(flag)).to_u64() % 2, 0);
    }
}
