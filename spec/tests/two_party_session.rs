//! Whole sessions of two parties against the ideal functionality: a plain array.
#![allow(missing_docs)]

use duoram_spec::core::ideal::{Operation, get, set, step};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::vector::add;
use duoram_spec::two_party::lemmas::{adds, puts};
use duoram_spec::two_party::masks::AesPrf;
use duoram_spec::two_party::party_online::Query;
use duoram_spec::two_party::session::{
    Session, Step, Words, connect, follow, load, preprocess, reads, swap, updates, write,
};
use duoram_spec::two_party::tape::{CONTRIBUTION_WORDS, READ_WORDS, UPDATE_WORDS};
use duoram_vectors::Random;
use proptest::prelude::*;

type TwoParties = Session<u64, AesPrg, AesPrf>;

/// Two parties with a random memory and so many items of each kind, and that memory.
fn ready(r: &mut Random, log_size: usize, read_items: usize, update_items: usize) -> (TwoParties, Vec<u64>) {
    let making = CONTRIBUTION_WORDS + READ_WORDS * read_items + UPDATE_WORDS * update_items;
    let mut words = || Words { making: r.words(making), blinds: r.words(read_items) };
    let session = connect(log_size, &words(), &words()).session;
    let (d_0, d_1) = (r.words(1 << log_size), r.words(1 << log_size));
    let session = load(session, &d_0, &d_1).session;
    let ots = r.ots(log_size, read_items + update_items);
    (preprocess(session, read_items, update_items, &ots).session, add(&d_0, &d_1))
}

fn opens(shares: (u64, u64)) -> u64 {
    shares.0.wrapping_add(shares.1)
}

fn opened(session: &TwoParties) -> Vec<u64> {
    add(&session.p0.memory_share, &session.p1.memory_share)
}

fn query(r: &mut Random, address: u64, value: u64) -> (Query<u64>, Query<u64>) {
    let (address, value) = (r.shares(address), r.shares(value));
    (Query { address: address.0, value: value.0 }, Query { address: address.1, value: value.1 })
}

