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
    /// A memory or a script that is none.
    #[error(transparent)]
    Input(#[from] duoram_runtime::input::Error),
    /// Rows of what has words only.
    #[error("--row-words: expected 1 with {with}, got {got}")]
    NoRows {
        /// What has none.
        with: String,
        /// What was given.
        got: usize,
    },
    /// WRITEs that are to be in one step.
    #[error("--batch: expected 1 with --kind write, for each WRITE waits for its READ, got {got}")]
    BatchOfWrites {
        /// What was given.
        got: usize,
    },
    /// An experiment that there is not.
    #[error("expected basic, E1 to E11, slow, computing or all, got '{}'", got.escape_debug())]
    NoSuchExperiment {
        /// What was given.
        got: String,
    },
    /// Measurements of others that cannot be read.
    #[error("{}, {source}", path.display())]
    Rows {
        /// The file.
        path: PathBuf,
        /// Where in it.
        source: duoram_experiments::row::BadLine,
    },
    /// An experiment that broke.
    #[error(transparent)]
    Experiment(#[from] duoram_experiments::Error),
    /// A manual page of nothing.
    #[error("expected a command, such as run, got '{}'", name.escape_debug())]
    NoSuchCommand {
        /// What was given.
        name: String,
    },
    /// Workers that cannot start, or of which one is gone.
    #[error(transparent)]
    Workers(#[from] duoram_shards::Failure),
    /// A protocol whose parties have no workers.
    #[error("expected paper or lean with more than one worker, got {got}")]
    NoWorkers {
        /// The protocol.
        got: &'static str,
    },
    /// The reference's computation, which is not divided.
    #[error("expected a backend of kernels with more than one worker, got reference")]
    PlainWorkers,
    /// As many workers as processes.
    #[error("expected {expected} workers, the processes of the MPI job, got {got}")]
    Processes {
        /// How many processes there are.
        expected: usize,
        /// How many workers or shares were given.
        got: usize,
    },
    /// An MPI job of a program that has no MPI.
    #[error(
        "this is process {rank} of an MPI job of {size}, but the program was built without the feature mpi"
    )]
    NoMpi {
        /// Which one.
        rank: usize,
        /// Of how many.
        size: usize,
    },
    /// What a party on a host of its own, or a client of such parties, could not do.
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
            // A system whose answers are wrong.
            Self::Experiment(duoram_experiments::Error::WrongAnswer { .. }) => 1,
            #[cfg(feature = "hosts")]
            Self::Hosts(error) => error.exit_code(),
            // The disk of a party's worker, as that of the party. Or another process has it: one of the same job, that is about to end.
            Self::Workers(duoram_shards::Failure::Folders { .. }) => 3,
            _ => 2,
        }
    }
}
