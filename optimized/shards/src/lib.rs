#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod aside;
mod bytes;
mod collective;
mod cut;
mod files;
mod forest;
mod layered;
mod lean;
mod memory;
#[cfg(feature = "mpi")]
mod mpi;
mod operation;
mod paper;
mod passing;
mod sharded;
mod summed;
mod threads;
mod trees;
mod worker;

pub use self::collective::{By, Collective, Failure};
pub use self::cut::Cut;
pub use self::forest::Forest;
#[cfg(feature = "mpi")]
pub use self::mpi::Mpi;
pub use self::sharded::{Memory, Sharded};
pub use self::threads::Threads;
pub use self::worker::{WorkerUsage, serve};
