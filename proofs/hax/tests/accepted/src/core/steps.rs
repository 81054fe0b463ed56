//! A module in the folder that all share.

/// A struct, so that constructor and field lose the folder's name too.
#[derive(Clone, PartialEq, Eq)]
pub struct Stride {
    pub length: u64,
}

pub fn stride(by: &Stride, x: u64) -> u64 {
    x.wrapping_add(by.length)
}
