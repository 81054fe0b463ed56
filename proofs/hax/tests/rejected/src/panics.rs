//! What can panic.

pub fn add(a: u64, b: u64) -> u64 {
    a + b //~ `Add::add`, which can overflow: use the wrapping method
}

pub fn sub(a: u64) -> u64 {
    a - 1 //~ `Sub::sub`, which can overflow: use the wrapping method
}

pub fn mul(a: u64, b: u64) -> u64 {
    a * b //~ `Mul::mul`, which can overflow: use the wrapping method
}

pub fn div(a: u64, b: u64) -> u64 {
    a / b //~ `Div::div`, which can overflow: use the wrapping method
}

pub fn rem(a: u64, b: u64) -> u64 {
    a % b //~ `Rem::rem`, which can overflow: use the wrapping method
}

pub fn shl(a: u64, b: u32) -> u64 {
    a << b //~ a call of `core::ops::bit::Shl::shl`, which can panic: use the wrapping method
}

pub fn shr(a: u64, b: u32) -> u64 {
    a >> b //~ a call of `core::ops::bit::Shr::shr`, which can panic: use the wrapping method
}

pub fn add_assign(a: u64, b: u64) -> u64 {
    let mut c = a;
    c += b; //~ `Add::add`, which can overflow: use the wrapping method
    c
}

pub fn index(l: &[u64], i: usize) -> u64 {
    l[i] //~ a call of `core::ops::index::Index::index`, which can panic: use `get`
}

pub fn slice(l: &[u64], i: usize) -> Vec<u64> {
    l[i..].to_vec() //~ a call of `core::ops::index::Index::index`, which can panic: use `get`
}

pub fn get_range(l: &[u64], i: usize) -> u64 {
    match l.get(0..i) { //~ `get` with a range
        Some(_) => 1,
        None => 0,
    }
}

pub fn split(l: &[u64], i: usize) -> usize {
    l.split_at(i).0.len() //~ a call of `core::slice::impl::split_at`, which can panic: use `get`
}

pub fn unwrap(x: Option<u64>) -> u64 {
    x.unwrap() //~ a call of `core::option::impl::unwrap`, which can panic: use `match`
}

pub fn expect(x: Option<u64>) -> u64 {
    x.expect("a value") //~ a call of `core::option::impl::expect`, which can panic: use `match`
}

pub fn panics(c: bool) -> u64 {
    if c { panic!("no") } else { 1 } //~ a call of `core::panicking::panic_fmt`, which panics
}

pub fn asserts(c: bool) -> u64 {
    assert!(c); //~ a call of `core::panicking::panic`, which panics
    1
}

pub fn unreachable(c: bool) -> u64 {
    if c { unreachable!() } else { 1 } //~ a call of `core::panicking::panic`, which panics
}

pub fn divided(a: u64, b: u64) -> u64 {
    a.wrapping_div(b) //~ the integer method `wrapping_div`
}
