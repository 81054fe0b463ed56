//! A session of the paper's protocol, piece by piece: everything that is sent, held and answered, under a name.

use std::collections::{BTreeMap, VecDeque};

use crate::taint::{Payload, Seen, Thing};
use duoram_spec::core::bytes::{word_bytes, words_bytes};
use duoram_spec::paper::session::{
    Sent, Session, Step as Done, UpdateQuery, connect, load, preprocess, reads, updates, write,
};
use duoram_vectors::Random;

/// A step of a schedule; how many items it makes, or how many queries it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Load,
    Prepare { reads: usize, updates: usize },
    Read(usize),
    Update(usize),
    Write,
}

/// What becomes of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Life {
    pub(crate) update: bool,
    /// The step that makes it.
    pub(crate) made: u64,
    /// The step that uses it.
    pub(crate) used: Option<u64>,
}

/// A schedule, and what follows from it: a WRITE is two steps.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pub(crate) log_size: usize,
    pub(crate) steps: Vec<Step>,
    pub(crate) items: Vec<Life>,
    /// The items that a step makes, or uses.
    pub(crate) of_step: BTreeMap<u64, Vec<usize>>,
    /// The READ of the WRITE whose UPDATE is this step.
    pub(crate) read_of_write: BTreeMap<u64, u64>,
}

impl Schedule {
    pub(crate) fn new(log_size: usize, steps: &[Step]) -> Schedule {
        let mut items: Vec<Life> = vec![];
        let (mut of_step, mut read_of_write) = (BTreeMap::new(), BTreeMap::new());
        let (mut to_read, mut to_update): (VecDeque<usize>, VecDeque<usize>) = Default::default();
        let mut number = 1;
        let mut use_up = |queue: &mut VecDeque<usize>, count: usize, number: u64, items: &mut Vec<Life>| {
            let used: Vec<usize> = queue.drain(..count).collect();
            used.iter().for_each(|item| items[*item].used = Some(number));
            of_step.insert(number, used);
        };
        let mut made_in = BTreeMap::new();
        for step in steps {
            match *step {
                Step::Load => {}
                Step::Prepare { reads, updates } => {
                    let first = items.len();
                    to_read.extend(first..first + reads);
                    to_update.extend(first + reads..first + reads + updates);
                    for j in 0..reads + updates {
                        items.push(Life { update: j >= reads, made: number, used: None });
                    }
                    made_in.insert(number, (first..items.len()).collect());
                }
                Step::Read(count) => use_up(&mut to_read, count, number, &mut items),
                Step::Update(count) => use_up(&mut to_update, count, number, &mut items),
                Step::Write => {
                    use_up(&mut to_read, 1, number, &mut items);
                    use_up(&mut to_update, 1, number + 1, &mut items);
                    read_of_write.insert(number + 1, number);
                    number += 1;
                }
            }
            number += 1;
        }
        of_step.append(&mut made_in);
        Schedule { log_size, steps: steps.to_vec(), items, of_step, read_of_write }
    }

    pub(crate) fn n(&self) -> usize {
        1 << self.log_size
    }
}

/// What the users of the memory bring, drawn at random: shares of the memory, of addresses and of values.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) memory: [Vec<u64>; 2],
    /// One for each query, in the order of the schedule.
    pub(crate) queries: Vec<UpdateQuery>,
}

impl Inputs {
    pub(crate) fn random(r: &mut Random, schedule: &Schedule) -> Inputs {
        let n = schedule.n();
        let queries = (0..128)
            .map(|_| UpdateQuery { address: (r.word(), r.word()), value: (r.word(), r.word()) })
            .collect();
        Inputs { memory: [r.words(n), r.words(n)], queries }
    }
}

/// A run: what was seen, and the session after each step.
pub(crate) struct Run {
    pub(crate) seen: Seen,
    pub(crate) sent: Vec<Sent>,
    pub(crate) sessions: Vec<Session>,
}

