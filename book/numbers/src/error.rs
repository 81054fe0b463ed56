//! What can go wrong, apart from a number that is not as the text says: that is a failed assertion.

use std::path::PathBuf;

/// An error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which
        path: PathBuf,
        /// Why
        source: std::io::Error,
    },
    /// A file of the repository is not in the form that is read here.
    #[error("{path}: {what}")]
    Form {
        /// Which
        path: String,
        /// What is missing or wrong.
        what: String,
    },
    /// A file of the repository is not the JSON that is read here.
    #[error("{path}: {source}")]
    Json {
        /// Which
        path: String,
        /// Why
        source: serde_json::Error,
    },
    /// A run of the reference has failed.
    #[error("the reference: {0}")]
    Reference(#[from] duoram_reference::Error),
    /// A durable party has refused something.
    #[error("a durable party: {0}")]
    Durable(#[from] duoram_reference::durable::Error),
}
