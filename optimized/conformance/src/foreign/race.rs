//! How long a kernel takes, beside ours: the least of several times, taken in turn, so that what disturbs one disturbs the
//! other. A ratio is that of the two times beside it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use duoram_kernel::{
    BitKey, Correction, Flags, Kernels, Party, ReadQuery, Selection, Update, UpdateTree, ValueKey,
    ValueUpdate,
};
use duoram_reference::SessionKey;
use serde::Serialize;

use super::Error;
use super::case::{Case, Key, Operation, Scan};
use super::guest::Guest;
use super::lean::{self, FlagKey};
use super::list::{LARGE, large};
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation as _;
use duoram_runtime::seed::Seed;
use duoram_spec::lean::layers::flag_depth;

/// Measurements of each, in turn, at most.
const ROUNDS: u64 = 9;

/// So many are made of what takes longer than [`ENOUGH`] together: what is slow is disturbed less.
const LEAST_ROUNDS: u64 = 3;
const ENOUGH: Duration = Duration::from_secs(1);

/// Single levels are left out: our backends never write a level out, and sum one up as they grow it.
const OPERATIONS: [Operation; 6] = [
    Operation::Evaluate,
    Operation::Read,
    Operation::Update,
    Operation::LeanFlags,
    Operation::LeanRead,
    Operation::LeanUpdate,
];

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
    /// The kernel's time over this one.
    pub ratio: f64,
}

/// Measures those of one evaluation, one READ of P0, one UPDATE of P0, one DPF's lean flags, and one lean READ and UPDATE of
/// a vector that are asked for, beside our backends.
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
    let mut races = Vec::new();
    let asked = OPERATIONS.into_iter().filter(|operation| operations.contains(operation));
    for (place, operation) in (0..).zip(asked) {
        let case = large(operation, seed);
        let mut kernel = Vec::new();
        let mut ours = vec![Vec::new(); backends.len()];
        let start = Instant::now();
        for round in 0..ROUNDS {
            if round >= LEAST_ROUNDS && start.elapsed() > ENOUGH {
                break;
            }
            if let Some(time) = guest.time(&case)? {
                kernel.push(time);
                for (times, backend) in ours.iter_mut().zip(backends) {
                    times.push(time_of(backend, &case));
                }
            }
            progress(place * ROUNDS + round + 1);
        }
        progress((place + 1) * ROUNDS);
        let Some(kernel_ms) = least_ms(&kernel) else { continue };
        let ours = backends.iter().map(Fast::name).zip(&ours).filter_map(|(backend, times)| {
            least_ms(times).map(|ms| Ours { backend, ms, ratio: kernel_ms / ms })
        });
        races.push(Race { operation, log_size: LARGE, kernel_ms, backends: ours.collect() });
    }
    Ok(races)
}

/// What one of ours takes for a case of [`large`]. An evaluation has three of the five sums.
fn time_of(backend: &Fast, case: &Case) -> Duration {
    let kernels = backend.kernels(&SessionKey::new(case.session_key().to_le_bytes()));
    match case {
        Case::Evaluate { keys, .. } => {
            let unit_key = keys[0].unit_key();
            timed(|| kernels.leaf_sum(black_box(unit_key.key())))
        }
        Case::Read(Scan { memory: [combined, blind], queries, .. }) => {
            let [key, refresh_key] = queries[0].keys.each_ref().map(Key::unit_key);
            let query = ReadQuery { key: &key, refresh_key: &refresh_key, shift: index(queries[0].shift) };
            timed(|| kernels.read(Party::P0, combined, blind, black_box(&[query])))
        }
        Case::Update(Scan { memory, queries, .. }) => {
            let [mut combined, mut blind] = memory.clone();
            let [one, two] = queries[0].keys.each_ref().map(Key::unit_key);
            let [final_correction_one, final_correction_two] = queries[0].final_corrections;
            let update = Update {
                second: UpdateTree { key: &one, final_correction: final_correction_one },
                third: UpdateTree { key: &two, final_correction: final_correction_two },
                shift: index(queries[0].shift),
            };
            timed(|| kernels.update(Party::P0, &mut combined, &mut blind, black_box(&[update])))
        }
        Case::LeanFlags { depth, keys, .. } => {
            let FlagKey { key, correction } = &keys[0];
            let key = BitKey::new(*depth as usize, key.tree(), *correction);
            timed(|| kernels.flags(black_box(&key)))
        }
        Case::LeanRead { memory, queries } => {
            let (flags, shift) = (some_flags(&kernels), index(queries[0].shift));
            timed(|| kernels.scan(memory, black_box(&[Selection { flags: &[&flags], shift }])))
        }
        Case::LeanUpdate { memory, queries, .. } => {
            let mut memory = memory.clone();
            let lean::ValueUpdate { key, word_correction, final_correction, selection } = &queries[0];
            let (flags, shift) = (some_flags(&kernels), index(selection.shift));
            let key = ValueKey::new(LARGE as usize, key.tree(), *word_correction);
            let update = ValueUpdate { key: &key, flags: &flags, correction: *final_correction, shift };
            timed(|| kernels.update_values(&mut memory, black_box(&[update])))
        }
        // Not among OPERATIONS.
        Case::Grow { .. } | Case::LeanSums { .. } => Duration::ZERO,
    }
}

/// Flags for a large memory. Ours come from keys alone, and no time depends on which of them are set.
fn some_flags(kernels: &Kernels<'_>) -> Flags {
    let log_size = LARGE as usize;
    let levels = vec![Correction::default(); flag_depth(log_size)];
    kernels.flags(&BitKey::new(log_size, duoram_kernel::Key::new(1, levels), 0))
}

fn timed<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(work());
    start.elapsed()
}

/// A shift is below the length of a vector.
fn index(shift: u64) -> usize {
    usize::try_from(shift).unwrap_or_default()
}

fn least_ms(times: &[Duration]) -> Option<f64> {
    times.iter().min().map(|least| least.as_secs_f64() * 1e3)
}