/// Runs a schedule.
pub(crate) fn run(schedule: &Schedule, tapes: &[Vec<u64>; 3], inputs: &Inputs) -> Run {
    let mut queries = inputs.queries.iter().copied();
    let mut done = connect(schedule.log_size, &tapes[0], &tapes[1], &tapes[2]);
    let mut run = Run { seen: Seen::new(), sent: vec![], sessions: vec![] };
    record(schedule, &mut run, 0, &done);
    for step in &schedule.steps {
        let session = done.session;
        let first = session.operation;
        let mut next = |count: usize| queries.by_ref().take(count).collect::<Vec<_>>();
        done = match *step {
            Step::Load => load(session, &inputs.memory[0], &inputs.memory[1]),
            Step::Prepare { reads, updates } => preprocess(session, reads, updates),
            Step::Read(count) => {
                let addresses: Vec<_> = next(count).iter().map(|query| query.address).collect();
                reads(session, &addresses)
            }
            Step::Update(count) => updates(session, &next(count)),
            Step::Write => write(session, next(1)[0]),
        };
        record(schedule, &mut run, first, &done);
    }
    run
}

fn record(schedule: &Schedule, run: &mut Run, first: u64, done: &Done) {
    for message in &done.sent {
        for (thing, value) in pieces(schedule, message) {
            assert!(run.seen.insert(thing, value).is_none(), "sent twice: {thing:?}");
        }
    }
    let mut hold = |thing: Thing, value: Vec<u8>| assert!(run.seen.insert(thing, value).is_none());
    let step = done.session.operation - 1;
    let nothing = Thing { step: first, name: "", from: 0, to: 0, item: 0, dpf: 0, level: 0 };
    let at = |name, party: u8| Thing { name, from: party, to: party, ..nothing };
    let used = schedule.of_step.get(&first).cloned().unwrap_or_default();
    for ((read_0, read_1), item) in done.results.iter().zip(&used) {
        hold(Thing { item: *item, ..at("result", 0) }, word_bytes(*read_0));
        hold(Thing { item: *item, ..at("result", 1) }, word_bytes(*read_1));
    }
    let state = &done.session.state;
    for (name, party, vector) in [
        ("D", 0, &state.p0.memory_share),
        ("D", 1, &state.p1.memory_share),
        ("zeta", 0, &state.p0.blind),
        ("zeta", 1, &state.p1.blind),
        ("D~", 0, &state.p0.blinded),
        ("D~", 1, &state.p1.blinded),
        ("zeta_0 of P2", 2, &state.p2.blind_0),
        ("zeta_1 of P2", 2, &state.p2.blind_1),
    ] {
        hold(Thing { step, ..at(name, party) }, words_bytes(vector));
    }
    held(schedule, done, &mut hold);
    run.sent.extend(done.sent.clone());
    run.sessions.push(done.session.clone());
}

/// What a step that makes items leaves with the parties.
fn held(schedule: &Schedule, done: &Done, hold: &mut impl FnMut(Thing, Vec<u8>)) {
    let step = done.session.operation - 1;
    let made = |update: bool| {
        let of_step = schedule.of_step.get(&step).cloned().unwrap_or_default();
        let life = |item: &usize| schedule.items[*item];
        of_step.into_iter().filter(move |item| life(item).made == step && life(item).update == update)
    };
    let mut vectors = |name: &'static str, item: usize, party: u8, of: [&Vec<u64>; 3]| {
        for (vector, dpf) in of.into_iter().zip(1..) {
            let thing = Thing { step, name, from: party, to: party, item, dpf, level: 0 };
            hold(thing, words_bytes(vector));
        }
    };
    let session = &done.session;
    let new_reads = session.reads.iter().rev().take(made(false).count()).rev();
    let new_updates = session.updates.iter().rev().take(made(true).count()).rev();
    let of_reads = new_reads.zip(made(false)).map(|(new, item)| (item, &new.units, new.random_index_shares));
    let of_updates = new_updates
        .clone()
        .zip(made(true))
        .map(|(new, item)| (item, &new.material.units, new.random_index_shares));
    for (item, units, (ri_0, ri_1)) in of_reads.chain(of_updates) {
        vectors("unit vector", item, 0, [&units.p0.0, &units.p0.1, &units.p0.2]);
        vectors("unit vector", item, 1, [&units.p1.0, &units.p1.1, &units.p1.2]);
        vectors("index share", item, 0, [&vec![ri_0], &vec![], &vec![]]);
        vectors("index share", item, 1, [&vec![ri_1], &vec![], &vec![]]);
    }
    for (new, item) in new_updates.zip(made(true)) {
        let (values, shares) = (&new.material.values, &new.material.corrections);
        vectors("values", item, 0, [&values.p0.0, &values.p0.1, &values.p0.2]);
        vectors("values", item, 1, [&values.p1.0, &values.p1.1, &values.p1.2]);
        let words = |(f_1, f_2, f_3): (u64, u64, u64)| [vec![f_1], vec![f_2], vec![f_3]];
        for (party, [f_1, f_2, f_3]) in [(0, words(shares.p0)), (1, words(shares.p1))] {
            vectors("correction share", item, party, [&f_1, &f_2, &f_3]);
        }
    }
}

