//! The trace of a run: a first line with what is going to be done, and then a line for each thing that a party does.
//!
//! ```json
//! {"trace":3,"protocol":"paper","speaks_after":"nothing","lanes":1,"log_size":2,"chunks":1,"steps":[{"step":"connect"},{"step":"load"},{"step":"preprocess","reads":1,"updates":1},{"step":"read","count":1,"after":false},{"step":"update","count":1,"after":true}]}
//! {"party":"P0","event":"send","peer":"P1","kind":"hello","operation":0,"round":0,"items":[],"size":24}
//! ```
//!
//! The first line comes from the script alone, before there are any parties, so that it says what they should do and not
//! what they did. The other lines are [`line()`]. `proofs/tla/trace` says what each field means, and `proofs/tla`
//! checks a trace against a model of the protocol.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use duoram_reference::{Batch, CHUNK_WORDS, Parameters, Word};
use serde::Serialize;

use duoram_runtime::budget::Budget;
use duoram_runtime::event::{Action, Event};
use duoram_runtime::observer::{Inputs, Observer, Stop};
use duoram_runtime::operation::{Operation, Row};
use duoram_runtime::protocol::Rules;
use duoram_runtime::schedule::{Piece, Window, windows};
use duoram_runtime::session::Outcome;

/// The version of the format, in its first line.
const VERSION: u32 = 3;

/// A step of the plan, which all three parties are going to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum PlannedStep {
    /// Agreeing on a key.
    Connect,
    /// Blinding a memory.
    Load,
    /// Making items.
    Preprocess {
        /// For so many READs.
        reads: usize,
        /// For so many UPDATEs.
        updates: usize,
    },
    /// Independent READs.
    Read {
        /// How many.
        count: usize,
        /// Whether the address is the result of the step before (`chase`).
        after: bool,
    },
    /// UPDATEs.
    Update {
        /// How many.
        count: usize,
        /// Whether the result of the step before goes into what is added (`write`).
        after: bool,
    },
    /// A WRITE, where that is one step.
    Write,
    /// A SWAP, where that is one step.
    Swap,
}

/// What a run is going to do: the first line of its trace. It tells sizes and kinds, no address and no value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plan {
    trace: u32,
    protocol: &'static str,
    /// What must be on disk before a message leaves: these parties have none.
    speaks_after: &'static str,
    /// Making items and using them are steps of one sequence.
    lanes: u32,
    log_size: u32,
    /// The messages on each link of a load.
    chunks: u64,
    steps: Vec<PlannedStep>,
}

impl Plan {
    /// A memory is loaded, and the operations are performed, window by window.
    pub fn new<'a, P: Rules>(
        parameters: Parameters,
        budget: &Budget,
        operations: impl IntoIterator<Item = &'a Operation>,
    ) -> Self {
        let mut steps = vec![PlannedStep::Connect, PlannedStep::Load];
        for Window { demand, pieces } in windows::<P>(budget, operations) {
            let batches = budget.batches(demand).into_iter();
            steps.extend(batches.map(|Batch { reads, updates }| PlannedStep::Preprocess { reads, updates }));
            for Piece { operation, begins, .. } in pieces {
                let read = |after| PlannedStep::Read { count: 1, after };
                let update = |after| PlannedStep::Update { count: 1, after };
                match operation {
                    Operation::Read { .. } => steps.push(read(false)),
                    Operation::Update { .. } => steps.push(update(false)),
                    Operation::Write { .. } => match P::STEPS_OF_WRITE {
                        ["write"] => steps.push(PlannedStep::Write),
                        _ => steps.extend([read(false), update(true)]),
                    },
                    Operation::Swap { .. } => match P::STEPS_OF_SWAP {
                        ["swap"] => steps.push(PlannedStep::Swap),
                        _ => steps.extend([read(false), update(true)]),
                    },
                    Operation::Chase { steps: reads, .. } => {
                        steps.extend((0..reads).map(|number| read(!begins || number > 0)));
                    }
                }
            }
        }
        let chunks = (parameters.words() as u64).div_ceil(CHUNK_WORDS as u64);
        Self {
            trace: VERSION,
            protocol: P::NAME,
            speaks_after: "nothing",
            lanes: 1,
            log_size: parameters.log_size(),
            chunks,
            steps,
        }
    }
}

/// The line of an event: who did what with whom, with which items, how long the message is, and nothing of what it says.
///
/// `items` lists every number, so the lines of a batch of many items are long.
pub fn line(event: &Event) -> impl Serialize + '_ {
    #[derive(Serialize)]
    struct Line<'a> {
        party: String,
        event: &'static str,
        peer: Option<String>,
        kind: &'a str,
        operation: u64,
        round: u32,
        items: &'a [u64],
        size: u64,
    }
    Line {
        party: event.party.to_string(),
        event: match event.action {
            Action::Send => "send",
            Action::Receive => "receive",
            Action::Apply => "apply",
        },
        peer: event.peer.map(|peer| peer.to_string()),
        kind: &event.kind,
        operation: event.operation,
        round: event.round,
        items: &event.items,
        size: event.payload_bytes,
    }
}

/// A trace that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct Error {
    /// Its file.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// A file that is there is not overwritten: it may be the trace of another run, and runs cannot be had again.
