//! What can go wrong, in words that name what was expected and what was there instead.

use std::io;
use std::path::PathBuf;

#[cfg(unix)]
use duoram_conformance::foreign;
use duoram_conformance::oracle;

/// Anything that keeps the program from doing what it was told.
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
    /// Files that would be replaced by others.
    #[error("{}: expected no file of another content, got {} (--force replaces them)", folder.display(), names.join(", "))]
    OtherContents {
        /// Where they are.
        folder: PathBuf,
        /// Their names.
        names: Vec<String>,
    },
    /// A memory without a word.
    #[error("{name}: the file is empty, expected at least one 64-bit word (8 bytes)")]
    EmptyMemory {
        /// The file.
        name: String,
    },
    /// A file that does not consist of words.
    #[error("{name}: expected a multiple of 8 bytes (64-bit little-endian words), got {got} bytes")]
    PartialWord {
        /// The file.
        name: String,
        /// Its length.
        got: u64,
    },
    /// Memory that the operating system refuses.
    #[error("{name}: there is no room for {words} words of 8 bytes")]
    NoRoom {
        /// The file.
        name: String,
        /// Its words, with padding.
        words: u64,
    },
    /// A script that is not text.
    #[error("{name}: expected UTF-8 text, got other bytes in line {line}")]
    ScriptNotText {
        /// The file.
        name: String,
        /// The first line that is not.
        line: usize,
    },
    /// A script that never ends.
    #[error("{name}: expected a script of at most {most} bytes")]
    ScriptTooLong {
        /// The script.
        name: String,
        /// The limit.
        most: u64,
    },
    /// A line that is no operation.
    #[error("{name}, line {line}: expected {expected}, got {got}")]
    ScriptLine {
        /// The file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// What would have been right.
        expected: String,
        /// What was there.
        got: String,
    },
    /// An address outside the file. The padding to a power of two is not to be addressed.
    #[error("{name}, line {line}: expected an address below {size} (the words of the memory), got {got}")]
    AddressOutOfRange {
        /// The script.
        name: String,
        /// The line, from 1.
        line: usize,
        /// The number of words in the file.
        size: u64,
        /// The address.
        got: u64,
    },
    /// A script without an operation.
    #[error("{name}: expected at least one operation (read, update, write, swap, chase), got none")]
    EmptyScript {
        /// The script.
        name: String,
    },
    /// More operations than one run prepares.
    #[error("{name}, line {line}: the script needs more than {most} preprocessed items up to here")]
    TooManyItems {
        /// The script.
        name: String,
        /// The line at which it became too many, from 1.
        line: usize,
        /// The limit.
        most: usize,
    },
    /// WRITEs that are to be in one step.
    #[error("--batch: expected 1 with --kind write, for each WRITE waits for its READ, got {got}")]
    BatchOfWrites {
        /// What was given.
        got: usize,
    },
    /// A manual page of nothing.
    #[error("expected a command, such as run, got '{}'", name.escape_debug())]
    NoSuchCommand {
        /// What was given.
        name: String,
    },
    /// What a party of three hosts, or a client of them, could not do.
    #[cfg(feature = "hosts")]
    #[error(transparent)]
    Hosts(#[from] crate::hosts::Error),
    /// A backend that this CPU cannot run.
    #[error(transparent)]
    Backend(#[from] duoram_kernel::Unavailable),
    /// The threads for the kernels could not be started.
    #[error("cannot start the threads: {source}")]
    Threads {
        /// Why.
        source: rayon::ThreadPoolBuildError,
    },
    /// The session could not be started or broke.
    #[error(transparent)]
    Session(#[from] duoram_runtime::Error),
    /// A kernel of others that cannot be used at all.
    #[cfg(unix)]
    #[error(transparent)]
    Kernel(#[from] foreign::Error),
    /// The oracle's input or output broke.
    #[error(transparent)]
    Oracle(#[from] oracle::Error),
    /// The trace cannot be written.
    #[error(transparent)]
    Trace(#[from] duoram_conformance::trace::Error),
    /// Standard output is closed or full.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    /// Whether the reader of standard output is gone.
    pub fn is_closed_output(&self) -> bool {
        match self {
            Self::Output(error) | Self::Oracle(oracle::Error::Output(error)) => {
                error.kind() == io::ErrorKind::BrokenPipe
            }
            _ => false,
        }
    }

    /// What the program ends with.
    pub const fn exit_code(&self) -> u8 {
        match self {
            // A kernel of others was checked, and does not hold.
            #[cfg(unix)]
            Self::Kernel(foreign::Error::Kernel { .. }) => 1,
            #[cfg(feature = "hosts")]
            Self::Hosts(error) => error.exit_code(),
            _ => 2,
        }
    }
}
