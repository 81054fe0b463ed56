//! What the processes of three hosts say to each other: pinned keys, TLS, envelopes, messages.
//!
//! `WIRE.md` in this folder fixes every byte. A message is an enum ([`PeerMessage`] between parties, [`ToParty`] and
//! [`ToClient`] between a client and a party); [`encode`] and [`decode`] are pure functions between it and an envelope, the bytes of one
//! message. What is too long is refused by its five first bytes ([`Head`]), before anything is allocated for it.
//!
//! Shares, keys and frames are secret: whatever holds them is wiped on drop, and shows lengths where others show contents.
#![forbid(unsafe_code)]

mod bytes;
mod client;
mod connection;
mod envelope;
mod error;
mod identity;
mod link_error;
mod names;
mod peer;
mod pin;
mod pinned;
mod refusal;
pub mod settings;
mod stream;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_links;
mod work;

pub use self::client::{Answer, MAX_STATUS, Outcome, ToClient, ToParty, Welcome};
pub use self::connection::{Answerer, Channel, Connection, Dialer, Timeouts, TlsReader, TlsWriter};
pub use self::envelope::{Envelope, HEAD_LENGTH, Head, decode, decode_body, encode};
pub use self::error::WireError;
pub use self::identity::{Identity, IdentityError};
pub use self::link_error::LinkError;
pub use self::names::{ClientName, MAX_NAME, MAX_TEXT, Text};
pub use self::peer::{Entry, Hello, MAX_PARTS, NumberedFrame, Order, Part, PeerMessage};
pub use self::pin::{BadPin, Pin};
pub use self::refusal::{Reason, Refusal};
pub use self::stream::{Receiver, Sender, linger};
pub use self::work::{MAX_QUERIES, Request, Rights, WorkKind};

/// The version of all that `WIRE.md` fixes; hosts of different versions refuse each other.
pub const VERSION: u16 = 1;