fn open(path: &Path) -> io::Result<File> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            if fs::metadata(path)?.is_file() {
                return Err(io::Error::new(
                    error.kind(),
                    "expected no file of this name, for a trace is not written over another",
                ));
            }
            OpenOptions::new().write(true).open(path)
        }
        opened => opened,
    }
}

/// The file that a trace is written to, step by step.
pub struct Trace {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Trace {
    /// Starts a trace with its first line, in a new file, or in a device or pipe that is there.
    ///
    /// # Errors
    ///
    /// [`Error`]; so for all of its functions.
    pub fn create(path: &Path, plan: &Plan) -> Result<Self, Error> {
        let file = open(path).map_err(|source| Error { path: path.to_owned(), source })?;
        let mut trace = Self { path: path.to_owned(), file: BufWriter::new(file) };
        trace.lines([plan])?;
        Ok(trace)
    }

    /// Ends the trace.
    ///
    /// # Errors
    ///
    /// See [`Self::create`].
    pub fn finish(mut self) -> Result<(), Error> {
        self.file.flush().map_err(|source| Error { path: self.path, source })
    }

    /// Writes a line for each event.
    fn events(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        Ok(self.lines(outcome.events.iter().map(line))?)
    }

    fn lines(&mut self, lines: impl IntoIterator<Item = impl Serialize>) -> Result<(), Error> {
        let written = lines.into_iter().try_for_each(|line| -> io::Result<()> {
            serde_json::to_writer(&mut self.file, &line)?;
            self.file.write_all(b"\n")
        });
        written.map_err(|source| Error { path: self.path.clone(), source })
    }
}

impl Observer for Trace {
    fn connected(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        self.events(outcome)
    }

    fn loaded(&mut self, _: &[Word], _: Option<&[Vec<Word>; 2]>, outcome: &Outcome) -> Result<(), Stop> {
        self.events(outcome)
    }

    fn preprocessed(&mut self, _: &Batch, outcome: &Outcome) -> Result<(), Stop> {
        self.events(outcome)
    }

    fn performed(
        &mut self,
        _: &Piece,
        _: Option<&Inputs>,
        _: Option<&[Row; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.events(outcome)
    }
}

#[cfg(test)]
mod tests {
    use duoram_reference::lean::Lean;
    use duoram_reference::{Paper, SessionId};

    use super::*;

    const BUDGET: Budget = Budget { batch: 4, stock: 100, queries: 100 };

    fn chunks(log_size: u32) -> u64 {
        Plan::new::<Paper>(Parameters::new(SessionId([0; 16]), log_size).unwrap(), &BUDGET, []).chunks
    }

    #[test]
    fn a_plan_has_the_steps_of_every_operation_and_nothing_of_their_inputs() {
        let parameters = Parameters::new(SessionId([0; 16]), 3).unwrap();
        let operations = [
            Operation::Read { address: 7 },
            Operation::Update { address: 6, delta: vec![77] },
            Operation::Write { address: 5, value: vec![88] },
            Operation::Chase { address: 4, steps: 3 },
            Operation::Swap { address: 3, value: vec![66] },
        ];
        let line = serde_json::to_string(&Plan::new::<Paper>(parameters, &BUDGET, &operations)).unwrap();
        let expected = concat!(
            r#"{"trace":3,"protocol":"paper","speaks_after":"nothing","lanes":1,"log_size":3,"chunks":1,"steps":[{"step":"connect"},{"step":"load"},"#,
            r#"{"step":"preprocess","reads":4,"updates":0},{"step":"preprocess","reads":2,"updates":2},{"step":"preprocess","reads":0,"updates":1},"#,
            r#"{"step":"read","count":1,"after":false},{"step":"update","count":1,"after":false},"#,
            r#"{"step":"read","count":1,"after":false},{"step":"update","count":1,"after":true},"#,
            r#"{"step":"read","count":1,"after":false},{"step":"read","count":1,"after":true},"#,
            r#"{"step":"read","count":1,"after":true},"#,
            r#"{"step":"read","count":1,"after":false},{"step":"update","count":1,"after":true}]}"#
        );
        assert_eq!(line, expected);
    }

    #[test]
    fn a_lean_write_or_swap_is_one_step_with_one_item() {
        let parameters = Parameters::new(SessionId([0; 16]), 3).unwrap();
        let operations = [
            Operation::Write { address: 5, value: vec![88] },
            Operation::Read { address: 7 },
            Operation::Swap { address: 6, value: vec![99] },
        ];
        let line = serde_json::to_string(&Plan::new::<Lean>(parameters, &BUDGET, &operations)).unwrap();
        let expected = concat!(
            r#"{"trace":3,"protocol":"lean","speaks_after":"nothing","lanes":1,"log_size":3,"chunks":1,"steps":[{"step":"connect"},{"step":"load"},"#,
            r#"{"step":"preprocess","reads":1,"updates":2},{"step":"write"},{"step":"read","count":1,"after":false},"#,
            r#"{"step":"swap"}]}"#
        );
        assert_eq!(line, expected);
    }

    #[test]
    fn large_memories_are_loaded_in_chunks() {
        assert_eq!([1, 16, 17, 20].map(chunks), [1, 1, 2, 16]);
    }
}
