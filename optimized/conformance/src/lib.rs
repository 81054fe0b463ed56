//! Audit tools: whatever looks at more than one party, or compares with the specification.
//!
//! No party depends on this crate. It may see the specification and all states; a party that is checked runs on a
//! computation that shows them ([`audit::Audits`]).
//!
//! | module | what it is |
//! |---|---|
//! | [`check`] | comparison of a session with the specification |
//! | [`audit`] | what these tools have to know of a protocol |
//! | [`paper`], [`lean`], [`two_party`] | a protocol each: what its parties hold, in the specification's terms, a computation that shows it, its specification |
//! | [`oracle`] | questions about every step, answered by the specification |
//! | [`foreign`] | kernels of others, checked and measured |
//! | [`trace`] | what happened in a run, written to a file |
// Unsafe code is confined to `foreign::library` and `foreign::pages`, which say why.
#![deny(unsafe_code)]

pub mod audit;
pub mod check;
mod encoding;
#[cfg(unix)]
pub mod foreign;
pub mod lean;
pub mod oracle;
pub mod paper;
mod slots;
pub mod trace;
pub mod two_party;
