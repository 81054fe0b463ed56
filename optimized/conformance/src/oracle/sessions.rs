//! Requests about what parties draw and send: a stream of words, and whole sessions, frame by frame.

use std::ops::RangeInclusive;

use duoram_spec::core::block::Block;
use duoram_spec::core::ring::XorWord;
use duoram_spec::lean::online::Query;
use duoram_spec::paper::session::UpdateQuery;
use duoram_vectors::lean::session as lean;
use duoram_vectors::session as paper;
use serde_json::Value;

use super::fields::{Fields, Refusal};
use super::two_party::pairs as pairs_of;

/// The sessions that are answered: the specification computes AES bit by bit, three trees of two parties for each item.
const LOG_SIZES: RangeInclusive<u64> = 1..=8;

/// Those of the lean protocol, whose trees are an eighth as large.
const LEAN_LOG_SIZES: RangeInclusive<u64> = 1..=10;

/// The fields of a session.
pub(super) const SESSION: [&str; 5] = ["log_size", "seed_0", "seed_1", "seed_2", "steps"];

/// Those of one of the lean protocol.
pub(super) const LEAN_SESSION: [&str; 6] = ["log_size", "rows", "seed_0", "seed_1", "seed_2", "steps"];

/// Items that a session may prepare in all.
const MOST_ITEMS: usize = 32;

/// Steps of a session, and queries of a step, at most.
const MOST_STEPS: usize = 100;

/// Words of a stream, at most.
const MOST_WORDS: u64 = 1 << 16;

/// The first words of a party's stream.
///
/// # Errors
///
/// An input that is none.
pub(super) fn answer_randomness(input: &Fields<'_>) -> Result<Value, Refusal> {
    let count = input.number("count", 1..=MOST_WORDS)?;
    let count = usize::try_from(count).unwrap_or_default();
    Ok(duoram_vectors::randomness::output(input.seed("seed")?, count))
}

/// Items that are prepared and not used, for READs and for UPDATEs.
#[derive(Default)]
struct Items {
    reads: usize,
    updates: usize,
    /// Of both kinds, used or not.
    prepared: usize,
    /// Results of the step before, which a READ may follow.
    results: usize,
}

impl Items {
    /// Takes what a step of so many queries needs.
    fn take(&mut self, step: &Fields<'_>, reads: usize, updates: usize) -> Result<(), Refusal> {
        let Some((left_reads, left_updates)) =
            self.reads.checked_sub(reads).zip(self.updates.checked_sub(updates))
        else {
            let Self { reads, updates, .. } = self;
            let expected = format!("a step that needs at most {reads} READ and {updates} UPDATE items");
            return Err(step.refuse("step", expected));
        };
        (self.reads, self.updates) = (left_reads, left_updates);
        Ok(())
    }
}

/// Two shares.
type Shares = (u64, u64);

/// A step after the connect.
pub(super) enum Call {
    Load(Vec<u64>, Vec<u64>),
    Preprocess {
        reads: usize,
        updates: usize,
        /// Of two parties: the keys of the OTs that P0 and P1 send.
        sent: [Vec<(Block, Block)>; 2],
    },
    Read(Vec<Shares>),
    /// READs at the results of the step before, of two parties.
    Follow,
    /// Shares of addresses and of values.
    Update(Vec<(Shares, Shares)>),
    Write(Shares, Shares),
    Swap(Shares, Shares),
}

/// What a protocol's sessions have.
struct Rules {
    log_sizes: RangeInclusive<u64>,
    /// READ and UPDATE items that a WRITE takes.
    write: [usize; 2],
    /// Whether there are SWAPs.
    swap: bool,
    /// Whether addresses may have no words: then it is said how many have some.
    rows: bool,
    /// Whether batches come with what their OTs give, and a READ may follow another.
    transfers: bool,
}

/// A session of three: h, the seeds, and the steps after the connect.
type Case = (usize, [[u8; 32]; 3], Vec<Call>);

