//! A whole session over rows of w words: the columns' sessions side by side, and every message of theirs joined to one.
//!
//! Each column's session is the protocol's ([`crate::lean::session`]), and each of its steps is taken by the functions of one
//! party. What the columns do not have of their own is the same in all: their trees, flags and shifts come from the same draws.

use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::core::vector::at;
use crate::lean::layers::{Layers, Purpose};
use crate::lean::online::Query;
use crate::lean::party::{Party0, Party1, Party2, load_0, load_1};
use crate::lean::preprocessing::purposes;
use crate::lean::rows::{
    ColumnPrg, Layout, batch_layout, bytes_at, column, column_01, column_02, column_12, column_draws,
    column_tape_2, joined, no_words, online_layout, rows_of, size_bytes,
};
use crate::lean::session::{self, Sent, Session, Step, Streams, chunks, started};
use crate::lean::tape::{PairStreams, item_stream, stream};

/// A session over rows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowSession<W, P> {
    /// h: there are 2^h addresses.
    pub log_size: usize,
    /// m: the memory has so many rows, at most 2^h.
    pub rows: usize,
    /// w
    pub row_words: usize,
    /// The pairs' streams, of which every column has its part.
    pub streams: Streams,
    /// What the items are for that have been prepared, by their numbers.
    pub purposes: Vec<Purpose>,
    /// One session a column.
    pub columns: Vec<Session<W, P>>,
}

/// What a step yields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowStep<W, P> {
    /// The session after it.
    pub session: RowSession<W, P>,
    /// All messages, as those of [`Step`].
    pub sent: Vec<Sent>,
    /// P0's and P1's shares of each result: w words each.
    pub results: Vec<(Vec<W>, Vec<W>)>,
}

/// A primary's shares of one query: of the address, and of a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowQuery<W> {
    /// `i*_b`
    pub address: u64,
    /// `M_b`: w words
    pub row: Vec<W>,
}

/// A column's part of a query.
pub fn column_query<W: Ring>(query: &RowQuery<W>, column: usize) -> Query<W> {
    Query { address: query.address, value: at(&query.row, column, W::zero()) }
}

/// A column's part of both primaries' queries.
pub fn column_queries<W: Ring>(
    queries: &[(RowQuery<W>, RowQuery<W>)],
    column: usize,
) -> Vec<(Query<W>, Query<W>)> {
    queries.iter().map(|(one, other)| (column_query(one, column), column_query(other, column))).collect()
}

/// A column's part of all streams: of the load, and of the items whose purpose is known.
pub fn column_streams<W, P>(session: &RowSession<W, P>, column: usize) -> Streams {
    let (h, w) = (session.log_size, session.row_words);
    let of_load = |pair: &PairStreams| {
        let words = stream(pair, 0);
        vec![column_draws(&words, 0, w, session.rows, column)]
    };
    let numbered = |pair: &PairStreams, number: usize| item_stream(pair, number);
    let items = &session.purposes;
    let streams = &session.streams;
    let of_01: Vec<Vec<u64>> = items
        .iter()
        .enumerate()
        .map(|(j, _): (usize, &Purpose)| column_01(&numbered(&streams.pair_01, j), w, column))
        .collect();
    let of_02: Vec<Vec<u64>> = items
        .iter()
        .enumerate()
        .map(|(j, purpose): (usize, &Purpose)| {
            column_02(&numbered(&streams.pair_02, j), h, *purpose, w, column)
        })
        .collect();
    let of_12: Vec<Vec<u64>> = items
        .iter()
        .enumerate()
        .map(|(j, purpose): (usize, &Purpose)| {
            column_12(&numbered(&streams.pair_12, j), h, *purpose, w, column)
        })
        .collect();
    Streams {
        pair_01: PairStreams { streams: [of_load(&streams.pair_01), of_01].concat() },
        pair_02: PairStreams { streams: [of_load(&streams.pair_02), of_02].concat() },
        pair_12: PairStreams { streams: [of_load(&streams.pair_12), of_12].concat() },
    }
}

/// A column's session with these streams.
pub fn with_streams<W: Ring, P: Clone>(column: &Session<W, P>, streams: &Streams) -> Session<W, P> {
    let (p0, p1, p2) = (column.p0.clone(), column.p1.clone(), column.p2.clone());
    let (pair_01, pair_02, pair_12) =
        (streams.pair_01.clone(), streams.pair_02.clone(), streams.pair_12.clone());
    Session {
        p0: Party0 { stream_01: pair_01.clone(), stream_02: pair_02.clone(), ..p0 },
        p1: Party1 { stream_01: pair_01, stream_12: pair_12.clone(), ..p1 },
        p2: Party2 { stream_02: pair_02, stream_12: pair_12, ..p2 },
        operation: column.operation,
    }
}

