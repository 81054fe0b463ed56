//! Durable parties in one thread: their disks tear, their links break, they crash anywhere, and nothing of it may be
//! seen in what the client gets.
//!
//! One seed is one run. A run is a random program of one of the protocols, done by its [`duoram_reference::durable`] parties, three or
//! two, over the plain computation; what happens next is drawn from the seed: a packet arrives on a link, a disk syncs, the
//! client says something, two parties connect. At some of its places a party crashes, and what it had not synced is there, lost,
//! cut, or torn in pages ([`medium`]).
//!
//! Checked in every run: results and memory are those of an ideal RAM; the states belong together share by share, whenever all have
//! done as much; nothing is said twice with an item, and what is said again has the same bytes; everything is done; what is kept
//! is bounded. Each [`Fault`] breaks one rule and must be found.
//!
//! ```console
//! $ ci/simulate 3000                      # so many seeds
//! $ ci/simulate 1 --seed 17               # one, as a failure says it
//! $ ci/simulate 1000 --fault lying-fsync  # a fault must be found
//! $ ci/simulate 1000 --protocol two-party # seeds of one protocol only; with all but --trace
//! $ ci/simulate --everywhere              # one program of every kind of step, a crash at every place, with each tear
//! $ ci/simulate --trace t.ndjson --seed 3 # a crashed run, for proofs/tla/validate
//! ```
//!
//! | file | what it is |
//! |---|---|
//! | `medium` | files that tear |
//! | `disk` | what a party needs of a disk; a plain store |
//! | `links` | links that lose what is last |
//! | `program` | what the client wants, and an ideal RAM |
//! | `protocol` | what the protocols are to the simulation |
//! | `remembered` | what all runs would compute again |
//! | `cluster` | the parties, the client, and what may happen |
//! | `checks`, `watched` | what is looked at meanwhile |
//! | `fault`, `saved` | what is done wrong on purpose |
//! | `trace` | a crashed run, as the model is shown it: of the simulation, or of real hosts |
//! | `many` | runs on several threads |
//! | `coverage` | where the crashes fell |

#![forbid(unsafe_code)]

mod checks;
mod choice;
pub mod cluster;
pub mod coverage;
pub mod disk;
mod failure;
mod fault;
mod links;
pub mod many;
pub mod medium;
pub mod program;
pub mod protocol;
mod remembered;
pub mod run;
mod saved;
pub mod trace;
mod watched;

pub use crate::failure::Failure;
pub use crate::fault::Fault;
