//! The lean protocol: items have numbers, alike at all parties; a batch is the same at all three.

use crate::common::SESSION;
use crate::common::lean::{World, share};
use duoram_reference::lean::Plain;
use duoram_reference::lean::local::LocalSession;
use duoram_reference::lean::message::{
    Deal, Difference, FlagLayer, HelperKeys, IndexOffset, READ_ITEMS, ValueLayer,
};
use duoram_reference::{
    Batch, Bound, Error, Frame, Header, Kind, Message, Misbehaviour, Parameters, Role, Word,
};

/// The numbers in use at each party.
fn in_use(world: &World) -> [Vec<u64>; 3] {
    Role::ALL.map(|role| world.session.party(role).items())
}

/// Starts a step, and takes it to its end; at every moment a party has the step's items or, before and after, none.
fn start(world: &mut World, start: impl FnOnce(&mut LocalSession) -> Vec<Frame>) -> [Vec<u64>; 3] {
    assert_eq!(in_use(world), all_three(&[]));
    let frames = start(&mut world.session);
    world.session.post(frames);
    let started = in_use(world);
    while world.session.deliver().unwrap() {
        for (now, of_step) in in_use(world).iter().zip(&started) {
            assert!(now.is_empty() || now == of_step, "{now:?} within the step of {of_step:?}");
        }
    }
    assert_eq!(in_use(world), all_three(&[]));
    started
}

fn preprocess(world: &mut World, reads: usize, updates: usize) -> [Vec<u64>; 3] {
    start(world, |session| {
        Role::ALL.map(|role| session.party_mut(role).preprocess(Batch { reads, updates }).unwrap()).concat()
    })
}

fn read(world: &mut World, addresses: &[Word]) -> [Vec<u64>; 3] {
    let shares = share(&mut world.masks, addresses);
    start(world, |session| {
        session.helper_mut().read(addresses.len()).unwrap();
        let [p0, p1] = session.primaries_mut();
        [p0.read(&shares[0]).unwrap(), p1.read(&shares[1]).unwrap()].concat()
    })
}

fn update(world: &mut World) -> [Vec<u64>; 3] {
    start(world, |session| {
        session.helper_mut().update(1).unwrap();
        let [p0, p1] = session.primaries_mut();
        [p0.update(&[(1, 2)]).unwrap(), p1.update(&[(3, 4)]).unwrap()].concat()
    })
}

fn overwrite(world: &mut World, swap: bool) -> [Vec<u64>; 3] {
    start(world, |session| {
        let helper = session.helper_mut();
        if swap { helper.swap() } else { helper.write() }.unwrap();
        let frames =
            session.primaries_mut().map(|p| if swap { p.swap(1, 2) } else { p.write(1, 2) }.unwrap());
        frames.concat()
    })
}

fn all_three(numbers: &[u64]) -> [Vec<u64>; 3] {
    [(); 3].map(|()| numbers.to_vec())
}

#[test]
fn numbers_go_on_from_batch_to_batch_reads_first_and_each_item_is_used_once() {
    let mut world = World::new(3, 5, true);
    // READ items 0, 1, 2 and UPDATE items 3, 4, 5; then READ item 6 and UPDATE items 7, 8.
    assert_eq!(preprocess(&mut world, 3, 3), all_three(&[0, 1, 2, 3, 4, 5]));
    assert_eq!(read(&mut world, &[1, 2]), all_three(&[0, 1]));
    assert_eq!(preprocess(&mut world, 1, 2), all_three(&[6, 7, 8]));
    assert_eq!(update(&mut world), all_three(&[3]));
    assert_eq!(read(&mut world, &[0, 7]), all_three(&[2, 6]));
    assert_eq!(overwrite(&mut world, false), all_three(&[4]));
    assert_eq!(overwrite(&mut world, true), all_three(&[5]));
    assert_eq!(overwrite(&mut world, false), all_three(&[7]));
    assert_eq!(update(&mut world), all_three(&[8]));
    for role in Role::ALL {
        assert_eq!(world.session.party(role).prepared(), Batch::default());
    }
}

