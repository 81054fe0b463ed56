//! Locality of the lean protocol: each party alone, from its own things and from the bytes that it was sent in a step, does and says
//! what it does and says in the session. `proofs/rocq/lean/PayloadRoundTrip.v` proves that the bytes lose nothing.
#![allow(missing_docs)]

use crate::lean::{Party3, connected, query};
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::delivery::{inbox, received, say_hello, session_prg};
use duoram_spec::lean::online::Query;
use duoram_spec::lean::party::size;
use duoram_spec::lean::party_turn::{HelperTask, PrimaryTask, turn_0, turn_1, turn_2};
use duoram_spec::lean::session::{
    self, CHUNK_WORDS, Sent, Step, Streams, connect, load, preprocess, reads, swap, updates, write,
};
use duoram_spec::lean::tape::PairStreams;
use duoram_vectors::Random;
use proptest::prelude::*;

/// A step's inputs, of all three parties.
struct Tasks {
    p0: PrimaryTask<XorWord>,
    p1: PrimaryTask<XorWord>,
    p2: HelperTask,
}

fn said_by(sent: &[Sent], from: u8) -> Vec<Sent> {
    sent.iter().filter(|message| message.from == from).cloned().collect()
}

/// Takes a step, in the session and at each party alone.
fn agreed(before: Party3, tasks: &Tasks, step: impl Fn(Party3) -> Step<XorWord, crate::lean::Toy>) -> Party3 {
    let Step { session: after, sent, results } = step(before.clone());
    let (results_0, results_1) = results.into_iter().unzip();
    let turn = turn_0(before.p0, before.operation, &tasks.p0, &inbox(&sent, 0));
    assert_eq!((&turn.party, turn.sent, turn.results), (&after.p0, said_by(&sent, 0), results_0));
    let turn = turn_1(before.p1, before.operation, &tasks.p1, &inbox(&sent, 1));
    assert_eq!((&turn.party, turn.sent, turn.results), (&after.p1, said_by(&sent, 1), results_1));
    let turn = turn_2(before.p2, before.operation, &tasks.p2, &inbox(&sent, 2));
    assert_eq!((&turn.party, turn.sent, turn.results), (&after.p2, said_by(&sent, 2), vec![]));
    after
}

fn prepared(session: Party3, items: (usize, usize)) -> Party3 {
    let (reads, updates) = items;
    let task = PrimaryTask::Preprocess { reads, updates };
    let tasks = Tasks { p0: task.clone(), p1: task, p2: HelperTask::Preprocess { reads, updates } };
    agreed(session, &tasks, |session| preprocess(session, reads, updates))
}

fn loaded(r: &mut Random, session: Party3) -> Party3 {
    let n = size(session.p0.log_size);
    let (d_0, d_1): (Vec<XorWord>, Vec<XorWord>) = (r.vector(n), r.vector(n));
    let task = |memory_share: &Vec<XorWord>| PrimaryTask::Load { memory_share: memory_share.clone() };
    let tasks = Tasks { p0: task(&d_0), p1: task(&d_1), p2: HelperTask::Load };
    agreed(session, &tasks, |session| load(session, &d_0, &d_1))
}

/// Shares of queries for random addresses of a memory.
fn queries(r: &mut Random, log_size: usize, count: usize) -> Vec<(Query<XorWord>, Query<XorWord>)> {
    (0..count)
        .map(|_| {
            let target = r.below(1 << log_size);
            query(r, target).0
        })
        .collect()
}

fn several(r: &mut Random, session: Party3, count: usize, updating: bool) -> Party3 {
    let queries = queries(r, session.p0.log_size, count);
    let (of_0, of_1): (Vec<_>, Vec<_>) = queries.iter().copied().unzip();
    if updating {
        let task = |queries| PrimaryTask::Updates { queries };
        let tasks = Tasks { p0: task(of_0), p1: task(of_1), p2: HelperTask::Updates { queries: count } };
        return agreed(session, &tasks, |session| updates(session, &queries));
    }
    let task = |queries: Vec<Query<XorWord>>| PrimaryTask::Reads {
        addresses: queries.iter().map(|query| query.address).collect(),
    };
    let tasks = Tasks { p0: task(of_0), p1: task(of_1), p2: HelperTask::Reads { queries: count } };
    let addresses: Vec<_> = queries.iter().map(|(q_0, q_1)| (q_0.address, q_1.address)).collect();
    agreed(session, &tasks, |session| reads(session, &addresses))
}

fn put(r: &mut Random, session: Party3, swapping: bool) -> Party3 {
    let both = queries(r, session.p0.log_size, 1)[0];
    let task = |query| PrimaryTask::Put { query, swap: swapping };
    let tasks = Tasks { p0: task(both.0), p1: task(both.1), p2: HelperTask::Put { swap: swapping } };
    agreed(session, &tasks, |session| if swapping { swap(session, both) } else { write(session, both) })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn each_party_is_a_function_of_its_own_things(
        seed: u64,
        log_size in 0usize..=9,
        items in (0usize..=2, 0usize..=2),
        more in (0usize..=1, 0usize..=1),
    ) {
        let r = &mut Random(seed);
        let session = connected(r, log_size, log_size, 6);
        let session = loaded(r, session);
        let session = prepared(session, items);
        let session = several(r, session, items.0, false);
        let session = prepared(session, more);
        let session = several(r, session, items.1, true);
        // Of what is left; without an item, a WRITE does nothing anywhere.
        let session = put(r, session, seed % 2 == 0);
        several(r, session, more.0, false);
    }
}

#[test]
fn a_memory_of_several_chunks_arrives_whole() {
    let r = &mut Random(7);
    let session = connected(r, 17, 17, 0);
    assert!(size(17) > CHUNK_WORDS);
    loaded(r, session);
}

/// Only the connect makes a PRG: with keys of AES, of a session over u64 or any other words.
#[test]
fn each_party_has_the_key_from_what_the_others_said() {
    let r = &mut Random(3);
    let mut streams = || PairStreams { streams: vec![r.words(8)] };
    let streams = Streams { pair_01: streams(), pair_02: streams(), pair_12: streams() };
    let words = [r.words(16), r.words(16), r.words(16)];
    let Step { session, sent, .. }: session::Step<XorWord, _> =
        connect(3, 5, (&words[0], &words[1], &words[2]), &streams);
    for (number, words) in (0u8..).zip(&words) {
        assert_eq!(say_hello(number, 5, words), said_by(&sent, number));
        assert_eq!(session_prg(number, 5, words, &inbox(&sent, number)), session.p0.prg);
    }
}

/// A message of another kind, sender or round is not the one that is asked for, and what was not said is empty.
#[test]
fn what_is_asked_for_is_what_is_received() {
    let message =
        |kind, from, round| Sent { kind, from, to: 2, operation: 0, round, payload: vec![kind, from] };
    let box_of_2 = [message(12, 0, 0), message(12, 1, 0), message(15, 0, 1)];
    assert_eq!(received(&box_of_2, 12, 1, 0), [12, 1]);
    assert_eq!(received(&box_of_2, 15, 0, 1), [15, 0]);
    for (kind, from, round) in [(15, 0, 0), (15, 1, 1), (13, 0, 0)] {
        assert!(received(&box_of_2, kind, from, round).is_empty());
    }
    assert_eq!(inbox(&box_of_2, 2), box_of_2);
    assert_eq!(inbox(&box_of_2, 1), []);
}
