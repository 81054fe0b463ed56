//! The folder whose name is no part of names in Rocq: `core::steps::stride` is `steps_stride`.

pub mod steps;
