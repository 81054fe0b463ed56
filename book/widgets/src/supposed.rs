//! P0's key, and what P1 would have had to have if the target were another leaf.
//!
//! This is the step by which the theorems `key_simulated` and, with the label at the target, `key_and_leaf_simulated`
//! (`proofs/rocq/core/KeyPrivacy.v`) hide the target: in their hybrid P1's labels on the path have uniform blocks for children.
//! There P0's key is possible for every target, and for every target in equally many ways: of the 256 bits of two children the
//! corrections of a level fix 129, the final correction word fixes 64 more on the last level, and all others are free. With
//! the real generator almost surely no other root of P1 gives this very key; but to notice, one has to tell the generator from
//! random blocks.

use duoram_spec::core::block::{
    Block, bit_block, block_of_halves, clear_flag, flag, high_half, low_half, replicate, with_flag,
};
use duoram_spec::core::dealer::{ValueKey, generate_value, leaf_value};
use duoram_spec::core::dpf::{Correction, address_bits, child, eval};
use duoram_spec::core::prg::Prg;
use duoram_spec::core::share::{Primary, additive_open};
use duoram_vectors::Random;
use serde::Serialize;

use crate::inputs::{BadInput, Inputs};
use crate::tree::{Dealt, hex, last_leaf};

/// The generator of the hybrid: some labels have random children, the others those of the real generator.
struct Hybrid<'a, P> {
    prg: &'a P,
    /// Labels without their flags, and their left and right children.
    programmed: Vec<(Block, Block, Block)>,
}

impl<P> Hybrid<'_, P> {
    fn programmed(&self, label: Block) -> Option<(Block, Block)> {
        let entry = self.programmed.iter().find(|(of, _, _)| *of == clear_flag(label));
        entry.map(|(_, left, right)| (*left, *right))
    }
}

impl<P: Prg> Prg for Hybrid<'_, P> {
    fn left(&self, label: Block) -> Block {
        self.programmed(label).map_or_else(|| self.prg.left(label), |(left, _)| left)
    }
    fn right(&self, label: Block) -> Block {
        self.programmed(label).map_or_else(|| self.prg.right(label), |(_, right)| right)
    }
}

/// The bits of P1's two children that are free on a level, of 256.
const FREE: u32 = 127;
/// And on the last level, whose leaf the final correction word fixes to 64 bits.
const FREE_LAST: u32 = FREE - 64;

/// Children of P1's node on the path that give the correction that P0's key has: the one off the path is fixed, of the other
/// one the lowest bit is; all others are those of `free`.
fn fitting<P: Prg>(
    prg: &P,
    node_0: Block,
    correction: &Correction,
    bit: bool,
    free: Block,
) -> (Block, Block) {
    let (left_0, right_0) = (prg.left(node_0), prg.right(node_0));
    // `level_correction`, solved for P1's part.
    let left_flag = flag(left_0) ^ correction.left_flag ^ !bit;
    let right_flag = flag(right_0) ^ correction.right_flag ^ bit;
    let repaired = |own: Block, fixed: bool| with_flag(own ^ correction.word, fixed);
    if bit {
        (repaired(left_0, left_flag), with_flag(free, right_flag))
    } else {
        (with_flag(free, left_flag), repaired(right_0, right_flag))
    }
}

/// P1's label of the leaf with the word that the final correction word asks for; the other bits stay.
fn fitting_leaf(key_0: &ValueKey<u64>, leaf_0: Block, leaf_1: Block, value: u64) -> Block {
    // `final_correction`, solved for P1's word.
    let f = key_0.final_correction;
    let difference = if flag(leaf_1) { f.wrapping_neg() } else { f };
    let word = difference.wrapping_sub(value).wrapping_add(high_half(leaf_0));
    block_of_halves(low_half(leaf_1), word)
}

