//! The generation of a DPF whose target nobody knows `[duoram, App. C]`, after Doerner and shelat `[floram]`.
//!
//! One AND a level, of a shared bit with a shared block, gives the correction word:
//! `cw = (i and (L xor R)) xor R` (`ERRATA.md`, 11). Two messages a level: the masked operands together with the shares of
//! the flag corrections, then the shares of `cw`.
//!
//! Deviation from the paper: the lowest bit of `L_b` and `R_b` is cleared before the AND. App. C opens it as part of `cw`,
//! where it equals `cwt_R` if the address bit is 0 and `cwt_L` if it is 1, so that one look at the opened values tells
//! the bit whenever `cwt_L` and `cwt_R` differ (`spec/tests/security.rs`).

use crate::core::block::{Block, clear_flag, flag, replicate, with_flag, xor_sum};
use crate::core::dpf::{Correction, Key, next_level};
use crate::core::du_atallah::{AndTriple, and_message, and_share};
use crate::core::prg::Prg;
use crate::core::share::Primary;

/// What a party brings to the generation of one DPF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// Its XOR share of the target, a bit a level, most significant first (not an additive share: `ERRATA.md`, 10).
    pub target_bits: Vec<bool>,
    /// Its root label; the flag is set by [`planted`].
    pub root: Block,
    /// An AND triple a level; `x` is a replicated bit.
    pub triples: Vec<AndTriple>,
}

/// First message of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operands {
    /// `x_b xor X_b`: the share of the address bit, masked.
    pub masked_bit: bool,
    /// `y_b xor Y_b`: `L_b xor R_b`, lowest bits cleared, masked.
    pub masked_word: Block,
    /// This party's share of `cwt_L` (App. C, step 4).
    pub left_flag: bool,
    /// This party's share of `cwt_R`.
    pub right_flag: bool,
}

/// XOR of all left and of all right children of a level, before correction (App. C, step 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChildSums {
    /// `L_b`
    pub left: Block,
    /// `R_b`
    pub right: Block,
}

/// The root with the party's flag: 0 for P0, 1 for P1 (App. C, first paragraph).
pub fn planted(party: Primary, root: Block) -> Block {
    match party {
        Primary::P0 => with_flag(root, false),
        Primary::P1 => with_flag(root, true),
    }
}

/// App. C, steps 1 and 2.
pub fn child_sums<P: Prg>(prg: &P, level: &[Block]) -> ChildSums {
    let left: Vec<Block> = level.iter().map(|label| prg.left(*label)).collect();
    let right: Vec<Block> = level.iter().map(|label| prg.right(*label)).collect();
    ChildSums { left: xor_sum(&left), right: xor_sum(&right) }
}

/// The second operand of the AND: `L_b xor R_b`, without the lowest bit.
pub fn second_operand(sums: &ChildSums) -> Block {
    clear_flag(sums.left) ^ clear_flag(sums.right)
}

/// App. C, step 3, the message before the AND, and step 4, which travels with it.
pub fn operands(bit: bool, sums: &ChildSums, triple: &AndTriple) -> Operands {
    let (masked_x, masked_y) = and_message(replicate(bit), second_operand(sums), triple);
    Operands {
        masked_bit: flag(masked_x),
        masked_word: masked_y,
        left_flag: flag(sums.left) ^ bit,
        right_flag: flag(sums.right) ^ bit,
    }
}

/// App. C, step 3: a party's share of `cw`, the second message of a level.
pub fn opening(bit: bool, sums: &ChildSums, triple: &AndTriple, received: &Operands) -> Block {
    let message = (replicate(received.masked_bit), received.masked_word);
    and_share(replicate(bit), second_operand(sums), triple, message) ^ clear_flag(sums.right)
}

/// App. C, steps 3 and 4: the correction that both parties reconstruct.
pub fn reconstruct(
    operands_0: &Operands,
    operands_1: &Operands,
    opening_0: Block,
    opening_1: Block,
) -> Correction {
    Correction {
        word: opening_0 ^ opening_1,
        left_flag: !(operands_0.left_flag ^ operands_1.left_flag),
        right_flag: operands_0.right_flag ^ operands_1.right_flag,
    }
}

/// All messages of one level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelMessages {
    /// P0 to P1
    pub operands_0: Operands,
    /// P1 to P0
    pub operands_1: Operands,
    /// P0 to P1
    pub opening_0: Block,
    /// P1 to P0
    pub opening_1: Block,
}

/// One level, run by both parties: `level_b` are P_b's corrected labels.
pub fn level_messages<P: Prg>(
    prg: &P,
    level_0: &[Block],
    level_1: &[Block],
    bits: (bool, bool),
    triples: (AndTriple, AndTriple),
) -> LevelMessages {
    let (bit_0, bit_1) = bits;
    let (triple_0, triple_1) = triples;
    let sums_0 = child_sums(prg, level_0);
    let sums_1 = child_sums(prg, level_1);
    let operands_0 = operands(bit_0, &sums_0, &triple_0);
    let operands_1 = operands(bit_1, &sums_1, &triple_1);
    LevelMessages {
        operands_0,
        operands_1,
        opening_0: opening(bit_0, &sums_0, &triple_0, &operands_1),
        opening_1: opening(bit_1, &sums_1, &triple_1, &operands_0),
    }
}

/// The correction that follows from a level's messages.
pub fn correction_of(messages: &LevelMessages) -> Correction {
    reconstruct(&messages.operands_0, &messages.operands_1, messages.opening_0, messages.opening_1)
}

/// The outcome: both keys, the leaves of both trees, and every message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generation {
    /// P0's key
    pub key_0: Key,
    /// P1's key
    pub key_1: Key,
    /// The labels of P0's current level; at the end its leaves.
    pub labels_0: Vec<Block>,
    /// The labels of P1's current level; at the end its leaves.
    pub labels_1: Vec<Block>,
    /// From the root's level down.
    pub messages: Vec<LevelMessages>,
}

/// One level more.
pub fn grow<P: Prg>(
    prg: &P,
    done: Generation,
    bits: (bool, bool),
    triples: (AndTriple, AndTriple),
) -> Generation {
    let messages = level_messages(prg, &done.labels_0, &done.labels_1, bits, triples);
    let correction = correction_of(&messages);
    let corrections = [done.key_0.corrections.clone(), vec![correction]].concat();
    Generation {
        key_0: Key { root: done.key_0.root, corrections: corrections.clone() },
        key_1: Key { root: done.key_1.root, corrections },
        labels_0: next_level(prg, &done.labels_0, &correction),
        labels_1: next_level(prg, &done.labels_1, &correction),
        messages: [done.messages, vec![messages]].concat(),
    }
}

/// App. C, all levels. The height is the shortest of the lists in the inputs, which have equal lengths.
pub fn distributed_generation<P: Prg>(prg: &P, input_0: &Input, input_1: &Input) -> Generation {
    let root_0 = planted(Primary::P0, input_0.root);
    let root_1 = planted(Primary::P1, input_1.root);
    let start = Generation {
        key_0: Key { root: root_0, corrections: vec![] },
        key_1: Key { root: root_1, corrections: vec![] },
        labels_0: vec![root_0],
        labels_1: vec![root_1],
        messages: vec![],
    };
    let bits = input_0.target_bits.iter().zip(input_1.target_bits.iter());
    let triples = input_0.triples.iter().zip(input_1.triples.iter());
    bits.zip(triples).fold(start, |done, ((bit_0, bit_1), (triple_0, triple_1))| {
        grow(prg, done, (*bit_0, *bit_1), (*triple_0, *triple_1))
    })
}
