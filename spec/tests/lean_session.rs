//! Whole lean sessions against the ideal functionality: a plain array of XOR words.
#![allow(missing_docs)]

use crate::lean::{Party3, connected, connected_words, query, xor_shares};
use duoram_spec::core::dpf::eval_full;
use duoram_spec::core::ideal::{Operation, get, step};
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::vector::{add, unit_vector};
use duoram_spec::lean::layers::{unit_flags, values};
use duoram_spec::lean::lemmas::{load_shares, material_points_at, states_agree};
use duoram_spec::lean::memory::opened_alpha;
use duoram_spec::lean::party::size;
use duoram_spec::lean::read::Flags;
use duoram_spec::lean::session::{
    CHUNK_WORDS, Sent, Step, chunks, load, preprocess, reads, state, swap, updates, write,
};
use duoram_spec::lean::update::{Material, Values};
use duoram_vectors::Random;
use proptest::prelude::*;

fn loaded(r: &mut Random, log_size: usize, items: usize) -> (Party3, Vec<XorWord>) {
    loaded_words(r, log_size, size(log_size), items)
}

fn loaded_words(r: &mut Random, log_size: usize, words: usize, items: usize) -> (Party3, Vec<XorWord>) {
    let (d_0, d_1) = (r.vector(words), r.vector(words));
    let connected = connected_words(r, log_size, log_size, words, items);
    assert_eq!(opened_alpha(&state(&connected)), vec![XorWord::zero(); words]);
    let session = load(connected, &d_0, &d_1).session;
    assert!(load_shares(&state(&session), &d_0, &d_1));
    (session, add(&d_0, &d_1))
}

fn opened(results: &[(XorWord, XorWord)]) -> Vec<XorWord> {
    results.iter().map(|(x, y)| x.plus(*y)).collect()
}

/// One random operation, in the protocol and on the array, which may have fewer words than there are addresses.
fn random_operation(r: &mut Random, session: Party3, memory: &[XorWord]) -> (Party3, Vec<XorWord>) {
    let target = r.below(size(session.p0.log_size) as u64);
    let (shares, value) = query(r, target);
    let read = Operation::Read { address: target };
    let (run, operation, result) = match r.below(4) {
        0 => (reads(session, &[(shares.0.address, shares.1.address)]), read, true),
        1 => (updates(session, &[shares]), Operation::Update { address: target, delta: value }, false),
        2 => (write(session, shares), Operation::Write { address: target, value }, false),
        _ => (swap(session, shares), Operation::Write { address: target, value }, true),
    };
    let old = get(memory, target);
    assert_eq!(opened(&run.results), if result { vec![old] } else { vec![] });
    let (after, _) = step(memory, &operation);
    assert_eq!(opened_alpha(&state(&run.session)), after);
    assert!(states_agree(&state(&run.session)));
    (run.session, after)
}

/// The item that is used next, all parties' parts of it together.
fn next_item(session: &Party3) -> (Material<XorWord>, u64) {
    let (p0, p1, p2) = (&session.p0.updates[0], &session.p1.updates[0], &session.p2.updates[0]);
    let (prg, log_size) = (&session.p0.prg, session.p0.log_size);
    let t = |key| unit_flags(prg, key, log_size);
    let v = |key| values(prg, key, log_size);
    let material = Material {
        flags: Flags { a_0: t(&p0.key_a), a_1: t(&p1.key_a), b_0: t(&p0.key_b), b_1: t(&p2.key_b) },
        values: Values { a_0: v(&p0.key_a), a_1: v(&p1.key_a), b_0: v(&p0.key_b), b_1: v(&p2.key_b) },
        value_shares: (p0.value_share, p1.value_share),
        delta: p0.delta,
    };
    assert_eq!((&p0.key_a, p0.delta), (&p2.key_a, p2.delta), "P2 has P0's key, and delta");
    (material, p0.random_index ^ p1.random_index)
}

