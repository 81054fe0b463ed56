//! DUORAM at work: three parties, each in its own thread, connected by queues or TCP, on a real memory.
//!
//! The message logic is that of `duoram-reference`, written once; this crate adds what surrounds it, and each module is
//! one idea:
//!
//! | module | what it is |
//! |---|---|
//! | [`backend`] | the local computation that the parties use |
//! | [`memory_file`], [`script`] | a memory and the operations on it, from files |
//! | [`seed`], [`sharing`] | randomness, and splitting words into shares |
//! | [`transport`] | links between the parties |
//! | [`party`], [`wire`] | a party's thread, and what goes in and out of it |
//! | [`session`] | the three parties as the owner of the data sees them |
//! | [`client`] | the owner: shares its data, asks for operations, opens results |
//! | [`event`], [`chains`], [`meter`] | what happened, and what it cost |
//! | [`budget`], [`resources`] | memory and time of this machine |
//! | [`check`] | comparison with the specification |
//! | [`cli`], [`report`] | the tool `duoram` |
#![deny(unsafe_code)]

pub mod backend;
pub mod budget;
pub mod chains;
pub mod check;
pub mod cli;
pub mod client;
pub mod error;
pub mod event;
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
