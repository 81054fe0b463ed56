//! The lean protocol: whatever comes from outside is refused with a typed error, and changes nothing.
//!
//! A run of every step and every kind of message is recorded. Then it is repeated, and before each delivery the receiver
//! gets every malformed, misplaced or repeated frame that can be made of it. The frames of the repeated run, byte for byte,
//! must be those of the recorded one: no random choice, item, or share has changed.

use std::cell::Cell;
use std::collections::BTreeSet;

use crate::common::hostile::{Attacked, attack_frame, attack_order, content, refuse, with};
use crate::common::lean::share;
use crate::common::{Masks, SESSION};
use duoram_reference::lean::local::{LocalSession, Parties};
use duoram_reference::lean::message::{
    CORRECTION_BIT, Hello, HelperKeys, IndexOffset, LevelOpening, LevelOperands, OFFSET, OPENED_BIT,
    ROOT_BIT, ROW_WORDS, ROWS, SHIFT, Shift, Update,
};
use duoram_reference::lean::{Lean, Plain};
use duoram_reference::local::Delivery;
use duoram_reference::{
    Batch, Bound, Error, Frame, HEADER_LENGTH, Header, Kind, Message, Misbehaviour, Parameters, Protocol,
    Role, Word, local,
};
use proptest::prelude::*;

/// READ items have two levels, UPDATE items six, and an address two bytes.
const LOG_SIZE: u32 = 9;
/// Sizes that leave unused bits wherever bits are packed.
const BATCH: Batch = Batch { reads: 2, updates: 5 };

thread_local! {
    /// w, of the sessions of a test: steps and attacks are functions that know of nothing.
    static OF_THE_TEST: Cell<usize> = const { Cell::new(1) };
}

fn row_words() -> usize {
    OF_THE_TEST.get()
}

/// An address and a row of this value and those that follow.
fn operands(address: Word, value: Word) -> Vec<Word> {
    [address].into_iter().chain((value..).take(row_words())).collect()
}

/// A step, started at all three parties; the frames to send.
type Start = fn(&mut LocalSession) -> Vec<Frame>;

const STEPS: [Start; 7] = [
    |session| Role::ALL.map(|role| session.party_mut(role).connect().unwrap()).concat(),
    |session| {
        session.helper_mut().load().unwrap();
        let memory: Vec<Word> = (10..).take(row_words() << LOG_SIZE).collect();
        let [share_0, share_1] = share(&mut Masks::new(1), &memory);
        let [p0, p1] = session.primaries_mut();
        [p0.load(share_0).unwrap(), p1.load(share_1).unwrap()].concat()
    },
    |session| Role::ALL.map(|role| session.party_mut(role).preprocess(BATCH).unwrap()).concat(),
    |session| {
        session.helper_mut().read(2).unwrap();
        let [i_0, i_1] = share(&mut Masks::new(2), &[5, 0]);
        let [p0, p1] = session.primaries_mut();
        [p0.read(&i_0).unwrap(), p1.read(&i_1).unwrap()].concat()
    },
    |session| {
        session.helper_mut().update(2).unwrap();
        let updates = [operands(5, 100), operands(0, 200)].concat();
        let [of_0, of_1] = share(&mut Masks::new(3), &updates);
        let [p0, p1] = session.primaries_mut();
        [p0.update_rows(&of_0).unwrap(), p1.update_rows(&of_1).unwrap()].concat()
    },
    |session| {
        session.helper_mut().write().unwrap();
        let [of_0, of_1] = share(&mut Masks::new(5), &operands(7, 70));
        let [p0, p1] = session.primaries_mut();
        [p0.write_row(of_0[0], &of_0[1..]).unwrap(), p1.write_row(of_1[0], &of_1[1..]).unwrap()].concat()
    },
    |session| {
        session.helper_mut().swap().unwrap();
        let [of_0, of_1] = share(&mut Masks::new(6), &operands(7, 71));
        let [p0, p1] = session.primaries_mut();
        [p0.swap_row(of_0[0], &of_0[1..]).unwrap(), p1.swap_row(of_1[0], &of_1[1..]).unwrap()].concat()
    },
];

fn session() -> LocalSession {
    let parameters = Parameters::new(SESSION, LOG_SIZE).unwrap().with_row_words(row_words()).unwrap();
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain);
    session.record();
    session
}

