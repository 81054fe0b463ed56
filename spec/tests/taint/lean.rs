//! A session of the lean protocol, piece by piece: everything that is sent, held and answered, under a name.

use std::collections::{BTreeMap, VecDeque};

use crate::lean::{Party3, Toy};
use crate::taint::{Payload, Seen, Thing};
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::layers::{LayeredKey, Purpose, flag_depth, tree_depth, word_depth};
use duoram_spec::lean::online::Query;
use duoram_spec::lean::session::{
    Sent, Step as Done, Streams, connect, load, preprocess, reads, started, swap, updates, write,
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
    Swap,
}

/// What becomes of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Life {
    pub(crate) purpose: Purpose,
    /// The step that makes it.
    pub(crate) made: u64,
    /// The step that uses it, and how.
    pub(crate) used: Option<(u64, Step)>,
}

/// A schedule, and what follows from it.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    pub(crate) log_size: usize,
    pub(crate) steps: Vec<Step>,
    pub(crate) items: Vec<Life>,
    /// The items that a step makes, or uses.
    pub(crate) of_step: BTreeMap<u64, Vec<usize>>,
}

impl Schedule {
    pub(crate) fn new(log_size: usize, steps: &[Step]) -> Schedule {
        let mut items: Vec<Life> = vec![];
        let mut of_step = BTreeMap::new();
        let (mut to_read, mut to_update): (VecDeque<usize>, VecDeque<usize>) = Default::default();
        for (number, step) in (1..).zip(steps) {
            let used: Vec<usize> = match *step {
                Step::Load => vec![],
                Step::Prepare { reads, updates } => {
                    let first = items.len();
                    to_read.extend(first..first + reads);
                    to_update.extend(first + reads..first + reads + updates);
                    let purpose = |j| if j < reads { Purpose::Read } else { Purpose::Update };
                    items.extend((0..reads + updates).map(|j| Life {
                        purpose: purpose(j),
                        made: number,
                        used: None,
                    }));
                    of_step.insert(number, (first..items.len()).collect());
                    continue;
                }
                Step::Read(count) => to_read.drain(..count).collect(),
                Step::Update(count) => to_update.drain(..count).collect(),
                Step::Write | Step::Swap => to_update.drain(..1).collect(),
            };
            used.iter().for_each(|item| items[*item].used = Some((number, *step)));
            of_step.insert(number, used);
        }
        Schedule { log_size, steps: steps.to_vec(), items, of_step }
    }

    pub(crate) fn n(&self) -> usize {
        1 << self.log_size
    }

    /// The levels of an item's trees.
    pub(crate) fn depth(&self, item: usize) -> usize {
        tree_depth(self.log_size, self.items[item].purpose)
    }
}

/// All that is drawn: each party's own words, and what each pair has in common.
#[derive(Clone, Debug)]
pub(crate) struct Drawn {
    pub(crate) own: [Vec<u64>; 3],
    /// Of P0 and P1, of P0 and P2, of P1 and P2: the load's stream and one for each item.
    pub(crate) pairs: [Vec<Vec<u64>>; 3],
}

/// What the users of the memory bring, drawn at random: shares of the memory, of addresses and of values.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) memory: [Vec<XorWord>; 2],
    /// One for each query, in the order of the schedule.
    pub(crate) queries: Vec<(Query<XorWord>, Query<XorWord>)>,
}

impl Inputs {
    pub(crate) fn random(r: &mut Random, schedule: &Schedule) -> Inputs {
        let n = schedule.n();
        let memory = [r.vector(n), r.vector(n)];
        let mut query = || Query { address: r.word(), value: r.ring() };
        Inputs { memory, queries: (0..128).map(|_| (query(), query())).collect() }
    }
}

/// A run: what was seen, and the session after each step.
pub(crate) struct Run {
    pub(crate) seen: Seen,
    pub(crate) sent: Vec<Sent>,
    pub(crate) sessions: Vec<Party3>,
}

