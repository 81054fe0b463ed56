//! What a run prints, as text and as JSON.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::{Job, Options};
use crate::hex::Hex;
use crate::report::PhaseReport;
use duoram_conformance::audit::Audited;
use duoram_conformance::check::{Checker, Mismatch, TRANSCRIPT_LOG_SIZE, Tally};
use duoram_reference::Word;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::operation::{Operation, Row};
use duoram_runtime::owner::Summary;
use duoram_runtime::protocol::Rules;

/// An operation that is done.
#[derive(Serialize)]
pub(crate) struct OperationReport {
    line: usize,
    operation: String,
    result: Option<ResultReport>,
}

/// A result: a word, or the words of a row.
#[derive(Serialize)]
#[serde(untagged)]
enum ResultReport {
    Word(Hex),
    Row(Vec<Hex>),
}

impl From<Row> for ResultReport {
    fn from(row: Row) -> Self {
        match row[..] {
            [word] => Self::Word(Hex(word)),
            _ => Self::Row(row.into_iter().map(Hex).collect()),
        }
    }
}

impl OperationReport {
    pub(crate) fn new(line: usize, operation: &Operation, result: Option<Row>) -> Self {
        Self { line, operation: operation.to_string(), result: result.map(ResultReport::from) }
    }
}

/// What a run on disk has found, and what it has done: steps of all parties.
#[derive(Serialize)]
pub(super) struct StateReport {
    folder: String,
    found: u64,
    done: u64,
}

#[derive(Serialize)]
pub(super) struct CheckReport {
    results: bool,
    lemmas: bool,
    transcript: bool,
    comparisons: Tally,
    pub(super) mismatches: u64,
    pub(super) first_mismatches: Vec<Mismatch>,
}

#[derive(Serialize)]
pub(super) struct Report {
    protocol: &'static str,
    memory: String,
    ops: String,
    words: usize,
    size: u64,
    log_size: u32,
    /// Of a memory of rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    row_words: Option<usize>,
    transport: String,
    backend: &'static str,
    threads: usize,
    seed: Option<String>,
    operations: Vec<OperationReport>,
    pub(super) phases: BTreeMap<&'static str, PhaseReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<StateReport>,
    pub(super) peak_rss_bytes: Option<u64>,
    pub(super) check: Option<CheckReport>,
}

impl StateReport {
    pub(super) fn new(folder: &Path, Summary { found, done }: Summary) -> Self {
        Self { folder: folder.display().to_string(), found, done }
    }
}

/// An operation as it is printed when it is done.
pub(crate) fn described(line: usize, operation: &Operation, result: Option<&[Word]>) -> String {
    let joined = |show: fn(&Word) -> String, row: &[Word]| row.iter().map(show).collect::<Vec<_>>().join(" ");
    match result {
        Some(row) => {
            let (decimal, hexadecimal) =
                (joined(Word::to_string, row), joined(|word| format!("{word:#x}"), row));
            format!("line {line:<5} {operation}  ->  {decimal} ({hexadecimal})")
        }
        None => format!("line {line:<5} {operation}  done"),
    }
}

impl Report {
    /// What is known before anything is done.
    pub(super) fn new<P: Rules>(options: &Options, job: &Job, backend: &impl LocalComputation) -> Self {
        Self {
            protocol: P::NAME,
            memory: job.memory.name.clone(),
            ops: job.script.name.clone(),
            words: job.memory.words().len(),
            size: job.parameters.size(),
            log_size: job.parameters.log_size(),
            row_words: Some(job.parameters.row_words()).filter(|row_words| *row_words > 1),
            transport: options.transport.to_string(),
            backend: backend.name(),
            threads: backend.threads(),
            seed: options.seed.map(|seed| seed.to_string()),
            operations: Vec::new(),
            phases: BTreeMap::new(),
            state: None,
            peak_rss_bytes: None,
            check: None,
        }
    }

    /// An operation is done.
    pub(super) fn add(&mut self, line: usize, operation: &Operation, result: Option<Row>) {
        self.operations.push(OperationReport::new(line, operation, result));
    }

    pub(super) fn heading(&self) -> String {
        let rows = self.row_words.map_or_else(String::new, |row_words| {
            format!(": {} rows of {row_words}", self.words / row_words)
        });
        format!(
            "protocol:  {}\nmemory:    {} ({} words{rows}; n = {} = 2^{})\nops:       {}\ntransport: {}\nbackend:   {}, threads: {}\nseed:      {}\n",
            self.protocol,
            self.memory,
            self.words,
            self.size,
            self.log_size,
            self.ops,
            self.transport,
            self.backend,
            self.threads,
            self.seed.as_deref().unwrap_or("from the operating system"),
        )
    }
}

pub(super) fn check_report<P: Audited>(checker: &Checker<P>) -> CheckReport {
    CheckReport {
        results: true,
        lemmas: true,
        transcript: checker.follows_transcript(),
        comparisons: *checker.tally(),
        mismatches: checker.mismatches(),
        first_mismatches: checker.described().to_vec(),
    }
}

pub(super) fn describe(check: &CheckReport, lemmas: &str) -> String {
    let Tally { results, states, messages, shares } = check.comparisons;
    let transcript = if check.transcript {
        format!("{messages} messages, {shares} states and results share by share")
    } else {
        format!("transcript not compared (only up to 2^{TRANSCRIPT_LOG_SIZE} words)")
    };
    format!(
        "checked: {results} results, {states} states ({lemmas}), {transcript}; {} mismatches",
        check.mismatches
    )
}
