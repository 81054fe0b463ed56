//! What can go wrong with a store, by the file that it is about.

use std::io;

/// Why a store cannot be used. None of these is to be tried again by the same process.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another process has it.
    #[error("{place}: expected a folder that nobody uses, but process {holder} has it")]
    Locked {
        /// The folder.
        place: String,
        /// The number of the process, as it says itself.
        holder: String,
    },
    /// Sealed with another key, or for another party or session.
    #[error("{place}: sealed with another key, or for another party or session")]
    WrongKey {
        /// The file.
        place: String,
    },
    /// What was written and synced is not there any more as it was. Nothing is guessed: the disk is at fault.
    #[error("{place}: {what} is damaged or missing")]
    Damaged {
        /// The file.
        place: String,
        /// What in it.
        what: String,
    },
    /// A file is not the one that belongs here: of another time, of others, or not all of it.
    #[error("{place}: {what}: expected {expected}, got {got}")]
    Foreign {
        /// The file.
        place: String,
        /// What is not as it should be.
        what: &'static str,
        /// What it should be.
        expected: String,
        /// What it is.
        got: String,
    },
    /// Somebody else who has a part of the snapshot could not put it on disk, or does not have it.
    #[error("{what}")]
    Beside {
        /// Who, and why.
        what: String,
    },
    /// The journal cannot be read or written.
    #[error("{place}: {source}")]
    Journal {
        /// The file.
        place: String,
        /// Why.
        source: redb::Error,
    },
    /// A file cannot be read or written.
    #[error("{place}: {source}")]
    Medium {
        /// The file.
        place: String,
        /// Why.
        source: io::Error,
    },
    /// An earlier write has failed, and only a restart finds out what is on disk.
    #[error("{place}: an earlier write has failed")]
    Failed {
        /// The folder.
        place: String,
    },
}
