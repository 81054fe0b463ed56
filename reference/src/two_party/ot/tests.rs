//! OTs of two parties in the clear: each receiver has the key of its choice and not the other one.

use proptest::prelude::*;

use super::base::{BaseSender, Point, Scalars, choose};
use super::extension::Extent;
use super::*;
use crate::Block;
use crate::engine::PartyStream;
use crate::wire::{Role, SessionId};

const SESSION: SessionId = SessionId([5; 16]);

/// P0 receives, P1 sends.
fn pair(seed: u8, delta: Block) -> (Receiver, Sender) {
    let mut streams = [seed, seed ^ 0xff].map(|seed| PartyStream::new([seed; 32]));
    let base = BaseSender::draw(&mut streams[0]);
    let (points, chosen) = choose(&Scalars::draw(&mut streams[1]), SESSION, Role::P0, base.point(), delta);
    let seeds = base.seeds(SESSION, Role::P0, &points);
    for (number, (pair, chosen)) in seeds.iter().zip(chosen.iter()).enumerate() {
        let bit = delta >> number & 1 == 1;
        assert_eq!(&pair[usize::from(bit)], chosen, "base OT {number}");
        assert_ne!(&pair[usize::from(!bit)], chosen, "base OT {number}");
    }
    (Receiver::new(Role::P0, seeds), Sender::new(Role::P0, delta, chosen))
}

/// For how many OTs the receiver has the right key and not the other one.
fn right(choices: &[bool], keys: &[Block], pairs: &[[Block; 2]]) -> usize {
    assert_eq!((choices.len(), choices.len()), (keys.len(), pairs.len()));
    let has = |&(&x, (key, pair)): &(&bool, (&Block, &[Block; 2]))| {
        pair[usize::from(x)] == *key && pair[usize::from(!x)] != *key
    };
    choices.iter().zip(keys.iter().zip(pairs)).filter(has).count()
}

const DELTA: Block = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210;

#[test]
fn each_receiver_has_the_key_of_its_choice_and_not_the_other_one() {
    let (receiver, sender) = pair(1, DELTA);
    proptest!(ProptestConfig::with_cases(64), |(choices: Vec<bool>, stream: u64, first in 0..1_u64 << 40)| {
        let extent = Extent { stream, first };
        let (columns, keys) = receiver.extend(extent, &choices);
        prop_assert_eq!(columns.len(), COLUMNS * choices.len().div_ceil(8));
        let pairs = sender.extend(extent, &columns, choices.len());
        prop_assert_eq!(right(&choices, &keys, &pairs), choices.len());
        let mut all: Vec<Block> = pairs.as_flattened().to_vec();
        all.sort_unstable();
        all.dedup();
        prop_assert_eq!(all.len(), 2 * choices.len(), "no two keys are equal");
    });
}

/// What the receiver says does not depend on the choices but for the mask of the second seeds: unused bits are 0.
#[test]
fn unused_bits_of_a_column_are_zero() {
    let (receiver, _) = pair(2, DELTA);
    let (columns, _) = receiver.extend(Extent { stream: 0, first: 0 }, &[true; 11]);
    assert!(columns.chunks_exact(2).all(|column| column[1] >> 3 == 0));
}

/// Planted faults: each leaves some receiver without its key.
#[test]
fn a_fault_in_delta_a_seed_a_column_or_a_number_is_noticed() {
    let (receiver, sender) = pair(3, DELTA);
    let choices: Vec<bool> = (0..100).map(|j| j % 3 == 0).collect();
    let extent = Extent { stream: 4, first: 70 };
    let (columns, keys) = receiver.extend(extent, &choices);
    let with = |sender: &Sender, extent, columns: &[u8]| {
        right(&choices, &keys, &sender.extend(extent, columns, choices.len()))
    };
    assert_eq!(with(&sender, extent, &columns), 100);
    let mut saved = Vec::new();
    sender.write(&mut saved);
    let spoilt = |place: usize| {
        let mut words = saved.clone();
        words[place] ^= 1;
        with(&Sender::read(Role::P0, &words), extent, &columns)
    };
    assert!(spoilt(0) < 100, "another Delta");
    assert!(spoilt(2) < 100, "another seed");
    let mut other = columns.clone();
    other[13 * 4] ^= 1;
    assert_eq!(with(&sender, extent, &other), 100 - usize::from(DELTA >> 4 & 1 == 1), "one bit of column 4");
    assert_eq!(with(&sender, Extent { stream: 5, ..extent }, &columns), 0, "another stream");
    assert_eq!(with(&sender, Extent { first: 71, ..extent }, &columns), 0, "another index");
    let wrong_role = Sender::read(Role::P1, &saved);
    assert_eq!(with(&wrong_role, extent, &columns), 0, "the other direction");
}

#[test]
fn what_is_saved_is_read_back() {
    let (receiver, sender) = pair(4, DELTA);
    let (mut of_receiver, mut of_sender) = (Vec::new(), Vec::new());
    receiver.write(&mut of_receiver);
    sender.write(&mut of_sender);
    assert_eq!((of_receiver.len(), of_sender.len()), (Receiver::WORDS, Sender::WORDS));
    let (receiver, sender) = (Receiver::read(Role::P0, &of_receiver), Sender::read(Role::P0, &of_sender));
    let (choices, extent) = ([true, false, true], Extent { stream: 1, first: 3 });
    let (columns, keys) = receiver.extend(extent, &choices);
    assert_eq!(right(&choices, &keys, &sender.extend(extent, &columns, 3)), 3);
}

#[test]
fn points_are_canonical_and_not_the_identity() {
    let mut stream = PartyStream::new([9; 32]);
    let point = *BaseSender::draw(&mut stream).point();
    assert_eq!(Point::read(*point.encoding()), Some(point));
    assert_eq!(Point::read([0; 32]), None, "the identity");
    assert_eq!(Point::read([0xff; 32]), None, "above the field's order");
    let mut negative = *point.encoding();
    negative[0] ^= 1;
    assert_eq!(Point::read(negative), None, "an odd field element");
    // [rfc9496, appendix A.2]: not a square; above the order.
    for encoding in [
        "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ] {
        let bytes = std::array::from_fn(|i| u8::from_str_radix(&encoding[2 * i..2 * i + 2], 16).unwrap());
        assert_eq!(Point::read(bytes), None, "{encoding}");
    }
}
