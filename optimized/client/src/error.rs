//! What can go wrong, with expected and got, and which party.

use std::sync::Arc;
use std::time::Duration;

use duoram_link::{Difference, IdentityError, LinkError, Refusal, WorkKind, settings};
use duoram_reference::Role;

/// Why a memory cannot be opened, or a request was not done. That it can be cloned is for all who wait when a memory ends.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file of settings.
    #[error(transparent)]
    Settings(Arc<settings::Error>),
    /// The client's key.
    #[error(transparent)]
    Identity(Arc<IdentityError>),
    /// The system gives no random bytes.
    #[error("the system's randomness: {0}")]
    Randomness(#[from] getrandom::Error),
    /// The system gives no thread or no timer.
    #[error("cannot start the client: {0}")]
    Start(Arc<std::io::Error>),
    /// An address outside the memory. Nothing was asked.
    #[error("expected an address below {size} (the words or rows of the memory), got {got}")]
    Address {
        /// The words or rows of the memory.
        size: u64,
        /// The address.
        got: u64,
    },
    /// A call for words on a memory of rows, or a row of another length. Nothing was asked.
    #[error("expected {expected} words at an address (row_words in the parties' settings), got {got}")]
    Row {
        /// The words of the memory's rows.
        expected: usize,
        /// The words of the row; 1 of a call for words.
        got: usize,
    },
    /// Steps of a chase. Nothing was asked.
    #[error("expected 1 to {most} steps of a chase, got {got}")]
    Steps {
        /// The limit.
        most: u64,
        /// What was given.
        got: u64,
    },
    /// More words to load than the memory has. Nothing was asked.
    #[error("expected at most {size} words to load (the words of the memory), got more")]
    Words {
        /// The words of the memory.
        size: u64,
    },
    /// Shares to load that are not one of each word. Nothing was asked.
    #[error("expected {expected} shares to load (the words of the memory), got {got}")]
    Shares {
        /// The words of the memory.
        expected: u64,
        /// The shares.
        got: u64,
    },
    /// The parties' settings do not give this client the right. Nothing was asked.
    #[error("{party} does not allow this client to {kind}: see rights in its settings")]
    NotAllowed {
        /// Who does not.
        party: Role,
        /// What it wanted.
        kind: WorkKind,
    },
    /// The parties have refused a request; nothing has changed. [`Error::retry_after`] says when to try again.
    #[error("refused: {0}")]
    Refused(Refusal),
    /// One of P0 and P1 has done a request and the other has not: at least one of them does not follow the protocol.
    #[error("P0 and P1 disagree about request {number}: they say {}", says.join(" and "))]
    Disagree {
        /// The request.
        number: u64,
        /// What each says.
        says: Vec<String>,
    },
    /// No link to a party, and trying again does not help: a wrong key on either side, or another version.
    #[error("{party}: {source}")]
    Link {
        /// Which party.
        party: Role,
        /// Why.
        source: LinkError,
    },
    /// The party is another than the settings say, or speaks of something else.
    #[error("{party}: {difference}")]
    Differs {
        /// Which party.
        party: Role,
        /// What the settings say, and what the party.
        difference: Difference,
    },
    /// Another process uses this client's name and key at the same time.
    #[error(
        "{party}: expected request {expected} to be this client's next, got {got}: another process uses its key"
    )]
    Superseded {
        /// Which party says so.
        party: Role,
        /// The next number here.
        expected: u64,
        /// The next number there.
        got: u64,
    },
    /// The memory was closed while a request was under way, which may be done or not.
    #[error("the memory was closed")]
    Closed,
}

impl Error {
    /// When it may go better, if that is a matter of time: too many requests, or too few items.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Refused(refusal) if refusal.retry_after_ms > 0 => {
                Some(Duration::from_millis(refusal.retry_after_ms.into()))
            }
            _ => None,
        }
    }
}

impl From<settings::Error> for Error {
    fn from(error: settings::Error) -> Self {
        Self::Settings(Arc::new(error))
    }
}

impl From<IdentityError> for Error {
    fn from(error: IdentityError) -> Self {
        Self::Identity(Arc::new(error))
    }
}
