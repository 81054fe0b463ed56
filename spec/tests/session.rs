//! Whole sessions against the ideal functionality: a plain array.
#![allow(missing_docs)]

use duoram_spec::core::ideal::{Operation, get, step};
use duoram_spec::core::vector::add;
use duoram_spec::paper::lemmas::{lemma_2, lemma_3};
use duoram_spec::paper::memory::opened;
use duoram_spec::paper::session::{
    CHUNK_WORDS, Session, Step, UpdateQuery, chunks, connect, load, preprocess, reads, updates, write,
};
use duoram_vectors::Random;
use proptest::prelude::*;

fn started(r: &mut Random, log_size: usize, items: usize) -> (Session, Vec<u64>) {
    let n = 1usize << log_size;
    let words = |r: &mut Random| r.words(n + 2 + 12 * items + 3 * items * (7 * log_size + 5) + 64);
    let (w_0, w_1, w_2) = (words(r), words(r), words(r));
    let session = connect(log_size, &w_0, &w_1, &w_2).session;
    let (d_0, d_1) = (r.words(n), r.words(n));
    let memory = add(&d_0, &d_1);
    (load(session, &d_0, &d_1).session, memory)
}

fn opens(shares: (u64, u64)) -> u64 {
    shares.0.wrapping_add(shares.1)
}

/// One random operation, in the protocol and on the array.
fn random_operation(r: &mut Random, session: Session, memory: &[u64]) -> (Session, Vec<u64>) {
    let n = memory.len() as u64;
    let target = r.below(n);
    let (address, value) = (r.shares(target), (r.word(), r.word()));
    let (run, operation) = match r.below(3) {
        0 => (reads(session, &[address]), Operation::Read { address: target }),
        1 => (
            updates(session, &[UpdateQuery { address, value }]),
            Operation::Update { address: target, delta: opens(value) },
        ),
        _ => (
            write(session, UpdateQuery { address, value }),
            Operation::Write { address: target, value: opens(value) },
        ),
    };
    let (after, result) = step(memory, &operation);
    if let Some(word) = result {
        assert_eq!(run.results.iter().map(|s| opens(*s)).collect::<Vec<_>>(), vec![word]);
    }
    assert_eq!(opened(&run.session.state), after);
    assert!(lemma_3(&run.session.state));
    (run.session, after)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sessions_answer_as_the_ideal_memory(seed: u64, log_size in 1usize..5) {
        let mut r = Random(seed);
        let (session, mut memory) = started(&mut r, log_size, 12);
        let mut session = preprocess(session, 6, 6).session;
        for _ in 0..6 {
            (session, memory) = random_operation(&mut r, session, &memory);
        }
    }

    /// Section 6: dependent reads take the shares of one result as the shares of the next address.
    #[test]
    fn dependent_reads_open_nothing_in_between(seed: u64, log_size in 1usize..5) {
        let mut r = Random(seed);
        let (session, memory) = started(&mut r, log_size, 4);
        let mut session = preprocess(session, 4, 0).session;
        let n = memory.len() as u64;
        let start = r.below(n);
        let (mut shares, mut address) = (r.shares(start), start);
        for _ in 0..4 {
            let Step { session: next, results, .. } = reads(session, &[shares]);
            (session, shares) = (next, results[0]);
            address = get(&memory, address & (n - 1));
        }
        prop_assert_eq!(opens(shares), address);
    }

    /// k queries in one step: one message each way, all answered from the same memory.
    #[test]
    fn many_queries_in_one_step(seed: u64, log_size in 1usize..5) {
        let mut r = Random(seed);
        let (session, memory) = started(&mut r, log_size, 6);
        let session = preprocess(session, 3, 3).session;
        let n = memory.len() as u64;
        let targets = [r.below(n), r.below(n), r.below(n)];
        let addresses: Vec<_> = targets.iter().map(|t| r.shares(*t)).collect();
        let run = reads(session, &addresses);
        for (target, shares) in targets.iter().zip(&run.results) {
            prop_assert_eq!(opens(*shares), get(&memory, *target));
        }
        let queries: Vec<_> =
            addresses.iter().map(|a| UpdateQuery { address: *a, value: (r.word(), r.word()) }).collect();
        let run = updates(run.session, &queries);
        prop_assert_eq!(run.sent.len(), 4);
        let mut expected = memory;
        for (target, query) in targets.iter().zip(&queries) {
            let (after, _) = step(&expected, &Operation::Update { address: *target, delta: opens(query.value) });
            prop_assert!(lemma_2(&expected, &after, *target, opens(query.value)));
            expected = after;
        }
        prop_assert_eq!(opened(&run.session.state), expected);
    }
}

/// Every message of a batch, per link: the counts of `reference/PROTOCOL.md`.
#[test]
fn a_batch_sends_two_messages_a_level_each_way_and_seven_more() {
    let mut r = Random(3);
    let log_size = 4;
    let (session, _) = started(&mut r, log_size, 2);
    let sent = preprocess(session, 1, 1).sent;
    let link = |from, to| sent.iter().filter(|m| (m.from, m.to) == (from, to)).count();
    assert_eq!((link(0, 1), link(1, 0)), (2 * log_size + 2, 2 * log_size + 2));
    assert_eq!((link(2, 0), link(2, 1), link(0, 2), link(1, 2)), (1, 1, 1, 1));
    // P2 sees nothing of what the primaries say to each other, and no key of DPF 1.
    assert!(sent.iter().filter(|m| m.to == 2).all(|m| m.kind == 9));
}

/// A second batch goes on where the first left the random words, and yields other material.
#[test]
fn batches_use_fresh_randomness() {
    let mut r = Random(4);
    let (session, _) = started(&mut r, 2, 4);
    let first = preprocess(session, 1, 1).session;
    let second = preprocess(first.clone(), 1, 1).session;
    assert_eq!(second.reads.len(), 2);
    assert_ne!(second.reads[0], second.reads[1]);
    assert_ne!(second.updates[0], second.updates[1]);
    assert_eq!(second.reads[0], first.reads[0]);
}

/// No message is longer than a chunk, none is empty, and together they are the vector.
#[test]
fn a_vector_is_sent_in_full_chunks_and_a_rest() {
    for (words, expected) in [
        (0, vec![]),
        (1, vec![1]),
        (CHUNK_WORDS - 1, vec![CHUNK_WORDS - 1]),
        (CHUNK_WORDS, vec![CHUNK_WORDS]),
        (CHUNK_WORDS + 1, vec![CHUNK_WORDS, 1]),
        (2 * CHUNK_WORDS, vec![CHUNK_WORDS; 2]),
    ] {
        let vector: Vec<u64> = (0..words as u64).collect();
        let sent = chunks(5, 2, 0, 1, &vector);
        let lengths: Vec<usize> = sent.iter().map(|message| message.payload.len() / 8).collect();
        assert_eq!(lengths, expected, "{words} words");
        assert!(sent.iter().zip(0..).all(|(message, round)| message.round == round));
        let bytes: Vec<u8> = vector.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(sent.iter().flat_map(|message| &message.payload).eq(&bytes));
    }
}
