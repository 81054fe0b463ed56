//! `walked` of another folder, which uses the first.

use crate::core::steps::Stride;
use crate::east;

pub fn walked(by: &Stride, x: u64) -> u64 {
    east::road::walked(by, x).wrapping_mul(2)
}
