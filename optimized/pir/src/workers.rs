//! One thread or several.

use rayon::prelude::*;

/// Where the parts of an operation run. Results never depend on it.
pub(crate) struct Workers {
    /// `None` is the calling thread, without any involvement of rayon.
    pool: Option<rayon::ThreadPool>,
}

impl Workers {
    /// `threads` threads; 0 counts as 1.
    pub(crate) fn new(threads: usize) -> Result<Self, rayon::ThreadPoolBuildError> {
        let pool = match threads {
            0 | 1 => None,
            _ => Some(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?),
        };
        Ok(Self { pool })
    }

    /// The calling thread.
    pub(crate) const fn none() -> Self {
        Self { pool: None }
    }

    pub(crate) fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Applies `work` to each item; results are in the order of the items.
    pub(crate) fn map<I: Send, T: Send>(&self, items: Vec<I>, work: impl Fn(I) -> T + Sync + Send) -> Vec<T> {
        match &self.pool {
            Some(pool) => pool.install(|| items.into_par_iter().map(work).collect()),
            None => items.into_iter().map(work).collect(),
        }
    }
}
