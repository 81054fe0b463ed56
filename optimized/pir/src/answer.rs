//! Answering: the table meets the expanded query, what is left is folded, and the last ciphertext is made short.
//!
//! A table is good for one query, so its items are never kept: each is masked, encoded, multiplied and forgotten while it is in the
//! cache, and its place in memory is where it stands in the table.

use std::hint::black_box;

use duoram_reference::two_party::Table;

use crate::Workers;
use crate::backend::{Backend, dispatch};
use crate::element::{AddProduct, CIPHERTEXT, Compose, DecomposeDifference, ELEMENT};
use crate::field::{Field, Sums};
use crate::lanes::{ITEM_WORDS, Lanes, Work};
use crate::ntt::Inverse;
use crate::params::{ANSWER_BYTES, Gadget, Params, SWITCHED, SWITCHED_BITS};
use crate::ring::{N, Q, Residues, zeros};
use crate::server::Expanded;
use crate::table::{encode, item_words, masks};

/// Items that are encoded before they are multiplied, so that sums go to memory and back once for all of them: 128 KiB.
const BATCH: usize = 8;

/// Products that may be added to a folded sum: 2^56 each.
const PRODUCTS: usize = 120;

/// Kernel: the row of the table whose items are `index` mod the number of rows, times the first dimension's ciphertexts.
struct Row<'a, K> {
    params: Params,
    table: Table<'a>,
    masks: &'a [K],
    first: &'a [Residues],
    index: usize,
}

impl<K> Row<'_, K> {
    #[inline(always)]
    fn multiply<L: Lanes<Keys = K>>(&self, lanes: L) -> Vec<Residues> {
        let columns = self.columns();
        let mut sums = vec![[0_u64; N]; CIPHERTEXT];
        let mut items = zeros(ELEMENT * BATCH);
        let mut words = [0; ITEM_WORDS];
        let mut column = 0;
        while column < columns {
            let batch = BATCH.min(columns - column);
            for (i, element) in items.chunks_exact_mut(ELEMENT).take(batch).enumerate() {
                let item = (column + i) << self.params.folds | self.index;
                item_words(lanes, &self.table, self.masks, item, &mut words);
                encode(lanes, &words, element);
            }
            let first = &self.first[CIPHERTEXT * column..CIPHERTEXT * (column + batch)];
            let fold = column % PRODUCTS == 0;
            for (i, sums) in sums.iter_mut().enumerate() {
                add_products(lanes, i, sums, first, &items[..ELEMENT * batch], fold);
            }
            column += batch;
        }
        let mut ciphertext = zeros(CIPHERTEXT);
        for (i, (residues, sums)) in ciphertext.iter_mut().zip(&sums).enumerate() {
            let field = Field::new(lanes, &lanes.tables()[i % ELEMENT]);
            for at in (0..N).step_by(L::WIDTH) {
                let Sums { even, odd } = load(lanes, sums, at);
                let sums = Sums { even: field.fold_sum(even), odd: field.fold_sum(odd) };
                lanes.store(residues, at, field.reduce_sums(sums));
            }
        }
        ciphertext
    }

    /// How many items of the row the table has; the others are 0.
    fn columns(&self) -> usize {
        let items = self.table.memory.len().div_ceil(ITEM_WORDS);
        items.saturating_sub(self.index).div_ceil(self.params.rows()).min(self.params.columns())
    }
}

/// The sums of the even and of the odd lanes at `at`.
#[inline(always)]
fn load<L: Lanes>(lanes: L, sums: &[u64; N], at: usize) -> Sums<L> {
    Sums { even: lanes.load_wide(sums, at), odd: lanes.load_wide(sums, at + L::WIDTH / 2) }
}

/// Adds to the sums of residues `i` of a ciphertext the products of a batch.
#[inline(always)]
fn add_products<L: Lanes>(
    lanes: L,
    i: usize,
    sums: &mut [u64; N],
    first: &[Residues],
    items: &[Residues],
    fold: bool,
) {
    let field = Field::new(lanes, &lanes.tables()[i % ELEMENT]);
    for at in (0..N).step_by(L::WIDTH) {
        let mut sum = load(lanes, sums, at);
        if fold {
            sum = Sums { even: field.fold_sum(sum.even), odd: field.fold_sum(sum.odd) };
        }
        for k in 0..items.len() / ELEMENT {
            let ciphertext = lanes.load(&first[CIPHERTEXT * k + i], at);
            sum = field.add_products(sum, ciphertext, lanes.load(&items[ELEMENT * k + i % ELEMENT], at));
        }
        lanes.store_wide(sums, at, sum.even);
        lanes.store_wide(sums, at + L::WIDTH / 2, sum.odd);
    }
}

/// So that a row is computed inside the features: the keys' type is the backend's.
struct Inside<'a, 'b, L: Lanes>(&'a Row<'b, L::Keys>, L);

impl<B: Lanes> Work for Inside<'_, '_, B> {
    type Output = Vec<Residues>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Vec<Residues> {
        self.0.multiply(self.1)
    }
}

