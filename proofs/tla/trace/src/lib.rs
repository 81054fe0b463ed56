//! Traces of real runs, for the TLA+ model.
//!
//! `duoram run --trace FILE` writes what each party sends, receives and applies. [`mod@format`] reads that, [`tla`] writes
//! it as the constants of the model, and [`tamper`](mod@tamper) makes traces that no correct parties could have left, each
//! with the line at which the model must find that out. [`crashed`](mod@crashed) puts crashes into a
//! run.
#![forbid(unsafe_code)]

pub mod crashed;
pub mod error;
pub mod format;
pub mod tamper;
pub mod tla;

use std::io::Write as _;
use std::process::ExitCode;

pub use crate::crashed::crashed;
pub use crate::error::Error;
pub use crate::format::{Action, Event, Party, Plan, Protocol, SpeaksAfter, Step, Trace};
pub use crate::tamper::{Tampering, Verdict, tamper};

/// Writes to standard output.
///
/// # Errors
///
/// [`Error::Output`].
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// The exit code of a program of this crate: 2 after an error, which goes to standard error.
pub fn report(result: Result<(), Error>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If that fails too, there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}
