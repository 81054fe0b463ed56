//! What a constant-time check must find, one leak of each kind.

use std::hint::black_box;

use duoram_reference::{Block, ChildSums};

/// A leak, planted in the local computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Leak {
    /// Something is done only for leaves whose flag is set.
    Branch,
    /// A search stops at the first leaf whose flag is set.
    EarlyExit,
    /// A word is taken from memory directly, by a secret index.
    Lookup,
    /// The growth of a tree looks a byte of a label up, as AES does with an S-box in memory.
    SBox,
}

/// Words to look up.
static TABLE: [u8; 256] = [7; 256];

impl Leak {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Branch, Self::EarlyExit, Self::Lookup, Self::SBox];

    /// Its name on the command line.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Branch => "branch",
            Self::EarlyExit => "early-exit",
            Self::Lookup => "lookup",
            Self::SBox => "s-box",
        }
    }

    /// What leaks where the flags of a key are used, each the lowest bit of a block. `black_box` keeps the compiler from replacing branches
    /// by arithmetic, as it often does: only then they leak.
    pub(crate) fn in_flags(self, labels: &[Block]) {
        match self {
            Self::Branch => {
                let mut set = 0;
                for label in labels {
                    if label & 1 == 1 {
                        set = black_box(set + 1);
                    }
                }
            }
            Self::EarlyExit => {
                black_box(labels.iter().position(|label| black_box(*label) & 1 == 1));
            }
            Self::Lookup => {
                let memory = black_box(vec![0_u64; 32]);
                let secret = usize::try_from(labels[0] >> 64).unwrap_or_default();
                black_box(memory[secret & 31]);
            }
            Self::SBox => {}
        }
    }

    /// What leaks while trees grow.
    pub(crate) fn in_growth(self, sums: &[ChildSums]) {
        if self == Self::SBox {
            for sums in sums {
                black_box(black_box(&TABLE)[usize::from(sums.left.to_le_bytes()[3])]);
            }
        }
    }
}
