//! The two-party protocol: items have numbers, alike at both parties; a batch is the same at both; an item serves once.

use crate::common::Masks;
use crate::common::two_party::{World, parties, zip};
use duoram_reference::two_party::TwoParty;
use duoram_reference::two_party::local::LocalSession;
use duoram_reference::two_party::message::{OtColumns, Queries, READ_ITEMS, Sums};
use duoram_reference::{
    Batch, Bound, Error, Frame, Header, Kind, Message, Misbehaviour, Party, Protocol, Role, Word,
};

/// The numbers in use at each party.
fn in_use(world: &World) -> [Vec<u64>; 2] {
    world.session.primaries().each_ref().map(Party::items)
}

/// No numbers at either party.
fn none() -> [Vec<u64>; 2] {
    <[Vec<u64>; 2]>::default()
}

/// Starts a step, and takes it to its end; at every moment a party has the step's items or, before and after, none.
fn start(world: &mut World, start: impl FnOnce(&mut LocalSession) -> Vec<Frame>) -> Vec<u64> {
    assert_eq!(in_use(world), none());
    let frames = start(&mut world.session);
    world.session.post(frames);
    let [started, at_p1] = in_use(world);
    assert_eq!(started, at_p1);
    while world.session.deliver().unwrap() {
        for now in in_use(world) {
            assert!(now.is_empty() || now == started, "{now:?} within the step of {started:?}");
        }
    }
    assert_eq!(in_use(world), none());
    started
}

fn preprocess(world: &mut World, reads: usize, updates: usize) -> Vec<u64> {
    start(world, |session| {
        let batch = Batch { reads, updates };
        session.primaries_mut().each_mut().map(|party| party.preprocess(batch).unwrap()).concat()
    })
}

fn read(world: &mut World, addresses: &[Word]) -> Vec<u64> {
    let [of_0, of_1] = world.masks.share(addresses);
    start(world, |session| {
        let [p0, p1] = session.primaries_mut();
        [p0.read(&of_0).unwrap(), p1.read(&of_1).unwrap()].concat()
    })
}

fn update(world: &mut World) -> Vec<u64> {
    let addresses = world.masks.share(&[1]);
    let [of_0, of_1] = zip(&addresses, &world.masks.share(&[2]));
    start(world, |session| {
        let [p0, p1] = session.primaries_mut();
        [p0.update(&of_0).unwrap(), p1.update(&of_1).unwrap()].concat()
    })
}

fn overwrite(world: &mut World, swap: bool) -> Vec<u64> {
    let [of_0, of_1] = world.masks.share(&[1, 2]);
    start(world, |session| {
        let [p0, p1] = session.primaries_mut();
        if swap {
            [p0.swap(of_0[0], of_0[1]).unwrap(), p1.swap(of_1[0], of_1[1]).unwrap()].concat()
        } else {
            [p0.write(of_0[0], of_0[1]).unwrap(), p1.write(of_1[0], of_1[1]).unwrap()].concat()
        }
    })
}

#[test]
fn items_are_numbered_as_they_are_made_and_each_is_used_once() {
    let mut world = World::new(3, 5, true);
    // READ items 0, 1, 2, 3 and UPDATE items 4, 5; then READ items 6, 7 and UPDATE items 8, 9.
    assert_eq!(preprocess(&mut world, 4, 2), [0, 1, 2, 3, 4, 5]);
    assert_eq!(read(&mut world, &[1, 2]), [0, 1]);
    assert_eq!(preprocess(&mut world, 2, 2), [6, 7, 8, 9]);
    assert_eq!(update(&mut world), [4]);
    assert_eq!(overwrite(&mut world, false), [2, 5]);
    assert_eq!(overwrite(&mut world, true), [3, 8]);
    assert_eq!(read(&mut world, &[0, 7]), [6, 7]);
    assert_eq!(update(&mut world), [9]);
    for &role in TwoParty::ROLES {
        assert_eq!(world.session.party(role).prepared(), Batch::default());
    }
}

/// What is refused takes no item and gives no number.
#[test]
fn refused_steps_leave_the_numbers_alone() {
    let mut world = World::new(2, 7, false);
    for primary in world.session.primaries_mut() {
        assert!(primary.preprocess(Batch::default()).is_err());
        assert!(primary.read(&[1]).is_err());
    }
    assert_eq!(preprocess(&mut world, 1, 0), [0]);
    assert!(world.session.primaries_mut()[1].read(&[1, 2]).is_err());
    assert!(world.session.primaries_mut()[1].swap(1, 2).is_err());
    assert_eq!(read(&mut world, &[1]), [0]);
}

