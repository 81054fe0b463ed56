//! One thread or several.

use alloc::vec::Vec;

/// Where the parts of an operation run. Results never depend on it: parts are combined by XOR and by wrapping sums.
pub struct Workers {
    /// `None` is the calling thread, without any involvement of rayon.
    #[cfg(feature = "threads")]
    pool: Option<rayon::ThreadPool>,
}

impl Workers {
    /// The calling thread.
    pub const fn one() -> Self {
        Self {
            #[cfg(feature = "threads")]
            pool: None,
        }
    }

    /// `threads` threads; 0 counts as 1.
    ///
    /// # Errors
    /// If the system does not give that many threads.
    #[cfg(feature = "threads")]
    pub fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = match threads {
            0 | 1 => None,
            _ => Some(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?),
        };
        Ok(Self { pool })
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        #[cfg(feature = "threads")]
        if let Some(pool) = &self.pool {
            return pool.current_num_threads();
        }
        1
    }

    /// Into how many parts to cut work that can be cut into `most`: more than threads, because they are never equally fast.
    pub(crate) fn parts(&self, most: usize) -> usize {
        match self.threads() {
            1 => 1,
            threads => (8 * threads).min(most),
        }
    }

    /// Applies `work` to each item; results are in the order of the items.
    #[cfg_attr(not(feature = "threads"), allow(clippy::unused_self))] // the pool
    pub fn map<I: Send, T: Send>(&self, items: Vec<I>, work: impl Fn(I) -> T + Sync + Send) -> Vec<T> {
        #[cfg(feature = "threads")]
        if let Some(pool) = &self.pool {
            use rayon::prelude::*;
            return pool.install(|| items.into_par_iter().map(work).collect());
        }
        // Not by `collect`, which would put results where the items were, and move them on to a place of another size: what is left
        // behind nobody wipes. And not by a loop, where a flag of a secret correction might tell an item from the end.
        let mut results = Vec::with_capacity(items.len());
        results.extend(items.into_iter().map(work));
        results
    }
}

/// Cuts `0..len` into `parts` ranges of nearly equal length.
pub(crate) fn ranges(len: usize, parts: usize) -> Vec<core::ops::Range<usize>> {
    (0..parts).map(|part| len * part / parts..len * (part + 1) / parts).collect()
}
