//! Sessions over rows: every message of the three parties, from their seeds.

use duoram_spec::core::ring::XorWord;
use duoram_spec::core::vector::sub;
use duoram_spec::lean::layers::{NODE_WORDS, Purpose};
use duoram_spec::lean::memory::{State, State0, State1, State2, opened_alpha};
use duoram_spec::lean::party::HELLO_WORDS;
use duoram_spec::lean::row_session::{
    RowQuery, RowSession, RowStep, connect, load, preprocess, put, reads, updates,
};
use duoram_spec::lean::rows::{ColumnPrg, common_words_0, rows_of};
use duoram_spec::lean::session::{Streams, state};
use duoram_spec::lean::tape::{PRIMARY_WORDS, seed_words_1};
use serde_json::{Value, json};

use super::session::{Call, addresses, items, session_input, step_output, streams};
use super::{ring_words, state as state_json, xor_shares};
use crate::Random;
use crate::randomness::{counting_seed, stream};
use crate::topic::{Fault, Topic};

type Rows = RowSession<XorWord, ColumnPrg>;
type Shares = (RowQuery<XorWord>, RowQuery<XorWord>);

/// A session from its seeds.
struct Case {
    /// h
    log_size: usize,
    /// m
    rows: usize,
    /// w
    row_words: usize,
    /// Those of P0, P1, P2.
    seeds: [[u8; 32]; 3],
    /// The steps; each finds the items that it needs.
    calls: Vec<Call<Shares>>,
}

impl Case {
    /// As many words as any of the parties draws, or more.
    fn tape_words(&self) -> usize {
        HELLO_WORDS + items(&self.calls) * PRIMARY_WORDS.max(2 * self.row_words)
    }

    fn streams(&self, tapes: &[Vec<u64>; 3]) -> Streams {
        let dpf = common_words_0(self.log_size, Purpose::Update) + (1 + NODE_WORDS) * self.row_words;
        let words = [self.row_words * self.rows, 2 * dpf + 5 * self.row_words];
        streams(items(&self.calls), tapes, words)
    }
}

fn query(r: &mut Random, address: u64, row: &[u64]) -> Shares {
    let (address_0, address_1) = xor_shares(r, address);
    let row: Vec<XorWord> = row.iter().map(|&bits| XorWord { bits }).collect();
    let row_0: Vec<XorWord> = r.vector(row.len());
    let row_1 = sub(&row, &row_0);
    (RowQuery { address: address_0, row: row_0 }, RowQuery { address: address_1, row: row_1 })
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x0905);
    let loaded = vec![
        Call::Load(r.vector(12), r.vector(12)),
        Call::Preprocess { reads: 2, updates: 3 },
        Call::Read(vec![xor_shares(&mut r, 3), xor_shares(&mut r, 0)]),
        Call::Update(vec![query(&mut r, 3, &[1000, 0, u64::MAX])]),
        Call::Preprocess { reads: 2, updates: 1 },
        Call::Write(query(&mut r, 1, &[0x0123_4567_89ab_cdef, 2, 3])),
        Call::Swap(query(&mut r, 1, &[77, 78, 79])),
        Call::Read(vec![xor_shares(&mut r, 1)]),
        Call::Read(vec![xor_shares(&mut r, 3)]),
    ];
    // Trees with levels, READ items of one and UPDATE items of five.
    let deep = vec![
        Call::Preprocess { reads: 1, updates: 2 },
        Call::Update(vec![query(&mut r, 200, &[41, 42]), query(&mut r, 7, &[43, 44])]),
        Call::Read(vec![xor_shares(&mut r, 200)]),
    ];
    let fewer = vec![
        Call::Load(r.vector(6), r.vector(6)),
        Call::Preprocess { reads: 1, updates: 2 },
        Call::Update(vec![query(&mut r, 2, &[1000, 1001])]),
        Call::Swap(query(&mut r, 3, &[77, 78])),
        Call::Read(vec![xor_shares(&mut r, 2)]),
    ];
    let seeds = |first: [u8; 3]| first.map(counting_seed);
    vec![
        (
            "h = 2, three words a row, with a load".to_owned(),
            Case { log_size: 2, rows: 4, row_words: 3, seeds: seeds([0x01, 0x41, 0x81]), calls: loaded },
        ),
        (
            "h = 8, two words a row, from zeros".to_owned(),
            Case { log_size: 8, rows: 256, row_words: 2, seeds: seeds([0x12, 0x52, 0x92]), calls: deep },
        ),
        (
            "h = 2, three rows of two words, with a load".to_owned(),
            Case { log_size: 2, rows: 3, row_words: 2, seeds: seeds([0x23, 0x63, 0xa3]), calls: fewer },
        ),
    ]
}

