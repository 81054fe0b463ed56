//! All tests of this folder but one, in one program: what is generic is compiled once. `wiped` has an allocator of its own.
#![allow(missing_docs)]

mod client;
mod kernels;
mod lasting;
mod lean;
mod lean_rows;
mod ranges;
mod simulation;
mod sizes;
mod store;
mod two_party;
