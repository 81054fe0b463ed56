//! Who is sent what, in the paper's protocol: which message goes from whom to whom, whose secrets it may hang on, and what P2
//! may be given of which DPF. Nothing is compared with a file.
//!
//! What each message may hang on of all that is *drawn* is in `freshness.rs`; here it is what the users bring.

use std::collections::BTreeSet;

use crate::freshness::{Draw, long, plan, tapes};
use crate::taint::paper::{Inputs, Run, Schedule, Step, run};
use crate::taint::{Effect, Flips, Permissions, Seen, Thing, flips, may, must};
use Effect::{May, Must, Never};
use duoram_vectors::Random;

/// From whom to whom.
type Links = &'static [(u8, u8)];

/// The links of each kind of message, in words.
///
/// P0 and P1 tell each other everything of the items that they make together, and P2 nothing of it. P2 gives each of them its
/// half of the triples; it is given P0's keys of DPF 2 and P1's of DPF 3, the blinds, and of an operation the shares of the
/// shift and the shares of M under DPFs 2 and 3. It answers READs.
const LINKS: [(u8, &str, Links); 13] = [
    (1, "hello", &[(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]),
    (2, "the blinded share of the memory", &[(0, 1), (1, 0)]),
    (3, "the blind of one's own share", &[(0, 2), (1, 2)]),
    (4, "one's half of the triples", &[(2, 0), (2, 1)]),
    (5, "the masked operands of a level", &[(0, 1), (1, 0)]),
    (6, "the opening of a level", &[(0, 1), (1, 0)]),
    (7, "the masked operands of App. D, and from P0 both delta", &[(0, 1), (1, 0)]),
    (8, "the opening of App. D", &[(0, 1), (1, 0)]),
    (9, "the key of DPF 2 from P0, of DPF 3 from P1", &[(0, 2), (1, 2)]),
    (10, "the share of the shift of a READ", &[(0, 1), (0, 2), (1, 0), (1, 2)]),
    (11, "gamma", &[(2, 0), (2, 1)]),
    (12, "an UPDATE: the share of the shift, and of M under DPFs 1, 2 and 3", &[(0, 1), (1, 0)]),
    (13, "an UPDATE: the share of the shift, and of M under DPFs 2 and 3", &[(0, 2), (1, 2)]),
];

/// The kinds that a step sends, each on all its links; those of a level once a level.
fn kinds(step: Step, log_size: usize) -> Vec<u8> {
    match step {
        Step::Load => vec![2, 3],
        Step::Prepare { .. } => [vec![4, 7, 8, 9], [5, 6].repeat(log_size)].concat(),
        Step::Read(_) => vec![10, 11],
        Step::Update(_) => vec![12, 13],
        Step::Write => vec![10, 11, 12, 13],
    }
}

fn random_run(schedule: &Schedule, seed: u64) -> Run {
    let r = &mut Random(seed);
    let words = tapes(r, schedule);
    run(schedule, &words, &Inputs::random(r, schedule))
}

#[test]
fn each_kind_of_message_goes_where_the_table_says() {
    let schedule = long();
    let sent = random_run(&schedule, 1).sent;
    let links = |kind: u8| LINKS[usize::from(kind) - 1].2.iter().map(move |(from, to)| (kind, *from, *to));
    let mut expected: Vec<_> = links(1).map(|link| (0, link)).collect();
    let mut number = 1;
    for step in &schedule.steps {
        let two = *step == Step::Write;
        for kind in kinds(*step, schedule.log_size) {
            let number = number + u64::from(two && kind > 11);
            expected.extend(links(kind).map(|link| (number, link)));
        }
        number += if two { 2 } else { 1 };
    }
    let mut found: Vec<_> = sent.iter().map(|m| (m.operation, (m.kind, m.from, m.to))).collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected);
    let places: BTreeSet<_> = sent.iter().map(|m| (m.operation, m.kind, m.from, m.to, m.round)).collect();
    assert_eq!(places.len(), sent.len(), "no message is sent twice");
}

/// What goes to two parties is the same for both, but for M under DPF 1, which P2 is not sent.
#[test]
fn both_receivers_are_sent_the_same() {
    let seen = random_run(&long(), 2).seen;
    let mut compared = 0;
    for (thing, value) in seen.iter().filter(|(thing, _)| thing.to == 2 && thing.from != 2) {
        let other = Thing { to: 1 - thing.from, ..*thing };
        if let Some(to_primary) = seen.get(&other) {
            assert_eq!(to_primary, value, "{thing:?}");
            compared += 1;
        } else {
            let only_p2 = ["blind", "root", "correction word", "factor", "key left flag", "key right flag"];
            assert!(only_p2.contains(&thing.name), "{thing:?}");
        }
    }
    assert!(compared > 20, "{compared}");
}

