//! The table "Frames and messages" of `reference/PROTOCOL.md`, part two.

use duoram_reference::Role;

use super::{LowestBit, Opened, Run, Value, words};

/// Numbers of READ and of UPDATE items, in a memory of `2^log_size` rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Batch {
    pub log_size: u32,
    pub row_words: usize,
    pub reads: usize,
    pub updates: usize,
}

impl Batch {
    /// All items.
    pub const fn items(self) -> usize {
        self.reads + self.updates
    }

    /// The DPFs of the batch.
    pub const fn dpfs(self) -> usize {
        2 * self.items()
    }

    /// The levels of a READ item's trees: `h - kf`.
    pub const fn read_levels(self) -> usize {
        self.log_size.saturating_sub(7) as usize
    }

    /// The levels of an UPDATE item's trees: `h - kw`.
    pub const fn update_levels(self) -> usize {
        self.log_size.saturating_sub(3) as usize
    }

    /// The levels that one tree of each item has.
    fn levels(self) -> usize {
        self.reads * self.read_levels() + self.updates * self.update_levels()
    }
}

/// A message of the lean protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // of the fields: counts of what their names say
pub enum Shape {
    Hello { rows: usize, row_words: usize },
    Alpha { words: usize },
    Beta { words: usize },
    Deal(Batch),
    IndexOffset(Batch),
    LevelOperands { dpfs: usize },
    LevelOpening { dpfs: usize },
    FlagLayer(Batch),
    ValueLayer(Batch),
    HelperKeys(Batch),
    Difference(Batch),
    Shift { log_size: u32, queries: usize },
    Unblinding { row_words: usize, queries: usize },
    Update { log_size: u32, row_words: usize, queries: usize },
    Write { row_words: usize },
}

impl super::Shape for Shape {
    const VERSION: u8 = 2;
    const KINDS: u8 = 15;
    const OPENED: &'static [Opened] = &[Opened { kind: 7, bytes: 16, bit: 0 }];

    fn kind(self) -> u8 {
        match self {
            Self::Hello { .. } => 1,
            Self::Alpha { .. } => 2,
            Self::Beta { .. } => 3,
            Self::Deal(_) => 4,
            Self::IndexOffset(_) => 5,
            Self::LevelOperands { .. } => 6,
            Self::LevelOpening { .. } => 7,
            Self::FlagLayer(_) => 8,
            Self::ValueLayer(_) => 9,
            Self::HelperKeys(_) => 10,
            Self::Difference(_) => 11,
            Self::Shift { .. } => 12,
            Self::Unblinding { .. } => 13,
            Self::Update { .. } => 14,
            Self::Write { .. } => 15,
        }
    }

    fn runs(self, from: Role) -> Vec<Run> {
        use LowestBit::{Free, Is};
        use Run::{Bits, Blocks, Numbers};
        let addresses = |log_size: u32, queries: usize| {
            Numbers(queries, log_size.div_ceil(8) as usize, Value::Below(1 << log_size))
        };
        match self {
            Self::Hello { rows, row_words } => {
                let size = rows as u64 + ((row_words as u64 - 1) << 48);
                vec![Blocks(1, Free), words(4), Numbers(1, 8, Value::Is(size))]
            }
            Self::Alpha { words: count } | Self::Beta { words: count } => vec![words(count)],
            Self::Deal(batch) => vec![
                Blocks(2 * batch.levels(), Free),
                Blocks(batch.dpfs(), Free),
                words(2 * batch.updates * (8 + 1) * batch.row_words),
            ],
            Self::IndexOffset(batch) => {
                vec![Numbers(batch.dpfs(), 1, Value::Below(1 << batch.log_size.min(7)))]
            }
            Self::LevelOperands { dpfs } => vec![Blocks(dpfs, Free), Bits(3 * dpfs)],
            Self::LevelOpening { dpfs } => vec![Blocks(dpfs, Free)],
            Self::FlagLayer(batch) => vec![Blocks(batch.dpfs(), Free)],
            Self::ValueLayer(batch) => vec![words(2 * batch.updates * 8 * batch.row_words)],
            Self::HelperKeys(batch) => {
                let key = |levels, values| {
                    [Blocks(1, Is(from.number())), Blocks(levels, Is(0)), Blocks(1, Free), words(values)]
                };
                let reads = key(batch.read_levels(), 0).repeat(batch.reads);
                let updates = key(batch.update_levels(), 8 * batch.row_words).repeat(batch.updates);
                [reads, updates, vec![Bits(2 * batch.levels())]].concat()
            }
            Self::Difference(batch) => vec![words(batch.updates * batch.row_words)],
            Self::Shift { log_size, queries } => vec![addresses(log_size, queries)],
            Self::Unblinding { row_words, queries } => vec![words(queries * row_words)],
            Self::Update { log_size, row_words, queries } => {
                vec![addresses(log_size, queries), words(queries * row_words)]
            }
            Self::Write { row_words } => vec![words(row_words)],
        }
    }

    /// P2 has no keys to send.
    fn nothing_from(self, from: Role) -> bool {
        matches!(self, Self::HelperKeys(batch) if batch.items() > 0) && from == Role::P2
    }
}