/// Runs all steps; `attack` is called before each delivery and after each step.
fn run(mut attack: impl FnMut(&mut LocalSession)) -> (Vec<Delivery>, LocalSession) {
    let mut session = session();
    for start in STEPS {
        session.begin();
        let frames = start(&mut session);
        session.post(frames);
        while session.next().is_some() {
            attack(&mut session);
            session.deliver().unwrap();
        }
        attack(&mut session);
    }
    (session.take_log(), session)
}

/// A and H, E, A and B, and the results.
fn state(session: &mut LocalSession) -> Vec<Vec<Word>> {
    let (p0, p1, p2) = session.parties();
    let (both, alpha, helpers) = (p0.memory(), p1.memory(), p2.memory());
    let vectors = [&both.alpha, &both.beta, &alpha.alpha, &helpers.alpha, &helpers.beta].map(Clone::clone);
    let results = session.take_results();
    vectors.into_iter().chain(results).collect()
}

impl Attacked for Parties<Plain> {
    const READS: usize = BATCH.reads;

    fn packed_bits(kind: Kind, round: u32) -> Option<(usize, usize)> {
        let (all, updates) = (2 * (BATCH.reads + BATCH.updates), 2 * BATCH.updates);
        let levels = 2 * BATCH.reads + 6 * BATCH.updates;
        let (start, bits) = match kind {
            LevelOperands::KIND => {
                let dpfs = if round < 2 { all } else { updates };
                (16 * dpfs, 3 * dpfs)
            }
            HelperKeys::KIND => (16 * all + 16 * levels + 64 * row_words() * BATCH.updates, 2 * levels),
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
                let rows = 1 << LOG_SIZE;
                let error = changed(48, &|byte| byte + 1, "of another size");
                assert_eq!(error, content(from, kind, ROWS, &[], Bound::Is(rows), rows + 1));
                let error = changed(53, &|_| 1, "of a huge size");
                assert_eq!(error, content(from, kind, ROWS, &[], Bound::Is(rows), rows + (1 << 40)));
                let error = changed(55, &|_| 1, "of huge rows");
                let words = row_words() as u64;
                let got = words + (1 << 8);
                assert_eq!(error, content(from, kind, ROW_WORDS, &[], Bound::Is(words), got));
                let error = changed(54, &|byte| byte ^ 4, "of other rows");
                let got = ((words - 1) ^ 4) + 1;
                assert_eq!(error, content(from, kind, ROW_WORDS, &[], Bound::Is(words), got));
            }
            IndexOffset::KIND => {
                let offset = u64::from(good[HEADER_LENGTH + 3]);
                let error = changed(3, &|byte| byte | 0x80, "an offset of too many bits");
                assert_eq!(
                    error,
                    content(from, kind, OFFSET, &[("DPF", 3)], Bound::Below(128), offset | 0x80)
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
                // The last key is of an UPDATE item, with values behind its flags' correction: its last level.
                let of_update = 16 + 96 + 16 + 64 * row_words();
                let last = BATCH.reads * (16 + 32 + 16) + (BATCH.updates - 1) * of_update + 16 + 80;
                let error = changed(last, &|byte| byte | 1, "an odd correction word");
                let at = [("key", BATCH.reads + BATCH.updates - 1), ("level", 5)];
                assert_eq!(error, content(from, kind, CORRECTION_BIT, &at, Bound::Is(0), 1));
            }
            Shift::KIND | Update::KIND => {
                let share = u16::from_le_bytes(good[HEADER_LENGTH..][..2].try_into().unwrap());
                for bits in [0x02, 0x80] {
                    let error = changed(1, &|byte| byte | bits, "an address that is not below n");
                    let got = u64::from(share) | u64::from(bits) << 8;
                    assert_eq!(error, content(from, kind, SHIFT, &[("query", 0)], Bound::Below(512), got));
                }
            }
            _ => {}
        }
    }
}

#[test]
fn every_bad_frame_is_refused_and_changes_nothing() {
    for row_words in [1, 3] {
        OF_THE_TEST.set(row_words);
        every_bad_frame();
    }
}

