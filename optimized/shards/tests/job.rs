//! The same as in `main.rs` by the processes of an MPI job: states and answers are those of one process word by word, sessions frame by
//! frame, and three faults are seen. Not a harness of tests, for all processes must do the same. `ci/mpi` runs it:
//!
//!     mpirun -n 4 target/debug/deps/job-...
#![allow(missing_docs)]

mod faulty;
mod sessions;
mod states;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::Paper;
use duoram_reference::lean::Lean;
use duoram_runtime::fast::Fast;
use duoram_shards::{Collective as _, Cut, Mpi, Sharded, serve};

use crate::faulty::{Fault, Faulty, answers, seen};

fn fast(threads: usize) -> Fast {
    Fast::new(Backend::best(&Features::detect()), Workers::new(threads).unwrap(), 1 << 20)
}

type Job = Arc<Mutex<Mpi>>;

/// What rank 0 does with all others, while these do what they are told. `None` at the others.
fn round<T>(job: &Job, shares: &[u32], fault: Fault, party: impl FnOnce(Sharded) -> T) -> Option<T> {
    let (rank, size) = {
        let job = job.lock().unwrap();
        (job.rank(), job.size())
    };
    let shares = shares.iter().copied().cycle().take(size).collect();
    if rank == 0 {
        let faulty = Faulty::new(job, fault);
        let cut = Cut::new(shares, size).unwrap();
        Some(party(Sharded::new(Box::new(faulty), fast(1), &cut, None).unwrap()))
    } else {
        let mut job = job.lock().unwrap();
        if let Err(failure) = serve(&mut *job, fast(1), None) {
            job.give_up(&failure.to_string());
        }
        None
    }
}

/// Whatever the machine has room for.
fn all(job: &Job) {
    for shares in [&[1][..], &[5, 0, 2]] {
        let done = round(job, shares, Fault::None, |sharded| {
            let workers = [(format!("{shares:?}"), sharded)];
            states::paper_states(&workers);
            states::lean_states(&workers, 1, &states::SIZES);
            states::lean_states(&workers, 3, &[1, 7, 8, 13]);
            states::lean_states(&workers, 64, &[3, 10]);
            sessions::all_say_the_same::<Paper>(&workers, 8, sessions::words((1..=8).step_by(2).chain([12])));
            sessions::all_say_the_same::<Lean>(&workers, 8, sessions::words((1..=11).step_by(2).chain([13])));
            sessions::all_say_the_same::<Lean>(
                &workers,
                7,
                [(2, 2), (16, 3), (512, 3), (256, 64), (5, 2), (1000, 1)],
            );
        });
        if done.is_some() {
            println!("shares {shares:?}: states and answers word by word, sessions frame by frame");
        }
    }
    for fault in [Fault::None].into_iter().chain(Fault::ALL) {
        if let Some(answers) = round(job, &[1], fault, |sharded| answers(&sharded)) {
            seen(fault, &answers);
            println!("fault {fault:?}: as it should be");
        }
    }
}

fn main() -> ExitCode {
    let mpi = Mpi::start().expect("an MPI job");
    if mpi.size() < 2 {
        eprintln!("expected a job of two processes or more, as by mpirun -n 4; see ci/mpi");
        return ExitCode::FAILURE;
    }
    let job = Arc::new(Mutex::new(mpi));
    // What fails has said why; the others would wait for it.
    if catch_unwind(AssertUnwindSafe(|| all(&job))).is_err() {
        job.lock().unwrap_or_else(PoisonError::into_inner).give_up("a check has failed");
    }
    ExitCode::SUCCESS
}
