//! One of each step for h = 1, 2, 3, and of each kind of message one that is damaged: small enough for Miri, which sees the
//! dependencies at work that wipe memory, expand seeds and encrypt.
#![allow(missing_docs)]

use std::collections::BTreeSet;

use crate::common::{Masks, SESSION, open};
use duoram_reference::engine::local::{self, Parties};
use duoram_reference::lean::{self, Lean};
use duoram_reference::local::LocalSession;
use duoram_reference::{
    Batch, Error, Frame, Header, Misbehaviour, Paper, Parameters, Plain, Protocol, Role, Word,
};

/// Delivers all that is due; before the first message of each kind, the same one cut short and one byte too long.
fn run<P: Parties>(session: &mut local::LocalSession<P>, seen: &mut BTreeSet<u8>) {
    while let Some((from, to)) = session.next() {
        let frame = session.pending(from, to).next().unwrap().clone();
        if seen.insert(Header::decode(from, &frame.bytes).unwrap().kind) {
            let long = [&frame.bytes[..], &[0]].concat();
            let short = &frame.bytes[..frame.bytes.len() - 1];
            let party = session.party_mut(to);
            assert!(matches!(party.receive(from, short), Err(Error::Peer(Misbehaviour::Truncated { .. }))));
            assert!(matches!(party.receive(from, &long), Err(Error::Peer(Misbehaviour::Oversized { .. }))));
            assert_eq!(party.awaits(), Some(from));
        }
        session.deliver().unwrap();
    }
}

#[test]
fn one_of_each_step() {
    for log_size in 1..=3 {
        let parameters = Parameters::new(SESSION, log_size).unwrap();
        let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain).unwrap();
        let mut masks = Masks::new(u64::from(log_size));
        let mut seen = BTreeSet::new();

        for role in Role::ALL {
            let frames = session.party_mut(role).connect().unwrap();
            session.post(frames);
        }
        run(&mut session, &mut seen);

        let memory: Vec<Word> = (0..parameters.size()).map(|_| masks.word()).collect();
        let [share_0, share_1] = masks.share(&memory);
        let [p0, p1] = session.primaries_mut();
        let frames = [p0.load(share_0).unwrap(), p1.load(share_1).unwrap()];
        session.helper_mut().load().unwrap();
        session.post(frames.concat());
        run(&mut session, &mut seen);

        for role in Role::ALL {
            let frames = session.party_mut(role).preprocess(Batch { reads: 1, updates: 1 }).unwrap();
            session.post(frames);
        }
        run(&mut session, &mut seen);

        let last = parameters.size() - 1;
        let ([i_0, i_1], [m_0, m_1]) = (masks.share(&[last]), masks.share(&[7]));
        let [p0, p1] = session.primaries_mut();
        let frames = [p0.update(&[(i_0[0], m_0[0])]).unwrap(), p1.update(&[(i_1[0], m_1[0])]).unwrap()];
        session.helper_mut().update(1).unwrap();
        session.post(frames.concat());
        run(&mut session, &mut seen);

        let [i_0, i_1] = masks.share(&[last]);
        let [p0, p1] = session.primaries_mut();
        let frames = [p0.read(&i_0).unwrap(), p1.read(&i_1).unwrap()];
        session.helper_mut().read(1).unwrap();
        session.post(frames.concat());
        run(&mut session, &mut seen);

        let results = session.primaries_mut().each_mut().map(|primary| primary.take_results().clone());
        assert_eq!(open(&results), [memory.last().unwrap().wrapping_add(7)]);
        assert!(Paper::KINDS.iter().map(|kind| kind.number()).eq(seen), "every kind of message was damaged");
    }
}

#[test]
fn one_of_each_lean_step() {
    // Of 2^8 words, READ items have a level too.
    for log_size in [1, 2, 3, 4, 8] {
        let parameters = Parameters::new(SESSION, log_size).unwrap();
        let mut session =
            lean::local::LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], lean::Plain);
        let mut masks = Masks::new(u64::from(log_size));
        let mut seen = BTreeSet::new();
        let memory: Vec<Word> = (0..parameters.size()).map(|_| masks.word()).collect();
        let last = parameters.size() - 1;
        let [memory_0, memory_1] = crate::common::lean::share(&mut masks, &memory);
        let mut memories = vec![memory_1, memory_0];
        let inputs = crate::common::lean::share(&mut masks, &[last, 7]);

        let mut take = |start: &mut dyn FnMut(&mut lean::local::LocalSession) -> Vec<Frame>| {
            let frames = start(&mut session);
            session.post(frames);
            run(&mut session, &mut seen);
            session.take_results()
        };
        take(&mut |session| Role::ALL.map(|role| session.party_mut(role).connect().unwrap()).concat());
        take(&mut |session| {
            session.helper_mut().load().unwrap();
            session.primaries_mut().map(|primary| primary.load(memories.pop().unwrap()).unwrap()).concat()
        });
        let batch = Batch { reads: 1, updates: 3 };
        take(&mut |session| {
            Role::ALL.map(|role| session.party_mut(role).preprocess(batch).unwrap()).concat()
        });
        take(&mut |session| {
            session.helper_mut().update(1).unwrap();
            let mut of = inputs.iter();
            let mut input = || of.next().map(|words| (words[0], words[1])).unwrap();
            session.primaries_mut().map(|primary| primary.update(&[input()]).unwrap()).concat()
        });
        let read = take(&mut |session| {
            session.helper_mut().read(1).unwrap();
            let mut of = inputs.iter();
            session.primaries_mut().map(|primary| primary.read(&of.next().unwrap()[..1]).unwrap()).concat()
        });
        assert_eq!(crate::common::lean::open(&read), [memory.last().unwrap() ^ 7]);
        for swap in [false, true] {
            let old = take(&mut |session| {
                let helper = session.helper_mut();
                if swap { helper.swap() } else { helper.write() }.unwrap();
                let mut of = inputs.iter();
                let mut input = || of.next().map(|words| (words[0], words[1])).unwrap();
                let frames = session.primaries_mut().map(|primary| {
                    let (address, value) = input();
                    if swap { primary.swap(address, value) } else { primary.write(address, value) }.unwrap()
                });
                frames.concat()
            });
            assert_eq!(crate::common::lean::open(&old), if swap { vec![7] } else { vec![] });
        }
        assert_eq!(log_size > 3, Lean::KINDS.iter().map(|kind| kind.number()).eq(seen));
    }
}
