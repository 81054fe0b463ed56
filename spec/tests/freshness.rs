//! What is drawn fresh, in the paper's protocol: each word of each tape is for one thing, and what it reaches is said here.
//!
//! [`plan`] says in words what the words of a party's tape are for, in order. Every word is then changed by itself, whole and
//! bit by bit, and everything that is sent, held and answered in the session is compared with what it was: [`effect`] says what
//! must change, what may, and that all else stays. So no word is used twice, none is left out, no draw is a function of
//! another, and no bit of a draw is lost. Nothing is compared with a file.

// The words are a table: a line says what belongs together.
#![allow(clippy::match_same_arms)]

use crate::taint::paper::{Inputs, Run, Schedule, Step, run};
use crate::taint::{Effect, Flips, Permissions, Thing, flips, may, must};
use Effect::{May, Must, Never};
use duoram_vectors::Random;

/// What a part of a word is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Draw {
    /// Nothing: drawn, and not used.
    Unused,
    /// A party's contribution to the session's key.
    Key(u8),
    /// A word of the blind of a primary's share of the memory.
    LoadBlind(u8, usize),
    /// A primary's share of the bit of ri of one level.
    Index {
        of: u8,
        item: usize,
        level: usize,
    },
    /// A primary's root.
    Root {
        of: u8,
        item: usize,
        dpf: usize,
    },
    /// A primary's blind in App. D.
    Blind {
        of: u8,
        item: usize,
        dpf: usize,
    },
    /// P0's delta, of DPF 2 or 3.
    Delta {
        item: usize,
        dpf: usize,
    },
    /// P2's triples: X or Y of one primary, or T.
    AndX {
        of: u8,
        item: usize,
        dpf: usize,
        level: usize,
    },
    AndY {
        of: u8,
        item: usize,
        dpf: usize,
        level: usize,
    },
    AndT {
        item: usize,
        dpf: usize,
        level: usize,
    },
    ProductX {
        of: u8,
        item: usize,
        dpf: usize,
    },
    ProductY {
        of: u8,
        item: usize,
        dpf: usize,
    },
    ProductT {
        item: usize,
        dpf: usize,
    },
    /// P2's rho, of one query.
    Mask {
        step: u64,
        item: usize,
    },
}

impl Draw {
    /// Its name without the numbers.
    fn sort(self) -> String {
        let text = format!("{self:?}");
        text.split([' ', '(']).next().unwrap_or_default().to_string()
    }
}

/// A word of a tape: its bits by what they are for.
pub(crate) type Parts = Vec<(u64, Draw)>;

const ALL: u64 = u64::MAX;

/// What the words of a party's tape are for, one after another, to the last that the schedule uses.
pub(crate) fn plan(party: u8, schedule: &Schedule) -> Vec<Parts> {
    let whole = |draw: Draw| vec![(ALL, draw)];
    let block = |draw: Draw| [whole(draw), whole(draw)];
    let mut words = block(Draw::Key(party)).to_vec();
    let mut number = 1;
    for step in &schedule.steps {
        let items = || schedule.of_step[&number].iter().copied();
        match step {
            Step::Load if party != 2 => {
                words.extend((0..schedule.n()).map(|i| whole(Draw::LoadBlind(party, i))));
            }
            Step::Prepare { .. } if party != 2 => {
                items().for_each(|item| words.extend(primary_words(party, item, schedule)));
            }
            Step::Prepare { .. } => items().for_each(|item| words.extend(triple_words(item, schedule))),
            Step::Read(_) | Step::Write if party == 2 => {
                words.extend(items().map(|item| whole(Draw::Mask { step: number, item })));
            }
            Step::Load | Step::Read(_) | Step::Update(_) | Step::Write => {}
        }
        number += if *step == Step::Write { 2 } else { 1 };
    }
    words
}

