//! A batch is the same at all three parties: as many items in all, and as many of them for READs. The lengths of messages
//! tell the first, the round of the messages that are not of one level tells the second.

use crate::common::SESSION;
use duoram_reference::local::LocalSession;
use duoram_reference::message::{ConversionOperands, HelperKeys, READ_ITEMS, Triples};
use duoram_reference::{
    Batch, Bound, Error, Frame, Header, Kind, Message, Misbehaviour, Parameters, Plain, Role,
};

const LOG_SIZE: u32 = 2;
const OURS: Batch = Batch { reads: 2, updates: 1 };
/// As many items, split otherwise.
const THEIRS: Batch = Batch { reads: 1, updates: 2 };

/// Three parties that have connected and have each begun a batch, P0's first.
fn begun(batches: [Batch; 3]) -> LocalSession {
    let parameters = Parameters::new(SESSION, LOG_SIZE).unwrap();
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain).unwrap();
    session.connect().unwrap();
    session.record();
    session.begin();
    for (role, batch) in Role::ALL.into_iter().zip(batches) {
        let frames = session.party_mut(role).preprocess(batch).unwrap();
        session.post(frames);
    }
    session
}

/// The frame of a kind that one party sends another when all agree on a batch.
fn sent(batch: Batch, kind: Kind, from: Role, to: Role) -> Frame {
    let mut session = begun([batch; 3]);
    session.run().unwrap();
    let frames = session.take_log().into_iter().map(|delivery| delivery.frame);
    let is_it = |frame: &Frame| {
        let header = Header::decode(from, &frame.bytes).unwrap();
        (frame.from, frame.to, header.kind) == (from, to, kind.number())
    };
    frames.into_iter().find(is_it).unwrap()
}

/// Delivers until the party awaits a message of the kind from the peer; that is not delivered.
fn until_due(session: &mut LocalSession, kind: Kind, from: Role, to: Role) {
    loop {
        let next = session.next().unwrap();
        let frame = session.pending(next.0, next.1).next().unwrap();
        if next == (from, to) && Header::decode(from, &frame.bytes).unwrap().kind == kind.number() {
            return;
        }
        session.deliver().unwrap();
    }
}

fn disagreement(from: Role, kind: Kind, expected: Batch, got: Batch) -> Error {
    let (expected, got) = (Bound::Is(expected.reads as u64), got.reads as u64);
    Error::Peer(Misbehaviour::Content { from, kind, rule: READ_ITEMS, at: vec![], expected, got })
}

#[test]
fn a_dealer_of_another_split_is_refused_by_both_primaries() {
    for to in [Role::P0, Role::P1] {
        let mut session = begun([OURS, OURS, THEIRS]);
        let frame = session.pending(Role::P2, to).next().unwrap().clone();
        let party = session.party_mut(to);
        let refused = party.receive(Role::P2, &frame.bytes);
        let error = disagreement(Role::P2, Triples::KIND, OURS, THEIRS);
        assert_eq!(refused, Err(error.clone()));
        assert_eq!(
            error.to_string(),
            "'triples' from P2: the number of READ items in the batch must be 2, got 1"
        );
        assert_eq!((party.awaits(), party.prepared()), (Some(Role::P2), Batch::default()));
    }
}

/// The other primary's keys fit in length and content: only the round tells.
#[test]
fn a_primary_of_another_split_is_refused_by_the_helper() {
    for from in [Role::P0, Role::P1] {
        let mut session = begun([OURS; 3]);
        until_due(&mut session, HelperKeys::KIND, from, Role::P2);
        let frame = sent(THEIRS, HelperKeys::KIND, from, Role::P2);
        let right = session.pending(from, Role::P2).next().unwrap();
        assert_eq!(frame.bytes.len(), right.bytes.len());
        let party = session.party_mut(Role::P2);
        let refused = party.receive(from, &frame.bytes);
        assert_eq!(refused, Err(disagreement(from, HelperKeys::KIND, OURS, THEIRS)));
        assert_eq!((party.awaits(), party.prepared()), (Some(from), Batch::default()));
        session.run().unwrap();
        assert_eq!(
            session.party(Role::P2).prepared(),
            OURS,
            "what came before was kept, and the right keys are taken"
        );
    }
}

#[test]
fn a_primary_of_another_split_is_refused_by_the_other_primary() {
    let kind = ConversionOperands::KIND;
    for (from, to) in [(Role::P0, Role::P1), (Role::P1, Role::P0)] {
        let mut session = begun([OURS; 3]);
        until_due(&mut session, kind, from, to);
        let frame = sent(THEIRS, kind, from, to);
        let party = session.party_mut(to);
        let refused = party.receive(from, &frame.bytes);
        assert_eq!(refused, Err(disagreement(from, kind, OURS, THEIRS)));
        assert_eq!((party.awaits(), party.prepared()), (Some(from), Batch::default()));
        session.run().unwrap();
        assert_eq!(session.party(to).prepared(), OURS);
    }
}

/// Whoever it is that has another split: the batch is finished by nobody, and nobody has an item of it.
#[test]
fn a_batch_that_is_split_in_two_ways_is_made_by_nobody() {
    for odd in 0..3 {
        let mut batches = [OURS; 3];
        batches[odd] = THEIRS;
        let mut session = begun(batches);
        let mut refused = 0;
        while let Err(error) = session.run() {
            // The frame is gone; everybody else goes on as far as it gets.
            let is_it = matches!(error, Error::Peer(Misbehaviour::Content { rule: READ_ITEMS, .. }));
            assert!(is_it, "P{odd}: {error}");
            refused += 1;
        }
        assert_eq!(refused, if odd == 2 { 2 } else { 1 }, "whoever the dealer disagrees with");
        for role in Role::ALL {
            assert_eq!(session.party(role).prepared(), Batch::default());
        }
    }
}
