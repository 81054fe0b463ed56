//! Sequences of operations against a plain array; the lemmas after each; the counts of the paper's Table 2.

use crate::common::{Masks, Operation, SESSION, World, open};
use duoram_reference::local::{Delivery, LocalSession};
use duoram_reference::{
    Batch, CHUNK_WORDS, Error, HEADER_LENGTH, Helper, ItemKind, Parameters, Party, Plain, Primary, Role,
    Word, step,
};
use proptest::prelude::*;

fn operations() -> impl Strategy<Value = Operation> {
    prop_oneof![
        prop::collection::vec(any::<Word>(), 1..4).prop_map(Operation::Reads),
        (any::<Word>(), 1..4_usize).prop_map(|(start, steps)| Operation::Chase(start, steps)),
        prop::collection::vec(any::<(Word, Word)>(), 1..4).prop_map(Operation::Updates),
        any::<(Word, Word)>().prop_map(|(address, value)| Operation::Write(address, value)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn lemmas_1_2_3_hold_after_every_operation(
        log_size in 1..=8_u32, seed: u64, load: bool, operations in prop::collection::vec(operations(), 1..8),
    ) {
        let mut world = World::new(log_size, seed, load);
        world.check_invariants();
        for operation in &operations {
            world.perform(operation);
        }
    }
}

/// Every depth up to 10, both from zero and loaded, with operations that touch the first and the last word. Under Miri,
/// which is slow, up to 3.
#[test]
fn every_depth_reads_updates_and_writes() {
    for log_size in 1..=if cfg!(miri) { 3 } else { 10 } {
        let last = (1 << log_size) - 1;
        let mut world = World::new(log_size, 100 + u64::from(log_size), log_size % 2 == 0);
        for operation in [
            Operation::Updates(vec![(0, 7), (last, Word::MAX), (0, 1)]),
            Operation::Reads(vec![0, last, 0, 1]),
            Operation::Write(last, 0x0123_4567_89ab_cdef),
            Operation::Write(0, last),
            Operation::Chase(0, 3),
        ] {
            world.perform(&operation);
        }
    }
}

/// One batch for everything, used up in another order than made: READs and UPDATEs have separate numberings.
#[test]
fn one_batch_serves_a_mixed_sequence() {
    let mut world = World::new(6, 3, true);
    world.session.preprocess(Batch { reads: 4, updates: 1 }).unwrap();
    world.session.preprocess(Batch { reads: 1, updates: 3 }).unwrap();
    for operation in [
        Operation::Updates(vec![(5, 5), (6, 6)]),
        Operation::Reads(vec![5, 6, 63]),
        Operation::Write(5, 50),
        Operation::Updates(vec![(5, 1)]),
        Operation::Reads(vec![5]),
    ] {
        world.perform_online(&operation);
        world.check_invariants();
    }
    for role in Role::ALL {
        assert_eq!(world.session.party(role).prepared(), Batch::default());
    }
}

/// A memory of more than one chunk.
#[test]
fn load_in_chunks() {
    let mut world = World::new(17, 5, true);
    world.check_invariants();
    let chunks: Vec<_> =
        world.session.take_log().into_iter().filter(|sent| payload(sent) == 8 * CHUNK_WORDS).collect();
    assert_eq!(chunks.len(), 8, "two chunks on each of four links");
    world.perform(&Operation::Reads(vec![1 << 16]));
}

fn payload(sent: &Delivery) -> usize {
    sent.frame.bytes.len() - HEADER_LENGTH
}

/// Words over all links, and sequential messages.
fn cost(log: &[Delivery]) -> (usize, u32) {
    (log.iter().map(payload).sum::<usize>() / 8, log.iter().map(|sent| sent.depth).max().unwrap_or(0))
}

#[test]
fn online_words_and_sequential_messages() {
    let mut world = World::new(5, 7, true);
    for k in 1..4_usize {
        let addresses: Vec<Word> = (0..k as u64).collect();
        world.perform(&Operation::Reads(addresses.clone()));
        assert_eq!(cost(&world.session.take_log()), (6 * k, 2), "k independent READs cost one round trip");
        world.perform(&Operation::Updates(addresses.iter().map(|&i| (i, i)).collect()));
        assert_eq!(cost(&world.session.take_log()), (14 * k, 1));
    }
    world.perform(&Operation::Write(3, 4));
    assert_eq!(cost(&world.session.take_log()), (20, 3));
}

#[test]
fn preprocessing_takes_2h_plus_4_sequential_messages_whatever_the_batch() {
    for log_size in 1..=6 {
        let mut world = World::new(log_size, 9, false);
        for batch in [Batch { reads: 1, updates: 0 }, Batch { reads: 2, updates: 3 }] {
            world.session.take_log();
            world.session.preprocess(batch).unwrap();
            assert_eq!(cost(&world.session.take_log()).1, 2 * log_size + 4);
        }
    }
}

/// Equal seeds, equal frames: all randomness is a party's own stream.
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
    LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain).unwrap()
}

#[test]
fn the_helper_is_no_primary() {
    let parameters = Parameters::new(SESSION, 1).unwrap();
    let refused = Primary::new(Role::P2, parameters, [0; 32], Plain).err();
    assert_eq!(refused, Some(Error::NotPrimary { got: Role::P2 }));
}

