//! What is drawn fresh, in the lean protocol: each word of each party's tape and of each pair's streams is for one thing, and
//! what it reaches is said here, as in `freshness.rs`. Nothing is compared with a file.

// The words are a table: a line says what belongs together.
#![allow(clippy::match_same_arms)]

use crate::lean::Toy;
use crate::taint::lean::{Drawn, Inputs, Schedule, Step, run};
use crate::taint::{Effect, Flips, Permissions, Thing, flips, may, must};
use Effect::{May, Must, Never};
use duoram_spec::lean::layers::{Purpose, flag_bits};
use duoram_vectors::Random;

/// What a part of a word is for. DPF a is 1, DPF b is 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Draw {
    /// Nothing.
    Unused,
    /// A party's contribution to the session's key.
    Key(u8),
    /// A word of a party's contribution to the seed that it has with another.
    Seed {
        of: u8,
        with: u8,
        word: usize,
    },
    /// A bit of a primary's share of ri, by the level that it decides.
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
    /// `R'_1`, of P2.
    DealtValue1 {
        item: usize,
        dpf: usize,
    },
    /// `R'_0`, of P0 and P2.
    DealtValue0 {
        item: usize,
        dpf: usize,
    },
    /// x of the load, of P0 and P1; B, of P1 and P2.
    LoadX(usize),
    LoadB(usize),
    /// Of P0 and P1: G, and the masks of delta, of UPDATE and of WRITE.
    Common {
        item: usize,
        dpf: usize,
    },
    DeltaMask {
        item: usize,
    },
    UpdateMask {
        item: usize,
    },
    WriteMask01 {
        item: usize,
    },
    /// Of P0 and P2 (`of` is 0), or of P1 and P2: triples. Z is of P0 and P2 only.
    X {
        of: u8,
        item: usize,
        dpf: usize,
        level: usize,
    },
    Y {
        of: u8,
        item: usize,
        dpf: usize,
        level: usize,
    },
    Z {
        item: usize,
        dpf: usize,
        level: usize,
    },
    /// `u_0`, `U_0`, and a bit of `r_b`.
    OneHot {
        item: usize,
        dpf: usize,
    },
    ValueOneHot {
        item: usize,
        dpf: usize,
    },
    Place {
        of: u8,
        item: usize,
        dpf: usize,
        bit: usize,
    },
    WriteMask02 {
        item: usize,
    },
    /// Of P1 and P2: rho, and the mask of WRITE.
    Mask {
        item: usize,
    },
    WriteMask12 {
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

/// A word: its bits by what they are for.
pub(crate) type Parts = Vec<(u64, Draw)>;

const ALL: u64 = u64::MAX;

fn whole(draw: Draw) -> Parts {
    vec![(ALL, draw)]
}

/// What a party draws of its own.
pub(crate) fn own_plan(of: u8, schedule: &Schedule) -> Vec<Parts> {
    let h = schedule.log_size;
    let mut words = vec![whole(Draw::Key(of)), whole(Draw::Key(of))];
    for with in (0..3).filter(|with| *with != of) {
        words.extend((0..4).map(|word| whole(Draw::Seed { of, with, word })));
    }
    for (item, life) in schedule.items.iter().enumerate() {
        if of == 2 && life.purpose == Purpose::Update {
            words.extend([1, 2].map(|dpf| whole(Draw::DealtValue1 { item, dpf })));
        }
        if of != 2 {
            let bits = (0..h).map(|level| (1 << (h - 1 - level), Draw::Index { of, item, level }));
            words.push(bits.chain([(ALL << h, Draw::Unused)]).collect());
            for root in [1, 2].map(|dpf| Draw::Root { of, item, dpf }) {
                words.extend([vec![(1, Draw::Unused), (ALL - 1, root)], whole(root)]);
            }
        }
    }
    words
}

/// What a pair has in common: pair 0 is P0 and P1, pair 1 P0 and P2, pair 2 P1 and P2; stream 0 is the load's.
pub(crate) fn stream_plan(pair: usize, stream: usize, schedule: &Schedule) -> Vec<Parts> {
    let Some(item) = stream.checked_sub(1) else {
        let load: fn(usize) -> Draw = if pair == 0 { Draw::LoadX } else { Draw::LoadB };
        let used = if pair == 1 { 0 } else { schedule.n() };
        return (0..used).map(|i| whole(load(i))).collect();
    };
    let update = schedule.items[item].purpose == Purpose::Update;
    let dealt = [1, 2].into_iter().flat_map(|dpf| dealt_words(pair, item, dpf, schedule));
    let online: Vec<Parts> = match (pair, update) {
        (0, true) => {
            let common = [1, 2].map(|dpf| Draw::Common { item, dpf });
            let masks = [Draw::DeltaMask { item }, Draw::UpdateMask { item }, Draw::WriteMask01 { item }];
            return common.into_iter().chain(masks).map(whole).collect();
        }
        (0, false) => return vec![],
        (1, true) => vec![whole(Draw::WriteMask02 { item })],
        (1, false) => vec![],
        (_, true) => vec![whole(Draw::Mask { item }), whole(Draw::WriteMask12 { item })],
        (_, false) => vec![whole(Draw::Mask { item })],
    };
    dealt.chain(online).collect()
}

/// What P2 and a primary draw of what is dealt for one DPF.
fn dealt_words(pair: usize, item: usize, dpf: usize, schedule: &Schedule) -> Vec<Parts> {
    let of = u8::from(pair != 1);
    let mut words = vec![];
    for level in 0..schedule.depth(item) {
        words.push(vec![(1, Draw::X { of, item, dpf, level }), (ALL - 1, Draw::Unused)]);
        words.extend([0, 1].map(|_| whole(Draw::Y { of, item, dpf, level })));
        if of == 0 {
            words.extend([0, 1].map(|_| whole(Draw::Z { item, dpf, level })));
        }
    }
    if of == 0 {
        words.extend([0, 1].map(|_| whole(Draw::OneHot { item, dpf })));
    }
    let bits = flag_bits(schedule.log_size);
    let places = (0..bits).map(|bit| (1 << bit, Draw::Place { of, item, dpf, bit }));
    words.push(places.chain([(ALL << bits, Draw::Unused)]).collect());
    if of == 0 && schedule.items[item].purpose == Purpose::Update {
        words.extend((0..8).map(|_| whole(Draw::ValueOneHot { item, dpf })));
        words.push(whole(Draw::DealtValue0 { item, dpf }));
    }
    words
}

/// What a change of a draw does to a thing.
fn effect(schedule: &Schedule, draw: Draw, thing: &Thing) -> Effect {
    let own = |item: usize, dpf: usize| thing.item == item && thing.dpf == dpf;
    let own_level = |item, dpf, level| own(item, dpf) && thing.level == level;
    let used_by = |item: usize, wanted: fn(Step) -> bool| {
        thing.item == item && schedule.items[item].used.is_some_and(|(_, step)| wanted(step))
    };
    let loaded = thing.step > 0;
    match draw {
        Draw::Unused => Never,
        Draw::Key(of) => must(thing.name == "contribution" && thing.from == of),
        Draw::Seed { of, with, word } => {
            must(thing.name == "seed" && (thing.from, thing.to, thing.level) == (of, with, word))
        }
        Draw::LoadX(i) => match thing.name {
            "alpha" => must(thing.level == i),
            "A" | "E" => must(loaded),
            "unblinding" | "result" | "part" => May,
            _ => Never,
        },
        Draw::LoadB(i) => match thing.name {
            "masked share" => must(thing.level == i),
            "H" | "B" => must(loaded),
            // P1 has neither, and in P0's share of a word the one takes off the other.
            "unblinding" | "part" => may(thing.from != 1),
            _ => Never,
        },
        Draw::Index { of, item, level } if thing.item == item && thing.step == schedule.items[item].made => {
            index_while_made(schedule, of, level, thing)
        }
        Draw::Root { of, item, dpf } if own(item, dpf) && thing.step == schedule.items[item].made => {
            root_while_made(of, thing)
        }
        Draw::Index { of, item, .. } => match thing.name {
            "shift" => must(thing.item == item && thing.from == of),
            _ => when_used(schedule, item, None, thing),
        },
        Draw::Root { item, dpf, .. } => when_used(schedule, item, Some(dpf), thing),
        Draw::DealtValue1 { item, dpf } => match thing.name {
            "dealt R" => must(own(item, dpf)),
            _ => value(schedule, 1, item, dpf, thing),
        },
        Draw::DealtValue0 { item, dpf } | Draw::Common { item, dpf } => match (draw, thing.name) {
            (Draw::Common { .. }, "dealt U") => Never,
            (Draw::Common { .. }, "word correction share") => may(own(item, dpf)),
            _ => value(schedule, 0, item, dpf, thing),
        },
        Draw::DeltaMask { item } => must(thing.name == "difference share" && thing.item == item),
        Draw::UpdateMask { item } => must(thing.name == "masked" && thing.item == item),
        Draw::WriteMask01 { item } => must(thing.name == "part" && thing.item == item && thing.from != 2),
        Draw::WriteMask02 { item } => must(thing.name == "part" && thing.item == item && thing.from != 1),
        Draw::WriteMask12 { item } => must(thing.name == "part" && thing.item == item && thing.from != 0),
        Draw::Mask { item } => must(
            ["unblinding", "result"].contains(&thing.name)
                && (used_by(item, |step| matches!(step, Step::Read(_) | Step::Swap))),
        ),
        Draw::X { of, item, dpf, level } => match thing.name {
            "dealt Z" => must(own_level(item, dpf, level)),
            "masked bit" => must(own_level(item, dpf, level) && thing.from == of),
            // What X_0 does to P0's message it does to Z_1: P1's opening stays.
            "opening" => must(own_level(item, dpf, level) && of == 1),
            _ => Never,
        },
        Draw::Y { of, item, dpf, level } => match thing.name {
            "masked word" => must(own_level(item, dpf, level) && thing.from == of),
            "dealt Z" | "opening" => may(own_level(item, dpf, level)),
            _ => Never,
        },
        Draw::Z { item, dpf, level } => {
            must(["dealt Z", "opening"].contains(&thing.name) && own_level(item, dpf, level))
        }
        Draw::OneHot { item, dpf } => match thing.name {
            "dealt u" | "flag correction share" => must(own(item, dpf)),
            "word correction share" => may(own(item, dpf)),
            _ => Never,
        },
        Draw::ValueOneHot { item, dpf } => {
            must(["dealt U", "word correction share"].contains(&thing.name) && own(item, dpf))
        }
        Draw::Place { of, item, dpf, bit } => match thing.name {
            "dealt u" | "flag correction share" => must(own(item, dpf)),
            "dealt U" => must(own(item, dpf) && bit < 3),
            "moved share" => must(own(item, dpf) && thing.from == of),
            "word correction share" => may(own(item, dpf)),
            _ => Never,
        },
    }
}

/// A bit of ri, while its item is made: by way of the tree if it decides a level, and by way of the one-hot vector below it.
fn index_while_made(schedule: &Schedule, of: u8, level: usize, thing: &Thing) -> Effect {
    let own = thing.from == of;
    let below_flags = level >= schedule.log_size - flag_bits(schedule.log_size);
    match thing.name {
        "index" => must(own),
        "moved share" => must(own && below_flags),
        "masked bit" => must(own && thing.level == level),
        "masked word" => may(thing.level > level),
        "left flag" | "right flag" if thing.level == level => must(own),
        "opening" | "correction word" | "key left flag" | "key right flag" if thing.level == level => Must,
        "left flag" | "right flag" | "opening" | "correction word" | "key left flag" | "key right flag" => {
            may(thing.level > level)
        }
        "flag correction share" | "flag correction" if below_flags => Must,
        "flag correction share" | "flag correction" | "word correction share" | "word correction" => May,
        "key" => Must,
        _ => Never,
    }
}

/// A root, while its item is made, in what is of its DPF: P2 gets it if it is P0's of DPF a or P1's of DPF b.
fn root_while_made(of: u8, thing: &Thing) -> Effect {
    let own = thing.from == of;
    match thing.name {
        "masked word" if thing.level == 0 => must(own),
        "left flag" | "right flag" if thing.level == 0 => may(own),
        "opening" if thing.level == 0 && own => Must,
        "correction word" if thing.level == 0 => Must,
        "masked word" | "left flag" | "right flag" | "opening" | "correction word" => May,
        "key left flag" | "key right flag" => May,
        "root" => must(own),
        "flag correction share" | "word correction share" if own => Must,
        "flag correction share" | "word correction share" => May,
        "flag correction" | "word correction" | "key" => Must,
        _ => Never,
    }
}

/// A DPF of an item, or its target (both), in the step that uses the item, and in what later steps make of the states.
fn when_used(schedule: &Schedule, item: usize, dpf: Option<usize>, thing: &Thing) -> Effect {
    let here = schedule.items[item].used.is_some_and(|(used, _)| thing.step == used) && thing.item == item;
    match thing.name {
        "unblinding" if here => May,
        // P1 has its side of DPF a only.
        "result" | "part" if here => may(thing.from != 1 || dpf != Some(2)),
        _ => later(schedule, item, dpf, thing),
    }
}

/// What a DPF of an UPDATE's item has put into the states: DPF a into A and E, DPF b into H and B.
fn later(schedule: &Schedule, item: usize, dpf: Option<usize>, thing: &Thing) -> Effect {
    let life = schedule.items[item];
    let Some((used, _)) = life.used.filter(|_| life.purpose == Purpose::Update) else { return Never };
    match thing.name {
        "A" | "E" if thing.step >= used => may(dpf != Some(2)),
        "H" | "B" if thing.step >= used => may(dpf != Some(1)),
        "unblinding" if thing.step > used => May,
        "result" | "part" if thing.step > used => may(thing.from != 1 || dpf != Some(2)),
        _ => Never,
    }
}

/// A share of R that primary `of` has: in the values of its DPF, and in what hides M.
fn value(schedule: &Schedule, of: u8, item: usize, dpf: usize, thing: &Thing) -> Effect {
    let own = thing.item == item && thing.dpf == dpf;
    match thing.name {
        "dealt U" | "word correction" | "key" => must(own),
        "word correction share" => must(own && thing.from == 1),
        "value share" => must(own && thing.to == of),
        "difference share" => must(thing.item == item && thing.from == of),
        "difference" => must(thing.item == item),
        // M is hidden by R of DPF a; R of DPF b is told from it by delta.
        "masked" | "part" if thing.item == item => must(dpf == 1 && thing.from == of),
        _ => later(schedule, item, Some(dpf), thing),
    }
}

pub(crate) fn drawn(r: &mut Random, schedule: &Schedule) -> Drawn {
    let items = schedule.items.len();
    let own = [0, 1, 2].map(|party| r.words(own_plan(party, schedule).len() + 8));
    let pairs = [0, 1, 2].map(|pair| {
        (0..=items + 1)
            .map(|stream| {
                let used = if stream > items { 0 } else { stream_plan(pair, stream, schedule).len() };
                r.words(used + 8)
            })
            .collect()
    });
    Drawn { own, pairs }
}

/// Where a word is: in a party's own words, or in a stream of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    Own(usize, usize),
    Pair(usize, usize, usize),
}

