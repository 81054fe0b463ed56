//! All tests of this folder in one program: what is generic is compiled once.
#![allow(missing_docs)]

mod cli;
#[cfg(feature = "hosts")]
mod deploy;
#[cfg(all(unix, feature = "hosts"))]
mod divided;
#[cfg(unix)]
mod experiment;
mod figures;
#[cfg(unix)]
mod foreign_kernel;
#[cfg(all(unix, feature = "hosts"))]
mod host_rows;
#[cfg(all(unix, feature = "hosts"))]
mod hosts;
#[cfg(all(target_os = "linux", feature = "hosts"))]
mod hosts_speed;
mod lean;
#[cfg(target_os = "linux")]
mod memory;
mod oracle;
mod program;
mod rows;
#[cfg(all(unix, feature = "hosts"))]
mod shares;
#[cfg(all(target_os = "linux", feature = "hosts"))]
mod soak;
mod state;
#[cfg(all(unix, feature = "hosts"))]
mod three_hosts;
mod trace;
#[cfg(all(unix, feature = "hosts"))]
mod traced_hosts;
#[cfg(all(unix, feature = "hosts"))]
mod two_hosts;
mod two_party;
mod vectors;
mod workers;