/// Runs a schedule, under a PRG that hangs on nothing.
pub(crate) fn run(schedule: &Schedule, drawn: &Drawn, inputs: &Inputs) -> Run {
    let mut queries = inputs.queries.iter().copied();
    let [pair_01, pair_02, pair_12] =
        drawn.pairs.clone().map(|streams| duoram_spec::lean::tape::PairStreams { streams });
    let streams = Streams { pair_01, pair_02, pair_12 };
    let words = (&drawn.own[0][..], &drawn.own[1][..], &drawn.own[2][..]);
    let mut run = Run { seen: Seen::new(), sent: vec![], sessions: vec![] };
    let hellos = connect::<XorWord>(schedule.log_size, 1 << schedule.log_size, words, &streams).sent;
    let session: Party3 = started(schedule.log_size, 1 << schedule.log_size, &Toy(0x70e), words, &streams);
    let mut done = Done { session, sent: hellos, results: vec![] };
    record(schedule, &mut run, 0, &done);
    for (number, step) in (1..).zip(&schedule.steps) {
        let session = done.session;
        let mut next = |count: usize| queries.by_ref().take(count).collect::<Vec<_>>();
        done = match *step {
            Step::Load => load(session, &inputs.memory[0], &inputs.memory[1]),
            Step::Prepare { reads, updates } => preprocess(session, reads, updates),
            Step::Read(count) => {
                let addresses: Vec<_> =
                    next(count).iter().map(|(q_0, q_1)| (q_0.address, q_1.address)).collect();
                reads(session, &addresses)
            }
            Step::Update(count) => updates(session, &next(count)),
            Step::Write => write(session, next(1)[0]),
            Step::Swap => swap(session, next(1)[0]),
        };
        record(schedule, &mut run, number, &done);
    }
    run
}

fn bytes(words: &[XorWord]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_u64().to_le_bytes()).collect()
}

fn record(schedule: &Schedule, run: &mut Run, step: u64, done: &Done<XorWord, Toy>) {
    assert_eq!(done.session.operation, step + 1);
    let mut hold = |thing: Thing, value: Vec<u8>| {
        assert!(run.seen.insert(thing, value).is_none(), "twice: {thing:?}");
    };
    for message in &done.sent {
        assert_eq!(message.operation, step);
        pieces(schedule, message).into_iter().for_each(|(thing, value)| hold(thing, value));
    }
    let at = |name, party: u8, item| Thing { step, name, from: party, to: party, item, dpf: 0, level: 0 };
    let items = schedule.of_step.get(&step).cloned().unwrap_or_default();
    for ((read_0, read_1), item) in done.results.iter().zip(&items) {
        hold(at("result", 0, *item), bytes(&[*read_0]));
        hold(at("result", 1, *item), bytes(&[*read_1]));
    }
    let (p0, p1, p2) = (&done.session.p0, &done.session.p1, &done.session.p2);
    hold(at("A", 0, 0), bytes(&p0.state.alpha));
    hold(at("H", 0, 0), bytes(&p0.state.beta));
    hold(at("E", 1, 0), bytes(&p1.state.alpha));
    hold(at("A", 2, 0), bytes(&p2.state.alpha));
    hold(at("B", 2, 0), bytes(&p2.state.beta));
    let mut keep = |name, party, item: usize, dpf, value: Vec<u8>| {
        if schedule.items[item].made == step {
            hold(Thing { dpf, ..at(name, party, item) }, value);
        }
    };
    for item in p0.reads.iter().chain(&p0.updates) {
        keep("index", 0, item.number, 0, item.random_index.to_le_bytes().to_vec());
        keep("key", 0, item.number, 1, key(&item.key_a));
        keep("key", 0, item.number, 2, key(&item.key_b));
        keep("value share", 0, item.number, 1, bytes(&[item.value_share]));
        keep("difference", 0, item.number, 0, bytes(&[item.delta]));
    }
    for item in p1.reads.iter().chain(&p1.updates) {
        keep("index", 1, item.number, 0, item.random_index.to_le_bytes().to_vec());
        keep("key", 1, item.number, 1, key(&item.key_a));
        keep("value share", 1, item.number, 1, bytes(&[item.value_share]));
    }
    for item in p2.reads.iter().chain(&p2.updates) {
        keep("key", 2, item.number, 1, key(&item.key_a));
        keep("key", 2, item.number, 2, key(&item.key_b));
        keep("difference", 2, item.number, 0, bytes(&[item.delta]));
    }
    run.sent.extend(done.sent.clone());
    run.sessions.push(done.session.clone());
}

fn key(key: &LayeredKey<XorWord>) -> Vec<u8> {
    let levels = key.tree.corrections.iter().flat_map(|level| {
        let flags = [u8::from(level.left_flag), u8::from(level.right_flag)];
        level.word.to_le_bytes().into_iter().chain(flags)
    });
    let layers = [key.flag_correction.to_le_bytes().to_vec(), bytes(&key.word_correction)].concat();
    key.tree.root.to_le_bytes().into_iter().chain(levels).chain(layers).collect()
}

