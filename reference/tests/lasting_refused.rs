//! Parties of two lanes: saved lanes, commands and frames that are refused, and change nothing.

use crate::common::lasting::{Session, Which, Wish};
use crate::common::saved::{place, saved, with_word, word};
use duoram_reference::lean::local as lean;
use duoram_reference::local::LocalSession;
use duoram_reference::{
    Batch, Bound, Command, Error, Lane, Lasting, Misbehaviour, Parameters, Plain, Role, SavedError,
};
use zeroize::Zeroizing;

/// A lane is refused, and the party is as it was: it takes the right one after that, and goes on.
fn refuse(session: &Session, role: Role, lane: Lane, bytes: &[u8], name: &str) -> SavedError {
    let mut party = session.which.party(role, session.log_size, [0x55; 32]);
    let before = Lane::ALL.map(|lane| party.save(lane).unwrap());
    let error = party.restore(lane, bytes).expect_err(name);
    assert_eq!(Lane::ALL.map(|lane| party.save(lane).unwrap()), before, "{name}");
    match error {
        Error::Saved(error) => error,
        error => panic!("{name}: {error}"),
    }
}

#[test]
fn what_is_no_saved_lane_of_the_party_is_refused() {
    for which in Which::ALL {
        let mut session = Session::new(which, 3, 5);
        session.wish(&Wish::Batch(3, 2));
        session.wish(&Wish::Read(vec![3, 4]));
        session.finish();
        for (role, lanes) in saved(&session) {
            for (lane, good) in Lane::ALL.into_iter().zip(&lanes) {
                attack(&session, role, lane, good);
            }
            let [memory, _] = &lanes;
            attack_counts(&session, role, memory);
        }
    }
}

/// Everything that is wrong with the header, or the length.
fn attack(session: &Session, role: Role, lane: Lane, good: &[u8]) {
    let refuse = |bytes: &[u8], name: &str| refuse(session, role, lane, bytes, name);
    // Every length up to beyond the numbers, and of what follows some.
    for got in (0..good.len().min(1000)).chain((1000..good.len()).step_by(37)) {
        assert!(matches!(refuse(&good[..got], "cut"), SavedError::Length { got: there, .. } if there == got));
    }
    let longer = [good, &[0]].concat();
    let (expected, got) = (good.len(), longer.len());
    assert_eq!(refuse(&longer, "longer"), SavedError::Length { expected, got });

    let byte = |at: usize, byte: u8| {
        let mut bytes = good.to_vec();
        bytes[at] = byte;
        bytes
    };
    for at in 0..4 {
        assert!(matches!(refuse(&byte(at, 0), "no saved lane"), SavedError::Magic { .. }));
    }
    let expected = good[4];
    assert_eq!(refuse(&byte(4, 9), "of another protocol"), SavedError::Protocol { expected, got: 9 });
    for got in (0..=255).filter(|got| *got != role.number()) {
        assert_eq!(refuse(&byte(5, got), "another's"), SavedError::Role { expected: role, got });
    }
    for got in (0..=255).filter(|got| *got != lane.number()) {
        assert_eq!(refuse(&byte(6, got), "of the other lane"), SavedError::Lane { expected: lane, got });
    }
    assert_eq!(refuse(&byte(7, 4), "of another size"), SavedError::LogSize { expected: 3, got: 4 });
    for at in 8..24 {
        assert!(matches!(refuse(&byte(at, 0), "of another session"), SavedError::Session { .. }));
    }
    for bit in 0..64 {
        let length = word(good, 24);
        let error = refuse(&with_word(good, 24, length ^ 1 << bit), "of another length");
        assert!(matches!(error, SavedError::Length { .. }), "{error}");
    }
}

/// Everything that is wrong with the numbers that lengths follow from, and with those of items.
fn attack_counts(session: &Session, role: Role, good: &[u8]) {
    let refuse = |bytes: &[u8], name: &str| refuse(session, role, Lane::Memory, bytes, name);
    for at in [place::SHARES, place::VECTORS, place::READS, place::UPDATES] {
        for bit in 0..64 {
            let error = refuse(&with_word(good, at, word(good, at) ^ 1 << bit), "another count");
            assert!(matches!(error, SavedError::Length { .. } | SavedError::Content { .. }), "{error}");
        }
    }
    for at in [place::OPERATION, place::MADE] {
        let error = refuse(&with_word(good, at, 1 << 62), "counted too far");
        assert!(matches!(error, SavedError::Content { expected: Bound::Below(_), .. }), "{error}");
    }
    let results = refuse(&with_word(good, place::RESULTS, 1 << 32), "too many results");
    assert!(matches!(results, SavedError::Content { .. }), "{results}");
    if role != Role::P2 {
        let results = refuse(&with_word(good, place::RESULTS, 1), "results without shares");
        assert!(matches!(results, SavedError::Content { what: "the number of shares", .. }), "{results}");
    }
    // Fewer have been made than are left.
    let made = refuse(&with_word(good, place::MADE, 0), "no item was made");
    assert!(matches!(made, SavedError::Content { what: "the number of an item", .. }), "{made}");
}

