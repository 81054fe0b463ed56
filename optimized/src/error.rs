//! What can go wrong, in words that name what was expected and what was there instead.

use std::io;
use std::path::PathBuf;

use duoram_reference::Role;

/// Anything that keeps a session from being run to its end.
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
        got: usize,
    },
    /// A script that is not text.
    #[error("{name}: expected UTF-8 text, got other bytes in line {line}")]
    ScriptNotText {
        /// The file.
        name: String,
        /// The first line that is not.
        line: usize,
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
    #[error("{name}: expected at least one operation (read, update, write, chase), got none")]
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
    /// The machine is too small.
    #[error("a memory of 2^{log_size} words needs about {needed} bytes here, but {available} are available")]
    NotEnoughMemory {
        /// lg n
        log_size: u32,
        /// What the session would take.
        needed: u64,
        /// What the machine has left.
        available: u64,
    },
    /// A backend that this CPU cannot run.
    #[error(transparent)]
    Backend(duoram_kernel::Unavailable),
    /// A kernel of others that cannot be used at all.
    #[error("{}: not a kernel that can be used: {reason}", path.display())]
    Kernel {
        /// The library.
        path: PathBuf,
        /// What happened instead.
        reason: String,
    },
    /// The threads for the kernels could not be started.
    #[error("cannot start the threads: {source}")]
    Threads {
        /// Why.
        source: rayon::ThreadPoolBuildError,
    },
    /// The parameters were refused.
    #[error(transparent)]
    Parameters(duoram_reference::Error),
    /// A party refused a step or a message.
    #[error("{party} refused: {source}")]
    Refused {
        /// The party.
        party: Role,
        /// Why.
        source: duoram_reference::Error,
    },
    /// A link between two parties broke.
    #[error("{party} lost its link to {peer}: {reason}")]
    Link {
        /// The party that noticed.
        party: Role,
        /// The other end.
        peer: Role,
        /// What was noticed.
        reason: String,
    },
    /// The links could not be set up.
    #[error("cannot connect the parties over TCP: {0}")]
    Connect(io::Error),
    /// A party's thread is gone.
    #[error("{party} stopped unexpectedly")]
    Stopped {
        /// The party.
        party: Role,
    },
    /// A party finished a READ without having a result.
    #[error("{party} gave no result")]
    NoResult {
        /// The party.
        party: Role,
    },
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
    /// The operating system gave no randomness.
    #[error("no randomness from the operating system: {0}")]
    Randomness(getrandom::Error),
    /// Standard input broke.
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    /// Standard output is closed or full.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    /// Whether the fault lies in what the user gave (exit code 2) and not in the session (exit code 1).
    pub const fn is_bad_input(&self) -> bool {
        matches!(
            self,
            Self::File { .. }
                | Self::OtherContents { .. }
                | Self::EmptyMemory { .. }
                | Self::PartialWord { .. }
                | Self::ScriptNotText { .. }
                | Self::ScriptLine { .. }
                | Self::AddressOutOfRange { .. }
                | Self::EmptyScript { .. }
                | Self::TooManyItems { .. }
                | Self::NotEnoughMemory { .. }
                | Self::Parameters(_)
                | Self::Backend(_)
        )
    }

    /// How close an error is to the cause. When one party stops, the others lose their links to it, and the first
    /// party's error is the one to report.
    pub(crate) const fn distance_to_cause(&self) -> u8 {
        match self {
            Self::Link { .. } => 2,
            Self::Stopped { .. } => 1,
            _ => 0,
        }
    }
}
