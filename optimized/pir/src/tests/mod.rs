//! What needs to see inside; the rest is in `tests/`.
#![allow(clippy::cast_precision_loss)] // statistics

mod masks;
mod noise;
mod theirs;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::ring::{PRIMES, Residues};

fn stream(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

fn words(stream: &mut ChaCha20Rng, count: usize) -> Vec<u64> {
    (0..count).map(|_| stream.next_u64()).collect()
}

/// Elements of random residues.
fn elements(stream: &mut ChaCha20Rng, count: usize) -> Vec<Residues> {
    let mut elements = crate::ring::zeros(2 * count);
    for element in elements.chunks_mut(2) {
        crate::sample::uniform(stream, element);
    }
    elements
}

/// A residue in each of the ranges where late reductions could go wrong.
fn edges(residues: &mut Residues, prime: u32, ranges: u32) {
    let edges = [0, 1, prime - 1, prime, 2 * prime - 1, 2 * prime, 4 * prime - 1];
    let edges = edges.iter().filter(|edge| **edge < ranges * prime);
    for (residue, edge) in residues.iter_mut().zip(edges.cycle()) {
        *residue = *edge;
    }
}

#[test]
fn transforms_at_the_edges_of_their_ranges_agree_and_are_inverse() {
    use crate::backend::{Backend, dispatch};
    use crate::lanes::Lanes;
    use crate::ntt::{Forward, Inverse};

    let mut input = crate::ring::zeros(2);
    for i in 0..2 {
        edges(&mut input[i], PRIMES[i], 4);
    }
    let results: Vec<_> = Backend::available()
        .into_iter()
        .map(|backend| {
            let mut values = input.clone();
            dispatch!(backend, lanes => lanes.run(Forward(&mut values)));
            let mut back = values.clone();
            dispatch!(backend, lanes => lanes.run(Inverse(&mut back)));
            for i in 0..2 {
                let reduced: Vec<_> = input[i].iter().map(|residue| residue % PRIMES[i]).collect();
                assert!(back[i][..] == reduced[..], "{}", backend.name());
            }
            let mut edge = crate::ring::zeros(2);
            for i in 0..2 {
                edges(&mut edge[i], PRIMES[i], 2);
            }
            dispatch!(backend, lanes => lanes.run(Inverse(&mut edge)));
            (values, edge)
        })
        .collect();
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}
