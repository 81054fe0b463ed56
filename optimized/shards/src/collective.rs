//! What the workers of a party need to say to each other: one engine for it is threads ([`crate::Threads`]), one is MPI.

use zeroize::Zeroizing;

/// Why the workers cannot go on. The party has to end; started again it goes on from its disk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// A worker has ended.
    #[error("worker {rank} is gone{}", .why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    Gone {
        /// Which.
        rank: usize,
        /// What it said of it, if anything.
        why: Option<String>,
    },
    /// A worker has sent something of another length than what is due.
    #[error("from worker {rank}: expected {expected} words, got {got}")]
    Length {
        /// Who sent it.
        rank: usize,
        /// What is due.
        expected: usize,
        /// What came.
        got: usize,
    },
    /// A request that no version of the party sends.
    #[error("request {operation}: expected {expected}, got {got}")]
    Nonsense {
        /// Its first byte.
        operation: u8,
        /// What it should have been.
        expected: String,
        /// What it was.
        got: String,
    },
    /// A cut that does not fit the workers.
    #[error(
        "expected a share of the memory for each of {workers} workers, not all of them 0; got {got} shares"
    )]
    Cut {
        /// How many there are.
        workers: usize,
        /// How many shares.
        got: usize,
    },
    /// A worker cannot put its range on disk, or has not found it there as it should be.
    #[error("worker {rank}: {what}")]
    Disk {
        /// Which.
        rank: usize,
        /// Why.
        what: String,
    },
    /// Workers have no folders for their ranges, or cannot open them: which, and why.
    #[error("{what}")]
    Folders {
        /// What each says.
        what: String,
    },
    /// The system does not give another thread.
    #[error("a worker needs a thread: {what}")]
    Thread {
        /// Why not.
        what: String,
    },
    /// The engine below.
    #[error("{what}")]
    Engine {
        /// What it says.
        what: String,
    },
}

/// How words of all workers become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// Their sum mod 2^64.
    Sum,
    /// Their XOR.
    Xor,
}

impl By {
    /// Puts other words to these, of the same number.
    pub fn combine(self, words: &mut [u64], others: &[u64]) {
        for (word, other) in words.iter_mut().zip(others) {
            *word = match self {
                Self::Sum => word.wrapping_add(*other),
                Self::Xor => *word ^ other,
            };
        }
    }
}

/// The workers of one party, as one of them sees them. Rank 0 is the party.
///
/// All workers make the same calls in the same order, as requests tell them to; lengths follow from the requests and never from
/// what is sent, but for [`Collective::broadcast`].
#[allow(
    clippy::missing_errors_doc,
    reason = "said once, at Failure: a worker is gone, or sends what is not due"
)]
pub trait Collective {
    /// Which worker this is.
    fn rank(&self) -> usize;

    /// How many there are.
    fn size(&self) -> usize;

    /// Gives what rank 0 has to all.
    fn broadcast(&mut self, bytes: &mut Zeroizing<Vec<u8>>) -> Result<(), Failure>;

    /// Makes one of everybody's words, at rank 0; what the others have afterwards means nothing.
    fn reduce(&mut self, by: By, words: &mut [u64]) -> Result<(), Failure>;

    /// From rank 0 to a worker, or from a worker to rank 0.
    fn send(&mut self, to: usize, words: &[u64]) -> Result<(), Failure>;

    /// What has been sent by rank 0 or, at rank 0, by a worker: as many words as there are places.
    fn receive(&mut self, from: usize, words: &mut [u64]) -> Result<(), Failure>;

    /// Ends all workers, with a message for whoever looks.
    fn abort(&mut self, failure: &Failure) -> !;
}
