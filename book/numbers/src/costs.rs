//! Chapters 10 and 11: what operations send, counted in runs of the reference, and what the parties keep.

use duoram_reference::local::{Delivery, LocalSession, share};
use duoram_reference::{Batch, HEADER_LENGTH, Parameters, Plain, SessionId, Word};
use duoram_spec::paper::compressed::compress;
use duoram_spec::paper::memory::initial;

use crate::error::Error;
use crate::files::Page;
use crate::table::Table;

/// The tables of both chapters.
pub(crate) fn pages() -> Result<Vec<Page>, Error> {
    Ok(vec![
        Page::new("online-cost.md", online()?),
        Page::new("table-2.md", table_2()?),
        Page::new("preprocessing-messages.md", preprocessing()?),
        Page::new("state-size.md", state_size()),
    ])
}

/// Words that each party sent, and sequential messages.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Cost {
    words: [usize; 3],
    sequential: u32,
}

impl Cost {
    fn of(log: &[Delivery]) -> Self {
        let mut cost = Self::default();
        for sent in log {
            cost.words[sent.frame.from.index()] += payload_bytes(sent) / 8;
            cost.sequential = cost.sequential.max(sent.depth);
        }
        cost
    }

    /// One after the other.
    fn then(self, next: Self) -> Self {
        Self {
            words: std::array::from_fn(|party| self.words[party] + next.words[party]),
            sequential: self.sequential + next.sequential,
        }
    }
}

fn payload_bytes(sent: &Delivery) -> usize {
    sent.frame.bytes.len() - HEADER_LENGTH
}

/// A session with material, of which nothing is in the log yet.
fn session(log_size: u32, reads: usize, updates: usize) -> Result<LocalSession, Error> {
    let parameters = Parameters::new(SessionId(*b"words of a book."), log_size)?;
    let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain)?;
    session.connect()?;
    session.preprocess(Batch { reads, updates })?;
    session.record();
    Ok(session)
}

fn shares(words: &[Word]) -> [Vec<Word>; 2] {
    let mask = |word: Word| word.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x77;
    let pairs: Vec<[Word; 2]> = words.iter().map(|word| share(*word, mask(*word))).collect();
    [0, 1].map(|b: usize| pairs.iter().map(|pair| pair[b]).collect())
}

fn reads(log_size: u32, k: usize) -> Result<Cost, Error> {
    let mut session = session(log_size, k, 0)?;
    let [first, second] = shares(&vec![1; k]);
    session.read([&first, &second])?;
    Ok(Cost::of(&session.take_log()))
}

fn dependent_reads(log_size: u32, k: usize) -> Result<Cost, Error> {
    let mut session = session(log_size, k, 0)?;
    let mut address = shares(&[1]);
    let mut cost = Cost::default();
    for _ in 0..k {
        address = session.read([&address[0], &address[1]])?;
        cost = cost.then(Cost::of(&session.take_log()));
    }
    Ok(cost)
}

fn updates(log_size: u32, k: usize) -> Result<Cost, Error> {
    let mut session = session(log_size, 0, k)?;
    let (addresses, values) = (shares(&vec![1; k]), shares(&vec![5; k]));
    let queries = [0, 1].map(|b: usize| -> Vec<(Word, Word)> {
        addresses[b].iter().copied().zip(values[b].iter().copied()).collect()
    });
    session.update([&queries[0], &queries[1]])?;
    Ok(Cost::of(&session.take_log()))
}

fn writes(log_size: u32, k: usize, read_before: bool) -> Result<Cost, Error> {
    let mut session = session(log_size, 2 * k, k)?;
    let mut cost = Cost::default();
    for _ in 0..k {
        if read_before {
            let [first, second] = shares(&[1]);
            session.read([&first, &second])?;
            cost = cost.then(Cost::of(&session.take_log()));
        }
        session.write([0, 1], [2, 3])?;
        cost = cost.then(Cost::of(&session.take_log()));
    }
    Ok(cost)
}

/// The same for every size tried.
fn any_size(count: impl Fn(u32) -> Result<Cost, Error>) -> Result<Cost, Error> {
    let first = count(1)?;
    for log_size in [2, 5, 8] {
        assert_eq!(count(log_size)?, first);
    }
    Ok(first)
}

