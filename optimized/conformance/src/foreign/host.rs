//! The process that has the kernel in it: cases in, answers out.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::Path;

use duoram_reference::Word;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Error;
use super::arrays::Placement;
use super::case::{Case, Operation};
use super::library::{Called, Library};
use crate::encoding::put_all;

/// What the host is told to do, a line of JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Request {
    /// Where the arrays lie, one call after another.
    pub(super) placements: Vec<Placement>,
    /// As [`Case::json`] writes it.
    pub(super) case: Value,
}

/// What the host says, a line of JSON: one when it has tried to load the library, and then one for each call.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// The library is loaded.
    Loaded {
        /// The operations whose functions it leaves out, which it may.
        missing: Vec<Operation>,
    },
    /// It is not: the only line.
    NotLoaded(String),
    /// The kernel returned.
    Done {
        /// How many words follow the line, 8 bytes each: the outputs, in the order of the header.
        words: usize,
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
    end_with_parent().map_err(Error::Pipe)?;
    let mut replies = take_standard_output().map_err(Error::Pipe)?;
    let mut reply = |reply: &Reply, words: &[Word]| -> Result<(), Error> {
        let mut bytes = serde_json::to_vec(reply).map_err(|error| Error::Pipe(error.into()))?;
        bytes.push(b'\n');
        put_all(words, &mut bytes);
        replies.write_all(&bytes).map_err(Error::Pipe)
    };
    let library = match Library::load(file) {
        Ok(library) => library,
        Err(reason) => return reply(&Reply::NotLoaded(reason), &[]),
    };
    reply(&Reply::Loaded { missing: library.missing() }, &[])?;
    for line in io::stdin().lock().lines() {
        let Request { placements, case } =
            serde_json::from_str(&line.map_err(Error::Pipe)?).map_err(|error| Error::Pipe(error.into()))?;
        let case =
            Case::from_json(&case).map_err(|wrong| Error::Pipe(io::Error::other(wrong.to_string())))?;
        for placement in placements {
            match library.call(&case, placement).map_err(Error::Pipe)? {
                Called::Done(words, time) => {
                    let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
                    reply(&Reply::Done { words: words.len(), nanoseconds }, &words)?;
                }
                Called::Unsupported => reply(&Reply::Unsupported, &[])?,
                Called::Code(code) => reply(&Reply::Code(code), &[])?,
                Called::Damage(damage) => reply(&Reply::Damage(damage), &[])?,
            }
        }
    }
    Ok(())
}

/// A kernel in an endless loop must not outlive whoever asked for it, however that ended.
fn end_with_parent() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL))?;
    Ok(())
}

/// Standard output for the replies alone: whatever a kernel prints goes to standard error from now on.
fn take_standard_output() -> io::Result<File> {
    let replies = rustix::io::dup(io::stdout())?;
    rustix::stdio::dup2_stdout(io::stderr())?;
    Ok(File::from(replies))
}
