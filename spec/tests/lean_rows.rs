//! Lean sessions over rows: against an array of rows, against sessions over words, and against the word layer as
//! `reference/PROTOCOL.md` says it.
#![allow(missing_docs)]

use std::collections::BTreeSet;

use duoram_spec::core::block::{flag, high_half, low_half};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::vector::add;
use duoram_spec::lean::layers::{LayeredKey, Layers, Purpose, labels_at, word_bits, word_depth};
use duoram_spec::lean::lemmas::states_agree;
use duoram_spec::lean::memory::opened_alpha;
use duoram_spec::lean::online::Query;
use duoram_spec::lean::party::{HELLO_WORDS, size};
use duoram_spec::lean::row_session::{
    RowQuery, RowSession, RowStep, connect, load, preprocess, put, reads, updates,
};
use duoram_spec::lean::rows::{
    ColumnPrg, column_01, column_02, column_12, column_tape_2, common_words_0, joined, rows_of, update_layout,
};
use duoram_spec::lean::session::{self, Streams, state};
use duoram_spec::lean::tape::{PairStreams, seed_words_1};
use duoram_vectors::Random;

type Rows = RowSession<XorWord, ColumnPrg>;
type Queries = (RowQuery<XorWord>, RowQuery<XorWord>);

const ITEMS: usize = 12;

/// Random words for a session over rows: the parties' own, and the pairs' streams.
fn words(r: &mut Random, log_size: usize, width: usize) -> ([Vec<u64>; 3], Streams) {
    let item = 2 * (5 * log_size + 3 + 9 * width) + 5 * width;
    let mut pair = || PairStreams {
        streams: (0..=ITEMS).map(|j| r.words(if j == 0 { width << log_size } else { item })).collect(),
    };
    let streams = Streams { pair_01: pair(), pair_02: pair(), pair_12: pair() };
    let own = HELLO_WORDS + ITEMS * (5 + 2 * width);
    ([r.words(own), r.words(own), r.words(own)], streams)
}

fn connected(r: &mut Random, log_size: usize, rows: usize, width: usize) -> Rows {
    let ([words_0, words_1, words_2], streams) = words(r, log_size, width);
    connect(log_size, rows, width, (&words_0, &words_1, &words_2), &streams).session
}

/// Shares of a row for an address, and the row.
fn query(r: &mut Random, target: u64, width: usize) -> (Queries, Vec<XorWord>) {
    let share = r.word();
    let (row_0, row_1): (Vec<XorWord>, Vec<XorWord>) = (r.vector(width), r.vector(width));
    let row = add(&row_0, &row_1);
    ((RowQuery { address: share, row: row_0 }, RowQuery { address: share ^ target, row: row_1 }), row)
}

/// The rows of both sharings, which must agree in every column.
fn opened(session: &Rows) -> Vec<XorWord> {
    let columns: Vec<Vec<XorWord>> = session.columns.iter().map(|c| opened_alpha(&state(c))).collect();
    assert!(session.columns.iter().all(|column| states_agree(&state(column))));
    rows_of(&columns, session.rows)
}

fn results(step: &RowStep<XorWord, ColumnPrg>) -> Vec<Vec<XorWord>> {
    step.results.iter().map(|(own, other)| add(own, other)).collect()
}

/// The lengths of a step's messages by kind, each of which is what the page says.
fn lengths(step: &RowStep<XorWord, ColumnPrg>, expected: impl Fn(u8) -> usize) {
    assert!(!step.sent.is_empty());
    for message in &step.sent {
        assert_eq!(message.payload.len(), expected(message.kind), "kind {}", message.kind);
    }
}

