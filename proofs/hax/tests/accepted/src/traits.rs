//! A trait becomes a class, an implementation an instance, a bound an argument.

pub trait Group: Copy {
    fn unit() -> Self;
    fn combine(self, other: &Self) -> Self;
}

impl Group for u64 {
    fn unit() -> u64 {
        0
    }
    fn combine(self, other: &u64) -> u64 {
        self.wrapping_add(*other)
    }
}

impl Group for bool {
    fn combine(self, other: &bool) -> bool {
        self ^ *other
    }
    fn unit() -> bool {
        false
    }
}

pub fn power<G: Group>(g: G, n: usize) -> G {
    (0..n).fold(G::unit(), |h, _| h.combine(&g))
}

pub fn units<G: Group>(n: usize) -> Vec<G> {
    (0..n).map(|_| G::unit()).collect()
}

pub fn both(x: u64, b: bool) -> (u64, bool, Vec<u64>) {
    (power(x, 3), power::<bool>(b, 3), units(2))
}
