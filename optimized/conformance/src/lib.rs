//! Audit tools: whatever looks at more than one party, or compares with the specification.
//!
//! No party depends on this crate. It may see the specification and all states; a party that is checked runs on a
//! computation that shows them ([`watched`]).
//!
//! | module | what it is |
//! |---|---|
//! | [`check`] | comparison of a session with the specification |
//! | [`view`], [`watched`] | what parties hold, in the specification's terms, and a computation that shows it |
//! | [`oracle`] | questions about every step, answered by the specification |
//! | [`foreign`] | kernels of others, checked and measured |
//! | [`trace`] | what happened in a run, written to a file |
//! | [`test_vectors`] | the test vectors, as files |
// Unsafe code is confined to `foreign::library`, which says why.
#![deny(unsafe_code)]

pub mod check;
pub mod foreign;
pub mod oracle;
pub mod trace;
/// The test vectors, by the very code that writes and checks `spec/vectors`: what an answer looks like is said once.
#[allow(dead_code, reason = "the generator also compares folders")]
#[path = "../../../spec/examples/vectors/cases/mod.rs"]
mod vectors;
pub mod view;
pub mod watched;

/// The files of `spec/vectors`, by name, computed by the specification on the spot.
pub fn test_vectors() -> Vec<(String, String)> {
    vectors::files().into_iter().map(|(name, value)| (name, vectors::text(&value))).collect()
}