/// What a primary draws for an item.
fn primary_words(of: u8, item: usize, schedule: &Schedule) -> Vec<Parts> {
    let levels = schedule.log_size;
    let index = (0..levels)
        .map(|level| (1 << (levels - 1 - level), Draw::Index { of, item, level }))
        .chain([(ALL << levels, Draw::Unused)])
        .collect();
    let mut words = vec![index];
    for dpf in 1..4 {
        let root = Draw::Root { of, item, dpf };
        // The flag of a root is the party's.
        words.extend([vec![(1, Draw::Unused), (ALL - 1, root)], vec![(ALL, root)]]);
    }
    words.extend((1..4).map(|dpf| vec![(ALL, Draw::Blind { of, item, dpf })]));
    if of == 0 && schedule.items[item].update {
        words.extend((2..4).map(|dpf| vec![(ALL, Draw::Delta { item, dpf })]));
    }
    words
}

/// What P2 draws for an item.
fn triple_words(item: usize, schedule: &Schedule) -> Vec<Parts> {
    let mut words = vec![];
    for dpf in 1..4 {
        for level in 0..schedule.log_size {
            let x = |of| Draw::AndX { of, item, dpf, level };
            let y = |of| Draw::AndY { of, item, dpf, level };
            words.push(vec![(1, x(0)), (2, x(1)), (ALL - 3, Draw::Unused)]);
            for draw in [y(0), y(1), Draw::AndT { item, dpf, level }] {
                words.extend([vec![(ALL, draw)], vec![(ALL, draw)]]);
            }
        }
        let (x, y) = (|of| Draw::ProductX { of, item, dpf }, |of| Draw::ProductY { of, item, dpf });
        words.extend([x(0), x(1), y(0), y(1), Draw::ProductT { item, dpf }].map(|draw| vec![(ALL, draw)]));
    }
    words
}

/// What a change of a draw does to a thing.
fn effect(schedule: &Schedule, draw: Draw, thing: &Thing) -> Effect {
    // M of a WRITE's UPDATE is made of the word that its READ gave this party.
    let of_read = schedule.read_of_write.get(&thing.step).filter(|_| thing.name == "masked");
    let read = of_read.map(|step| Thing {
        step: *step,
        name: "result",
        to: thing.from,
        item: schedule.of_step[step][0],
        dpf: 0,
        ..*thing
    });
    read.map_or(Never, |read| direct(schedule, draw, &read)).max(direct(schedule, draw, thing))
}