/// Every size from below kw to above kf, and batches of READ and UPDATE items together.
#[test]
fn random_schedules_answer_as_the_ideal_memory() {
    let mut r = Random(0x1ea7);
    for log_size in 1..=10 {
        for _ in 0..3 {
            let (session, mut memory) = loaded(&mut r, log_size, 24);
            let session = preprocess(session, 6, 6).session;
            let mut session = preprocess(session, 6, 6).session;
            for _ in 0..12 {
                (session, memory) = random_operation(&mut r, session, &memory);
            }
        }
    }
}

/// What is not there is 0 and stays so, and nobody stores it.
#[test]
fn a_memory_may_have_fewer_words_than_there_are_addresses() {
    let mut r = Random(0xfe3);
    for (log_size, words) in [(1, 1), (2, 3), (3, 5), (5, 1), (7, 100), (8, 129), (8, 255)] {
        let (session, mut memory) = loaded_words(&mut r, log_size, words, 24);
        let mut session = preprocess(session, 12, 12).session;
        for _ in 0..12 {
            (session, memory) = random_operation(&mut r, session, &memory);
            let lengths =
                [&session.p0.state.beta, &session.p1.state.alpha, &session.p2.state.beta].map(Vec::len);
            assert_eq!((lengths, memory.len()), ([words; 3], words));
        }
        let beyond = xor_shares(&mut r, words as u64);
        assert_eq!(opened(&reads(session, &[beyond]).results), vec![XorWord::zero()]);
    }
}

/// Output layers and the dealt one-hot vector give point functions, at any size.
#[test]
fn prepared_items_point_at_ri() {
    let mut r = Random(0x17e3);
    for log_size in 1..=10 {
        let session = preprocess(connected(&mut r, log_size, log_size, 2), 1, 1).session;
        let (material, ri) = next_item(&session);
        assert!(material_points_at(&material, size(log_size), ri), "h = {log_size}");
        let (p0, p1, p2) = (&session.p0.reads[0], &session.p1.reads[0], &session.p2.reads[0]);
        let t = |key| unit_flags::<XorWord, _>(&session.p0.prg, key, log_size);
        let unit = unit_vector::<XorWord>(
            size(log_size),
            usize::try_from(p0.random_index ^ p1.random_index).unwrap(),
        );
        assert_eq!(add(&t(&p0.key_a), &t(&p1.key_a)), unit);
        assert_eq!(add(&t(&p0.key_b), &t(&p2.key_b)), unit);
        assert!(p0.key_a.word_correction.is_empty() && p0.key_a.flag_correction != 0);
        let leaves = eval_full(&session.p0.prg, &p0.key_a.tree).len();
        assert_eq!(leaves, 1 << log_size.saturating_sub(7), "the tree ends seven levels early");
    }
}

/// From zeros, without a load: nothing is sent for it.
#[test]
fn a_session_without_a_load_begins_with_zeros() {
    let mut r = Random(5);
    let session = preprocess(connected(&mut r, 4, 4, 2), 1, 1).session;
    let address = xor_shares(&mut r, 3);
    let run = reads(session, &[address]);
    assert_eq!(opened(&run.results), vec![XorWord::zero()]);
}

