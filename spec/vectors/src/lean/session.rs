//! Whole lean sessions: every message of the three parties, from their seeds.

use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::layers::{NODE_WORDS, Purpose};
use duoram_spec::lean::memory::opened_alpha;
use duoram_spec::lean::online::Query;
use duoram_spec::lean::party::{HELLO_WORDS, hello, pair_seed};
use duoram_spec::lean::session::{
    Sent, Session, Step, Streams, connect, load, preprocess, reads, state, swap, updates, write,
};
use duoram_spec::lean::tape::{PRIMARY_WORDS, PairStreams, seed_words_0, seed_words_1};
use serde_json::{Value, json};

use super::{ring_words, state as state_json, xor_shares};
use crate::Random;
use crate::json::{hex, words};
use crate::randomness::{counting_seed, numbered_stream, stream};
use crate::topic::{Fault, Topic};

type Shares = (Query<XorWord>, Query<XorWord>);

/// What all parties are told to do after the connect; `S` is the shares of a query.
pub enum Call<S = Shares> {
    /// `D_0`, `D_1`: the whole memory each
    Load(Vec<XorWord>, Vec<XorWord>),
    /// A batch of items.
    Preprocess {
        /// READ items
        reads: usize,
        /// UPDATE items
        updates: usize,
    },
    /// `(i*_0, i*_1)` of each query
    Read(Vec<(u64, u64)>),
    /// UPDATEs in one step
    Update(Vec<S>),
    /// Puts a word, or a row.
    Write(S),
    /// Puts a word, or a row, and returns the old one.
    Swap(S),
}

/// How many items are made.
pub(super) fn items<S>(calls: &[Call<S>]) -> usize {
    let of = |call: &Call<S>| match call {
        Call::Preprocess { reads, updates } => reads + updates,
        _ => 0,
    };
    calls.iter().map(of).sum()
}

/// A session from its seeds.
pub struct Case {
    /// h
    pub log_size: usize,
    /// m
    pub words: usize,
    /// Those of P0, P1, P2.
    pub seeds: [[u8; 32]; 3],
    /// The steps; each finds the items that it needs.
    pub calls: Vec<Call>,
}

impl Case {
    /// As many words as any of the parties draws, or more.
    fn tape_words(&self) -> usize {
        HELLO_WORDS + items(&self.calls) * PRIMARY_WORDS
    }

    fn streams(&self, tapes: &[Vec<u64>; 3]) -> Streams {
        let update = Purpose::Update;
        let most = seed_words_0(self.log_size, update).max(seed_words_1(self.log_size, update));
        streams(items(&self.calls), tapes, [self.words, 2 * most + NODE_WORDS])
    }
}

/// The streams that the hellos of three tapes lead to: number j of a pair is `ChaCha20` under the pair's seed with nonce j, for the
/// load (0) and each item, with so many words for the load and for an item.
pub(super) fn streams(items: usize, tapes: &[Vec<u64>; 3], [load_words, item_words]: [usize; 2]) -> Streams {
    // Their seeds have nothing to do with the memory's size.
    let say = |party: usize, second: bool| hello(&tapes[party], load_words, second);
    let pair = |seed: &[u64]| {
        let mut bytes = [0; 32];
        for (to, word) in bytes.chunks_exact_mut(8).zip(seed) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        let count = |number: u64| if number == 0 { load_words } else { item_words };
        PairStreams { streams: (0..=items as u64).map(|j| numbered_stream(bytes, j, count(j))).collect() }
    };
    Streams {
        pair_01: pair(&pair_seed(&say(0, false), &say(1, false))),
        pair_02: pair(&pair_seed(&say(0, true), &say(2, false))),
        pair_12: pair(&pair_seed(&say(1, true), &say(2, true))),
    }
}

