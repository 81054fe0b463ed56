//! Kernels on ring elements.
//!
//! An element is a pair of [`Residues`], first prime first; a ciphertext is two elements, of which `c_0 s + c_1` is the message and
//! noise; matrices are elements row by row. All are values at the roots unless "coefficients" says otherwise.

use crate::field::{Factor, Field, Sums};
use crate::lanes::{Lanes, Work};
use crate::ntt;
use crate::params::Gadget;
use crate::ring::{FIRST_INVERSE, N, PRIMES, Residues, companion, exponent, index_of_exponent};

/// Residues of an element.
pub(crate) const ELEMENT: usize = 2;

/// Residues of a ciphertext.
pub(crate) const CIPHERTEXT: usize = 2 * ELEMENT;

/// Kernel: `target = target + matrix vector`, where the matrix has two rows and as many columns as the vector elements, 128 at
/// most.
pub(crate) struct AddProduct<'a> {
    /// A ciphertext, reduced.
    pub(crate) target: &'a mut [Residues],
    pub(crate) matrix: &'a [Residues],
    pub(crate) vector: &'a [Residues],
}

impl Work for AddProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { target, matrix, vector } = self;
        for (i, target) in target.iter_mut().enumerate() {
            let (row, prime) = (i / ELEMENT, i % ELEMENT);
            let field = Field::new(lanes, &lanes.tables()[prime]);
            let matrix = &matrix[row * vector.len()..(row + 1) * vector.len()];
            for at in (0..N).step_by(L::WIDTH) {
                let mut sums = Sums::zero(lanes);
                let mut k = prime;
                while k < vector.len() {
                    sums = field.add_products(sums, lanes.load(&matrix[k], at), lanes.load(&vector[k], at));
                    k += ELEMENT;
                }
                let sum = lanes.add(lanes.load(target, at), field.reduce_sums(sums));
                lanes.store(target, at, field.reduce(sum));
            }
        }
    }
}

/// Kernel: the elements of `target` times one.
pub(crate) struct Scale<'a> {
    pub(crate) target: &'a mut [Residues],
    pub(crate) by: &'a [Residues],
}

impl Work for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (i, target) in self.target.iter_mut().enumerate() {
            let field = Field::new(lanes, &lanes.tables()[i % ELEMENT]);
            let by = &self.by[i % ELEMENT];
            for at in (0..N).step_by(L::WIDTH) {
                let product =
                    field.add_products(Sums::zero(lanes), lanes.load(target, at), lanes.load(by, at));
                lanes.store(target, at, field.reduce_sums(product));
            }
        }
    }
}

/// Kernel: adds `other` to `target`, both reduced.
pub(crate) struct Add<'a> {
    pub(crate) target: &'a mut [Residues],
    pub(crate) other: &'a [Residues],
}

impl Work for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (i, (target, other)) in self.target.iter_mut().zip(self.other).enumerate() {
            let field = Field::new(lanes, &lanes.tables()[i % ELEMENT]);
            for at in (0..N).step_by(L::WIDTH) {
                let sum = lanes.add(lanes.load(target, at), lanes.load(other, at));
                lanes.store(target, at, field.reduce(sum));
            }
        }
    }
}

/// Coefficients of the lanes at `at`, plus `center`, below q: of the even ones and of the odd ones.
#[inline(always)]
fn compose<L: Lanes>(lanes: L, coefficients: &[Residues], at: usize, center: u64) -> [L::Register; 2] {
    let [first, second] = lanes.tables();
    let (first, second) = (Field::new(lanes, first), Field::new(lanes, second));
    let center = PRIMES.map(|prime| lanes.splat((center % u64::from(prime)) as u32));
    let x = first.reduce(lanes.add(lanes.load(&coefficients[0], at), center[0]));
    let y = second.reduce(lanes.add(lanes.load(&coefficients[1], at), center[1]));
    // Garner: x + p (y - x) / p, where / is modulo the second prime. Twice that exceeds x.
    let difference = lanes.sub(lanes.add(y, second.twice), x);
    let inverse = Factor::splat(lanes, [FIRST_INVERSE, companion(FIRST_INVERSE, PRIMES[1])]);
    let quotient = second.reduce(second.mul(difference, inverse));
    let prime = lanes.splat(PRIMES[0]);
    let low = lanes.splat_wide(u64::from(u32::MAX));
    [
        lanes.add_wide(lanes.and(x, low), lanes.mul_even(quotient, prime)),
        lanes.add_wide(lanes.odd(x), lanes.mul_even(lanes.odd(quotient), prime)),
    ]
}

/// As [`compose`], plus what makes digits of it.
#[inline(always)]
fn decompose<L: Lanes>(lanes: L, coefficients: &[Residues], at: usize, gadget: &Gadget) -> [L::Register; 2] {
    let [even, odd] = compose(lanes, coefficients, at, gadget.center);
    let offset = lanes.splat_wide(gadget.offset());
    [lanes.add_wide(even, offset), lanes.add_wide(odd, offset)]
}

