//! What is used once, in the lean protocol: items, streams and masks. Nothing is compared with a file.
//!
//! That no two things are of one word is in `lean_freshness.rs`: there each item reaches the messages of one step, and later
//! ones by way of the states only.

use crate::lean::{Party3, Toy};
use crate::lean_freshness::{drawn, long};
use crate::taint::lean::{Inputs, Run, Schedule, Step, run};
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::online::Query;
use duoram_spec::lean::party::{Item0, Item1, Item2};
use duoram_spec::lean::session::{Step as Done, reads, state, swap, updates, write};
use duoram_vectors::Random;

fn sessions(schedule: &Schedule, seed: u64) -> Vec<Party3> {
    let r = &mut Random(seed);
    let words = drawn(r, schedule);
    let Run { sessions, .. } = run(schedule, &words, &Inputs::random(r, schedule));
    sessions
}

type Items = (
    (Vec<Item0<XorWord>>, Vec<Item0<XorWord>>),
    (Vec<Item1<XorWord>>, Vec<Item1<XorWord>>),
    (Vec<Item2<XorWord>>, Vec<Item2<XorWord>>),
);

fn items(session: &Party3) -> Items {
    let Party3 { p0, p1, p2, .. } = session.clone();
    ((p0.reads, p0.updates), (p1.reads, p1.updates), (p2.reads, p2.updates))
}

/// The numbers of the items for READs and of those for UPDATEs that each party has.
fn numbers(session: &Party3) -> [[Vec<usize>; 2]; 3] {
    let ((r_0, u_0), (r_1, u_1), (r_2, u_2)) = items(session);
    let of_0 = |items: &[Item0<XorWord>]| items.iter().map(|item| item.number).collect();
    let of_1 = |items: &[Item1<XorWord>]| items.iter().map(|item| item.number).collect();
    let of_2 = |items: &[Item2<XorWord>]| items.iter().map(|item| item.number).collect();
    [[of_0(&r_0), of_0(&u_0)], [of_1(&r_1), of_1(&u_1)], [of_2(&r_2), of_2(&u_2)]]
}

/// After each step all three parties have the items that are made and not used, under their numbers in the session, in order.
#[test]
fn each_item_is_used_once_by_all_three() {
    use duoram_spec::lean::layers::Purpose;
    let schedule = long(4);
    for (step, session) in (0..).zip(sessions(&schedule, 1)) {
        let left = |purpose| -> Vec<usize> {
            let lives = schedule.items.iter().enumerate();
            let made = lives.filter(|(_, life)| life.purpose == purpose && life.made <= step);
            made.filter(|(_, life)| life.used.is_none_or(|(used, _)| used > step)).map(|(j, _)| j).collect()
        };
        let expected = [left(Purpose::Read), left(Purpose::Update)];
        assert_eq!(numbers(&session), [expected.clone(), expected.clone(), expected], "after step {step}");
    }
}

/// What is left of the items is left as it was made.
#[test]
fn a_step_changes_no_item_that_it_does_not_use() {
    let schedule = long(4);
    for pair in sessions(&schedule, 2).windows(2) {
        let ((r_0, u_0), (r_1, u_1), (r_2, u_2)) = items(&pair[0]);
        let ((new_r_0, new_u_0), (new_r_1, new_u_1), (new_r_2, new_u_2)) = items(&pair[1]);
        let used = |old: &[usize], new: &[usize]| old.iter().filter(|number| !new.contains(number)).count();
        let ([[r, u], ..], [[new_r, new_u], ..]) = (numbers(&pair[0]), numbers(&pair[1]));
        let (read, updated) = (used(&r, &new_r), used(&u, &new_u));
        assert!(new_r_0.starts_with(&r_0[read..]) && new_u_0.starts_with(&u_0[updated..]));
        assert!(new_r_1.starts_with(&r_1[read..]) && new_u_1.starts_with(&u_1[updated..]));
        assert!(new_r_2.starts_with(&r_2[read..]) && new_u_2.starts_with(&u_2[updated..]));
    }
}

