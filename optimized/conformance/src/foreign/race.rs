//! How long a kernel takes, beside our own backends: ratios of times taken in turn, so that what disturbs one disturbs the
//! other.

use std::hint::black_box;
use std::time::{Duration, Instant};

use duoram_reference::SessionKey;
use serde::Serialize;

use super::Error;
use super::case::{Case, Operation};
use super::expected::computed;
use super::guest::{Guest, Outcome};
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

/// One of ours.
#[derive(Clone, Debug, Serialize)]
pub struct Ours {
    /// Its name.
    pub backend: &'static str,
    /// Its least time.
    pub ms: f64,
    /// The kernel's time over this backend's, of measurements taken one after the other: the median.
    pub ratio: f64,
}

/// Measures one evaluation, one READ of P0 and one UPDATE of P0.
///
/// # Errors
///
/// The library cannot be loaded again.
pub fn race(
    guest: &mut Guest,
    backends: &[Fast],
    seed: Seed,
    mut progress: impl FnMut(u64),
) -> Result<Vec<Race>, Error> {
    let (mut races, mut steps) = (Vec::new(), 0);
    for operation in OPERATIONS {
        let case = large(operation, seed);
        let mut kernel = Vec::new();
        let mut ours = vec![Vec::new(); backends.len()];
        for _ in 0..ROUNDS {
            if let Outcome::Answer(_, time) = guest.call(&case)? {
                kernel.push(time);
                for (times, backend) in ours.iter_mut().zip(backends) {
                    times.push(time_of(backend, &case));
                }
            }
            steps += 1;
            progress(steps);
        }
        if kernel.is_empty() {
            continue;
        }
        let backends = backends.iter().zip(ours).map(|(backend, times)| Ours {
            backend: backend.name(),
            ms: least_ms(&times),
            ratio: median_ratio(&kernel, &times),
        });
        let backends = backends.collect();
        races.push(Race { operation, log_size: LARGE, kernel_ms: least_ms(&kernel), backends });
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

fn least_ms(times: &[Duration]) -> f64 {
    times.iter().min().map_or(0.0, |least| least.as_secs_f64() * 1e3)
}

fn median_ratio(kernel: &[Duration], ours: &[Duration]) -> f64 {
    let mut ratios: Vec<_> =
        kernel.iter().zip(ours).map(|(k, o)| k.as_secs_f64() / o.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}
