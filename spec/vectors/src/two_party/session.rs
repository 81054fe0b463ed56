//! Whole sessions of two parties: every message but those of the OT, from their seeds and what the OT yields.

use duoram_spec::core::block::Block;
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::vector::add;
use duoram_spec::two_party::masks::AesPrf;
use duoram_spec::two_party::party::Party;
use duoram_spec::two_party::party_online::Query;
use duoram_spec::two_party::session::{
    Ots, Sent, Session, Step, Words, connect, follow, load, preprocess, reads, swap, updates, write,
};
use duoram_spec::two_party::tape::{CONTRIBUTION_WORDS, READ_WORDS, Tape, UPDATE_WORDS};
use serde_json::{Value, json};

use super::pairs;
use crate::Random;
use crate::json::{hex, words};
use crate::randomness::{counting_seed, numbered_stream, stream};
use crate::topic::{Fault, Topic};

type TwoParties = Session<u64, AesPrg, AesPrf>;
type Shares = (Query<u64>, Query<u64>);

/// What both parties are told to do after the connect.
pub enum Call {
    /// `D_0`, `D_1`, of n words each
    Load(Vec<u64>, Vec<u64>),
    /// A batch of items.
    Preprocess {
        /// READ items
        reads: usize,
        /// UPDATE items
        updates: usize,
        /// h an item and direction
        ots: Ots,
    },
    /// `(i*_0, i*_1)` of each query
    Read(Vec<(u64, u64)>),
    /// READs of the words that the last step's results point at.
    Follow,
    /// UPDATEs in one step
    Update(Vec<Shares>),
    /// Puts a word.
    Write(Shares),
    /// Puts a word and returns the old one.
    Swap(Shares),
}

/// A session from its seeds.
pub struct Case {
    /// h
    pub log_size: usize,
    /// Those of P0 and P1.
    pub seeds: [[u8; 32]; 2],
    /// The steps; each finds the items that it needs.
    pub calls: Vec<Call>,
}

impl Case {
    /// A party's words: of its stream 0 as many as it makes things from, of its stream 1 as many as it blinds READs with.
    fn words(&self, seed: [u8; 32]) -> Words {
        let of = |call: &Call| match call {
            Call::Preprocess { reads, updates, .. } => (reads * READ_WORDS + updates * UPDATE_WORDS, *reads),
            _ => (0, 0),
        };
        let (making, blinds) = self
            .calls
            .iter()
            .map(of)
            .fold((CONTRIBUTION_WORDS, 0), |sum, words| (sum.0 + words.0, sum.1 + words.1));
        Words { making: stream(seed, making), blinds: numbered_stream(seed, 1, blinds) }
    }
}

fn query(r: &mut Random, address: u64, value: u64) -> Shares {
    let (address, value) = (r.shares(address), r.shares(value));
    (Query { address: address.0, value: value.0 }, Query { address: address.1, value: value.1 })
}

fn batch(r: &mut Random, log_size: usize, reads: usize, updates: usize) -> Call {
    Call::Preprocess { reads, updates, ots: r.ots(log_size, reads + updates) }
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x2b5e);
    let loaded = vec![
        Call::Load(r.words(8), r.words(8)),
        batch(&mut r, 3, 1, 1),
        Call::Read(vec![r.shares(0)]),
        Call::Update(vec![query(&mut r, 7, 1000)]),
        batch(&mut r, 3, 6, 4),
        Call::Read(vec![r.shares(7), r.shares(3)]),
        Call::Follow,
        Call::Update(vec![query(&mut r, 3, u64::MAX), query(&mut r, 3, 5)]),
        Call::Write(query(&mut r, 6, 0x0123_4567_89ab_cdef)),
        Call::Swap(query(&mut r, 6, 1)),
    ];
    let from_zeros = vec![
        batch(&mut r, 1, 0, 2),
        Call::Update(vec![query(&mut r, 0, 41), query(&mut r, 1, 42)]),
        batch(&mut r, 1, 2, 0),
        Call::Read(vec![r.shares(1)]),
        Call::Read(vec![r.shares(0)]),
    ];
    let seeds = |first: [u8; 2]| first.map(counting_seed);
    vec![
        ("h = 3, with a load".to_owned(), Case { log_size: 3, seeds: seeds([0x20, 0x60]), calls: loaded }),
        ("h = 1, from zeros".to_owned(), Case { log_size: 1, seeds: seeds([0x22, 0x66]), calls: from_zeros }),
    ]
}

fn call_input(call: &Call) -> Value {
    let step = |name: &str, queries: &[Shares]| {
        let (of_0, of_1): (Vec<Query<u64>>, Vec<Query<u64>>) = queries.iter().copied().unzip();
        let all = |queries: &[Query<u64>], field: fn(&Query<u64>) -> u64| {
            words(&queries.iter().map(field).collect::<Vec<_>>())
        };
        json!({
            "step": name,
            "addresses_0": all(&of_0, |q| q.address),
            "addresses_1": all(&of_1, |q| q.address),
            "values_0": all(&of_0, |q| q.value),
            "values_1": all(&of_1, |q| q.value),
        })
    };
    match call {
        Call::Load(share_0, share_1) => {
            json!({ "step": "load", "memory_share_0": words(share_0), "memory_share_1": words(share_1) })
        }
        Call::Preprocess { reads, updates, ots } => json!({
            "step": "preprocess",
            "reads": reads,
            "updates": updates,
            "sent_0": pairs(&ots.from_0),
            "sent_1": pairs(&ots.from_1),
        }),
        Call::Read(addresses) => {
            let (of_0, of_1): (Vec<u64>, Vec<u64>) = addresses.iter().copied().unzip();
            json!({ "step": "read", "addresses_0": words(&of_0), "addresses_1": words(&of_1) })
        }
        Call::Follow => json!({ "step": "follow" }),
        Call::Update(queries) => step("update", queries),
        Call::Write(query) => step("write", &[*query]),
        Call::Swap(query) => step("swap", &[*query]),
    }
}

