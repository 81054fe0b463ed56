//! The operations that rank 0 asks all workers for, by the first byte of a request.
//!
//! | | what follows | what comes back |
//! |---|---|---|
//! | [`HELLO`] | what all have to know | |
//! | [`STOP`] | | |
//! | [`ECHO`] | words | a word |
//! | [`ZERO`], [`FREE`] | a memory | |
//! | [`FILL`] | a memory | its words are sent |
//! | [`GATHER`] | a memory | its words are sent back |
//! | [`PLANT`], [`FELL`] | trees | |
//! | [`GROW`], [`LEAF_SUMS`], [`FLAG_SUMS`], [`VALUE_SUMS`] | trees, and the corrections of their last level | sums |
//! | [`READ`], [`UNBLINDING`], [`LEAN_READ`] | a memory and queries | sums |
//! | [`UPDATE`], [`UPDATE_BLINDS`], [`LEAN_UPDATE`] | a memory and queries | |

/// Version of the requests, and the shares of the cut.
pub(crate) const HELLO: u8 = 1;
/// The end.
pub(crate) const STOP: u8 = 2;
/// Number, h, number of vectors.
pub(crate) const ZERO: u8 = 3;
/// Number.
pub(crate) const FREE: u8 = 4;
/// Number.
pub(crate) const FILL: u8 = 5;
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
/// Number, corrections.
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

/// Words; one comes back.
pub(crate) const ECHO: u8 = 19;

/// Of all of these. Workers of different versions do not work together.
pub(crate) const VERSION: u64 = 1;
