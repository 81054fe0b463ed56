//! The constructs that translate, one a module. `proofs/hax/test` compares their translation with `expected/`, and what it
//! computes with what Rust computes (`proofs/hax/vectors`).
pub mod booleans;
pub mod closures;
pub mod constants;
pub mod core;
pub mod early_return;
pub mod east;
pub mod enums;
pub mod integers;
pub mod lists;
pub mod loops;
pub mod modules;
pub mod mutation;
pub mod options;
pub mod references;
pub mod shadowing;
pub mod structures;
pub mod traits;
pub mod tuples;
pub mod west;
