//! DUORAM at work: three parties, each in its own thread, connected by queues or TCP, on a real memory.
//!
//! The message logic is that of `duoram-reference`, written once; this crate adds what surrounds it, and each module is
//! one idea:
//!
//! | module | what it is |
//! |---|---|
//! | [`backend`], [`fast`] | the local computation that the parties use: the reference's, or [`duoram_kernel`]'s |
//! | [`memory_file`], [`script`] | a memory and the operations on it, from files |
//! | [`seed`], [`sharing`] | randomness, and splitting words into shares |
//! | [`transport`] | links between the parties |
//! | [`party`], [`wire`] | a party's thread, and what goes in and out of it |
//! | [`session`] | the three parties as the owner of the data sees them |
//! | [`client`] | the owner: shares its data, asks for operations, opens results |
//! | [`event`], [`trace`], [`chains`], [`meter`] | what happened, written to a file, and what it cost |
//! | [`budget`], [`resources`], [`limits`] | memory and time of this machine, and what it could do at best |
//! | [`check`] | comparison with the specification |
//! | [`oracle`], [`foreign`] | implementations of others: questions answered, kernels checked |
//! | [`cli`], [`report`] | the tool `duoram` |
// Unsafe code is confined to the kernel's backends, one module each, around intrinsics, and to `foreign::library`, which says
// why.
#![deny(unsafe_code)]

pub mod backend;
pub mod budget;
pub mod chains;
pub mod check;
pub mod cli;
pub mod client;
pub mod error;
pub mod event;
pub mod fast;
pub mod foreign;
pub mod limits;
pub mod memory_file;
pub mod meter;
pub mod oracle;
pub mod party;
pub mod report;
pub mod resources;
pub mod script;
pub mod seed;
pub mod session;
pub mod sharing;
pub mod trace;
pub mod transport;
pub mod wire;

pub use error::Error;
