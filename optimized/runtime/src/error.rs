//! What can go wrong in a session, in words that name what was expected and what was there instead.

use std::io;
use std::path::PathBuf;

use duoram_reference::Role;

use crate::local_computation::Extent;
use crate::observer::Stop;

/// Anything that keeps a session from being run to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The machine is too small.
    #[error("a memory of {extent} needs about {needed} bytes here, but {available} are available")]
    NotEnoughMemory {
        /// n and w
        extent: Extent,
        /// What the session would take.
        needed: u64,
        /// What the machine has left.
        available: u64,
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
    /// A durable party's or the owner's disk.
    #[error(transparent)]
    Store(#[from] crate::store::Error),
    /// A durable party cannot go on.
    #[error(transparent)]
    Node(#[from] crate::node::Error),
    /// A folder with something else in it.
    #[error("{}: expected the state of a run with this protocol, memory, script and memory limit, got that of another", folder.display())]
    OtherRun {
        /// The folder.
        folder: PathBuf,
    },
    /// A party does not know of a command that it has answered.
    #[error(
        "{party}: its disk has forgotten commands that it had answered; the state cannot be used any more"
    )]
    Forgot {
        /// The party.
        party: Role,
    },
    /// A durable party refused a command.
    #[error("{party} refused: {reason}")]
    Answer {
        /// The party.
        party: Role,
        /// Why.
        reason: String,
    },
    /// An observer had a reason to stop.
    #[error(transparent)]
    Observer(Stop),
}

impl Error {
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
