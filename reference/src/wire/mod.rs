//! What is on a link: frames, the way a payload is written and read, and what can be wrong with what a peer sent.
//!
//! Nothing here knows a protocol. A protocol says what its messages are by implementing [`Message`] for each.

pub(crate) mod bits;
pub(crate) mod codec;
pub mod frame;
pub mod message;
pub mod misbehaviour;
mod role;
pub mod shape;
#[cfg(test)]
pub(crate) mod visit;

pub use self::frame::{Frame, HEADER_LENGTH, Header, MAX_PAYLOAD, SessionId};
pub use self::message::{Kind, Message};
pub use self::misbehaviour::{Bound, MessageId, Misbehaviour};
pub use self::role::Role;
pub use self::shape::Length;
