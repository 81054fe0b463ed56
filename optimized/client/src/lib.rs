//! An oblivious memory on three hosts, for those who own its words.
#![forbid(unsafe_code)]

pub mod settings;
