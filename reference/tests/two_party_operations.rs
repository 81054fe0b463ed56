//! The two-party protocol: sequences of operations against a plain array; the shares after each; bytes and sequential messages.

use crate::common::SESSION;
use crate::common::two_party::{Operation, World, parties};
use duoram_reference::durable::{self, Durable, Limits};
use duoram_reference::local::Delivery;
use duoram_reference::two_party::{Plain, PlainPir, Primary, TwoParty, step};
use duoram_reference::{
    Batch, Error, HEADER_LENGTH, ItemKind, MAX_PAYLOAD, Parameters, Party, Protocol, Role, Word,
};
use proptest::prelude::*;

fn operations() -> impl Strategy<Value = Operation> {
    prop_oneof![
        prop::collection::vec(any::<Word>(), 1..4).prop_map(Operation::Reads),
        (any::<Word>(), 1..4_usize).prop_map(|(start, steps)| Operation::Chase(start, steps)),
        prop::collection::vec(any::<(Word, Word)>(), 1..4).prop_map(Operation::Updates),
        any::<(Word, Word)>().prop_map(|(address, value)| Operation::Write(address, value)),
        any::<(Word, Word)>().prop_map(|(address, value)| Operation::Swap(address, value)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn results_and_shares_are_right_after_every_operation(
        log_size in 1..=9_u32, seed: u64, load: bool, operations in prop::collection::vec(operations(), 1..10),
    ) {
        let mut world = World::new(log_size, seed, load);
        world.check_invariants();
        for operation in &operations {
            world.perform(operation);
        }
    }
}

/// Every depth up to 10, both from zero and loaded, and a larger one, with operations that touch the first and the last word.
#[test]
fn every_depth_reads_updates_writes_and_swaps() {
    for log_size in (1..=10).chain([14]) {
        let last = (1 << log_size) - 1;
        let mut world = World::new(log_size, 100 + u64::from(log_size), log_size % 2 == 0);
        for operation in [
            Operation::Updates(vec![(0, 7), (last, Word::MAX), (0, 1)]),
            Operation::Reads(vec![0, last, 0, 1]),
            Operation::Write(last, 0x0123_4567_89ab_cdef),
            Operation::Swap(0, last),
            Operation::Chase(0, 3),
        ] {
            world.perform(&operation);
        }
    }
}

/// One batch for everything, used up in another order than made: READs and UPDATEs have separate numberings.
#[test]
fn one_batch_serves_a_mixed_sequence() {
    for log_size in [2, 5, 7] {
        let mut world = World::new(log_size, 3, true);
        world.session.preprocess(Batch { reads: 6, updates: 1 }).unwrap();
        world.session.preprocess(Batch { reads: 1, updates: 4 }).unwrap();
        for operation in [
            Operation::Updates(vec![(5, 5), (6, 6)]),
            Operation::Reads(vec![5, 6, 63]),
            Operation::Write(5, 50),
            Operation::Updates(vec![(5, 1)]),
            Operation::Swap(6, 60),
            Operation::Reads(vec![5, 6]),
        ] {
            world.perform_online(&operation);
            world.check_invariants();
        }
        for &role in TwoParty::ROLES {
            assert_eq!(world.session.party(role).prepared(), Batch::default());
        }
    }
}

fn payload(sent: &Delivery) -> usize {
    sent.frame.bytes.len() - HEADER_LENGTH
}

/// Payload bytes over both links, and sequential messages.
fn cost(log: &[Delivery]) -> (usize, u32) {
    (log.iter().map(payload).sum(), log.iter().map(|sent| sent.depth).max().unwrap_or(0))
}

/// With the plain PIR an answer is n words. All else is 8 bytes each way in a READ, 16 in an UPDATE.
#[test]
fn online_bytes_and_sequential_messages() {
    for log_size in [1, 5, 8] {
        let mut world = World::new(log_size, 7, true);
        let answer = 8 << log_size;
        for k in 1..4_usize {
            let addresses: Vec<Word> = (0..k as u64).collect();
            world.perform(&Operation::Reads(addresses.clone()));
            assert_eq!(cost(&world.session.take_log()), (2 * k * (8 + answer), 2));
            world.perform(&Operation::Updates(addresses.iter().map(|&i| (i, i)).collect()));
            assert_eq!(cost(&world.session.take_log()), (2 * k * 16, 1));
        }
        for operation in [Operation::Write(3, 4), Operation::Swap(3, 4)] {
            world.perform(&operation);
            assert_eq!(cost(&world.session.take_log()), (2 * (8 + answer + 16), 3));
        }
    }
}

/// 16 bytes an OT each way and no other for triples and masks; `2 h + 2` sequential messages, or one without UPDATE items.
#[test]
fn bytes_and_sequential_messages_of_preprocessing() {
    for log_size in [1, 2, 5, 8, 9] {
        let mut world = World::new(log_size, 9, false);
        let h = log_size as usize;
        for batch in [
            Batch { reads: 1, updates: 0 },
            Batch { reads: 0, updates: 1 },
            Batch { reads: 2, updates: 3 },
            Batch { reads: 5, updates: 0 },
        ] {
            let columns = 128 * (batch.reads * h + batch.updates * h).div_ceil(8);
            let level = batch.updates * 16 + (3 * batch.updates).div_ceil(8) + batch.updates * 16;
            let expected = 2 * (columns + h * level + 8 * batch.updates);
            let messages = if batch.updates == 0 { 1 } else { 2 * log_size + 2 };
            world.session.take_log();
            world.session.preprocess(batch).unwrap();
            assert_eq!(cost(&world.session.take_log()), (expected, messages), "{log_size}, {batch:?}");
        }
    }
}

/// Hello, 128 points, and the PIR's keys, of which the plain one has none: two sequential messages.
#[test]
fn bytes_and_sequential_messages_of_connecting_and_loading() {
    let mut world = World::new(4, 13, true);
    assert_eq!(cost(&world.session.take_log()), (2 * (56 + 4096), 2));
}

/// Equal seeds, equal frames: all randomness is of the parties' own streams.
#[test]
fn equal_seeds_give_equal_frames() {
    let run = |seed| {
        let mut world = World::new(3, seed, true);
        let mut log = world.session.take_log();
        world.session.preprocess(Batch { reads: 1, updates: 1 }).unwrap();
        world.perform_online(&Operation::Write(1, 2));
        log.extend(world.session.take_log());
        log
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}

/// The same READ twice, on items of the same memory: no two masked tables agree in any word, nor two shifts.
#[test]
fn every_read_has_fresh_keys_and_blinds() {
    let mut world = World::new(6, 21, true);
    let mut words = std::collections::HashSet::new();
    for _ in 0..4 {
        world.perform(&Operation::Reads(vec![5, 5]));
        for sent in world.session.take_log().iter().filter(|sent| sent.depth == 2) {
            for word in sent.frame.bytes[HEADER_LENGTH..].as_chunks::<8>().0 {
                assert!(words.insert(*word), "a masked word came twice");
            }
        }
    }
    assert_eq!(words.len(), 4 * 2 * 2 * 64);
}

#[test]
fn nothing_works_before_connect() {
    let mut session = parties(3, [[1; 32], [2; 32]]);
    for primary in session.primaries_mut() {
        assert_eq!(primary.load(vec![0; 8]), Err(Error::NotConnected));
        assert_eq!(primary.read(&[0]), Err(Error::NotConnected));
        assert_eq!(primary.update(&[(0, 0)]), Err(Error::NotConnected));
        assert_eq!(primary.write(0, 0), Err(Error::NotConnected));
        assert_eq!(primary.swap(0, 0), Err(Error::NotConnected));
        assert_eq!(primary.preprocess(Batch { reads: 1, updates: 1 }), Err(Error::NotConnected));
    }
    session.connect().unwrap();
    for primary in session.primaries_mut() {
        assert_eq!(primary.connect(), Err(Error::AlreadyConnected));
    }
}

/// There is no helper, and no memory whose answer would not fit a payload.
#[test]
fn a_party_is_p0_or_p1_and_an_answer_fits_a_payload() {
    let new = |role, log_size| {
        let parameters = Parameters::new(SESSION, log_size).unwrap();
        Primary::new(role, parameters, [1; 32], Plain, PlainPir).map(|party| party.role())
    };
    assert_eq!(new(Role::P1, 3), Ok(Role::P1));
    assert_eq!(new(Role::P2, 3), Err(Error::NotPrimary { got: Role::P2 }));
    for got in [24, 40] {
        assert_eq!(new(Role::P0, got), Err(Error::LogSizeOutOfRange { max: 23, got }));
    }
    assert_eq!(8 << 23, MAX_PAYLOAD);
}

#[test]
fn a_party_does_one_step_at_a_time() {
    let busy = |step| Err(Error::Busy { step });
    let mut session = parties(3, [[1; 32], [2; 32]]);
    session.connect().unwrap();
    session.preprocess(Batch { reads: 3, updates: 3 }).unwrap();
    let [p0, p1] = session.primaries_mut();
    p0.read(&[0]).unwrap();
    assert_eq!(p0.read(&[0]), busy(step::READ));
    assert_eq!(p0.write(0, 0), busy(step::READ));
    assert_eq!(p0.load(vec![0; 8]), busy(step::READ));
    assert_eq!(p0.preprocess(Batch { reads: 1, updates: 1 }), busy(step::READ));
    p1.swap(0, 0).unwrap();
    assert_eq!(p1.write(0, 0), busy(step::SWAP));
}

/// A load is of this party alone: it is done with it at once.
#[test]
fn a_memory_is_loaded_first_and_once() {
    let mut session = parties(3, [[1; 32], [2; 32]]);
    session.connect().unwrap();
    for primary in session.primaries_mut() {
        assert_eq!(primary.load(vec![0; 7]), Err(Error::MemoryLength { expected: 8, got: 7 }));
    }
    session.load([vec![1; 8], vec![2; 8]]).unwrap();
    assert_eq!(session.load([vec![0; 8], vec![0; 8]]), Err(Error::NotFresh { steps: 1 }));
    for (primary, word) in session.primaries().iter().zip([1, 2]) {
        assert_eq!((primary.awaits(), primary.under_way()), (None, None));
        assert_eq!(primary.memory().memory_share, [word; 8]);
    }
}

#[test]
fn exhausted_preprocessing_is_refused_and_changes_nothing() {
    let exhausted = |kind, needed, left| Err(Error::PreprocessingExhausted { kind, needed, left });
    let mut world = World::new(4, 11, true);
    world.session.preprocess(Batch { reads: 2, updates: 1 }).unwrap();
    for primary in world.session.primaries_mut() {
        assert_eq!(primary.prepared(), Batch { reads: 2, updates: 1 });
        assert_eq!(primary.read(&[1, 2, 3]), exhausted(ItemKind::Read, 3, 2));
        assert_eq!(primary.update(&[(1, 1), (2, 2)]), exhausted(ItemKind::Update, 2, 1));
    }
    world.perform_online(&Operation::Write(1, 2));
    for primary in world.session.primaries_mut() {
        assert_eq!(primary.write(0, 0), exhausted(ItemKind::Update, 1, 0));
        assert_eq!(primary.swap(0, 0), exhausted(ItemKind::Update, 1, 0));
    }
    world.perform_online(&Operation::Reads(vec![1]));
    for primary in world.session.primaries_mut() {
        assert_eq!(primary.write(0, 0), exhausted(ItemKind::Read, 1, 0));
    }
    world.check_invariants();
}

#[test]
fn empty_and_oversized_steps_are_refused() {
    let mut session = parties(10, [[1; 32], [2; 32]]);
    session.connect().unwrap();
    assert_eq!(session.preprocess(Batch::default()), Err(Error::EmptyStep));
    assert_eq!(session.read([&[], &[]]), Err(Error::EmptyStep));
    assert_eq!(session.update([&[], &[]]), Err(Error::EmptyStep));
    // An answer has 2^13 bytes.
    let too_large = |max| Err(Error::BatchTooLarge { max, got: max + 1 });
    for primary in session.primaries_mut() {
        assert_eq!(primary.read(&vec![0; (1 << 13) + 1]), too_large(1 << 13));
        assert_eq!(primary.update(&vec![(0, 0); (1 << 22) + 1]), too_large(1 << 22));
        let batch = Batch { reads: usize::MAX, updates: 1 };
        assert!(matches!(primary.preprocess(batch), Err(Error::BatchTooLarge { .. })));
    }
}

/// A durable party has one peer: there is no link to a helper. (`reference/simulation` has what happens on the one that there is.)
#[test]
fn a_durable_party_has_no_link_to_a_helper() {
    let limits = Limits { journal: 1000, items: 10, unacknowledged: 1000, ahead: 1000, commands: 10 };
    let parameters = Parameters::new(SESSION, 3).unwrap();
    for role in [Role::P0, Role::P1] {
        let party = Primary::lasting(role, parameters, [1; 32], Plain, PlainPir).unwrap();
        let mut party = Durable::new(party, limits).unwrap();
        assert_eq!(party.hello(Role::P2), Err(durable::Error::NotAPeer { got: Role::P2 }));
        assert!(matches!(party.link_up(Role::P2, [0; 2]), Err(durable::Error::NotAPeer { .. })));
    }
}
