//! Slices, vectors and iterators.

pub fn sum(l: &[u64]) -> u64 {
    l.iter().fold(0, |s, x| s.wrapping_add(*x))
}

pub fn sums(a: &[u64], b: &[u64]) -> Vec<u64> {
    a.iter().zip(b.iter()).map(|(x, y)| x.wrapping_add(*y)).collect()
}

pub fn doubled(l: &[u64]) -> Vec<u64> {
    l.iter().flat_map(|x| vec![*x, *x]).collect()
}

pub fn window(l: &[u64], n: usize) -> Vec<u64> {
    l.iter().skip(n).take(n).copied().collect()
}

pub fn numbered(l: &[u8]) -> Vec<(usize, u8)> {
    l.iter().enumerate().map(|(i, x)| (i, *x)).collect()
}

pub fn ends(l: Vec<u64>) -> Option<u64> {
    match [l, vec![], vec![3]].concat().first() {
        Some(x) => Some(*x),
        None => None,
    }
}

pub fn squares(n: u32) -> Vec<u32> {
    (1..n).map(|i| i.wrapping_mul(i)).collect()
}

pub fn repeated(x: u8) -> u8 {
    (0..8).fold(x, |y, _| y.wrapping_mul(3))
}