fn query(r: &mut Random, address: u64, value: u64) -> Shares {
    let (address_0, address_1) = xor_shares(r, address);
    let value_0: XorWord = r.ring();
    let value_1 = XorWord { bits: value }.minus(value_0);
    (Query { address: address_0, value: value_0 }, Query { address: address_1, value: value_1 })
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x01ea_5e55);
    let loaded = vec![
        Call::Load(r.vector(8), r.vector(8)),
        Call::Preprocess { reads: 1, updates: 1 },
        Call::Read(vec![xor_shares(&mut r, 0)]),
        Call::Update(vec![query(&mut r, 7, 1000)]),
        Call::Preprocess { reads: 4, updates: 5 },
        Call::Read(vec![xor_shares(&mut r, 7), xor_shares(&mut r, 3), xor_shares(&mut r, 7)]),
        Call::Update(vec![query(&mut r, 3, u64::MAX), query(&mut r, 3, 5)]),
        Call::Write(query(&mut r, 6, 0x0123_4567_89ab_cdef)),
        Call::Swap(query(&mut r, 6, 77)),
        Call::Read(vec![xor_shares(&mut r, 6)]),
    ];
    let short = |r: &mut Random| {
        vec![
            Call::Preprocess { reads: 2, updates: 3 },
            Call::Update(vec![query(r, 0, 41), query(r, 1, 42)]),
            Call::Read(vec![xor_shares(r, 1)]),
            Call::Swap(query(r, 1, 43)),
            Call::Read(vec![xor_shares(r, 1)]),
        ]
    };
    let one_bit = short(&mut r);
    // READ items of two levels, UPDATE items of six, and addresses of two bytes.
    let deep = short(&mut r);
    // The addresses from 5 on have no words: what is put there is gone, and 0 is read.
    let fewer = vec![
        Call::Load(r.vector(5), r.vector(5)),
        Call::Preprocess { reads: 2, updates: 4 },
        Call::Read(vec![xor_shares(&mut r, 4), xor_shares(&mut r, 5)]),
        Call::Update(vec![query(&mut r, 4, 1000), query(&mut r, 7, 1001)]),
        Call::Write(query(&mut r, 2, 1002)),
        Call::Swap(query(&mut r, 6, 1003)),
    ];
    let fewer_deep = vec![
        Call::Preprocess { reads: 2, updates: 3 },
        Call::Update(vec![query(&mut r, 130, 41), query(&mut r, 131, 42)]),
        Call::Swap(query(&mut r, 130, 43)),
        Call::Read(vec![xor_shares(&mut r, 130), xor_shares(&mut r, 131)]),
    ];
    let seeds = |first: [u8; 3]| first.map(counting_seed);
    vec![
        (
            "h = 3, with a load".to_owned(),
            Case { log_size: 3, words: 8, seeds: seeds([0x00, 0x40, 0x80]), calls: loaded },
        ),
        (
            "h = 1, from zeros".to_owned(),
            Case { log_size: 1, words: 2, seeds: seeds([0x11, 0x55, 0x99]), calls: one_bit },
        ),
        (
            "h = 9, from zeros".to_owned(),
            Case { log_size: 9, words: 512, seeds: seeds([0x22, 0x66, 0xaa]), calls: deep },
        ),
        (
            "h = 3, five words, with a load".to_owned(),
            Case { log_size: 3, words: 5, seeds: seeds([0x33, 0x77, 0xbb]), calls: fewer },
        ),
        (
            "h = 8, 131 words, from zeros".to_owned(),
            Case { log_size: 8, words: 131, seeds: seeds([0x44, 0x88, 0xcc]), calls: fewer_deep },
        ),
    ]
}

/// A step of queries, by the shares of their addresses.
pub(super) fn addresses(step: &str, pairs: &[(u64, u64)]) -> Value {
    let (of_0, of_1): (Vec<u64>, Vec<u64>) = pairs.iter().copied().unzip();
    json!({ "step": step, "addresses_0": words(&of_0), "addresses_1": words(&of_1) })
}

/// And of their values.
fn queries(step: &str, queries: &[Shares]) -> Value {
    let pairs: Vec<(u64, u64)> = queries.iter().map(|(q_0, q_1)| (q_0.address, q_1.address)).collect();
    let (of_0, of_1): (Vec<XorWord>, Vec<XorWord>) =
        queries.iter().map(|(q_0, q_1)| (q_0.value, q_1.value)).unzip();
    let mut input = addresses(step, &pairs);
    input["values_0"] = ring_words(&of_0);
    input["values_1"] = ring_words(&of_1);
    input
}

