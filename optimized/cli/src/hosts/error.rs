//! What can go wrong between hosts.

use std::path::PathBuf;

use duoram_link::settings::ProtocolName;

/// Anything that keeps a command of this module from doing what it was told; what any command may meet is in [`crate::Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What is not an address for each party.
    #[error("--hosts: expected {} different HOST or HOST:PORT, for {} of the protocol {protocol}, got {got}", protocol.roles().len(), named(*protocol))]
    Hosts {
        /// Whose parties.
        protocol: ProtocolName,
        /// What was given.
        got: String,
    },
    /// Rows that are too long for so many.
    #[error("--row-words: {0}")]
    Rows(#[from] duoram_reference::Error),
    /// Addresses without rows, more than there may be.
    #[error("--rows: {0}")]
    FewerRows(duoram_reference::Error),
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
}

/// The parties of a protocol.
fn named(protocol: ProtocolName) -> String {
    protocol.roles().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl Error {
    /// What the program ends with.
    pub const fn exit_code(&self) -> u8 {
        match self {
            #[cfg(unix)]
            Self::Party(error) if !error.is_of_settings() => 3,
            _ => 2,
        }
    }
}
