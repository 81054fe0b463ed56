//! How long a kernel takes, beside ours: the least of several times, taken in turn, so that what disturbs one disturbs the
//! other. A ratio is that of the two times beside it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use duoram_reference::{Plain, SessionKey};
use serde::Serialize;

use super::Error;
use super::case::{Case, Operation};
use super::expected::computed;
use super::guest::Guest;
use super::list::{LARGE, large};
use duoram_runtime::fast::{Fast, unit_key};
use duoram_runtime::local_computation::LocalComputation as _;
use duoram_runtime::seed::Seed;

/// Measurements of each, in turn.
const ROUNDS: u64 = 9;

/// Growing a single level is left out: our backends never write a level out.
const OPERATIONS: [Operation; 3] = [Operation::Evaluate, Operation::Read, Operation::Update];

/// What [`race`] counts up to.
pub const STEPS: u64 = ROUNDS * OPERATIONS.len() as u64;

/// A kernel and our backends at one operation.
#[derive(Clone, Debug, Serialize)]
pub struct Race {
    /// At which.
    pub operation: Operation,
    /// lg n
    pub log_size: u32,
    /// The kernel's least time.
    pub kernel_ms: f64,
    /// Ours.
    pub backends: Vec<Ours>,
}

/// One of ours, or the reference.
#[derive(Clone, Debug, Serialize)]
pub struct Ours {
    /// Its name.
    pub backend: &'static str,
    /// Its least time.
    pub ms: f64,
    /// The kernel's time over this one.
    pub ratio: f64,
}

/// Measures those of one evaluation, one READ of P0 and one UPDATE of P0 that are asked for, beside our backends, or beside the reference if there are
/// none.
///
/// # Errors
///
/// The library cannot be loaded again.
pub fn race(
    guest: &mut Guest,
    operations: &[Operation],
    backends: &[Fast],
    seed: Seed,
    mut progress: impl FnMut(u64),
) -> Result<Vec<Race>, Error> {
    let reference = backends.is_empty();
    let (mut races, mut steps) = (Vec::new(), 0);
    for operation in OPERATIONS.into_iter().filter(|operation| operations.contains(operation)) {
        let case = large(operation, seed);
        let mut kernel = Vec::new();
        let mut ours = vec![Vec::new(); backends.len() + usize::from(reference)];
        for _ in 0..ROUNDS {
            if let Some(time) = guest.time(&case)? {
                kernel.push(time);
                for (times, backend) in ours.iter_mut().zip(backends) {
                    times.push(time_of(backend, &case));
                }
                if reference {
                    ours[backends.len()].push(computed(&Plain, &case).1);
                }
            }
            steps += 1;
            progress(steps);
        }
        let Some(kernel_ms) = least_ms(&kernel) else { continue };
        let names = backends.iter().map(Fast::name).chain(reference.then(|| Plain.name()));
        let ours = names.zip(&ours).filter_map(|(backend, times)| {
            least_ms(times).map(|ms| Ours { backend, ms, ratio: kernel_ms / ms })
        });
        races.push(Race { operation, log_size: LARGE, kernel_ms, backends: ours.collect() });
    }
    Ok(races)
}

/// What one of ours takes for a case. An evaluation is that of a key on its own; it has three of the five sums.
fn time_of(backend: &Fast, case: &Case) -> Duration {
    if let Case::Evaluate { session_key, keys } = case {
        let key = SessionKey::new(session_key.to_le_bytes());
        let (kernels, share) = (backend.kernels(&key), unit_key(&keys[0].share()));
        let start = Instant::now();
        black_box(kernels.leaf_sum(black_box(share.key())));
        return start.elapsed();
    }
    computed(backend, case).1
}

fn least_ms(times: &[Duration]) -> Option<f64> {
    times.iter().min().map(|least| least.as_secs_f64() * 1e3)
}