/// A message taken apart.
fn pieces(schedule: &Schedule, message: &Sent) -> Vec<(Thing, Vec<u8>)> {
    let mut payload = Payload::new(&message.payload);
    let mut pieces = vec![];
    let (from, to) = (message.from, message.to);
    let start = Thing { step: message.operation, name: "", from, to, item: 0, dpf: 0, level: 0 };
    let items = schedule.of_step.get(&message.operation).cloned().unwrap_or_default();
    let h = schedule.log_size;
    let address = h.div_ceil(8);
    let with_values = |item: usize| schedule.items[item].purpose == Purpose::Update;
    let dpfs: Vec<(usize, usize)> = items.iter().flat_map(|item| [(*item, 1), (*item, 2)]).collect();
    // The level that a message of the trees is of, and the DPFs that have it.
    let level = (message.round as usize).wrapping_sub(1) / 2;
    let growing = || dpfs.iter().copied().filter(|(item, _)| level < schedule.depth(*item));
    let mut put = |name, (item, dpf), level, value| {
        pieces.push((Thing { name, item, dpf, level, ..start }, value));
    };
    match message.kind {
        1 => {
            put("contribution", (0, 0), 0, payload.block());
            (0..4).for_each(|word| put("seed", (0, 0), word, payload.word()));
            put("size", (0, 0), 0, payload.word());
        }
        2 | 3 => {
            let name = if message.kind == 2 { "alpha" } else { "masked share" };
            (0..schedule.n()).for_each(|i| put(name, (0, 0), i, payload.word()));
        }
        4 => {
            for dpf in &dpfs {
                (0..schedule.depth(dpf.0)).for_each(|level| put("dealt Z", *dpf, level, payload.block()));
            }
            dpfs.iter().for_each(|dpf| put("dealt u", *dpf, 0, payload.block()));
            for dpf in dpfs.iter().filter(|dpf| with_values(dpf.0)) {
                put("dealt U", *dpf, 0, payload.take(64));
                put("dealt R", *dpf, 0, payload.word());
            }
        }
        5 => dpfs.iter().for_each(|dpf| put("moved share", *dpf, 0, payload.take(1))),
        6 => {
            growing().for_each(|dpf| put("masked word", dpf, level, payload.block()));
            for dpf in growing() {
                put("masked bit", dpf, level, payload.bit());
                put("left flag", dpf, level, payload.bit());
                put("right flag", dpf, level, payload.bit());
            }
        }
        7 => growing().for_each(|dpf| put("opening", dpf, level, payload.block())),
        8 => {
            assert_eq!(level, flag_depth(h), "the flag layer is at its depth");
            dpfs.iter().for_each(|dpf| put("flag correction share", *dpf, 0, payload.block()));
        }
        9 => {
            assert_eq!(level, word_depth(h), "the word layer is at its depth");
            let valued = dpfs.iter().filter(|dpf| with_values(dpf.0));
            valued.for_each(|dpf| put("word correction share", *dpf, 0, payload.take(64)));
        }
        10 => {
            // P0 gives its key of DPF a, P1 its key of DPF b: the tests say which draws these are of.
            let dpf = usize::from(from) + 1;
            for item in &items {
                put("root", (*item, dpf), 0, payload.block());
                (0..schedule.depth(*item))
                    .for_each(|level| put("correction word", (*item, dpf), level, payload.block()));
                put("flag correction", (*item, dpf), 0, payload.block());
                if with_values(*item) {
                    put("word correction", (*item, dpf), 0, payload.take(64));
                }
            }
            for item in &items {
                for level in 0..schedule.depth(*item) {
                    put("key left flag", (*item, dpf), level, payload.bit());
                    put("key right flag", (*item, dpf), level, payload.bit());
                }
            }
        }
        11 => {
            let valued = items.iter().filter(|item| with_values(**item));
            valued.for_each(|item| put("difference share", (*item, 0), 0, payload.word()));
        }
        12 => items.iter().for_each(|item| put("shift", (*item, 0), 0, payload.take(address))),
        13 => items.iter().for_each(|item| put("unblinding", (*item, 0), 0, payload.word())),
        14 => {
            items.iter().for_each(|item| put("shift", (*item, 0), 0, payload.take(address)));
            items.iter().for_each(|item| put("masked", (*item, 0), 0, payload.word()));
        }
        15 => items.iter().for_each(|item| put("part", (*item, 0), 0, payload.word())),
        kind => panic!("a message of kind {kind}"),
    }
    payload.end();
    pieces
}
