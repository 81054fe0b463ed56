//! A READ or an UPDATE by the parties of the reference, any of which may lose its power after any step: what is on its disk, what is
//! lost, what it does again, and that the result is right and nothing is used twice; or, with disks that lie, what comes of that.
//!
//! Nothing is played here: the parties are those that run on three hosts, with `Plain` for their local computation, and records
//! and snapshots are theirs. Only the disk is a list, and the links are a queue.

mod hosts;
mod run;
mod said;
#[cfg(test)]
mod tests;
mod words;

use duoram_reference::Role;
use serde::Serialize;

use crate::inputs::{BadInput, Inputs};
use said::Message;

/// The memory has four words of 64 bits, of which the widget chooses small ones, so that they can be read.
const LOG_SIZE: u32 = 2;
const N: usize = 4;
/// Words of the memory, and the value of an UPDATE, are below this.
const SMALL: u64 = 100;
/// So often a plug may be pulled.
const PULLS: usize = 8;

/// Where a record is.
#[derive(Clone, Copy, Serialize, PartialEq, Eq, Debug)]
enum Standing {
    /// It is on disk.
    #[serde(rename = "on disk")]
    Disk,
    /// It is appended, and the disk does not have it yet.
    #[serde(rename = "not yet")]
    Waiting,
    /// The disk says that it has it; it has it in a cache that needs power.
    #[serde(rename = "in cache")]
    Cached,
    /// It was not on disk when the power failed.
    #[serde(rename = "lost")]
    Lost,
    /// It is on disk, and was just done again.
    #[serde(rename = "done again")]
    Again,
}

/// What disks do with what they are asked to write.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Disks {
    /// They have what they say that they have: what the store asks for.
    Keep,
    /// They say so, and have it in a cache, which they do not write before the end: `lying-fsync` of the simulation.
    Cache,
}

/// A record of a journal.
#[derive(Clone, Serialize)]
struct Record {
    what: String,
    state: Standing,
}

/// A party as one sees it from outside, and what the client has of it.
#[derive(Clone, Serialize)]
struct Seen {
    party: String,
    /// Whether it has power.
    up: bool,
    /// The items that it has left, of READ and of UPDATE; none without power.
    left: Option<[usize; 2]>,
    /// The records since the snapshot, from number 1 on.
    records: Vec<Record>,
    /// What the client does with its command: it keeps it, or it may forget it (rule 5).
    command: &'static str,
    /// The answer that the client has.
    answer: String,
}

/// One step.
#[derive(Serialize)]
struct Step {
    line: String,
    /// Why.
    text: &'static str,
    /// What is done then.
    does: Vec<String>,
    /// What is lost on its way.
    lost: Vec<String>,
    parties: Vec<Seen>,
    /// All messages so far.
    messages: Vec<Message>,
    /// How many messages were said in two ways.
    two_ways: usize,
    /// How many inputs somebody was told of that they are on a disk, and need not be kept.
    told: usize,
    /// How many of these are lost: they are on no disk, and in no cache of one.
    broken: usize,
    /// At the end: what the client reads, and what it should.
    end: Option<End>,
}

/// How it ends.
#[derive(Clone, Serialize)]
struct End {
    /// The memory, as the client reads it then.
    memory: Vec<String>,
    /// As it should be.
    ideal: Vec<String>,
    /// What both answers add up to, and the word that it should be; none of an UPDATE.
    result: Option<(String, String)>,
    equal: &'static str,
}

/// All of it.
#[derive(Serialize)]
pub(crate) struct Shown {
    /// The memory before.
    memory: Vec<String>,
    address: usize,
    /// Of an UPDATE.
    value: Option<u64>,
    steps: Vec<Step>,
}

/// A plug that is pulled after a step: the first step is 0.
#[derive(Clone, Copy)]
struct Pull {
    role: Role,
    after: usize,
}

/// What is asked for.
struct Asked {
    address: usize,
    /// What an UPDATE adds; none for a READ.
    value: Option<u64>,
    seed: u64,
    disks: Disks,
    /// In order.
    pulls: Vec<Pull>,
}

/// Validates the form and runs it. `pulls` is a list as `P0@5 P2@11`: after step 5, and after step 11.
pub(crate) fn show(inputs: &Inputs) -> Result<Shown, BadInput> {
    let address = inputs.number("address", N as u64 - 1)?;
    let value = match inputs.text("operation") {
        "read" => None,
        "update" => Some(inputs.number("value", SMALL - 1)?),
        _ => return Err(inputs.refused("operation", "read or update")),
    };
    let seed = inputs.number("seed", u64::MAX)?;
    let disks = match inputs.text("disks") {
        "keep" => Disks::Keep,
        "cache" => Disks::Cache,
        _ => return Err(inputs.refused("disks", "keep or cache")),
    };
    let refused =
        || inputs.refused("pulls", "parties with power, each with a step before the last, in order");
    let pulls = inputs.text("pulls").split_whitespace().map(pull).collect::<Option<Vec<_>>>();
    let pulls = pulls.filter(|pulls| pulls.len() <= PULLS && pulls.is_sorted_by(|a, b| a.after < b.after));
    let asked = Asked {
        address: usize::try_from(address).unwrap_or_default(),
        value,
        seed,
        disks,
        pulls: pulls.ok_or_else(refused)?,
    };
    match run::run(&asked) {
        Ok(Some(shown)) => Ok(shown),
        Ok(None) => Err(refused()),
        Err(error) => Err(BadInput { field: String::new(), message: error.to_string() }),
    }
}

/// A party and a step, counted from 1, as in `P0@5`.
fn pull(text: &str) -> Option<Pull> {
    let (party, step) = text.split_once('@')?;
    let role = Role::ALL.into_iter().find(|role| role.to_string() == party)?;
    let step: usize = step.parse().ok()?;
    Some(Pull { role, after: step.checked_sub(1)? })
}
