//! Chapter 4: one tree of depth 3, step by step.

mod evaluation;
mod generation;

use duoram_spec::core::aes::{bytes_of_block, expand_key};
use duoram_spec::core::block::{Block, flag, with_flag};
use duoram_spec::core::dealer::{generate, level_correction};
use duoram_spec::core::dpf::{Correction, Key, address_bits, child, eval_full};
use duoram_spec::core::prg::{AesPrg, Prg};

use crate::files::Page;
use duoram_vectors::Random;

const DEPTH: usize = 3;

/// 101 in bits: the path turns both ways, as in the paper's figure 2.
const TARGET: u64 = 5;

/// The node on the path in both trees, and its children.
struct Level {
    /// The address bit, true for right.
    bit: bool,
    /// The labels of the node, P0's and P1's.
    node: [Block; 2],
    /// Left and right children before correction, of each party.
    children: [[Block; 2]; 2],
    correction: Correction,
    /// Left and right children after correction, of each party.
    corrected: [[Block; 2]; 2],
}

/// What the dealer does, from the roots to the leaf.
pub(crate) struct Walk {
    session_key: Block,
    pub(crate) prg: AesPrg,
    /// The roots before they get their flags.
    drawn: [Block; 2],
    levels: Vec<Level>,
    pub(crate) keys: [Key; 2],
}

impl Walk {
    fn new(seed: u64) -> Self {
        let mut r = Random(seed);
        let session_key = r.block();
        let prg = AesPrg { aes: expand_key(&bytes_of_block(session_key)) };
        let drawn = [r.block(), r.block()];
        let mut node = [with_flag(drawn[0], false), with_flag(drawn[1], true)];
        let mut levels = Vec::new();
        for bit in address_bits(TARGET, DEPTH) {
            let correction = level_correction(&prg, node[0], node[1], bit);
            let both = |side: bool| node.map(|node| child(&prg, node, &correction, side));
            let level = Level {
                bit,
                node,
                children: [node.map(|node| prg.left(node)), node.map(|node| prg.right(node))],
                correction,
                corrected: [both(false), both(true)],
            };
            node = level.corrected[usize::from(bit)];
            levels.push(level);
        }
        let (key_0, key_1) = generate(&prg, TARGET, DEPTH, drawn[0], drawn[1]);
        Self { session_key, prg, drawn, levels, keys: [key_0, key_1] }
    }

    /// A root is changed by its flag, each party corrects on some level, and whatever differs shows it in its last four
    /// digits.
    fn is_telling(&self) -> bool {
        let corrects = |party: usize| self.levels.iter().any(|level| flag(level.node[party]));
        let [leaves_0, leaves_1] = self.keys.each_ref().map(|key| eval_full(&self.prg, key));
        let nodes = self.levels.iter().flat_map(|level| level.corrected);
        let leaves = leaves_0.into_iter().zip(leaves_1).map(|(leaf_0, leaf_1)| [leaf_0, leaf_1]);
        let shows = |pair: [Block; 2]| pair[0] == pair[1] || (pair[0] ^ pair[1]) & 0xffff != 0;
        self.drawn != self.levels[0].node && corrects(0) && corrects(1) && nodes.chain(leaves).all(shows)
    }
}

/// The walk of the chapter.
pub(crate) fn walk() -> Walk {
    (1..1000).map(Walk::new).find(Walk::is_telling).expect("one in a few is")
}

/// The tables of the chapter.
pub(crate) fn pages() -> Vec<Page> {
    let walk = walk();
    let corrections: Vec<Correction> = walk.levels.iter().map(|level| level.correction).collect();
    for (party, key) in walk.keys.iter().enumerate() {
        assert_eq!(key.root, walk.levels[0].node[party]);
        assert_eq!(key.corrections, corrections, "the walk by hand makes GEN's keys");
    }
    [generation::pages(&walk), evaluation::pages(&walk)].into_iter().flatten().collect()
}
