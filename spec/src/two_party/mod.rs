//! Section 5 of the paper: two parties without a third.

pub mod lemmas;
pub mod read;
