//! Arithmetic modulo one prime on registers.
//!
//! Residues are kept in ranges wider than the prime where that saves a reduction: "below 2p" and "below 4p" say so, and
//! "reduced" is below p. All of it is additions, minima and products: nothing branches on a residue.

use crate::lanes::Lanes;
use crate::ring::Tables;

/// The prime p in registers.
#[derive(Clone, Copy)]
pub(crate) struct Field<L: Lanes> {
    pub(crate) lanes: L,
    pub(crate) prime: L::Register,
    pub(crate) twice: L::Register,
    prime_inverse: L::Register,
    radix: Factor<L>,
}

/// A constant factor and its companion.
#[derive(Clone, Copy)]
pub(crate) struct Factor<L: Lanes> {
    pub(crate) factor: L::Register,
    pub(crate) companion: L::Register,
}

/// Sums of products: of the even lanes, and of the odd ones.
#[derive(Clone, Copy)]
pub(crate) struct Sums<L: Lanes> {
    pub(crate) even: L::Register,
    pub(crate) odd: L::Register,
}

impl<L: Lanes> Field<L> {
    #[inline(always)]
    pub(crate) fn new(lanes: L, tables: &Tables) -> Self {
        Self {
            lanes,
            prime: lanes.splat(tables.prime),
            twice: lanes.splat(2 * tables.prime),
            prime_inverse: lanes.splat(tables.prime_inverse),
            radix: Factor::splat(lanes, tables.radix),
        }
    }

    /// Below 4p to below 2p.
    #[inline(always)]
    pub(crate) fn halve(&self, x: L::Register) -> L::Register {
        // Where 2p is too much, the difference wraps to more than x.
        self.lanes.min(x, self.lanes.sub(x, self.twice))
    }

    /// Below 2p to reduced.
    #[inline(always)]
    pub(crate) fn reduce(&self, x: L::Register) -> L::Register {
        self.lanes.min(x, self.lanes.sub(x, self.prime))
    }

    /// The product of any lane and the factor, below 2p (Shoup).
    #[inline(always)]
    pub(crate) fn mul(&self, x: L::Register, by: Factor<L>) -> L::Register {
        let lanes = self.lanes;
        let even = lanes.mul_even(x, by.companion);
        let odd = lanes.mul_even(lanes.odd(x), lanes.odd(by.companion));
        let quotient = lanes.join_high(even, odd);
        lanes.sub(lanes.mul_low(x, by.factor), lanes.mul_low(quotient, self.prime))
    }

    /// Sums of up to 2^63 to reduced residues: Montgomery's reduction, which divides by 2^32, and a product that takes that
    /// back.
    #[inline(always)]
    pub(crate) fn reduce_sums(&self, sums: Sums<L>) -> L::Register {
        let lanes = self.lanes;
        let high = lanes.join_high(sums.even, sums.odd);
        let even = lanes.mul_even(lanes.mul_even(sums.even, self.prime_inverse), self.prime);
        let odd = lanes.mul_even(lanes.mul_even(sums.odd, self.prime_inverse), self.prime);
        // The low halves are equal, so the difference of the high ones is that of the whole, over 2^32; above -p.
        let quotient = lanes.sub(lanes.add(high, self.prime), lanes.join_high(even, odd));
        self.reduce(self.mul(quotient, self.radix))
    }

    /// Any sum to an equal one below 2^60 + 2^32: the high half, times 2^32 mod p, and the low half.
    #[inline(always)]
    pub(crate) fn fold_sum(&self, sum: L::Register) -> L::Register {
        let lanes = self.lanes;
        let low = lanes.and(sum, lanes.splat_wide(u64::from(u32::MAX)));
        lanes.add_wide(low, lanes.mul_even(lanes.odd(sum), self.radix.factor))
    }

    /// Adds the products of all lanes.
    #[inline(always)]
    pub(crate) fn add_products(&self, sums: Sums<L>, a: L::Register, b: L::Register) -> Sums<L> {
        let lanes = self.lanes;
        Sums {
            even: lanes.add_wide(sums.even, lanes.mul_even(a, b)),
            odd: lanes.add_wide(sums.odd, lanes.mul_even(lanes.odd(a), lanes.odd(b))),
        }
    }
}

impl<L: Lanes> Factor<L> {
    /// The same in all lanes.
    #[inline(always)]
    pub(crate) fn splat(lanes: L, [factor, companion]: [u32; 2]) -> Self {
        Self { factor: lanes.splat(factor), companion: lanes.splat(companion) }
    }
}

impl<L: Lanes> Sums<L> {
    #[inline(always)]
    pub(crate) fn zero(lanes: L) -> Self {
        Self { even: lanes.splat(0), odd: lanes.splat(0) }
    }
}
