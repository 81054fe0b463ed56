//! The parties of DUORAM, three or two, as state machines without input or output.
//!
//! DUORAM (Vadapalli, Henry, Goldberg, *Duoram*, USENIX Security 2023, `[duoram]` below) is a distributed oblivious RAM:
//! two primaries, [`Role::P0`] and [`Role::P1`], hold additive shares of a memory and read and update it at addresses
//! that are shared too, with the help of [`Role::P2`]. No single party learns the memory, an address or a value.
//!
//! This crate is the reference: the paper's formulas in the paper's names, with the errata applied, over the paper's own
//! state. `PROTOCOL.md` fixes every byte. The parties neither open sockets nor draw randomness from the system: frames
//! go in, frames come out ([`Party`]), and a seed is given. The local computation is behind one trait, [`Compute`];
//! [`Plain`] is the plain implementation.
//!
//! There are three protocols: the paper's ([`paper`]), whose names are those of the crate itself; the lean one ([`lean`]),
//! with XOR shares, two DPFs an operation instead of three, and a READ that is a scan of the memory; and that of two parties
//! without a helper ([`two_party`]).
//!
//! Parties may be made to last ([`Lasting`]): they read while they prepare, take what they are told as [`Command`]s, and are saved
//! and restored between steps, exactly.
//!
//! The security model is the paper's: the parties are honest but curious, no two collude, and links are encrypted. A
//! frame that does not belong is refused with an [`Error`] and changes nothing.
//!
//! ```
//! use duoram_reference::local::{LocalSession, share};
//! use duoram_reference::{Batch, Parameters, Plain, SessionId};
//!
//! # fn main() -> Result<(), duoram_reference::Error> {
//! // A memory of 2^3 words, shared with masks that are random in real use.
//! let memory = [10, 11, 12, 13, 14, 15, 16, 17];
//! let masks = [3, 1, 4, 1, 5, 9, 2, 6];
//! let [share_0, share_1] = [0, 1].map(|b| memory.iter().zip(masks).map(|(w, mask)| share(*w, mask)[b]).collect());
//!
//! let parameters = Parameters::new(SessionId(*b"an example, once"), 3)?;
//! let mut session = LocalSession::new(parameters, [[1; 32], [2; 32], [3; 32]], Plain)?;
//! session.connect()?;
//! session.load([share_0, share_1])?;
//!
//! // Before any address is known: DPFs for two READs and one UPDATE.
//! session.preprocess(Batch { reads: 2, updates: 1 })?;
//!
//! // Reads at address 5, of which P0 knows one share and P1 the other.
//! let [address_0, address_1] = share(5, 2718);
//! let [read_0, read_1] = session.read([&[address_0], &[address_1]])?;
//! assert_eq!(read_0[0].wrapping_add(read_1[0]), 15);
//!
//! // Adds 100 there, and reads again.
//! let [change_0, change_1] = share(100, 3141);
//! session.update([&[(address_0, change_0)], &[(address_1, change_1)]])?;
//! let [read_0, read_1] = session.read([&[address_0], &[address_1]])?;
//! assert_eq!(read_0[0].wrapping_add(read_1[0]), 115);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

pub mod durable;

// The messages are for tests to see; without them, what they are made of is out of reach.
#[cfg_attr(not(any(test, feature = "test-util")), allow(unreachable_pub))]
pub mod engine;
#[cfg_attr(not(any(test, feature = "test-util")), allow(unreachable_pub))]
pub mod lean;
#[cfg_attr(not(any(test, feature = "test-util")), allow(unreachable_pub))]
pub mod paper;
#[cfg_attr(not(any(test, feature = "test-util")), allow(unreachable_pub))]
pub mod two_party;
pub mod wire;

pub use crate::engine::{
    Aside, Batch, CHUNK_WORDS, Command, Error, ItemKind, KEY_LABELS, Lane, Lasting, MAX_LOG_SIZE,
    MAX_ROW_WORDS, MAX_WORDS, NotAside, Operands, Parameters, Party, PartyStream, Protocol, SavedError,
    SessionKey, Step, UnderWay, key_labels, log_size_of,
};
#[cfg(any(test, feature = "test-util"))]
pub use crate::paper::message;
pub use crate::paper::{
    ChildSums, Compute, Correction, DpfShare, Helper, HelperMemory, HelperReadQuery, HelperUpdateQuery,
    LeafSums, Paper, Plain, Primary, PrimaryMemory, ReadQuery, UpdateQuery, dpf, local, step,
};
pub use crate::wire::{
    Bound, Frame, HEADER_LENGTH, Header, Kind, MAX_PAYLOAD, Message, MessageId, Misbehaviour, Role, SessionId,
};

/// A word of the memory: an integer mod 2^64.
pub type Word = u64;

/// A label of a DPF tree: 128 bits; the lowest is the node's flag.
pub type Block = u128;
