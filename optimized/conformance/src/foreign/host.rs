//! The process that has the kernel in it: cases in, answers out, one JSON line each.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::Path;

use duoram_reference::Word;
use serde::{Deserialize, Serialize};

use super::Error;
use super::case::Case;
use super::library::{Called, Library};

/// A line of the host.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// The library is loaded: the first line.
    Loaded,
    /// It is not: the only line.
    NotLoaded(String),
    /// The answer to a case.
    Done {
        /// Outputs, in the order of the header.
        words: Vec<Word>,
        /// What the call took.
        nanoseconds: u64,
    },
    /// The kernel returned `DUORAM_UNSUPPORTED`.
    Unsupported,
    /// The kernel returned this.
    Code(i32),
    /// The kernel wrote where it must not.
    Damage(String),
}

/// Serves until the input ends.
///
/// # Errors
///
/// The pipes broke.
pub fn serve(file: &Path) -> Result<(), Error> {
    let mut replies = take_standard_output().map_err(Error::Pipe)?;
    let mut reply = |reply: &Reply| -> Result<(), Error> {
        let mut line = serde_json::to_vec(reply).map_err(|error| Error::Pipe(error.into()))?;
        line.push(b'\n');
        replies.write_all(&line).map_err(Error::Pipe)
    };
    let library = match Library::load(file) {
        Ok(library) => library,
        Err(reason) => return reply(&Reply::NotLoaded(reason)),
    };
    reply(&Reply::Loaded)?;
    for line in io::stdin().lock().lines() {
        let case: Case =
            serde_json::from_str(&line.map_err(Error::Pipe)?).map_err(|error| Error::Pipe(error.into()))?;
        reply(&match library.call(&case) {
            Called::Done(words, time) => {
                Reply::Done { words, nanoseconds: u64::try_from(time.as_nanos()).unwrap_or(u64::MAX) }
            }
            Called::Unsupported => Reply::Unsupported,
            Called::Code(code) => Reply::Code(code),
            Called::Damage(damage) => Reply::Damage(damage),
        })?;
    }
    Ok(())
}

/// Standard output for the replies alone: whatever a kernel prints goes to standard error from now on.
#[cfg(unix)]
fn take_standard_output() -> io::Result<File> {
    let replies = rustix::io::dup(io::stdout())?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(File::from(replies))
}

#[cfg(not(unix))]
fn take_standard_output() -> io::Result<File> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "kernels can be checked on Unix only"))
}
