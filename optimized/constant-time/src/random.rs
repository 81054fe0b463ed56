//! Words that need not be good: masks of shares, and keys that differ.

/// SplitMix64.
pub(crate) struct Words(pub(crate) u64);

impl Words {
    /// The next one.
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Two of them.
    pub(crate) fn block(&mut self) -> u128 {
        u128::from(self.word()) << 64 | u128::from(self.word())
    }
}
