//! What one call of a kernel is given, and where in its answer a word stands.

use std::fmt;
use std::str::FromStr;

use duoram_kernel::UnitKey;
use duoram_reference::{Block, Word};
use duoram_spec::core::block::{high_half, low_half};
use duoram_spec::core::dpf;
use serde::{Deserialize, Serialize};

use super::lean::{FlagKey, NODE_WORDS, Selection, ValueUpdate, flag_words};

/// The operations of the interface.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// `duoram_kernel_grow`
    Grow,
    /// `duoram_kernel_evaluate`
    Evaluate,
    /// `duoram_kernel_read`
    Read,
    /// `duoram_kernel_update`
    Update,
    /// `duoram_kernel_lean_sums`
    LeanSums,
    /// `duoram_kernel_lean_flags`
    LeanFlags,
    /// `duoram_kernel_lean_read`
    LeanRead,
    /// `duoram_kernel_lean_update`
    LeanUpdate,
}

impl Operation {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Grow,
        Self::Evaluate,
        Self::Read,
        Self::Update,
        Self::LeanSums,
        Self::LeanFlags,
        Self::LeanRead,
        Self::LeanUpdate,
    ];

    /// The least depth that it has: a level may be that of the roots, a memory has two words.
    pub fn least_depth(self) -> u32 {
        u32::from(!matches!(self, Self::Grow | Self::LeanSums))
    }

    /// The function of the header.
    pub fn function(self) -> String {
        format!("duoram_kernel_{self}")
    }
}

/// The names of [`Operation`] when it is printed.
impl FromStr for Operation {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|operation| operation.to_string() == name);
        named.ok_or_else(|| format!("expected one of {}", Self::ALL.map(|o| o.to_string()).join(", ")))
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Grow => "grow",
            Self::Evaluate => "evaluate",
            Self::Read => "read",
            Self::Update => "update",
            Self::LeanSums => "lean_sums",
            Self::LeanFlags => "lean_flags",
            Self::LeanRead => "lean_read",
            Self::LeanUpdate => "lean_update",
        })
    }
}

/// A block as the words of `duoram_block`.
pub(super) fn block_words(block: Block) -> [Word; 2] {
    [low_half(block), high_half(block)]
}

/// The corrections of a level: `cw`, `cwt_L`, `cwt_R`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// `cw`, its lowest bit 0.
    pub word: Block,
    /// `cwt_L`
    pub left_flag: bool,
    /// `cwt_R`
    pub right_flag: bool,
}

/// A key. Unlike a real one it may be used as often as one likes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// With its flag.
    pub root: Block,
    /// From the root's level down.
    pub levels: Vec<Level>,
    /// `A`
    pub conversion_factor: Word,
}

impl Key {
    /// As our kernels have it.
    pub fn unit_key(&self) -> UnitKey {
        UnitKey::new(self.tree(), self.conversion_factor)
    }

    /// Its tree, as our kernels have it.
    pub fn tree(&self) -> duoram_kernel::Key {
        let correction = |level: &Level| duoram_kernel::Correction {
            word: level.word,
            left_flag: level.left_flag,
            right_flag: level.right_flag,
        };
        duoram_kernel::Key::new(self.root, self.levels.iter().map(correction).collect())
    }

    /// As the specification has it.
    pub fn specified(&self) -> dpf::Key {
        let correction = |level: &Level| dpf::Correction {
            word: level.word,
            left_flag: level.left_flag,
            right_flag: level.right_flag,
        };
        dpf::Key { root: self.root, corrections: self.levels.iter().map(correction).collect() }
    }
}

/// A READ or an UPDATE of the batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    /// Key one and key two, as the header has them.
    pub keys: [Key; 2],
    /// F of both; READ has none.
    pub final_corrections: [Word; 2],
    /// S, below n.
    pub shift: u64,
}

/// A batch of READs, or of UPDATEs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scan {
    /// K
    pub session_key: Block,
    /// 0, 1 or 2
    pub party: u8,
    /// `first` and `second`, n words each.
    pub memory: [Vec<Word>; 2],
    /// At least one.
    pub queries: Vec<Query>,
}

/// The arguments of one call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Case {
    /// One level of some trees, all of one width.
    Grow {
        /// K
        session_key: Block,
        /// Of which `parents` are equal parts.
        trees: usize,
        /// Labels, with flags.
        parents: Vec<Block>,
    },
    /// All leaves of some trees of one height.
    Evaluate {
        /// K
        session_key: Block,
        /// At least one.
        keys: Vec<Key>,
    },
    /// READs
    Read(Scan),
    /// UPDATEs
    Update(Scan),
    /// The lean protocol's output layers of one level of some trees, all of one width.
    LeanSums {
        /// K
        session_key: Block,
        /// Of which `parents` are equal parts.
        trees: usize,
        /// Labels of the nodes, with flags.
        parents: Vec<Block>,
    },
    /// Its flags of all leaves.
    LeanFlags {
        /// K
        session_key: Block,
        /// lg n
        depth: u32,
        /// At least one.
        keys: Vec<FlagKey>,
    },
    /// Its READs of one vector.
    LeanRead {
        /// n words.
        memory: Vec<Word>,
        /// At least one.
        queries: Vec<Selection>,
    },
    /// Its UPDATEs of one vector.
    LeanUpdate {
        /// K
        session_key: Block,
        /// n words.
        memory: Vec<Word>,
        /// At least one.
        queries: Vec<ValueUpdate>,
    },
}

