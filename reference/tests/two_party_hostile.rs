//! The two-party protocol: whatever comes from outside is refused with a typed error, and changes nothing.
//!
//! A run of every step and every kind of message is recorded. Then it is repeated, and before each delivery the receiver
//! gets every malformed, misplaced or repeated frame that can be made of it. The frames of the repeated run, byte for byte,
//! must be those of the recorded one: no random choice, item, or share has changed.

use std::collections::BTreeSet;

use crate::common::hostile::{Attacked, attack_frame, attack_order, content, refuse, with};
use crate::common::two_party::zip;
use crate::common::{Masks, SESSION};
use duoram_reference::local::Delivery;
use duoram_reference::two_party::local::{LocalSession, Parties};
use duoram_reference::two_party::message::{
    Answers, BaseChoices, Hello, LOG_SIZE as SAME_SIZE, LevelOpening, LevelOperands, OPENED_BIT, OtColumns,
    POINT, PirKeys, Queries, SHIFT, SUM_BIT, Shifts, Sums, Updates,
};
use duoram_reference::two_party::{Pir, Plain, PlainPir, Table, TwoParty};
use duoram_reference::{
    Batch, Bound, Error, Frame, HEADER_LENGTH, Header, Kind, Message, Misbehaviour, Parameters, Party,
    Protocol, Role, Word, lean, local,
};
use proptest::prelude::*;

const LOG_SIZE: u32 = 3;
/// Sizes that leave unused bits wherever bits are packed.
const BATCH: Batch = Batch { reads: 4, updates: 5 };

/// The plain PIR, with keys and queries of which some are refused: all must be of one byte again and again.
#[derive(Clone)]
struct Strict;

const KEYS: &str = "keys of more than one byte";
const QUERY: &str = "a query that is none";
const ANSWER: &str = "an answer that is none";

fn all(bytes: &[u8], byte: u8, rule: &'static str) -> Result<(), &'static str> {
    if bytes.iter().all(|other| *other == byte) { Ok(()) } else { Err(rule) }
}

impl Pir for Strict {
    type Client = ();
    type Server = ();

    fn setup_length(&self, _log_size: u32) -> usize {
        100
    }

    fn query_length(&self, _log_size: u32) -> usize {
        10
    }

    fn answer_length(&self, log_size: u32) -> usize {
        PlainPir.answer_length(log_size) + 1
    }

    fn client(&self, _log_size: u32, _seed: &[u8; 32]) -> ((), Vec<u8>) {
        ((), vec![7; 100])
    }

    fn server(&self, _log_size: u32, setup: &[u8]) -> Result<(), &'static str> {
        all(setup, 7, KEYS)
    }

    fn query(&self, (): &(), _index: u64, _number: u64) -> Vec<u8> {
        vec![8; 10]
    }

    fn check_query(&self, _log_size: u32, query: &[u8]) -> Result<(), &'static str> {
        all(query, 8, QUERY)
    }

    fn answer(&self, (): &(), query: &[u8], table: Table<'_>) -> Vec<u8> {
        let mut answer = PlainPir.answer(&(), query, table);
        answer.push(9);
        answer
    }

    fn check_answer(&self, log_size: u32, answer: &[u8]) -> Result<(), &'static str> {
        all(&answer[PlainPir.answer_length(log_size)..], 9, ANSWER)
    }

    fn decode(&self, (): &(), index: u64, answer: &[u8]) -> Word {
        PlainPir.decode(&(), index, answer)
    }
}

type Session = LocalSession<Plain, Strict>;

/// A step, started at both parties; the frames to send.
type Start = fn(&mut Session) -> Vec<Frame>;

