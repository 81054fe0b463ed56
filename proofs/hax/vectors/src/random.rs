//! Random values: numbers at the edges of their range as often as others, short lists, small sizes.

pub use duoram_vectors::Random as Rng;

/// A list of `n` random values.
pub fn list<T: Random>(rng: &mut Rng, n: usize) -> Vec<T> {
    (0..n).map(|_| T::random(rng)).collect()
}

/// What there are random values of.
pub trait Random {
    fn random(rng: &mut Rng) -> Self;
}

impl Random for bool {
    fn random(rng: &mut Rng) -> bool {
        rng.below(2) == 1
    }
}

impl Random for u8 {
    fn random(rng: &mut Rng) -> u8 {
        rng.word() as u8
    }
}

impl Random for u32 {
    fn random(rng: &mut Rng) -> u32 {
        rng.word() as u32 >> rng.below(32)
    }
}

/// From 0 to 9, at the ends of the range, or anywhere.
impl Random for u64 {
    fn random(rng: &mut Rng) -> u64 {
        match rng.below(4) {
            0 => rng.below(10),
            1 => u64::MAX - rng.below(3),
            _ => rng.word(),
        }
    }
}

impl Random for u128 {
    fn random(rng: &mut Rng) -> u128 {
        match rng.below(8) {
            0 => 0,
            1 => u128::MAX - u128::from(rng.below(3)),
            _ => (u128::from(rng.word()) << 64) | u128::from(rng.word()),
        }
    }
}

/// Sizes and indices: 0 to 9.
impl Random for usize {
    fn random(rng: &mut Rng) -> usize {
        rng.below(10) as usize
    }
}

/// Lists of 0 to 4 elements; different lengths meet.
impl<T: Random> Random for Vec<T> {
    fn random(rng: &mut Rng) -> Vec<T> {
        let n = rng.below(5) as usize;
        list(rng, n)
    }
}

impl<T: Random> Random for Option<T> {
    fn random(rng: &mut Rng) -> Option<T> {
        if bool::random(rng) { Some(T::random(rng)) } else { None }
    }
}

impl<A: Random, B: Random> Random for (A, B) {
    fn random(rng: &mut Rng) -> (A, B) {
        (A::random(rng), B::random(rng))
    }
}

impl<A: Random, B: Random, C: Random> Random for (A, B, C) {
    fn random(rng: &mut Rng) -> (A, B, C) {
        (A::random(rng), B::random(rng), C::random(rng))
    }
}

/// A list of a length that is fixed.
#[derive(Clone)]
pub struct Exactly<T, const N: usize>(pub Vec<T>);

impl<T: Random, const N: usize> Random for Exactly<T, N> {
    fn random(rng: &mut Rng) -> Exactly<T, N> {
        Exactly(list(rng, N))
    }
}

/// A list of 2^h words, h from 0 to 2.
#[derive(Clone)]
pub struct Memory(pub Vec<u64>);

impl Random for Memory {
    fn random(rng: &mut Rng) -> Memory {
        let n = 1 << rng.below(3);
        Memory(list(rng, n))
    }
}
