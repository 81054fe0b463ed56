//! Rows of the lean protocol.

use super::sessions::Few;
use crate::random::{Exactly, Random, Rng, list};
use crate::rocq::{Rocq, structure};
use crate::structures::{random_structures, structures};
use crate::toy::Toy;
use crate::{Vectors, case, given};
use duoram_spec::core::prg::Prg;
use duoram_spec::lean::layers::{Layers, Purpose};
use duoram_spec::lean::party::{Party0, Party1, Party2};
use duoram_spec::lean::row_session::{self, RowQuery, RowSession, RowStep};
use duoram_spec::lean::rows::{self, ColumnPrg, Layout};
use duoram_spec::lean::session::{Sent, Session, Step, Streams};

type Words = Vec<u64>;
type Rows = RowSession<u64, Toy>;
type Steps = Exactly<Step<u64, Toy>, 2>;

/// The flag layer's tweak, or one of the word layer's.
struct Tweak(u128);

impl Random for Tweak {
    fn random(rng: &mut Rng) -> Tweak {
        Tweak(if rng.below(2) == 0 { 2 } else { 8 + u128::from(rng.below(4)) })
    }
}

impl Rocq for Tweak {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}

/// Two payloads that have words in them.
struct Payloads(Vec<Vec<u8>>);

impl Random for Payloads {
    fn random(rng: &mut Rng) -> Payloads {
        Payloads(vec![list(rng, 45), list(rng, 45)])
    }
}

impl Rocq for Payloads {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}

/// A layout that such payloads may have.
struct Small(Layout);

impl Random for Small {
    fn random(rng: &mut Rng) -> Small {
        let mut below = |bound| rng.below(bound) as usize;
        Small(Layout { prefix: below(4), count: below(3), common: below(4), words: below(3) })
    }
}

impl Rocq for Small {
    fn rocq(&self) -> String {
        self.0.rocq()
    }
}

random_structures! {
    "lean::rows::ColumnPrg" ColumnPrg { prg, row_words, column }
    "lean::rows::Layout" Layout { prefix, count, common, words }
    "lean::row_session::RowQuery" RowQuery<u64> { address, row }
}

impl<P: Rocq> Rocq for RowSession<u64, P> {
    fn rocq(&self) -> String {
        structure(
            "lean::row_session::RowSession",
            &[
                self.log_size.rocq(),
                self.rows.rocq(),
                self.row_words.rocq(),
                self.streams.rocq(),
                self.purposes.rocq(),
                self.columns.rocq(),
            ],
        )
    }
}

impl<P: Rocq> Rocq for RowStep<u64, P> {
    fn rocq(&self) -> String {
        structure("lean::row_session::RowStep", &[self.session.rocq(), self.sent.rocq(), self.results.rocq()])
    }
}

/// Two columns over three rows, whose parties are of two words.
impl Random for Rows {
    fn random(rng: &mut Rng) -> Rows {
        let columns: Vec<Session<u64, Toy>> = list(rng, 2);
        let log_size = columns[0].p0.log_size;
        let columns = columns
            .into_iter()
            .map(|column| {
                let Session { p0, p1, p2, operation } = column;
                Session {
                    p0: Party0 { log_size, ..p0 },
                    p1: Party1 { log_size, ..p1 },
                    p2: Party2 { log_size, ..p2 },
                    operation,
                }
            })
            .collect();
        Rows {
            log_size,
            rows: 3,
            row_words: 2,
            streams: Random::random(rng),
            purposes: list(rng, 1),
            columns,
        }
    }
}

impl Random for Step<u64, Toy> {
    fn random(rng: &mut Rng) -> Self {
        Self { session: Random::random(rng), sent: list(rng, 2), results: list(rng, 2) }
    }
}

