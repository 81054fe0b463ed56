//! The operations that rank 0 asks all workers for, by the first byte of a request.
//!
//! | | what follows | what comes back |
//! |---|---|---|
//! | [`HELLO`] | what all have to know | |
//! | [`STOP`] | | |
//! | [`ECHO`] | words | words |
//! | [`USAGE`] | | two words of each worker |
//! | [`ZERO`], [`FREE`] | a memory | |
//! | [`ADD`] | a memory, and of which words others are sent | |
//! | [`GATHER`] | a memory | its words are sent back |
//! | [`PLANT`], [`FELL`] | trees | |
//! | [`GROW`], [`LEAF_SUMS`], [`FLAG_SUMS`], [`VALUE_SUMS`] | trees, and the corrections of their last level | sums |
//! | [`READ`], [`UNBLINDING`], [`LEAN_READ`] | a memory and queries | sums |
//! | [`UPDATE`], [`UPDATE_BLINDS`], [`LEAN_UPDATE`] | a memory and queries | |
//! | [`OPEN`] | a proof of the key | who has no folder, or not this key |
//! | [`PUT`], [`TAKE`] | a memory and a name | who could not, and why |
//! | [`KEEP`] | names | who could not, and why |

/// Version of the requests, and the shares of the cut.
pub(crate) const HELLO: u8 = 1;
/// The end.
pub(crate) const STOP: u8 = 2;
/// Number, h, number of vectors, w.
pub(crate) const ZERO: u8 = 3;
/// Number.
pub(crate) const FREE: u8 = 4;
/// Number, the first word, how many words are added to each vector.
pub(crate) const ADD: u8 = 5;
/// Number.
pub(crate) const GATHER: u8 = 6;
/// Number, protocol, K, levels below, depth; root and corrections of each tree.
pub(crate) const PLANT: u8 = 7;
/// Number.
pub(crate) const FELL: u8 = 8;
/// Number, corrections.
pub(crate) const GROW: u8 = 9;
/// Number, corrections.
pub(crate) const LEAF_SUMS: u8 = 10;
/// Number, corrections, how many trees are complete.
pub(crate) const FLAG_SUMS: u8 = 11;
/// Number, corrections, w.
pub(crate) const VALUE_SUMS: u8 = 12;
/// Number, K, role; queries.
pub(crate) const READ: u8 = 13;
/// Number, K; queries.
pub(crate) const UNBLINDING: u8 = 14;
/// Number, K, role; queries.
pub(crate) const UPDATE: u8 = 15;
/// Number, K; queries.
pub(crate) const UPDATE_BLINDS: u8 = 16;
/// Number, K, role, keys of a query; queries.
pub(crate) const LEAN_READ: u8 = 17;
/// Number, K, keys of a query; queries.
pub(crate) const LEAN_UPDATE: u8 = 18;

/// How many words come back; words, whose sum each of these is.
pub(crate) const ECHO: u8 = 19;
/// The most words that come back of an echo.
pub(crate) const LONGEST_ECHO: u64 = 1 << 20;
/// What each has computed for so far: nanoseconds, and those of its CPU or [`UNKNOWN`].
pub(crate) const USAGE: u8 = 20;

/// A time that the system does not tell.
pub(crate) const UNKNOWN: u64 = u64::MAX;

/// Length of a proof, and the proof.
pub(crate) const OPEN: u8 = 21;
/// Number, name: the memory is put into files of that name.
pub(crate) const PUT: u8 = 22;
/// Number, name: the memory becomes what is in files of that name.
pub(crate) const TAKE: u8 = 23;
/// How many names, names: files of others are removed.
pub(crate) const KEEP: u8 = 24;
/// The longest reason that a worker gives, in bytes.
pub(crate) const LONGEST_REASON: usize = 1 << 12;

/// Of all of these. Workers of different versions do not work together.
pub(crate) const VERSION: u64 = 5;