/// READ returns the row, UPDATE adds a row in both sharings, WRITE and SWAP put one, and no other row changes.
#[test]
fn rows_answer_as_an_array_of_rows() {
    let mut r = Random(0x0705);
    let sizes = [
        (1, 2, 2),
        (2, 4, 3),
        (3, 8, 1),
        (3, 8, 5),
        (4, 16, 3),
        (8, 256, 2),
        (2, 3, 2),
        (3, 5, 1),
        (7, 65, 3),
    ];
    for (log_size, rows, width) in sizes {
        let n = size(log_size);
        let address_bytes = log_size.div_ceil(8);
        let (d_0, d_1) = (r.vector(rows * width), r.vector(rows * width));
        let connected = connected(&mut r, log_size, rows, width);
        assert_eq!(opened(&connected), vec![XorWord::zero(); rows * width]);
        let loaded = load(connected, &d_0, &d_1);
        lengths(&loaded, |_| 8 * rows * width);
        let mut memory: Vec<XorWord> = add(&d_0, &d_1);
        assert_eq!(opened(&loaded.session), memory);
        let mut session = preprocess(loaded.session, 4, 6).session;
        for step in 0..8 {
            let target = r.below(n as u64);
            let place = usize::try_from(target).unwrap() * width;
            let (shares, row) = query(&mut r, target, width);
            // Where there is no row there are zeros, and they stay.
            let nowhere = vec![XorWord::zero(); width];
            let old = memory.get(place..place + width).map_or(nowhere, <[_]>::to_vec);
            let mut put_there = |row: &[XorWord]| {
                if let Some(there) = memory.get_mut(place..place + width) {
                    there.copy_from_slice(row);
                }
            };
            let run = match step % 4 {
                0 => {
                    let run = reads(session, &[(shares.0.address, shares.1.address)]);
                    lengths(&run, |kind| if kind == 12 { address_bytes } else { 8 * width });
                    assert_eq!(results(&run), [old]);
                    run
                }
                1 => {
                    let run = updates(session, std::slice::from_ref(&shares));
                    lengths(&run, |_| address_bytes + 8 * width);
                    put_there(&add(&old, &row));
                    run
                }
                swap => {
                    let run = put(session, &shares, swap == 3);
                    lengths(&run, |kind| if kind == 12 { address_bytes } else { 8 * width });
                    put_there(&row);
                    assert_eq!(results(&run), if swap == 3 { vec![old] } else { vec![] });
                    run
                }
            };
            session = run.session;
            assert_eq!(opened(&session), memory, "h = {log_size}, {rows} rows of {width} words, step {step}");
        }
    }
}

/// With one word a row every message is byte for byte that of a session over words, and so are states and results.
#[test]
fn a_row_of_one_word_is_a_word() {
    let mut r = Random(0x1105);
    for log_size in [1, 3, 8] {
        let (own, streams) = words(&mut r, log_size, 1);
        let tapes = (&own[0][..], &own[1][..], &own[2][..]);
        let mut rows = connect::<XorWord>(log_size, size(log_size), 1, tapes, &streams);
        let mut plain = session::connect::<XorWord>(log_size, size(log_size), tapes, &streams);
        let (d_0, d_1): (Vec<XorWord>, Vec<XorWord>) = (r.vector(size(log_size)), r.vector(size(log_size)));
        let (shares, _) = query(&mut r, 1, 1);
        let word = |q: &RowQuery<XorWord>| Query { address: q.address, value: q.row[0] };
        let words = (word(&shares.0), word(&shares.1));
        for step in 0..6 {
            assert_eq!(rows.sent, plain.sent, "h = {log_size}, step {step}");
            assert_eq!(state(&rows.session.columns[0]), state(&plain.session));
            let opened: Vec<_> = rows.results.iter().map(|(own, other)| (own[0], other[0])).collect();
            assert_eq!(opened, plain.results);
            (rows, plain) = match step {
                0 => (load(rows.session, &d_0, &d_1), session::load(plain.session, &d_0, &d_1)),
                1 => (preprocess(rows.session, 2, 3), session::preprocess(plain.session, 2, 3)),
                2 => (
                    updates(rows.session, std::slice::from_ref(&shares)),
                    session::updates(plain.session, &[words]),
                ),
                3 => (put(rows.session, &shares, true), session::swap(plain.session, words)),
                _ => (reads(rows.session, &[(2, 3)]), session::reads(plain.session, &[(2, 3)])),
            };
        }
    }
}

