//! Structs: generic ones, fields in any order, update syntax, derived equality.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Point {
    pub x: u64,
    pub y: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair<A> {
    pub left: A,
    pub right: Vec<A>,
}

pub fn mirrored(p: &Point) -> Point {
    Point { y: p.x, x: p.y }
}

pub fn moved(p: Point, y: u64) -> Point {
    Point { y, ..p }
}

pub fn pair(x: u64) -> Pair<u64> {
    Pair { left: x, right: vec![x, 1] }
}

pub fn left<A: Copy>(p: &Pair<A>) -> A {
    p.left
}