fn direct(schedule: &Schedule, draw: Draw, thing: &Thing) -> Effect {
    let own = |item: usize, dpf: usize| thing.item == item && thing.dpf == dpf;
    let own_level = |item, dpf, level| own(item, dpf) && thing.level == level;
    match draw {
        Draw::Unused => Never,
        Draw::Key(of) => match thing.name {
            "hello" => must(thing.from == of),
            "hello size" | "blinded share" | "blind" | "root" | "masked bit" | "delta" => Never,
            name if name.starts_with("triple") || name.starts_with("product") => Never,
            _ => {
                if thing.step == 0 {
                    Never
                } else {
                    May
                }
            }
        },
        Draw::LoadBlind(of, i) => match thing.name {
            "blinded share" | "blind" => must(thing.from == of && thing.level == i),
            "zeta" => must(thing.to == of && thing.step > 0),
            "D~" => must(thing.to != of && thing.step > 0),
            "zeta_0 of P2" => must(of == 0 && thing.step > 0),
            "zeta_1 of P2" => must(of == 1 && thing.step > 0),
            "gamma" => may(thing.to == of),
            "result" => May,
            _ => Never,
        },
        Draw::Index { of, item, level } if thing.item == item && thing.step == schedule.items[item].made => {
            index_while_made(of, level, thing)
        }
        Draw::Root { of, item, dpf } if own(item, dpf) && thing.step == schedule.items[item].made => {
            root_while_made(of, thing)
        }
        Draw::Index { item, .. } => when_used(schedule, item, None, thing),
        Draw::Root { item, dpf, .. } => when_used(schedule, item, Some(dpf), thing),
        Draw::Blind { of, item, dpf } => match thing.name {
            "blinded sign" | "conversion opening" => must(own(item, dpf) && thing.from == of),
            _ => Never,
        },
        Draw::Delta { item, dpf } => match thing.name {
            "delta" | "masked" | "correction share" => must(own(item, dpf)),
            _ => Never,
        },
        Draw::AndX { of, item, dpf, level } => match thing.name {
            "triple x" | "triple z" => must(own_level(item, dpf, level) && thing.to == of),
            "masked bit" => must(own_level(item, dpf, level) && thing.from == of),
            "opening" => must(own_level(item, dpf, level)),
            _ => Never,
        },
        Draw::AndY { of, item, dpf, level } => match thing.name {
            "triple y" => must(own_level(item, dpf, level) && thing.to == of),
            "triple z" => may(own_level(item, dpf, level) && thing.to != of),
            "masked word" => must(own_level(item, dpf, level) && thing.from == of),
            "opening" => may(own_level(item, dpf, level)),
            _ => Never,
        },
        Draw::AndT { item, dpf, level } => {
            must(["triple z", "opening"].contains(&thing.name) && own_level(item, dpf, level))
        }
        Draw::ProductX { of, item, dpf } => match thing.name {
            "product x" => must(own(item, dpf) && thing.to == of),
            "product z" => may(own(item, dpf) && thing.to == of),
            "masked correction" => must(own(item, dpf) && thing.from == of),
            "conversion opening" => may(own(item, dpf)),
            _ => Never,
        },
        Draw::ProductY { of, item, dpf } => match thing.name {
            "product y" => must(own(item, dpf) && thing.to == of),
            "product z" => may(own(item, dpf) && thing.to != of),
            "masked sign" => must(own(item, dpf) && thing.from == of),
            "conversion opening" => may(own(item, dpf)),
            _ => Never,
        },
        Draw::ProductT { item, dpf } => {
            must(["product z", "conversion opening"].contains(&thing.name) && own(item, dpf))
        }
        Draw::Mask { step, item } => {
            must(["gamma", "result"].contains(&thing.name) && (thing.step, thing.item) == (step, item))
        }
    }
}

/// A bit of ri, while its item is made: nothing above its level, at its level the party's own messages, below anything.
fn index_while_made(of: u8, level: usize, thing: &Thing) -> Effect {
    let own = thing.from == of;
    match thing.name {
        "masked bit" => must(own && thing.level == level),
        "masked word" => may(thing.level > level),
        "left flag" | "right flag" if thing.level == level => must(own),
        "opening" | "correction word" | "key left flag" | "key right flag" if thing.level == level => Must,
        "left flag" | "right flag" | "opening" | "correction word" | "key left flag" | "key right flag" => {
            may(thing.level > level)
        }
        "blinded sign" | "masked correction" | "masked sign" | "conversion opening" | "factor" => May,
        "unit vector" | "values" | "correction share" => May,
        "index share" => may(thing.dpf == 1),
        _ => Never,
    }
}

/// A root, while its item is made, in what is of its DPF: P2 gets it if it is P0's of DPF 2 or P1's of DPF 3.
fn root_while_made(of: u8, thing: &Thing) -> Effect {
    let own = thing.from == of;
    match thing.name {
        "masked word" if thing.level == 0 => must(own),
        "left flag" | "right flag" if thing.level == 0 => may(own),
        "opening" if thing.level == 0 && own => Must,
        "correction word" if thing.level == 0 => Must,
        "masked word" | "left flag" | "right flag" | "opening" | "correction word" => May,
        "key left flag" | "key right flag" | "factor" => May,
        "root" => must(own),
        "masked correction" | "values" | "correction share" if own => Must,
        "masked correction" | "unit vector" | "values" | "correction share" => May,
        "blinded sign" | "masked sign" | "conversion opening" | "index share" => May,
        _ => Never,
    }
}

