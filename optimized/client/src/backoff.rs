//! How long to wait before calling again.

use std::time::Duration;

/// At most, the first time; twice as long each time after that.
const FIRST: Duration = Duration::from_millis(100);

/// At most, ever.
const MOST: Duration = Duration::from_secs(10);

/// Waits between calls to somebody who does not answer: of random length, so that many who lost the same party do not all call it at
/// the same moment.
pub(crate) struct Backoff {
    most: Duration,
}

impl Backoff {
    pub(crate) const fn new() -> Self {
        Self { most: FIRST }
    }

    /// The next wait.
    pub(crate) fn wait(&mut self) -> Duration {
        let most = self.most;
        self.most = (2 * most).min(MOST);
        // Without randomness there is still a wait.
        let random = getrandom::u32().unwrap_or(u32::MAX);
        most.mul_f64(f64::from(random) / f64::from(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_up_to_a_limit_and_differ() {
        let mut backoff = Backoff::new();
        let mut limit = FIRST;
        let waits: Vec<_> = (0..20)
            .map(|_| {
                let wait = backoff.wait();
                assert!(wait <= limit, "{wait:?} of {limit:?}");
                limit = (2 * limit).min(MOST);
                wait
            })
            .collect();
        assert!(waits.windows(2).any(|pair| pair[0] != pair[1]));
    }
}
