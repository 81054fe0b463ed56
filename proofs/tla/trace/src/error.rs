//! What can be wrong with a trace.

use std::io;
use std::path::PathBuf;

use crate::format::Trace;

/// Why a trace was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file without a line.
    #[error("line 1: expected the run's plan, got the end of the file")]
    Empty,
    /// A line that is not what it should be.
    #[error("line {line}: expected {expected}, got {got}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What would have been right.
        expected: String,
        /// What was there.
        got: String,
    },
    /// The trace has no line that can be tampered with in this way.
    #[error("expected a trace with {expected}, got one of {lines} lines without")]
    NoPlace {
        /// What is looked for.
        expected: &'static str,
        /// How long the trace is.
        lines: usize,
    },
    /// Standard output is closed or full.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    pub(crate) const fn no_place(expected: &'static str, trace: &Trace) -> Self {
        Self::NoPlace { expected, lines: Trace::line_of(trace.events.len()) - 1 }
    }

    #[allow(clippy::needless_pass_by_value)] // whatever is at hand, owned or borrowed
    pub(crate) fn line(line: usize, expected: impl Into<String>, got: impl ToString) -> Self {
        Self::Line { line, expected: expected.into(), got: got.to_string() }
    }
}
