//! Saved lanes that are not what the party has saved: the faults whose place is in what a snapshot holds.
//!
//! The layout is that of `reference/PROTOCOL.md`, part three: a header of 32 bytes, the last 8 of them the length of what follows;
//! then the number of the next step (8), the stream's seed (32) and place (16), K (16), the number of items made (8); of the memory lane
//! five counts (40), shares, vectors, and the items, READ items first, each with its number before it.

use duoram_reference::Lane;

use crate::fault::Fault;

const LENGTH: usize = 24;
const OPERATION: usize = 32;
const STREAM: usize = 72;
const MADE: usize = 104;
const COUNTS: usize = 112;
const BODY: usize = 152;

fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
}

fn set(bytes: &mut [u8], at: usize, word: u64) {
    bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
}

/// The number of a saved lane's next step.
pub(crate) fn operation(saved: &[u8]) -> u64 {
    word(saved, OPERATION)
}

/// What a fault remembers of the snapshots before.
#[derive(Default)]
pub(crate) struct Tampering {
    fault: Option<Fault>,
    /// The memory lane of the snapshot before.
    before: Vec<u8>,
    /// The number of items made that the memory lane was given, for the making lane to be given the same.
    made: u64,
}

impl Tampering {
    pub(crate) fn new(fault: Option<Fault>) -> Self {
        Self { fault, ..Self::default() }
    }

    /// What is stored of a lane instead.
    pub(crate) fn save(&mut self, lane: Lane, log_size: u32, saved: &[u8]) -> Vec<u8> {
        if self.fault != Some(Fault::ItemsRestored) || lane != Lane::Memory {
            return saved.to_vec();
        }
        let before = std::mem::replace(&mut self.before, saved.to_vec());
        if before.is_empty() {
            return saved.to_vec();
        }
        let items = |saved: &[u8]| {
            let words = word(saved, COUNTS + 8) + (word(saved, COUNTS + 16) << log_size);
            BODY + 8 * usize::try_from(words).unwrap_or(0)
        };
        let mut mixed = [&saved[..items(saved)], &before[items(&before)..]].concat();
        mixed[COUNTS + 24..BODY].copy_from_slice(&before[COUNTS + 24..BODY]);
        let length = mixed.len() as u64 - 32;
        set(&mut mixed, LENGTH, length);
        mixed
    }

    /// What a lane is restored from instead; the memory lane comes first.
    pub(crate) fn restore(&mut self, lane: Lane, saved: &[u8]) -> Vec<u8> {
        let mut saved = saved.to_vec();
        match self.fault {
            Some(Fault::StreamsNotRestored) => saved[STREAM..STREAM + 16].fill(0),
            Some(Fault::ItemNumberReused) => {
                if lane == Lane::Memory {
                    // As few as the items that are left allow: none, if there are none.
                    let left = word(&saved, COUNTS + 24) + word(&saved, COUNTS + 32);
                    self.made = if left == 0 { 0 } else { word(&saved, MADE) };
                }
                set(&mut saved, MADE, self.made);
            }
            _ => {}
        }
        saved
    }
}
