//! The ring Z_q[X] / (X^2048 + 1) of SPIRAL, q the product of two primes of 28 bits: constants, and what the transforms need
//! of each prime.

use crate::lanes::insert_bit;

/// Coefficients of a ring element.
pub(crate) const N: usize = 2048;

/// lg N
pub(crate) const LOG_N: u32 = N.ilog2();

/// The primes, both 1 mod 4096 `[spiral, section 5]`. Four times each fits 32 bits, twice the second exceeds the first.
pub(crate) const PRIMES: [u32; 2] = [268_369_921, 249_561_089];

/// q, below 2^56.
pub(crate) const Q: u64 = PRIMES[0] as u64 * PRIMES[1] as u64;

/// The coefficients, or the values at the roots, of an element modulo one prime.
pub(crate) type Residues = [u32; N];

/// `N` zeros, `count` times.
pub(crate) fn zeros(count: usize) -> Vec<Residues> {
    vec![[0; N]; count]
}

/// `a b mod prime`
pub(crate) const fn mul_mod(a: u32, b: u32, prime: u32) -> u32 {
    (a as u64 * b as u64 % prime as u64) as u32
}

/// `base ^ exponent mod prime`
pub(crate) const fn pow_mod(base: u32, exponent: u32, prime: u32) -> u32 {
    let (mut power, mut square, mut exponent) = (1, base, exponent);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = mul_mod(power, square, prime);
        }
        square = mul_mod(square, square, prime);
        exponent >>= 1;
    }
    power
}

/// The inverse of `a`, which is not 0.
pub(crate) const fn inverse_mod(a: u32, prime: u32) -> u32 {
    pow_mod(a, prime - 2, prime)
}

/// Shoup's companion of a constant factor: `floor(2^32 factor / prime)`.
pub(crate) const fn companion(factor: u32, prime: u32) -> u32 {
    (((factor as u64) << 32) / prime as u64) as u32
}

/// The inverse of the first prime modulo the second, by which residues are composed.
pub(crate) const FIRST_INVERSE: u32 = inverse_mod(PRIMES[0] % PRIMES[1], PRIMES[1]);

/// The exponents of the root at which a transform's value `k` stands: `2 reversed(k) + 1`.
pub(crate) fn exponent(k: usize) -> usize {
    2 * reversed(k) + 1
}

/// The index of the value that stands at an odd exponent, which counts mod 2N.
pub(crate) fn index_of_exponent(exponent: usize) -> usize {
    reversed((exponent % (2 * N)) / 2)
}

/// The lowest lg N bits of `k` in the opposite order.
fn reversed(k: usize) -> usize {
    k.reverse_bits() >> (usize::BITS - LOG_N)
}

/// A factor and its companion for each place of a level, of all levels: those that are the same for a whole register by
/// index, and those that differ within one register in the order in which they are loaded.
pub(crate) struct Twiddles {
    /// Factor `m + i` belongs to block `i` of the level that has `m` blocks.
    pub(crate) factors: Vec<u32>,
    pub(crate) companions: Vec<u32>,
    /// Registers of factors: for each pair of registers, one a level, from the longest distance down.
    pub(crate) tail: Vec<u32>,
    pub(crate) tail_companions: Vec<u32>,
}

impl Twiddles {
    /// Of powers of `root`, for registers of `width` residues.
    fn new(root: u32, prime: u32, width: usize) -> Self {
        let mut factors = vec![1; N];
        let mut power = 1;
        for i in 0..N {
            factors[reversed(i)] = power;
            power = mul_mod(power, root, prime);
        }
        let mut tail = Vec::new();
        for pair in 0..N / (2 * width) {
            for distance in (0..width.ilog2()).rev() {
                let blocks = N >> (distance + 1);
                tail.extend((0..width).map(|lane| {
                    let place = pair * 2 * width + insert_bit(lane, distance, 0);
                    factors[blocks + (place >> (distance + 1))]
                }));
            }
        }
        let companions = |of: &[u32]| of.iter().map(|factor| companion(*factor, prime)).collect();
        Self { companions: companions(&factors), tail_companions: companions(&tail), factors, tail }
    }
}

/// What the kernels need of a prime, laid out for registers of one width.
pub(crate) struct Tables {
    pub(crate) prime: u32,
    /// `prime^-1 mod 2^32`
    pub(crate) prime_inverse: u32,
    /// `2^32 mod prime` and its companion
    pub(crate) radix: [u32; 2],
    /// `N^-1 mod prime` and its companion
    pub(crate) length_inverse: [u32; 2],
    pub(crate) forward: Twiddles,
    pub(crate) inverse: Twiddles,
}

impl Tables {
    /// For both primes.
    pub(crate) fn both(width: usize) -> [Self; 2] {
        PRIMES.map(|prime| Self::new(prime, width))
    }

    fn new(prime: u32, width: usize) -> Self {
        let root = least_root(prime);
        let with_companion = |factor| [factor, companion(factor, prime)];
        let mut prime_inverse = prime; // three right bits; each step doubles them
        for _ in 0..4 {
            prime_inverse = prime_inverse.wrapping_mul(2_u32.wrapping_sub(prime.wrapping_mul(prime_inverse)));
        }
        Self {
            prime,
            prime_inverse,
            radix: with_companion(((1_u64 << 32) % u64::from(prime)) as u32),
            length_inverse: with_companion(inverse_mod(N as u32, prime)),
            forward: Twiddles::new(root, prime, width),
            inverse: Twiddles::new(inverse_mod(root, prime), prime, width),
        }
    }
}

/// The least number of order 2N, so that everybody has the same.
fn least_root(prime: u32) -> u32 {
    let order = 2 * N as u32;
    let some = (2..prime)
        .map(|candidate| pow_mod(candidate, (prime - 1) / order, prime))
        .find(|root| pow_mod(*root, order / 2, prime) == prime - 1)
        .unwrap_or(1); // a prime that is 1 mod 2N has one
    let square = mul_mod(some, some, prime);
    let mut root = some;
    (0..N)
        .map(|_| {
            root = mul_mod(root, square, prime);
            root
        })
        .min()
        .unwrap_or(some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_primes_are_as_the_kernels_assume() {
        for tables in Tables::both(4) {
            let prime = tables.prime;
            assert!(u64::from(prime) * 4 < 1 << 32);
            assert_eq!(prime % (2 * N as u32), 1);
            assert_eq!(prime.wrapping_mul(tables.prime_inverse), 1);
            assert_eq!(mul_mod(tables.length_inverse[0], N as u32, prime), 1);
        }
        assert!(PRIMES[0] < 2 * PRIMES[1]);
        const { assert!(Q < 1 << 56) };
        assert_eq!(mul_mod(FIRST_INVERSE, PRIMES[0] % PRIMES[1], PRIMES[1]), 1);
    }

    #[test]
    fn exponents_and_indices_are_inverse() {
        for k in 0..N {
            assert_eq!(index_of_exponent(exponent(k)), k);
        }
    }
}