pub fn rows(v: &mut Vectors) {
    case!(v, 3, "lean::rows::place", "", |w: usize, row: usize, column: usize| rows::place(w, row, column));
    case!(v, 3, "lean::rows::column", "", |list: Words, w: Few, count: usize, column: Few| {
        rows::column(&list, w.0, count, column.0)
    });
    case!(v, 3, "lean::rows::rows_of", "", |columns: Vec<Words>, count: usize| rows::rows_of(
        &columns, count
    ));
    case!(v, 2, "lean::rows::column_draws", "", |words: Words, o: Few, w: Few, n: usize, column: Few| {
        rows::column_draws(&words, o.0, w.0, n, column.0)
    });
    case!(v, 2, "lean::rows::common_draws", "", |words: Words, offset: Few, count: usize| {
        rows::common_draws(&words, offset.0, count)
    });
    case!(v, 2, "lean::rows::column_01", "", |words: Exactly<u64, 10>, w: Few, column: Few| {
        rows::column_01(&words.0, w.0, column.0)
    });
    case!(v, 3, "lean::rows::common_words_0", "", |h: usize, p: Purpose| rows::common_words_0(h, p));
    case!(v, 3, "lean::rows::column_02", "", |words: Exactly<u64, 60>,
                                              h: Few,
                                              p: Purpose,
                                              w: Few,
                                              column: Few| {
        rows::column_02(&words.0, h.0, p, w.0, column.0)
    });
    case!(v, 3, "lean::rows::column_12", "", |words: Exactly<u64, 12>,
                                              h: Few,
                                              p: Purpose,
                                              w: Few,
                                              column: Few| {
        rows::column_12(&words.0, h.0, p, w.0, column.0)
    });
    case!(v, 2, "lean::rows::column_tape_2", "", |words: Exactly<u64, 18>, w: Few, column: Few| {
        rows::column_tape_2(&words.0, w.0, column.0)
    });
    case!(v, 3, "lean::rows::node_word", "", |prg: Toy, label: u128, number: usize| {
        rows::node_word(&prg, label, number)
    });
    case!(v, 3, "lean::rows::column_block", "", |prg: Toy,
                                                 label: u128,
                                                 w: usize,
                                                 column: usize,
                                                 i: usize| {
        rows::column_block(&prg, label, w, column, i)
    });
    case!(v, 1, "core::prg::Prg::left for lean::rows::ColumnPrg", "", |p: ColumnPrg, l: u128| p.left(l));
    case!(v, 1, "core::prg::Prg::right for lean::rows::ColumnPrg", "", |p: ColumnPrg, l: u128| p.right(l));
    case!(
        v,
        2,
        "lean::layers::Layers::output for lean::rows::ColumnPrg",
        "",
        |p: ColumnPrg, l: u128, tweak: Tweak| { p.output(l, tweak.0) }
    );
    case!(v, 2, "lean::rows::bytes_at", "", |bytes: Vec<u8>, offset: Few, count: usize| {
        rows::bytes_at(&bytes, offset.0, count)
    });
    case!(v, 2, "lean::rows::row_bytes", "", |payloads: Payloads, offset: Few| rows::row_bytes(
        &payloads.0,
        offset.0
    ));
    case!(v, 3, "lean::rows::joined", "", |layout: Small, payloads: Payloads| rows::joined(
        &layout.0,
        &payloads.0
    ));
    given!(v, "lean::rows::no_words", "", rows::no_words(););
    case!(v, 1, "lean::rows::only_words", "", |count: usize| rows::only_words(count));
    case!(v, 2, "lean::rows::deal_layout", "", |h: usize, r: usize, u: usize| rows::deal_layout(h, r, u));
    case!(v, 2, "lean::rows::keys_layout", "", |h: usize, r: usize, u: usize| rows::keys_layout(h, r, u));
    case!(v, 2, "lean::rows::update_layout", "", |h: usize, q: usize| rows::update_layout(h, q));
    for kind in [4, 6, 9, 10, 11] {
        let (h, reads, updates) = (9usize, 2usize, 3usize);
        given!(v, "lean::rows::batch_layout", "", rows::batch_layout(kind, h, reads, updates); kind, h, reads, updates);
    }
    for kind in [12, 13, 14] {
        let (h, queries) = (9usize, 2usize);
        given!(v, "lean::rows::online_layout", "", rows::online_layout(kind, h, queries); kind, h, queries);
    }
    case!(v, 2, "lean::rows::size_bytes", "", |m: usize, w: usize| rows::size_bytes(m, w));
}

