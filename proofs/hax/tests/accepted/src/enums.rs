//! Enums, with and without fields, and matches on them.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Left,
    Right,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape<W> {
    Empty,
    Point(W),
    Line { from: W, to: W },
}

pub fn other(side: Side) -> Side {
    match side {
        Side::Left => Side::Right,
        Side::Right => Side::Left,
    }
}

pub fn start<W: Copy>(shape: &Shape<W>, default: W) -> W {
    match shape {
        Shape::Empty => default,
        Shape::Point(at) => *at,
        Shape::Line { from, .. } => *from,
    }
}

pub fn line(x: u8) -> Shape<u8> {
    Shape::Line { to: x, from: 0 }
}

pub fn truth(x: bool, side: Side) -> u8 {
    match (x, side) {
        (true, Side::Left) => 1,
        (false, _) => 2,
        _ => 3,
    }
}