/// The session with its columns' streams as they must be for these items.
pub fn with_items<W: Ring, P: Clone>(session: RowSession<W, P>, items: &[Purpose]) -> RowSession<W, P> {
    let purposes = [session.purposes.clone(), items.to_vec()].concat();
    let widened = RowSession { purposes, ..session };
    let columns: Vec<Session<W, P>> = widened
        .columns
        .iter()
        .enumerate()
        .map(|(c, column): (usize, &Session<W, P>)| with_streams(column, &column_streams(&widened, c)))
        .collect();
    RowSession { columns, ..widened }
}

/// The parties before their first step, of the PRG of each column.
pub fn row_started<W: Ring, P: Clone>(
    log_size: usize,
    rows: usize,
    prgs: &[P],
    tapes: (&[u64], &[u64], &[u64]),
    streams: &Streams,
) -> RowSession<W, P> {
    let (tape_0, tape_1, tape_2) = tapes;
    let row_words = prgs.len();
    let columns: Vec<Session<W, P>> = prgs
        .iter()
        .enumerate()
        .map(|(c, prg): (usize, &P)| {
            let own_2 = column_tape_2(tape_2, row_words, c);
            started(log_size, rows, prg, (tape_0, tape_1, &own_2), streams)
        })
        .collect();
    let bare = RowSession { log_size, rows, row_words, streams: streams.clone(), purposes: vec![], columns };
    with_items(bare, &[])
}

/// Step 0: as without rows, but that w is said beside m.
pub fn connect<W: Ring>(
    log_size: usize,
    rows: usize,
    row_words: usize,
    tapes: (&[u64], &[u64], &[u64]),
    streams: &Streams,
) -> RowStep<W, ColumnPrg> {
    let agreed: Step<W, _> = session::connect(log_size, rows, tapes, streams);
    let prgs: Vec<ColumnPrg> = (0..row_words)
        .map(|column: usize| ColumnPrg { prg: agreed.session.p0.prg.clone(), row_words, column })
        .collect();
    RowStep {
        session: row_started(log_size, rows, &prgs, tapes, streams),
        sent: agreed
            .sent
            .iter()
            .map(|message| {
                let said = bytes_at(&message.payload, 0, 48);
                let payload = [said, size_bytes(rows, row_words)].concat();
                with_payload(message, payload)
            })
            .collect(),
        results: vec![],
    }
}

/// A message with another payload.
pub fn with_payload(message: &Sent, payload: Vec<u8>) -> Sent {
    Sent {
        kind: message.kind,
        from: message.from,
        to: message.to,
        operation: message.operation,
        round: message.round,
        payload,
    }
}

/// The messages of one step of every column as one step's, with a layout for each.
pub fn joined_messages<W: Ring, P>(steps: &[Step<W, P>], layouts: &[Layout]) -> Vec<Sent> {
    let first: Vec<Sent> = match steps.first() {
        Some(step) => step.sent.clone(),
        None => vec![],
    };
    first
        .iter()
        .enumerate()
        .map(|(number, message): (usize, &Sent)| {
            let payloads: Vec<Vec<u8>> = steps
                .iter()
                .flat_map(|step| match step.sent.get(number) {
                    Some(sent) => vec![sent.payload.clone()],
                    None => vec![],
                })
                .collect();
            with_payload(message, joined(&at(layouts, number, no_words()), &payloads))
        })
        .collect()
}

/// The kinds of the messages of a step.
pub fn kinds<W: Ring, P>(steps: &[Step<W, P>]) -> Vec<u8> {
    match steps.first() {
        Some(step) => step.sent.iter().map(|message| message.kind).collect(),
        None => vec![],
    }
}

/// The columns' results as rows.
pub fn row_results<W: Ring, P>(steps: &[Step<W, P>]) -> Vec<(Vec<W>, Vec<W>)> {
    let count = match steps.first() {
        Some(step) => step.results.len(),
        None => 0,
    };
    (0..count)
        .map(|query: usize| {
            let pairs: Vec<(W, W)> =
                steps.iter().map(|step| at(&step.results, query, (W::zero(), W::zero()))).collect();
            (pairs.iter().map(|(own, _)| *own).collect(), pairs.iter().map(|(_, other)| *other).collect())
        })
        .collect()
}

/// What the columns' steps are together.
pub fn row_step<W: Ring, P: Clone>(
    session: RowSession<W, P>,
    steps: &[Step<W, P>],
    layouts: &[Layout],
) -> RowStep<W, P> {
    let columns: Vec<Session<W, P>> = steps.iter().map(|step| step.session.clone()).collect();
    RowStep {
        session: RowSession { columns, ..session },
        sent: joined_messages(steps, layouts),
        results: row_results(steps),
    }
}

