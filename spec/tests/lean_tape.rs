//! What the lean parties draw: each word of a stream at most once, in the order that `crate::lean::tape` says.
#![allow(missing_docs)]

use crate::lean::connected;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::layers::Purpose;
use duoram_spec::lean::party::{HELLO_WORDS, hello};
use duoram_spec::lean::session::{load, preprocess};
use duoram_spec::lean::tape::{
    PRIMARY_WORDS, Seed0, common_value, delta_mask, online_01, online_02, online_12, primary_randomness,
    seed_0, seed_1, seed_words_0, seed_words_1, write_mask_01,
};
use duoram_vectors::Random;

type Draws = Vec<u128>;

fn of(word: XorWord) -> u128 {
    u128::from(word.to_u64())
}

fn draws_01(words: &[u64]) -> Draws {
    let draws: [XorWord; 5] = [
        common_value(words, 0),
        common_value(words, 1),
        delta_mask(words),
        online_01(words),
        write_mask_01(words),
    ];
    draws.map(of).into()
}

fn draws_02(words: &[u64], log_size: usize, purpose: Purpose) -> Draws {
    let of_dpf = |dpf| {
        let seed: Seed0<XorWord> = seed_0(words, log_size, purpose, dpf);
        let mut draws: Draws = seed.triples.iter().flat_map(|t| [t.x, t.y, t.z]).collect();
        draws.extend([seed.one_hot, u128::from(seed.mask)]);
        if purpose == Purpose::Update {
            draws.push(of(seed.value_share));
            draws.extend(seed.value_one_hot.into_iter().map(of));
        }
        draws
    };
    let online = if purpose == Purpose::Update { vec![of(online_02(words, log_size))] } else { vec![] };
    [of_dpf(0), of_dpf(1), online].concat()
}

fn draws_12(words: &[u64], log_size: usize, purpose: Purpose) -> Draws {
    let of_dpf = |dpf| {
        let seed = seed_1(words, log_size, purpose, dpf);
        let mut draws: Draws = seed.triples.iter().flat_map(|t| [t.x, t.y]).collect();
        draws.push(u128::from(seed.mask));
        draws
    };
    let places = if purpose == Purpose::Update { 2 } else { 1 };
    let online = (0..places).map(|place| of(online_12(words, log_size, purpose, place))).collect();
    [of_dpf(0), of_dpf(1), online].concat()
}

fn draws_primary(words: &[u64]) -> Draws {
    let draws = primary_randomness(words, 0);
    vec![u128::from(draws.random_index), draws.root_a, draws.root_b]
}

fn draws_hello(words: &[u64]) -> Draws {
    let (first, second) = (hello(words, 1, false), hello(words, 1, true));
    let seeds = first.seed.iter().chain(&second.seed).map(|word| u128::from(*word));
    std::iter::once(first.contribution).chain(seeds).collect()
}

/// Whether each of the first `used` words is in exactly one draw, and no word behind them in any.
fn once_each(used: usize, draws: impl Fn(&[u64]) -> Draws) {
    let words = Random(0x0dd).words(used + 8);
    let before = draws(&words);
    for place in 0..words.len() {
        let mut changed = words.clone();
        changed[place] ^= 1;
        let after = draws(&changed);
        let count = before.iter().zip(&after).filter(|(x, y)| x != y).count();
        assert_eq!(count, usize::from(place < used), "word {place} of {used}");
    }
}

#[test]
fn every_word_of_a_stream_is_drawn_once() {
    once_each(5, draws_01);
    once_each(PRIMARY_WORDS, draws_primary);
    once_each(HELLO_WORDS, draws_hello);
    for log_size in [1, 3, 4, 7, 8, 10] {
        let (read, update) = (Purpose::Read, Purpose::Update);
        once_each(2 * seed_words_0(log_size, read), |words| draws_02(words, log_size, read));
        once_each(2 * seed_words_0(log_size, update) + 1, |words| draws_02(words, log_size, update));
        once_each(2 * seed_words_1(log_size, read) + 1, |words| draws_12(words, log_size, read));
        once_each(2 * seed_words_1(log_size, update) + 2, |words| draws_12(words, log_size, update));
    }
}

/// One cursor an item: the load and each item have streams of their own, which no other thing depends on.
#[test]
fn the_load_and_each_item_draw_from_streams_of_their_own() {
    let mut r = Random(0x17);
    let session = connected(&mut r, 8, 8, 2);
    let (d_0, d_1) = (r.vector::<XorWord>(256), r.vector(256));
    let run = |stream: Option<usize>| {
        let mut session = session.clone();
        for pair in [
            &mut session.p0.stream_01,
            &mut session.p0.stream_02,
            &mut session.p1.stream_01,
            &mut session.p1.stream_12,
            &mut session.p2.stream_02,
            &mut session.p2.stream_12,
        ] {
            for word in stream.map_or(&mut [][..], |stream| &mut pair.streams[stream]) {
                *word = !*word;
            }
        }
        let loaded = load(session, &d_0, &d_1);
        let read = preprocess(loaded.session, 1, 0);
        let update = preprocess(read.session, 0, 1);
        [loaded.sent, read.sent, update.sent]
    };
    let before = run(None);
    for stream in 0..3 {
        let after = run(Some(stream));
        for step in 0..3 {
            assert_eq!(before[step] != after[step], step == stream, "step {step}, stream {stream}");
        }
    }
}

/// Two batches take consecutive words of the parties' own streams: 5 an item at a primary, and P2 two an UPDATE item.
#[test]
fn batches_go_on_where_the_last_one_ended() {
    let session = connected(&mut Random(0x18), 4, 4, 5);
    let first = preprocess(session, 1, 2).session;
    let drawn = |session: &crate::lean::Party3| [session.p0.drawn, session.p1.drawn, session.p2.drawn];
    assert_eq!(drawn(&first), [HELLO_WORDS + 15, HELLO_WORDS + 15, HELLO_WORDS + 4]);
    let second = preprocess(first, 2, 0).session;
    assert_eq!(drawn(&second), [HELLO_WORDS + 25, HELLO_WORDS + 25, HELLO_WORDS + 4]);
    assert_eq!((second.p0.items, second.p1.items, second.p2.items), (5, 5, 5));
}
