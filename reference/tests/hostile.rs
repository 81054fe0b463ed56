//! Whatever comes from outside is refused with a typed error, and changes nothing.
//!
//! A run of every step and every kind of message is recorded. Then it is repeated, and before each delivery the receiver
//! gets every malformed, misplaced or repeated frame that this file can make of it. The frames of the repeated run, byte
//! for byte, must be those of the recorded one: no random choice, item, or share has changed.

mod common;

use std::collections::BTreeSet;

use common::{Masks, SESSION};
use duoram_reference::local::{Delivery, LocalSession};
use duoram_reference::message::{
    CORRECTION_BIT, ConversionOpening, ConversionOperands, Hello, HelperKeys, HelperUpdate,
    LOG_SIZE as SAME_SIZE, LevelOpening, LevelOperands, OPENED_BIT, READ_ITEMS, ROOT_BIT, SHIFT, Shift,
    Triples, Update,
};
use duoram_reference::{
    Batch, Bound, Error, Frame, HEADER_LENGTH, Header, Kind, MAX_PAYLOAD, Message, Misbehaviour, Paper,
    Parameters, Plain, Protocol, Role, SessionId, Word,
};
use proptest::prelude::*;

const LOG_SIZE: u32 = 3;
const BATCH: Batch = Batch { reads: 3, updates: 3 };

/// A step, started at all three parties.
type Start = fn(&mut LocalSession);

fn post_all(session: &mut LocalSession, frames: Vec<Vec<Frame>>) {
    for frames in frames {
        session.post(frames);
    }
}

const STEPS: [Start; 6] = [
    |session| {
        let frames = Role::ALL.map(|role| session.party_mut(role).connect().unwrap());
        post_all(session, frames.into());
    },
    |session| {
        let mut shares = Masks::new(1).share(&[10, 11, 12, 13, 14, 15, 16, 17]);
        let frames = [0, 1].map(|b| session.primaries_mut()[b].load(std::mem::take(&mut shares[b])).unwrap());
        session.helper_mut().load().unwrap();
        post_all(session, frames.into());
    },
    |session| {
        let frames = Role::ALL.map(|role| session.party_mut(role).preprocess(BATCH).unwrap());
        post_all(session, frames.into());
    },
    |session| {
        let shares = Masks::new(2).share(&[5, 0]);
        let frames = [0, 1].map(|b| session.primaries_mut()[b].read(&shares[b]).unwrap());
        session.helper_mut().read(2).unwrap();
        post_all(session, frames.into());
    },
    |session| {
        let shares = Masks::new(3).share(&[5, 100, 0, 200]);
        let updates = |b: usize| [(shares[b][0], shares[b][1]), (shares[b][2], shares[b][3])];
        let frames = [0, 1].map(|b| session.primaries_mut()[b].update(&updates(b)).unwrap());
        session.helper_mut().update(2).unwrap();
        post_all(session, frames.into());
    },
    |session| {
        let shares = Masks::new(4).share(&[7, 70]);
        let frames = [0, 1].map(|b| session.primaries_mut()[b].write(shares[b][0], shares[b][1]).unwrap());
        session.helper_mut().write().unwrap();
        post_all(session, frames.into());
    },
];

fn session() -> LocalSession {
    let parameters = Parameters::new(SESSION, LOG_SIZE).unwrap();
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain).unwrap();
    session.record();
    session
}

/// The kinds whose round is the number of READ items.
const AGREED: [Kind; 4] =
    [Triples::KIND, ConversionOperands::KIND, ConversionOpening::KIND, HelperKeys::KIND];