/// One random operation, by the parties and on the array.
fn random_operation(r: &mut Random, session: TwoParties, memory: &[u64]) -> (TwoParties, Vec<u64>) {
    let address = r.below(memory.len() as u64);
    let word = r.word();
    let (run, results, after) = match r.below(4) {
        0 => {
            let (after, result) = step(memory, &Operation::Read { address });
            (reads(session, &[r.shares(address)]), vec![result.unwrap()], after)
        }
        1 => {
            let (after, _) = step(memory, &Operation::Update { address, delta: word });
            (updates(session, &[query(r, address, word)]), vec![], after)
        }
        2 => {
            let (after, _) = step(memory, &Operation::Write { address, value: word });
            (write(session, query(r, address, word)), vec![], after)
        }
        _ => {
            let after = set(memory, address, word);
            (swap(session, query(r, address, word)), vec![get(memory, address)], after)
        }
    };
    assert_eq!(run.results.into_iter().map(opens).collect::<Vec<_>>(), results);
    assert_eq!(opened(&run.session), after);
    (run.session, after)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn sessions_answer_as_the_ideal_memory(seed: u64, log_size in 1usize..5) {
        let mut r = Random(seed);
        let (mut session, mut memory) = ready(&mut r, log_size, 6, 6);
        for _ in 0..6 {
            (session, memory) = random_operation(&mut r, session, &memory);
        }
    }

    /// Section 6: dependent reads take the shares of one result as the shares of the next address.
    #[test]
    fn dependent_reads_open_nothing_in_between(seed: u64, log_size in 1usize..5) {
        let mut r = Random(seed);
        let (session, memory) = ready(&mut r, log_size, 4, 0);
        let n = memory.len() as u64;
        let mut address = r.below(n);
        let Step { mut session, mut results, .. } = reads(session, &[r.shares(address)]);
        for _ in 0..3 {
            address = get(&memory, address) % n;
            Step { session, results, .. } = follow(session, &results);
        }
        prop_assert_eq!(opens(results[0]), get(&memory, address));
    }

    /// k queries in one step: READs are answered from one memory, UPDATEs are applied one after another.
    #[test]
    fn many_queries_in_one_step(seed: u64, log_size in 1usize..5) {
        let mut r = Random(seed);
        let (session, memory) = ready(&mut r, log_size, 3, 3);
        let targets = [0; 3].map(|_| r.below(memory.len() as u64));
        let run = reads(session, &targets.map(|target| r.shares(target)));
        for (target, shares) in targets.iter().zip(&run.results) {
            prop_assert_eq!(opens(*shares), get(&memory, *target));
        }
        let values = [0; 3].map(|_| r.word());
        let queries: Vec<_> = targets.iter().zip(values).map(|(target, m)| query(&mut r, *target, m)).collect();
        let run = updates(run.session, &queries);
        prop_assert_eq!(run.sent.len(), 2);
        let mut expected = memory;
        for (address, delta) in targets.into_iter().zip(values) {
            let (after, _) = step(&expected, &Operation::Update { address, delta });
            prop_assert!(adds(&expected, &after, address, delta));
            expected = after;
        }
        prop_assert_eq!(opened(&run.session), expected);
    }

    /// A WRITE is one step of three messages each way, and leaves no result; a SWAP says the same and keeps the old word.
    #[test]
    fn a_write_is_a_swap_without_its_result(seed: u64, log_size in 1usize..5) {
        let mut r = Random(seed);
        let (session, memory) = ready(&mut r, log_size, 1, 1);
        let (target, value) = (r.below(memory.len() as u64), r.word());
        let query = query(&mut r, target, value);
        let written = write(session.clone(), query);
        let swapped = swap(session, query);
        prop_assert!(puts(&memory, &opened(&written.session), target, value));
        prop_assert_eq!(swapped.results.into_iter().map(opens).collect::<Vec<_>>(), [get(&memory, target)]);
        prop_assert_eq!(&written.sent, &swapped.sent);
        prop_assert_eq!(written.session, swapped.session);
        let kinds: Vec<u8> = written.sent.iter().map(|m| m.kind).collect();
        prop_assert_eq!(kinds, [9, 9, 10, 10, 11, 11]);
        prop_assert!(written.sent.iter().all(|m| m.operation == written.sent[0].operation));
    }
}

/// Batches made one after another take other words and other OTs, and their items are used in order.
#[test]
fn batches_use_fresh_randomness() {
    let mut r = Random(4);
    let (mut first, _) = ready(&mut r, 2, 1, 1);
    first.p0.making.words.extend(r.words(READ_WORDS + UPDATE_WORDS));
    let second = preprocess(first.clone(), 1, 1, &r.ots(2, 2)).session;
    assert_eq!((second.p0.reads.len(), second.p0.updates.len()), (2, 2));
    assert_eq!(second.p0.reads[0], first.p0.reads[0]);
    assert_ne!(second.p0.reads[1], first.p0.reads[0]);
    assert_ne!(second.p0.updates[1], first.p0.updates[0]);
}

/// Who is sent what while items are made: nothing of a kind whose items are not made.
#[test]
fn a_batch_sends_what_its_items_need() {
    let mut r = Random(5);
    let log_size = 3;
    let mut kinds = |reads: usize, updates: usize| {
        let (session, _) = ready(&mut r, log_size, 0, 0);
        let sent = preprocess(session, reads, updates, &r.ots(log_size, reads + updates)).sent;
        assert!(sent.iter().all(|m| m.to == 1 - m.from));
        sent.iter().filter(|m| m.from == 0).map(|m| (m.kind, m.round)).collect::<Vec<_>>()
    };
    assert_eq!(kinds(2, 0), [(5, 0)]);
    assert_eq!(kinds(0, 0), []);
    assert_eq!(kinds(0, 2), [(6, 0), (7, 0), (6, 1), (7, 1), (6, 2), (7, 2), (8, 0)]);
    assert_eq!(kinds(1, 1)[0], (5, 0));
}
