//! GEN, run by a dealer who knows the target `[duoram, section 2.1.1]`, `[bgi16]`, and the final correction word.
//!
//! DUORAM itself has no such dealer ([`crate::core::distributed_gen`]); this is what its keys are compared with.

use crate::core::block::{Block, clear_flag, flag, with_flag};
use crate::core::dpf::{Correction, Key, address_bits, child, eval, leaf};
use crate::core::prg::Prg;
use crate::core::ring::Ring;
use crate::core::share::{Primary, signed};
use crate::core::vector::sum;

/// The correction of a level, from the two nodes on the path and the address bit: the children off the path become equal
/// in label and flag, and the flags of the children on the path become different.
pub fn level_correction<P: Prg>(prg: &P, node_0: Block, node_1: Block, bit: bool) -> Correction {
    let left = prg.left(node_0) ^ prg.left(node_1);
    let right = prg.right(node_0) ^ prg.right(node_1);
    Correction {
        word: clear_flag(if bit { left } else { right }),
        left_flag: flag(left) ^ !bit,
        right_flag: flag(right) ^ bit,
    }
}

/// GEN without final correction word: the keys of P0 and P1 for a target, from the two roots (of which only the upper 127
/// bits are used: the flag of P0's root is 0, of P1's root 1).
pub fn generate<P: Prg>(prg: &P, target: u64, log_size: usize, root_0: Block, root_1: Block) -> (Key, Key) {
    let start_0 = with_flag(root_0, false);
    let start_1 = with_flag(root_1, true);
    let bits = address_bits(target, log_size);
    let (corrections, _, _) =
        bits.iter().fold((vec![], start_0, start_1), |(corrections, node_0, node_1), bit| {
            let correction = level_correction(prg, node_0, node_1, *bit);
            (
                [corrections, vec![correction]].concat(),
                child(prg, node_0, &correction, *bit),
                child(prg, node_1, &correction, *bit),
            )
        });
    (Key { root: start_0, corrections: corrections.clone() }, Key { root: start_1, corrections })
}

/// The final correction word F for the value `m`: with it, `v_0 + v_1 + F (t_0 + t_1) = m` at the target, where `v_b` and
/// `t_b` are signed (Definition 2; `ERRATA.md`, 4: only once F is applied).
pub fn final_correction<W: Ring>(label_0: Block, label_1: Block, m: W) -> W {
    let difference = m.minus(W::value_word(label_0)).plus(W::value_word(label_1));
    if flag(label_1) { difference.negated() } else { difference }
}

/// A key with its final correction word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueKey<W> {
    /// The key without it.
    pub key: Key,
    /// F, the same for both parties.
    pub final_correction: W,
}

/// GEN of Definition 2: keys for the point function that is `m` at `target`.
pub fn generate_value<W: Ring, P: Prg>(
    prg: &P,
    target: u64,
    log_size: usize,
    m: W,
    root_0: Block,
    root_1: Block,
) -> (ValueKey<W>, ValueKey<W>) {
    let (key_0, key_1) = generate(prg, target, log_size, root_0, root_1);
    let word = final_correction(eval(prg, &key_0, target), eval(prg, &key_1, target), m);
    (ValueKey { key: key_0, final_correction: word }, ValueKey { key: key_1, final_correction: word })
}

/// A party's additive share of the point function at one leaf: `v_b + F t_b`, signed.
pub fn leaf_value<W: Ring>(party: Primary, label: Block, final_correction: W) -> W {
    let corrected = if flag(label) { final_correction } else { W::zero() };
    signed(party, W::value_word(label).plus(corrected))
}

/// EVAL of Definition 2: a party's additive share of the point function at `address`.
pub fn eval_value<W: Ring, P: Prg>(prg: &P, party: Primary, key: &ValueKey<W>, address: u64) -> W {
    leaf_value(party, eval(prg, &key.key, address), key.final_correction)
}

/// A party's share of the deferred final correction word: `F_b = - sum_i v_b[i]`, for signed words v_b. Both shares add up
/// to the negated sum of the two words at the target, where alone they do not cancel `[duoram, sections 4 and 4.1.1]`.
pub fn final_correction_share<W: Ring>(words: &[W]) -> W {
    sum(words).negated()
}

/// What the shares of the deferred final correction word are shares of: `- (v_0[i*] + v_1[i*])` `[duoram, section 4]`.
pub fn deferred_final_correction<W: Ring>(labels_0: &[Block], labels_1: &[Block], target: u64) -> W {
    W::value_word(leaf(labels_1, target)).minus(W::value_word(leaf(labels_0, target)))
}
