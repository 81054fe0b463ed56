//! What all protocols share: a party's end of its links, its key and randomness, its numbered items, and the steps that
//! it is in the middle of.
//!
//! Nothing here knows a protocol either. A protocol is a type ([`Protocol`]) with a folder of its own; its parties are an
//! `Engine` each, around whatever they hold (`World`), and its steps are chains of states (`State`): a state awaits
//! one message, and yields the next state when that has come.

mod aside;
mod boxed;
mod chunks;
mod command;
pub(crate) mod endpoint;
mod error;
pub(crate) mod items;
mod key;
mod lanes;
pub(crate) mod lasting;
pub(crate) mod level;
pub mod local;
mod parameters;
mod party;
mod protocol;
pub(crate) mod queries;
mod random;
pub(crate) mod results;
pub(crate) mod saved;
pub(crate) mod step;
#[cfg(any(test, feature = "test-util"))]
pub mod together;
pub mod tree;

pub(crate) use self::aside::SavedMemory;
pub use self::aside::{Aside, NotAside};
pub use self::chunks::CHUNK_WORDS;
pub(crate) use self::chunks::{check_piece, complete_chunk, next_chunk, place};
pub use self::command::{Command, Operands};
pub use self::error::{Error, ItemKind, SavedError};
pub use self::items::Batch;
pub use self::key::{KEY_LABELS, SessionKey, key_labels};
pub use self::lanes::Lane;
pub use self::lasting::Lasting;
pub use self::parameters::{MAX_LOG_SIZE, MAX_ROW_WORDS, MAX_WORDS, Parameters, log_size_of};
pub(crate) use self::parameters::{leaves, sizes};
pub use self::party::Party;
pub use self::protocol::Protocol;
pub use self::random::PartyStream;
pub use self::step::{Step, UnderWay};
