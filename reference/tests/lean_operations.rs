//! The lean protocol: sequences of operations against a plain array; the sharings after each; bytes and sequential messages.

use crate::common::SESSION;
use crate::common::lean::{Operation, World, open};
use duoram_reference::lean::local::LocalSession;
use duoram_reference::lean::{Helper, Plain, Primary0, step};
use duoram_reference::local::Delivery;
use duoram_reference::{Batch, CHUNK_WORDS, Error, HEADER_LENGTH, ItemKind, Parameters, Party, Role, Word};
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
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn results_and_sharings_are_right_after_every_operation(
        log_size in 1..=12_u32, seed: u64, load: bool, operations in prop::collection::vec(operations(), 1..10),
    ) {
        let mut world = World::new(log_size, seed, load);
        world.check_invariants();
        for operation in &operations {
            world.perform(operation);
        }
    }
}

/// Every depth up to 12, both from zero and loaded, and two larger ones, with operations that touch the first and the last
/// word.
#[test]
fn every_depth_reads_updates_writes_and_swaps() {
    for log_size in (1..=12).chain([14, 17]) {
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
    for log_size in [2, 5, 9] {
        let mut world = World::new(log_size, 3, true);
        world.session.preprocess(Batch { reads: 4, updates: 1 }).unwrap();
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
        for role in Role::ALL {
            assert_eq!(world.session.party(role).prepared(), Batch::default());
        }
    }
}

/// A memory of more than one chunk, which takes n words on each of two links and not one message more.
#[test]
fn load_in_chunks() {
    let mut world = World::new(17, 5, true);
    world.check_invariants();
    let log = world.session.take_log();
    let links: Vec<_> = log.iter().skip(6).map(|sent| (sent.frame.from, sent.frame.to)).collect();
    let chunk = |link| links.iter().filter(|of| **of == link).count();
    assert_eq!((chunk((Role::P0, Role::P2)), chunk((Role::P1, Role::P0)), links.len()), (2, 2, 4));
    assert!(log.iter().skip(6).all(|sent| payload(sent) == 8 * CHUNK_WORDS));
    world.perform(&Operation::Reads(vec![1 << 16]));
}

fn payload(sent: &Delivery) -> usize {
    sent.frame.bytes.len() - HEADER_LENGTH
}

/// Payload bytes over all links, and sequential messages.
fn cost(log: &[Delivery]) -> (usize, u32) {
    (log.iter().map(payload).sum(), log.iter().map(|sent| sent.depth).max().unwrap_or(0))
}

/// `4 a + 8`, `4 a + 32`, `4 a + 48` and, for SWAP, 8 more: an address takes a bytes.
#[test]
fn online_bytes_and_sequential_messages() {
    for (log_size, a) in [(1, 1), (5, 1), (8, 1), (9, 2), (16, 2)] {
        let mut world = World::new(log_size, 7, true);
        for k in 1..4_usize {
            let addresses: Vec<Word> = (0..k as u64).collect();
            world.perform(&Operation::Reads(addresses.clone()));
            assert_eq!(cost(&world.session.take_log()), (k * (4 * a + 8), 2));
            world.perform(&Operation::Updates(addresses.iter().map(|&i| (i, i)).collect()));
            assert_eq!(cost(&world.session.take_log()), (k * (4 * a + 32), 1));
        }
        world.perform(&Operation::Write(3, 4));
        assert_eq!(cost(&world.session.take_log()), (4 * a + 48, 2));
        world.perform(&Operation::Swap(3, 4));
        assert_eq!(cost(&world.session.take_log()), (4 * a + 56, 2));
    }
}

/// The bytes of a batch by `PROTOCOL.md`, and `2 d + 3` sequential messages.
#[test]
fn bytes_and_sequential_messages_of_preprocessing() {
    for log_size in [1, 2, 3, 4, 6, 7, 8, 9, 11, 16] {
        let mut world = World::new(log_size, 9, false);
        let (of_read, of_update) =
            ((log_size - log_size.min(7)) as usize, (log_size - log_size.min(3)) as usize);
        for batch in [
            Batch { reads: 1, updates: 0 },
            Batch { reads: 0, updates: 1 },
            Batch { reads: 2, updates: 3 },
            Batch { reads: 5, updates: 0 },
        ] {
            let (dpfs, updates) = (2 * (batch.reads + batch.updates), 2 * batch.updates);
            let levels = 2 * batch.reads * of_read + updates * of_update;
            let deal = 16 * levels + 16 * dpfs + 72 * updates;
            let of_level = |level| {
                let having = if level < of_read { dpfs } else { updates };
                2 * (32 * having + (3 * having).div_ceil(8))
            };
            let height = if batch.updates == 0 { of_read } else { of_update };
            let layers = 2 * dpfs + 32 * dpfs + 128 * updates;
            let keys = 16 * dpfs + 8 * levels * 2 + 16 * dpfs + 64 * updates + 2 * levels.div_ceil(8);
            let expected =
                deal + (0..height).map(of_level).sum::<usize>() + layers + keys + 24 * batch.updates;

            world.session.take_log();
            world.session.preprocess(batch).unwrap();
            let messages = 2 * u32::try_from(height).unwrap() + 3;
            assert_eq!(cost(&world.session.take_log()), (expected, messages), "{log_size}, {batch:?}");
        }
    }
}

/// Equal seeds, equal frames: all randomness is of the parties' own streams and of the pairs'.
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

fn local(log_size: u32) -> LocalSession {
    let parameters = Parameters::new(SESSION, log_size).unwrap();
    LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain)
}