/// Lanes that are not of one time, or not of one party, are not put together.
#[test]
fn lanes_that_do_not_belong_together_are_refused() {
    for which in Which::ALL {
        let mut session = Session::new(which, 3, 5);
        session.wish(&Wish::Batch(3, 2));
        session.finish();
        let first: Vec<_> = saved(&session).collect();
        session.wish(&Wish::Batch(1, 0));
        session.finish();
        for ((role, [old_memory, old_making]), (_, [memory, making])) in first.iter().zip(saved(&session)) {
            for (memory, making) in [(&memory, old_making), (old_memory, &making)] {
                let mut party = which.party(*role, 3, [0; 32]);
                party.restore(Lane::Making, making).unwrap();
                let error = party.restore(Lane::Memory, memory).unwrap_err();
                let (expected, got) = (word(making, place::MADE), word(memory, place::MADE));
                assert_eq!(error, SavedError::Apart { expected, got }.into());
                let mut party = which.party(*role, 3, [0; 32]);
                party.restore(Lane::Memory, memory).unwrap();
                assert!(party.restore(Lane::Making, making).is_err());
            }
            let mut party = which.party(*role, 3, [0; 32]);
            party.restore(Lane::Memory, &memory).unwrap();
            let key = with_word(&making, place::KEY, 1);
            assert!(matches!(party.restore(Lane::Making, &key), Err(Error::Saved(SavedError::Apart { .. }))));
        }
    }
}

#[test]
fn a_piece_of_a_load_is_not_empty_and_not_too_long() {
    for which in Which::ALL {
        let mut session = Session::new(which, 3, 1);
        session.finish();
        let party = &mut session.parties[0];
        let load = |words: usize| Command::Load(Zeroizing::new(vec![7; words]));
        assert_eq!(party.begin(&load(0)), Err(Error::EmptyStep));
        assert_eq!(party.begin(&load(9)), Err(Error::MemoryLength { expected: 8, got: 9 }));
        assert_eq!(party.begin(&load(5)), Ok(Vec::new()));
        assert_eq!(party.begin(&load(4)), Err(Error::MemoryLength { expected: 8, got: 9 }));
        assert_eq!(party.begin(&load(0)), Err(Error::EmptyStep));
        if which == Which::TwoParty {
            // The load is of this party alone, and done.
            assert!(matches!(party.save(Lane::Memory), Err(Error::Busy { .. })));
            assert_eq!(party.begin(&load(3)), Ok(Vec::new()));
            assert_eq!(party.begin(&load(1)), Err(Error::NotFresh { steps: 1 }));
            assert!(party.save(Lane::Memory).is_ok());
            continue;
        }
        assert!(!party.begin(&load(3)).unwrap().is_empty());
        assert_eq!(party.begin(&load(1)), Err(Error::MemoryLength { expected: 8, got: 9 }));
        assert!(matches!(party.save(Lane::Memory), Err(Error::Busy { .. })));
        let helper = &mut session.parties[2];
        assert_eq!(helper.begin(&load(1)), Err(Error::Operands { expected: 0, got: 1 }));
        assert_eq!(helper.begin(&load(0)), Ok(Vec::new()));
        assert!(matches!(helper.begin(&load(0)), Err(Error::Busy { .. })));
    }
}