#[test]
fn nothing_works_before_connect() {
    let mut session = local(3);
    let [p0, _] = session.primaries_mut();
    assert_eq!(p0.load(vec![0; 8]), Err(Error::NotConnected));
    assert_eq!(p0.read(&[0]), Err(Error::NotConnected));
    assert_eq!(p0.update(&[(0, 0)]), Err(Error::NotConnected));
    assert_eq!(p0.write(0, 0), Err(Error::NotConnected));
    assert_eq!(p0.preprocess(Batch { reads: 1, updates: 1 }), Err(Error::NotConnected));
    let p2 = session.helper_mut();
    assert_eq!(p2.load(), Err(Error::NotConnected));
    assert_eq!(p2.read(1), Err(Error::NotConnected));
    assert_eq!(p2.update(1), Err(Error::NotConnected));
    assert_eq!(p2.write(), Err(Error::NotConnected));
    session.connect().unwrap();
    for role in Role::ALL {
        assert_eq!(session.party_mut(role).connect(), Err(Error::AlreadyConnected));
    }
}

#[test]
fn a_party_does_one_step_at_a_time() {
    let busy = |step| Err(Error::Busy { step });
    let mut session = local(3);
    let parameters = Parameters::new(SESSION, 3).unwrap();
    let mut alone = Primary::new(Role::P0, parameters, [1; 32], Plain).unwrap();
    alone.connect().unwrap();
    assert_eq!(alone.connect(), busy(step::CONNECT));
    let mut alone = Helper::new(parameters, [1; 32], Plain);
    alone.connect().unwrap();
    assert_eq!(alone.connect(), busy(step::CONNECT));

    session.connect().unwrap();
    session.preprocess(Batch { reads: 3, updates: 3 }).unwrap();
    let [p0, _] = session.primaries_mut();
    p0.read(&[0]).unwrap();
    assert_eq!(p0.read(&[0]), busy(step::READ));
    assert_eq!(p0.write(0, 0), busy(step::READ));
    assert_eq!(p0.load(vec![0; 8]), busy(step::READ));
    assert_eq!(p0.preprocess(Batch { reads: 1, updates: 1 }), busy(step::READ));
    let p2 = session.helper_mut();
    p2.update(1).unwrap();
    assert_eq!(p2.read(1), Err(Error::Busy { step: step::UPDATE }));
    assert_eq!(p2.load(), Err(Error::Busy { step: step::UPDATE }));
}

#[test]
fn a_memory_is_loaded_first_and_once() {
    let mut session = local(3);
    session.connect().unwrap();
    let refused = session.primaries_mut()[0].load(vec![0; 7]);
    assert_eq!(refused, Err(Error::MemoryLength { expected: 8, got: 7 }));
    let mut masks = Masks::new(1);
    session.load(masks.share(&[1; 8])).unwrap();
    assert_eq!(session.load(masks.share(&[2; 8])), Err(Error::NotFresh { steps: 1 }));
    assert_eq!(session.helper_mut().load(), Err(Error::NotFresh { steps: 1 }));
    let shares = session.primaries().each_ref().map(|primary| primary.memory().memory_share.clone());
    assert_eq!(open(&shares), [1; 8]);
}

#[test]
fn exhausted_preprocessing_is_refused_and_changes_nothing() {
    let exhausted = |kind, needed, left| Err(Error::PreprocessingExhausted { kind, needed, left });
    let mut world = World::new(4, 11, true);
    world.session.preprocess(Batch { reads: 2, updates: 1 }).unwrap();
    for role in Role::ALL {
        assert_eq!(world.session.party(role).prepared(), Batch { reads: 2, updates: 1 }, "{role}");
    }
    let [p0, _] = world.session.primaries_mut();
    assert_eq!(p0.read(&[1, 2, 3]), exhausted(ItemKind::Read, 3, 2).map(|()| Vec::new()));
    assert_eq!(p0.update(&[(1, 1), (2, 2)]), exhausted(ItemKind::Update, 2, 1).map(|()| Vec::new()));
    let p2 = world.session.helper_mut();
    assert_eq!(p2.read(3), exhausted(ItemKind::Read, 3, 2));
    assert_eq!(p2.update(2), exhausted(ItemKind::Update, 2, 1));
    world.perform_online(&Operation::Write(1, 2));
    world.perform_online(&Operation::Reads(vec![1]));
    assert_eq!(world.session.write([0; 2], [0; 2]), exhausted(ItemKind::Read, 1, 0));
    world.session.preprocess(Batch { reads: 1, updates: 0 }).unwrap();
    assert_eq!(world.session.write([0; 2], [0; 2]), exhausted(ItemKind::Update, 1, 0));
    world.check_invariants();
}

#[test]
fn empty_and_oversized_steps_are_refused() {
    let mut session = local(40 / 4);
    session.connect().unwrap();
    assert_eq!(session.preprocess(Batch::default()), Err(Error::EmptyStep));
    assert_eq!(session.read([&[], &[]]), Err(Error::EmptyStep));
    assert_eq!(session.update([&[], &[]]), Err(Error::EmptyStep));
    assert_eq!(session.helper_mut().read(0), Err(Error::EmptyStep));
    assert!(matches!(session.helper_mut().update(1 << 22), Err(Error::BatchTooLarge { .. })));
    for role in Role::ALL {
        let batch = Batch { reads: usize::MAX, updates: 1 };
        assert!(matches!(session.party_mut(role).preprocess(batch), Err(Error::BatchTooLarge { .. })));
    }
}