pub fn sessions(v: &mut Vectors) {
    case!(v, 2, "lean::row_session::column_query", "", |query: RowQuery<u64>, column: usize| {
        row_session::column_query(&query, column)
    });
    case!(
        v,
        2,
        "lean::row_session::column_queries",
        "",
        |queries: Vec<(RowQuery<u64>, RowQuery<u64>)>, column: usize| row_session::column_queries(
            &queries, column
        )
    );
    case!(v, 1, "lean::row_session::column_streams", "", |session: Rows, column: Few| {
        row_session::column_streams(&session, column.0)
    });
    case!(v, 1, "lean::row_session::with_streams", "", |column: Session<u64, Toy>, streams: Streams| {
        row_session::with_streams(&column, &streams)
    });
    case!(v, 1, "lean::row_session::with_items", "", |session: Rows, items: Vec<Purpose>| {
        row_session::with_items(session.clone(), &items)
    });
    case!(
        v,
        1,
        "lean::row_session::row_started",
        " u64",
        |h: Few, m: Few, prgs: Exactly<Toy, 2>, tapes: (Words, Words, Words), streams: Streams| {
            row_session::row_started::<u64, _>(h.0, m.0, &prgs.0, (&tapes.0, &tapes.1, &tapes.2), &streams)
        }
    );
    case!(
        v,
        1,
        "lean::row_session::connect",
        " u64",
        |h: Few, m: Few, w: Few, tapes: (Words, Words, Words), streams: Streams| row_session::connect::<u64>(
            h.0,
            m.0,
            w.0,
            (&tapes.0, &tapes.1, &tapes.2),
            &streams
        )
    );
    case!(v, 1, "lean::row_session::with_payload", "", |message: Sent, payload: Vec<u8>| {
        row_session::with_payload(&message, payload.clone())
    });
    case!(v, 1, "lean::row_session::joined_messages", "", |steps: Steps, layouts: Vec<Layout>| {
        row_session::joined_messages(&steps.0, &layouts)
    });
    case!(v, 1, "lean::row_session::kinds", "", |steps: Steps| row_session::kinds(&steps.0));
    case!(v, 1, "lean::row_session::row_results", "", |steps: Steps| row_session::row_results(&steps.0));
    case!(v, 1, "lean::row_session::row_step", "", |session: Rows, steps: Steps, layouts: Vec<Layout>| {
        row_session::row_step(session.clone(), &steps.0, &layouts)
    });
    case!(v, 1, "lean::row_session::online_layouts", "", |steps: Steps, h: usize, queries: usize| {
        row_session::online_layouts(&steps.0, h, queries)
    });
    case!(v, 1, "lean::row_session::load", "", |session: Rows, share_0: Words, share_1: Words| {
        row_session::load(session.clone(), &share_0, &share_1)
    });
    case!(v, 1, "lean::row_session::preprocess", "", |session: Rows, reads: Few, updates: Few| {
        row_session::preprocess(session.clone(), reads.0, updates.0)
    });
    case!(v, 1, "lean::row_session::reads", "", |session: Rows, addresses: Vec<(u64, u64)>| {
        row_session::reads(session.clone(), &addresses)
    });
    case!(
        v,
        1,
        "lean::row_session::updates",
        "",
        |session: Rows, queries: Vec<(RowQuery<u64>, RowQuery<u64>)>| row_session::updates(
            session.clone(),
            &queries
        )
    );
    case!(v, 1, "lean::row_session::put", "", |session: Rows,
                                               query: (RowQuery<u64>, RowQuery<u64>),
                                               swap: bool| {
        row_session::put(session.clone(), &query, swap)
    });
}
