//! A case as JSON: in reports, in files that `--case` runs again, and on the way to the kernel's process. Fields are those
//! of the C structures, values are written as in the test vectors.

use std::fmt::Display;

use duoram_reference::{Block, Word};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::case::{Case, Key, Level, Operation, Query, Scan};
use crate::encoding::{Refusal, bits, many, one, read};

/// The deepest case that is read.
const DEEPEST: u32 = 24;

/// `duoram_key`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenKey {
    #[serde(with = "one")]
    root: Block,
    #[serde(with = "many")]
    words: Vec<Block>,
    #[serde(with = "bits")]
    left_flags: Vec<bool>,
    #[serde(with = "bits")]
    right_flags: Vec<bool>,
    #[serde(with = "one")]
    conversion_factor: Word,
}

/// `duoram_read_query` or `duoram_update_query`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenQuery {
    one: WrittenKey,
    two: WrittenKey,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    final_correction_one: Option<Hexed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    final_correction_two: Option<Hexed>,
    shift: u64,
}

/// A word that may be missing.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Hexed(#[serde(with = "one")] Word);

/// The arguments of `duoram_kernel_grow`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenGrow {
    operation: Operation,
    #[serde(with = "one")]
    session_key: Block,
    trees: usize,
    #[serde(with = "many")]
    parents: Vec<Block>,
}

/// The arguments of `duoram_kernel_evaluate`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEvaluate {
    operation: Operation,
    #[serde(with = "one")]
    session_key: Block,
    depth: u32,
    keys: Vec<WrittenKey>,
}

/// The arguments of `duoram_kernel_read` and `duoram_kernel_update`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenScan {
    operation: Operation,
    #[serde(with = "one")]
    session_key: Block,
    party: u8,
    depth: u32,
    #[serde(with = "many")]
    first: Vec<Word>,
    #[serde(with = "many")]
    second: Vec<Word>,
    queries: Vec<WrittenQuery>,
}

impl WrittenKey {
    fn new(Key { root, levels, conversion_factor }: &Key) -> Self {
        Self {
            root: *root,
            words: levels.iter().map(|level| level.word).collect(),
            left_flags: levels.iter().map(|level| level.left_flag).collect(),
            right_flags: levels.iter().map(|level| level.right_flag).collect(),
            conversion_factor: *conversion_factor,
        }
    }

    fn key(self, place: &str, depth: u32) -> Result<Key, Refusal> {
        let depth = depth as usize;
        for (name, got) in [
            ("words", self.words.len()),
            ("left_flags", self.left_flags.len()),
            ("right_flags", self.right_flags.len()),
        ] {
            if got != depth {
                return refused(&format!("{place}.{name}"), &format!("{depth}, one a level"), got);
            }
        }
        if self.words.iter().any(|word| word & 1 == 1) {
            return refused(&format!("{place}.words"), "blocks whose lowest bit is 0", 1);
        }
        let flags = self.left_flags.into_iter().zip(self.right_flags);
        let levels = self.words.into_iter().zip(flags);
        let level = |(word, (left_flag, right_flag))| Level { word, left_flag, right_flag };
        Ok(Key {
            root: self.root,
            levels: levels.map(level).collect(),
            conversion_factor: self.conversion_factor,
        })
    }
}

fn refused<T>(place: &str, expected: &str, got: impl Display) -> Result<T, Refusal> {
    Err(Refusal::new(place, expected, got.to_string()))
}