impl Place {
    pub(crate) fn word(self, drawn: &mut Drawn) -> &mut u64 {
        match self {
            Place::Own(party, word) => &mut drawn.own[party][word],
            Place::Pair(pair, stream, word) => &mut drawn.pairs[pair][stream][word],
        }
    }
}

/// Every word, with what it is for; behind each stretch two words that are for nothing, and a stream that no item has.
pub(crate) fn places(schedule: &Schedule) -> Vec<(Place, Parts)> {
    let nothing = || [whole(Draw::Unused), whole(Draw::Unused)];
    let mut places = vec![];
    for party in 0..3u8 {
        let words = own_plan(party, schedule).into_iter().chain(nothing()).enumerate();
        places.extend(words.map(|(word, parts)| (Place::Own(party.into(), word), parts)));
    }
    for (pair, stream) in (0..3).flat_map(|pair| (0..=schedule.items.len() + 1).map(move |s| (pair, s))) {
        let none = stream > schedule.items.len();
        let plan = if none { vec![] } else { stream_plan(pair, stream, schedule) };
        let words = plan.into_iter().chain(nothing()).enumerate();
        places.extend(words.map(|(word, parts)| (Place::Pair(pair, stream, word), parts)));
    }
    places
}

/// Changes each word by itself.
fn each_word_is_for_one_thing(
    schedule: &Schedule,
    how: Flips,
    seeds: std::ops::Range<u64>,
    permissions: &mut Permissions,
) {
    for seed in seeds {
        let r = &mut Random(seed);
        let (words, inputs) = (drawn(r, schedule), Inputs::random(r, schedule));
        let before = run(schedule, &words, &inputs).seen;
        for (place, parts) in places(schedule) {
            // Of a long load some words: all of them are changed where the memory is small.
            if matches!(place, Place::Pair(_, 0, word) if word >= 16 && word % 37 != 0) {
                continue;
            }
            for (part, draw) in parts {
                for flip in flips(r, part, how) {
                    let mut changed = words.clone();
                    *place.word(&mut changed) ^= flip;
                    let after = run(schedule, &changed, &inputs).seen;
                    let cause = format!("{place:?}, {flip:#x}, {draw:?}");
                    permissions.compare((&draw.sort(), &cause), &before, &after, |thing| {
                        effect(schedule, draw, thing)
                    });
                }
            }
        }
    }
}

