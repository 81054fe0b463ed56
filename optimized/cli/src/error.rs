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
    /// What is no three addresses.
    #[error("--hosts: expected three different HOST or HOST:PORT, for P0, P1 and P2, got {got}")]
    Hosts {
        /// What was given.
        got: String,
    },
    /// Clients of which one's files would be another's.
    #[error("--clients: expected names that differ, got {name} twice")]
    SameName {
        /// The name.
        name: String,
    },
    /// A folder that is in use.
    #[error("{}: expected no file of these names, got {}", folder.display(), names.join(", "))]
    Deployed {
        /// The folder.
        folder: PathBuf,
        /// Names of files that are there.
        names: Vec<String>,
    },
    /// A key that cannot be made or read.
    #[error(transparent)]
    Identity(#[from] duoram_link::IdentityError),
    /// A file of settings that cannot be used.
    #[error(transparent)]
    Settings(#[from] duoram_link::settings::Error),
    /// A party that cannot start, or has ended by an error.
    #[cfg(unix)]
    #[error(transparent)]
    Party(#[from] duoram_host::process::Error),
    /// A party that is not ready.
    #[error("{listen}: expected the party to be ready, got {got}")]
    NotReady {
        /// Where it was asked.
        listen: std::net::SocketAddr,
        /// What it said.
        got: String,
    },
    /// What a client could not do.
    #[error(transparent)]
    Client(#[from] duoram_client::Error),
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
            #[cfg(unix)]
            Self::Party(error) if !error.is_of_settings() => 3,
            _ => 2,
        }
    }
}