fn online() -> Result<String, Error> {
    let mut table = Table::new([
        "operation",
        "words sent by P0",
        "by P1",
        "by P2",
        "words in all",
        "bytes in all",
        "sequential messages",
    ]);
    let mut row = |name: &str, cost: Cost| {
        let [p0, p1, p2] = cost.words;
        let all = p0 + p1 + p2;
        table.row([&name, &p0, &p1, &p2, &all, &(8 * all), &cost.sequential]);
    };
    row("READ", any_size(|h| reads(h, 1))?);
    for k in [2, 3, 8] {
        row(&format!("{k} independent READs"), any_size(|h| reads(h, k))?);
    }
    for k in [2, 3, 8] {
        row(&format!("{k} dependent READs"), any_size(|h| dependent_reads(h, k))?);
    }
    row("UPDATE", any_size(|h| updates(h, 1))?);
    row("3 UPDATEs in one step", any_size(|h| updates(h, 3))?);
    row("WRITE", any_size(|h| writes(h, 1, false))?);
    row("READ, then WRITE", any_size(|h| writes(h, 1, true))?);
    Ok(table.above("The same for memories of 2, 4, 32 and 256 words."))
}

/// A count that grows by the same step for each operation more, as a formula in k.
fn formula(at: impl Fn(usize) -> Result<u64, Error>) -> Result<String, Error> {
    let step = at(3)? - at(2)?;
    for k in 1..6 {
        assert_eq!(at(k + 1)? - at(k)?, step);
    }
    let rest = at(1)? - step;
    assert!(rest == 0 || step == 0, "neither a constant nor a multiple of k");
    Ok(if step == 0 { rest.to_string() } else { format!("{step} k") })
}

/// Table 2 of the paper, 3P-DUORAM, the terms without a logarithm, beside what runs send.
fn table_2() -> Result<Table<5>, Error> {
    type Count = fn(u32, usize) -> Result<Cost, Error>;
    let mut table = Table::new([
        "block of k",
        "words, Table 2",
        "words sent by one primary here",
        "messages, Table 2",
        "sequential messages here",
    ]);
    let kinds: [(&str, &str, &str, Count); 4] = [
        ("independent READs", "2 k", "2", reads),
        ("dependent READs", "2 k", "2 k", dependent_reads),
        ("WRITEs", "9 k", "3 k", |h, k| writes(h, k, false)),
        ("interleaved: READ, then WRITE", "11 k", "5 k", |h, k| writes(h, k, true)),
    ];
    for (name, words, messages, count) in kinds {
        let sent = formula(|k| {
            let cost = count(4, k)?;
            assert_eq!(cost.words[0], cost.words[1]);
            Ok(cost.words[0] as u64)
        })?;
        let sequential = formula(|k| Ok(u64::from(count(4, k)?.sequential)))?;
        assert_eq!((sent.as_str(), sequential.as_str()), (words, messages), "Table 2, {name}");
        table.row([&name, &words, &sent, &messages, &sequential]);
    }
    Ok(table)
}

fn preprocessing() -> Result<String, Error> {
    let batches =
        [Batch { reads: 1, updates: 0 }, Batch { reads: 0, updates: 1 }, Batch { reads: 5, updates: 5 }];
    let mut table = Table::new([
        "h",
        "sequential messages: one READ item",
        "one UPDATE item",
        "five of each",
        "bytes in all: one READ item",
        "one UPDATE item",
        "five of each",
    ]);
    for log_size in [1, 2, 4, 8, 10] {
        let (mut sequential, mut bytes) = ([0; 3], [0; 3]);
        for (number, batch) in batches.into_iter().enumerate() {
            let mut session = session(log_size, 1, 0)?;
            session.preprocess(batch)?;
            let log = session.take_log();
            sequential[number] = Cost::of(&log).sequential;
            bytes[number] = log.iter().map(payload_bytes).sum::<usize>();
        }
        assert_eq!(sequential, [2 * log_size + 4; 3]);
        let ([s_0, s_1, s_2], [b_0, b_1, b_2]) = (sequential, bytes);
        table.row([&log_size, &s_0, &s_1, &s_2, &b_0, &b_1, &b_2]);
    }
    Ok(table.above("In every row $2h + 4$ sequential messages, whatever the batch."))
}

/// The compressed state is that of the specification.
fn state_size() -> Table<3> {
    let n = 64;
    let state = initial::<u64>(n);
    let bytes = |vectors: &[&Vec<u64>]| vectors.iter().map(|vector| 8 * vector.len()).sum::<usize>() / n;
    let small = compress(&state.p0);
    let paper = bytes(&[&state.p0.memory_share, &state.p0.blind, &state.p0.blinded]);
    let helper = bytes(&[&state.p2.blind_0, &state.p2.blind_1]);
    let mut table = Table::new(["bytes kept for each word of the memory", "the paper's state", "compressed"]);
    table.row([&"each primary", &paper, &bytes(&[&small.combined, &small.blind])]);
    table.row([&"P2", &helper, &helper]);
    table
}
