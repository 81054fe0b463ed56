//! The sizes of a vORAM with a HIRB tree in it `[voram-hirb, section VI]`.

/// Bytes of a bucket: what the authors' cloud transfers best.
pub const BUCKET: usize = 4096;

/// Z over B: a bucket is so many times as large as a node is expected to be.
pub const NODES_PER_BUCKET: usize = 6;

/// Bytes of an item in a node: its label 32, its word 8, the identifier of a child 16.
pub const ITEM: usize = 56;

/// beta: how many items a node is expected to have.
pub const BRANCHING: u64 = (BUCKET / NODES_PER_BUCKET / ITEM) as u64;

/// A bucket for so many items.
const ITEMS_PER_BUCKET: u32 = 32;

/// Levels of the tree of buckets, for `2^log_size` items.
pub const fn levels(log_size: u32) -> u32 {
    let levels = log_size.saturating_sub(ITEMS_PER_BUCKET.ilog2());
    if levels == 0 { 1 } else { levels }
}

/// Bytes of all buckets.
pub const fn storage(log_size: u32) -> u64 {
    ((1 << levels(log_size)) - 1) * BUCKET as u64
}

/// Height of the HIRB tree: the logarithm of the number of items to base beta, rounded.
pub fn height(log_size: u32) -> u32 {
    #[allow(clippy::cast_precision_loss, reason = "a small constant")]
    let height = f64::from(log_size) / (BRANCHING as f64).log2();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative and at most 64")]
    let height = height.round() as u32;
    height.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `[voram-hirb, section VI-B]`: beta = 12 for items of 56 bytes, buckets of 4 KB, Z/B = 6; the total storage of its table.
    #[test]
    fn parameters_are_those_of_the_published_table() {
        assert_eq!(BRANCHING, 12);
        for (log_size, published, unit) in
            [(10, "127.0", 1e3), (15, "4.2", 1e6), (20, "134.2", 1e6), (25, "4.3", 1e9)]
        {
            #[allow(clippy::cast_precision_loss, reason = "far fewer than 2^53 bytes")]
            let here = format!("{:.1}", storage(log_size) as f64 / unit);
            assert_eq!(here, published, "2^{log_size} items");
        }
    }

    #[test]
    fn a_tree_is_a_logarithm_high() {
        assert_eq!([1, 8, 10, 16, 20, 22].map(height), [1, 2, 3, 4, 6, 6]);
    }
}