/// The layouts of an operation's messages.
pub fn online_layouts<W: Ring, P>(steps: &[Step<W, P>], log_size: usize, queries: usize) -> Vec<Layout> {
    kinds(steps).iter().map(|kind| online_layout(*kind, log_size, queries)).collect()
}

/// A load of m rows. Its chunks are of 2^16 words, wherever a row ends.
pub fn load<W: Ring, P: Clone>(
    session: RowSession<W, P>,
    memory_share_0: &[W],
    memory_share_1: &[W],
) -> RowStep<W, P> {
    let (m, w) = (session.rows, session.row_words);
    let of_0 = |c: usize| column(memory_share_0, w, m, c);
    let of_1 = |c: usize| column(memory_share_1, w, m, c);
    let columns = &session.columns;
    let to_2: Vec<Vec<W>> = columns
        .iter()
        .enumerate()
        .map(|(c, column): (usize, &Session<W, P>)| {
            let (_, sent) = load_0(column.p0.clone(), &of_0(c));
            sent
        })
        .collect();
    let to_0: Vec<Vec<W>> = columns
        .iter()
        .enumerate()
        .map(|(c, column): (usize, &Session<W, P>)| {
            let (_, sent) = load_1(column.p1.clone(), &of_1(c));
            sent
        })
        .collect();
    let operation = match columns.first() {
        Some(column) => column.operation,
        None => 0,
    };
    let sent =
        [chunks(operation, 2, 0, 2, &rows_of(&to_2, m)), chunks(operation, 3, 1, 0, &rows_of(&to_0, m))]
            .concat();
    let loaded: Vec<Session<W, P>> = columns
        .iter()
        .enumerate()
        .map(|(c, column): (usize, &Session<W, P>)| session::load(column.clone(), &of_0(c), &of_1(c)).session)
        .collect();
    RowStep { session: RowSession { columns: loaded, ..session }, sent, results: vec![] }
}

/// Preprocessing of `reads` READ items and then `updates` UPDATE items: w columns wide, and still one item an operation.
pub fn preprocess<W: Ring, P: Prg + Layers + Clone>(
    session: RowSession<W, P>,
    reads: usize,
    updates: usize,
) -> RowStep<W, P> {
    let ready = with_items(session, &purposes(reads, updates));
    let steps: Vec<Step<W, P>> =
        ready.columns.iter().map(|column| session::preprocess(column.clone(), reads, updates)).collect();
    let layouts: Vec<Layout> =
        kinds(&steps).iter().map(|kind| batch_layout(*kind, ready.log_size, reads, updates)).collect();
    row_step(ready, &steps, &layouts)
}

/// READs in one step, from shares of their addresses.
pub fn reads<W: Ring, P: Prg + Layers + Clone>(
    session: RowSession<W, P>,
    addresses: &[(u64, u64)],
) -> RowStep<W, P> {
    let steps: Vec<Step<W, P>> =
        session.columns.iter().map(|column| session::reads(column.clone(), addresses)).collect();
    let layouts = online_layouts(&steps, session.log_size, addresses.len());
    row_step(session, &steps, &layouts)
}

/// UPDATEs in one message, applied one after another.
pub fn updates<W: Ring, P: Prg + Layers + Clone>(
    session: RowSession<W, P>,
    queries: &[(RowQuery<W>, RowQuery<W>)],
) -> RowStep<W, P> {
    let steps: Vec<Step<W, P>> = session
        .columns
        .iter()
        .enumerate()
        .map(|(c, column): (usize, &Session<W, P>)| {
            session::updates(column.clone(), &column_queries(queries, c))
        })
        .collect();
    let layouts = online_layouts(&steps, session.log_size, queries.len());
    row_step(session, &steps, &layouts)
}

/// A WRITE, or a SWAP, whose result is the row that was there before.
pub fn put<W: Ring, P: Prg + Layers + Clone>(
    session: RowSession<W, P>,
    query: &(RowQuery<W>, RowQuery<W>),
    swap: bool,
) -> RowStep<W, P> {
    let (one, other) = query;
    let steps: Vec<Step<W, P>> = session
        .columns
        .iter()
        .enumerate()
        .map(|(c, column): (usize, &Session<W, P>)| {
            session::put(column.clone(), (column_query(one, c), column_query(other, c)), swap)
        })
        .collect();
    let layouts = online_layouts(&steps, session.log_size, 1);
    row_step(session, &steps, &layouts)
}
