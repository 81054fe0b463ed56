//! A log that strangers cannot fill: so many lines a minute, and how many were left out.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Lines in each [`SPAN`].
const MOST: u64 = 20;

const SPAN: Duration = Duration::from_mins(1);

/// Of one kind of line.
pub(super) struct Quiet(Mutex<Span>);

struct Span {
    start: Instant,
    lines: u64,
}

impl Default for Quiet {
    fn default() -> Self {
        Self(Mutex::new(Span { start: Instant::now(), lines: 0 }))
    }
}

impl Quiet {
    /// Whether to say the next line, and how many were left out before it.
    pub(super) fn line(&self) -> Option<u64> {
        let mut span = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left_out = 0;
        if span.start.elapsed() >= SPAN {
            left_out = span.lines.saturating_sub(MOST);
            *span = Span { start: Instant::now(), lines: 0 };
        }
        span.lines += 1;
        (span.lines <= MOST).then_some(left_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn lines_beyond_the_most_are_counted_and_not_said() {
        let quiet = Quiet::default();
        let said = (0..100).filter(|_| quiet.line().is_some()).count();
        assert_eq!(said, 20);
        tokio::time::advance(SPAN).await;
        assert_eq!([quiet.line(), quiet.line()], [Some(80), Some(0)]);
    }
}
