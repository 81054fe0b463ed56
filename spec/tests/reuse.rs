//! What is used once, in the paper's protocol: items, masks, and the parts of a label. Nothing is compared with a file.
//!
//! That a step's draws are of words that no other step reads is in `freshness.rs`: there each item reaches the messages of one
//! step, and later ones by way of the states only.

use crate::freshness::{long, tapes};
use crate::taint::paper::{Inputs, Run, Schedule, Step, run};
use duoram_spec::core::block::{Block, flag};
use duoram_spec::core::dpf::{conversion_words, signed_flags, value_words};
use duoram_spec::core::ring::Ring;
use duoram_spec::core::share::Primary;
use duoram_spec::paper::session::{
    PreparedRead, PreparedUpdate, Session, Step as Done, UpdateQuery, reads, updates, write,
};
use duoram_vectors::Random;

fn sessions(schedule: &Schedule, seed: u64) -> Vec<Session> {
    let r = &mut Random(seed);
    let words = tapes(r, schedule);
    let Run { sessions, .. } = run(schedule, &words, &Inputs::random(r, schedule));
    sessions
}

/// The oldest items are used, one a query, and are gone after the step; what is made comes behind.
#[test]
fn a_step_uses_the_oldest_items_and_drops_them() {
    let schedule = long();
    let sessions = sessions(&schedule, 1);
    for (step, pair) in schedule.steps.iter().zip(sessions.windows(2)) {
        let (before, after) = (&pair[0], &pair[1]);
        let (read, updated, made) = match *step {
            Step::Load => (0, 0, (0, 0)),
            Step::Prepare { reads, updates } => (0, 0, (reads, updates)),
            Step::Read(count) => (count, 0, (0, 0)),
            Step::Update(count) => (0, count, (0, 0)),
            Step::Write => (1, 1, (0, 0)),
        };
        let kept = before.reads.len() - read;
        assert_eq!((after.reads.len(), &after.reads[..kept]), (kept + made.0, &before.reads[read..]));
        let kept = before.updates.len() - updated;
        assert_eq!(
            (after.updates.len(), &after.updates[..kept]),
            (kept + made.1, &before.updates[updated..])
        );
    }
}

/// A session with items, over 64 words.
fn prepared(seed: u64) -> Session {
    let schedule = Schedule::new(6, &[Step::Load, Step::Prepare { reads: 3, updates: 3 }]);
    let mut r = Random(seed);
    let inputs = Inputs::random(&mut r, &schedule);
    let words = tapes(&mut r, &schedule);
    run(&schedule, &words, &inputs).sessions.pop().unwrap()
}

/// Whatever an item is, what is left when it is used does not hang on it: the other items, and where the tapes stand.
#[test]
fn nothing_of_a_used_item_is_left_behind() {
    let session = prepared(2);
    let mut other = session.clone();
    (other.reads[0], other.updates[0]) = (prepared(3).reads[0].clone(), prepared(3).updates[0].clone());
    let query = UpdateQuery { address: (5, 9), value: (77, 99) };
    let steps: [fn(Session, UpdateQuery) -> Done; 3] = [
        |session, query| reads(session, &[query.address]),
        |session, query| updates(session, &[query]),
        write,
    ];
    for step in steps {
        let (one, two) = (step(session.clone(), query), step(other.clone(), query));
        assert_ne!(one.sent, two.sent, "the item is used");
        let rest = |done: Done| {
            let Session { reads, updates, tape_0, tape_1, tape_2, operation, .. } = done.session;
            (reads, updates, [tape_0, tape_1, tape_2].map(|tape| tape.position), operation)
        };
        let (mut one, mut two) = (rest(one), rest(two));
        // The first of those that the step did not use.
        let used_read = one.0.len() < session.reads.len();
        let used_update = one.1.len() < session.updates.len();
        let skip = |items: &mut Vec<PreparedRead>| items.drain(..usize::from(!used_read)).count();
        assert_eq!(skip(&mut one.0), skip(&mut two.0));
        let skip = |items: &mut Vec<PreparedUpdate>| items.drain(..usize::from(!used_update)).count();
        assert_eq!(skip(&mut one.1), skip(&mut two.1));
        assert_eq!(one, two);
    }
}

/// The same query again is asked with another item, and answered under another mask.
#[test]
fn the_same_query_twice_sends_other_words() {
    let mut shifts_differ = false;
    for seed in 0..8 {
        let session = prepared(seed);
        let query = UpdateQuery { address: ((1 << 40) + 11, 50), value: (1, 2) };
        let asked: [[Done; 2]; 2] = [
            {
                let one = reads(session.clone(), &[query.address]);
                [one.clone(), reads(one.session, &[query.address])]
            },
            {
                let one = updates(session.clone(), &[query]);
                [one.clone(), updates(one.session, &[query])]
            },
        ];
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap());
        for [one, two] in &asked {
            for (one, two) in one.sent.iter().zip(&two.sent) {
                let pairs = one.payload.chunks(8).zip(two.payload.chunks(8)).map(|(x, y)| (word(x), word(y)));
                for (place, (one_word, two_word)) in pairs.enumerate() {
                    // The first word of all but gamma is a share of a shift, of six bits.
                    if one.kind == 11 || place > 0 {
                        assert_ne!(one_word, two_word, "kind {}, word {place}", one.kind);
                    } else {
                        assert!(one_word < 64 && two_word < 64);
                        shifts_differ |= one_word != two_word;
                    }
                }
            }
        }
        // In one step two queries, too; rho is what both gammas of a query have in common, and is of one query only.
        let both = reads(session, &[query.address, query.address]);
        for message in both.sent.iter().filter(|message| message.kind == 11) {
            assert_ne!(message.payload[..8], message.payload[8..]);
        }
    }
    assert!(shifts_differ);
}

/// Without an item nothing is answered, and nothing changes.
#[test]
fn a_session_without_items_says_nothing() {
    let session = Session { reads: vec![], updates: vec![], ..prepared(4) };
    let query = UpdateQuery { address: (1, 2), value: (3, 4) };
    for done in [
        reads(session.clone(), &[query.address]),
        updates(session.clone(), &[query]),
        write(session.clone(), query),
    ] {
        assert!(done.results.is_empty() && done.sent.iter().all(|message| message.payload.is_empty()));
        assert_eq!(done.session.state, session.state);
    }
}

/// A leaf's label is used three times, each time another part: its flag, the word that App. D converts with, and the value
/// word. Every bit is in one of the two words, and no bit in both.
#[test]
fn the_words_of_a_label_are_parts_of_their_own() {
    let mut r = Random(5);
    let parts = |label: Block| {
        [Primary::P0, Primary::P1].map(|party| {
            let words = |words: Vec<u64>| words[0];
            (
                words(signed_flags(party, &[label])),
                words(conversion_words(party, &[label])),
                words(value_words(party, &[label])),
            )
        })
    };
    for _ in 0..16 {
        let label = r.block();
        for bit in 0..128 {
            let (before, after) = (parts(label), parts(label ^ 1 << bit));
            for ((t, c, v), (new_t, new_c, new_v)) in before.into_iter().zip(after) {
                assert_eq!(
                    [t != new_t, c != new_c, v != new_v],
                    [bit == 0, bit < 64, bit >= 64],
                    "bit {bit}"
                );
            }
        }
        assert_eq!(u64::conversion_word(label) & 1 == 1, flag(label));
    }
}