/// All that a party is sent, in some steps.
fn received(seen: &Seen, party: u8, names: impl Fn(&str) -> bool) -> Seen {
    let wanted = |thing: &Thing| thing.to == party && thing.from != party && names(thing.name);
    seen.iter().filter(|(thing, _)| wanted(thing)).map(|(thing, value)| (*thing, value.clone())).collect()
}

/// With all words that `chosen` picks drawn anew.
fn drawn_anew(seed: u64, chosen: impl Fn(Draw) -> bool) -> (Seen, Seen) {
    let schedule = long();
    let r = &mut Random(seed);
    let words = tapes(r, &schedule);
    let inputs = Inputs::random(r, &schedule);
    let mut changed = words.clone();
    for (party, tape) in (0..).zip(&mut changed) {
        for (word, parts) in tape.iter_mut().zip(plan(party, &schedule)) {
            let part = parts.iter().filter(|(_, draw)| chosen(*draw)).fold(0, |all, (part, _)| all | part);
            *word ^= r.word() & part;
        }
    }
    (run(&schedule, &words, &inputs).seen, run(&schedule, &changed, &inputs).seen)
}

/// P2 has no key of DPF 1, nothing made of one but the index shares that shifts are masked with, and no blind of App. D.
#[test]
fn p2_is_sent_nothing_of_dpf_1() {
    for seed in 0..8 {
        let hidden = |draw| matches!(draw, Draw::Root { dpf: 1, .. } | Draw::Blind { .. });
        let (before, after) = drawn_anew(seed, hidden);
        let but_shifts = |name: &str| name != "shift";
        // M of a WRITE is made of the word that was read, whose shares hang on DPF 1.
        let write = long().read_of_write;
        let without_write = |seen: &Seen| {
            let mut received = received(seen, 2, but_shifts);
            received.retain(|thing, _| thing.name != "masked" || !write.contains_key(&thing.step));
            received
        };
        assert_eq!(without_write(&before), without_write(&after));
        for party in [0, 1] {
            assert_ne!(received(&before, party, but_shifts), received(&after, party, but_shifts));
        }
    }
}

/// Of the other primary's root of the DPF of its own key, P2 has no more than the corrections: the root that it is sent stays.
#[test]
fn p2_is_sent_one_root_of_dpf_2_and_one_of_dpf_3() {
    for seed in 0..8 {
        let hidden = |draw| {
            matches!(
                draw,
                Draw::Root { dpf: 1, .. }
                    | Draw::Root { of: 1, dpf: 2, .. }
                    | Draw::Root { of: 0, dpf: 3, .. }
            )
        };
        let (before, after) = drawn_anew(seed, hidden);
        let roots = |seen| received(seen, 2, |name| name == "root");
        assert_eq!(roots(&before), roots(&after));
        let given =
            |draw| matches!(draw, Draw::Root { of: 0, dpf: 2, .. } | Draw::Root { of: 1, dpf: 3, .. });
        let (before, after) = drawn_anew(seed, given);
        let changed = roots(&before).iter().filter(|(thing, root)| roots(&after)[*thing] != **root).count();
        assert_eq!(changed, 2 * long().items.len());
    }
}

/// P2 deals the triples, and they are gone from what the primaries end with: no key, no vector, no answer hangs on them.
#[test]
fn triples_mask_and_leave_no_trace() {
    let triples = |draw| {
        use Draw::{AndT, AndX, AndY, ProductT, ProductX, ProductY};
        matches!(
            draw,
            AndX { .. } | AndY { .. } | AndT { .. } | ProductX { .. } | ProductY { .. } | ProductT { .. }
        )
    };
    let (before, after) = drawn_anew(5, triples);
    let masks = ["triple", "product", "masked bit", "masked word", "opening"];
    let masks_d = ["masked correction", "masked sign", "conversion opening"];
    for (thing, value) in before {
        if !masks.iter().chain(&masks_d).any(|name| thing.name.starts_with(name)) {
            assert_eq!(after[&thing], value, "{thing:?}");
        }
    }
}

// ---------------------------------------------------------------- what the users bring

#[derive(Clone, Copy, Debug)]
enum Input {
    Memory {
        of: u8,
        place: usize,
    },
    /// Of the query whose items these are: in a WRITE the READ's and the UPDATE's.
    Address {
        of: u8,
        items: [usize; 2],
    },
    AboveAddress,
    Value {
        of: u8,
        items: [usize; 2],
    },
    NotUsed,
}

