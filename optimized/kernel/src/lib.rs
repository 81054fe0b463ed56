//! The local computation of the three parties, close to the machine's limit.
//!
//! Everything a party computes on its own between two messages: evaluating distributed point functions (DPFs), the dot
//! products of READ, the additions of UPDATE on the compressed state, and the expansion of App. C. No messages, no
//! randomness. One entry, [`Kernels`]; four [`Backend`]s behind it, all with the same results.
//!
//! | module | what it does |
//! |---|---|
//! | [`backend`] | what the CPU can do, and the choice |
//! | `lanes` | the operations of a backend, and the PRG written in them |
//! | `portable`, `aesni`, `vaes256`, `vaes512` | the backends: all intrinsics, hence nearly all `unsafe` |
//! | `bitslice`, `schedule` | AES without tables, for `portable`; key expansion |
//! | `tree` | full evaluation in blocks that stay in the cache |
//! | `read`, `update`, `sums` | what is done with the leaves |
//! | [`forest`] | App. C: growing a batch of trees level by level |
//! | `limits` | what the machine could do at best |
//! | [`workers`] | threads |
//!
//! Labels, flags and words are secret: no branch and no address depends on them. Shifts, corrections, sizes and the
//! session's AES key are known to the parties that use them.

// `lanes` says why kernels must be inlined. They are loops over short arrays of registers by index, for the same reason,
// and words are taken from blocks by casts.
#![deny(unsafe_code)]
#![allow(clippy::inline_always, clippy::needless_range_loop, clippy::wildcard_imports)]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap)]

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod aesni;
pub mod backend;
mod bitslice;
mod buffer;
pub mod forest;
mod lanes;
mod limits;
mod portable;
mod read;
mod schedule;
mod sums;
#[cfg(test)]
mod tests;
mod tree;
mod update;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod vaes256;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod vaes512;
mod window;
pub mod workers;

pub use backend::{Backend, BackendName, Features, Unavailable};
pub use forest::Forest;
pub use read::{ReadQuery, UnblindingQuery};
pub use sums::LeafSum;
pub use update::{HelperUpdate, Update, UpdateTree};
pub use workers::Workers;

use duoram_reference::{Correction, DpfShare};

use schedule::Schedule;

/// A backend, the session's AES key and the threads: all operations are methods of it.
pub struct Kernels<'w> {
    backend: Backend,
    schedule: Schedule,
    workers: &'w Workers,
}

impl<'w> Kernels<'w> {
    /// `session_key` is K, the AES-128 key of the session.
    pub fn new(backend: Backend, session_key: u128, workers: &'w Workers) -> Self {
        Self { backend, schedule: Schedule::new(session_key), workers }
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.workers.threads()
    }
}

/// The number of a key's leaves.
pub(crate) fn leaves_of(key: &DpfShare) -> usize {
    1 << key.corrections().len()
}

/// `s_b x`. Whose key it is is not secret.
pub(crate) fn signed(party: duoram_reference::Role, word: u64) -> u64 {
    party.sign().wrapping_mul(word)
}