/// The digit of each lane that begins at bit `place`, counted from 0.
#[inline(always)]
fn digit<L: Lanes>(lanes: L, [even, odd]: [L::Register; 2], place: u32, mask: L::Register) -> L::Register {
    let even = lanes.and(lanes.shift_right_wide(even, place), mask);
    let odd = lanes.and(lanes.shift_right_wide(odd, place), mask);
    lanes.or(even, lanes.shift_left_wide(odd, 32))
}

/// Kernel: coefficients of an element, composed to numbers below q.
pub(crate) struct Compose<'a> {
    pub(crate) coefficients: &'a [Residues],
    pub(crate) numbers: &'a mut [u64; N],
}

impl Work for Compose<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let low = lanes.splat_wide(u64::from(u32::MAX));
        let (mut lows, mut highs) = ([0; N], [0; N]);
        for at in (0..N).step_by(L::WIDTH) {
            let [even, odd] = compose(lanes, self.coefficients, at, 0);
            lanes.store(&mut highs, at, lanes.join_high(even, odd));
            let (even, odd) = (lanes.and(even, low), lanes.shift_left_wide(odd, 32));
            lanes.store(&mut lows, at, lanes.or(even, odd));
        }
        for (number, (low, high)) in self.numbers.iter_mut().zip(lows.iter().zip(&highs)) {
            *number = u64::from(*high) << 32 | u64::from(*low);
        }
    }
}

/// Kernel: decomposes `rows` elements of coefficients. Digit `k` of row `j` is element `k rows + j` of the result, as values.
pub(crate) struct Decompose<'a> {
    pub(crate) coefficients: &'a [Residues],
    pub(crate) gadget: Gadget,
    pub(crate) digits: &'a mut [Residues],
}

impl Work for Decompose<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { coefficients, gadget, digits } = self;
        let rows = coefficients.len() / ELEMENT;
        let mask = lanes.splat_wide((1 << gadget.bits) - 1);
        for row in 0..rows {
            let coefficients = &coefficients[ELEMENT * row..ELEMENT * (row + 1)];
            for at in (0..N).step_by(L::WIDTH) {
                let numbers = decompose(lanes, coefficients, at, &gadget);
                for k in 0..gadget.digits {
                    let digit = digit(lanes, numbers, gadget.bits * k as u32, mask);
                    for i in 0..ELEMENT {
                        let digit = lanes.add(digit, lanes.splat(PRIMES[i] - gadget.middle));
                        lanes.store(&mut digits[ELEMENT * (k * rows + row) + i], at, digit);
                    }
                }
            }
        }
        ntt::Forward(digits).run(lanes);
    }
}

/// Kernel: as [`Decompose`], of the digits of one ciphertext less those of another.
pub(crate) struct DecomposeDifference<'a> {
    pub(crate) coefficients: [&'a [Residues]; 2],
    pub(crate) gadget: Gadget,
    pub(crate) digits: &'a mut [Residues],
}

impl Work for DecomposeDifference<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { coefficients: [minuend, subtrahend], gadget, digits } = self;
        let rows = minuend.len() / ELEMENT;
        let mask = lanes.splat_wide((1 << gadget.bits) - 1);
        for row in 0..rows {
            let elements = ELEMENT * row..ELEMENT * (row + 1);
            let (minuend, subtrahend) = (&minuend[elements.clone()], &subtrahend[elements]);
            for at in (0..N).step_by(L::WIDTH) {
                let numbers =
                    [decompose(lanes, minuend, at, &gadget), decompose(lanes, subtrahend, at, &gadget)];
                for k in 0..gadget.digits {
                    let place = gadget.bits * k as u32;
                    let difference = lanes
                        .sub(digit(lanes, numbers[0], place, mask), digit(lanes, numbers[1], place, mask));
                    for i in 0..ELEMENT {
                        let difference = lanes.add(difference, lanes.splat(PRIMES[i]));
                        lanes.store(&mut digits[ELEMENT * (k * rows + row) + i], at, difference);
                    }
                }
            }
        }
        ntt::Forward(digits).run(lanes);
    }
}

/// The automorphism `X -> X^power`, power odd, on values: where each comes from.
pub(crate) fn automorphism(power: usize) -> Vec<u16> {
    // Below 2^11.
    (0..N).map(|k| index_of_exponent(exponent(k) * power) as u16).collect()
}

/// Applies an automorphism.
pub(crate) fn permute(sources: &[u16], from: &Residues, to: &mut Residues) {
    for (to, source) in to.iter_mut().zip(sources) {
        *to = from[usize::from(*source) % N];
    }
}
