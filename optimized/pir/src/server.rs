//! The server of a session: what it has of the client's keys, and what it makes of a query before it looks at a table.

use crate::Workers;
use crate::backend::{Backend, dispatch};
use crate::element::{AddProduct, CIPHERTEXT, Decompose, ELEMENT, Scale, automorphism, permute};
use crate::lanes::Lanes;
use crate::message::{self, Refused};
use crate::ntt::{Forward, Inverse};
use crate::params::{Gadget, Params};
use crate::ring::{N, PRIMES, Residues, zeros};

/// What the server has of a client's keys. Nothing of it is secret.
pub struct Server {
    pub(crate) params: Params,
    /// Of rounds 1 and up.
    first_keys: Vec<Vec<Residues>>,
    /// Of rounds 0 and up.
    fold_keys: Vec<Vec<Residues>>,
    conversion: Vec<Residues>,
    /// Of each round: where the values of `X -> X^(N / 2^r + 1)` come from, and the values of `X^(-2^r)`.
    automorphisms: Vec<Vec<u16>>,
    monomials: Vec<Vec<Residues>>,
}

/// A query made ready.
pub(crate) struct Expanded {
    /// Ciphertexts of the unit vector of the first dimension, one after another.
    pub(crate) first: Vec<Residues>,
    /// GSW ciphertexts of the bits of the other dimensions, lowest bit first: 2 by `2 digits` each.
    pub(crate) folds: Vec<Vec<Residues>>,
}

impl Server {
    /// Reads a setup message.
    pub(crate) fn read(backend: Backend, params: Params, setup: &[u8]) -> Result<Self, Refused> {
        let ciphertexts = message::read(setup, params.setup_elements().iter().sum())?;
        let [first, folds, _] = params.setup_elements();
        let (first, rest) = ciphertexts.split_at(CIPHERTEXT * first);
        let (folds, conversion) = rest.split_at(CIPHERTEXT * folds);
        let keys = |ciphertexts: &[Residues], gadget: Gadget| {
            ciphertexts.chunks(CIPHERTEXT * gadget.digits).map(matrix).collect()
        };
        Ok(Self::new(
            backend,
            params,
            keys(first, params.expand_first),
            keys(folds, params.expand_folds),
            matrix(conversion),
        ))
    }

    /// Of matrices with two rows.
    pub(crate) fn new(
        backend: Backend,
        params: Params,
        first_keys: Vec<Vec<Residues>>,
        fold_keys: Vec<Vec<Residues>>,
        conversion: Vec<Residues>,
    ) -> Self {
        let monomials = (0..params.rounds())
            .map(|round| {
                let mut monomial = zeros(ELEMENT);
                for (residues, prime) in monomial.iter_mut().zip(PRIMES) {
                    residues[N - (1 << round)] = prime - 1; // X^N = -1
                }
                dispatch!(backend, lanes => lanes.run(Forward(&mut monomial)));
                monomial
            })
            .collect();
        let automorphisms = (0..params.rounds()).map(|round| automorphism((N >> round) + 1)).collect();
        Self { params, first_keys, fold_keys, conversion, automorphisms, monomials }
    }

    /// Expands a ciphertext to the unit vector of the first dimension and the bits of the others `[spiral, section 4]`.
    pub(crate) fn expand(&self, backend: Backend, workers: &Workers, query: Vec<Residues>) -> Expanded {
        let Params { gsw, .. } = self.params;
        let parts = self.params.fold_parts();
        let mut ciphertexts = vec![query];
        for round in 0..self.params.rounds() {
            let half = 1 << round;
            let needed = |index: usize| {
                index.is_multiple_of(2) || (round <= self.params.last_fold_round() && index / 2 < parts)
            };
            ciphertexts.resize_with(2 * half, Vec::new);
            let (low, high) = ciphertexts.split_at_mut(half);
            let pairs = low.iter_mut().zip(high).enumerate().collect();
            workers.map(pairs, |(i, (low, high)): (usize, (&mut Vec<_>, &mut Vec<_>))| {
                if needed(half + i) {
                    high.clone_from(low);
                    let by = &self.monomials[round as usize];
                    dispatch!(backend, lanes => lanes.run(Scale { target: high, by }));
                    self.add_image(backend, round, half + i, high);
                }
                if needed(i) {
                    self.add_image(backend, round, i, low);
                }
            });
        }
        let mut bits = Vec::with_capacity(parts);
        let mut first = Vec::with_capacity(CIPHERTEXT * self.params.columns());
        for (i, ciphertext) in ciphertexts.into_iter().enumerate() {
            if i % 2 == 0 {
                first.extend(ciphertext);
            } else if i / 2 < parts {
                bits.push(ciphertext);
            }
        }
        let columns = workers.map(bits, |bit| self.convert(backend, bit));
        let folds = columns.chunks(gsw.digits).map(|columns| matrix(&columns.concat())).collect();
        Expanded { first, folds }
    }

    /// Adds to a ciphertext its image under the round's automorphism, under the same key again.
    fn add_image(&self, backend: Backend, round: u32, index: usize, ciphertext: &mut [Residues]) {
        let for_first = round > 0 && index.is_multiple_of(2);
        let (keys, gadget) = if for_first {
            (&self.first_keys[round as usize - 1], self.params.expand_first)
        } else {
            (&self.fold_keys[round as usize], self.params.expand_folds)
        };
        let sources = &self.automorphisms[round as usize];
        let mut image = zeros(CIPHERTEXT);
        for (from, to) in ciphertext.iter().zip(&mut image) {
            permute(sources, from, to);
        }
        let (first, second) = image.split_at_mut(ELEMENT);
        let mut digits = zeros(ELEMENT * gadget.digits);
        dispatch!(backend, lanes => {
            lanes.run(Inverse(first));
            lanes.run(Decompose { coefficients: first, gadget, digits: &mut digits });
            lanes.run(AddProduct { target: ciphertext, matrix: keys, vector: &digits });
            lanes.run(crate::element::Add { target: &mut ciphertext[ELEMENT..], other: second });
        });
    }

    /// From a ciphertext of `m` two columns of a GSW ciphertext: of `s m`, and itself.
    fn convert(&self, backend: Backend, ciphertext: Vec<Residues>) -> Vec<Residues> {
        let gadget = self.params.convert;
        let mut coefficients = ciphertext.clone();
        let mut digits = zeros(2 * ELEMENT * gadget.digits);
        let mut columns = zeros(CIPHERTEXT);
        dispatch!(backend, lanes => {
            lanes.run(Inverse(&mut coefficients));
            lanes.run(Decompose { coefficients: &coefficients, gadget, digits: &mut digits });
            lanes.run(AddProduct { target: &mut columns, matrix: &self.conversion, vector: &digits });
        });
        columns.extend(ciphertext);
        columns
    }
}

/// The matrix whose columns the ciphertexts are: two rows.
fn matrix(ciphertexts: &[Residues]) -> Vec<Residues> {
    let row = |row| {
        ciphertexts
            .chunks(CIPHERTEXT)
            .flat_map(move |ciphertext| ciphertext.chunks(ELEMENT).skip(row).take(1).flatten())
            .copied()
    };
    row(0).chain(row(1)).collect()
}
