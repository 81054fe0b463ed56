//! Types and literals.

pub fn signed(x: i32) -> u64 { //~ a signed integer type
    let _ = x;
    0
}

pub fn signed_local() -> bool {
    let x = 5i64; //~ a signed integer
    x == 5
}

pub fn float() -> bool {
    let x = 0.5f64; //~ a literal that is neither a number nor a bool
    x < 1.0
}

pub fn string() -> usize {
    "text".len() //~ a call of `core::str::impl::len`
}

pub fn constant_parameter<const N: usize>(l: [u64; N]) -> usize { //~ a constant parameter
    l.len()
}

pub fn function<F: Fn(u64) -> u64>(f: F) -> u64 { //~ a bound by `core::ops::function::Fn`
    f(1)
}

pub fn cast(x: bool) -> u64 {
    x as u64 //~ a cast between other types than unsigned integers
}

pub fn equal(a: &[u64], b: &[u64]) -> bool {
    a == b //~ `core::cmp::PartialEq::eq` on Slice and Slice
}

pub fn set(l: &[u64]) -> usize {
    let s: std::collections::BTreeSet<u64> = l.iter().copied().collect(); //~ `collect` into something else than a Vec
    s.len()
}

pub fn unsafe_block() -> u64 {
    unsafe { core::hint::unreachable_unchecked() } //~ an unsafe block
}

pub unsafe fn unsafe_function() -> u64 { //~ an unsafe function
    1
}

pub trait Marker {
    fn marked(&self) -> bool;
}