impl Case {
    /// Which function is called.
    pub fn operation(&self) -> Operation {
        match self {
            Self::Grow { .. } => Operation::Grow,
            Self::Evaluate { .. } => Operation::Evaluate,
            Self::Read(_) => Operation::Read,
            Self::Update(_) => Operation::Update,
            Self::LeanSums { .. } => Operation::LeanSums,
            Self::LeanFlags { .. } => Operation::LeanFlags,
            Self::LeanRead { .. } => Operation::LeanRead,
            Self::LeanUpdate { .. } => Operation::LeanUpdate,
        }
    }

    /// K; 0 for the lean READ, which has no use for it.
    pub fn session_key(&self) -> Block {
        match self {
            Self::Grow { session_key, .. }
            | Self::Evaluate { session_key, .. }
            | Self::LeanSums { session_key, .. }
            | Self::LeanFlags { session_key, .. }
            | Self::LeanUpdate { session_key, .. } => *session_key,
            Self::LeanRead { .. } => 0,
            Self::Read(scan) | Self::Update(scan) => scan.session_key,
        }
    }

    /// lg n, the height of the trees unless they end early; for one level, that of the level above it.
    pub fn depth(&self) -> u32 {
        match self {
            Self::Grow { trees, parents, .. } | Self::LeanSums { trees, parents, .. } => {
                (parents.len() / trees).ilog2()
            }
            Self::Evaluate { keys, .. } => u32::try_from(keys[0].levels.len()).unwrap_or(u32::MAX),
            Self::Read(scan) | Self::Update(scan) => scan.memory[0].len().ilog2(),
            Self::LeanFlags { depth, .. } => *depth,
            Self::LeanRead { memory, .. } | Self::LeanUpdate { memory, .. } => memory.len().ilog2(),
        }
    }

    /// Trees, or queries.
    pub fn count(&self) -> usize {
        match self {
            Self::Grow { trees, .. } | Self::LeanSums { trees, .. } => *trees,
            Self::Evaluate { keys, .. } => keys.len(),
            Self::Read(scan) | Self::Update(scan) => scan.queries.len(),
            Self::LeanFlags { keys, .. } => keys.len(),
            Self::LeanRead { queries, .. } => queries.len(),
            Self::LeanUpdate { queries, .. } => queries.len(),
        }
    }

    /// How many words the answer has: all outputs of the function, in the order of the header.
    pub fn answer_words(&self) -> usize {
        match self {
            Self::Grow { trees, parents, .. } => 4 * (parents.len() + trees),
            Self::Evaluate { keys, .. } => 5 * keys.len(),
            Self::Read(scan) if scan.party == 2 => 2 * scan.queries.len(),
            Self::Read(scan) => scan.queries.len(),
            Self::Update(scan) => 2 * scan.memory[0].len(),
            Self::LeanSums { trees, .. } => (2 + NODE_WORDS) * trees,
            Self::LeanFlags { depth, keys, .. } => flag_words(*depth) * keys.len(),
            Self::LeanRead { queries, .. } => queries.len(),
            Self::LeanUpdate { memory, .. } => memory.len(),
        }
    }

    /// What a word of the answer is: `UPDATE`'s answer is `first` and then `second`, the lean one's is `memory`, the others'
    /// are in the order of the header.
    pub fn place(&self, index: usize) -> String {
        let half = ["low", "high"][index % 2];
        match self {
            Self::Grow { parents, .. } if index < 4 * parents.len() => {
                format!("children[{}].{half}", index / 2)
            }
            Self::Grow { parents, .. } => format!("sums[{}].{half}", index / 2 - 2 * parents.len()),
            Self::Evaluate { .. } => {
                let sums =
                    ["flag_count", "conversion_sum", "value_sum", "index_flag_sum", "index_conversion_sum"];
                format!("sums[{}].{}", index / sums.len(), sums[index % sums.len()])
            }
            Self::Read(_) | Self::LeanRead { .. } => format!("results[{index}]"),
            Self::Update(scan) => {
                let n = scan.memory[0].len();
                format!("{}[{}]", ["first", "second"][index / n], index % n)
            }
            Self::LeanSums { trees, .. } if index < 2 * trees => format!("flag_sums[{}].{half}", index / 2),
            Self::LeanSums { trees, .. } => format!("word_sums[{}].{half}", index / 2 - trees),
            Self::LeanFlags { .. } => format!("flags[{index}]"),
            Self::LeanUpdate { .. } => format!("memory[{index}]"),
        }
    }
}

/// In short: what kind of case it is.
impl fmt::Display for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (depth, count) = (self.depth(), self.count());
        let joined = |shifts: Vec<u64>| shifts.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Self::Grow { .. } | Self::LeanSums { .. } => write!(formatter, "trees {count}, width 2^{depth}"),
            Self::Evaluate { .. } | Self::LeanFlags { .. } => {
                write!(formatter, "depth {depth}, keys {count}")
            }
            Self::Read(scan) | Self::Update(scan) => {
                let shifts = joined(scan.queries.iter().map(|query| query.shift).collect());
                write!(formatter, "party {}, depth {depth}, shifts {shifts}", scan.party)
            }
            Self::LeanRead { queries, .. } => {
                let shifts = joined(queries.iter().map(|query| query.shift).collect());
                write!(formatter, "depth {depth}, shifts {shifts}")
            }
            Self::LeanUpdate { queries, .. } => {
                let shifts = joined(queries.iter().map(|query| query.selection.shift).collect());
                write!(formatter, "depth {depth}, shifts {shifts}")
            }
        }
    }
}
