//! The number theoretic transform: from the coefficients of a ring element to its values at the odd powers of a root of order
//! 4096, and back. Value `k` stands at the exponent `2 reversed(k) + 1`.
//!
//! Butterflies of Cooley and Tukey forward, of Gentleman and Sande back, with Harvey's late reductions. Levels whose distance is a
//! register or more go over memory; the last ones, inside a pair of registers, reorder lanes instead.

use crate::field::{Factor, Field};
use crate::lanes::{Lanes, Work};
use crate::ring::{N, Residues, Tables, Twiddles};

/// Residues below 4p to reduced values.
#[inline(always)]
pub(crate) fn forward<L: Lanes>(lanes: L, tables: &Tables, x: &mut Residues) {
    let field = Field::new(lanes, tables);
    let twiddles = &tables.forward;
    let (mut blocks, mut distance) = (1, N / 2);
    while distance > L::WIDTH {
        for block in 0..blocks {
            let factor = whole_factor(lanes, twiddles, blocks + block);
            let start = 2 * distance * block;
            let mut at = start;
            while at < start + distance {
                let (a, b) = (lanes.load(x, at), lanes.load(x, at + distance));
                let (a, b) = split(&field, a, b, factor);
                lanes.store(x, at, a);
                lanes.store(x, at + distance, b);
                at += L::WIDTH;
            }
        }
        blocks *= 2;
        distance /= 2;
    }
    let levels = L::WIDTH.ilog2() as usize;
    for pair in 0..blocks {
        let at = 2 * L::WIDTH * pair;
        let (a, b) = (lanes.load(x, at), lanes.load(x, at + L::WIDTH));
        let (mut a, mut b) = split(&field, a, b, whole_factor(lanes, twiddles, blocks + pair));
        for level in 0..levels {
            let order = &L::ORDERS.down[levels - 1 - level];
            (a, b) = (lanes.pick(a, b, &order.first), lanes.pick(a, b, &order.second));
            (a, b) = split(&field, a, b, lane_factor(lanes, twiddles, pair * levels + level));
        }
        let order = &L::ORDERS.to_memory;
        (a, b) = (lanes.pick(a, b, &order.first), lanes.pick(a, b, &order.second));
        lanes.store(x, at, field.reduce(field.halve(a)));
        lanes.store(x, at + L::WIDTH, field.reduce(field.halve(b)));
    }
}

/// Values below 2p to reduced residues.
#[inline(always)]
pub(crate) fn inverse<L: Lanes>(lanes: L, tables: &Tables, x: &mut Residues) {
    let field = Field::new(lanes, tables);
    let twiddles = &tables.inverse;
    let levels = L::WIDTH.ilog2() as usize;
    let (mut blocks, mut distance) = (N / (2 * L::WIDTH), 2 * L::WIDTH);
    for pair in 0..blocks {
        let at = 2 * L::WIDTH * pair;
        let (a, b) = (lanes.load(x, at), lanes.load(x, at + L::WIDTH));
        let order = &L::ORDERS.from_memory;
        let (mut a, mut b) = (lanes.pick(a, b, &order.first), lanes.pick(a, b, &order.second));
        for level in (0..levels).rev() {
            (a, b) = join(&field, a, b, lane_factor(lanes, twiddles, pair * levels + level));
            let order = &L::ORDERS.up[levels - 1 - level];
            (a, b) = (lanes.pick(a, b, &order.first), lanes.pick(a, b, &order.second));
        }
        (a, b) = join(&field, a, b, whole_factor(lanes, twiddles, blocks + pair));
        lanes.store(x, at, a);
        lanes.store(x, at + L::WIDTH, b);
    }
    while distance < N {
        blocks /= 2;
        for block in 0..blocks {
            let factor = whole_factor(lanes, twiddles, blocks + block);
            let start = 2 * distance * block;
            let mut at = start;
            while at < start + distance {
                let (a, b) = (lanes.load(x, at), lanes.load(x, at + distance));
                let (a, b) = join(&field, a, b, factor);
                lanes.store(x, at, a);
                lanes.store(x, at + distance, b);
                at += L::WIDTH;
            }
        }
        distance *= 2;
    }
    let scale = Factor::splat(lanes, tables.length_inverse);
    for at in (0..N).step_by(L::WIDTH) {
        let scaled = field.reduce(field.mul(lanes.load(x, at), scale));
        lanes.store(x, at, scaled);
    }
}

/// Below 4p to below 4p.
#[inline(always)]
fn split<L: Lanes>(
    field: &Field<L>,
    a: L::Register,
    b: L::Register,
    factor: Factor<L>,
) -> (L::Register, L::Register) {
    let lanes = field.lanes;
    let (a, b) = (field.halve(a), field.mul(b, factor));
    (lanes.add(a, b), lanes.sub(lanes.add(a, field.twice), b))
}

/// Below 2p to below 2p.
#[inline(always)]
fn join<L: Lanes>(
    field: &Field<L>,
    a: L::Register,
    b: L::Register,
    factor: Factor<L>,
) -> (L::Register, L::Register) {
    let lanes = field.lanes;
    let difference = lanes.sub(lanes.add(a, field.twice), b);
    (field.halve(lanes.add(a, b)), field.mul(difference, factor))
}

/// A factor for whole registers.
#[inline(always)]
fn whole_factor<L: Lanes>(lanes: L, twiddles: &Twiddles, index: usize) -> Factor<L> {
    Factor::splat(lanes, [twiddles.factors[index], twiddles.companions[index]])
}

/// A register of factors.
#[inline(always)]
fn lane_factor<L: Lanes>(lanes: L, twiddles: &Twiddles, index: usize) -> Factor<L> {
    let at = L::WIDTH * index;
    Factor { factor: lanes.load(&twiddles.tail, at), companion: lanes.load(&twiddles.tail_companions, at) }
}

/// Kernel: transforms of pairs of residues, the first by the first prime and the second by the second.
pub(crate) struct Forward<'a>(pub(crate) &'a mut [Residues]);

impl Work for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (i, x) in self.0.iter_mut().enumerate() {
            forward(lanes, &lanes.tables()[i % 2], x);
        }
    }
}

/// Kernel: the inverse of [`Forward`].
pub(crate) struct Inverse<'a>(pub(crate) &'a mut [Residues]);

impl Work for Inverse<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (i, x) in self.0.iter_mut().enumerate() {
            inverse(lanes, &lanes.tables()[i % 2], x);
        }
    }
}