fn prepared(seed: u64, log_size: usize) -> Party3 {
    let schedule = Schedule::new(log_size, &[Step::Load, Step::Prepare { reads: 3, updates: 4 }]);
    sessions(&schedule, seed).pop().unwrap()
}

type Operation = fn(Party3, (Query<XorWord>, Query<XorWord>)) -> Done<XorWord, Toy>;

/// READ, UPDATE, WRITE and SWAP, of one query.
const OPERATIONS: [Operation; 4] = [
    |session, query| reads(session, &[(query.0.address, query.1.address)]),
    |session, query| updates(session, &[query]),
    write,
    swap,
];

fn query(address: u64, value: u64) -> (Query<XorWord>, Query<XorWord>) {
    let of = |address, bits| Query { address, value: XorWord { bits } };
    (of(address, value), of(77, 99))
}

/// The same query again is asked with another item, and answered under other masks, by the same operation and by any other.
#[test]
fn the_same_query_twice_sends_other_words_in_the_lean_protocol() {
    // Shares of shifts are of two bytes: that two are equal by chance is rare.
    let mut same = 0;
    for seed in 0..4 {
        let session = prepared(seed, 12);
        for (one, two) in OPERATIONS.iter().flat_map(|one| OPERATIONS.iter().map(move |two| (one, two))) {
            let first = one(session.clone(), query(11, 5));
            let second = two(first.session, query(11, 5));
            for message in &first.sent {
                let same_kind = second.sent.iter().filter(|other| {
                    (other.kind, other.from, other.to) == (message.kind, message.from, message.to)
                });
                for other in same_kind {
                    if message.kind == 12 {
                        same += u32::from(message.payload == other.payload);
                    } else {
                        assert_ne!(message.payload, other.payload, "kind {}", message.kind);
                    }
                    if message.kind == 14 {
                        assert_ne!(message.payload[2..], other.payload[2..], "m_b by itself");
                    }
                }
            }
        }
        // In one step two queries, too.
        let both = reads(session.clone(), &[(11, 77), (11, 77)]);
        let g = both.sent.iter().find(|message| message.kind == 13).unwrap();
        assert_ne!(g.payload[..8], g.payload[8..]);
        let both = updates(session, &[query(11, 5), query(11, 5)]);
        for message in &both.sent {
            assert_ne!(message.payload[4..12], message.payload[12..]);
        }
    }
    assert!(same < 4, "{same}");
}

/// A WRITE and a SWAP use an UPDATE's item, and leave READs' items alone; no operation touches what is drawn.
#[test]
fn an_operation_uses_one_item_and_draws_nothing() {
    let session = prepared(5, 4);
    for (operation, (read, updated)) in OPERATIONS.iter().zip([(1, 0), (0, 1), (0, 1), (0, 1)]) {
        let after = operation(session.clone(), query(1, 2)).session;
        let ((r_0, u_0), ..) = items(&session);
        let ((new_r_0, new_u_0), ..) = items(&after);
        assert_eq!((&new_r_0[..], &new_u_0[..]), (&r_0[read..], &u_0[updated..]));
        let cursors = |session: &Party3| {
            let Party3 { p0, p1, p2, .. } = session;
            [(p0.drawn, p0.items), (p1.drawn, p1.items), (p2.drawn, p2.items)]
        };
        assert_eq!(cursors(&after), cursors(&session));
    }
}

/// Without an item nothing is answered, and nothing changes.
#[test]
fn a_lean_session_without_items_says_nothing() {
    let mut session = prepared(6, 4);
    for _ in 0..3 {
        session = reads(session, &[(1, 2)]).session;
    }
    for _ in 0..4 {
        session = updates(session, &[query(1, 2)]).session;
    }
    for operation in OPERATIONS {
        let done = operation(session.clone(), query(3, 4));
        assert!(done.results.is_empty() && done.sent.iter().all(|message| message.payload.is_empty()));
        assert_eq!(state(&done.session), state(&session));
    }
}
