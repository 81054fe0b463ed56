//! A folder with a module of the same name as another folder's, and an item of its own.

pub mod road;

pub fn far(x: u64) -> u64 {
    road::walked(&crate::core::steps::Stride { length: 7 }, x)
}
