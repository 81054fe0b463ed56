//! The table of messages of two parties of `reference/PROTOCOL.md`.

use duoram_reference::Role;

use super::{LowestBit, Opened, Run, Value, words};

/// A message of the two-party protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // of the fields: counts of what their names say
pub enum Shape {
    Hello { log_size: u32 },
    BaseChoices,
    PirKeys { bytes: usize },
    OtColumns { transfers: usize },
    Queries { count: usize, bytes: usize },
    LevelOperands { dpfs: usize },
    LevelOpening { dpfs: usize },
    Sums { dpfs: usize },
    Shifts { log_size: u32, queries: usize },
    Answers { count: usize, bytes: usize },
    Updates { log_size: u32, queries: usize },
}

impl super::Shape for Shape {
    const VERSION: u8 = 3;
    const KINDS: u8 = 11;
    /// Correction words are even; the sum of conversion words is odd, for it needs an inverse.
    const OPENED: &'static [Opened] =
        &[Opened { kind: 7, bytes: 16, bit: 0 }, Opened { kind: 8, bytes: 8, bit: 1 }];

    fn kind(self) -> u8 {
        match self {
            Self::Hello { .. } => 1,
            Self::BaseChoices => 2,
            Self::PirKeys { .. } => 3,
            Self::OtColumns { .. } => 4,
            Self::Queries { .. } => 5,
            Self::LevelOperands { .. } => 6,
            Self::LevelOpening { .. } => 7,
            Self::Sums { .. } => 8,
            Self::Shifts { .. } => 9,
            Self::Answers { .. } => 10,
            Self::Updates { .. } => 11,
        }
    }

    fn runs(self, _from: Role) -> Vec<Run> {
        use LowestBit::Free;
        use Run::{Bits, Blocks, Numbers, Points};
        let shifts = |count, log_size: u32| Numbers(count, 8, Value::Below(1 << log_size));
        // What only the PIR understands.
        let bytes = |count| Numbers(count, 1, Value::Any);
        match self {
            Self::Hello { log_size } => {
                vec![Blocks(1, Free), Numbers(1, 8, Value::Is(log_size.into())), Points(1)]
            }
            Self::BaseChoices => vec![Points(128)],
            Self::PirKeys { bytes: length } => vec![bytes(length)],
            Self::OtColumns { transfers } => vec![Bits(transfers); 128],
            Self::Queries { count, bytes: length } | Self::Answers { count, bytes: length } => {
                vec![bytes(count * length)]
            }
            Self::LevelOperands { dpfs } => vec![Blocks(dpfs, Free), Bits(3 * dpfs)],
            Self::LevelOpening { dpfs } => vec![Blocks(dpfs, Free)],
            Self::Sums { dpfs } => vec![words(dpfs)],
            Self::Shifts { log_size, queries } => vec![shifts(queries, log_size)],
            Self::Updates { log_size, queries } => [shifts(1, log_size), words(1)].repeat(queries),
        }
    }

    fn nothing_from(self, _from: Role) -> bool {
        false
    }
}
