//! A case as JSON: in reports, in files that `--case` runs again, and on the way to the kernel's process. Fields are those
//! of the C structures, values are written as in the test vectors.

use std::fmt::Display;

use duoram_reference::{Block, Word};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::case::{Case, Key, Level, Operation, Query, Scan};
use super::lean::{FlagKey, NODE_WORDS, Selection, ValueUpdate, flag_mask, flag_words};
use crate::encoding::{Refusal, bits, many, one, read};
use duoram_spec::lean::layers::{flag_depth, word_depth};

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

/// The arguments of `duoram_kernel_grow` and `duoram_kernel_lean_sums`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLevel {
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

/// `duoram_lean_flag_key`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFlagKey {
    key: WrittenKey,
    #[serde(with = "one")]
    flag_correction: Block,
}

/// The arguments of `duoram_kernel_lean_flags`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLeanFlags {
    operation: Operation,
    #[serde(with = "one")]
    session_key: Block,
    depth: u32,
    keys: Vec<WrittenFlagKey>,
}

/// A query of `duoram_kernel_lean_read`: its flags and its shift.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSelection {
    #[serde(with = "many")]
    flags: Vec<Word>,
    shift: u64,
}

/// The arguments of `duoram_kernel_lean_read`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLeanRead {
    operation: Operation,
    depth: u32,
    #[serde(with = "many")]
    memory: Vec<Word>,
    queries: Vec<WrittenSelection>,
}

/// `duoram_lean_update_query`, and its flags.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenValueUpdate {
    key: WrittenKey,
    #[serde(with = "many")]
    word_correction: Vec<Word>,
    #[serde(with = "one")]
    final_correction: Word,
    #[serde(with = "many")]
    flags: Vec<Word>,
    shift: u64,
}

/// The arguments of `duoram_kernel_lean_update`
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenLeanUpdate {
    operation: Operation,
    #[serde(with = "one")]
    session_key: Block,
    depth: u32,
    #[serde(with = "many")]
    memory: Vec<Word>,
    queries: Vec<WrittenValueUpdate>,
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

    fn key(self, place: &str, depth: usize) -> Result<Key, Refusal> {
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
            Self::Grow { trees, parents, .. } | Self::LeanSums { trees, parents, .. } => {
                serde_json::to_value(WrittenLevel {
                    operation,
                    session_key,
                    trees: *trees,
                    parents: parents.clone(),
                })
            }
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
            Self::LeanFlags { keys, .. } => {
                let key = |key: &FlagKey| WrittenFlagKey {
                    key: WrittenKey::new(&key.key),
                    flag_correction: key.correction,
                };
                let keys = keys.iter().map(key).collect();
                serde_json::to_value(WrittenLeanFlags { operation, session_key, depth, keys })
            }
            Self::LeanRead { memory, queries } => {
                let query =
                    |query: &Selection| WrittenSelection { flags: query.flags.clone(), shift: query.shift };
                let (memory, queries) = (memory.clone(), queries.iter().map(query).collect());
                serde_json::to_value(WrittenLeanRead { operation, depth, memory, queries })
            }
            Self::LeanUpdate { memory, queries, .. } => {
                let query = |query: &ValueUpdate| WrittenValueUpdate {
                    key: WrittenKey::new(&query.key),
                    word_correction: query.word_correction.to_vec(),
                    final_correction: query.final_correction,
                    flags: query.selection.flags.clone(),
                    shift: query.selection.shift,
                };
                let (memory, queries) = (memory.clone(), queries.iter().map(query).collect());
                serde_json::to_value(WrittenLeanUpdate { operation, session_key, depth, memory, queries })
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
            Operation::Grow | Operation::LeanSums => {
                let WrittenLevel { session_key, trees, parents, .. } = read("case", value)?;
                let width = parents.len().checked_div(trees).unwrap_or_default();
                if !width.is_power_of_two() || width * trees != parents.len() || width >> DEEPEST > 1 {
                    return refused(
                        "case.parents",
                        &format!("2^h blocks for each of at least one tree, h at most {DEEPEST}"),
                        format!("{} for {trees} trees", parents.len()),
                    );
                }
                Ok(if operation == Operation::Grow {
                    Self::Grow { session_key, trees, parents }
                } else {
                    Self::LeanSums { session_key, trees, parents }
                })
            }
            Operation::Evaluate => {
                let WrittenEvaluate { session_key, depth, keys, .. } = read("case", value)?;
                allowed(depth, keys.len())?;
                let keys = keys.into_iter().enumerate();
                let keys = keys.map(|(number, key)| key.key(&format!("case.keys[{number}]"), depth as usize));
                Ok(Self::Evaluate { session_key, keys: keys.collect::<Result<_, _>>()? })
            }
            Operation::Read | Operation::Update => {
                let scan = read_scan(read("case", value)?)?;
                Ok(if operation == Operation::Read { Self::Read(scan) } else { Self::Update(scan) })
            }
            Operation::LeanFlags => {
                let WrittenLeanFlags { session_key, depth, keys, .. } = read("case", value)?;
                allowed(depth, keys.len())?;
                let keys = keys.into_iter().enumerate().map(|(number, written)| {
                    let place = format!("case.keys[{number}].key");
                    let key = written.key.key(&place, flag_depth(depth as usize))?;
                    Ok(FlagKey { key, correction: written.flag_correction })
                });
                Ok(Self::LeanFlags { session_key, depth, keys: keys.collect::<Result<_, _>>()? })
            }
            Operation::LeanRead => {
                let WrittenLeanRead { depth, memory, queries, .. } = read("case", value)?;
                allowed(depth, queries.len())?;
                fits("case.memory", memory.len(), 1 << depth)?;
                let queries = queries.into_iter().enumerate().map(|(number, query)| {
                    selection(&format!("case.queries[{number}]"), depth, query.flags, query.shift)
                });
                Ok(Self::LeanRead { memory, queries: queries.collect::<Result<_, _>>()? })
            }
            Operation::LeanUpdate => {
                let WrittenLeanUpdate { session_key, depth, memory, queries, .. } = read("case", value)?;
                allowed(depth, queries.len())?;
                fits("case.memory", memory.len(), 1 << depth)?;
                let queries = queries.into_iter().enumerate().map(|(number, query)| {
                    let place = format!("case.queries[{number}]");
                    let words = query.word_correction;
                    fits(&format!("{place}.word_correction"), words.len(), NODE_WORDS)?;
                    Ok(ValueUpdate {
                        key: query.key.key(&format!("{place}.key"), word_depth(depth as usize))?,
                        word_correction: words.as_chunks().0[0],
                        final_correction: query.final_correction,
                        selection: selection(&place, depth, query.flags, query.shift)?,
                    })
                });
                let queries = queries.collect::<Result<_, _>>()?;
                Ok(Self::LeanUpdate { session_key, memory, queries })
            }
        }
    }
}

