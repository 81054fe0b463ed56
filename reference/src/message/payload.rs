//! The parts of messages that are more than a list of words.

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::{Block, Word};

/// The first message on every link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hello {
    /// The sender's contribution to K.
    pub contribution: Block,
    /// The sender's h.
    pub log_size: Word,
}

/// One party's AND triple of a bit with a block (`[duoram, Definition 4]`; erratum 1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Zeroize)]
pub struct AndTriple {
    /// `X_b`.
    pub x: bool,
    /// `Y_b`.
    pub y: Block,
    /// `Z_b`.
    pub z: Block,
}

/// One party's multiplication triple (`[duoram, Definition 5]` with vectors of one word; erratum 2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Zeroize)]
pub struct ProductTriple {
    /// `X_b`.
    pub x: Word,
    /// `Y_b`.
    pub y: Word,
    /// `Z_b`.
    pub z: Word,
}

/// One party's triples of a batch. Wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct Triples {
    /// For DPF d and level l, number `d h + l`.
    pub and: Vec<AndTriple>,
    /// One a DPF.
    pub products: Vec<ProductTriple>,
}

/// What is opened of one DPF's level before its correction word (`[duoram, appendix C, steps 3 and 4]`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelOperand {
    /// `x_b xor X_b`, of the bit of ri.
    pub x: bool,
    /// `y_b xor Y_b`, of the sums of the children.
    pub y: Block,
    /// The share of `cwt_L`.
    pub left_flag: bool,
    /// The share of `cwt_R`.
    pub right_flag: bool,
}

/// What is opened of one DPF before its conversion factor (`[duoram, appendix D, steps 3 and 5]`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConversionOperand {
    /// `pm_b + r_b`.
    pub sign: Word,
    /// `F_b + X_b`.
    pub x: Word,
    /// `pm_b + Y_b`.
    pub y: Word,
}

/// What is opened before the conversion factors. Wiped on drop, for the deltas are secrets of P0 and P1.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct ConversionOperands {
    /// One a DPF.
    #[zeroize(skip)] // masked
    pub dpfs: Vec<ConversionOperand>,
    /// `delta^(2), delta^(3)` for each UPDATE item; from P0 only.
    pub deltas: Vec<[Word; 2]>,
}

/// What P_b opens to P_(1-b) in one UPDATE (`[duoram, Protocol 2, line 5]`; erratum 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UpdateOpening {
    /// `(i*_b - ri_b) mod n`.
    pub shift: Word,
    /// `M_b + F_b^(k)` for k = 1, 2, 3.
    pub masked: [Word; 3],
}

/// What P_b opens to P2 in one UPDATE: all but DPF 1, which P2 has no use for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HelperUpdateOpening {
    /// `(i*_b - ri_b) mod n`.
    pub shift: Word,
    /// `M_b + F_b^(k)` for k = 2, 3.
    pub masked: [Word; 2],
}
