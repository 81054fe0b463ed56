//! What the processes of two or three hosts say to each other: pinned keys, TLS, envelopes, messages.
//!
//! `WIRE.md` in this folder fixes every byte. A message is an enum ([`PeerMessage`] between parties, [`ToParty`] and
//! [`ToClient`] between a client and a party); [`encode`] and [`decode`] are pure functions between it and an envelope, the bytes of one
//! message. What is too long is refused by its five first bytes ([`Head`]), before anything is allocated for it.
//!
//! Shares, keys and frames are secret: whatever holds them is wiped on drop, and shows lengths where others show contents.
//!
//! Without the feature `links` there are the messages and pins alone: no TLS, no tokio, no files.
#![forbid(unsafe_code)]

#[cfg(feature = "links")]
mod backoff;
mod bytes;
mod client;
#[cfg(feature = "links")]
mod connection;
mod envelope;
mod error;
#[cfg(feature = "links")]
mod identity;
mod introduction;
#[cfg(feature = "links")]
mod link_error;
mod names;
mod peer;
mod pin;
#[cfg(feature = "links")]
mod pinned;
mod refusal;
#[cfg(feature = "links")]
pub mod settings;
#[cfg(feature = "links")]
mod socket;
#[cfg(feature = "links")]
mod stream;
#[cfg(test)]
mod tests;
#[cfg(all(test, feature = "links"))]
mod tests_of_links;
mod work;

#[cfg(feature = "links")]
pub use self::backoff::Backoff;
pub use self::client::{Answer, MAX_STATUS, Outcome, ToClient, ToParty, Welcome};
#[cfg(feature = "links")]
pub use self::connection::{Answerer, Channel, Connection, Dialer, Timeouts, TlsReader, TlsWriter};
pub use self::envelope::{Envelope, HEAD_LENGTH, Head, decode, decode_body, encode};
pub use self::error::WireError;
#[cfg(feature = "links")]
pub use self::identity::{Identity, IdentityError};
#[cfg(feature = "links")]
pub use self::introduction::Difference;
pub use self::introduction::Introduction;
#[cfg(feature = "links")]
pub use self::link_error::LinkError;
pub use self::names::{ClientName, MAX_NAME, MAX_TEXT, Text};
pub use self::peer::{Entry, Hello, MAX_PARTS, NumberedFrame, Order, Part, PeerMessage};
pub use self::pin::{BadPin, Pin};
pub use self::refusal::{Reason, Refusal};
#[cfg(feature = "links")]
pub use self::socket::Socket;
#[cfg(feature = "links")]
pub use self::stream::{Receiver, Sender, linger};
pub use self::work::{MAX_QUERIES, MAX_SHARES, Request, Rights, WorkKind};

/// The version of all that `WIRE.md` fixes; hosts of different versions refuse each other.
pub const VERSION: u16 = 3;
