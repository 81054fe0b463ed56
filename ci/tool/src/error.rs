//! What can go wrong in a check.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why a subcommand did not pass.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// What is checked is not as it must be.
    #[error("{0}")]
    Found(String),
    /// The same, and all of it is printed already.
    #[error("")]
    Shown,
    /// A file or folder that cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A program that does not start.
    #[error("{program} does not start: {source}")]
    Start {
        /// As it was called.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// A program that fails where it must not, with what it printed.
    #[error("{output}{program} failed")]
    Failed {
        /// As it was called.
        program: String,
        /// Standard output and standard error.
        output: String,
    },
}

impl Error {
    /// The error of a file, for `map_err`.
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }

    /// Says on standard error what `command` found, and how the process is to end. Wrong command lines end with 2, by clap.
    pub(crate) fn report(&self, command: &str) -> ExitCode {
        if !matches!(self, Self::Shown) {
            eprintln!("{command}: {self}");
        }
        ExitCode::FAILURE
    }
}

/// What a check yields.
pub(crate) type Result<T> = std::result::Result<T, Error>;

/// [`Error::Found`] with this text.
pub(crate) fn found<T>(text: impl Into<String>) -> Result<T> {
    Err(Error::Found(text.into()))
}