/// What is refused takes no item and gives no number.
#[test]
fn refused_steps_leave_the_numbers_alone() {
    let mut world = World::new(2, 7, false);
    for role in Role::ALL {
        assert!(world.session.party_mut(role).preprocess(Batch::default()).is_err());
    }
    assert!(world.session.primaries_mut()[0].read(&[1]).is_err());
    assert_eq!(preprocess(&mut world, 1, 0), all_three(&[0]));
    assert!(world.session.primaries_mut()[1].read(&[1, 2]).is_err());
    assert!(world.session.primaries_mut()[1].swap(1, 2).is_err());
    assert_eq!(read(&mut world, &[1]), all_three(&[0]));
}

const OURS: Batch = Batch { reads: 2, updates: 1 };
/// As many items, split otherwise.
const THEIRS: Batch = Batch { reads: 1, updates: 2 };

/// Three parties that have connected and have each begun a batch, P0's first.
fn begun(log_size: u32, batches: [Batch; 3]) -> LocalSession {
    let parameters = Parameters::new(SESSION, log_size).unwrap();
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain);
    session.connect().unwrap();
    session.record();
    session.begin();
    for (role, batch) in Role::ALL.into_iter().zip(batches) {
        let frames = session.party_mut(role).preprocess(batch).unwrap();
        session.post(frames);
    }
    session
}

fn is_it(frame: &Frame, kind: Kind, from: Role, to: Role) -> bool {
    let header = Header::decode(frame.from, &frame.bytes).unwrap();
    (frame.from, frame.to, header.kind) == (from, to, kind.number())
}

/// The frame of a kind that one party sends another when all agree on a batch.
fn sent(log_size: u32, batch: Batch, kind: Kind, from: Role, to: Role) -> Frame {
    let mut session = begun(log_size, [batch; 3]);
    session.run().unwrap();
    let mut frames = session.take_log().into_iter().map(|delivery| delivery.frame);
    frames.find(|frame| is_it(frame, kind, from, to)).unwrap()
}

/// Every message that is not of one level tells the split, and whoever receives it has begun one.
#[test]
fn a_batch_that_a_peer_splits_otherwise_is_refused_by_its_first_message() {
    let (p0, p1, p2) = (Role::P0, Role::P1, Role::P2);
    for (kind, from, to) in [
        (Deal::KIND, p2, p1),
        (IndexOffset::KIND, p0, p1),
        (IndexOffset::KIND, p1, p0),
        (FlagLayer::KIND, p0, p1),
        (FlagLayer::KIND, p1, p0),
        (ValueLayer::KIND, p0, p1),
        (ValueLayer::KIND, p1, p0),
        (HelperKeys::KIND, p0, p2),
        (HelperKeys::KIND, p1, p2),
        (Difference::KIND, p0, p2),
        (Difference::KIND, p1, p2),
        (Difference::KIND, p1, p0),
    ] {
        for log_size in [2, 5, 8] {
            let mut session = begun(log_size, [OURS; 3]);
            while !session.next().is_some_and(|link| {
                link == (from, to) && is_it(session.pending(from, to).next().unwrap(), kind, from, to)
            }) {
                assert!(session.deliver().unwrap(), "{kind}");
            }
            let frame = sent(log_size, THEIRS, kind, from, to);
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

/// Whoever it is that has another split: the batch is finished by nobody, and nobody has an item of it.
#[test]
fn a_batch_that_is_split_in_two_ways_is_made_by_nobody() {
    for odd in 0..3 {
        let mut batches = [OURS; 3];
        batches[odd] = THEIRS;
        let mut session = begun(8, batches);
        while let Err(error) = session.run() {
            // The frame is gone; everybody else goes on as far as it gets.
            let is_it = matches!(error, Error::Peer(Misbehaviour::Content { rule: READ_ITEMS, .. }));
            assert!(is_it, "P{odd}: {error}");
        }
        for role in Role::ALL {
            assert_eq!(session.party(role).prepared(), Batch::default());
        }
    }
}