/// One item an operation: the columns have the same random index, trees, flags and shifts, and each its own values.
#[test]
fn columns_share_an_item_and_not_its_values() {
    let mut r = Random(0x2205);
    for log_size in [2, 8] {
        let session = preprocess(connected(&mut r, log_size, size(log_size), 4), 1, 2).session;
        let common = |key: &LayeredKey<XorWord>| (key.tree.clone(), key.flag_correction);
        let (first, others) = session.columns.split_first().unwrap();
        let mut values = BTreeSet::new();
        for column in others.iter().chain([first]) {
            for (one, other) in column.p0.reads.iter().zip(&first.p0.reads) {
                assert_eq!(
                    (common(&one.key_a), one.random_index),
                    (common(&other.key_a), other.random_index)
                );
            }
            for (one, other) in column.p0.updates.iter().zip(&first.p0.updates) {
                assert_eq!(
                    (common(&one.key_a), common(&one.key_b)),
                    (common(&other.key_a), common(&other.key_b))
                );
                assert_eq!((one.random_index, one.number), (other.random_index, other.number));
                values.extend([one.value_share.bits, one.delta.bits]);
                values.extend(one.key_a.word_correction.iter().map(|word| word.bits));
                values.extend(one.key_b.word_correction.iter().map(|word| word.bits));
            }
            for (one, other) in column.p1.updates.iter().zip(&first.p1.updates) {
                assert_eq!(
                    (common(&one.key_a), one.random_index),
                    (common(&other.key_a), other.random_index)
                );
                values.insert(one.value_share.bits);
            }
        }
        assert_eq!(values.len(), 4 * 2 * (2 + 16 + 1), "no value of a column is another's");
    }
}

/// The values of all n rows of one side, word by word, as the page has them: of a node the `8 w` words of `T_8`, `T_9`, and so on.
fn side(prg: &AesPrg, session: &Rows, keys: &[LayeredKey<XorWord>]) -> Vec<u64> {
    let corrections: Vec<Vec<XorWord>> = keys.iter().map(|key| key.word_correction.clone()).collect();
    let correction = rows_of(&corrections, 8);
    let (h, width) = (session.log_size, session.row_words);
    let mut values = Vec::new();
    for label in labels_at(prg, &keys[0].tree, word_depth(h)) {
        let blocks = (0..4 * width as u128).map(|c| prg.output(label, 8 + c));
        let node = blocks.flat_map(|block| [low_half(block), high_half(block)]);
        let corrected =
            node.zip(&correction).map(|(word, cw)| if flag(label) { word ^ cw.bits } else { word });
        values.extend(corrected.take(width << word_bits(h)));
    }
    values
}

/// The word layer of rows is one layer that is w times as wide: both sides add up to one row R, at ri, of which the primaries have
/// shares; and `m_0 + m_1` is M + R.
#[test]
fn the_word_layer_has_one_row_at_ri() {
    let mut r = Random(0x3305);
    for (log_size, width) in [(1, 3), (3, 2), (5, 3), (8, 2)] {
        let session = preprocess(connected(&mut r, log_size, size(log_size), width), 1, 1).session;
        let prg = session.columns[0].p0.prg.prg.clone();
        let of_0: Vec<_> = session.columns.iter().map(|c| c.p0.updates[0].key_a.clone()).collect();
        let of_1: Vec<_> = session.columns.iter().map(|c| c.p1.updates[0].key_a.clone()).collect();
        let shares =
            session.columns.iter().map(|c| (c.p0.updates[0].value_share, c.p1.updates[0].value_share));
        let value: Vec<u64> = shares.map(|(own, other)| own.plus(other).bits).collect();
        let first = &session.columns[0];
        let ri = first.p0.updates[0].random_index ^ first.p1.updates[0].random_index;
        let mut expected = vec![0; width << log_size];
        let place = usize::try_from(ri).unwrap() * width;
        expected[place..place + width].copy_from_slice(&value);
        let sum: Vec<u64> = side(&prg, &session, &of_0)
            .into_iter()
            .zip(side(&prg, &session, &of_1))
            .map(|(own, other)| own ^ other)
            .collect();
        assert_eq!(sum, expected, "h = {log_size}, {width} words");

        let (shares, row) = query(&mut r, 1, width);
        let sent = updates(session, &[shares]).sent;
        let masked = |from: u8| {
            let message = sent.iter().find(|m| m.from == from).unwrap();
            message.payload[1..]
                .as_chunks()
                .0
                .iter()
                .map(|bytes| u64::from_le_bytes(*bytes))
                .collect::<Vec<_>>()
        };
        for (word, (own, other)) in masked(0).iter().zip(masked(1)).enumerate() {
            assert_eq!(own ^ other, row[word].bits ^ value[word]);
        }
    }
}

