//! A party as a process of its own: its configuration, its engine, its links, its state on disk, and what an operator sees.
//!
//! | module | what it is |
//! |---|---|
//! | [`config`] | the party's file |
//! | [`edge`] | connections of peers and clients, in tokio: who they are, and how much they may cost |
//! | [`engine`] | one thread that never waits but for its next input and its disk: the durable party and the orders around it |
//! | [`http`] | health, metrics and a page for whoever operates it |
//! | [`journal`] | what a party that has ended has left in its folder |
//! | [`loopback`] | the parties in threads of one process, without an edge |
//! | [`orders`] | how the requests of many clients become one sequence of commands |
//! | `process` | the party from its file to its end |
//! | [`serve`] | a party of a protocol, from its folder |
//! | [`settings`] | what the engine is told at its start |
#![forbid(unsafe_code)]

pub mod config;
pub mod edge;
pub mod engine;
pub mod http;
pub mod journal;
#[cfg(test)]
mod log;
pub mod loopback;
pub mod orders;
#[cfg(unix)]
pub mod process;
pub mod serve;
pub mod settings;
mod who;
