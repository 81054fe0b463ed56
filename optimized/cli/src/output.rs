//! Standard output and standard error. A reader that closes them early is an error, not a panic.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
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

/// A progress bar on standard error, if that is a terminal.
pub(crate) fn progress(length: u64, what: &'static str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new(length).with_message(what);
    if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len}, {elapsed} ({eta} left)") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