/// Every message of a session, from its seeds and its steps.
///
/// # Errors
///
/// An input that is none, a step out of turn, or one for which nothing is prepared.
pub(super) fn answer_session(input: &Fields<'_>) -> Result<Value, Refusal> {
    let (log_size, seeds, calls) = case(
        input,
        &Rules { log_sizes: LOG_SIZES, write: [1, 1], swap: false, rows: false, transfers: false },
    )?;
    let query = |(address, value)| UpdateQuery { address, value };
    let call = |call| match call {
        Call::Load(share_0, share_1) => paper::Call::Load(share_0, share_1),
        Call::Preprocess { reads, updates, .. } => paper::Call::Preprocess { reads, updates },
        // Only of two parties is there a step that follows.
        Call::Follow => paper::Call::Read(vec![]),
        Call::Read(addresses) => paper::Call::Read(addresses),
        Call::Update(queries) => paper::Call::Update(queries.into_iter().map(query).collect()),
        Call::Write(address, value) | Call::Swap(address, value) => {
            paper::Call::Write(query((address, value)))
        }
    };
    let calls = calls.into_iter().map(call).collect();
    Ok(paper::outcome(&paper::Case { log_size, seeds, calls }))
}

/// The same of the lean protocol.
///
/// # Errors
///
/// Those of [`answer_session`].
pub(super) fn answer_lean_session(input: &Fields<'_>) -> Result<Value, Refusal> {
    let rules = Rules { log_sizes: LEAN_LOG_SIZES, write: [0, 1], swap: true, rows: true, transfers: false };
    let (log_size, seeds, calls) = case(input, &rules)?;
    let rows = rows(input, log_size)?;
    let ring = |bits| XorWord { bits };
    let query = |((address_0, address_1), (value_0, value_1))| {
        let share = |address, value| Query { address, value: ring(value) };
        (share(address_0, value_0), share(address_1, value_1))
    };
    let words = |words: Vec<u64>| words.into_iter().map(ring).collect();
    let call = |call| match call {
        Call::Load(share_0, share_1) => lean::Call::Load(words(share_0), words(share_1)),
        Call::Preprocess { reads, updates, .. } => lean::Call::Preprocess { reads, updates },
        Call::Follow => lean::Call::Read(vec![]),
        Call::Read(addresses) => lean::Call::Read(addresses),
        Call::Update(queries) => lean::Call::Update(queries.into_iter().map(query).collect()),
        Call::Write(address, value) => lean::Call::Write(query((address, value))),
        Call::Swap(address, value) => lean::Call::Swap(query((address, value))),
    };
    let calls = calls.into_iter().map(call).collect();
    Ok(lean::outcome(&lean::Case { log_size, words: rows, seeds, calls }))
}

/// m: so many that h is the smallest, from 1 on, for them.
fn rows(input: &Fields<'_>, log_size: usize) -> Result<usize, Refusal> {
    let n = 1_u64 << log_size;
    let least = if log_size == 1 { 1 } else { n / 2 + 1 };
    Ok(usize::try_from(input.number("rows", least..=n)?).unwrap_or_default())
}

/// A session of two parties: h, and the steps after the connect.
pub(super) fn two_party(input: &Fields<'_>) -> Result<(usize, Vec<Call>), Refusal> {
    let rules = Rules { log_sizes: LOG_SIZES, write: [1, 1], swap: true, rows: false, transfers: true };
    calls(input, &rules)
}

fn case(input: &Fields<'_>, rules: &Rules) -> Result<Case, Refusal> {
    let seeds = [input.seed("seed_0")?, input.seed("seed_1")?, input.seed("seed_2")?];
    calls(input, rules).map(|(log_size, calls)| (log_size, seeds, calls))
}

fn calls(input: &Fields<'_>, rules: &Rules) -> Result<(usize, Vec<Call>), Refusal> {
    let log_size = usize::try_from(input.number("log_size", rules.log_sizes.clone())?).unwrap_or_default();
    let words = if rules.rows { rows(input, log_size)? } else { 1 << log_size };
    let (mut calls, mut items) = (Vec::new(), Items::default());
    for (number, (path, step)) in input.objects("steps", MOST_STEPS)?.into_iter().enumerate() {
        if let Some(call) = call(number, &path, step, (log_size, words), rules, &mut items)? {
            calls.push(call);
        }
    }
    if input.objects("steps", MOST_STEPS)?.is_empty() {
        return Err(input.refuse("steps", "a step connect, and others after it"));
    }
    Ok((log_size, calls))
}

