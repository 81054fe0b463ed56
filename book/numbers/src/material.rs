//! What the examples of chapters 8, 9, 11 and 12 start from: a memory of four words of 2 bits, and ideal preprocessing.

use duoram_spec::core::ring::{Ring, Z4, z4};
use duoram_spec::core::vector::mod_size;
use duoram_spec::paper::memory::{State, shared};
use duoram_spec::paper::update::ValueVectors;

use crate::notation::vector;
use crate::table::Table;
use duoram_vectors::Random;

/// Words in the memory.
pub(crate) const N: usize = 4;

/// The same memory in all examples.
pub(crate) fn memory() -> Vec<Z4> {
    [3, 1, 0, 2].map(z4).to_vec()
}

/// Shares of an index, below N: small enough to be shown.
pub(crate) fn small_shares(r: &mut Random, index: u64) -> (u64, u64) {
    let first = r.below(N as u64);
    (first, mod_size(index.wrapping_sub(first), N))
}

/// States of that memory.
pub(crate) fn state(r: &mut Random) -> State<Z4> {
    let (d_0, d_1) = r.vector_shares(&memory());
    shared(&d_0, &d_1, &r.vector(N), &r.vector(N))
}

/// Three pairs of vectors that cancel but at `ri`.
pub(crate) fn values(r: &mut Random, ri: u64) -> ValueVectors<Z4> {
    let mut pair = || {
        let (first, other): (Vec<Z4>, Z4) = (r.vector(N), r.ring());
        let second = (0_u64..).zip(&first).map(|(i, word)| if i == ri { other } else { word.negated() });
        let second: Vec<Z4> = second.collect();
        (first, second)
    };
    let (first, second, third) = (pair(), pair(), pair());
    ValueVectors { p0: (first.0, second.0, third.0), p1: (first.1, second.1, third.1) }
}

/// What the three parties hold; `prime` is put behind the names.
pub(crate) fn state_rows(table: &mut Table<4>, state: &State<Z4>, prime: &str) {
    let (p0, p1, p2) = (&state.p0, &state.p1, &state.p2);
    let mut row = |name: &str, own: [&[Z4]; 2], helper: &str| {
        table.row([&format!("${name}$"), &vector(own[0]), &vector(own[1]), &helper]);
    };
    row(&format!("D{prime}_b"), [&p0.memory_share, &p1.memory_share], "");
    let both_blinds = format!("{} {}", vector(&p2.blind_0), vector(&p2.blind_1));
    row(&format!("\\zeta{prime}_b"), [&p0.blind, &p1.blind], &both_blinds);
    row(&format!("\\tilde D{prime}_{{1-b}}"), [&p0.blinded, &p1.blinded], "");
}

/// The vectors of DPF 1, 2, 3, of which P2 has P0's second and P1's third.
pub(crate) fn triple_rows(table: &mut Table<4>, name: &str, p0: &Triple, p1: &Triple) {
    let mut row = |number: u32, own: [&[Z4]; 2], helper: &str| {
        table.row([&format!("${name}_b^{{({number})}}$"), &vector(own[0]), &vector(own[1]), &helper]);
    };
    row(1, [&p0.0, &p1.0], "");
    row(2, [&p0.1, &p1.1], &format!("{} (P0's)", vector(&p0.1)));
    row(3, [&p0.2, &p1.2], &format!("{} (P1's)", vector(&p1.2)));
}

/// One party's vectors of DPF 1, 2, 3.
pub(crate) type Triple = (Vec<Z4>, Vec<Z4>, Vec<Z4>);
