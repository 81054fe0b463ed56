//! `walked` of one folder.

use crate::core::steps::{Stride, stride};

pub fn walked(by: &Stride, x: u64) -> u64 {
    stride(by, x)
}
