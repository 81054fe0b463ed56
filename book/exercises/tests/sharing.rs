//! Exercises 1 and 2: what a server sees, and what shares tell.
#![allow(missing_docs)]

use duoram_book_exercises::{header, seen, session};
use duoram_reference::local::share;
use duoram_reference::{Batch, Error, Plain, Role};
use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::share::{additive_open, additive_shares, xor_open, xor_shares};
use duoram_spec::paper::read::{reconstruct_shift, shift_share};
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

/// Exercise 1.1.
#[test]
fn reads_of_all_addresses_look_alike() -> Result<(), Error> {
    let first = shape_of_a_read(0)?;
    assert_eq!(first.len(), 6);
    for address in 1..8 {
        assert_eq!(shape_of_a_read(address)?, first);
    }
    Ok(())
}

/// All orders of four places.
fn orders() -> Vec<[usize; 4]> {
    let all = (0..256).map(|case: usize| [case & 3, case >> 2 & 3, case >> 4 & 3, case >> 6]);
    all.filter(|order| (0..4).all(|place| order.contains(&place))).collect()
}

/// Exercise 1.2.
#[test]
fn a_shuffled_memory_hides_one_address_and_not_two() {
    assert_eq!(orders().len(), 24);
    // Which places the server is asked for, over all orders that it may not know.
    let asked = |addresses: &[usize]| {
        seen(orders().iter().map(|order| addresses.iter().map(|i| order[*i]).collect::<Vec<_>>()))
    };
    assert!((1..4).all(|i| asked(&[i]) == asked(&[0])), "one address is hidden");
    assert_eq!(asked(&[0, 1]), asked(&[2, 3]), "and so are two that differ");
    assert!(asked(&[2, 2]).iter().all(|places| places[0] == places[1]));
    assert!(asked(&[2, 3]).iter().all(|places| places[0] != places[1]), "but not that they differ");
    // Two READs of DUORAM: what everybody hears is S, of an index drawn anew for each.
    let s = |i: u64, ri: u64| reconstruct_shift(shift_share(i, ri, 4), 0, 4);
    let heard = |i: u64, j: u64| seen((0..16).map(|case| (s(i, case & 3), s(j, case >> 2))));
    assert!((0..16).all(|case| heard(case & 3, case >> 2) == heard(0, 0)));
    // Of one index for both, it is the shuffled memory again.
    let once = |i: u64, j: u64| seen((0..4).map(|ri| (s(i, ri), s(j, ri))));
    assert_ne!(once(2, 2), once(2, 3));
}

/// Exercise 1.3.
#[test]
fn two_scans_that_skip_zeros_show_the_address() {
    // XOR shares of the unit vector of four places, over all that P0's may be.
    let cases = |i: u32| (0..16).map(move |share_0| xor_shares(1 << i, share_0));
    for i in 1..4 {
        // The words that P0 touches; that P1 touches; how many each touches.
        assert_eq!(seen(cases(i).map(|t| t.0)), seen(cases(0).map(|t| t.0)));
        assert_eq!(seen(cases(i).map(|t| t.1)), seen(cases(0).map(|t| t.1)));
        let times = |i| seen(cases(i).map(|t| (t.0.count_ones(), t.1.count_ones())));
        assert_eq!(times(i), times(0));
    }
    // The words that both touch.
    assert!((0..4).all(|i| cases(i).all(|(t_0, t_1)| (t_0 ^ t_1).trailing_zeros() == i)));
}

/// Exercise 2.1.
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

/// Three shares of a secret mod 4, from two random words: the second share is shared again.
fn three_shares(secret: Z4, r: Z4, s: Z4) -> [u64; 3] {
    let (a, rest) = additive_shares(secret, r);
    let (b, c) = additive_shares(rest, s);
    [a, b, c].map(Ring::to_u64)
}

/// Exercise 2.2.
#[test]
fn of_three_shares_two_tell_nothing() {
    let views = |secret: u64, who: [usize; 2]| {
        seen((0..16).map(|case| {
            let shares = three_shares(z4(secret), z4(case & 3), z4(case >> 2));
            who.map(|party| shares[party])
        }))
    };
    for who in [[0, 1], [0, 2], [1, 2]] {
        assert!((1..4).all(|secret| views(secret, who) == views(0, who)), "two of three shares: {who:?}");
    }
    // Each party keeps the two shares that are not its own: what one has is such a pair, and two have all three.
    let kept = |party: usize| [(party + 1) % 3, (party + 2) % 3];
    for pair in [[0, 1], [0, 2], [1, 2]] {
        let shares = three_shares(z4(3), z4(1), z4(2));
        let known: Vec<usize> = seen(pair.into_iter().flat_map(kept));
        assert_eq!((known.len(), (0..3).all(|share| known.contains(&share))), (4, true));
        assert_eq!(shares.iter().sum::<u64>() % 4, 3);
    }
}

/// In how many of the 16 cases of shares of two bits do two parties get shares of what is wanted, without a message, if they do
/// their best? A party's function of its two bits is a table of four bits.
fn best_without_a_message(wanted: fn(bool, bool) -> bool) -> usize {
    let right = |f_0: u32, f_1: u32| {
        let bit = |word: u32, place: u32| word >> place & 1 == 1;
        let case = |c: &u32| {
            let (x, y) = (bit(*c, 0) ^ bit(*c, 2), bit(*c, 1) ^ bit(*c, 3));
            bit(f_0, *c & 3) ^ bit(f_1, *c >> 2) == wanted(x, y)
        };
        (0..16).filter(case).count()
    };
    (0..256).map(|tables| right(tables & 15, tables >> 4)).max().unwrap_or(0)
}

/// Exercise 2.3.
#[test]
fn no_shares_of_a_product_without_a_message() {
    assert_eq!(best_without_a_message(|x, y| x ^ y), 16, "a sum needs none");
    assert_eq!(best_without_a_message(|x, y| x & y), 12, "a product does, whatever both compute");
}
