//! The trace of a run: a first line with what is going to be done, and then a line for each thing that a party does.
//!
//! ```json
//! {"trace":1,"log_size":2,"chunks":1,"steps":[{"step":"connect"},{"step":"load"},{"step":"preprocess","reads":1,"updates":1},{"step":"read","count":1,"after":false},{"step":"update","count":1,"after":true}]}
//! {"party":"P0","event":"send","peer":"P1","kind":"hello","operation":0,"round":0,"items":[]}
//! ```
//!
//! The first line comes from the script alone, before there are any parties, so that it says what they should do and not
//! what they did. The other lines are [`Event::trace_line`]. `proofs/tla/trace` says what each field means, and `proofs/tla`
//! checks a trace against a model of the protocol.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use duoram_reference::{Batch, CHUNK_WORDS, Parameters};
use serde::Serialize;

use crate::Error;
use crate::event::Event;
use crate::script::Operation;

/// The version of the format, in its first line.
const VERSION: u32 = 1;

/// A step that all three parties are going to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum Step {
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
}

/// What a run is going to do: the first line of its trace. It tells sizes and kinds, no address and no value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plan {
    trace: u32,
    log_size: u32,
    /// The messages on each link of a load.
    chunks: u64,
    steps: Vec<Step>,
}

impl Plan {
    /// A memory is loaded, the batches are prepared, and the operations performed.
    pub fn new<'a>(
        parameters: Parameters,
        batches: &[Batch],
        operations: impl IntoIterator<Item = &'a Operation>,
    ) -> Self {
        let mut steps = vec![Step::Connect, Step::Load];
        steps.extend(batches.iter().map(|&Batch { reads, updates }| Step::Preprocess { reads, updates }));
        for operation in operations {
            match *operation {
                Operation::Read { .. } => steps.push(Step::Read { count: 1, after: false }),
                Operation::Update { .. } => steps.push(Step::Update { count: 1, after: false }),
                Operation::Write { .. } => {
                    steps.extend([
                        Step::Read { count: 1, after: false },
                        Step::Update { count: 1, after: true },
                    ]);
                }
                Operation::Chase { steps: reads, .. } => {
                    steps.extend((0..reads).map(|read| Step::Read { count: 1, after: read > 0 }));
                }
            }
        }
        let chunks = parameters.size().div_ceil(CHUNK_WORDS as u64);
        Self { trace: VERSION, log_size: parameters.log_size(), chunks, steps }
    }
}

/// The file that a trace is written to.
pub struct Trace {
    path: PathBuf,
    file: RefCell<BufWriter<File>>,
}

impl Trace {
    /// Starts a trace with its first line.
    ///
    /// # Errors
    ///
    /// [`Error::File`]; so for all of its functions.
    pub fn create(path: &Path, plan: &Plan) -> Result<Self, Error> {
        let file = File::create(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        let trace = Self { path: path.to_owned(), file: RefCell::new(BufWriter::new(file)) };
        trace.lines([plan])?;
        Ok(trace)
    }

    /// Writes a line for each event.
    ///
    /// # Errors
    ///
    /// See [`Self::create`].
    pub fn write(&self, events: &[Event]) -> Result<(), Error> {
        self.lines(events.iter().map(Event::trace_line))
    }

    /// Ends the trace.
    ///
    /// # Errors
    ///
    /// See [`Self::create`].
    pub fn finish(self) -> Result<(), Error> {
        self.file.into_inner().flush().map_err(|source| Error::File { path: self.path, source })
    }

    fn lines(&self, lines: impl IntoIterator<Item = impl Serialize>) -> Result<(), Error> {
        let mut file = self.file.borrow_mut();
        let written = lines.into_iter().try_for_each(|line| -> io::Result<()> {
            serde_json::to_writer(&mut *file, &line)?;
            file.write_all(b"\n")
        });
        written.map_err(|source| Error::File { path: self.path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use duoram_reference::SessionId;

    use super::*;

    fn chunks(log_size: u32) -> u64 {
        Plan::new(Parameters::new(SessionId([0; 16]), log_size).unwrap(), &[], []).chunks
    }

    #[test]
    fn a_plan_has_the_steps_of_every_operation_and_nothing_of_their_inputs() {
        let parameters = Parameters::new(SessionId([0; 16]), 3).unwrap();
        let operations = [
            Operation::Read { address: 7 },
            Operation::Update { address: 6, delta: 77 },
            Operation::Write { address: 5, value: 88 },
            Operation::Chase { address: 4, steps: 3 },
        ];
        let batches = [Batch { reads: 4, updates: 0 }, Batch { reads: 1, updates: 2 }];
        let line = serde_json::to_string(&Plan::new(parameters, &batches, &operations)).unwrap();
        let expected = concat!(
            r#"{"trace":1,"log_size":3,"chunks":1,"steps":[{"step":"connect"},{"step":"load"},"#,
            r#"{"step":"preprocess","reads":4,"updates":0},{"step":"preprocess","reads":1,"updates":2},"#,
            r#"{"step":"read","count":1,"after":false},{"step":"update","count":1,"after":false},"#,
            r#"{"step":"read","count":1,"after":false},{"step":"update","count":1,"after":true},"#,
            r#"{"step":"read","count":1,"after":false},{"step":"read","count":1,"after":true},"#,
            r#"{"step":"read","count":1,"after":true}]}"#
        );
        assert_eq!(line, expected);
    }

    #[test]
    fn large_memories_are_loaded_in_chunks() {
        assert_eq!([1, 16, 17, 20].map(chunks), [1, 1, 2, 16]);
    }
}
