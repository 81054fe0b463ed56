//! Hosts: a party as a process of its own, what it needs, and who talks to it. The feature `hosts`.

pub mod client;
pub mod deploy;
pub mod error;
pub mod keygen;
#[cfg(unix)]
pub mod party;

pub use self::error::Error;

use clap::Subcommand;

use crate::Verdict;
use crate::output::Output;

/// What there is to be done.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Makes a key for a party or a client, and prints its pin: what others know it by.
    Keygen(keygen::Options),
    /// Writes all that the hosts of three parties, or of two, and their clients need: settings, keys, units of systemd, a compose file.
    Deploy(deploy::Options),
    /// Runs one of the parties, until it is told to stop by SIGTERM or SIGINT.
    #[cfg(unix)]
    Party(party::Options),
    /// Loads a memory on such hosts, and performs operations on it.
    Client(client::Options),
}

/// Does it.
///
/// # Errors
///
/// [`crate::Error::Hosts`], and what any command may meet.
pub fn perform(command: &Command, output: &mut Output) -> Result<Verdict, crate::Error> {
    match command {
        Command::Keygen(options) => keygen::keygen(options, output),
        Command::Deploy(options) => deploy::deploy(options, output),
        #[cfg(unix)]
        Command::Party(options) => party::party(options, output),
        Command::Client(options) => client::client(options, output),
    }
}
