//! How long to wait before somebody who does not answer is called again.

use std::time::Duration;

/// Pauses that double from the least to the most. Each is a random part of that ("full jitter"), so that those who lost a peer at the
/// same moment do not all return at the same moment.
pub struct Backoff {
    least: Duration,
    most: Duration,
    next: Duration,
}

impl Backoff {
    /// The longest pause is `least` at first, and `most` in the end.
    pub const fn new(least: Duration, most: Duration) -> Self {
        Self { least, most, next: least }
    }

    /// It went well: the next pause is short again.
    pub fn reset(&mut self) {
        self.next = self.least;
    }

    /// The next pause; `random` is uniform in all numbers.
    pub fn pause(&mut self, random: u32) -> Duration {
        let longest = self.next;
        self.next = longest.saturating_mul(2).min(self.most);
        longest.mul_f64(f64::from(random) / f64::from(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_most_and_begin_anew_after_success() {
        let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(10));
        let longest: Vec<_> = (0..9).map(|_| backoff.pause(u32::MAX).as_millis()).collect();
        assert_eq!(longest, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000]);
        backoff.reset();
        assert_eq!(backoff.pause(u32::MAX / 2 + 1).as_millis(), 50);
        assert_eq!(backoff.pause(0).as_millis(), 0);
    }
}