/// One ciphertext for each row.
pub(crate) fn first_dimension(
    backend: Backend,
    workers: &Workers,
    params: Params,
    table: Table<'_>,
    first: &[Residues],
) -> Vec<Vec<Residues>> {
    dispatch!(backend, lanes => {
        let masks = masks(lanes, table.keys);
        workers.map((0..params.rows()).collect(), |index| {
            lanes.run(Inside(&Row { params, table, masks: &masks, first, index }, lanes))
        })
    })
}

/// Halves the ciphertexts by each bit, the highest first, until one is left.
pub(crate) fn fold(
    backend: Backend,
    workers: &Workers,
    gadget: Gadget,
    mut ciphertexts: Vec<Vec<Residues>>,
    folds: &[Vec<Residues>],
) -> Vec<Residues> {
    for bit in folds.iter().rev() {
        let high = ciphertexts.split_off(ciphertexts.len() / 2);
        let pairs = ciphertexts.into_iter().zip(high).collect();
        ciphertexts = workers.map(pairs, |(low, high)| choose(backend, gadget, bit, low, high));
    }
    ciphertexts.swap_remove(0)
}

/// `low + bit (high - low)`: the GSW ciphertext of the bit times the digits of both, which may be subtracted first.
fn choose(
    backend: Backend,
    gadget: Gadget,
    bit: &[Residues],
    mut low: Vec<Residues>,
    mut high: Vec<Residues>,
) -> Vec<Residues> {
    let mut coefficients = low.clone();
    let mut digits = zeros(2 * ELEMENT * gadget.digits);
    dispatch!(backend, lanes => {
        lanes.run(Inverse(&mut coefficients));
        lanes.run(Inverse(&mut high));
        let coefficients = [&high[..], &coefficients[..]];
        lanes.run(DecomposeDifference { coefficients, gadget, digits: &mut digits });
        lanes.run(AddProduct { target: &mut low, matrix: bit, vector: &digits });
    });
    low
}

/// Switches both halves of a ciphertext to small moduli, and packs them.
pub(crate) fn shorten(backend: Backend, mut ciphertext: Vec<Residues>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ANSWER_BYTES);
    let (mut window, mut filled) = (0_u64, 0);
    dispatch!(backend, lanes => lanes.run(Inverse(&mut ciphertext)));
    for (i, coefficients) in ciphertext.chunks_exact(ELEMENT).enumerate() {
        let mut numbers = [0; N];
        dispatch!(backend, lanes => lanes.run(Compose { coefficients, numbers: &mut numbers }));
        for number in numbers {
            window |= switch(number, i) << filled;
            filled += SWITCHED_BITS[i];
            while filled >= 8 {
                bytes.push(window as u8);
                window >>= 8;
                filled -= 8;
            }
        }
    }
    bytes
}

/// `floor(2^64 modulus / q)` of both moduli.
const RECIPROCALS: [u64; 2] =
    [(((SWITCHED[0] as u128) << 64) / Q as u128) as u64, (((SWITCHED[1] as u128) << 64) / Q as u128) as u64];

/// The integer nearest to `number modulus / q`, mod the modulus `SWITCHED[half]`. Without a division, which branches on its operands.
fn switch(number: u64, half: usize) -> u64 {
    let modulus = SWITCHED[half];
    // The quotient that is wanted, or up to 2 less. What is left is below 3 q, so below 2^58, whatever its parts wrap to.
    let estimate = ((u128::from(number) * u128::from(RECIPROCALS[half])) >> 64) as u64;
    let left = number.wrapping_mul(modulus).wrapping_add(Q / 2).wrapping_sub(estimate.wrapping_mul(Q));
    let rounded = estimate + black_box(u64::from(left >= Q)) + black_box(u64::from(left >= 2 * Q));
    // Not above the modulus, which itself is 0.
    rounded * black_box(u64::from(rounded != modulus))
}

/// All of it.
pub(crate) fn answer(
    backend: Backend,
    workers: &Workers,
    params: Params,
    Expanded { first, folds }: &Expanded,
    table: Table<'_>,
) -> Vec<u8> {
    let ciphertexts = first_dimension(backend, workers, params, table, first);
    shorten(backend, fold(backend, workers, params.gsw, ciphertexts, folds))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a division says, at both ends, around each rounding, and in between.
    #[test]
    fn switching_rounds_to_the_nearest() {
        for (half, modulus) in SWITCHED.into_iter().enumerate() {
            let divided = |number: u64| {
                let product = u128::from(number) * u128::from(modulus) + u128::from(Q / 2);
                (product / u128::from(Q)) as u64 % modulus
            };
            let edges = (0..=modulus).flat_map(|k| {
                let edge = ((2 * u128::from(k) + 1) * u128::from(Q) / (2 * u128::from(modulus))) as u64;
                edge.saturating_sub(2)..(edge + 3).min(Q)
            });
            let spread = (0..10_000).map(|i| i * (Q / 10_000));
            for number in edges.chain(spread).chain([Q - 1]) {
                assert_eq!(switch(number, half), divided(number), "{number}");
            }
        }
    }
}