/// P1's root and the children of its nodes on the path to a target that P0's key does not exclude.
fn other_side<'a, P: Prg>(
    prg: &'a P,
    key_0: &ValueKey<u64>,
    target: u64,
    value: u64,
    random: &mut Random,
) -> (Block, Hybrid<'a, P>) {
    let depth = key_0.key.corrections.len();
    let root_1 = with_flag(random.block(), true);
    let (mut node_0, mut node_1) = (key_0.key.root, root_1);
    let mut programmed = vec![];
    for (level, (correction, bit)) in
        key_0.key.corrections.iter().zip(address_bits(target, depth)).enumerate()
    {
        let (mut left, mut right) = fitting(prg, node_0, correction, bit, random.block());
        let flag_correction = if bit { correction.right_flag } else { correction.left_flag };
        let corrected = replicate(flag(node_1)) & (correction.word ^ bit_block(flag_correction));
        node_0 = child(prg, node_0, correction, bit);
        let on_path = if bit { &mut right } else { &mut left };
        if level + 1 == depth {
            *on_path = corrected ^ fitting_leaf(key_0, node_0, corrected ^ *on_path, value);
        }
        let next = corrected ^ *on_path;
        programmed.push((clear_flag(node_1), left, right));
        node_1 = next;
    }
    (root_1, Hybrid { prg, programmed })
}

/// P1's node on the path, and its children before correction.
#[derive(Serialize)]
struct OtherNode {
    label: String,
    left: String,
    right: String,
    /// How many of the 256 bits of both children are free.
    free: u32,
}

/// P1's leaf at the supposed target, and what both shares add up to there.
#[derive(Serialize)]
struct OtherLeaf {
    label: String,
    p0: String,
    p1: String,
    sum: String,
}

/// P0's key as it is, and as GEN makes it for the supposed target; and what P1 has, or would have had to have.
#[derive(Serialize)]
pub(crate) struct Shown {
    target: u64,
    /// Whether that is the target that the key was made for: then all is as it was.
    real: bool,
    /// The root, the corrections, the final correction word.
    key: Vec<String>,
    generated: Vec<String>,
    same: bool,
    root: String,
    path: Vec<OtherNode>,
    leaf: OtherLeaf,
    /// Of all that P1 has on the path: what could be drawn in any way, in bits.
    free: u32,
}

/// The parts of a key, as they are shown.
fn parts(key: &ValueKey<u64>) -> Vec<String> {
    let bit = u8::from;
    let level = |c: &Correction| format!("{} {} {}", hex(c.word), bit(c.left_flag), bit(c.right_flag));
    let corrections = key.key.corrections.iter().map(level);
    [hex(key.key.root)].into_iter().chain(corrections).chain([key.final_correction.to_string()]).collect()
}

/// What is shown with one generator: GEN, and P1's side of the path.
fn with<P: Prg>(prg: &P, dealt: &Dealt, target: u64, root_1: Block) -> Shown {
    let Dealt { depth, value, key_0, .. } = dealt;
    let (again_0, again_1) = generate_value(prg, target, *depth, *value, key_0.key.root, root_1);
    let bits = address_bits(target, *depth);
    let mut node = again_1.key.root;
    let mut path = vec![];
    for (level, (correction, bit)) in again_1.key.corrections.iter().zip(&bits).enumerate() {
        let free = if level + 1 == *depth { FREE_LAST } else { FREE };
        path.push(OtherNode {
            label: hex(node),
            left: hex(prg.left(node)),
            right: hex(prg.right(node)),
            free,
        });
        node = child(prg, node, correction, *bit);
    }
    let p0 = leaf_value(Primary::P0, eval(prg, &again_0.key, target), again_0.final_correction);
    let p1 = leaf_value(Primary::P1, node, again_1.final_correction);
    let leaf = OtherLeaf {
        label: hex(node),
        p0: p0.to_string(),
        p1: p1.to_string(),
        sum: additive_open(p0, p1).to_string(),
    };
    Shown {
        target,
        real: target == dealt.target,
        key: parts(key_0),
        generated: parts(&again_0),
        same: again_0 == *key_0,
        root: hex(again_1.key.root),
        // The root is free but for its flag.
        free: FREE + path.iter().map(|node: &OtherNode| node.free).sum::<u32>(),
        path,
        leaf,
    }
}

/// Validates the form. Drawn from the seed, after what the keys are made of: P1's root, and a block a level.
pub(crate) fn show(inputs: &Inputs) -> Result<Shown, BadInput> {
    let mut dealt = Dealt::of(inputs)?;
    let target = inputs.number("supposed", last_leaf(dealt.depth))?;
    if target == dealt.target {
        return Ok(with(&dealt.prg, &dealt, target, dealt.key_1.key.root));
    }
    let (root_1, hybrid) = other_side(&dealt.prg, &dealt.key_0, target, dealt.value, &mut dealt.random);
    Ok(with(&hybrid, &dealt, target, root_1))
}