const STEPS: [Start; 7] = [
    |session| session.primaries_mut().each_mut().map(|party| party.connect().unwrap()).concat(),
    |session| {
        let [share_0, share_1] = Masks::new(1).share(&[10, 11, 12, 13, 14, 15, 16, 17]);
        let [p0, p1] = session.primaries_mut();
        [p0.load(share_0).unwrap(), p1.load(share_1).unwrap()].concat()
    },
    |session| session.primaries_mut().each_mut().map(|party| party.preprocess(BATCH).unwrap()).concat(),
    |session| {
        let [i_0, i_1] = Masks::new(2).share(&[5, 0]);
        let [p0, p1] = session.primaries_mut();
        [p0.read(&i_0).unwrap(), p1.read(&i_1).unwrap()].concat()
    },
    |session| {
        let addresses = Masks::new(3).share(&[5, 0]);
        let [of_0, of_1] = zip(&addresses, &Masks::new(4).share(&[100, 200]));
        let [p0, p1] = session.primaries_mut();
        [p0.update(&of_0).unwrap(), p1.update(&of_1).unwrap()].concat()
    },
    |session| {
        let [of_0, of_1] = Masks::new(5).share(&[7, 70]);
        let [p0, p1] = session.primaries_mut();
        [p0.write(of_0[0], of_0[1]).unwrap(), p1.write(of_1[0], of_1[1]).unwrap()].concat()
    },
    |session| {
        let [of_0, of_1] = Masks::new(6).share(&[7, 71]);
        let [p0, p1] = session.primaries_mut();
        [p0.swap(of_0[0], of_0[1]).unwrap(), p1.swap(of_1[0], of_1[1]).unwrap()].concat()
    },
];

fn session() -> Session {
    let parameters = Parameters::new(SESSION, LOG_SIZE).unwrap();
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32]], Plain, Strict).unwrap();
    session.record();
    session
}

/// Runs all steps; `attack` is called before each delivery and after each step.
fn run(mut attack: impl FnMut(&mut Session)) -> (Vec<Delivery>, Session) {
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

/// Both shares of the memory, and the results.
fn state(session: &mut Session) -> [(Vec<Word>, Vec<Word>); 2] {
    session
        .primaries_mut()
        .each_mut()
        .map(|party| (party.memory().memory_share.clone(), party.take_results()))
}

fn invalid(from: Role, kind: Kind, rule: &'static str, at: &[(&'static str, usize)]) -> Misbehaviour {
    Misbehaviour::Invalid { from, kind, rule, at: at.to_vec() }
}

impl Attacked for Parties<Plain, Strict> {
    const READS: usize = BATCH.reads;

    fn packed_bits(kind: Kind, _round: u32) -> Option<(usize, usize)> {
        let (start, bits) = match kind {
            OtColumns::KIND => (0, 3 * (BATCH.reads + BATCH.updates)),
            LevelOperands::KIND => (16 * BATCH.updates, 3 * BATCH.updates),
            _ => return None,
        };
        assert_ne!(bits % 8, 0, "choose sizes that leave unused bits");
        Some((start + bits / 8, bits % 8))
    }

