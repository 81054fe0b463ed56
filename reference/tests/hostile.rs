//! Whatever comes from outside is refused with a typed error, and changes nothing.
//!
//! A run of every step and every kind of message is recorded. Then it is repeated, and before each delivery the receiver
//! gets every malformed, misplaced or repeated frame that this file can make of it. The frames of the repeated run, byte
//! for byte, must be those of the recorded one: no random choice, item, or share has changed.

use std::collections::BTreeSet;

use crate::common::hostile::{Attacked, attack_frame, attack_order, content, refuse, with};
use crate::common::{Masks, SESSION};
use duoram_reference::local::{Delivery, LocalSession, Parties};
use duoram_reference::message::{
    CORRECTION_BIT, Hello, HelperKeys, HelperUpdate, LOG_SIZE as SAME_SIZE, LevelOpening, LevelOperands,
    OPENED_BIT, ROOT_BIT, SHIFT, Shift, Triples, Update,
};
use duoram_reference::{
    Batch, Bound, Error, Frame, HEADER_LENGTH, Header, Kind, Message, Misbehaviour, Paper, Parameters, Plain,
    Protocol, Role, Word,
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

impl Attacked for Parties<Plain> {
    const READS: usize = BATCH.reads;

    fn packed_bits(kind: Kind, _round: u32) -> Option<(usize, usize)> {
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

    fn attack_content(session: &mut LocalSession, frame: &Frame, kind: Kind) {
        let (from, to, good) = (frame.from, frame.to, &frame.bytes[..]);
        let mut changed = |at: usize, change: &dyn Fn(u8) -> u8, name| {
            let bytes = with(good, |bytes| bytes[HEADER_LENGTH + at] = change(bytes[HEADER_LENGTH + at]));
            refuse(session, to, from, &bytes, name)
        };
        match kind {
            Hello::KIND => {
                let expected = Bound::Is(u64::from(LOG_SIZE));
                let error = changed(16, &|byte| byte + 1, "of another size");
                assert_eq!(error, content(from, kind, SAME_SIZE, &[], expected, u64::from(LOG_SIZE) + 1));
                let error = changed(23, &|_| 1, "of a huge size");
                assert_eq!(
                    error,
                    content(from, kind, SAME_SIZE, &[], expected, 1 << 56 | u64::from(LOG_SIZE))
                );
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