/// Each word of a stream is drawn by one column and once, or by all of them as the same thing.
#[test]
fn no_draw_is_of_two_columns() {
    let width = 5;
    for log_size in [1, 3, 9] {
        for (purpose, rows) in [(Purpose::Read, 0), (Purpose::Update, 9)] {
            let common = common_words_0(log_size, purpose);
            let dpf = common + rows * width;
            let last_02 = if rows == 0 { 0 } else { width };
            let common_12 = 2 * seed_words_1(log_size, purpose);
            let stream: Vec<u64> = (0..(2 * dpf + 5 * width) as u64).collect();
            let whole = |count: usize| stream[..count].to_vec();
            let mut drawn = [Vec::new(), Vec::new(), Vec::new()];
            for column in 0..width {
                drawn[0].extend(column_01(&stream, width, column));
                let mut of_02 = column_02(&stream, log_size, purpose, width, column);
                of_02.truncate(of_02.len() - usize::from(rows == 0));
                let mut of_12 = column_12(&stream, log_size, purpose, width, column);
                // What is common is counted once.
                if column > 0 {
                    of_12.drain(..common_12);
                    of_02.drain(common + rows..common + rows + common);
                    of_02.drain(..common);
                }
                drawn[1].extend(of_02);
                drawn[2].extend(of_12);
            }
            for words in &mut drawn {
                words.sort_unstable();
            }
            let all = [whole(5 * width), whole(2 * dpf + last_02), whole(common_12 + 2 * width)];
            assert_eq!(drawn, all, "h = {log_size}");
        }
    }
    let tape: Vec<u64> = (0..(HELLO_WORDS + 4 * width) as u64).collect();
    let mut own: Vec<u64> = (0..width)
        .flat_map(|c| column_tape_2(&tape, width, c)[HELLO_WORDS..HELLO_WORDS + 4].to_vec())
        .collect();
    own.sort_unstable();
    assert_eq!(own, tape[HELLO_WORDS..]);
}

/// Parties that differ in the rows or in the words of a row say different things in their first message, at the end of it.
#[test]
fn hellos_name_the_rows_and_the_words_of_a_row() {
    let mut r = Random(0x4405);
    let (own, streams) = words(&mut r, 3, 512);
    let last = |rows, width| {
        let step = connect::<XorWord>(9, rows, width, (&own[0], &own[1], &own[2]), &streams);
        assert_eq!((step.session.columns.len(), opened(&step.session).len()), (width, rows * width));
        step.sent.iter().map(|m| m.payload[48..].to_vec()).collect::<BTreeSet<_>>()
    };
    for (rows, width, bytes) in [
        (8, 1, [8, 0, 0, 0, 0, 0, 0, 0]),
        (8, 2, [8, 0, 0, 0, 0, 0, 1, 0]),
        (7, 512, [7, 0, 0, 0, 0, 0, 255, 1]),
        (257, 3, [1, 1, 0, 0, 0, 0, 2, 0]),
    ] {
        assert_eq!(last(rows, width), BTreeSet::from([bytes.to_vec()]));
    }
}

#[test]
fn a_joined_message_has_a_row_for_each_word() {
    let column = |first: u8| [&[7, 8][..], &[first; 8], &[first + 1; 8]].concat();
    let expected = [&[7, 8][..], &[10; 8], &[20; 8], &[11; 8], &[21; 8]].concat();
    assert_eq!(joined(&update_layout(3, 2), &[column(10), column(20)]), expected);
}