#[test]
fn commands_are_checked() {
    let words = |count: usize| Zeroizing::new(vec![1; count]);
    for which in Which::ALL {
        let mut session = Session::new(which, 3, 1);
        for party in &mut session.parties {
            let read = Command::Read { count: 0, addresses: words(0) };
            assert_eq!(party.begin(&read), Err(Error::NotConnected));
            assert_eq!(party.begin(&Command::Discard), Err(Error::NotConnected));
        }
        session.wish(&Wish::Batch(4, 4));
        session.finish();
        let operands = |expected, got| Err(Error::Operands { expected, got });
        for party in &mut session.parties {
            let expected = |words| if party.role() == Role::P2 { 0 } else { words };
            let [one, two, four] = [1, 2, 4].map(expected);
            assert_eq!(party.begin(&Command::Read { count: 2, addresses: words(3) }), operands(two, 3));
            assert_eq!(party.begin(&Command::Read { count: 1, addresses: words(2) }), operands(one, 2));
            assert_eq!(party.begin(&Command::Update { count: 2, pairs: words(3) }), operands(four, 3));
            assert_eq!(party.begin(&Command::Write(words(1))), operands(two, 1));
            assert_eq!(party.begin(&Command::Swap(words(3))), operands(two, 3));
            assert_eq!(party.begin(&Command::Connect), Err(Error::AlreadyConnected));
            assert_eq!(party.begin(&Command::Follow), Err(Error::EmptyStep), "nothing to follow");
            assert_eq!(party.prepared(), Batch { reads: 4, updates: 4 });
        }
        // What is left is forgotten only while nothing is made of it and nothing is added to it.
        for party in &mut session.parties {
            party.begin(&Command::Preprocess(Batch { reads: 1, updates: 0 })).unwrap();
            assert!(matches!(party.begin(&Command::Discard), Err(Error::Busy { .. })));
            assert!(matches!(party.save(Lane::Making), Err(Error::Busy { .. })));
            assert!(party.save(Lane::Memory).is_ok());
        }
    }
}

#[test]
fn a_lane_is_restored_once_and_first() {
    for which in Which::ALL {
        let mut session = Session::new(which, 3, 1);
        let fresh = saved(&session).collect::<Vec<_>>();
        session.finish();
        let connected = saved(&session).collect::<Vec<_>>();
        for (role, [memory, making]) in &connected {
            let party = &mut session.parties[role.index()];
            assert_eq!(party.restore(Lane::Making, making), Err(Error::Started { lane: Lane::Making }));
            let mut party = which.party(*role, 3, [0; 32]);
            party.restore(Lane::Making, making).unwrap();
            party.restore(Lane::Memory, memory).unwrap();
            for (lane, saved) in [(Lane::Memory, memory), (Lane::Making, making)] {
                assert_eq!(party.restore(lane, saved), Err(Error::Started { lane }));
            }
        }
        // A party that has done nothing is saved and restored too.
        for (role, [memory, making]) in &fresh {
            let mut party = which.party(*role, 3, [0; 32]);
            party.restore(Lane::Memory, memory).unwrap();
            party.restore(Lane::Making, making).unwrap();
            assert!(party.connect().is_ok());
        }
    }
}

/// The parties of the sessions in one thread have one lane: they are not saved.
#[test]
fn a_party_of_one_lane_is_not_saved() {
    let parameters = Parameters::new(crate::common::SESSION, 3).unwrap();
    let seeds = [[1; 32], [2; 32], [3; 32]];
    let mut paper = LocalSession::new(parameters, seeds, Plain).unwrap();
    paper.connect().unwrap();
    let mut lean = lean::LocalSession::new(parameters, seeds, duoram_reference::lean::Plain);
    lean.connect().unwrap();
    let two = Which::Lean.party(Role::P2, 3, [0; 32]).save(Lane::Memory).unwrap();
    for lane in Lane::ALL {
        assert_eq!(paper.helper().save(lane), Err(Error::OneLane));
        assert_eq!(paper.primaries()[0].save(lane), Err(Error::OneLane));
        assert_eq!(lean.parties().0.save(lane), Err(Error::OneLane));
        assert_eq!(lean.parties().1.save(lane), Err(Error::OneLane));
        assert_eq!(lean.helper_mut().restore(lane, &two), Err(Error::OneLane));
    }
}

/// Parties of one lane and of two do not work together: the first message of the memory lane shows it.
#[test]
fn one_lane_and_two_refuse_each_other() {
    let parameters = Parameters::new(crate::common::SESSION, 3).unwrap();
    let seeds = [[1; 32], [2; 32], [3; 32]];
    let mut one = LocalSession::new(parameters, seeds, Plain).unwrap();
    one.connect().unwrap();
    one.preprocess(Batch { reads: 1, updates: 0 }).unwrap();
    let mut two = Session::new(Which::Paper, 3, 1);
    two.wish(&Wish::Batch(1, 0));
    two.finish();
    let read = |address| Command::Read { count: 1, addresses: Zeroizing::new(vec![address]) };
    two.parties[1].begin(&read(1)).unwrap();
    let frames = one.primaries_mut()[0].begin(&read(2)).unwrap();
    let shift = frames.iter().find(|frame| frame.to == Role::P1).unwrap();
    let refused = two.parties[1].receive(Role::P0, &shift.bytes);
    let Err(Error::Peer(Misbehaviour::UnexpectedMessage { expected: Some(expected), got })) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!((expected.operation, got.operation), (0, 2));
}
