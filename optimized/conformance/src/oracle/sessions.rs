//! Requests about what parties draw and send: a stream of words, and whole sessions, frame by frame.

use std::ops::RangeInclusive;

use duoram_spec::paper::session::UpdateQuery;
use duoram_vectors::session::{Call, Case};
use serde_json::Value;

use super::fields::{Fields, Refusal};

/// The sessions that are answered: the specification computes AES bit by bit, three trees of two parties for each item.
const LOG_SIZES: RangeInclusive<u64> = 1..=8;

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

/// Every message of a session, from its seeds and its steps.
///
/// # Errors
///
/// An input that is none, a step out of turn, or one for which nothing is prepared.
pub(super) fn answer_session(input: &Fields<'_>) -> Result<Value, Refusal> {
    let log_size = usize::try_from(input.number("log_size", LOG_SIZES)?).unwrap_or_default();
    let seeds = [input.seed("seed_0")?, input.seed("seed_1")?, input.seed("seed_2")?];
    let (mut calls, mut items) = (Vec::new(), Items::default());
    for (number, (path, step)) in input.objects("steps", MOST_STEPS)?.into_iter().enumerate() {
        if let Some(call) = call(number, &path, step, 1 << log_size, &mut items)? {
            calls.push(call);
        }
    }
    if input.objects("steps", MOST_STEPS)?.is_empty() {
        return Err(input.refuse("steps", "a step connect, and others after it"));
    }
    Ok(duoram_vectors::session::outcome(&Case { log_size, seeds, calls }))
}

/// A step; `None` for the connect, which every session begins with.
fn call(
    number: usize,
    path: &str,
    value: &Value,
    n: usize,
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
        return Ok(Some(Call::Read(addresses)));
    }
    if number > 0 && (named("update") || named("write")) {
        let step = fields(&queried)?;
        let (addresses, values) = (pairs(&step, "addresses")?, pairs(&step, "values")?);
        if addresses.len() != values.len() || named("write") && addresses.len() != 1 {
            return Err(step.refuse("values_0", "a value for each address, in a write one of each"));
        }
        items.take(&step, usize::from(named("write")), addresses.len())?;
        let query = |(address, value)| UpdateQuery { address, value };
        let queries: Vec<_> = addresses.into_iter().zip(values).map(query).collect();
        return Ok(Some(if named("write") { Call::Write(queries[0]) } else { Call::Update(queries) }));
    }
    if number > 0 && named("preprocess") {
        let step = fields(&["step", "reads", "updates"])?;
        let left = (MOST_ITEMS - items.prepared) as u64;
        let reads = step.number("reads", 0..=left)?;
        let updates = step.number("updates", u64::from(reads == 0)..=left - reads)?;
        let [reads, updates] = [reads, updates].map(|count| usize::try_from(count).unwrap_or_default());
        items.reads += reads;
        items.updates += updates;
        items.prepared += reads + updates;
        return Ok(Some(Call::Preprocess { reads, updates }));
    }
    if number == 1 && named("load") {
        let step = fields(&["step", "memory_share_0", "memory_share_1"])?;
        return Ok(Some(Call::Load(step.words("memory_share_0", n)?, step.words("memory_share_1", n)?)));
    }
    let expected = match number {
        0 => "connect",
        1 => "load, preprocess, read, update or write",
        _ => "preprocess, read, update or write",
    };
    Err(fields(&[&["memory_share_0", "memory_share_1", "reads", "updates"], &queried[..]].concat())?
        .refuse("step", expected))
}

/// Two fields `name_0` and `name_1` of equally many words.
fn pairs(step: &Fields<'_>, name: &str) -> Result<Vec<(u64, u64)>, Refusal> {
    let shares = step.some_words(&format!("{name}_0"))?;
    if shares.len() > MOST_STEPS {
        return Err(step.refuse(&format!("{name}_0"), format!("at most {MOST_STEPS} words")));
    }
    let others = step.words(&format!("{name}_1"), shares.len())?;
    Ok(shares.into_iter().zip(others).collect())
}
