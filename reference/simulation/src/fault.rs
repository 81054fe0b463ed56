//! Faults that are planted: each breaks one rule at one place, and must be found.

use clap::ValueEnum;

/// What is done wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Fault {
    /// A party speaks before the command is on disk, and the client forgets its shares (rules 1, 5).
    SpeaksFirst,
    /// A party acknowledges what is not on disk (rule 3).
    EarlyAcknowledgement,
    /// A party does not say again what was not acknowledged (rule 4).
    NoRetransmission,
    /// The journal's records have no checksum.
    NoChecksum,
    /// The disk says that it has synced, and has not.
    LyingFsync,
    /// A snapshot has the items of the one before (rule 2).
    ItemsRestored,
    /// A snapshot is written over the one before (rule 2).
    TornSnapshot,
    /// The number of items made is not restored.
    ItemNumberReused,
    /// A party's randomness begins anew.
    StreamsNotRestored,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::SpeaksFirst,
        Self::EarlyAcknowledgement,
        Self::NoRetransmission,
        Self::NoChecksum,
        Self::LyingFsync,
        Self::ItemsRestored,
        Self::TornSnapshot,
        Self::ItemNumberReused,
        Self::StreamsNotRestored,
    ];
}
