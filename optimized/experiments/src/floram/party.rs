//! What a party of FLORAM has and computes: its share of the memory, the masked memory, and evaluations by our kernels.

use duoram_kernel::{BitKey, Kernels, Key, Selection};

use crate::cost::aes::Cipher;

/// Words of a memory of blocks of two words: those at even places, and those at odd places.
pub(super) type Lanes = [Vec<u64>; 2];

/// The block at a place.
pub(super) fn block(lanes: &Lanes, place: usize) -> u128 {
    u128::from(lanes[0][place]) | u128::from(lanes[1][place]) << 64
}

/// One party.
pub(super) struct Party {
    /// Its XOR share of the memory, which is written (OWOM).
    share: Lanes,
    /// The key of its mask of the memory that is read; new after every refresh.
    cipher: Cipher,
}

impl Party {
    /// With a share of all blocks.
    pub(super) fn new(share: Lanes) -> Self {
        Self { share, cipher: Cipher::new(0) }
    }

    /// What it contributes to the memory that is read: its share, masked under a fresh key.
    pub(super) fn masked_share(&mut self, key: u128) -> Vec<u128> {
        self.cipher = Cipher::new(key);
        let mut blocks: Vec<u128> = (0..self.share[0].len()).map(|place| block(&self.share, place)).collect();
        self.cipher.mask(0, &mut blocks);
        blocks
    }

    /// Its share of a block.
    #[cfg(test)]
    pub(super) fn share(&self, place: usize) -> u128 {
        block(&self.share, place)
    }

    /// Its mask of a block.
    pub(super) fn mask(&self, place: usize) -> u128 {
        self.cipher.at(place as u64)
    }

    /// WRITE: adds its part of the block that changes. At the target the parties' labels differ, and `correction` makes the
    /// change of that; elsewhere they are equal.
    pub(super) fn add(&mut self, labels: &[u128], correction: u128) {
        let [even, odd] = &mut self.share;
        for ((even, odd), label) in even.iter_mut().zip(odd).zip(labels) {
            let [low, high] = words(label ^ ((label & 1).wrapping_neg() & correction));
            *even ^= low;
            *odd ^= high;
        }
    }
}

/// The low and the high word of a block.
#[allow(clippy::cast_possible_truncation, reason = "the halves of a block")]
pub(super) fn words(block: u128) -> [u64; 2] {
    [block as u64, (block >> 64) as u64]
}

/// Full evaluation for a READ, and the scan: the XOR of the blocks whose bit is set.
pub(super) fn sum_by_bits(kernels: &Kernels<'_>, masked: &Lanes, key: &BitKey) -> u128 {
    let flags = kernels.flags(key);
    let selection = Selection { flags: &[&flags], shift: 0 };
    let [low, high] = [0, 1].map(|lane: usize| kernels.scan(&masked[lane], &[selection])[0]);
    u128::from(low) | u128::from(high) << 64
}

/// Full evaluation for a WRITE.
pub(super) fn labels(kernels: &Kernels<'_>, key: &Key) -> Vec<u128> {
    kernels.labels(key).to_vec()
}

/// The scan of a WRITE: the XOR of the blocks whose label has its flag set.
pub(super) fn sum_by_labels(masked: &Lanes, labels: &[u128]) -> u128 {
    let mut sums = [0; 2];
    for ((even, odd), label) in masked[0].iter().zip(&masked[1]).zip(labels) {
        let chosen = words((label & 1).wrapping_neg());
        sums[0] ^= even & chosen[0];
        sums[1] ^= odd & chosen[1];
    }
    u128::from(sums[0]) | u128::from(sums[1]) << 64
}
