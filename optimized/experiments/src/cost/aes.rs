//! AES calls that are really computed: masks, and the work of what is only counted.

use std::hint::black_box;

use aes::Aes128;
use aes::cipher::{Array, BlockCipherEncrypt, KeyInit};

/// Blocks that are enciphered at once: 8 KiB, which stays in the first-level cache.
const BATCH: usize = 512;

/// AES-128 under one key: a pseudorandom function of block numbers.
pub struct Cipher(Aes128);

impl Cipher {
    /// The key's lowest byte is its first.
    pub fn new(key: u128) -> Self {
        Self(Aes128::new(&Array::from(key.to_le_bytes())))
    }

    /// What the function is at a block number.
    pub fn at(&self, number: u64) -> u128 {
        let mut block = Array::from(u128::from(number).to_le_bytes());
        self.0.encrypt_block(&mut block);
        u128::from_le_bytes(block.into())
    }

    /// What it is at the numbers from `first` on, one for each block, XORed to the blocks: counter mode.
    pub fn mask(&self, first: u64, blocks: &mut [u128]) {
        let mut buffer = [Array::from([0; 16]); BATCH];
        let mut number = first;
        for blocks in blocks.chunks_mut(BATCH) {
            let buffer = &mut buffer[..blocks.len()];
            for block in buffer.iter_mut() {
                *block = Array::from(u128::from(number).to_le_bytes());
                number = number.wrapping_add(1);
            }
            self.0.encrypt_blocks(buffer);
            for (block, mask) in blocks.iter_mut().zip(buffer) {
                *block ^= u128::from_le_bytes((*mask).into());
            }
        }
    }

    /// Computes so many calls, side by side, and forgets what came out: the least that work with so many calls takes.
    pub fn spend(&self, calls: u64) {
        let mut buffer = [Array::from([0; 16]); BATCH];
        let mut left = calls;
        while left > 0 {
            let batch = usize::try_from(left).unwrap_or(BATCH).min(BATCH);
            self.0.encrypt_blocks(black_box(&mut buffer[..batch]));
            left -= batch as u64;
        }
        black_box(&buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_is_the_function_at_the_numbers_and_comes_off_again() {
        let cipher = Cipher::new(17);
        let clear: Vec<u128> = (0..700).collect();
        let mut blocks = clear.clone();
        cipher.mask(5, &mut blocks);
        assert_eq!(blocks[601] ^ clear[601], cipher.at(606));
        assert_ne!(cipher.at(606), Cipher::new(18).at(606));
        cipher.mask(5, &mut blocks);
        assert_eq!(blocks, clear);
    }

    /// The key of `[fips197, appendix B]`; what zero becomes under it is in NIST's examples of CMAC.
    #[test]
    fn the_function_is_aes() {
        let key: u128 = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c;
        let zero = Cipher::new(key.swap_bytes()).at(0);
        assert_eq!(zero.swap_bytes(), 0x7df7_6b0c_1ab8_99b3_3e42_f047_b91b_546f);
    }

    #[test]
    fn any_number_of_calls_can_be_spent() {
        let cipher = Cipher::new(1);
        for calls in [0, 1, BATCH as u64, BATCH as u64 + 1] {
            cipher.spend(calls);
        }
    }
}
