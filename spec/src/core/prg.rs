//! The length-doubling PRG G, from a label to the labels of its two children `[duoram, section 2.1.1]`.

use crate::core::aes::{Aes128, encrypt};
use crate::core::block::{Block, clear_flag};

/// G_L and G_R. Correctness needs no property of them, so theorems hold for any pair of functions.
pub trait Prg {
    /// `G_L(s)`; does not depend on the flag of `label`.
    fn left(&self, label: Block) -> Block;
    /// `G_R(s)`; does not depend on the flag of `label`.
    fn right(&self, label: Block) -> Block;
}

/// `G_L(s) = pi(s') xor s'` and `G_R(s) = pi(s' xor 1) xor s' xor 1`, where `s'` is the label without its flag and pi is
/// AES-128 under the session's key: two AES calls a node, no key schedule (Matyas-Meyer-Oseas with a fixed key).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AesPrg {
    /// pi
    pub aes: Aes128,
}

impl Prg for AesPrg {
    fn left(&self, label: Block) -> Block {
        let input = clear_flag(label);
        encrypt(&self.aes, input) ^ input
    }
    fn right(&self, label: Block) -> Block {
        let input = clear_flag(label) ^ 1;
        encrypt(&self.aes, input) ^ input
    }
}