/// A step; `None` for the connect, which every session begins with.
fn call(
    number: usize,
    path: &str,
    value: &Value,
    (log_size, words): (usize, usize),
    rules: &Rules,
    items: &mut Items,
) -> Result<Option<Call>, Refusal> {
    let named = |name: &str| value["step"] == name;
    let fields = |known: &[&str]| Fields::new(path, value, known);
    let queried = ["step", "addresses_0", "addresses_1", "values_0", "values_1"];
    if named("connect") && number == 0 {
        return fields(&["step"]).map(|_| None);
    }
    if number > 0 && named("read") {
        let step = fields(&queried[..3])?;
        let addresses = pairs(&step, "addresses")?;
        items.take(&step, addresses.len(), 0)?;
        items.results = addresses.len();
        return Ok(Some(Call::Read(addresses)));
    }
    if number > 0 && rules.transfers && named("follow") && items.results > 0 {
        let step = fields(&["step"])?;
        items.take(&step, items.results, 0)?;
        return Ok(Some(Call::Follow));
    }
    let results = std::mem::take(&mut items.results);
    let swap = rules.swap && named("swap");
    if number > 0 && (named("update") || named("write") || swap) {
        let step = fields(&queried)?;
        let (addresses, values) = (pairs(&step, "addresses")?, pairs(&step, "values")?);
        let queries: Vec<_> = addresses.iter().copied().zip(values.iter().copied()).collect();
        return match (&queries[..], named("update")) {
            _ if addresses.len() != values.len() => Err(step.refuse("values_0", EQUAL)),
            (_, true) => items.take(&step, 0, queries.len()).map(|()| Some(Call::Update(queries))),
            (&[(address, value)], false) => {
                let [reads, updates] = rules.write;
                items.take(&step, reads, updates)?;
                items.results = usize::from(swap);
                Ok(Some(if swap { Call::Swap(address, value) } else { Call::Write(address, value) }))
            }
            _ => Err(step.refuse("values_0", EQUAL)),
        };
    }
    if number > 0 && named("preprocess") {
        // What is prepared in between leaves results as they are.
        items.results = results;
        let known = ["step", "reads", "updates", "sent_0", "sent_1"];
        let step = fields(if rules.transfers { &known } else { &known[..3] })?;
        let left = (MOST_ITEMS - items.prepared) as u64;
        let reads = step.number("reads", 0..=left)?;
        let updates = step.number("updates", u64::from(reads == 0)..=left - reads)?;
        let [reads, updates] = [reads, updates].map(|count| usize::try_from(count).unwrap_or_default());
        items.reads += reads;
        items.updates += updates;
        items.prepared += reads + updates;
        let transfers = if rules.transfers { log_size * (reads + updates) } else { 0 };
        let sent = |name| if rules.transfers { pairs_of(&step, name, transfers) } else { Ok(vec![]) };
        let sent = [sent("sent_0")?, sent("sent_1")?];
        return Ok(Some(Call::Preprocess { reads, updates, sent }));
    }
    if number == 1 && named("load") {
        let step = fields(&["step", "memory_share_0", "memory_share_1"])?;
        return Ok(Some(Call::Load(
            step.words("memory_share_0", words)?,
            step.words("memory_share_1", words)?,
        )));
    }
    let operations = if rules.swap { "read, update, write or swap" } else { "read, update or write" };
    let expected = match number {
        0 => "connect".to_owned(),
        1 => format!("load, preprocess, {operations}"),
        _ => format!("preprocess, {operations}"),
    };
    Err(fields(&[&["memory_share_0", "memory_share_1", "reads", "updates"], &queried[..]].concat())?
        .refuse("step", expected))
}

/// What the values of a step must be.
const EQUAL: &str = "a value for each address, in a write or swap one of each";

/// Two fields `name_0` and `name_1` of equally many words.
fn pairs(step: &Fields<'_>, name: &str) -> Result<Vec<(u64, u64)>, Refusal> {
    let shares = step.some_words(&format!("{name}_0"))?;
    if shares.len() > MOST_STEPS {
        return Err(step.refuse(&format!("{name}_0"), format!("at most {MOST_STEPS} words")));
    }
    let others = step.words(&format!("{name}_1"), shares.len())?;
    Ok(shares.into_iter().zip(others).collect())
}
