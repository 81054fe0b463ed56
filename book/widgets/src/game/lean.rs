//! A session of the lean protocol, with a fault put in or without, as each of the three parties sees it.
//!
//! The session is [`duoram_spec::lean::session`]. All faults are of what is drawn: the parties are given the words that faulty
//! ones would have had.

use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::layers::Purpose;
use duoram_spec::lean::online::Query;
use duoram_spec::lean::party::{HELLO_WORDS, hello};
use duoram_spec::lean::payload;
use duoram_spec::lean::session::{Sent, Session, Streams, load, preprocess, reads, started, updates};
use duoram_spec::lean::tape::{PRIMARY_WORDS, PairStreams, seed_words_1};
use duoram_vectors::Random;

use crate::game::faults::Fault;
use crate::game::prg::GamePrg;
use crate::game::script::{Addend, LOG_SIZE, N, Operation, Script};
use crate::game::seen::{Inboxes, Run, Turn};

/// Words of a pair's stream: more than an item takes.
const STREAM_WORDS: usize = 32;

pub(crate) type LeanRun<P> = Run<Session<XorWord, P>, Sent, Query<XorWord>>;

/// Runs a script. Drawn, in this order: the parties' words, the pairs' streams, the shares of the memory, the shares of each
/// operation.
pub(crate) fn run<P: GamePrg>(script: &Script, fault: Option<Fault>, random: &mut Random) -> LeanRun<P> {
    let (reads_made, updates_made) = (script.reads(), script.updates());
    let items = reads_made + updates_made;
    let count = HELLO_WORDS + items * PRIMARY_WORDS;
    let words = [random.words(count), random.words(count), random.words(count)];
    let mut pair = || PairStreams { streams: (0..=items).map(|_| random.words(STREAM_WORDS)).collect() };
    let mut streams = Streams { pair_01: pair(), pair_02: pair(), pair_12: pair() };
    if let Some(fault) = fault {
        spoil(fault, &mut streams);
    }
    let said = say_hello(&words);
    let prg = P::of_contributions(&words);
    let session = started(LOG_SIZE, 1 << LOG_SIZE, &prg, (&words[0], &words[1], &words[2]), &streams);

    let share_0: Vec<XorWord> = random.vector(N);
    let share_1: Vec<XorWord> = script
        .memory
        .iter()
        .zip(&share_0)
        .map(|(word, share)| XorWord::from_u64(*word).minus(*share))
        .collect();
    let load = load(session, &share_0, &share_1);
    let loaded = load.session.clone();
    let preparing = preprocess(load.session, reads_made, updates_made);
    let prepared = preparing.session.clone();
    let mut session = preparing.session;
    let mut turns = vec![];
    for (item, operation) in script.operations.iter().enumerate() {
        let queries = queries(*operation, random);
        let step = match operation {
            Operation::Read(_) => reads(session, &[(queries[0].address, queries[1].address)]),
            Operation::Update { .. } => updates(session, &[(queries[0], queries[1])]),
        };
        session = step.session;
        let shares = step.results.first();
        let results = [shares.map(|shares| shares.0.to_u64()), shares.map(|shares| shares.1.to_u64())];
        turns.push(Turn { item, queries, inboxes: inboxes(step.sent), results });
    }
    let told = [inboxes(said), inboxes(load.sent), inboxes(preparing.sent)];
    Run { loaded, prepared, ended: session, told, turns }
}

/// The connect's messages.
fn say_hello(words: &[Vec<u64>; 3]) -> Vec<Sent> {
    let pairs = (0_u8..3).flat_map(|from| (0..3).filter(move |to| *to != from).map(move |to| (from, to)));
    pairs
        .map(|(from, to)| {
            // The second of the two others is the one with the higher number.
            let second = to == 2 || (from, to) == (2, 1);
            let said = hello(&words[usize::from(from)], 1 << LOG_SIZE, second);
            Sent { kind: 1, from, to, operation: 0, round: 0, payload: payload::hello(&said) }
        })
        .collect()
}

/// The primaries' shares of an operation's secrets.
fn queries(operation: Operation, random: &mut Random) -> [Query<XorWord>; 2] {
    let zero = XorWord::zero();
    let (address, (value_0, value_1)) = match operation {
        Operation::Read(address) => (address, (zero, zero)),
        Operation::Update { address, value: Addend::Value(value) } => {
            let share: XorWord = random.ring();
            (address, (share, XorWord::from_u64(value).minus(share)))
        }
        Operation::Update { address, value: Addend::ShareOfP1(share) } => {
            (address, (random.ring(), XorWord::from_u64(share)))
        }
    };
    let address_0 = random.word();
    [Query { address: address_0, value: value_0 }, Query { address: address_0 ^ address, value: value_1 }]
}

fn inboxes(sent: Vec<Sent>) -> Inboxes<Sent> {
    let mut inboxes = [vec![], vec![], vec![]];
    for message in sent {
        inboxes[usize::from(message.to)].push(message);
    }
    inboxes
}

/// What faulty parties would have had in common, in the place of this. Stream 0 is the load's, stream 1 the first item's.
fn spoil(fault: Fault, streams: &mut Streams) {
    let first_01 = &mut streams.pair_01.streams[1];
    match fault {
        Fault::LeanNoX => first_01[3] = 0,
        Fault::LeanNoG => first_01[..2].fill(0),
        Fault::LeanStaleRho => {
            let rho = seed_words_1(LOG_SIZE, Purpose::Read) * 2;
            let of_12 = &mut streams.pair_12.streams;
            of_12[2][rho] = of_12[1][rho];
        }
        _ => {}
    }
}
