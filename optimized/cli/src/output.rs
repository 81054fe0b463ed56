//! Standard output and standard error. A reader that closes them early is an error that nobody is told of, not a panic.

use std::io::{self, BufWriter, Stdout, Write};

use serde::Serialize;

use crate::Error;

/// Standard output.
pub struct Output {
    stdout: BufWriter<Stdout>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self { stdout: BufWriter::new(io::stdout()) }
    }

    /// Where what is not lines goes.
    pub(crate) fn writer(&mut self) -> &mut impl Write {
        &mut self.stdout
    }

    /// A line, at once.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), Error> {
        writeln!(self.stdout, "{line}")?;
        self.flush()
    }

    /// One JSON object.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Error> {
        serde_json::to_writer_pretty(&mut self.stdout, value).map_err(io::Error::from)?;
        self.line("")
    }

    pub(crate) fn flush(&mut self) -> Result<(), Error> {
        Ok(self.stdout.flush()?)
    }
}

/// A line on standard error. If that is closed there is nobody to tell.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