/// So many words.
fn fits(place: &str, got: usize, expected: usize) -> Result<(), Refusal> {
    if got == expected {
        return Ok(());
    }
    refused(place, &format!("{expected} words"), format!("{got} words"))
}

fn shift_allowed(place: &str, shift: u64, depth: u32) -> Result<(), Refusal> {
    let n = 1_u64 << depth;
    if shift < n {
        return Ok(());
    }
    refused(&format!("{place}.shift"), &format!("a number below {n}"), shift)
}

fn selection(place: &str, depth: u32, flags: Vec<Word>, shift: u64) -> Result<Selection, Refusal> {
    shift_allowed(place, shift, depth)?;
    let place = format!("{place}.flags");
    fits(&place, flags.len(), flag_words(depth))?;
    if flags.iter().any(|word| word & !flag_mask(depth) != 0) {
        return refused(&place, "no bit after the last flag", "one");
    }
    Ok(Selection { flags, shift })
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
        fits(name, got, n)?;
    }
    let mut scan = Scan { session_key, party, memory: [first, second], queries: Vec::new() };
    for (number, query) in queries.into_iter().enumerate() {
        let place = format!("case.queries[{number}]");
        shift_allowed(&place, query.shift, depth)?;
        let corrections = [query.final_correction_one, query.final_correction_two];
        if corrections.iter().any(|word| word.is_some() != (operation == Operation::Update)) {
            let expected =
                "final_correction_one and final_correction_two in an update, and in a read neither";
            return refused(&place, expected, "others");
        }
        scan.queries.push(Query {
            keys: [
                query.one.key(&format!("{place}.one"), depth as usize)?,
                query.two.key(&format!("{place}.two"), depth as usize)?,
            ],
            final_corrections: corrections.map(|word| word.map_or(0, |Hexed(word)| word)),
            shift: query.shift,
        });
    }
    Ok(scan)
}
