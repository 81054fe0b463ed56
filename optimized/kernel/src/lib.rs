#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! | module | what it does |
//! |---|---|
//! | `backend`, `cpuid` | what the CPU can do, and the choice |
//! | `key`, `deal` | keys, and a dealer who makes them |
//! | `evaluate`, `points`, `sums` | what is done with a key: labels, words and bits, everywhere, in a range, at points; sums |
//! | `prg`, `layer` | the PRG and what hangs on the nodes of a level, written in the operations of a backend |
//! | `tree` | full evaluation in blocks that stay in the cache |
//! | `lanes` | the operations of a backend |
//! | `portable`, `aesni`, `vaes256`, `vaes512` | the backends: all intrinsics, and all `unsafe` but CPUID |
//! | `bitslice`, `schedule` | AES without tables, for `portable`; key expansion |
//! | `read`, `update`, `window` | DUORAM online: leaves meet memory |
//! | `flags`, `scan`, `values` | the lean protocol online: flags kept and moved, READ, UPDATE |
//! | `row_scan`, `row_values` | the same of rows of words |
//! | `forest`, `shard`, `tuning` | DUORAM, App. C: growing a batch of trees level by level |
//! | `layer_sums` | the lean protocol's output layers of such trees |
//! | `limits` | what the machine could do at best |
//! | `workers` | threads |
//!
//! Labels, flags and words are secret: no branch and no address depends on them. Shifts, corrections, points, sizes and the
//! AES key are known to the parties that use them.

#![no_std]
// `lanes` says why kernels must be inlined. They are loops over short arrays of registers by index, for the same reason,
// and words are taken from blocks by casts.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, clippy::needless_range_loop, clippy::wildcard_imports)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]

extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod aesni;
mod backend;
mod bitslice;
mod buffer;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod cpuid;
mod deal;
mod evaluate;
mod flags;
mod forest;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod gfni;
mod key;
#[cfg(test)]
mod known_answers;
mod lanes;
mod layer;
mod layer_sums;
mod limits;
#[cfg(target_arch = "x86_64")]
mod narrow;
mod points;
mod portable;
mod prg;
mod read;
mod row_scan;
mod row_values;
mod scan;
mod schedule;
mod shard;
mod spread;
mod sums;
#[cfg(test)]
mod tests;
mod tree;
mod tuning;
mod update;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod vaes256;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod vaes512;
mod values;
mod window;
mod workers;

pub use backend::{Backend, BackendName, Features, Unavailable};
pub use deal::OutsideDomain;
pub use flags::Flags;
pub use forest::{Forest, LeafSums};
pub use key::{BitKey, Block, Correction, Key, Party, RowKey, UnitKey, ValueKey, WordKey};
pub use read::{ReadQuery, UnblindingQuery};
pub use row_values::RowUpdate;
pub use scan::Selection;
pub use sums::LeafSum;
pub use tuning::Tuning;
pub use update::{HelperUpdate, ShareUpdate, Update, UpdateTree};
pub use values::ValueUpdate;
pub use workers::Workers;

use prg::Mmo;
use schedule::Schedule;

/// A backend, the AES key of the PRG and the threads: all operations are methods of it.
pub struct Kernels<'w> {
    backend: Backend,
    schedule: Schedule,
    workers: &'w Workers,
}

impl<'w> Kernels<'w> {
    /// `prg_key` is the AES-128 key of the PRG, byte 0 the lowest. All who evaluate keys of one dealer use the same; it is not
    /// secret from them.
    pub fn new(backend: Backend, prg_key: Block, workers: &'w Workers) -> Self {
        Self { backend, schedule: Schedule::new(prg_key), workers }
    }

    /// Which backend: to be reported, so that nobody uses AES in software without knowing.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.workers.threads()
    }

    /// The PRG under the key.
    fn prg(&self) -> Mmo<'_> {
        Mmo(&self.schedule)
    }
}

impl Kernels<'static> {
    /// The fastest backend of this CPU, on the calling thread.
    ///
    /// ```
    /// let kernels = duoram_kernel::Kernels::detect(17);
    /// println!("{}", kernels.backend().name());
    /// assert_eq!(kernels.threads(), 1);
    /// ```
    pub fn detect(prg_key: Block) -> Self {
        static ONE: Workers = Workers::one();
        Self::new(Backend::best(&Features::detect()), prg_key, &ONE)
    }
}
