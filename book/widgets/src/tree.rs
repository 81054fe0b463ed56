//! GEN of Definition 2 and EVALFULL by both parties: each level first doubled, then corrected.

use duoram_spec::core::block::{Block, flag};
use duoram_spec::core::dealer::{ValueKey, generate_value, leaf_value};
use duoram_spec::core::dpf::{Correction, address_bits, next_level};
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::core::share::{Primary, additive_open};
use serde::Serialize;

use crate::inputs::{BadInput, Inputs};
use duoram_vectors::Random;

/// A node of one party's tree.
#[derive(Serialize)]
struct Node {
    label: String,
    flag: u8,
}

/// The same place in both trees.
#[derive(Serialize)]
struct Place {
    p0: Node,
    p1: Node,
    same: bool,
}

/// The children of a level before any correction: what the generator makes of the labels.
#[derive(Serialize)]
struct Doubled {
    places: Vec<Place>,
    /// The child of the node on the path that is to become equal, by its place.
    off_path: usize,
    /// Both parties' labels there, and their XOR: `cw`, but for the lowest bit.
    off_0: String,
    off_1: String,
    difference: String,
}

/// What leads from one level to the next.
#[derive(Serialize)]
struct Shared {
    word: String,
    left_flag: u8,
    right_flag: u8,
    /// The target's bit on this level.
    bit: u8,
    /// Who corrects the node on the path: the one whose flag there is 1.
    on_path: &'static str,
    /// The nodes of the level above at which P0 corrects, and at which P1 does.
    p0_at: Vec<usize>,
    p1_at: Vec<usize>,
}

#[derive(Serialize)]
struct Level {
    places: Vec<Place>,
    /// The place on the path to the target.
    path: usize,
    /// None for the roots.
    doubled: Option<Doubled>,
    /// None for the roots.
    correction: Option<Shared>,
}

/// Both parties' shares of the point function at one leaf.
#[derive(Serialize)]
struct Leaf {
    p0: String,
    p1: String,
    sum: String,
}

/// Both trees, from the roots down, and the values of the leaves.
#[derive(Serialize)]
pub(crate) struct Shown {
    levels: Vec<Level>,
    target: u64,
    final_correction: String,
    leaves: Vec<Leaf>,
}

/// What the form says, and the keys that the dealer makes of it.
pub(crate) struct Dealt {
    pub(crate) prg: AesPrg,
    pub(crate) target: u64,
    pub(crate) depth: usize,
    pub(crate) value: u64,
    pub(crate) key_0: ValueKey<u64>,
    pub(crate) key_1: ValueKey<u64>,
    /// What is drawn next.
    pub(crate) random: Random,
}

impl Dealt {
    /// Validates the form. Drawn from the seed, in this order: the session's key, P0's root, P1's root.
    pub(crate) fn of(inputs: &Inputs) -> Result<Dealt, BadInput> {
        let depth = inputs.one_of("depth", &[2, 3, 4, 5, 6])?;
        let target = inputs.number("target", last_leaf(depth))?;
        let value = inputs.number("value", u64::MAX)?;
        let mut random = Random(inputs.number("seed", u64::MAX)?);
        let prg = random.prg();
        let (root_0, root_1) = (random.block(), random.block());
        let (key_0, key_1) = generate_value(&prg, target, depth, value, root_0, root_1);
        Ok(Dealt { prg, target, depth, value, key_0, key_1, random })
    }
}

pub(crate) fn last_leaf(depth: usize) -> u64 {
    (1 << depth) - 1
}

/// Grows both trees.
pub(crate) fn show(inputs: &Inputs) -> Result<Shown, BadInput> {
    let Dealt { prg, target, depth, key_0, key_1, .. } = Dealt::of(inputs)?;

    let (mut labels_0, mut labels_1) = (vec![key_0.key.root], vec![key_1.key.root]);
    let mut path = 0;
    let mut levels =
        vec![Level { places: places(&labels_0, &labels_1), path, doubled: None, correction: None }];
    for (correction, bit) in key_0.key.corrections.iter().zip(address_bits(target, depth)) {
        let correction_shown = Some(shared(correction, bit, &labels_0, &labels_1, path));
        let children = Some(doubled(&prg, &labels_0, &labels_1, 2 * path + usize::from(!bit)));
        labels_0 = next_level(&prg, &labels_0, correction);
        labels_1 = next_level(&prg, &labels_1, correction);
        path = 2 * path + usize::from(bit);
        let places = places(&labels_0, &labels_1);
        levels.push(Level { places, path, doubled: children, correction: correction_shown });
    }

    let word = key_0.final_correction;
    let leaves = labels_0.iter().zip(&labels_1).map(|(label_0, label_1)| {
        let (p0, p1) = (leaf_value(Primary::P0, *label_0, word), leaf_value(Primary::P1, *label_1, word));
        Leaf { p0: p0.to_string(), p1: p1.to_string(), sum: additive_open(p0, p1).to_string() }
    });
    Ok(Shown { levels, target, final_correction: word.to_string(), leaves: leaves.collect() })
}

/// 32 hexadecimal digits, highest first: the last one holds the flag.
pub(crate) fn hex(block: Block) -> String {
    format!("{block:032x}")
}

fn node(label: Block) -> Node {
    Node { label: hex(label), flag: flag(label).into() }
}

fn places(labels_0: &[Block], labels_1: &[Block]) -> Vec<Place> {
    let places = labels_0.iter().zip(labels_1);
    places.map(|(p0, p1)| Place { p0: node(*p0), p1: node(*p1), same: p0 == p1 }).collect()
}

fn doubled(prg: &AesPrg, labels_0: &[Block], labels_1: &[Block], off_path: usize) -> Doubled {
    let children = |labels: &[Block]| -> Vec<Block> {
        labels.iter().flat_map(|label| [prg.left(*label), prg.right(*label)]).collect()
    };
    let (children_0, children_1) = (children(labels_0), children(labels_1));
    let (off_0, off_1) = (children_0[off_path], children_1[off_path]);
    Doubled {
        places: places(&children_0, &children_1),
        off_path,
        off_0: hex(off_0),
        off_1: hex(off_1),
        difference: hex(off_0 ^ off_1),
    }
}

fn shared(correction: &Correction, bit: bool, labels_0: &[Block], labels_1: &[Block], path: usize) -> Shared {
    let at = |labels: &[Block]| (0..labels.len()).filter(|place| flag(labels[*place])).collect::<Vec<_>>();
    let (p0_at, p1_at) = (at(labels_0), at(labels_1));
    Shared {
        word: hex(correction.word),
        left_flag: correction.left_flag.into(),
        right_flag: correction.right_flag.into(),
        bit: bit.into(),
        on_path: if p0_at.contains(&path) { "P0" } else { "P1" },
        p0_at,
        p1_at,
    }
}
