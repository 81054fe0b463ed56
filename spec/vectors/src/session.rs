//! Whole sessions: every message of the three parties, from their seeds.

use duoram_spec::paper::conversion::random_index_share;
use duoram_spec::paper::memory::opened;
use duoram_spec::paper::read::UnitVectors;
use duoram_spec::paper::session::{
    PreparedRead, PreparedUpdate, Sent, Session, Step, UpdateQuery, connect, load, preprocess, reads,
    updates, write,
};
use duoram_spec::paper::tape::{PRIMARY_WORDS, triple_words};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{hex, state, words};
use crate::randomness::{counting_seed, stream};
use crate::topic::{Fault, Topic};

/// What all parties are told to do after the connect.
pub enum Call {
    /// `D_0`, `D_1`, of n words each
    Load(Vec<u64>, Vec<u64>),
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
    Update(Vec<UpdateQuery>),
    /// A READ and an UPDATE
    Write(UpdateQuery),
}

/// A session from its seeds.
pub struct Case {
    /// h
    pub log_size: usize,
    /// Those of P0, P1, P2.
    pub seeds: [[u8; 32]; 3],
    /// The steps; each finds the items that it needs.
    pub calls: Vec<Call>,
}

impl Case {
    /// As many words as any of the parties draws, or more.
    fn tape_words(&self) -> usize {
        let words = |call: &Call| match call {
            Call::Load(share, _) => share.len(),
            Call::Preprocess { reads, updates } => {
                let items = reads + updates;
                (items * (PRIMARY_WORDS + 2)).max(items * 3 * triple_words(self.log_size))
            }
            Call::Read(queries) => queries.len(),
            Call::Update(_) => 0,
            Call::Write(_) => 1,
        };
        2 + self.calls.iter().map(words).sum::<usize>()
    }
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    run(case, |_, after| after)
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x5e55);
    let query =
        |r: &mut Random, address, value| UpdateQuery { address: r.shares(address), value: r.shares(value) };
    let loaded = vec![
        Call::Load(r.words(8), r.words(8)),
        Call::Preprocess { reads: 1, updates: 1 },
        Call::Read(vec![r.shares(0)]),
        Call::Update(vec![query(&mut r, 7, 1000)]),
        Call::Preprocess { reads: 5, updates: 3 },
        Call::Read(vec![r.shares(7), r.shares(3), r.shares(7)]),
        Call::Update(vec![query(&mut r, 3, u64::MAX), query(&mut r, 3, 5)]),
        Call::Write(query(&mut r, 6, 0x0123_4567_89ab_cdef)),
        Call::Read(vec![r.shares(6)]),
    ];
    let from_zeros = vec![
        Call::Preprocess { reads: 3, updates: 3 },
        Call::Update(vec![query(&mut r, 0, 41), query(&mut r, 1, 42)]),
        Call::Read(vec![r.shares(1)]),
        Call::Write(query(&mut r, 1, 43)),
        Call::Read(vec![r.shares(1)]),
    ];
    let seeds = |first: [u8; 3]| first.map(counting_seed);
    vec![
        (
            "h = 3, with a load".to_owned(),
            Case { log_size: 3, seeds: seeds([0x00, 0x40, 0x80]), calls: loaded },
        ),
        (
            "h = 1, from zeros".to_owned(),
            Case { log_size: 1, seeds: seeds([0x11, 0x55, 0x99]), calls: from_zeros },
        ),
    ]
}

fn shares(name: &str, pairs: impl Iterator<Item = (u64, u64)>) -> [(String, Value); 2] {
    let (shares_0, shares_1): (Vec<u64>, Vec<u64>) = pairs.unzip();
    [(format!("{name}_0"), words(&shares_0)), (format!("{name}_1"), words(&shares_1))]
}

