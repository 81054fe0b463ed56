//! Random oblivious transfer, ideal, and the AND triples that two of them make.
//!
//! A random OT gives its sender two uniform blocks and its receiver, who brings a bit, the one of them that the bit chooses; the
//! sender does not learn the bit, nor the receiver the other block. What makes them (base OTs, extended as in `[iknp03]`) is in the
//! reference and is not specified here.

use crate::core::block::{Block, replicate};
use crate::core::du_atallah::AndTriple;

/// What a receiver gets of the sender's two blocks.
pub fn received(pair: &(Block, Block), choice: bool) -> Block {
    let (k_0, k_1) = pair;
    if choice { *k_1 } else { *k_0 }
}

/// Many OTs: one choice each.
pub fn received_all(pairs: &[(Block, Block)], choices: &[bool]) -> Vec<Block> {
    pairs.iter().zip(choices.iter()).map(|(pair, choice)| received(pair, *choice)).collect()
}

/// An AND triple of App. A (there "using oblivious transfer"; the relation is Definition 4's, `ERRATA.md`, 1), from two OTs, one each way.
///
/// In the one in which P_b is the sender, of K^0 and K^1, it has `Y_b = K^0 xor K^1` and `t_b = K^0`. In the one in which it is the receiver,
/// with its bit X_b, it has `received`, which is `X_b Y_c xor t_c`. So `Z_b = X_b Y_c xor T` with `T = t_0 xor t_1`.
pub fn and_triple_from_ots(bit: bool, own: &(Block, Block), received: Block) -> AndTriple {
    let (k_0, k_1) = own;
    AndTriple { x: replicate(bit), y: *k_0 ^ *k_1, z: received ^ *k_0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::du_atallah::{and_message, and_share};

    const OWN: [(Block, Block); 2] = [(0x5a, Block::MAX - 0xc3), (Block::MAX / 7, Block::MAX / 2 + 9)];

    #[test]
    fn the_receiver_gets_the_block_it_chose() {
        assert_eq!(received_all(&OWN, &[false, true]), [OWN[0].0, OWN[1].1]);
    }

    #[test]
    fn triples_of_ots_and_a_bit_with_a_block() {
        for bits in [(false, false), (false, true), (true, false), (true, true)] {
            let triple_0 = and_triple_from_ots(bits.0, &OWN[0], received(&OWN[1], bits.0));
            let triple_1 = and_triple_from_ots(bits.1, &OWN[1], received(&OWN[0], bits.1));
            let (x_0, x_1, y_0, y_1) = (!0, 0, Block::MAX - 0x1234, 77);
            let share_0 = and_share(x_0, y_0, &triple_0, and_message(x_1, y_1, &triple_1));
            let share_1 = and_share(x_1, y_1, &triple_1, and_message(x_0, y_0, &triple_0));
            assert_eq!(share_0 ^ share_1, (x_0 ^ x_1) & (y_0 ^ y_1));
        }
    }
}
