//! DUORAM at work: parties, each in its own thread, connected by queues or TCP, and the owner of the data.
//!
//! The message logic is that of `duoram-reference`, written once; this crate adds what surrounds it, and each module is
//! one idea:
//!
//! | module | what it is |
//! |---|---|
//! | [`protocol`] | what differs between protocols: sharing, what operations use up, the parties |
//! | [`local_computation`], [`fast`], [`lean`] | the local computation that the parties use: the reference's, or [`duoram_kernel`]'s |
//! | [`seed`], [`sharing`] | randomness, and splitting words into shares |
//! | [`transport`] | links between the parties |
//! | [`party`], [`wire`] | a party's thread, and what goes in and out of it |
//! | [`session`] | the parties as the owner of the data sees them |
//! | [`operation`], [`client`] | what the owner wants, and the owner: shares its data, asks for operations, opens results |
//! | [`node`], [`store`] | a party that survives, and its disk: journal, snapshots, sealed |
//! | [`owner`] | the owner of such parties, who survives too |
//! | [`input`] | a memory as a file, and a script of operations |
//! | [`observer`] | whoever else is shown what happens |
//! | [`event`], [`chains`], [`meter`] | what happened, and what it cost |
//! | [`budget`], [`schedule`], [`resources`], [`pages`] | memory: how much is done at once, in which order, what this machine has, and in which pages |
//!
//! Nothing here shows what a party holds: whatever compares states is an audit tool, and lives in `duoram-conformance`.
// But for `pages`.
#![deny(unsafe_code)]

pub mod budget;
pub mod chains;
pub mod client;
pub mod error;
pub mod event;
pub mod fast;
mod hex;
pub mod input;
pub mod lean;
pub mod local_computation;
pub mod meter;
pub mod node;
pub mod observer;
pub mod operation;
pub mod owner;
pub mod pages;
pub mod party;
pub mod protocol;
pub mod resources;
pub mod schedule;
pub mod seed;
pub mod session;
pub mod sharing;
pub mod store;
pub mod transport;
pub mod two_party;
pub mod wire;

pub use error::Error;
