//! Whether AES or memory is dearer.

/// How much a stored label costs, in AES calls: to write and to read it and all levels above it.
///
/// CPUs differ: where one core has two 512-bit AES units a call takes a third of a nanosecond, and computing a node again
/// is cheaper than storing it; where it has one, or without VAES, a call takes three times as long or more. Only speed and memory depend
/// on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    label_cost: f64,
}

impl Default for Tuning {
    /// Memory is as dear as seen on any CPU, so little is stored.
    fn default() -> Self {
        Self { label_cost: 40.0 }
    }
}

impl Tuning {
    /// A stored label costs as much as so many AES calls.
    pub const fn new(label_cost: f64) -> Self {
        Self { label_cost }
    }

    /// How many AES calls a stored label costs.
    pub const fn label_cost(self) -> f64 {
        self.label_cost
    }

    /// AES calls a leaf, or what costs as much, of growing a tree whose lowest stored level is `above` levels above the leaves.
    ///
    /// Levels down to the stored one are hashed once, in all twice their labels; every level below is hashed from the stored
    /// one down whenever it or a lower one is asked for. With `2^k` leaves below a stored label, that is
    /// `2 (3 - (2 + k) / 2^k)` calls a leaf.
    #[allow(clippy::cast_precision_loss)] // of numbers below 64
    fn cost(self, above: usize) -> f64 {
        let labels = 1.0 / (1u64 << above) as f64;
        2.0 * (3.0 - (2 + above) as f64 * labels) + self.label_cost * labels
    }

    /// How many levels above the leaves the lowest stored level should be.
    pub(crate) fn levels_above(self) -> usize {
        let mut best = 0;
        for above in 1..=6 {
            if self.cost(above) < self.cost(best) {
                best = above;
            }
        }
        best
    }
}
