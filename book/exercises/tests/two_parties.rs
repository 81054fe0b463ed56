//! Exercises 12: two parties, their transfers, tables, masks and sums.
#![allow(missing_docs)]

use duoram_book_exercises::{header, seen};
use duoram_reference::two_party::local::LocalSession;
use duoram_reference::two_party::{Plain, PlainPir};
use duoram_reference::{Batch, Error, Parameters, SessionId};
use duoram_spec::core::block::{Block, replicate};
use duoram_spec::core::du_atallah::{AndTriple, and_message, and_share};
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::Primary;
use duoram_spec::two_party::conversion::sum_share;
use duoram_spec::two_party::lemmas::is_triple;
use duoram_spec::two_party::masks::{AesPrf, Prf, aes_prf, masked_table, word_keys};
use duoram_spec::two_party::ot::{and_triple_from_ots, received};
use duoram_spec::two_party::read::read;
use duoram_vectors::Random;

/// Exercise 12.1.
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

/// The payload bytes of one READ of two parties, with the plain PIR.
fn bytes_of_a_read(h: u32) -> Result<u32, Error> {
    let parameters = Parameters::new(SessionId([122; 16]), h)?;
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32]], Plain, PlainPir)?;
    session.record();
    session.connect()?;
    session.preprocess(Batch { reads: 1, updates: 0 })?;
    session.take_log();
    session.read([&[1], &[0]])?;
    let headers = session.take_log().iter().map(header).collect::<Result<Vec<_>, _>>()?;
    Ok(headers.iter().map(|header| header.length).sum())
}

/// Exercise 12.2.
#[test]
fn a_plain_answer_is_the_table() -> Result<(), Error> {
    for h in [1, 4, 7] {
        assert_eq!(bytes_of_a_read(h)?, 2 * (8 + (8 << h)));
    }
    // An answer of 8 KiB is shorter from h = 11 on, one of SPIRAL's from h = 10, and three parties need 48 bytes in all.
    let shorter = |answer: u64| (1..40).find(|h| (8u64 << h) > answer);
    assert_eq!((shorter(8 << 10), shorter(6_912)), (Some(11), Some(10)));
    assert!(bytes_of_a_read(2)? > 48 && bytes_of_a_read(1)? == 48);
    Ok(())
}

/// Exercise 12.3.
#[test]
fn two_parties_need_their_blinds() {
    let mut r = Random(12);
    let (d_0, d_1) = (r.words(8), r.words(8));
    let (address, queries) = (r.shares(4), (r.word(), r.word()));
    let blinds = (r.word(), r.word());
    let (read_0, read_1) = read((&d_0, &d_1), address, queries, blinds);
    assert_eq!(read_0.wrapping_add(read_1), d_0[4].wrapping_add(d_1[4]));
    // What P0 takes from the PIR is read_0 + r_0. With r_1 = 0 it is P1's share of the word itself.
    let (read_0, _) = read((&d_0, &d_1), address, queries, (blinds.0, 0));
    assert_eq!(read_0.wrapping_add(blinds.0), d_1[4]);
}

/// Exercise 12.4.
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

/// Exercise 12.5.
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

/// AES that does not look at the place.
struct Placeless(AesPrf);

impl Prf for Placeless {
    fn value(&self, key: Block, _: Block) -> Block {
        self.0.value(key, 0)
    }
}

/// What P0 makes of a masked table if it has the words at `index` and at the h places that differ from it in one bit: the mask
/// of x is that of `index`, and for each bit in which x differs what this bit changes.
fn solved(masked: &[u64], index: usize, known: &[u64]) -> Vec<u64> {
    let mask = |x: usize| masked[x].wrapping_sub(known[x]);
    let changes: Vec<(usize, u64)> = (0..masked.len().ilog2())
        .map(|bit| (1 << bit, mask(index ^ 1 << bit).wrapping_sub(mask(index))))
        .collect();
    let mask_of = |x: usize| {
        let differing = changes.iter().filter(|(bit, _)| (x ^ index) & bit != 0);
        differing.fold(mask(index), |sum, (_, change)| sum.wrapping_add(*change))
    };
    (0..masked.len()).map(|x| masked[x].wrapping_sub(mask_of(x))).collect()
}

/// Exercise 12.6.
#[test]
fn masks_that_forget_the_place_are_solved_for() {
    let mut r = Random(126);
    let (h, index) = (6, 37);
    let (pairs, table) = (r.pairs(h), r.words(1 << h));
    // Of the table P0 knows seven words.
    let known: Vec<u64> =
        (0..1usize << h).map(|x| if (x ^ index).count_ones() < 2 { table[x] } else { 0 }).collect();
    let right = |masked: &[u64]| {
        solved(masked, index, &known).iter().zip(&table).filter(|(solved, word)| solved == word).count()
    };
    assert_eq!(right(&masked_table(&Placeless(aes_prf()), &pairs, &table)), 64, "and so all of it");
    assert_eq!(right(&masked_table(&aes_prf(), &pairs, &table)), 7, "or no more than it knew");
    // Without any word: in each square of four places the masks cancel.
    let square =
        |words: &[u64]| words[0].wrapping_add(words[3]).wrapping_sub(words[1]).wrapping_sub(words[2]);
    assert_eq!(square(&masked_table(&Placeless(aes_prf()), &pairs, &table)), square(&table));
    let distinct = seen(masked_table(&Placeless(aes_prf()), &pairs, &[0u64; 64]));
    assert!(distinct.windows(2).all(|pair| pair[0] != pair[1]), "though no two masks are equal");
}
