//! The experiments of the paper's section 6, for DUORAM as built here and for what it is compared with.
//!
//! Nothing sleeps: each party's real computation is timed alone, and every message goes through a network that is calculated
//! ([`network`]). So three parties on one computer have three computers' worth of cores, and latencies are exact.
//!
//! | module | what it is |
//! |---|---|
//! | [`network`] | the parties' clocks, what they may send a second, messages on their way |
//! | [`system`] | what is measured: a workload, a system that answers it, and what is real in its numbers |
//! | [`duoram`], [`real`] | this project's protocols as systems; the same by the clock on the wall |
//! | [`floram`], [`circuit_oram`], [`gigadoram`], [`voram`] | what it is compared with |
//! | [`cost`] | what stands in for the parts of those that are counted and not done |
//! | [`systems`] | all systems that are built in |
//! | [`catalogue`] | the experiments as data: axes, networks, operations, systems |
//! | [`measure`], [`model`] | experiments at work; sizes that were not run |
//! | [`row`], [`table`], [`plot`] | what was found, for programs and for people; plots are drawn by `duoram-plots` |
//! | [`paper`], [`claims`], [`prices`] | published numbers beside it, the artifact's claims as checks, Table 3 |
//! | [`advise`] | which system for which memory and network |
//! | [`peers`], [`spread`] | memories of others as processes, in turn with ours; what several runs took |
#![forbid(unsafe_code)]

pub mod advise;
pub mod catalogue;
pub mod circuit_oram;
pub mod claims;
pub mod cost;
pub mod duoram;
pub mod error;
pub mod floram;
pub mod gigadoram;
pub mod measure;
pub mod model;
pub mod network;
pub mod paper;
pub mod peers;
pub mod plot;
pub mod prices;
mod program;
pub mod real;
pub mod row;
pub mod spread;
pub mod system;
pub mod systems;
pub mod table;
pub mod voram;

pub use error::Error;
