//! Items of another module, and a type alias.

use crate::structures::{Point, mirrored};

pub type Position = Point;

pub fn twice(p: &Position) -> Position {
    mirrored(&mirrored(p))
}
