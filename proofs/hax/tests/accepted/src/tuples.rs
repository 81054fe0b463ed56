//! Tuples, their fields, patterns in `let` and in parameters.

pub fn swap(p: (u64, bool)) -> (bool, u64) {
    (p.1, p.0)
}

pub fn third(p: (u64, u64, u8)) -> u8 {
    p.2
}

pub fn rotate((a, b): (u64, u64), (c, _): (u64, bool)) -> (u64, (u64, u64)) {
    let (x, (y, z)) = (a, (b, c));
    (z, (x, y))
}

pub fn nothing() {}