/// Two batches, two READs in one step, two UPDATEs in one step, a WRITE, a SWAP, and a READ after them; one item is left.
pub(crate) fn long(log_size: usize) -> Schedule {
    let steps = [
        Step::Load,
        Step::Prepare { reads: 2, updates: 2 },
        Step::Read(2),
        Step::Prepare { reads: 1, updates: 3 },
        Step::Update(2),
        Step::Write,
        Step::Swap,
        Step::Read(1),
    ];
    Schedule::new(log_size, &steps)
}

/// A memory of four words, where there is no tree; of 16, where those of UPDATE items have a level; of 256, where those of READ
/// items have one and those of UPDATE items five.
#[test]
fn each_word_that_is_drawn_is_for_one_thing() {
    let mut permissions = Permissions::default();
    let prepare = Step::Prepare { reads: 1, updates: 1 };
    let steps = [Step::Load, prepare, prepare, Step::Update(1), Step::Swap, Step::Read(2)];
    for (schedule, seeds) in [(long(2), 0..2), (long(4), 0..2), (Schedule::new(8, &steps), 0..1)] {
        each_word_is_for_one_thing(&schedule, Flips::Whole, seeds, &mut permissions);
    }
    permissions.all_used();
}

#[test]
fn no_bit_of_what_is_drawn_is_lost() {
    let prepare = Step::Prepare { reads: 1, updates: 2 };
    let schedule = Schedule::new(4, &[Step::Load, prepare, Step::Update(1), Step::Write, Step::Read(1)]);
    each_word_is_for_one_thing(&schedule, Flips::EveryBit, 0..1, &mut Permissions::default());
}