fn input(case: &Case) -> Value {
    let [seed_0, seed_1] = case.seeds;
    let steps = [json!({ "step": "connect" })].into_iter().chain(case.calls.iter().map(call_input));
    json!({
        "log_size": case.log_size,
        "seed_0": hex(&seed_0),
        "seed_1": hex(&seed_1),
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn step_output(sent: &[Sent], results: &[(u64, u64)]) -> Value {
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
    let (results_0, results_1): (Vec<u64>, Vec<u64>) = results.iter().copied().unzip();
    json!({
        "sent": sent.iter().map(message).collect::<Vec<_>>(),
        "results_0": words(&results_0),
        "results_1": words(&results_1),
    })
}

/// The session, with `between` applied after each step to the session before and after it.
fn run(case: &Case, between: impl Fn(&TwoParties, TwoParties) -> TwoParties) -> Value {
    let [words_0, words_1] = case.seeds.map(|seed| case.words(seed));
    let Step { mut session, sent, mut results } = connect(case.log_size, &words_0, &words_1);
    let mut steps = vec![step_output(&sent, &results)];
    for call in &case.calls {
        let before = session.clone();
        let step = match call {
            Call::Load(share_0, share_1) => load(session, share_0, share_1),
            Call::Preprocess { reads, updates, ots } => preprocess(session, *reads, *updates, ots),
            Call::Read(addresses) => reads(session, addresses),
            Call::Follow => follow(session, &results),
            Call::Update(queries) => updates(session, queries),
            Call::Write(query) => write(session, *query),
            Call::Swap(query) => swap(session, *query),
        };
        steps.push(step_output(&step.sent, &step.results));
        results = step.results;
        session = between(&before, step.session);
    }
    let (share_0, share_1) = (&session.p0.memory_share, &session.p1.memory_share);
    json!({
        "steps": steps,
        "memory_share_0": words(share_0),
        "memory_share_1": words(share_1),
        "memory": words(&add(share_0, share_1)),
    })
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    run(case, |_, after| after)
}

/// The session with each party changed.
fn each(
    session: TwoParties,
    change: impl Fn(Party<u64, AesPrg, AesPrf>) -> Party<u64, AesPrg, AesPrf>,
) -> TwoParties {
    Session { p0: change(session.p0), p1: change(session.p1), ..session }
}

/// READ items that were used serve again: queries and keys.
fn keys_used_twice(before: &TwoParties, after: TwoParties) -> TwoParties {
    let used = after.p0.reads.len() < before.p0.reads.len();
    let (p0, p1) = if used { (&before.p0, &before.p1) } else { (&after.p0, &after.p1) };
    let (reads_0, reads_1) = (p0.reads.clone(), p1.reads.clone());
    Session {
        p0: Party { reads: reads_0, ..after.p0 },
        p1: Party { reads: reads_1, ..after.p1 },
        operation: after.operation,
    }
}

/// The keys of a READ item tell nothing apart: both of each pair are K^0.
fn one_key_a_level(_: &TwoParties, after: TwoParties) -> TwoParties {
    let first = |pairs: &[(Block, Block)]| pairs.iter().map(|(k_0, _)| (*k_0, *k_0)).collect::<Vec<_>>();
    let firsts = |own: &TwoParties, of_0: bool| -> Vec<_> {
        let (own, other) = if of_0 { (&own.p0, &own.p1) } else { (&own.p1, &own.p0) };
        let both = own.reads.iter().zip(&other.reads);
        both.map(|(item, others)| {
            let keys = first(&others.pairs).into_iter().map(|(k_0, _)| k_0).collect();
            duoram_spec::two_party::party::ReadItem { keys, pairs: first(&item.pairs), ..item.clone() }
        })
        .collect()
    };
    let (reads_0, reads_1) = (firsts(&after, true), firsts(&after, false));
    Session {
        p0: Party { reads: reads_0, ..after.p0 },
        p1: Party { reads: reads_1, ..after.p1 },
        operation: after.operation,
    }
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "two_party_session",
        about: "A session of two parties from their seeds and the blocks of their random OTs, under the plain PIR: every \
                message of every step but those of the OT, each party's results, and the memory at the end.",
        paper: "section 5, appendices A and C; reference/PROTOCOL.md",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[
        Fault {
            name: "keys_used_twice",
            about: "A READ item serves the next READ too: results are right, the difference of addresses is public, and \
                    under keys for two words of one table more would be.",
            output: |case| run(case, keys_used_twice),
        },
        Fault {
            name: "one_key_a_level",
            about: "Both keys of a level are the same: results are right, and the client reads the whole table.",
            output: |case| run(case, one_key_a_level),
        },
        Fault {
            name: "blind_missing",
            about: "The blinds of READs are 0: results are right, and each party learns the other's share of the word.",
            output: |case| {
                run(case, |_, after| {
                    each(after, |party| Party {
                        blinds: Tape { words: vec![], ..party.blinds },
                        ..party
                    })
                })
            },
        },
        Fault {
            name: "blind_stale",
            about: "All READs of a party are blinded by one word: results are right, and differences of the other's \
                    shares are told.",
            output: |case| {
                run(case, |_, after| {
                    each(after, |party| Party {
                        blinds: Tape { position: 0, ..party.blinds },
                        ..party
                    })
                })
            },
        },
    ])
}
