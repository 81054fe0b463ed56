//! Choices among things that are counted in memory.

use duoram_vectors::Random;

/// A number below a bound.
pub(crate) fn below(random: &mut Random, bound: usize) -> usize {
    // Below the bound, which is a length.
    usize::try_from(random.below(bound as u64)).unwrap_or(0)
}

/// One of these.
pub(crate) fn one_of<T: Copy>(random: &mut Random, of: &[T]) -> T {
    of[below(random, of.len())]
}