/// Many items in many batches: of all that is drawn, or masked with what is drawn, no word comes twice. (What is changed above are
/// sessions of few items; draws that come again after sixteen are seen here.)
#[test]
fn no_word_comes_twice_in_a_long_lean_session() {
    let batch = Step::Prepare { reads: 24, updates: 24 };
    let steps =
        [Step::Load, batch, Step::Read(24), batch, Step::Update(30), Step::Read(20), Step::Write, Step::Swap];
    let mut words = std::collections::BTreeSet::new();
    let r = &mut Random(10);
    for schedule in [Schedule::new(4, &steps), Schedule::new(11, &[Step::Load])] {
        let drawn = drawn(r, &schedule);
        let inputs = Inputs::random(r, &schedule);
        for (thing, value) in run(&schedule, &drawn, &inputs).seen {
            let for_one = [
                "alpha",
                "masked share",
                "dealt Z",
                "dealt u",
                "dealt U",
                "dealt R",
                "masked word",
                "opening",
            ];
            let shares = ["flag correction share", "word correction share", "root", "unblinding"];
            // What both others hear is looked at once.
            let for_two = ["difference share", "masked", "part"].contains(&thing.name)
                && (thing.to == 2 || (thing.from, thing.to) == (2, 0));
            if for_two || [&for_one[..], &shares].concat().contains(&thing.name) {
                for word in value.chunks(8) {
                    assert!(words.insert(word.to_vec()), "a word comes again in {thing:?}");
                }
            }
        }
    }
    assert!(words.len() > 4_000);
}