impl Case {
    /// All of it, written as the test vectors are.
    pub fn json(&self) -> Value {
        let (operation, session_key, depth) = (self.operation(), self.session_key(), self.depth());
        let written = match self {
            Self::Grow { trees, parents, .. } => serde_json::to_value(WrittenGrow {
                operation,
                session_key,
                trees: *trees,
                parents: parents.clone(),
            }),
            Self::Evaluate { keys, .. } => {
                let keys = keys.iter().map(WrittenKey::new).collect();
                serde_json::to_value(WrittenEvaluate { operation, session_key, depth, keys })
            }
            Self::Read(scan) | Self::Update(scan) => {
                let [first, second] = scan.memory.clone();
                let correction = |word| (operation == Operation::Update).then_some(Hexed(word));
                let query = |Query { keys: [one, two], final_corrections: [f_one, f_two], shift }: &Query| {
                    WrittenQuery {
                        one: WrittenKey::new(one),
                        two: WrittenKey::new(two),
                        final_correction_one: correction(*f_one),
                        final_correction_two: correction(*f_two),
                        shift: *shift,
                    }
                };
                let (party, queries) = (scan.party, scan.queries.iter().map(query).collect());
                let scan = WrittenScan { operation, session_key, party, depth, first, second, queries };
                serde_json::to_value(scan)
            }
        };
        // Texts, numbers and lists of them: there is nothing that JSON does not have.
        written.unwrap_or(Value::Null)
    }

    /// The reverse of [`Case::json`].
    ///
    /// # Errors
    ///
    /// What is no case, or none that the header allows.
    pub(crate) fn from_json(value: &Value) -> Result<Self, Refusal> {
        let operation: Operation = read("case.operation", &value["operation"])?;
        match operation {
            Operation::Grow => {
                let WrittenGrow { session_key, trees, parents, .. } = read("case", value)?;
                let width = parents.len().checked_div(trees).unwrap_or_default();
                if !width.is_power_of_two() || width * trees != parents.len() || width >> DEEPEST > 1 {
                    return refused(
                        "case.parents",
                        &format!("2^h blocks for each of at least one tree, h at most {DEEPEST}"),
                        format!("{} for {trees} trees", parents.len()),
                    );
                }
                Ok(Self::Grow { session_key, trees, parents })
            }
            Operation::Evaluate => {
                let WrittenEvaluate { session_key, depth, keys, .. } = read("case", value)?;
                allowed(depth, keys.len())?;
                let keys = keys.into_iter().enumerate();
                let keys = keys.map(|(number, key)| key.key(&format!("case.keys[{number}]"), depth));
                Ok(Self::Evaluate { session_key, keys: keys.collect::<Result<_, _>>()? })
            }
            Operation::Read | Operation::Update => {
                let scan = read_scan(read("case", value)?)?;
                Ok(if operation == Operation::Read { Self::Read(scan) } else { Self::Update(scan) })
            }
        }
    }
}

fn allowed(depth: u32, count: usize) -> Result<(), Refusal> {
    match (depth, count) {
        (1..=DEEPEST, 1..) => Ok(()),
        (1..=DEEPEST, 0) => refused("case", "at least one key or query", "none"),
        _ => refused("case.depth", &format!("1 to {DEEPEST}"), depth),
    }
}

fn read_scan(written: WrittenScan) -> Result<Scan, Refusal> {
    let WrittenScan { operation, session_key, party, depth, first, second, queries } = written;
    allowed(depth, queries.len())?;
    let n = 1 << depth;
    if party > 2 {
        return refused("case.party", "0, 1 or 2", party);
    }
    for (name, got) in [("case.first", first.len()), ("case.second", second.len())] {
        if got != n {
            return refused(name, &format!("{n} words"), format!("{got} words"));
        }
    }
    let mut scan = Scan { session_key, party, memory: [first, second], queries: Vec::new() };
    for (number, query) in queries.into_iter().enumerate() {
        let place = format!("case.queries[{number}]");
        if query.shift >= n as u64 {
            return refused(&format!("{place}.shift"), &format!("a number below {n}"), query.shift);
        }
        let corrections = [query.final_correction_one, query.final_correction_two];
        if corrections.iter().any(|word| word.is_some() != (operation == Operation::Update)) {
            let expected =
                "final_correction_one and final_correction_two in an update, and in a read neither";
            return refused(&place, expected, "others");
        }
        scan.queries.push(Query {
            keys: [
                query.one.key(&format!("{place}.one"), depth)?,
                query.two.key(&format!("{place}.two"), depth)?,
            ],
            final_corrections: corrections.map(|word| word.map_or(0, |Hexed(word)| word)),
            shift: query.shift,
        });
    }
    Ok(scan)
}