/// The names of what P0 sends P1 and P1 sends P0 of one level, and of all else that is taken apart below.
fn pieces(schedule: &Schedule, message: &Sent) -> Vec<(Thing, Vec<u8>)> {
    let mut payload = Payload::new(&message.payload);
    let mut pieces = vec![];
    let start = Thing {
        step: message.operation,
        name: "",
        from: message.from,
        to: message.to,
        item: 0,
        dpf: 0,
        level: 0,
    };
    let items = schedule.of_step.get(&message.operation).cloned().unwrap_or_default();
    let levels = schedule.log_size;
    let dpfs = || items.iter().flat_map(|item| (1..4).map(|dpf| (*item, dpf)));
    let round = message.round as usize;
    let mut put = |name, (item, dpf), level, value| {
        pieces.push((Thing { name, item, dpf, level, ..start }, value));
    };
    match message.kind {
        1 => {
            put("hello", (0, 0), 0, payload.block());
            put("hello size", (0, 0), 0, payload.word());
        }
        2 | 3 => {
            let name = if message.kind == 2 { "blinded share" } else { "blind" };
            (0..schedule.n()).for_each(|i| put(name, (0, 0), i, payload.word()));
        }
        4 => {
            for (dpf, level) in dpfs().flat_map(|dpf| (0..levels).map(move |level| (dpf, level))) {
                put("triple y", dpf, level, payload.block());
                put("triple z", dpf, level, payload.block());
            }
            // The bits are before the words: taken from the end of what is left without them.
            let rest = payload.bytes.len() - 24 * 3 * items.len();
            let mut bits = Payload::new(&payload.bytes[..rest]);
            for (dpf, level) in dpfs().flat_map(|dpf| (0..levels).map(move |level| (dpf, level))) {
                put("triple x", dpf, level, bits.bit());
            }
            bits.end();
            payload.take(rest);
            for dpf in dpfs() {
                put("product x", dpf, 0, payload.word());
                put("product y", dpf, 0, payload.word());
                put("product z", dpf, 0, payload.word());
            }
        }
        5 => {
            dpfs().for_each(|dpf| put("masked word", dpf, round, payload.block()));
            for dpf in dpfs() {
                put("masked bit", dpf, round, payload.bit());
                put("left flag", dpf, round, payload.bit());
                put("right flag", dpf, round, payload.bit());
            }
        }
        6 => dpfs().for_each(|dpf| put("opening", dpf, round, payload.block())),
        7 => {
            for dpf in dpfs() {
                put("blinded sign", dpf, 0, payload.word());
                put("masked correction", dpf, 0, payload.word());
                put("masked sign", dpf, 0, payload.word());
            }
            for item in items.iter().filter(|item| message.from == 0 && schedule.items[**item].update) {
                put("delta", (*item, 2), 0, payload.word());
                put("delta", (*item, 3), 0, payload.word());
            }
        }
        8 => dpfs().for_each(|dpf| put("conversion opening", dpf, 0, payload.word())),
        9 => {
            // P0 gives its key of DPF 2, P1 its key of DPF 3: the tests say which draws these are of.
            let dpf = usize::from(message.from) + 2;
            for item in &items {
                put("root", (*item, dpf), 0, payload.block());
                (0..levels).for_each(|l| put("correction word", (*item, dpf), l, payload.block()));
                put("factor", (*item, dpf), 0, payload.word());
            }
            for (item, level) in items.iter().flat_map(|item| (0..levels).map(move |l| (*item, l))) {
                put("key left flag", (item, dpf), level, payload.bit());
                put("key right flag", (item, dpf), level, payload.bit());
            }
        }
        10 => items.iter().for_each(|item| put("shift", (*item, 0), 0, payload.word())),
        11 => items.iter().for_each(|item| put("gamma", (*item, 0), 0, payload.word())),
        12 | 13 => {
            for item in &items {
                put("shift", (*item, 0), 0, payload.word());
                for dpf in if message.kind == 12 { 1..4 } else { 2..4 } {
                    put("masked", (*item, dpf), 0, payload.word());
                }
            }
        }
        kind => panic!("a message of kind {kind}"),
    }
    payload.end();
    pieces
}
