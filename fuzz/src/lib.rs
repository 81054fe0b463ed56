//! Fuzz targets, each with an oracle in another layer; `README.md` tells how to run them.
//!
//! | module | what is fuzzed | oracle |
//! |---|---|---|
//! | [`primitives`], [`primitives::lean`] | AES, PRG, DPFs, READ and UPDATE scans of every backend | the reference's plain computation, and the specification |
//! | [`conversion`] | preprocessing of a primary, App. C and D | the specification's functions, which play the other two parties |
//! | [`operations`] | sessions of the reference and of the kernels, of two parties with SPIRAL too | the ideal memory, and each other, share for share |
//! | [`wire`] | headers and payloads | the table of the protocol, and the specification's encoding |
//! | [`hostile_peer`] | one party among hostile peers | a model of what is due, and a twin that sees only what is valid |
//! | [`pir_messages`] | what two parties' PIR sends | a second reader, the reference's table, and another backend |
//! | [`envelopes`] | what three hosts say to each other | a second reader |
//! | [`files`] | memories and scripts | a second reader |
//!
//! A target is a function of an input; it panics if something is wrong. `fuzz_targets/` hands it to libFuzzer. [`operations`],
//! [`wire`] and [`hostile_peer`] are generic over the protocol, and a target for each.

pub mod computations;
pub mod conversion;
pub mod envelopes;
pub mod files;
pub mod hostile_peer;
pub mod operations;
pub mod party;
pub mod payloads;
pub mod pir_messages;
pub mod prg;
pub mod primitives;
pub mod wire;
pub mod words;
