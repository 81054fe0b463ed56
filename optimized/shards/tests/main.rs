//! Workers against the plain computation: what they answer, what they send, and what they hold.

mod aside;
mod aside_sessions;
mod dying;
mod faults;
mod faulty;
mod sessions;
mod states;

use duoram_kernel::{Backend, Features, Workers};
use duoram_runtime::fast::Fast;
use duoram_shards::{Cut, Sharded};

fn fast(threads: usize) -> Fast {
    Fast::new(Backend::best(&Features::detect()), Workers::new(threads).unwrap(), 1 << 20)
}

/// One worker to five, and shares that are not equal, of which one is nothing.
fn cuts() -> Vec<Cut> {
    let unequal = [vec![3, 1], vec![5, 0, 2], vec![1, 7, 3, 2]];
    let unequal = unequal.into_iter().map(|shares| Cut::new(shares.clone(), shares.len()).unwrap());
    (1..=5).map(Cut::even).chain(unequal).collect()
}

/// Workers of all these cuts.
fn sharded() -> Vec<(String, Sharded)> {
    let workers =
        |cut: &Cut| (format!("{:?}", cut.shares()), Sharded::in_threads(&fast(1), cut, None).unwrap());
    let mut all: Vec<_> = cuts().iter().map(workers).collect();
    all.push(("two of two threads".to_owned(), Sharded::in_threads(&fast(2), &Cut::even(2), None).unwrap()));
    all
}
