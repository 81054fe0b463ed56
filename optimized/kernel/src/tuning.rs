//! Whether AES or memory is dearer.

use crate::Kernels;

/// Nanoseconds that a stored label costs where it streams through memory: written once, read twice, and all levels above it.
/// Measured 1.5 at `2^20` leaves; CPUs differ less in this than in the time of an AES call.
const LABEL_NANOSECONDS: f64 = 1.5;

/// Passes over the labels of the AES limit in a measurement, and how many measurements the least is taken of.
const PASSES: usize = 16;
const RUNS: usize = 8;

impl Kernels<'_> {
    /// The tuning for this CPU, by a measurement of some ten microseconds (milliseconds without AES instructions). `nanoseconds` is a
    /// clock.
    #[allow(clippy::cast_precision_loss)] // of small numbers
    pub fn measure_tuning(&self, mut nanoseconds: impl FnMut() -> u64) -> Tuning {
        let mut least = u64::MAX;
        let mut calls = 1;
        for _ in 0..RUNS {
            let start = nanoseconds();
            calls = self.run_aes_limit(PASSES);
            least = least.min(nanoseconds().saturating_sub(start));
        }
        Tuning::new(LABEL_NANOSECONDS * calls as f64 / least.max(1) as f64)
    }
}

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
        // Leaves cost twice the memory of their parents, for a gain of a twentieth at best.
        let mut best = 1;
        for above in 2..=6 {
            if self.cost(above) < self.cost(best) {
                best = above;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Features, Workers};

    /// A clock by which an AES call takes so many picoseconds decides.
    #[test]
    fn more_is_stored_where_an_aes_call_is_dear() {
        let workers = Workers::one();
        let kernels = Kernels::new(Backend::best(&Features::detect()), 1, &workers);
        let above = |picoseconds: u64| {
            let mut time = 0;
            let step = PASSES as u64 * 512 * picoseconds / 1000;
            kernels
                .measure_tuning(|| {
                    time += step;
                    time
                })
                .levels_above()
        };
        assert_eq!([20, 200, 700, 900, 2000].map(above), [6, 3, 1, 1, 1]);
        assert_eq!(Tuning::default().levels_above(), 6);
    }
}