/// A DPF of an item, or its target (all three), in the step that uses the item, and in what later steps make of the states.
fn when_used(schedule: &Schedule, item: usize, dpf: Option<usize>, thing: &Thing) -> Effect {
    let Some(used) = schedule.items[item].used else { return Never };
    let any_of = |dpfs: &[usize]| may(dpf.is_none_or(|dpf| dpfs.contains(&dpf)));
    let here = thing.step == used && thing.item == item;
    let changed_state = schedule.items[item].update && thing.step >= used;
    let refresh = if thing.to == 0 { 3 } else { 2 };
    match thing.name {
        // ri_b is of the DPF that P2 has no key of.
        "shift" if here => any_of(&[1]),
        // P2 has t_1 of DPF 3 and t_0 of DPF 2; rounds of refreshing put DPF 2 into zeta_0, DPF 3 into zeta_1.
        "gamma" if here => any_of(&[refresh]),
        "gamma" if changed_state => any_of(&[5 - refresh]),
        "result" if here => any_of(&[1, refresh]),
        "result" if changed_state => May,
        "masked" if here => any_of(&[thing.dpf]),
        "D" if changed_state => any_of(&[1]),
        "zeta" if changed_state => any_of(&[5 - refresh]),
        "D~" if changed_state => any_of(&[1, refresh]),
        "zeta_0 of P2" if changed_state => any_of(&[2]),
        "zeta_1 of P2" if changed_state => any_of(&[3]),
        _ => Never,
    }
}

pub(crate) fn tapes(r: &mut Random, schedule: &Schedule) -> [Vec<u64>; 3] {
    [0, 1, 2].map(|party| r.words(plan(party, schedule).len() + 8))
}

/// Changes each word of a party's tape by itself.
fn each_word_is_for_one_thing(party: u8, schedule: &Schedule, how: Flips, seeds: std::ops::Range<u64>) {
    let mut permissions = Permissions::default();
    for seed in seeds {
        let r = &mut Random(seed);
        let (words, inputs) = (tapes(r, schedule), Inputs::random(r, schedule));
        let before = run(schedule, &words, &inputs).seen;
        let own = usize::from(party);
        let mut parts = plan(party, schedule);
        // The words behind the last are for nothing.
        parts.extend([vec![(ALL, Draw::Unused)], vec![(ALL, Draw::Unused)]]);
        for (place, parts) in parts.into_iter().enumerate() {
            for (part, draw) in parts {
                for flip in flips(r, part, how) {
                    let mut changed = words.clone();
                    changed[own][place] ^= flip;
                    let after = run(schedule, &changed, &inputs).seen;
                    let cause = format!("word {place} of P{party}, {flip:#x}, {draw:?}");
                    permissions.compare((&draw.sort(), &cause), &before, &after, |thing| {
                        effect(schedule, draw, thing)
                    });
                }
            }
        }
    }
    // Where a tree is one level high, less hangs together than the words allow.
    if how == Flips::Whole {
        permissions.all_used();
    }
}

/// Two batches, two READs in one step, two UPDATEs in one step, a WRITE, and a READ after them: four words.
pub(crate) fn long() -> Schedule {
    Schedule::new(
        2,
        &[
            Step::Load,
            Step::Prepare { reads: 3, updates: 1 },
            Step::Read(2),
            Step::Prepare { reads: 1, updates: 2 },
            Step::Update(2),
            Step::Write,
            Step::Read(1),
        ],
    )
}

/// One item of each kind, and two words.
fn short() -> Schedule {
    let steps = [Step::Load, Step::Prepare { reads: 1, updates: 1 }, Step::Update(1), Step::Read(1)];
    Schedule::new(1, &steps)
}

#[test]
fn each_word_that_p0_draws_is_for_one_thing() {
    each_word_is_for_one_thing(0, &long(), Flips::Whole, 0..2);
}

#[test]
fn each_word_that_p1_draws_is_for_one_thing() {
    each_word_is_for_one_thing(1, &long(), Flips::Whole, 0..2);
}

#[test]
fn each_word_that_p2_draws_is_for_one_thing() {
    each_word_is_for_one_thing(2, &long(), Flips::Whole, 0..1);
}

