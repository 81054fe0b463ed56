//! Many runs on several threads, each of one. What comes of them is the same for any number of threads.

use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::cluster::Outcome;
use crate::coverage::Coverage;
use crate::failure::Failure;

/// What runs were like.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Many {
    /// How many there were.
    pub runs: u64,
    /// Where parties have crashed.
    pub coverage: Coverage,
    /// How many times.
    pub crashes: u64,
    /// The frames, however often they were sent.
    pub frames: usize,
}

impl Many {
    /// Adds others.
    pub fn add(&mut self, other: &Self) {
        self.runs += other.runs;
        self.coverage.add(&other.coverage);
        self.crashes += other.crashes;
        self.frames += other.frames;
    }

    fn add_one(&mut self, outcome: &Outcome) {
        self.runs += 1;
        self.coverage.add(&outcome.coverage);
        self.crashes += outcome.crashes;
        self.frames += outcome.frames;
    }
}

/// A run that something went wrong in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed<T> {
    /// How many were before it.
    pub before: u64,
    /// Which it was.
    pub which: T,
    /// What went wrong.
    pub failure: Failure,
}

/// What the threads share.
struct Shared<T, I> {
    left: I,
    /// Whether no more are to begin.
    stopped: bool,
    many: Many,
    failed: Option<Failed<T>>,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does all of these runs. `done` is told what those were like that have ended, each time one has.
///
/// # Errors
///
/// The first in their order that something went wrong in.
pub fn many<T: Copy + Send>(
    threads: usize,
    which: impl Iterator<Item = T> + Send,
    run: impl Fn(T) -> Result<Outcome, Failure> + Sync,
    done: impl Fn(&Many) + Sync,
) -> Result<Many, Failed<T>> {
    let left = (0..).zip(which);
    let shared = Mutex::new(Shared { left, stopped: false, many: Many::default(), failed: None });
    let next = || {
        let mut shared = lock(&shared);
        if shared.stopped { None } else { shared.left.next() }
    };
    let work = || {
        while let Some((before, which)) = next() {
            // Or nobody would know which it was, and the other threads would go on.
            let outcome = panic::catch_unwind(AssertUnwindSafe(|| run(which)));
            let mut shared = lock(&shared);
            match outcome.unwrap_or(Err(Failure::Panicked)) {
                Ok(outcome) => {
                    shared.many.add_one(&outcome);
                    done(&shared.many);
                }
                Err(failure) => {
                    // All before it have begun, and one of them may fail yet.
                    shared.stopped = true;
                    if shared.failed.as_ref().is_none_or(|failed| before < failed.before) {
                        shared.failed = Some(Failed { before, which, failure });
                    }
                }
            }
        }
    };
    thread::scope(|scope| (0..threads.max(1)).for_each(|_| _ = scope.spawn(work)));
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    shared.failed.map_or(Ok(shared.many), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::simulate;

    const SEEDS: u64 = 60;

    fn of(threads: usize, run: impl Fn(u64) -> Result<Outcome, Failure> + Sync) -> Result<Many, Failed<u64>> {
        let done = Mutex::new(0);
        let all = many(threads, 0..SEEDS, run, |many| {
            let mut done = done.lock().unwrap();
            assert_eq!(many.runs, *done + 1, "each is told of once");
            *done = many.runs;
        });
        assert!(all.is_err() || *done.lock().unwrap() == SEEDS);
        all
    }

    #[test]
    fn any_number_of_threads_finds_the_same() {
        let one = of(1, |seed| simulate(seed, None)).unwrap();
        assert_eq!((one.runs, one.crashes > 0, one.frames > 0), (SEEDS, true, true));
        for threads in [2, 5] {
            assert_eq!(of(threads, |seed| simulate(seed, None)).unwrap(), one);
        }
    }

    /// Whichever ends first.
    #[test]
    fn the_first_failure_in_order_is_told_of() {
        let endless = |seed| Failure::Endless { events: seed };
        for threads in [1, 3] {
            let failed =
                of(threads, |seed| if seed < 20 { simulate(seed, None) } else { Err(endless(seed)) });
            assert_eq!(failed.unwrap_err(), Failed { before: 20, which: 20, failure: endless(20) });
        }
    }

    #[test]
    fn a_panic_is_a_failure_of_its_seed() {
        let failed = of(2, |seed| if seed == 7 { panic!("on purpose") } else { simulate(seed, None) });
        assert_eq!(failed.unwrap_err(), Failed { before: 7, which: 7, failure: Failure::Panicked });
    }
}
