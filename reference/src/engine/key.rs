//! The session's key, and the length-doubling PRG under it.

use aes::Aes128;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::Block;

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
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One block under one key: `[fips197, appendix B]`.
    #[test]
    fn left_child_is_aes_of_the_label_xor_the_label() {
        let key = SessionKey::new([
            0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6, 0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c,
        ]);
        let plain = Block::from_le_bytes([
            0x32, 0x43, 0xf6, 0xa8, 0x88, 0x5a, 0x30, 0x8d, 0x31, 0x31, 0x98, 0xa2, 0xe0, 0x37, 0x07, 0x34,
        ]);
        let cipher = Block::from_le_bytes([
            0x39, 0x25, 0x84, 0x1d, 0x02, 0xdc, 0x09, 0xfb, 0xdc, 0x11, 0x85, 0x97, 0x19, 0x6a, 0x0b, 0x32,
        ]);
        assert_eq!(plain & 1, 0);
        assert_eq!(key.children(plain).0, cipher ^ plain);
        // The flag does not change the children, and the right child is the one of the other input.
        assert_eq!(key.children(plain), key.children(plain | 1));
        assert_ne!(key.children(plain).0, key.children(plain).1);
    }
}
