//! Parties that survive: a party, and what must be kept of it so that a crash loses nothing and uses nothing twice.
//!
//! [`Durable`] is a state machine as the party in it is one, without a disk, a link or a clock: what happened goes in, and
//! [`Effect`]s come out, which the caller carries out in their order. The disk is a journal of records with consecutive
//! numbers (`lsn`, from 1), and snapshots; what [`Effect::Append`] gives may be written whenever it pleases, alone or many
//! at once, and [`Durable::written`] tells when it is down.
//!
//! `proofs/tla/README.md` ("What must be on disk") has five rules. Each is kept at one place:
//!
//! | rule | where |
//! |---|---|
//! | 1. write, then speak | [`Durable`], `speaks_after`: nothing leaves before that record is on disk |
//! | 2. all of it at once | `journal`: inputs, not what follows from them; `snapshot`: everything, as of one record |
//! | 3. acknowledge what is on disk | `links`, `Incoming`: what is told is what was written |
//! | 4. keep what is not acknowledged, send it again | `links`, `Outgoing` |
//! | 5. the client keeps its shares | `desk`: a command is [`Effect::Accepted`] when it is on disk, and one that is repeated is not done again |
//!
//! Rule 1 is kept in its weaker form, rule 1': only *commands* must be on disk before the party speaks. A frame need not be: it
//! is not acknowledged before it is on disk, so its sender still has it, and sends it again, the same bytes in the same
//! order of its lane. What the party says follows from the commands and from each lane's frames in their order, and not
//! from how the lanes interleave: which item serves which query depends on the order of commands alone.
//!
//! What is refused is no input: a frame that the party does not take is not journalled, or a hostile peer could put
//! something into the journal that no restart gets past.
//!
//! Two things are left out. A restart does every READ of its journal again, also those whose results were fetched; how
//! much there is to do again is bounded by [`Limits::journal`]. And one client numbers the commands: several are for
//! whoever merges their requests.

mod desk;
mod effect;
mod error;
mod journal;
mod links;
mod party;
mod recovery;
mod snapshot;
pub mod stored;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

pub use self::desk::Answer;
pub use self::effect::Effect;
pub use self::error::{Error, Place};
pub use self::party::{Durable, Limits};
