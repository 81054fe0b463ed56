//! The PRG of a round: AES under the session's key, as the specification has it.

use duoram_spec::core::aes::{bytes_of_block, expand_key};
use duoram_spec::core::block::Block;
use duoram_spec::core::prg::{AesPrg, Prg};
use duoram_spec::lean::layers::Layers;
use duoram_spec::paper::party::contribution;

/// A PRG for both protocols, of a session's key.
pub(crate) trait GamePrg: Prg + Layers + Clone {
    fn of_key(key: Block) -> Self;

    /// Of the key to which each party contributes: the first words that it draws, in both protocols.
    fn of_contributions(words: &[Vec<u64>; 3]) -> Self {
        Self::of_key(words.iter().fold(0, |key, words| key ^ contribution(words)))
    }
}

impl GamePrg for AesPrg {
    fn of_key(key: Block) -> AesPrg {
        AesPrg { aes: expand_key(&bytes_of_block(key)) }
    }
}

/// One that costs little, for the tests in which thousands of sessions are run of each fault. No function of the protocol
/// looks into its PRG.
#[cfg(test)]
#[derive(Clone)]
pub(crate) struct CheapPrg(Block);

#[cfg(test)]
impl CheapPrg {
    fn block(&self, label: Block, tweak: Block) -> Block {
        use duoram_spec::core::block::{clear_flag, high_half, low_half};
        let input = clear_flag(label) ^ self.0 ^ tweak;
        let mut random = duoram_vectors::Random(low_half(input));
        random.0 = random.word() ^ high_half(input);
        random.block()
    }
}

#[cfg(test)]
impl Prg for CheapPrg {
    fn left(&self, label: Block) -> Block {
        self.block(label, 0)
    }
    fn right(&self, label: Block) -> Block {
        self.block(label, 1)
    }
}

#[cfg(test)]
impl Layers for CheapPrg {
    fn output(&self, label: Block, tweak: Block) -> Block {
        self.block(label, tweak)
    }
}

#[cfg(test)]
impl GamePrg for CheapPrg {
    fn of_key(key: Block) -> CheapPrg {
        CheapPrg(key)
    }
}