/// After each step a party's own words are used as far as the plan says, and the items are counted.
#[test]
fn a_step_moves_each_party_by_what_it_used() {
    let schedule = long(4);
    let r = &mut Random(9);
    let (words, inputs) = (drawn(r, &schedule), Inputs::random(r, &schedule));
    let sessions = run(&schedule, &words, &inputs).sessions;
    for (count, session) in sessions.iter().enumerate() {
        let begun = Schedule::new(schedule.log_size, &schedule.steps[..count]);
        let used = [0, 1, 2].map(|party| own_plan(party, &begun).len());
        assert_eq!([session.p0.drawn, session.p1.drawn, session.p2.drawn], used, "after step {count}");
        assert_eq!([session.p0.items, session.p1.items, session.p2.items], [begun.items.len(); 3]);
    }
}

/// The session's key hangs on every bit of every party's contribution, and a pair's seed on every bit of both.
#[test]
fn every_contribution_is_in_the_key_and_in_the_seeds() {
    use duoram_spec::core::ring::XorWord;
    use duoram_spec::lean::party::{hello, pair_seed};
    use duoram_spec::lean::session::{Streams, connect};
    use duoram_spec::lean::tape::PairStreams;
    let r = &mut Random(10);
    let words = [0, 1, 2].map(|_| r.words(10));
    let none = || PairStreams { streams: vec![] };
    let streams = Streams { pair_01: none(), pair_02: none(), pair_12: none() };
    let key = |words: &[Vec<u64>; 3]| {
        connect::<XorWord>(4, 16, (&words[0], &words[1], &words[2]), &streams).session.p0.prg
    };
    let seeds = |words: &[Vec<u64>; 3]| {
        let said = |party: usize, second| hello(&words[party], 16, second);
        [
            pair_seed(&said(0, false), &said(1, false)),
            pair_seed(&said(0, true), &said(2, false)),
            pair_seed(&said(1, true), &said(2, true)),
        ]
    };
    let [seed_01, seed_02, seed_12] = seeds(&words);
    assert!(seed_01 != seed_02 && seed_02 != seed_12 && seed_01 != seed_12);
    for (party, word, bit) in
        (0..3).flat_map(|party| (0..10).flat_map(move |word| (0..64).map(move |bit| (party, word, bit))))
    {
        let mut changed = words.clone();
        changed[party][word] ^= 1 << bit;
        assert_eq!(key(&changed) != key(&words), word < 2, "word {word} of P{party}");
        let pairs = [(0, 1), (0, 2), (1, 2)];
        for ((pair, before), after) in pairs.iter().zip(seeds(&words)).zip(seeds(&changed)) {
            let with = if pair.0 == party { pair.1 } else { pair.0 };
            let others: Vec<usize> = (0..3).filter(|other| *other != party).collect();
            let of_pair = (pair.0 == party || pair.1 == party) && word >= 2 && others[(word - 2) / 4] == with;
            assert_eq!(before != after, of_pair, "word {word} of P{party}");
        }
    }
}

