//! What can go wrong in an experiment.

use crate::network::NothingSent;

/// Why there is no number.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A system gave an answer that is not what the array holds: whatever it measured is worth nothing.
    #[error("{system}: step {step}: expected {expected:#018x}, got {got:#018x}")]
    WrongAnswer {
        /// The system.
        system: &'static str,
        /// The place of the step in the workload, from 0.
        step: usize,
        /// What an array answers.
        expected: u64,
        /// What the system answered.
        got: u64,
    },
    /// A system waits for a message that nobody sent it.
    #[error("{system}: {source}")]
    Network {
        /// The system.
        system: &'static str,
        /// Which message.
        source: NothingSent,
    },
    /// A system was given what it does not take.
    #[error("{system}: expected a workload that it takes, got {got}")]
    NotTaken {
        /// The system.
        system: &'static str,
        /// The workload, in words.
        got: String,
    },
    /// The machine is too small.
    #[error("{system}: 2^{log_size} words take about {needed} bytes, and {available} are available")]
    NotEnoughMemory {
        /// The system.
        system: &'static str,
        /// lg n
        log_size: u32,
        /// What a run would take.
        needed: u64,
        /// What the machine has left.
        available: u64,
    },
    /// A program that is measured beside ours, and does not do as `FORMAT.md` says.
    #[error("{program}: expected {expected}, got {got}")]
    Peer {
        /// As it was called.
        program: String,
        /// What would have been right.
        expected: String,
        /// What came instead.
        got: String,
    },
    /// A party refused a step or a message.
    #[error(transparent)]
    Party(#[from] duoram_reference::Error),
    /// Setting up a run of this project's own parties.
    #[error(transparent)]
    Runtime(#[from] duoram_runtime::Error),
}

impl Error {
    /// Whether a smaller size, or a larger machine, would do.
    pub const fn is_about_memory(&self) -> bool {
        matches!(
            self,
            Self::NotEnoughMemory { .. } | Self::Runtime(duoram_runtime::Error::NotEnoughMemory { .. })
        )
    }
}
