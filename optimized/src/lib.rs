//! DUORAM at work: three parties, each in its own thread, connected by queues or TCP, on a real memory.
//!
//! The message logic is that of `duoram-reference`, written once; this crate adds what surrounds it, and each module is
//! one idea:
//!
//! | module | what it is |
//! |---|---|
//! | [`kernel`] | the local computation close to the machine's limit: AES-NI, VAES, and portable |
//! | [`backend`], [`fast`] | the local computation that the parties use: the reference's, or the kernels |
//! | [`memory_file`], [`script`] | a memory and the operations on it, from files |
//! | [`seed`], [`sharing`] | randomness, and splitting words into shares |
//! | [`transport`] | links between the parties |
//! | [`party`], [`wire`] | a party's thread, and what goes in and out of it |
//! | [`session`] | the three parties as the owner of the data sees them |
//! | [`client`] | the owner: shares its data, asks for operations, opens results |
//! | [`event`], [`chains`], [`meter`] | what happened, and what it cost |
//! | [`budget`], [`resources`], [`limits`] | memory and time of this machine, and what it could do at best |
//! | [`check`] | comparison with the specification |
//! | [`cli`], [`report`] | the tool `duoram` |
// Unsafe code is confined to the kernel's backends, one module each, around intrinsics.
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
pub mod kernel;
pub mod limits;
pub mod memory_file;
pub mod meter;
pub mod party;
pub mod report;
pub mod resources;
pub mod script;
pub mod seed;
pub mod session;
pub mod sharing;
pub mod transport;
pub mod wire;

pub use error::Error;