/// Parties that have rows of other lengths refuse each other's hellos, both ways, and go on with their own.
#[test]
fn parties_with_other_rows_refuse_each_other() {
    let mut sessions = [1, 2, 512].map(|row_words| {
        OF_THE_TEST.set(row_words);
        let mut session = session();
        let frames = Role::ALL.map(|role| session.party_mut(role).connect().unwrap()).concat();
        (row_words, session, frames)
    });
    let all: Vec<_> = sessions.iter().map(|(row_words, _, frames)| (*row_words, frames.clone())).collect();
    for (expected, session, _) in &mut sessions {
        for (got, frames) in all.iter().filter(|(got, _)| got != expected) {
            for frame in frames {
                // Each awaits its peers in their order.
                let due = session.party_mut(frame.to).awaits() == Some(frame.from);
                let error = refuse(session, frame.to, frame.from, &frame.bytes, "of other rows");
                let [expected, got] = [*expected, *got].map(|words| words as u64);
                let at_hello = content(frame.from, Hello::KIND, ROW_WORDS, &[], Bound::Is(expected), got);
                assert!(error == at_hello || !due, "{error}");
                if due {
                    assert_eq!(
                        error.to_string(),
                        format!(
                            "'hello' from {}: the words of a row must be {expected}, got {got}",
                            frame.from
                        )
                    );
                }
            }
        }
    }
    for (_, mut session, frames) in sessions {
        session.post(frames);
        session.run().unwrap();
        session.preprocess(Batch { reads: 1, updates: 1 }).unwrap();
    }
}

fn every_bad_frame() {
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
    assert!(Lean::KINDS.iter().map(|kind| kind.number()).eq(seen));
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
        let frames = start(&mut idle);
        idle.post(frames);
        idle.run().unwrap();
    }
    let frames = |log: Vec<Delivery>| log.into_iter().map(|delivery| delivery.frame).collect::<Vec<_>>();
    assert_eq!(frames(idle.take_log()), frames(log));
    let (_, mut reference) = run(|_| {});
    assert_eq!(state(&mut idle), state(&mut reference));
}

/// Primaries that disagree on the number of queries, and parties that disagree on the operation.
#[test]
fn disagreement_on_a_step_is_refused() {
    let prepared = || {
        let (_, mut session) = run(|_| {});
        session.preprocess(Batch { reads: 3, updates: 3 }).unwrap();
        session
    };
    let refused = prepared().read([&[1, 2], &[1]]);
    assert!(matches!(refused, Err(Error::Peer(Misbehaviour::WrongLength { kind: Shift::KIND, .. }))));

    let mut session = prepared();
    let [p0, p1] = session.primaries_mut();
    let frames = [p0.update(&[(1, 1)]).unwrap(), p1.write(1, 1).unwrap()].concat();
    session.helper_mut().write().unwrap();
    session.post(frames);
    let refused = session.run();
    assert!(matches!(refused, Err(Error::Peer(Misbehaviour::UnexpectedMessage { .. }))), "{refused:?}");
}

/// A party of the paper's protocol and one of this refuse each other's first frames, and go on with their own.
#[test]
fn parties_of_different_protocols_refuse_each_other() {
    let parameters = Parameters::new(SESSION, LOG_SIZE).unwrap();
    let seeds = [[1; 32], [2; 32], [3; 32]];
    let mut lean = session();
    let mut paper = local::LocalSession::new(parameters, seeds, duoram_reference::Plain).unwrap();
    let lean_frames = Role::ALL.map(|role| lean.party_mut(role).connect().unwrap()).concat();
    let paper_frames = Role::ALL.map(|role| paper.party_mut(role).connect().unwrap()).concat();
    for frame in &paper_frames {
        let error = refuse(&mut lean, frame.to, frame.from, &frame.bytes, "the paper's");
        assert_eq!(error, Misbehaviour::WrongVersion { from: frame.from, expected: 2, got: 1 });
    }
    for frame in &lean_frames {
        let error = refuse(&mut paper, frame.to, frame.from, &frame.bytes, "lean");
        assert_eq!(error, Misbehaviour::WrongVersion { from: frame.from, expected: 1, got: 2 });
    }
    lean.post(lean_frames);
    lean.run().unwrap();
    paper.post(paper_frames);
    paper.run().unwrap();
    lean.preprocess(Batch { reads: 1, updates: 0 }).unwrap();
    paper.preprocess(Batch { reads: 1, updates: 0 }).unwrap();
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
