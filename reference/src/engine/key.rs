//! The session's key, and the length-doubling PRG under it.

use aes::Aes128;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::Block;

/// The labels of other parties that a session's key should serve at most: beyond it, what AES calls alone may find out is more
/// than `SECURITY.md` allows ("How long a session key may serve"). No step is refused then; the session is to be replaced.
pub const KEY_LABELS: u64 = 1 << 21;

/// The labels that `items` items of READs and UPDATEs have at most, `q = 3 h N` at depth h: three DPFs each, a label a level. Trees that
/// stop early, and protocols with fewer DPFs, have less. With rows of `w > 1` words a label of each of an item's two DPFs has `4 w`
/// hashes, and counts as `4 w` labels more: `q = (3 h + 8 w) N`.
pub const fn key_labels(log_size: u32, row_words: usize, items: u64) -> u64 {
    let of_rows = if row_words > 1 { 8 * row_words as u64 } else { 0 };
    items.saturating_mul(3 * log_size as u64 + of_rows)
}

/// The session's key K, with its key schedule.
///
/// All three parties know K. It is the XOR of a contribution of each, and fixed for
/// the session so that no node costs a key schedule.
#[derive(Zeroize, ZeroizeOnDrop)]
pub struct SessionKey {
    bytes: [u8; 16],
    #[zeroize(skip)] // wipes itself on drop
    cipher: Aes128,
}

impl SessionKey {
    /// K from its 16 bytes.
    pub fn new(bytes: [u8; 16]) -> Self {
        Self { bytes, cipher: Aes128::new(&Array::from(bytes)) }
    }

    /// K, for an implementation of a protocol's local computation with an AES of its own.
    pub const fn bytes(&self) -> &[u8; 16] {
        &self.bytes
    }

    /// The uncorrected children `(G_L(s), G_R(s))` of a label `s` (`[duoram, section 2.1.1]`).
    ///
    /// With `s'` the label with its lowest bit cleared, and pi AES-128 under K:
    /// `G_L(s) = pi(s') xor s'`, `G_R(s) = pi(s' xor 1) xor s' xor 1`.
    ///
    /// The lowest bit of a label is its flag, and so no part of the PRG's seed; it tells the two inputs of pi apart.
    pub fn children(&self, label: Block) -> (Block, Block) {
        let left = label & !1;
        let right = left | 1;
        let mut blocks = [Array::from(left.to_le_bytes()), Array::from(right.to_le_bytes())];
        self.cipher.encrypt_blocks(&mut blocks);
        let children = (Block::from_le_bytes(blocks[0].0) ^ left, Block::from_le_bytes(blocks[1].0) ^ right);
        for block in &mut blocks {
            block.0.zeroize();
        }
        children
    }

    /// `T_c(s) = pi(s' xor c) xor s' xor c` for each tweak c in `blocks`, which become the results: `G_L` is `T_0`, `G_R` is
    /// `T_1`.
    ///
    /// The tweaks of different uses must differ, and have an effect beyond the lowest bit only where no label does.
    pub fn outputs<const N: usize>(&self, label: Block, tweaks: [Block; N]) -> [Block; N] {
        let inputs = tweaks.map(|tweak| (label & !1) ^ tweak);
        let mut blocks = inputs.map(|input| Array::from(input.to_le_bytes()));
        self.cipher.encrypt_blocks(&mut blocks);
        let mut outputs = inputs;
        for (output, block) in outputs.iter_mut().zip(&mut blocks) {
            *output ^= Block::from_le_bytes(block.0);
            block.0.zeroize();
        }
        outputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plaintext is the PRG's input of the left child or, if its lowest bit is set, of the right one.
    #[test]
    fn children_are_aes_of_the_label_xor_the_label() {
        for answer in duoram_vectors::aes_answers() {
            let [plain, cipher] = [answer.plain, answer.cipher].map(Block::from_le_bytes);
            let (left, right) = SessionKey::new(answer.key).children(plain);
            let child = if plain & 1 == 0 { left } else { right };
            assert_eq!(child, cipher ^ plain, "{answer:02x?}");
        }
    }

    #[test]
    fn the_flag_does_not_change_the_children_and_they_differ() {
        let key = SessionKey::new([7; 16]);
        let (left, right) = key.children(8);
        assert_eq!(key.children(9), (left, right));
        assert_ne!(left, right);
    }
}
