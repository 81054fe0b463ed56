//! The experiments of the paper's section 6, for DUORAM as built here and for what it is compared with.
//!
//! Nothing sleeps: each party's real computation is timed alone, and every message goes through a network that is calculated
//! ([`network`]). So three parties on one computer have three computers' worth of cores, and latencies are exact.
//!
//! | module | what it is |
//! |---|---|
//! | [`network`] | the parties' clocks, what they may send a second, messages on their way |
//! | [`system`] | what is measured: a workload, a system that answers it, and what is real in its numbers |
#![forbid(unsafe_code)]

pub mod error;
pub mod network;
pub mod system;

pub use error::Error;