#[test]
fn nothing_works_before_connect() {
    let mut session = local(3);
    for primary in session.primaries_mut() {
        assert_eq!(primary.load(vec![0; 8]), Err(Error::NotConnected));
        assert_eq!(primary.read(&[0]), Err(Error::NotConnected));
        assert_eq!(primary.update(&[(0, 0)]), Err(Error::NotConnected));
        assert_eq!(primary.write(0, 0), Err(Error::NotConnected));
        assert_eq!(primary.swap(0, 0), Err(Error::NotConnected));
        assert_eq!(primary.preprocess(Batch { reads: 1, updates: 1 }), Err(Error::NotConnected));
    }
    let p2 = session.helper_mut();
    assert_eq!(p2.load(), Err(Error::NotConnected));
    assert_eq!(p2.read(1), Err(Error::NotConnected));
    assert_eq!(p2.update(1), Err(Error::NotConnected));
    assert_eq!(p2.write(), Err(Error::NotConnected));
    assert_eq!(p2.swap(), Err(Error::NotConnected));
    session.connect().unwrap();
    for role in Role::ALL {
        assert_eq!(session.party_mut(role).connect(), Err(Error::AlreadyConnected));
    }
}

#[test]
fn a_party_does_one_step_at_a_time() {
    let busy = |step| Err(Error::Busy { step });
    let parameters = Parameters::new(SESSION, 3).unwrap();
    let mut alone = Primary0::new(parameters, [1; 32], Plain);
    alone.connect().unwrap();
    assert_eq!(alone.connect(), busy(step::CONNECT));
    let mut alone = Helper::new(parameters, [1; 32], Plain);
    alone.connect().unwrap();
    assert_eq!(alone.connect(), busy(step::CONNECT));

    let mut session = local(3);
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
    let p2 = session.helper_mut();
    p2.write().unwrap();
    assert_eq!(p2.read(1), Err(Error::Busy { step: step::WRITE }));
    assert_eq!(p2.load(), Err(Error::Busy { step: step::WRITE }));
}

