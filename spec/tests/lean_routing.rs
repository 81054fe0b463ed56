//! Who is sent what, in the lean protocol: which message goes from whom to whom, whose secrets it may hang on, and which side of
//! which DPF a party has. Nothing is compared with a file.
//!
//! What each message may hang on of all that is *drawn* is in `lean_freshness.rs`; here it is what the users bring.

use std::collections::BTreeSet;

use crate::lean_freshness::{Draw, drawn, long, places};
use crate::taint::lean::{Inputs, Run, Schedule, Step, run};
use crate::taint::{Effect, Flips, Permissions, Seen, Thing, flips, may, must};
use Effect::{May, Must, Never};
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::layers::Purpose;
use duoram_vectors::Random;

/// From whom to whom.
type Links = &'static [(u8, u8)];

/// The links of each kind of message, in words.
///
/// P2 deals to P1 only, since it has the rest in common with P0. P0 and P1 tell each other everything of the items that they
/// make; P2 is given P0's keys of DPF a and P1's of DPF b, and delta, which P0 is told as well. All hear the shares of shifts
/// and of masked values; only P0 hears the answer of a READ or SWAP.
const LINKS: [(u8, &str, Links); 15] = [
    (1, "hello", &[(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]),
    (2, "A", &[(0, 2)]),
    (3, "P1's share of the memory less B", &[(1, 0)]),
    (4, "what P2 deals", &[(2, 1)]),
    (5, "the moved share of ri", &[(0, 1), (1, 0)]),
    (6, "the masked operands of a level", &[(0, 1), (1, 0)]),
    (7, "the opening of a level", &[(0, 1), (1, 0)]),
    (8, "the share of a flag layer's correction", &[(0, 1), (1, 0)]),
    (9, "the share of a word layer's correction", &[(0, 1), (1, 0)]),
    (10, "the key of DPF a from P0, of DPF b from P1", &[(0, 2), (1, 2)]),
    (11, "the share of delta", &[(0, 2), (1, 0), (1, 2)]),
    (12, "the share of the shift of a READ, WRITE or SWAP", &[(0, 1), (0, 2), (1, 0), (1, 2)]),
    (13, "g", &[(2, 0)]),
    (14, "an UPDATE: the share of the shift, and of M", &[(0, 1), (0, 2), (1, 0), (1, 2)]),
    (15, "the part of a WRITE's or SWAP's correction", &[(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]),
];

/// The kinds that a step sends, each on all its links; those of a level once a level.
fn kinds(step: Step, levels: usize) -> Vec<u8> {
    match step {
        Step::Load => vec![2, 3],
        Step::Prepare { updates: 0, .. } => [vec![4, 5, 8, 10], [6, 7].repeat(levels)].concat(),
        Step::Prepare { .. } => [vec![4, 5, 8, 9, 10, 11], [6, 7].repeat(levels)].concat(),
        Step::Read(_) => vec![12, 13],
        Step::Update(_) => vec![14],
        Step::Write => vec![12, 15],
        Step::Swap => vec![12, 13, 15],
    }
}

fn random_run(schedule: &Schedule, seed: u64) -> Run {
    let r = &mut Random(seed);
    let words = drawn(r, schedule);
    run(schedule, &words, &Inputs::random(r, schedule))
}

#[test]
fn each_kind_of_lean_message_goes_where_the_table_says() {
    for log_size in [2, 5, 9] {
        let before = [Step::Prepare { reads: 1, updates: 0 }, Step::Prepare { reads: 0, updates: 1 }];
        let schedule = Schedule::new(log_size, &[&before[..], &long(log_size).steps].concat());
        let sent = random_run(&schedule, 1).sent;
        let links =
            |kind: u8| LINKS[usize::from(kind) - 1].2.iter().map(move |(from, to)| (kind, *from, *to));
        let mut expected: Vec<_> = links(1).map(|link| (0, link)).collect();
        for (number, step) in (1..).zip(&schedule.steps) {
            let items = schedule.of_step.get(&number).cloned().unwrap_or_default();
            let levels = items.iter().map(|item| schedule.depth(*item)).max().unwrap_or_default();
            for kind in kinds(*step, levels) {
                expected.extend(links(kind).map(|link| (number, link)));
            }
        }
        let mut found: Vec<_> = sent.iter().map(|m| (m.operation, (m.kind, m.from, m.to))).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "h = {log_size}");
        let places: BTreeSet<_> = sent.iter().map(|m| (m.operation, m.kind, m.from, m.to, m.round)).collect();
        assert_eq!(places.len(), sent.len(), "no message is sent twice");
    }
}

/// What goes to two parties is the same for both, but for the hello, in which each pair's seed is its own.
#[test]
fn both_receivers_of_a_lean_message_are_sent_the_same() {
    let seen = random_run(&long(8), 2).seen;
    let mut compared = 0;
    for (thing, value) in seen.iter().filter(|(thing, _)| thing.to != thing.from && thing.name != "seed") {
        let other = Thing { to: 3 - thing.from - thing.to, ..*thing };
        if let Some(to_other) = seen.get(&other) {
            assert_eq!(to_other, value, "{thing:?}");
            compared += 1;
        }
    }
    assert!(compared > 30, "{compared}");
}

/// With all words that `chosen` picks drawn anew.
fn drawn_anew(seed: u64, chosen: impl Fn(Draw) -> bool) -> (Seen, Seen) {
    let schedule = long(8);
    let r = &mut Random(seed);
    let words = drawn(r, &schedule);
    let inputs = Inputs::random(r, &schedule);
    let mut changed = words.clone();
    for (place, parts) in places(&schedule) {
        let part = parts.iter().filter(|(_, draw)| chosen(*draw)).fold(0, |all, (part, _)| all | part);
        *place.word(&mut changed) ^= r.word() & part;
    }
    (run(&schedule, &words, &inputs).seen, run(&schedule, &changed, &inputs).seen)
}

fn received(seen: &Seen, party: u8, names: &[&str]) -> Seen {
    let wanted = |thing: &Thing| thing.to == party && thing.from != party && names.contains(&thing.name);
    seen.iter().filter(|(thing, _)| wanted(thing)).map(|(thing, value)| (*thing, value.clone())).collect()
}

/// P2 has side 0 of DPF a and side 1 of DPF b: the other sides' roots are in nothing that it is sent but the corrections.
#[test]
fn p2_is_sent_one_root_of_dpf_a_and_one_of_dpf_b() {
    let given = |draw| matches!(draw, Draw::Root { of: 0, dpf: 1, .. } | Draw::Root { of: 1, dpf: 2, .. });
    let hidden = |draw| matches!(draw, Draw::Root { .. }) && !given(draw);
    for seed in 0..4 {
        let (before, after) = drawn_anew(seed, hidden);
        let roots = |seen| received(seen, 2, &["root"]);
        assert_eq!(roots(&before), roots(&after));
        let (before, after) = drawn_anew(seed, given);
        let changed = roots(&before).iter().filter(|(thing, root)| roots(&after)[*thing] != **root).count();
        assert_eq!(changed, 2 * long(8).items.len());
    }
}

/// What P0 and P1 have in common never reaches P2 but as a mask, and what P2 has with one of them hides from the other.
#[test]
fn what_a_pair_has_in_common_masks_for_the_third() {
    // The masks of the three pairs: P2 is sent other words under others, and ends with the same.
    let masks = |draw| {
        matches!(
            draw,
            Draw::DeltaMask { .. }
                | Draw::UpdateMask { .. }
                | Draw::WriteMask01 { .. }
                | Draw::WriteMask02 { .. }
        )
    };
    let (before, after) = drawn_anew(3, masks);
    assert_ne!(
        received(&before, 2, &["difference share", "masked", "part"]),
        received(&after, 2, &["difference share", "masked", "part"])
    );
    for (thing, value) in &before {
        let masked = ["difference share", "masked", "part"].contains(&thing.name);
        assert!(masked || after[thing] == *value, "{thing:?}");
    }
    // What P2 deals to P1 tells it nothing of what P0 has: P1 is sent other words for other u_0, U_0 and Z_0, and of the keys
    // nothing changes.
    let dealt = |draw| matches!(draw, Draw::OneHot { .. } | Draw::ValueOneHot { .. } | Draw::Z { .. });
    let (before, after) = drawn_anew(4, dealt);
    for (thing, value) in &before {
        let share = ["dealt", "opening", "flag correction share", "word correction share"];
        assert!(share.iter().any(|name| thing.name.starts_with(name)) || after[thing] == *value, "{thing:?}");
    }
}

// ---------------------------------------------------------------- what the users bring

#[derive(Clone, Copy, Debug)]
enum Input {
    Memory { of: u8, place: usize },
    Address { of: u8, item: usize },
    AboveAddress,
    Value { of: u8, item: usize },
    NotUsed,
}

fn reaches(schedule: &Schedule, input: Input, thing: &Thing) -> Effect {
    let state = ["A", "E", "H", "B"].contains(&thing.name);
    let used = |item: usize| schedule.items[item].used.map_or(u64::MAX, |(used, _)| used);
    let changed_by =
        |item: usize| schedule.items[item].purpose == Purpose::Update && thing.step >= used(item);
    // A WRITE or SWAP adds the difference to the word that was there.
    let put = |step: Step| matches!(step, Step::Write | Step::Swap);
    let after_put =
        schedule.items.iter().any(|life| life.used.is_some_and(|(n, step)| put(step) && thing.step >= n));
    let later_put =
        schedule.items.iter().any(|life| life.used.is_some_and(|(n, step)| put(step) && thing.step > n));
    match input {
        Input::AboveAddress | Input::NotUsed => Never,
        Input::Memory { of, place } => match thing.name {
            "alpha" => must(of == 0 && thing.level == place),
            "masked share" => must(of == 1 && thing.level == place),
            "A" | "H" if of == 0 && !after_put => must(thing.step > 0),
            "E" | "H" if of == 1 && !after_put => must(thing.step > 0),
            "A" | "H" | "E" | "B" => may(after_put),
            // P0 and P2 have A and what is made of it, P1 has E.
            "result" | "part" | "unblinding" if later_put => May,
            "result" | "part" => may(if of == 0 { thing.from != 1 } else { thing.from != 2 }),
            "unblinding" => may(of == 0),
            _ => Never,
        },
        Input::Address { of, item } => match thing.name {
            "shift" => must(thing.item == item && thing.from == of),
            "unblinding" | "result" | "part" => may(thing.item == item || changed_by(item)),
            _ if state => may(changed_by(item)),
            _ => Never,
        },
        Input::Value { of, item } => match thing.name {
            "masked" | "part" if thing.item == item => must(thing.from == of),
            "unblinding" | "result" | "part" => may(changed_by(item) && thing.item != item),
            _ if state => {
                // All four vectors have their shares of M.
                if changed_by(item) { Must } else { Never }
            }
            _ => Never,
        },
    }
}

/// A share of the memory, an address or a value reaches the messages that are to carry it, and no other.
#[test]
fn what_the_users_bring_reaches_only_whom_it_may_in_the_lean_protocol() {
    let schedule = long(5);
    let queried: Vec<usize> = (1..)
        .zip(&schedule.steps)
        .filter(|(_, step)| !matches!(step, Step::Load | Step::Prepare { .. }))
        .flat_map(|(number, _)| schedule.of_step[&number].clone())
        .collect();
    let mut permissions = Permissions::default();
    for seed in 0..4 {
        let r = &mut Random(seed);
        let words = drawn(r, &schedule);
        let inputs = Inputs::random(r, &schedule);
        let before = run(&schedule, &words, &inputs).seen;
        let mut compare = |input: Input, changed: Inputs| {
            let after = run(&schedule, &words, &changed).seen;
            let cause = format!("{input:?}");
            let sort = cause.split(' ').next().unwrap_or_default();
            permissions.compare((sort, &cause), &before, &after, |thing| reaches(&schedule, input, thing));
        };
        for (of, place) in [0, 1].into_iter().flat_map(|of| (0..schedule.n()).map(move |i| (of, i))) {
            let mut changed = inputs.clone();
            let word = &mut changed.memory[usize::from(of)][place];
            *word = XorWord { bits: !word.bits };
            compare(Input::Memory { of, place }, changed);
        }
        let address = (1 << schedule.log_size) - 1;
        for (number, item) in queried.iter().copied().enumerate() {
            let valued = schedule.items[item].purpose == Purpose::Update;
            for of in [0, 1] {
                let change = |change: &dyn Fn(&mut duoram_spec::lean::online::Query<XorWord>)| {
                    let mut changed = inputs.clone();
                    let query = &mut changed.queries[number];
                    change(if of == 0 { &mut query.0 } else { &mut query.1 });
                    changed
                };
                for flip in flips(r, address, Flips::Whole) {
                    compare(Input::Address { of, item }, change(&|query| query.address ^= flip));
                }
                for flip in flips(r, !address, Flips::Whole) {
                    compare(Input::AboveAddress, change(&|query| query.address ^= flip));
                }
                for flip in flips(r, u64::MAX, Flips::Whole) {
                    let input = if valued { Input::Value { of, item } } else { Input::NotUsed };
                    compare(input, change(&|query| query.value.bits ^= flip));
                }
            }
        }
    }
    permissions.all_used();
}
