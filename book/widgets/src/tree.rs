//! GEN of Definition 2 and EVALFULL by both parties, level by level.

use duoram_spec::core::block::{Block, flag};
use duoram_spec::core::dealer::{generate_value, leaf_value};
use duoram_spec::core::dpf::{Correction, address_bits, next_level};
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
    final_correction: String,
    leaves: Vec<Leaf>,
}

/// Validates the form and grows both trees. Drawn from the seed, in this order: the session's key, P0's root, P1's root.
pub(crate) fn show(inputs: &Inputs) -> Result<Shown, BadInput> {
    let depth = inputs.one_of("depth", &[1, 2, 3, 4])?;
    let target = inputs.number("target", (1 << depth) - 1)?;
    let value = inputs.number("value", u64::MAX)?;
    let mut random = Random(inputs.number("seed", u64::MAX)?);

    let prg = random.prg();
    let (root_0, root_1) = (random.block(), random.block());
    let (key_0, key_1) = generate_value::<u64, _>(&prg, target, depth, value, root_0, root_1);

    let (mut labels_0, mut labels_1) = (vec![key_0.key.root], vec![key_1.key.root]);
    let mut path = 0;
    let mut levels = vec![level(&labels_0, &labels_1, path, None)];
    for (correction, bit) in key_0.key.corrections.iter().zip(address_bits(target, depth)) {
        let correction_shown = shared(correction, bit, &labels_0, &labels_1, path);
        labels_0 = next_level(&prg, &labels_0, correction);
        labels_1 = next_level(&prg, &labels_1, correction);
        path = 2 * path + usize::from(bit);
        levels.push(level(&labels_0, &labels_1, path, Some(correction_shown)));
    }

    let word = key_0.final_correction;
    let leaves = labels_0.iter().zip(&labels_1).map(|(label_0, label_1)| {
        let (p0, p1) = (leaf_value(Primary::P0, *label_0, word), leaf_value(Primary::P1, *label_1, word));
        Leaf { p0: p0.to_string(), p1: p1.to_string(), sum: additive_open(p0, p1).to_string() }
    });
    Ok(Shown { levels, final_correction: word.to_string(), leaves: leaves.collect() })
}

/// 32 hexadecimal digits, highest first: the last one holds the flag.
fn hex(block: Block) -> String {
    format!("{block:032x}")
}

fn node(label: Block) -> Node {
    Node { label: hex(label), flag: flag(label).into() }
}

fn level(labels_0: &[Block], labels_1: &[Block], path: usize, correction: Option<Shared>) -> Level {
    let places = labels_0.iter().zip(labels_1);
    let places = places.map(|(p0, p1)| Place { p0: node(*p0), p1: node(*p1), same: p0 == p1 }).collect();
    Level { places, path, correction }
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