    fn attack_content(session: &mut Session, frame: &Frame, kind: Kind) {
        let (from, to, good) = (frame.from, frame.to, &frame.bytes[..]);
        // A place in the payload, and as many bytes for there.
        let mut put = |at: usize, new: &[u8], name| {
            let bytes = with(good, |bytes| bytes[HEADER_LENGTH + at..][..new.len()].copy_from_slice(new));
            refuse(session, to, from, &bytes, name)
        };
        let byte = |at: usize| good[HEADER_LENGTH + at];
        match kind {
            Hello::KIND => {
                let expected = Bound::Is(u64::from(LOG_SIZE));
                let error = put(16, &[byte(16) + 1], "of another size");
                assert_eq!(error, content(from, kind, SAME_SIZE, &[], expected, u64::from(LOG_SIZE) + 1));
                // The lowest bit makes an element negative, the highest one not canonical.
                for (at, bit) in [(24, 1), (55, 0x80)] {
                    let error = put(at, &[byte(at) ^ bit], "not an encoding of a point");
                    assert_eq!(error, invalid(from, kind, POINT, &[]));
                }
                assert_eq!(put(24, &[0; 32], "the identity"), invalid(from, kind, POINT, &[]));
            }
            BaseChoices::KIND => {
                for number in [0, 77, 127] {
                    let at = 32 * number;
                    let expected = invalid(from, kind, POINT, &[("point", number)]);
                    assert_eq!(put(at, &[byte(at) ^ 1], "not an encoding of a point"), expected);
                    assert_eq!(put(at, &[0; 32], "the identity"), expected);
                }
            }
            PirKeys::KIND => {
                let error = put(99, &[8], "keys that the PIR refuses");
                assert_eq!(error, invalid(from, kind, KEYS, &[]));
            }
            Queries::KIND => {
                let error = put(35, &[7], "a query that the PIR refuses");
                assert_eq!(error, invalid(from, kind, QUERY, &[("query", 3)]));
            }
            Answers::KIND => {
                let error = put(64, &[8], "an answer that the PIR refuses");
                assert_eq!(error, invalid(from, kind, ANSWER, &[("query", 0)]));
            }
            LevelOpening::KIND => {
                let level = Header::decode(from, good).unwrap().round as usize;
                let error = put(16, &[byte(16) ^ 1], "an odd correction word");
                let at = [("DPF", 1), ("level", level)];
                assert_eq!(error, content(from, kind, OPENED_BIT, &at, Bound::Is(0), 1));
            }
            Sums::KIND => {
                let error = put(16, &[byte(16) ^ 1], "an even sum");
                assert_eq!(error, content(from, kind, SUM_BIT, &[("DPF", 2)], Bound::Is(1), 0));
            }
            Shifts::KIND | Updates::KIND => {
                let share = Word::from_le_bytes(good[HEADER_LENGTH..][..8].try_into().unwrap());
                for (at, bits) in [(0, 8), (7, 0x80)] {
                    let error = put(at, &[byte(at) | bits], "a shift that is not below n");
                    let got = share | Word::from(bits) << (8 * at);
                    assert_eq!(error, content(from, kind, SHIFT, &[("query", 0)], Bound::Below(8), got));
                }
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
    assert!(TwoParty::KINDS.iter().map(|kind| kind.number()).eq(seen));
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

/// Parties that disagree on the number of queries, and on the operation.
#[test]
fn disagreement_on_a_step_is_refused() {
    let prepared = || {
        let (_, mut session) = run(|_| {});
        session.preprocess(Batch { reads: 3, updates: 3 }).unwrap();
        session
    };
    let refused = prepared().read([&[1, 2], &[1]]);
    assert!(matches!(refused, Err(Error::Peer(Misbehaviour::WrongLength { kind: Shifts::KIND, .. }))));

    let mut session = prepared();
    let [p0, p1] = session.primaries_mut();
    let frames = [p0.update(&[(1, 1)]).unwrap(), p1.write(1, 1).unwrap()].concat();
    session.post(frames);
    let refused = session.run();
    assert!(matches!(refused, Err(Error::Peer(Misbehaviour::UnexpectedMessage { .. }))), "{refused:?}");
}

/// Parties of three protocols refuse each other's first frames, and go on with their own.
#[test]
fn parties_of_different_protocols_refuse_each_other() {
    let parameters = Parameters::new(SESSION, LOG_SIZE).unwrap();
    let seeds = [[1; 32], [2; 32], [3; 32]];
    let mut two = session();
    let mut paper = local::LocalSession::new(parameters, seeds, duoram_reference::Plain).unwrap();
    let mut lean = lean::local::LocalSession::new(parameters, seeds, lean::Plain);
    let two_frames = STEPS[0](&mut two);
    let paper_frames = Role::ALL.map(|role| paper.party_mut(role).connect().unwrap()).concat();
    let lean_frames = Role::ALL.map(|role| lean.party_mut(role).connect().unwrap()).concat();
    for (frames, got) in [(&paper_frames, 1), (&lean_frames, 2)] {
        for frame in frames.iter().filter(|frame| frame.from != Role::P2 && frame.to != Role::P2) {
            let error = refuse(&mut two, frame.to, frame.from, &frame.bytes, "of three parties");
            assert_eq!(error, Misbehaviour::WrongVersion { from: frame.from, expected: 3, got });
        }
    }
    for frame in &two_frames {
        let error = refuse(&mut paper, frame.to, frame.from, &frame.bytes, "of two parties");
        assert_eq!(error, Misbehaviour::WrongVersion { from: frame.from, expected: 1, got: 3 });
        let error = refuse(&mut lean, frame.to, frame.from, &frame.bytes, "of two parties");
        assert_eq!(error, Misbehaviour::WrongVersion { from: frame.from, expected: 2, got: 3 });
    }
    two.post(two_frames);
    two.run().unwrap();
    two.preprocess(Batch { reads: 1, updates: 0 }).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// Random bytes, and random damage to the frame that is due. Damage to masked content may go unnoticed, so only
    /// refusals are checked: the run ends as if nothing had come.
    #[test]
    fn random_damage_never_panics(noise: Vec<u8>, seed: u64) {
        let mut masks = Masks::new(seed);
        run(|session| {
            for &role in TwoParty::ROLES {
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
