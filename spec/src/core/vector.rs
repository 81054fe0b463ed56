//! Vectors of words: dot product, standard basis vectors, cyclic shift `[duoram, sections 2.2.1, 3.1, 4.2.1]`.

use crate::core::ring::Ring;

/// `v[i]`, and `default` past the end: a total function, so that nothing in the specification can panic.
pub fn at<T: Copy>(v: &[T], i: usize, default: T) -> T {
    match v.get(i) {
        Some(x) => *x,
        None => default,
    }
}

/// `a + b`, word by word; the shorter length if they differ.
pub fn add<W: Ring>(a: &[W], b: &[W]) -> Vec<W> {
    a.iter().zip(b.iter()).map(|(x, y)| x.plus(*y)).collect()
}

/// `a - b`, word by word; the shorter length if they differ.
pub fn sub<W: Ring>(a: &[W], b: &[W]) -> Vec<W> {
    a.iter().zip(b.iter()).map(|(x, y)| x.minus(*y)).collect()
}

/// `k * a`.
pub fn scale<W: Ring>(k: W, a: &[W]) -> Vec<W> {
    a.iter().map(|x| k.times(*x)).collect()
}

/// The sum of all words.
pub fn sum<W: Ring>(a: &[W]) -> W {
    a.iter().fold(W::zero(), |s, x| s.plus(*x))
}

/// `<a, b>`, the dot product `[duoram, section 2.2.1]`.
pub fn dot<W: Ring>(a: &[W], b: &[W]) -> W {
    a.iter().zip(b.iter()).fold(W::zero(), |s, (x, y)| s.plus(x.times(*y)))
}

/// `n` zeros.
pub fn zeros<W: Ring>(n: usize) -> Vec<W> {
    (0..n).map(|_| W::zero()).collect()
}

/// `e_i`: zero everywhere but for a 1 at `i` `[duoram, section 1.1]`.
pub fn unit_vector<W: Ring>(n: usize, i: usize) -> Vec<W> {
    (0..n).map(|j| if j == i { W::one() } else { W::zero() }).collect()
}

/// The words 0, 1, 2, ..., n - 1.
pub fn indices<W: Ring>(n: usize) -> Vec<W> {
    (0..n).map(|i| W::from_u64(i as u64)).collect()
}

/// All bits are set.
pub fn every(bits: &[bool]) -> bool {
    bits.iter().fold(true, |all, bit| all && *bit)
}

/// `x` mod n, for a power of two n.
pub fn mod_size(x: u64, n: usize) -> u64 {
    x & (n as u64).wrapping_sub(1)
}

/// The cyclic shift `t[i] <- t[i - S]`, all i at once `[duoram, section 4.2.1; Protocol 1, line 7]`. The length is a power
/// of two, indices are taken mod n.
///
/// Simultaneous: run in place, index by index, the same assignment would copy one word along (`ERRATA.md`, 9).
pub fn shift<W: Ring>(t: &[W], s: u64) -> Vec<W> {
    (0..t.len()).map(|i| at(t, mod_size((i as u64).wrapping_sub(s), t.len()) as usize, W::zero())).collect()
}

/// `x<S>`: the word at index j moves to j xor S. The length is a power of two, indices are taken mod n; moving twice by
/// one S changes nothing. The shift of addresses that are XOR-shared ([`crate::lean`]).
pub fn xor_shift<W: Ring>(x: &[W], s: u64) -> Vec<W> {
    (0..x.len()).map(|i: usize| at(x, mod_size(i as u64 ^ s, x.len()) as usize, W::zero())).collect()
}