fn queries(step: &str, queries: &[Shares]) -> Value {
    let pairs: Vec<(u64, u64)> = queries.iter().map(|(q_0, q_1)| (q_0.address, q_1.address)).collect();
    let rows_0: Vec<XorWord> = queries.iter().flat_map(|(query, _)| query.row.clone()).collect();
    let rows_1: Vec<XorWord> = queries.iter().flat_map(|(_, query)| query.row.clone()).collect();
    let mut input = addresses(step, &pairs);
    input["rows_0"] = ring_words(&rows_0);
    input["rows_1"] = ring_words(&rows_1);
    input
}

fn input(case: &Case) -> Value {
    let mut input = session_input([case.log_size, case.rows], &case.seeds, &case.calls, queries);
    input["row_words"] = case.row_words.into();
    input
}

fn output(step: &RowStep<XorWord, ColumnPrg>) -> Value {
    let results_0: Vec<XorWord> = step.results.iter().flat_map(|(row, _)| row.clone()).collect();
    let results_1: Vec<XorWord> = step.results.iter().flat_map(|(_, row)| row.clone()).collect();
    step_output(&step.sent, &results_0, &results_1)
}

/// The three states, row by row.
fn rows_state(session: &Rows) -> State<XorWord> {
    let columns: Vec<State<XorWord>> = session.columns.iter().map(state).collect();
    let rows = |of: &dyn Fn(&State<XorWord>) -> Vec<XorWord>| {
        let vectors: Vec<Vec<XorWord>> = columns.iter().map(of).collect();
        rows_of(&vectors, session.rows)
    };
    State {
        p0: State0 { alpha: rows(&|c| c.p0.alpha.clone()), beta: rows(&|c| c.p0.beta.clone()) },
        p1: State1 { alpha: rows(&|c| c.p1.alpha.clone()) },
        p2: State2 { alpha: rows(&|c| c.p2.alpha.clone()), beta: rows(&|c| c.p2.beta.clone()) },
    }
}

/// The session, each step's outcome changed by `between` before the next.
fn run(case: &Case, between: impl Fn(Rows) -> Rows) -> Value {
    let tapes = case.seeds.map(|seed| stream(seed, case.tape_words()));
    let first: RowStep<XorWord, ColumnPrg> = connect(
        case.log_size,
        case.rows,
        case.row_words,
        (&tapes[0], &tapes[1], &tapes[2]),
        &case.streams(&tapes),
    );
    let mut steps = vec![output(&first)];
    let mut session = first.session;
    for call in &case.calls {
        let step = match call {
            Call::Load(share_0, share_1) => load(session, share_0, share_1),
            Call::Preprocess { reads, updates } => preprocess(session, *reads, *updates),
            Call::Read(addresses) => reads(session, addresses),
            Call::Update(queries) => updates(session, queries),
            Call::Write(query) => put(session, query, false),
            Call::Swap(query) => put(session, query, true),
        };
        steps.push(output(&step));
        session = between(step.session);
    }
    let state = rows_state(&session);
    json!({ "steps": steps, "state": state_json(&state), "memory": ring_words(&opened_alpha(&state)) })
}

fn outcome(case: &Case) -> Value {
    run(case, |session| session)
}

/// rho is one word, for all words of a row.
fn one_mask_a_row(mut session: Rows) -> Rows {
    for (purpose, number) in session.purposes.clone().iter().zip(1..) {
        let place = 2 * seed_words_1(session.log_size, *purpose);
        let first = session.columns[0].p2.stream_12.streams[number][place];
        for column in &mut session.columns {
            column.p1.stream_12.streams[number][place] = first;
            column.p2.stream_12.streams[number][place] = first;
        }
    }
    session
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "lean_rows",
        about: "A lean session over rows of several words, from the parties' seeds: every message of every step, each \
                primary's results, and the states at the end.",
        paper: "not in the paper; spec/src/lean/row_session.rs",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[Fault {
        name: "one_mask_a_row",
        about: "rho is one word for all words of a row: results are right, and the differences between the words of P2's \
                part are P0's.",
        output: |case| run(case, one_mask_a_row),
    }])
}