/// P1 awaits nothing in a load: it is done with it at once, and goes on.
#[test]
fn a_memory_is_loaded_first_and_once() {
    let mut session = local(3);
    session.connect().unwrap();
    for primary in session.primaries_mut() {
        assert_eq!(primary.load(vec![0; 7]), Err(Error::MemoryLength { expected: 8, got: 7 }));
    }
    session.load([vec![1; 8], vec![2; 8]]).unwrap();
    assert_eq!(session.load([vec![0; 8], vec![0; 8]]), Err(Error::NotFresh { steps: 1 }));
    assert_eq!(session.primaries_mut()[1].load(vec![0; 8]), Err(Error::NotFresh { steps: 1 }));
    assert_eq!(session.helper_mut().load(), Err(Error::NotFresh { steps: 1 }));
    let (p0, p1, _) = session.parties();
    assert_eq!(open(&[p0.memory().alpha.clone(), p1.memory().alpha.clone()]), [3; 8]);

    let mut session = local(3);
    session.connect().unwrap();
    let [_, p1] = session.primaries_mut();
    assert_eq!(p1.load(vec![0; 8]).unwrap().len(), 1);
    assert_eq!((p1.awaits(), p1.under_way()), (None, None));
    p1.preprocess(Batch { reads: 1, updates: 0 }).unwrap();
}

#[test]
fn exhausted_preprocessing_is_refused_and_changes_nothing() {
    let exhausted = |kind, needed, left| Err(Error::PreprocessingExhausted { kind, needed, left });
    let mut world = World::new(4, 11, true);
    world.session.preprocess(Batch { reads: 2, updates: 1 }).unwrap();
    for role in Role::ALL {
        assert_eq!(world.session.party(role).prepared(), Batch { reads: 2, updates: 1 }, "{role}");
    }
    for primary in world.session.primaries_mut() {
        assert_eq!(primary.read(&[1, 2, 3]), exhausted(ItemKind::Read, 3, 2).map(|()| Vec::new()));
        assert_eq!(primary.update(&[(1, 1), (2, 2)]), exhausted(ItemKind::Update, 2, 1).map(|()| Vec::new()));
    }
    let p2 = world.session.helper_mut();
    assert_eq!(p2.read(3), exhausted(ItemKind::Read, 3, 2));
    assert_eq!(p2.update(2), exhausted(ItemKind::Update, 2, 1));
    world.perform_online(&Operation::Write(1, 2));
    world.perform_online(&Operation::Reads(vec![1]));
    for primary in world.session.primaries_mut() {
        assert_eq!(primary.write(0, 0), exhausted(ItemKind::Update, 1, 0).map(|()| Vec::new()));
        assert_eq!(primary.swap(0, 0), exhausted(ItemKind::Update, 1, 0).map(|()| Vec::new()));
    }
    let p2 = world.session.helper_mut();
    assert_eq!(p2.write(), exhausted(ItemKind::Update, 1, 0));
    assert_eq!(p2.swap(), exhausted(ItemKind::Update, 1, 0));
    world.check_invariants();
}

#[test]
fn empty_and_oversized_steps_are_refused() {
    let mut session = local(10);
    session.connect().unwrap();
    assert_eq!(session.preprocess(Batch::default()), Err(Error::EmptyStep));
    assert_eq!(session.read([&[], &[]]), Err(Error::EmptyStep));
    assert_eq!(session.update([&[], &[]]), Err(Error::EmptyStep));
    assert_eq!(session.helper_mut().read(0), Err(Error::EmptyStep));
    // Of a READ the unblinding is longest, a word each; an address takes two bytes, and with a word ten.
    let too_large = |max| Err(Error::BatchTooLarge { max, got: max + 1 });
    assert_eq!(session.helper_mut().read((8 << 20) + 1), too_large(8 << 20));
    assert_eq!(session.helper_mut().update((64 << 20) / 10 + 1), too_large((64 << 20) / 10));
    for role in Role::ALL {
        let batch = Batch { reads: usize::MAX, updates: 1 };
        assert!(matches!(session.party_mut(role).preprocess(batch), Err(Error::BatchTooLarge { .. })));
    }
}
