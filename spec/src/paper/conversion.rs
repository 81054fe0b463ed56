//! From XOR-shared flags to an additively shared unit vector `[duoram, App. D]`, and the additive shares of the target.
//!
//! App. D needs an auxiliary DPF word that is opened nowhere else; here it is the conversion word, the low half of the
//! very labels whose flags are converted (the high half, the value word, is opened together with M by UPDATE).

use crate::core::block::Block;
use crate::core::dealer::final_correction_share;
use crate::core::dpf::{conversion_words, signed_flags};
use crate::core::du_atallah::{ProductTriple, product_share};
use crate::core::ring::Ring;
use crate::core::share::Primary;
use crate::core::vector::{add, dot, indices, mod_size, scale, sub, sum};

/// What a party brings to the conversion of one DPF.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input<W> {
    /// The labels of its leaves.
    pub labels: Vec<Block>,
    /// `r_b`, its blind for the sign.
    pub blind: W,
    /// A multiplication triple for step 5.
    pub triple: ProductTriple<W>,
}

/// First message: step 3, and the masked operands of step 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operands<W> {
    /// `pm_b + r_b`
    pub blinded_sign: W,
    /// `F_b + X_b`
    pub masked_correction: W,
    /// `pm_b + Y_b`
    pub masked_sign: W,
}

/// Step 2: `pm_b`, the sum of the signed flags; both shares add up to +1 or -1.
pub fn sign_share<W: Ring>(party: Primary, labels: &[Block]) -> W {
    let flags: Vec<W> = signed_flags(party, labels);
    sum(&flags)
}

/// `F_b` of the conversion words.
pub fn conversion_correction_share<W: Ring>(party: Primary, labels: &[Block]) -> W {
    let words: Vec<W> = conversion_words(party, labels);
    final_correction_share(&words)
}

/// Steps 1 to 3, and the masking of step 5.
pub fn operands<W: Ring>(party: Primary, input: &Input<W>) -> Operands<W> {
    let sign: W = sign_share(party, &input.labels);
    let correction: W = conversion_correction_share(party, &input.labels);
    Operands {
        blinded_sign: sign.plus(input.blind),
        masked_correction: correction.plus(input.triple.x),
        masked_sign: sign.plus(input.triple.y),
    }
}

/// Steps 5 and 6: the second message, `F'_b`, a share of `F pm + r`.
pub fn opening<W: Ring>(party: Primary, input: &Input<W>, received: &Operands<W>) -> W {
    let sign: W = sign_share(party, &input.labels);
    let correction: W = conversion_correction_share(party, &input.labels);
    product_share(correction, sign, &input.triple, received.masked_correction, received.masked_sign)
        .plus(input.blind)
}

/// Steps 1, 4 and 7 as the paper has them: P_b's additive share of the unit vector, from the opened `pm + r` and `F'`.
pub fn convert<W: Ring>(party: Primary, labels: &[Block], opened_sign: W, opened_correction: W) -> Vec<W> {
    let flags: Vec<W> = signed_flags(party, labels);
    let words: Vec<W> = conversion_words(party, labels);
    let scaled = scale(opened_sign, &flags);
    sub(&sub(&scaled, &words), &scale(opened_correction, &flags))
}

/// The conversion factor `A = (pm + r) - F'`: all that [`convert`] needs of the opened values, and so all that P2 is sent.
/// It equals `(1 - F) pm`, which tells nothing about pm as long as F is uniform (`ERRATA.md`, security points).
pub fn conversion_factor<W: Ring>(opened_sign: W, opened_correction: W) -> W {
    opened_sign.minus(opened_correction)
}

/// [`convert`], with the factor: `t_b = A t_b - c_b`, signed.
pub fn unit_share<W: Ring>(party: Primary, labels: &[Block], factor: W) -> Vec<W> {
    let flags: Vec<W> = signed_flags(party, labels);
    let words: Vec<W> = conversion_words(party, labels);
    sub(&scale(factor, &flags), &words)
}

/// All messages of a conversion, and the factor that follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion<W> {
    /// P0 to P1
    pub operands_0: Operands<W>,
    /// P1 to P0
    pub operands_1: Operands<W>,
    /// P0 to P1
    pub opening_0: W,
    /// P1 to P0
    pub opening_1: W,
    /// `pm + r`, opened in step 3
    pub opened_sign: W,
    /// `F'`, opened in step 6
    pub opened_correction: W,
    /// `A`
    pub factor: W,
}

/// App. D, run by both parties.
pub fn conversion<W: Ring>(input_0: &Input<W>, input_1: &Input<W>) -> Conversion<W> {
    let operands_0 = operands(Primary::P0, input_0);
    let operands_1 = operands(Primary::P1, input_1);
    let opening_0 = opening(Primary::P0, input_0, &operands_1);
    let opening_1 = opening(Primary::P1, input_1, &operands_0);
    let opened_sign = operands_0.blinded_sign.plus(operands_1.blinded_sign);
    let opened_correction = opening_0.plus(opening_1);
    Conversion {
        operands_0,
        operands_1,
        opening_0,
        opening_1,
        opened_sign,
        opened_correction,
        factor: conversion_factor(opened_sign, opened_correction),
    }
}

/// The additive index: P_b's share `ri_b = sum_i i t_b[i]` mod n of the target, by linearity and without communication.
/// The paper only says "an MPC share conversion procedure" `[duoram, section 4.1.1]`.
///
/// To be called with DPF 1. P2 holds t_0^(2) and t_1^(3): from them it could compute ri_0 or ri_1 itself, and then learn a
/// share of every address from `i*_b - ri_b` (`spec/tests/security.rs`).
pub fn random_index_share<W: Ring>(unit_share: &[W]) -> u64 {
    mod_size(dot(&indices(unit_share.len()), unit_share).to_u64(), unit_share.len())
}

/// Both shares of the unit vector put together, for the lemmas.
pub fn opened_unit_vector<W: Ring>(
    labels_0: &[Block],
    labels_1: &[Block],
    opened_sign: W,
    opened_correction: W,
) -> Vec<W> {
    add(
        &convert(Primary::P0, labels_0, opened_sign, opened_correction),
        &convert(Primary::P1, labels_1, opened_sign, opened_correction),
    )
}