fn reaches(schedule: &Schedule, input: Input, thing: &Thing) -> Effect {
    let after_update = |items: [usize; 2]| {
        items.iter().any(|item| {
            schedule.items[*item].update && schedule.items[*item].used.is_some_and(|used| thing.step >= used)
        })
    };
    let state = ["D", "zeta", "D~", "zeta_0 of P2", "zeta_1 of P2"].contains(&thing.name);
    let of_write = thing.name == "masked" && schedule.read_of_write.contains_key(&thing.step);
    // A WRITE adds the difference to the word that was there.
    let after_write = schedule.read_of_write.keys().any(|write| thing.step >= *write);
    match input {
        Input::AboveAddress | Input::NotUsed => Never,
        Input::Memory { of, place } => match thing.name {
            "blinded share" => must(thing.from == of && thing.level == place),
            "D" if thing.to == of => must(thing.step > 0),
            "D~" if thing.to != of => must(thing.step > 0),
            "result" => May,
            // P2 hears of it in the difference of a WRITE, under masks, no sooner.
            "masked" => may(of_write),
            "gamma" => may(after_write),
            _ if state => may(after_write),
            _ => Never,
        },
        Input::Address { of, items } => match thing.name {
            "shift" => must(items.contains(&thing.item) && thing.from == of),
            "gamma" | "result" => may(items.contains(&thing.item) || after_update(items)),
            _ if state => may(after_update(items)),
            "masked" => may(of_write && (items.contains(&thing.item) || after_update(items))),
            _ => Never,
        },
        Input::Value { of, items } => match thing.name {
            "masked" if items.contains(&thing.item) => must(thing.from == of),
            "masked" => may(of_write && after_update(items)),
            "gamma" | "result" => may(after_update(items) && !items.contains(&thing.item)),
            _ if state => {
                // Every one of the eight vectors has its share of M.
                if after_update(items) { Must } else { Never }
            }
            _ => Never,
        },
    }
}

/// What a query's words are, in the order of the schedule.
fn queries(schedule: &Schedule) -> Vec<([usize; 2], bool)> {
    let mut number = 1;
    let mut queries = vec![];
    for step in &schedule.steps {
        let items = |number: u64| schedule.of_step.get(&number).cloned().unwrap_or_default();
        match step {
            Step::Load | Step::Prepare { .. } => {}
            Step::Read(_) => queries.extend(items(number).iter().map(|item| ([*item; 2], false))),
            Step::Update(_) => queries.extend(items(number).iter().map(|item| ([*item; 2], true))),
            Step::Write => {
                queries.push(([items(number)[0], items(number + 1)[0]], true));
                number += 1;
            }
        }
        number += 1;
    }
    queries
}

/// A share of the memory, an address or a value reaches the messages that are to carry it, and no other.
#[test]
fn what_the_users_bring_reaches_only_whom_it_may() {
    let schedule = long();
    let mut permissions = Permissions::default();
    for seed in 0..6 {
        let r = &mut Random(seed);
        let words = tapes(r, &schedule);
        let inputs = Inputs::random(r, &schedule);
        let before = run(&schedule, &words, &inputs).seen;
        let mut compare = |input: Input, changed: Inputs| {
            let after = run(&schedule, &words, &changed).seen;
            let cause = format!("{input:?}");
            let sort = cause.split(' ').next().unwrap_or_default();
            permissions.compare((sort, &cause), &before, &after, |thing| reaches(&schedule, input, thing));
        };
        for (of, place) in [0, 1].into_iter().flat_map(|of| (0..schedule.n()).map(move |i| (of, i))) {
            for flip in flips(r, u64::MAX, Flips::Whole) {
                let mut changed = inputs.clone();
                changed.memory[usize::from(of)][place] ^= flip;
                compare(Input::Memory { of, place }, changed);
            }
        }
        let address = (1 << schedule.log_size) - 1;
        for (number, (items, valued)) in queries(&schedule).into_iter().enumerate() {
            for (part, of_address) in [(address, true), (!address, false), (u64::MAX, false)] {
                let whole = part == u64::MAX;
                for (of, flip) in [0, 1].into_iter().flat_map(|of| {
                    flips(&mut Random(seed), part, Flips::Whole).into_iter().map(move |flip| (of, flip))
                }) {
                    let mut changed = inputs.clone();
                    let query = &mut changed.queries[number];
                    let shares = if whole { &mut query.value } else { &mut query.address };
                    *(if of == 0 { &mut shares.0 } else { &mut shares.1 }) ^= flip;
                    let input = match (of_address, whole, valued) {
                        (true, _, _) => Input::Address { of, items },
                        (_, true, true) => Input::Value { of, items },
                        (_, true, false) => Input::NotUsed,
                        _ => Input::AboveAddress,
                    };
                    compare(input, changed);
                }
            }
        }
    }
    permissions.all_used();
}
