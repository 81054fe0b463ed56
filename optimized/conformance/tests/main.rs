//! All tests of this folder in one program: what is generic is compiled once.
#![allow(missing_docs)]

mod broken_lean;
mod broken_reference;
#[cfg(unix)]
mod foreign_cases;
mod windows;
