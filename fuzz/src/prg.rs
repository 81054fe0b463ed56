//! The specification's PRG, fast enough to fuzz with.

use std::sync::OnceLock;

use duoram_reference::{Block, SessionKey};
use duoram_spec::core::aes::{Aes128, bytes_of_block, expand_key, next_round_key, round_constant};
use duoram_spec::core::prg::{AesPrg, Prg};

/// The specification's own PRG under a key. The S-box, which does not depend on it, is computed once: it takes longer than
/// all the rest of an input.
pub fn specified(session_key: Block) -> AesPrg {
    static S_BOX: OnceLock<Vec<u8>> = OnceLock::new();
    let s_box = S_BOX.get_or_init(|| expand_key(&[0; 16]).s_box).clone();
    let mut round_keys = vec![bytes_of_block(session_key)];
    for round in 1..11 {
        round_keys.push(next_round_key(&s_box, &round_keys[round - 1], round_constant(round)));
    }
    AesPrg { aes: Aes128 { s_box, round_keys } }
}

/// The reference's PRG for the specification's formulas, which hold for any. That it is the specified one is what
/// [`crate::primitives`] checks; elsewhere it saves some thousand bit-by-bit AES calls an input.
pub struct ReferencePrg(pub SessionKey);

impl Prg for ReferencePrg {
    fn left(&self, label: Block) -> Block {
        self.0.children(label).0
    }

    fn right(&self, label: Block) -> Block {
        self.0.children(label).1
    }
}
