//! Progress on standard error: shown if that is a terminal, and only of what takes longer than a second.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// What is done sooner needs no bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The bar's own units, of which the work has so many.
const PARTS: u64 = 10_000;

/// How far the work was, and when it got there: between two reports nothing is known.
#[derive(Clone, Copy, Default)]
struct Pace {
    share: f64,
    at: Duration,
}

impl Pace {
    /// What is left at the pace so far. Nothing, if nothing was reported yet, or if it has taken longer than that.
    fn left(self, now: Duration) -> Option<Duration> {
        let all = Duration::try_from_secs_f64(self.at.as_secs_f64() / self.share).ok()?;
        all.checked_sub(now).filter(|left| !left.is_zero())
    }
}

/// A bar, which goes when it is dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
    born: Instant,
    started: Cell<Instant>,
    length: Cell<u64>,
    pace: Arc<Mutex<Pace>>,
}

impl Progress {
    /// Begins some work of so many units.
    pub(crate) fn new(what: impl Into<String>, length: u64) -> Self {
        let pace = Arc::new(Mutex::new(Pace::default()));
        let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::hidden());
        let template = ProgressStyle::with_template("{msg} [{bar:40}] {percent}%, {elapsed}{left}");
        if let Ok(style) = template {
            let shared = Arc::clone(&pace);
            let left = move |state: &ProgressState, out: &mut dyn std::fmt::Write| {
                let pace = *shared.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(left) = pace.left(state.elapsed()) {
                    // A bar that cannot be written is no reason to stop.
                    let _ = write!(out, ", about {:#} left", HumanDuration(left));
                }
            };
            bar.set_style(style.with_key("left", left));
        }
        let progress = Self {
            bar,
            born: Instant::now(),
            started: Cell::new(Instant::now()),
            length: Cell::new(length),
            pace,
        };
        progress.begin(what, length);
        progress
    }

    /// Goes on with other work, whose pace is another.
    pub(crate) fn begin(&self, what: impl Into<String>, length: u64) {
        self.started.set(Instant::now());
        self.length.set(length);
        *self.pace.lock().unwrap_or_else(PoisonError::into_inner) = Pace::default();
        self.bar.set_message(what.into());
        self.bar.reset_elapsed();
        self.bar.set_position(0);
    }

    /// Says what is done now, of the same work.
    pub(crate) fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// So many units are done.
    #[allow(clippy::cast_precision_loss)] // for a bar
    pub(crate) fn reach(&self, done: u64) {
        self.reach_part(done as f64);
    }

    /// So many units are done, and a part of one.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)] // for a bar
    pub(crate) fn reach_part(&self, done: f64) {
        let share = (done / self.length.get() as f64).clamp(0.0, 1.0);
        let at = self.started.get().elapsed();
        {
            let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
            if share > pace.share {
                *pace = Pace { share, at };
            }
        }
        self.bar.set_position((share * PARTS as f64) as u64);
        if self.born.elapsed() > PATIENCE && self.bar.is_hidden() && io::stderr().is_terminal() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(250));
        }
    }

    /// Hides the bar while something else is printed.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_the_pace_so_far() {
        let seconds = Duration::from_secs;
        let quarter = Pace { share: 0.25, at: seconds(10) };
        assert_eq!(quarter.left(seconds(10)), Some(seconds(30)));
        assert_eq!(quarter.left(seconds(25)), Some(seconds(15)));
    }

    #[test]
    fn what_is_not_known_is_not_said() {
        assert_eq!(Pace::default().left(Duration::from_secs(5)), None);
        // Later than expected: 0 s left would not be true.
        let late = Pace { share: 0.5, at: Duration::from_secs(10) };
        assert_eq!(late.left(Duration::from_secs(20)), None);
        assert_eq!(late.left(Duration::from_secs(40)), None);
        assert_eq!(Pace { share: 1e-300, at: Duration::from_secs(10) }.left(Duration::from_secs(10)), None);
    }
}