#[cfg(test)]
mod tests {
    use duoram_spec::core::dealer::{final_correction, level_correction};
    use duoram_spec::core::dpf::eval_full;

    use super::*;

    fn dealt(depth: usize, target: u64, seed: u64) -> Dealt {
        let form = serde_json::json!({
            "depth": depth.to_string(), "target": target.to_string(), "value": "7", "seed": seed.to_string(),
        });
        Dealt::of(&Inputs::parse(&form.to_string()).unwrap()).unwrap()
    }

    #[test]
    fn p0_has_the_very_same_key_and_tree_for_every_target() {
        for (depth, seed) in [(2, 1), (3, 2), (4, 3)] {
            let mut dealt = dealt(depth, 1, seed);
            let own = eval_full(&dealt.prg, &dealt.key_0.key);
            for target in 0..=last_leaf(depth) {
                let (root_1, hybrid) = other_side(&dealt.prg, &dealt.key_0, target, 7, &mut dealt.random);
                let (key_0, key_1) = generate_value(&hybrid, target, depth, 7, dealt.key_0.key.root, root_1);
                assert_eq!(key_0, dealt.key_0, "depth {depth}, target {target}");
                // Both trees in the hybrid: P0's is what it was, P1's is equal but at the target, where the shares open to 7.
                let labels = (eval_full(&hybrid, &key_0.key), eval_full(&hybrid, &key_1.key));
                assert_eq!(labels.0, own);
                let f = key_0.final_correction;
                for (leaf, (label_0, label_1)) in labels.0.iter().zip(&labels.1).enumerate() {
                    let at_target = leaf as u64 == target;
                    assert_eq!(label_0 != label_1, at_target);
                    let shares = (leaf_value(Primary::P0, *label_0, f), leaf_value(Primary::P1, *label_1, f));
                    assert_eq!(additive_open(shares.0, shares.1), if at_target { 7 } else { 0 });
                }
            }
        }
    }

    #[test]
    fn without_the_hybrid_that_root_gives_another_key() {
        let mut dealt = dealt(3, 5, 1);
        for target in [0, 4, 6, 7] {
            let (root_1, _) = other_side(&dealt.prg, &dealt.key_0, target, 7, &mut dealt.random);
            let (key_0, _) = generate_value(&dealt.prg, target, 3, 7, dealt.key_0.key.root, root_1);
            assert_ne!(key_0, dealt.key_0);
        }
    }

    /// The counts that are shown, bit by bit: which of the 256 bits of P1's children may be flipped, and P0's key is the same.
    #[test]
    fn of_256_bits_127_are_free_and_63_on_the_last_level_for_every_target() {
        let depth = 3;
        let mut dealt = dealt(depth, 5, 4);
        for target in 0..=last_leaf(depth) {
            let (root_1, hybrid) = other_side(&dealt.prg, &dealt.key_0, target, 7, &mut dealt.random);
            let (mut node_0, mut node_1) = (dealt.key_0.key.root, root_1);
            for (level, bit) in address_bits(target, depth).into_iter().enumerate() {
                let correction = dealt.key_0.key.corrections[level];
                let (_, left, right) = hybrid.programmed[level];
                let fits = |left: Block, right: Block| {
                    let flipped =
                        Hybrid { prg: &dealt.prg, programmed: vec![(clear_flag(node_1), left, right)] };
                    let last = level + 1 == depth;
                    let leaves = (
                        child(&flipped, node_0, &correction, bit),
                        child(&flipped, node_1, &correction, bit),
                    );
                    level_correction(&flipped, node_0, node_1, bit) == correction
                        && (!last || final_correction(leaves.0, leaves.1, 7) == dealt.key_0.final_correction)
                };
                assert!(fits(left, right));
                let free = (0..128).filter(|at| fits(left ^ (1 << at), right)).count()
                    + (0..128).filter(|at| fits(left, right ^ (1 << at))).count();
                let expected = if level + 1 == depth { FREE_LAST } else { FREE };
                assert_eq!(free, expected as usize, "target {target}, level {level}");
                node_0 = child(&hybrid, node_0, &correction, bit);
                node_1 = child(&hybrid, node_1, &correction, bit);
            }
        }
    }
}