fn call_input(call: &Call) -> Value {
    let step = |name: &str, fields: Vec<(String, Value)>| {
        [("step".to_owned(), name.into())].into_iter().chain(fields).collect::<serde_json::Map<_, _>>().into()
    };
    let queries = |queries: &[UpdateQuery]| {
        let addresses = shares("addresses", queries.iter().map(|q| q.address));
        addresses.into_iter().chain(shares("values", queries.iter().map(|q| q.value))).collect()
    };
    match call {
        Call::Load(share_0, share_1) => {
            json!({ "step": "load", "memory_share_0": words(share_0), "memory_share_1": words(share_1) })
        }
        Call::Preprocess { reads, updates } => {
            json!({ "step": "preprocess", "reads": reads, "updates": updates })
        }
        Call::Read(addresses) => step("read", shares("addresses", addresses.iter().copied()).into()),
        Call::Update(updates) => step("update", queries(updates)),
        Call::Write(query) => step("write", queries(&[*query])),
    }
}

fn input(case: &Case) -> Value {
    let [seed_0, seed_1, seed_2] = case.seeds;
    let steps = [json!({ "step": "connect" })].into_iter().chain(case.calls.iter().map(call_input));
    json!({
        "log_size": case.log_size,
        "seed_0": hex(&seed_0),
        "seed_1": hex(&seed_1),
        "seed_2": hex(&seed_2),
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn step_output(step: &Step) -> Value {
    let sent = |m: &Sent| {
        json!({
            "kind": m.kind,
            "from": m.from,
            "to": m.to,
            "operation": m.operation,
            "round": m.round,
            "payload": hex(&m.payload),
        })
    };
    let [(_, results_0), (_, results_1)] = shares("results", step.results.iter().copied());
    json!({
        "sent": step.sent.iter().map(sent).collect::<Vec<_>>(),
        "results_0": results_0,
        "results_1": results_1,
    })
}

/// The session, with `between` applied after each step to the session before and after it.
fn run(case: &Case, between: impl Fn(&Session, Session) -> Session) -> Value {
    let [words_0, words_1, words_2] = case.seeds.map(|seed| stream(seed, case.tape_words()));
    let Step { mut session, sent, results } = connect(case.log_size, &words_0, &words_1, &words_2);
    let mut steps = vec![step_output(&Step { session: session.clone(), sent, results })];
    for call in &case.calls {
        let before = session.clone();
        let step = match call {
            Call::Load(share_0, share_1) => load(session, share_0, share_1),
            Call::Preprocess { reads, updates } => preprocess(session, *reads, *updates),
            Call::Read(addresses) => reads(session, addresses),
            Call::Update(queries) => updates(session, queries),
            Call::Write(query) => write(session, *query),
        };
        steps.push(step_output(&step));
        session = between(&before, step.session);
    }
    json!({ "steps": steps, "state": state(&session.state), "memory": words(&opened(&session.state)) })
}

/// Index shares from the unit vectors of DPF 2.
fn index_from_dpf_2(_: &Session, after: Session) -> Session {
    let index = |units: &UnitVectors<u64>| (random_index_share(&units.p0.1), random_index_share(&units.p1.1));
    let read = |item: PreparedRead| PreparedRead { random_index_shares: index(&item.units), ..item };
    let update =
        |item: PreparedUpdate| PreparedUpdate { random_index_shares: index(&item.material.units), ..item };
    Session {
        reads: after.reads.into_iter().map(read).collect(),
        updates: after.updates.into_iter().map(update).collect(),
        ..after
    }
}

/// Nothing that was used is taken away.
fn material_used_twice(before: &Session, after: Session) -> Session {
    let reads = if after.reads.len() < before.reads.len() { before.reads.clone() } else { after.reads };
    let updates =
        if after.updates.len() < before.updates.len() { before.updates.clone() } else { after.updates };
    Session { reads, updates, ..after }
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "session",
        about: "A session of the three parties from their seeds: every message of every step, each primary's \
                results, and the states at the end.",
        paper: "protocols 1 and 2, appendices A, C, D; reference/PROTOCOL.md",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[
        Fault {
            name: "index_from_dpf_2",
            about: "The index shares are made from DPF 2: results and states are right, and P2 learns a \
                    share of each address.",
            output: |case| run(case, index_from_dpf_2),
        },
        Fault {
            name: "material_used_twice",
            about: "Material is not used up, and serves the next operation again: results are right, and the \
                    differences of addresses and of updates are public.",
            output: |case| run(case, material_used_twice),
        },
    ])
}