#[test]
fn no_bit_of_what_p0_draws_is_lost() {
    each_word_is_for_one_thing(0, &short(), Flips::EveryBit, 0..1);
}

#[test]
fn no_bit_of_what_p1_draws_is_lost() {
    each_word_is_for_one_thing(1, &short(), Flips::EveryBit, 0..1);
}

#[test]
fn no_bit_of_what_p2_draws_is_lost() {
    each_word_is_for_one_thing(2, &short(), Flips::EveryBit, 0..1);
}

/// Many items in many batches, and many words of memory: of all that is drawn, or masked with what is drawn, no word comes twice.
/// (What is changed above is a session of seven items; draws that come again after sixteen are seen here.)
#[test]
fn no_word_comes_twice_in_a_long_session() {
    let batch = Step::Prepare { reads: 24, updates: 24 };
    let steps = [
        Step::Load,
        batch,
        Step::Read(24),
        batch,
        Step::Update(30),
        Step::Read(20),
        Step::Write,
        Step::Write,
    ];
    let mut words = std::collections::BTreeSet::new();
    let r = &mut Random(10);
    for schedule in [Schedule::new(3, &steps), Schedule::new(11, &[Step::Load])] {
        let tapes = tapes(r, &schedule);
        let inputs = Inputs::random(r, &schedule);
        for (thing, value) in run(&schedule, &tapes, &inputs).seen {
            let drawn = ["blind", "blinded share", "root", "delta", "gamma", "opening"];
            let masked = ["masked word", "blinded sign", "masked correction", "conversion opening"];
            // Both Z are T where both X are 0.
            let dealt = ["triple y", "product x", "product y", "product z"];
            let for_one =
                (thing.name == "masked" && thing.to != 2) || (thing.name == "triple z" && thing.to == 0);
            if for_one || [&drawn[..], &masked, &dealt].concat().contains(&thing.name) {
                for word in value.chunks(8) {
                    assert!(words.insert(word.to_vec()), "a word comes again in {thing:?}");
                }
            }
        }
    }
    assert!(words.len() > 10_000);
}

/// After each step the tapes stand where the plan says, so that a step that follows begins with words that none has used.
#[test]
fn a_step_moves_each_tape_by_what_it_used() {
    let whole = long();
    let r = &mut Random(9);
    let (words, inputs) = (tapes(r, &whole), Inputs::random(r, &whole));
    let Run { sessions, .. } = run(&whole, &words, &inputs);
    for (count, session) in sessions.iter().enumerate() {
        // The items that a shorter schedule leaves unused are drawn all the same.
        let begun = Schedule::new(whole.log_size, &whole.steps[..count]);
        let positions = [&session.tape_0, &session.tape_1, &session.tape_2].map(|tape| tape.position);
        assert_eq!(positions, [0, 1, 2].map(|party| plan(party, &begun).len()), "after step {count}");
        for (tape, words) in [&session.tape_0, &session.tape_1, &session.tape_2].into_iter().zip(&words) {
            assert_eq!(tape.words, *words, "no step writes on a tape");
        }
    }
}

/// The PRG gives a node two different children, and of each every bit hangs on every other input: no label is passed on.
#[test]
fn the_children_of_a_node_are_two_draws() {
    use duoram_spec::core::prg::Prg;
    let r = &mut Random(11);
    let prg = r.prg();
    let parents: Vec<u128> = (0..32).map(|_| r.block()).collect();
    let mut seen = std::collections::BTreeSet::new();
    for parent in &parents {
        seen.extend([prg.left(*parent), prg.right(*parent), parent & !1]);
        assert_eq!(prg.left(*parent), prg.left(parent ^ 1), "the flag goes its own way");
        for bit in 1..128 {
            let other = parent ^ 1 << bit;
            assert!(prg.left(other) != prg.left(*parent) && prg.right(other) != prg.right(*parent));
            // Not even where one input differs from another by what tells the children apart.
            assert!(prg.left(other) != prg.right(*parent) && prg.right(other) != prg.left(*parent));
        }
    }
    assert_eq!(seen.len(), 3 * parents.len());
}