/// A node is asked for its children and for its layers under tweaks that are all different, so that each is a draw of its own.
#[test]
fn the_outputs_of_a_node_are_under_different_tweaks() {
    use duoram_spec::core::block::Block;
    use duoram_spec::core::prg::{AesPrg, Prg};
    use duoram_spec::core::ring::XorWord;
    use duoram_spec::lean::layers::{Layers, flag_block, node_words};
    let outputs = |prg: &AesPrg, label: Block| {
        let words: Vec<XorWord> = node_words(prg, label);
        let low = |block: Block| XorWord { bits: (block & u128::from(u64::MAX)).try_into().unwrap() };
        let high = |block: Block| XorWord { bits: (block >> 64).try_into().unwrap() };
        let children = [prg.left(label), prg.right(label), flag_block(prg, label)];
        let mut words_of = words;
        words_of.extend(children.iter().flat_map(|block| [low(*block), high(*block)]));
        words_of
    };
    let r = &mut Random(12);
    let prg = r.prg();
    for _ in 0..32 {
        let label = r.block() & !1;
        // All are T_c of the label, for tweaks that no two of them share.
        let tweaks = [8, 9, 10, 11, 0, 1, 2];
        let expected: Vec<Block> = tweaks.iter().map(|tweak| prg.output(label, *tweak)).collect();
        let found = outputs(&prg, label);
        let blocks: Vec<Block> =
            found.chunks(2).map(|pair| u128::from(pair[0].bits) | u128::from(pair[1].bits) << 64).collect();
        assert_eq!(blocks, expected);
        let mut sorted: Vec<u64> = found.iter().map(|word| word.bits).collect();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), found.len(), "14 words, each of its own");
        assert_eq!(outputs(&prg, label ^ 1), found, "the flag goes its own way");
        for bit in 4..128 {
            let other = outputs(&prg, label ^ 1 << bit);
            assert!(found.iter().zip(&other).all(|(x, y)| x != y), "bit {bit} is in all of them");
        }
    }
    // The test's own PRG tells its outputs apart as well: what is said above of sessions under it would be empty otherwise.
    let toy = Toy(0x70e);
    assert_ne!(toy.left(6), toy.right(6));
}
