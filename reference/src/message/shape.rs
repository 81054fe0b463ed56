//! What a receiver knows of a message before it comes.

use crate::bits::packed_length;
use crate::frame::Kind;

const WORD: usize = 8;
const BLOCK: usize = 16;

/// The kind of the message that is due, and the numbers that give its payload's length.
///
/// The protocol has no message whose length the receiver could not tell beforehand, so no length is ever taken from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // of the fields: counts of what their names say
pub enum Shape {
    /// Of [`Message::Hello`](super::Message::Hello).
    Hello { log_size: u32 },
    /// Of [`Message::Blinded`](super::Message::Blinded).
    Blinded { words: usize },
    /// Of [`Message::Blind`](super::Message::Blind).
    Blind { words: usize },
    /// Of [`Message::Triples`](super::Message::Triples).
    Triples { log_size: u32, dpfs: usize },
    /// Of [`Message::LevelOperands`](super::Message::LevelOperands).
    LevelOperands { dpfs: usize },
    /// Of [`Message::LevelOpening`](super::Message::LevelOpening).
    LevelOpening { dpfs: usize },
    /// Of [`Message::ConversionOperands`](super::Message::ConversionOperands).
    ConversionOperands { dpfs: usize, deltas: usize },
    /// Of [`Message::ConversionOpening`](super::Message::ConversionOpening).
    ConversionOpening { dpfs: usize },
    /// Of [`Message::HelperKeys`](super::Message::HelperKeys).
    HelperKeys { log_size: u32, items: usize },
    /// Of [`Message::Shift`](super::Message::Shift).
    Shift { log_size: u32, queries: usize },
    /// Of [`Message::Unblinding`](super::Message::Unblinding).
    Unblinding { queries: usize },
    /// Of [`Message::Update`](super::Message::Update).
    Update { log_size: u32, queries: usize },
    /// Of [`Message::HelperUpdate`](super::Message::HelperUpdate).
    HelperUpdate { log_size: u32, queries: usize },
}

/// `h` as a length.
pub(super) fn levels(log_size: u32) -> usize {
    usize::try_from(log_size).unwrap_or(usize::MAX)
}

impl Shape {
    /// The kind.
    pub const fn kind(&self) -> Kind {
        match self {
            Self::Hello { .. } => Kind::Hello,
            Self::Blinded { .. } => Kind::Blinded,
            Self::Blind { .. } => Kind::Blind,
            Self::Triples { .. } => Kind::Triples,
            Self::LevelOperands { .. } => Kind::LevelOperands,
            Self::LevelOpening { .. } => Kind::LevelOpening,
            Self::ConversionOperands { .. } => Kind::ConversionOperands,
            Self::ConversionOpening { .. } => Kind::ConversionOpening,
            Self::HelperKeys { .. } => Kind::HelperKeys,
            Self::Shift { .. } => Kind::Shift,
            Self::Unblinding { .. } => Kind::Unblinding,
            Self::Update { .. } => Kind::Update,
            Self::HelperUpdate { .. } => Kind::HelperUpdate,
        }
    }

    /// The length of the payload in bytes; saturating, so that no number of items overflows it.
    pub fn payload_length(&self) -> usize {
        match *self {
            Self::Hello { .. } => BLOCK + WORD,
            Self::Blinded { words } | Self::Blind { words } => words.saturating_mul(WORD),
            Self::Triples { log_size, dpfs } => {
                let triples = dpfs.saturating_mul(levels(log_size));
                triples
                    .saturating_mul(2 * BLOCK)
                    .saturating_add(packed_length(triples))
                    .saturating_add(dpfs.saturating_mul(3 * WORD))
            }
            Self::LevelOperands { dpfs } => {
                dpfs.saturating_mul(BLOCK).saturating_add(packed_length(dpfs.saturating_mul(3)))
            }
            Self::LevelOpening { dpfs } => dpfs.saturating_mul(BLOCK),
            Self::ConversionOperands { dpfs, deltas } => {
                dpfs.saturating_mul(3 * WORD).saturating_add(deltas.saturating_mul(2 * WORD))
            }
            Self::ConversionOpening { dpfs } => dpfs.saturating_mul(WORD),
            Self::HelperKeys { log_size, items } => {
                let corrections = items.saturating_mul(levels(log_size));
                items
                    .saturating_mul(BLOCK + WORD)
                    .saturating_add(corrections.saturating_mul(BLOCK))
                    .saturating_add(packed_length(corrections.saturating_mul(2)))
            }
            Self::Shift { queries, .. } | Self::Unblinding { queries } => queries.saturating_mul(WORD),
            Self::Update { queries, .. } => queries.saturating_mul(4 * WORD),
            Self::HelperUpdate { queries, .. } => queries.saturating_mul(3 * WORD),
        }
    }
}
