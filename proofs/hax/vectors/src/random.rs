//! Random values: numbers at the edges of their range as often as others, short lists, small sizes.

/// SplitMix64.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// A list of `n` random values.
    pub fn list<T: Random>(&mut self, n: usize) -> Vec<T> {
        (0..n).map(|_| T::random(self)).collect()
    }
}

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
        rng.next() as u8
    }
}

impl Random for u32 {
    fn random(rng: &mut Rng) -> u32 {
        rng.next() as u32 >> rng.below(32)
    }
}

/// From 0 to 9, at the ends of the range, or anywhere.
impl Random for u64 {
    fn random(rng: &mut Rng) -> u64 {
        match rng.below(4) {
            0 => rng.below(10),
            1 => u64::MAX - rng.below(3),
            _ => rng.next(),
        }
    }
}

impl Random for u128 {
    fn random(rng: &mut Rng) -> u128 {
        match rng.below(8) {
            0 => 0,
            1 => u128::MAX - u128::from(rng.below(3)),
            _ => (u128::from(rng.next()) << 64) | u128::from(rng.next()),
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
        rng.list(n)
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
        Exactly(rng.list(N))
    }
}

/// A list of 2^h words, h from 0 to 2.
#[derive(Clone)]
pub struct Memory(pub Vec<u64>);

impl Random for Memory {
    fn random(rng: &mut Rng) -> Memory {
        let n = 1 << rng.below(3);
        Memory(rng.list(n))
    }
}