/// The input of a session; `queries` writes a step of queries with values.
pub(super) fn session_input<S>(
    [log_size, rows]: [usize; 2],
    [seed_0, seed_1, seed_2]: &[[u8; 32]; 3],
    calls: &[Call<S>],
    queries: impl Fn(&str, &[S]) -> Value,
) -> Value {
    let call_input = |call: &Call<S>| match call {
        Call::Load(share_0, share_1) => json!({
            "step": "load", "memory_share_0": ring_words(share_0), "memory_share_1": ring_words(share_1)
        }),
        Call::Preprocess { reads, updates } => {
            json!({ "step": "preprocess", "reads": reads, "updates": updates })
        }
        Call::Read(pairs) => addresses("read", pairs),
        Call::Update(updates) => queries("update", updates),
        Call::Write(query) => queries("write", std::slice::from_ref(query)),
        Call::Swap(query) => queries("swap", std::slice::from_ref(query)),
    };
    let steps = [json!({ "step": "connect" })].into_iter().chain(calls.iter().map(call_input));
    json!({
        "log_size": log_size,
        "rows": rows,
        "seed_0": hex(seed_0),
        "seed_1": hex(seed_1),
        "seed_2": hex(seed_2),
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn input(case: &Case) -> Value {
    session_input([case.log_size, case.words], &case.seeds, &case.calls, queries)
}

/// The messages of a step, and each primary's shares of its results.
pub(super) fn step_output(sent: &[Sent], results_0: &[XorWord], results_1: &[XorWord]) -> Value {
    let message = |m: &Sent| {
        json!({
            "kind": m.kind,
            "from": m.from,
            "to": m.to,
            "operation": m.operation,
            "round": m.round,
            "payload": hex(&m.payload),
        })
    };
    json!({
        "sent": sent.iter().map(message).collect::<Vec<_>>(),
        "results_0": ring_words(results_0),
        "results_1": ring_words(results_1),
    })
}

fn output(step: &Step<XorWord, AesPrg>) -> Value {
    let (results_0, results_1): (Vec<XorWord>, Vec<XorWord>) = step.results.iter().copied().unzip();
    step_output(&step.sent, &results_0, &results_1)
}

/// The session, with `between` applied after each step to the session before and after it.
fn run(
    case: &Case,
    between: impl Fn(&Session<XorWord, AesPrg>, Session<XorWord, AesPrg>) -> Session<XorWord, AesPrg>,
) -> Value {
    let tapes = case.seeds.map(|seed| stream(seed, case.tape_words()));
    let first: Step<XorWord, AesPrg> =
        connect(case.log_size, case.words, (&tapes[0], &tapes[1], &tapes[2]), &case.streams(&tapes));
    let mut steps = vec![output(&first)];
    let mut session = first.session;
    for call in &case.calls {
        let before = session.clone();
        let step = match call {
            Call::Load(share_0, share_1) => load(session, share_0, share_1),
            Call::Preprocess { reads, updates } => preprocess(session, *reads, *updates),
            Call::Read(addresses) => reads(session, addresses),
            Call::Update(queries) => updates(session, queries),
            Call::Write(query) => write(session, *query),
            Call::Swap(query) => swap(session, *query),
        };
        steps.push(output(&step));
        session = between(&before, step.session);
    }
    let state = state(&session);
    json!({ "steps": steps, "state": state_json(&state), "memory": ring_words(&opened_alpha(&state)) })
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    run(case, |_, after| after)
}

/// No item that was used is taken away: each operation has the S of the same ri.
fn item_used_twice(
    before: &Session<XorWord, AesPrg>,
    mut after: Session<XorWord, AesPrg>,
) -> Session<XorWord, AesPrg> {
    if after.p0.reads.len() < before.p0.reads.len() {
        after.p0.reads.clone_from(&before.p0.reads);
        after.p1.reads.clone_from(&before.p1.reads);
        after.p2.reads.clone_from(&before.p2.reads);
    }
    if after.p0.updates.len() < before.p0.updates.len() {
        after.p0.updates.clone_from(&before.p0.updates);
        after.p1.updates.clone_from(&before.p1.updates);
        after.p2.updates.clone_from(&before.p2.updates);
    }
    after
}

/// P1 and P2 take rho for every READ from one place.
fn mask_stale(_: &Session<XorWord, AesPrg>, mut after: Session<XorWord, AesPrg>) -> Session<XorWord, AesPrg> {
    let place = 2 * seed_words_1(after.p1.log_size, Purpose::Read);
    for item in &after.p1.reads {
        for pair in [&mut after.p1.stream_12, &mut after.p2.stream_12] {
            pair.streams[item.number + 1][place] = pair.streams[0][0];
        }
    }
    after
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "lean_session",
        about: "A lean session of the three parties from their seeds: every message of every step, each primary's \
                results, and the states at the end.",
        paper: "not in the paper; spec/src/lean/session.rs",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[
        Fault {
            name: "item_used_twice",
            about: "Items are not used up, and serve the next operation again: results are right, and the differences \
                    of addresses are public.",
            output: |case| run(case, item_used_twice),
        },
        Fault {
            name: "mask_stale",
            about: "rho is the same in every READ: results are right, and the differences of P2's parts are P0's.",
            output: |case| run(case, mask_stale),
        },
    ])
}