fn content(
    from: Role,
    kind: Kind,
    rule: &'static str,
    at: &[(&'static str, usize)],
    expected: Bound,
    got: u64,
) -> Misbehaviour {
    Misbehaviour::Content { from, kind, rule, at: at.to_vec(), expected, got }
}

/// Runs all steps; `attack` is called before each delivery and after each step.
fn run(mut attack: impl FnMut(&mut LocalSession)) -> (Vec<Delivery>, LocalSession) {
    let mut session = session();
    for start in STEPS {
        session.begin();
        start(&mut session);
        while session.next().is_some() {
            attack(&mut session);
            session.deliver().unwrap();
        }
        attack(&mut session);
    }
    (session.take_log(), session)
}

/// `(D_b, zeta_b, D~_(1-b))` of both primaries, the helper's blinds, and what was read last.
type State = (Vec<Vec<Word>>, Vec<Word>);

fn state(session: &mut LocalSession) -> State {
    let mut vectors = Vec::new();
    for primary in session.primaries() {
        let memory = primary.memory();
        vectors.extend([memory.memory_share.clone(), memory.blind.clone(), memory.blinded.clone()]);
    }
    vectors.extend([session.helper().memory().blind_0.clone(), session.helper().memory().blind_1.clone()]);
    let results = session.primaries_mut().each_mut().map(duoram_reference::Primary::take_results);
    (vectors, results.concat())
}

/// The party refuses the frame, and awaits and owns what it did before.
fn refuse(session: &mut LocalSession, to: Role, from: Role, bytes: &[u8], name: &str) -> Misbehaviour {
    let party = session.party_mut(to);
    let before = (party.awaits(), party.prepared());
    let result = party.receive(from, bytes);
    assert_eq!((party.awaits(), party.prepared()), before, "{name}");
    match result {
        Ok(_) => panic!("{to} accepted a frame of {from} that is {name}"),
        Err(Error::Peer(misbehaviour)) => misbehaviour,
        Err(error) => panic!("the peer's mistake, not the caller's: {error}"),
    }
}

fn with(frame: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = frame.to_vec();
    change(&mut bytes);
    bytes
}

/// Another payload, with the length that belongs to it.
fn with_payload(frame: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut payload = frame[HEADER_LENGTH..].to_vec();
    change(&mut payload);
    let length = u32::try_from(payload.len()).unwrap();
    let mut bytes = [&frame[..HEADER_LENGTH], &payload].concat();
    bytes[12..16].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// The last byte of each run of packed bits, and the number of bits in it.
fn packed_bits(kind: Kind) -> Option<(usize, usize)> {
    let (items, h) = (BATCH.reads + BATCH.updates, LOG_SIZE as usize);
    let dpfs = 3 * items;
    let (start, bits) = match kind {
        Triples::KIND => (32 * dpfs * h, dpfs * h),
        LevelOperands::KIND => (16 * dpfs, 3 * dpfs),
        HelperKeys::KIND => (items * (16 + 16 * h + 8), 2 * h * items),
        _ => return None,
    };
    assert_ne!(bits % 8, 0, "choose sizes that leave unused bits");
    Some((start + bits / 8, bits % 8))
}

/// Everything that is wrong with a changed copy of the frame that is due.
fn attack_frame(session: &mut LocalSession, frame: &Frame) {
    let (from, to, good) = (frame.from, frame.to, &frame.bytes[..]);
    let header = Header::decode(from, good).unwrap();
    let kind = Paper::kind(header.kind).unwrap();
    let whole = good.len();

    for got in [0, 1, HEADER_LENGTH - 1] {
        let error = refuse(session, to, from, &good[..got], "shorter than a header");
        assert_eq!(error, Misbehaviour::Truncated { from, expected: HEADER_LENGTH, got });
    }
    for got in [HEADER_LENGTH, whole - 1] {
        let error = refuse(session, to, from, &good[..got], "truncated");
        assert_eq!(error, Misbehaviour::Truncated { from, expected: whole, got });
    }
    let error = refuse(session, to, from, &with(good, |bytes| bytes.push(0)), "extended");
    assert_eq!(error, Misbehaviour::Oversized { from, expected: whole, got: whole + 1 });
    let payload = whole - HEADER_LENGTH;
    let shorter = with_payload(good, |payload| payload.truncate(payload.len() - 1));
    let longer = with_payload(good, |payload| payload.extend([0; 8]));
    for (bytes, got) in [(shorter, payload - 1), (longer, payload + 8), (with_payload(good, Vec::clear), 0)] {
        let error = refuse(session, to, from, &bytes, "of a wrong length");
        assert_eq!(error, Misbehaviour::WrongLength { from, kind, expected: payload, got });
    }
    let huge = with(good, |bytes| bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes()));
    let error = refuse(session, to, from, &huge, "huge");
    assert_eq!(error, Misbehaviour::PayloadTooLarge { from, max: MAX_PAYLOAD, got: u32::MAX as usize });

    let mut byte =
        |at: usize, value: u8, name| refuse(session, to, from, &with(good, |b| b[at] = value), name);
    for at in 0..3 {
        assert!(matches!(byte(at, 0, "no frame of ours"), Misbehaviour::BadMagic { .. }));
    }
    for got in [0, 2, 255] {
        assert_eq!(byte(3, got, "of another version"), Misbehaviour::WrongVersion { from, expected: 1, got });
    }
    for got in [0, 14, 255] {
        assert_eq!(byte(4, got, "of an unknown kind"), Misbehaviour::UnknownKind { from, got });
    }
    for got in [3, 255] {
        assert_eq!(byte(5, got, "from nobody"), Misbehaviour::UnknownRole { from, got });
        assert_eq!(byte(6, got, "to nobody"), Misbehaviour::UnknownRole { from, got });
    }
    for got in Role::ALL {
        if got != from {
            assert_eq!(
                byte(5, got.number(), "from another"),
                Misbehaviour::WrongSender { expected: from, got }
            );
        }
        if got != to {
            assert_eq!(
                byte(6, got.number(), "to another"),
                Misbehaviour::WrongReceiver { from, expected: to, got }
            );
        }
    }
    assert_eq!(byte(7, 1, "not reserved"), Misbehaviour::Reserved { from, got: 1 });
    for (at, value) in good.iter().enumerate().take(HEADER_LENGTH).skip(24) {
        let error = byte(at, value ^ 1, "of another session");
        assert!(
            matches!(error, Misbehaviour::WrongSession { expected, .. } if SessionId(expected) == SESSION)
        );
    }

    attack_place(session, frame, kind, &header);
    attack_payload(session, frame, kind);

    // The same frame from the other link, with either header.
    for other in to.peers().into_iter().chain([to]).filter(|other| *other != from) {
        let error = refuse(session, to, other, good, "from the wrong link");
        assert_eq!(error, Misbehaviour::WrongSender { expected: other, got: from });
        let forged = with(good, |bytes| bytes[5] = other.number());
        let error = refuse(session, to, other, &forged, "from the peer that is not awaited");
        assert!(matches!(error, Misbehaviour::UnexpectedMessage { .. }), "{error}");
    }
}

/// The header of another message than the one that is due.
fn attack_place(session: &mut LocalSession, frame: &Frame, kind: Kind, header: &Header) {
    let (from, to, good) = (frame.from, frame.to, &frame.bytes[..]);
    let mut headers = Vec::new();
    for kind in Paper::KINDS {
        headers.push(Header { kind: kind.number(), ..*header });
    }
    for round in [header.round + 1, header.round.wrapping_sub(1), u32::MAX] {
        let other = Header { round, ..*header };
        if AGREED.contains(&kind) {
            let bytes = with(good, |bytes| bytes[..HEADER_LENGTH].copy_from_slice(&other.encode()));
            let error = refuse(session, to, from, &bytes, "of another split of the batch");
            assert_eq!(
                error,
                content(from, kind, READ_ITEMS, &[], Bound::Is(BATCH.reads as u64), round.into())
            );
        } else {
            headers.push(other);
        }
    }
    for operation in [header.operation + 1, header.operation.wrapping_sub(1), u64::MAX] {
        headers.push(Header { operation, ..*header });
    }
    for other in headers.into_iter().filter(|other| *other != *header) {
        let bytes = with(good, |bytes| bytes[..HEADER_LENGTH].copy_from_slice(&other.encode()));
        let error = refuse(session, to, from, &bytes, "not the one that is due");
        let Misbehaviour::UnexpectedMessage { expected: Some(expected), got } = error else {
            panic!("{error}")
        };
        assert_eq!(
            (expected.from, expected.kind, expected.operation, expected.round),
            (from, kind, header.operation, header.round)
        );
        assert_eq!(
            (got.from, got.kind.number(), got.operation, got.round),
            (from, other.kind, other.operation, other.round)
        );
    }
}

/// What is wrong with the content.
fn attack_payload(session: &mut LocalSession, frame: &Frame, kind: Kind) {
    let (from, to, good) = (frame.from, frame.to, &frame.bytes[..]);
    let mut changed = |at: usize, change: &dyn Fn(u8) -> u8, name| {
        let bytes = with(good, |bytes| bytes[HEADER_LENGTH + at] = change(bytes[HEADER_LENGTH + at]));
        refuse(session, to, from, &bytes, name)
    };
    if let Some((last, used)) = packed_bits(kind) {
        for bit in used..8 {
            let error = changed(last, &|byte| byte | 1 << bit, "padded with a one");
            assert!(matches!(error, Misbehaviour::Padding { kind: got, .. } if got == kind), "{error}");
        }
    }
    match kind {
        Hello::KIND => {
            let expected = Bound::Is(u64::from(LOG_SIZE));
            let error = changed(16, &|byte| byte + 1, "of another size");
            assert_eq!(error, content(from, kind, SAME_SIZE, &[], expected, u64::from(LOG_SIZE) + 1));
            let error = changed(23, &|_| 1, "of a huge size");
            assert_eq!(error, content(from, kind, SAME_SIZE, &[], expected, 1 << 56 | u64::from(LOG_SIZE)));
        }
        LevelOpening::KIND => {
            let level = Header::decode(from, good).unwrap().round as usize;
            let error = changed(16, &|byte| byte ^ 1, "an odd correction word");
            let at = [("DPF", 1), ("level", level)];
            assert_eq!(error, content(from, kind, OPENED_BIT, &at, Bound::Is(0), 1));
        }
        HelperKeys::KIND => {
            let owner = u64::from(from.number());
            let error = changed(0, &|byte| byte ^ 1, "the other party's root");
            assert_eq!(error, content(from, kind, ROOT_BIT, &[("key", 0)], Bound::Is(owner), 1 - owner));
            let error = changed(32, &|byte| byte | 1, "an odd correction word");
            let at = [("key", 0), ("level", 1)];
            assert_eq!(error, content(from, kind, CORRECTION_BIT, &at, Bound::Is(0), 1));
        }
        Shift::KIND | Update::KIND | HelperUpdate::KIND => {
            let share = Word::from_le_bytes(good[HEADER_LENGTH..][..8].try_into().unwrap());
            let at = [("query", 0)];
            let error = changed(0, &|byte| byte | 8, "an address that is not reduced");
            assert_eq!(error, content(from, kind, SHIFT, &at, Bound::Below(8), share | 8));
            let error = changed(7, &|_| 0x80, "an address that is not reduced");
            assert_eq!(error, content(from, kind, SHIFT, &at, Bound::Below(8), share | 0x80 << 56));
        }
        _ => {}
    }
}

/// All frames of the past, and those of the future that are on the way, to everyone, on their own links.
fn attack_order(session: &mut LocalSession, past: &[Frame], due: Option<&Frame>) {
    let mut others: Vec<Frame> = past.to_vec();
    for from in Role::ALL {
        for to in from.peers() {
            others.extend(session.pending(from, to).cloned());
        }
    }
    for frame in others.iter().filter(|frame| Some(*frame) != due) {
        // Frames that are due elsewhere: another party has its turn later, but would rightly take them now.
        let party = session.party(frame.to);
        let first = session.pending(frame.from, frame.to).next() == Some(frame);
        if first && party.awaits() == Some(frame.from) {
            continue;
        }
        let error = refuse(session, frame.to, frame.from, &frame.bytes, "a duplicate or out of order");
        assert!(matches!(error, Misbehaviour::UnexpectedMessage { .. }), "{error}");
    }
}

#[test]
fn every_bad_frame_is_refused_and_changes_nothing() {
    let (undisturbed, mut reference) = run(|_| {});
    let mut past: Vec<Frame> = Vec::new();
    let mut seen = BTreeSet::new();
    let (log, mut attacked) = run(|session| {
        let due = session.next().and_then(|(from, to)| session.pending(from, to).next().cloned());
        if let Some(frame) = &due {
            seen.insert(Header::decode(frame.from, &frame.bytes).unwrap().kind);
            attack_frame(session, frame);
        }
        attack_order(session, &past, due.as_ref());
        past.extend(due);
    });
    assert!(Paper::KINDS.iter().map(|kind| kind.number()).eq(seen));
    assert_eq!(log, undisturbed);
    assert_eq!(state(&mut attacked), state(&mut reference));
}

/// When nothing is due, nothing is taken: neither a frame of the past nor one of the future.
#[test]
fn an_idle_party_takes_nothing() {
    let (log, _) = run(|_| {});
    let mut idle = session();
    for start in STEPS {
        for Delivery { frame, .. } in &log {
            let error = refuse(&mut idle, frame.to, frame.from, &frame.bytes, "not awaited");
            assert!(matches!(error, Misbehaviour::UnexpectedMessage { expected: None, .. }), "{error}");
        }
        start(&mut idle);
        idle.run().unwrap();
    }
    let (replayed, mut idle) = (idle.take_log(), idle);
    let frames = |log: Vec<Delivery>| log.into_iter().map(|delivery| delivery.frame).collect::<Vec<_>>();
    assert_eq!(frames(replayed), frames(log));
    let (_, mut reference) = run(|_| {});
    assert_eq!(state(&mut idle), state(&mut reference));
}

/// Primaries that disagree on the number of queries.
#[test]
fn disagreement_on_a_step_is_refused() {
    let (_, mut session) = run(|_| {});
    session.preprocess(Batch { reads: 3, updates: 0 }).unwrap();
    let refused = session.read([&[1, 2], &[1]]);
    assert!(matches!(refused, Err(Error::Peer(Misbehaviour::WrongLength { kind: Shift::KIND, .. }))));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Random bytes, and random damage to the frame that is due. Damage to masked content may go unnoticed, so only
    /// refusals are checked: the run ends as if nothing had come.
    #[test]
    fn random_damage_never_panics(noise: Vec<u8>, seed: u64) {
        let mut masks = Masks::new(seed);
        run(|session| {
            for role in Role::ALL {
                for from in Role::ALL {
                    refuse(session, role, from, &noise, "noise");
                }
            }
            let Some((from, to)) = session.next() else { return };
            let Some(frame) = session.pending(from, to).next().cloned() else { return };
            // The header: any change is noticed.
            let random = usize::try_from(masks.word() >> 1).unwrap();
            let bytes = with(&frame.bytes, |bytes| bytes[random % HEADER_LENGTH] ^= 1 << (random % 7));
            refuse(session, to, from, &bytes, "damaged");
        });
    }
}