/// A session that runs out of items changes nothing.
#[test]
fn without_an_item_nothing_happens() {
    let mut r = Random(6);
    let (session, _) = loaded(&mut r, 3, 1);
    let (shares, _) = query(&mut r, 1);
    let run = write(session.clone(), shares);
    assert_eq!((run.sent, run.results.len(), state(&run.session)), (vec![], 0, state(&session)));
    assert!(reads(session, &[(1, 1)]).results.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The shares of a result, cut to h bits, are shares of the next address: nothing is opened in between.
    #[test]
    fn lean_dependent_reads_open_nothing_in_between(seed: u64, log_size in 1usize..8) {
        let mut r = Random(seed);
        let (session, memory) = loaded(&mut r, log_size, 4);
        let mut session = preprocess(session, 4, 0).session;
        let mut address = r.below(memory.len() as u64);
        let mut shares = xor_shares(&mut r, address);
        for _ in 0..4 {
            let Step { session: next, results, .. } = reads(session, &[shares]);
            (session, shares) = (next, (results[0].0.bits, results[0].1.bits));
            address = get(&memory, address & (memory.len() as u64 - 1)).bits;
        }
        prop_assert_eq!(shares.0 ^ shares.1, address);
    }

    /// k READs in one step: one message each way, all answered from the same memory. k UPDATEs: one after another.
    #[test]
    fn lean_many_queries_in_one_step(seed: u64, log_size in 1usize..8) {
        let mut r = Random(seed);
        let (session, mut memory) = loaded(&mut r, log_size, 6);
        let session = preprocess(session, 3, 3).session;
        let n = memory.len() as u64;
        let targets = [r.below(n), r.below(n), r.below(n)];
        let addresses: Vec<_> = targets.iter().map(|t| xor_shares(&mut r, *t)).collect();
        let run = reads(session, &addresses);
        prop_assert_eq!(run.sent.len(), 5);
        prop_assert_eq!(opened(&run.results), targets.map(|t| get(&memory, t)).to_vec());
        let queries: Vec<_> = targets.iter().map(|t| query(&mut r, *t)).collect();
        let run = updates(run.session, &queries.iter().map(|(q, _)| *q).collect::<Vec<_>>());
        prop_assert_eq!(run.sent.len(), 4);
        for (target, (_, value)) in targets.iter().zip(queries) {
            memory = step(&memory, &Operation::Update { address: *target, delta: value }).0;
        }
        prop_assert_eq!(opened_alpha(&state(&run.session)), memory);
        prop_assert!(states_agree(&state(&run.session)));
    }
}

/// A second batch has items of its own numbers and draws, and leaves the first as it is.
#[test]
fn lean_batches_use_fresh_randomness() {
    let mut r = Random(4);
    let first = preprocess(connected(&mut r, 3, 3, 4), 1, 1).session;
    let second = preprocess(first.clone(), 1, 1).session;
    assert_eq!((&second.p0.reads[0], &second.p2.updates[0]), (&first.p0.reads[0], &first.p2.updates[0]));
    assert_ne!(second.p0.reads[0].key_a, second.p0.reads[1].key_a);
    assert_ne!(second.p1.updates[0].value_share, second.p1.updates[1].value_share);
    let numbers = |items: &[duoram_spec::lean::party::Item1<XorWord>]| -> Vec<usize> {
        items.iter().map(|item| item.number).collect()
    };
    assert_eq!((numbers(&second.p1.reads), numbers(&second.p1.updates)), (vec![0, 2], vec![1, 3]));
}

/// P2 hears nothing of what P0 and P1 say to each other while items are made, and nothing of an operation but its own part.
#[test]
fn p2_is_sent_keys_shifts_and_masked_values_only() {
    let mut r = Random(7);
    let (session, _) = loaded(&mut r, 9, 3);
    let prepared = preprocess(session, 1, 2);
    let to_2 = |sent: &[Sent]| sent.iter().filter(|m| m.to == 2).map(|m| m.kind).collect::<Vec<_>>();
    assert_eq!(to_2(&prepared.sent), [10, 10, 11, 11]);
    let (shares, _) = query(&mut r, 1);
    let updated = updates(prepared.session, &[shares]);
    assert_eq!(to_2(&updated.sent), [14, 14]);
    let swapped = swap(updated.session, shares);
    assert_eq!(to_2(&swapped.sent), [12, 12, 15, 15]);
}

/// No message of a load is longer than a chunk, none is empty, and together they are the vector: 2n words in all.
#[test]
fn a_load_sends_two_vectors_in_chunks() {
    let vector: Vec<XorWord> = (0..=CHUNK_WORDS as u64).map(|bits| XorWord { bits }).collect();
    let sent = chunks(1, 2, 0, 2, &vector);
    assert_eq!(sent.iter().map(|m| m.payload.len() / 8).collect::<Vec<_>>(), [CHUNK_WORDS, 1]);
    assert!(sent.iter().zip(0..).all(|(m, round)| m.round == round));
    let mut r = Random(8);
    let (d_0, d_1) = (r.vector(32), r.vector(32));
    let sent = load(connected(&mut r, 5, 5, 0), &d_0, &d_1).sent;
    let links: Vec<_> = sent.iter().map(|m| (m.from, m.to, m.payload.len())).collect();
    assert_eq!(links, [(0, 2, 256), (1, 0, 256)]);
}
