//! The table "Messages" of `reference/PROTOCOL.md`.

use duoram_reference::Role;

use super::{LowestBit, Opened, Run, Value, words};

/// A message of the paper's protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // of the fields: counts of what their names say
pub enum Shape {
    Hello { log_size: u32 },
    Blinded { words: usize },
    Blind { words: usize },
    Triples { log_size: u32, dpfs: usize },
    LevelOperands { dpfs: usize },
    LevelOpening { dpfs: usize },
    ConversionOperands { dpfs: usize, deltas: usize },
    ConversionOpening { dpfs: usize },
    HelperKeys { log_size: u32, items: usize },
    Shift { log_size: u32, queries: usize },
    Unblinding { queries: usize },
    Update { log_size: u32, queries: usize },
    HelperUpdate { log_size: u32, queries: usize },
}

impl super::Shape for Shape {
    const VERSION: u8 = 1;
    const KINDS: u8 = 13;
    const OPENED: &'static [Opened] = &[Opened { kind: 6, bytes: 16, bit: 0 }];

    fn kind(self) -> u8 {
        match self {
            Self::Hello { .. } => 1,
            Self::Blinded { .. } => 2,
            Self::Blind { .. } => 3,
            Self::Triples { .. } => 4,
            Self::LevelOperands { .. } => 5,
            Self::LevelOpening { .. } => 6,
            Self::ConversionOperands { .. } => 7,
            Self::ConversionOpening { .. } => 8,
            Self::HelperKeys { .. } => 9,
            Self::Shift { .. } => 10,
            Self::Unblinding { .. } => 11,
            Self::Update { .. } => 12,
            Self::HelperUpdate { .. } => 13,
        }
    }

    fn runs(self, from: Role) -> Vec<Run> {
        use LowestBit::{Free, Is};
        use Run::{Bits, Blocks, Numbers};
        let h = |log_size: u32| log_size as usize;
        // For each query a shift share and so many words more.
        let openings = |log_size: u32, queries: usize, more: usize| {
            [Numbers(1, 8, Value::Below(1 << log_size)), words(more)].repeat(queries)
        };
        match self {
            Self::Hello { log_size } => vec![Blocks(1, Free), Numbers(1, 8, Value::Is(log_size.into()))],
            Self::Blinded { words: count } | Self::Blind { words: count } => vec![words(count)],
            Self::Triples { log_size, dpfs } => {
                let levels = dpfs * h(log_size);
                vec![Blocks(2 * levels, Free), Bits(levels), words(3 * dpfs)]
            }
            Self::LevelOperands { dpfs } => vec![Blocks(dpfs, Free), Bits(3 * dpfs)],
            Self::LevelOpening { dpfs } => vec![Blocks(dpfs, Free)],
            Self::ConversionOperands { dpfs, deltas } => vec![words(3 * dpfs + 2 * deltas)],
            Self::ConversionOpening { dpfs } => vec![words(dpfs)],
            Self::HelperKeys { log_size, items } => {
                let key = [Blocks(1, Is(from.number())), Blocks(h(log_size), Is(0)), words(1)];
                let mut runs = key.repeat(items);
                runs.push(Bits(2 * items * h(log_size)));
                runs
            }
            Self::Shift { log_size, queries } => openings(log_size, queries, 0),
            Self::Unblinding { queries } => vec![words(queries)],
            Self::Update { log_size, queries } => openings(log_size, queries, 3),
            Self::HelperUpdate { log_size, queries } => openings(log_size, queries, 2),
        }
    }

    /// P2 has no keys to send.
    fn nothing_from(self, from: Role) -> bool {
        matches!(self, Self::HelperKeys { items: 1.., .. }) && from == Role::P2
    }
}
