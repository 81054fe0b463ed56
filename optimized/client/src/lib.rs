//! An oblivious memory on two or three hosts, for those who own its words.
//!
//! ```no_run
//! use std::path::Path;
//!
//! use duoram_client::{Config, blocking::Memory};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let memory = Memory::open(&Config::open(Path::new("client.toml"))?)?;
//! memory.load((0..memory.len()).map(|address| address * address))?;
//! assert_eq!(memory.read(7)?, 49);
//! memory.write(7, 50)?;
//! assert_eq!(memory.read_all(&[7, 8])?, [50, 64]);
//! # Ok(())
//! # }
//! ```
//!
//! The client shares its addresses and words between P0 and P1, so that neither learns them, and opens what comes back. What the
//! parties learn is who asks, when, and for what kind of operation. The parties are known by the pins of their keys.
//!
//! | module | what it is |
//! |---|---|
//! | [`settings`] | the client's file, which `duoram deploy` writes |
//! | [`Memory`], [`blocking`] | the memory |
//! | `shares` | one half of it, for programs that hold shares |
//! | `requests` | what either asks for, by verb |
//! | `work`, `outbox` | requests and their shares; what was asked for and not answered, without input or output |
//! | `link` | the links to the parties |
#![forbid(unsafe_code)]

pub mod blocking;
mod error;
#[cfg(feature = "test-util")]
pub mod fake;
mod link;
mod memory;
mod outbox;
mod requests;
pub mod settings;
#[cfg(unix)]
mod shares;
mod work;

pub use duoram_link::{Reason, Refusal};

pub use self::error::Error;
pub use self::memory::{Memory, Statuses, status};
pub use self::settings::Config;
#[cfg(unix)]
pub use self::shares::Shares;