/// Why an item serves once: with the same index the shifts of two READs tell by how much their addresses differ.
/// A party that was made again from an old state would do that; here it is done on purpose, by equal seeds.
#[test]
fn an_item_that_is_used_twice_tells_the_difference_of_two_addresses() {
    let answers = |address: Word| {
        let mut world = World::new(4, 31, true);
        preprocess(&mut world, 1, 0);
        let [of_0, of_1] = Masks::new(1).share(&[address]);
        world.session.take_log();
        let results = world.session.read([&of_0, &of_1]).unwrap();
        let log = world.session.take_log();
        let shift = |from: Role| {
            let sent = log.iter().find(|sent| sent.depth == 1 && sent.frame.from == from).unwrap();
            Word::from_le_bytes(*sent.frame.bytes.last_chunk().unwrap())
        };
        (results[0][0].wrapping_add(results[1][0]), shift(Role::P0), world.memory)
    };
    let ((first, shift, memory), (second, other_shift, _)) = (answers(3), answers(9));
    assert_eq!((first, second), (memory[3], memory[9]));
    // The shift of the second READ tells by how much the addresses differ.
    assert_eq!(other_shift.wrapping_sub(shift) % 16, 6);
}

const OURS: Batch = Batch { reads: 2, updates: 1 };
/// As many items, split otherwise.
const THEIRS: Batch = Batch { reads: 1, updates: 2 };

/// Two parties that have connected and have each begun a batch, P0's first.
fn begun(log_size: u32, batches: [Batch; 2]) -> LocalSession {
    let mut session = parties(log_size, [[1; 32], [2; 32]]);
    session.connect().unwrap();
    session.record();
    session.begin();
    for (&role, batch) in TwoParty::ROLES.iter().zip(batches) {
        let frames = session.party_mut(role).preprocess(batch).unwrap();
        session.post(frames);
    }
    session
}

fn is_it(frame: &Frame, kind: Kind, from: Role) -> bool {
    let header = Header::decode(frame.from, &frame.bytes).unwrap();
    (frame.from, header.kind) == (from, kind.number())
}

/// Every message that is not of one level tells the split, and whoever receives it has begun one.
#[test]
fn a_batch_that_a_peer_splits_otherwise_is_refused_by_its_first_message() {
    for (from, to) in [(Role::P0, Role::P1), (Role::P1, Role::P0)] {
        for kind in [OtColumns::KIND, Queries::KIND, Sums::KIND] {
            let mut theirs = begun(3, [THEIRS; 2]);
            theirs.run().unwrap();
            let mut frames = theirs.take_log().into_iter().map(|delivery| delivery.frame);
            let frame = frames.find(|frame| is_it(frame, kind, from)).unwrap();

            let mut session = begun(3, [OURS; 2]);
            while !session.next().is_some_and(|link| {
                link == (from, to) && is_it(session.pending(from, to).next().unwrap(), kind, from)
            }) {
                assert!(session.deliver().unwrap(), "{kind}");
            }
            let party = session.party_mut(to);
            let (expected, got) = (Bound::Is(OURS.reads as u64), THEIRS.reads as u64);
            let error = Misbehaviour::Content { from, kind, rule: READ_ITEMS, at: vec![], expected, got };
            assert_eq!(party.receive(from, &frame.bytes), Err(Error::Peer(error)), "{kind}");
            assert_eq!((party.awaits(), party.prepared()), (Some(from), Batch::default()));
            session.run().unwrap();
            assert_eq!(session.party(to).prepared(), OURS);
        }
    }
}

/// The batch is finished by nobody, and nobody has an item of it.
#[test]
fn a_batch_that_is_split_in_two_ways_is_made_by_nobody() {
    let mut session = begun(4, [OURS, THEIRS]);
    let mut refused = Vec::new();
    while let Err(error) = session.run() {
        // The frame is gone; what comes after it is not due.
        refused.push(error);
    }
    let Some(Error::Peer(Misbehaviour::Content { rule: READ_ITEMS, .. })) = refused.first() else {
        panic!("{refused:?}")
    };
    for &role in TwoParty::ROLES {
        assert_eq!(session.party(role).prepared(), Batch::default());
    }
}
