//! Random oblivious transfer: for each, the sender gets two keys, and the receiver the one that its bit chooses. The sender
//! does not learn the bit, nor the receiver the other key.
//!
//! Once a session, 128 of them by public keys ([`base`]); from these any number by a PRG and a hash ([`extension`]). All here
//! computes and neither sends nor waits: messages and states are in the steps.

pub mod base;
pub mod extension;
#[cfg(test)]
mod tests;

pub use self::extension::{Receiver, Sender};

/// The base OTs, and the columns of the extension: the bits of a block.
pub const COLUMNS: usize = 128;

/// What a base OT yields: the seed of a stream.
pub type Seed = [u8; 32];
