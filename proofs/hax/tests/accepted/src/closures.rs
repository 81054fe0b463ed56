//! Closures that capture, of several parameters, called like functions.

pub fn twice(x: u64, y: u64) -> u64 {
    let add = |a: u64, b: u64| a.wrapping_add(b).wrapping_add(y);
    let five = || 5u64;
    add(add(x, 1), five())
}

pub fn table(n: usize) -> Vec<usize> {
    let entry = |i: usize| i.wrapping_mul(n);
    (0..n).map(|i| entry(i)).collect()
}
