//! Which part of the memory, and of every tree, is whose.

use std::ops::Range;

use crate::Failure;

/// The shares of the workers, in any unit: of what is cut, a worker has a range as long as its share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cut {
    shares: Vec<u32>,
}

impl Cut {
    /// Equal shares.
    pub fn even(workers: usize) -> Self {
        Self { shares: vec![1; workers.max(1)] }
    }

    /// A share for each of the workers; some, but not all, may be 0.
    ///
    /// # Errors
    ///
    /// [`Failure::Cut`].
    pub fn new(shares: Vec<u32>, workers: usize) -> Result<Self, Failure> {
        if shares.len() == workers && shares.iter().any(|share| *share > 0) {
            Ok(Self { shares })
        } else {
            Err(Failure::Cut { workers, got: shares.len() })
        }
    }

    /// The shares.
    pub fn shares(&self) -> &[u32] {
        &self.shares
    }

    /// The range of one worker of `0..len`. Those of all follow each other and cover it.
    pub fn range(&self, rank: usize, len: usize) -> Range<usize> {
        let before =
            |rank: usize| self.shares.iter().take(rank).map(|share| u128::from(*share)).sum::<u128>();
        let all = before(self.shares.len()).max(1);
        // At most len.
        let place = |rank| usize::try_from(len as u128 * before(rank) / all).unwrap_or(len);
        place(rank)..place(rank + 1)
    }

    /// Down to which level trees are grown by rank 0 alone: far enough for every worker to have nodes of its own, and, of ranges
    /// that are no powers of two, for them to be nearly what they should be. Never below `most`.
    pub(crate) fn split_depth(&self, most: u32) -> u32 {
        let workers = self.shares.len();
        let deeper = if workers.is_power_of_two() && self.is_even() { 0 } else { 2 };
        (workers.next_power_of_two().ilog2() + deeper).min(most)
    }

    fn is_even(&self) -> bool {
        self.shares.iter().all(|share| Some(share) == self.shares.first())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranges_follow_each_other_and_cover_all(shares in proptest::collection::vec(0..9_u32, 1..8), len in 0..1_usize << 40) {
            let workers = shares.len();
            prop_assume!(shares.iter().any(|share| *share > 0));
            let cut = Cut::new(shares.clone(), workers).unwrap();
            let mut end = 0;
            for (rank, share) in shares.iter().enumerate() {
                let range = cut.range(rank, len);
                prop_assert_eq!(range.start, end);
                prop_assert!(*share > 0 || range.is_empty());
                end = range.end;
            }
            prop_assert_eq!(end, len);
        }
    }

    #[test]
    fn a_cut_has_a_share_for_each_worker() {
        assert_eq!(Cut::new(vec![1, 2], 3), Err(Failure::Cut { workers: 3, got: 2 }));
        assert_eq!(Cut::new(vec![0, 0], 2), Err(Failure::Cut { workers: 2, got: 2 }));
    }

    #[test]
    fn powers_of_two_are_split_where_each_worker_has_one_subtree() {
        assert_eq!([1, 2, 4].map(|workers| Cut::even(workers).split_depth(30)), [0, 1, 2]);
        assert_eq!([3, 5].map(|workers| Cut::even(workers).split_depth(30)), [4, 5]);
        assert_eq!(Cut::new(vec![3, 1], 2).unwrap().split_depth(30), 3);
        assert_eq!(Cut::even(5).split_depth(2), 2);
    }
}
