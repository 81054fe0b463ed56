//! How far the runs are, for one who waits: on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often a terminal is told, in place of what it was told before; and a log, in lines.
const TERMINAL: Duration = Duration::from_millis(500);
const LOG: Duration = Duration::from_mins(1);

/// Erases what is right of the cursor, and goes back to the line's beginning.
const CLEAR: &str = "\x1b[K\r";

pub(crate) struct Progress {
    of: u64,
    started: Instant,
    is_terminal: bool,
    told: Mutex<Instant>,
}

impl Progress {
    /// Of so many runs, which begin now.
    pub(crate) fn of(runs: u64) -> Self {
        let started = Instant::now();
        Self { of: runs, started, is_terminal: io::stderr().is_terminal(), told: Mutex::new(started) }
    }

    /// So many have ended.
    pub(crate) fn tell(&self, done: u64) {
        let Ok(mut told) = self.told.lock() else { return };
        let every = if self.is_terminal { TERMINAL } else { LOG };
        if told.elapsed() < every {
            return;
        }
        *told = Instant::now();
        let text = text(done, self.of, self.started.elapsed());
        // A closed pipe is no failure of the simulation.
        let mut stderr = io::stderr();
        let _ = if self.is_terminal { write!(stderr, "{text}{CLEAR}") } else { writeln!(stderr, "{text}") };
    }
}

/// What comes after it has the line to itself.
impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_terminal {
            let _ = write!(io::stderr(), "{CLEAR}");
        }
    }
}

/// What is done, and how long the rest takes if it is like that.
fn text(done: u64, of: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let a_second = done.checked_div(seconds).unwrap_or(done);
    let left = (u128::from(of - done) * u128::from(seconds)).div_ceil(u128::from(done.max(1)) * 60);
    format!("{done} of {of} runs, {a_second} a second, {left} min left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_what_is_done() {
        let after = |done, seconds| text(done, 1000, Duration::from_secs(seconds));
        assert_eq!(after(250, 600), "250 of 1000 runs, 0 a second, 30 min left");
        assert_eq!(after(900, 60), "900 of 1000 runs, 15 a second, 1 min left");
        assert_eq!(after(1000, 60), "1000 of 1000 runs, 16 a second, 0 min left");
        assert_eq!(after(1, 0), "1 of 1000 runs, 1 a second, 0 min left");
    }
}
