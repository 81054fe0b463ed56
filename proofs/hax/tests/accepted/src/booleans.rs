//! Operators of bool.

pub fn mix(a: bool, b: bool) -> bool {
    (a ^ b) & !a | (a && b) || (a == b)
}

pub fn differ(a: bool, b: bool) -> bool {
    a != b
}

pub fn select(c: bool, a: u64, b: u64) -> u64 {
    if c { a } else { b }
}
