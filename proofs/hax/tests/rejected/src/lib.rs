//! What the engine refuses. A comment `//~ message` at the end of a line is the error that is expected there.
#![allow(warnings)]

pub mod control;
pub mod first;
pub mod items;
pub mod mutation;
pub mod panics;
pub mod patterns;
pub mod second;
pub mod types;
