//! Ciphertexts as bytes. The first half of each is uniform, so a seed stands for all of them; of the second half each pair of
//! residues is 56 bits, seven bytes, lowest first.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::element::{CIPHERTEXT, ELEMENT};
use crate::params::{ELEMENT_BYTES, SEED_BYTES};
use crate::ring::{N, PRIMES, Residues, zeros};
use crate::sample;

/// Bits of a residue.
const RESIDUE_BITS: u32 = 28;

/// What is wrong with a message that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Not as long as messages of its kind.
    #[error("{got} bytes, expected {expected}")]
    Length {
        /// As it must be.
        expected: usize,
        /// As it came.
        got: usize,
    },
    /// A number is not below its modulus.
    #[error("number {index} is not below its modulus")]
    NotReduced {
        /// Which one, from 0.
        index: usize,
    },
}

impl Refused {
    /// The rule that was broken.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Length { .. } => "a message has the length that follows from the table's size",
            Self::NotReduced { .. } => "numbers are below their modulus",
        }
    }
}

/// A message of a seed and the second halves of ciphertexts.
pub(crate) fn write(seed: &[u8; SEED_BYTES], halves: &[Residues]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(SEED_BYTES + halves.len() / ELEMENT * ELEMENT_BYTES);
    bytes.extend_from_slice(seed);
    for element in halves.chunks_exact(ELEMENT) {
        for (low, high) in element[0].iter().zip(&element[1]) {
            let pair = u64::from(*high) << RESIDUE_BITS | u64::from(*low);
            bytes.extend_from_slice(&pair.to_le_bytes()[..7]);
        }
    }
    bytes
}

/// The `count` ciphertexts of a message.
pub(crate) fn read(bytes: &[u8], count: usize) -> Result<Vec<Residues>, Refused> {
    let expected = SEED_BYTES + count * ELEMENT_BYTES;
    let (Some((seed, rest)), true) = (bytes.split_first_chunk::<SEED_BYTES>(), bytes.len() == expected)
    else {
        return Err(Refused::Length { expected, got: bytes.len() });
    };
    let mut stream = ChaCha20Rng::from_seed(*seed);
    let mut ciphertexts = zeros(CIPHERTEXT * count);
    let (pairs, _) = rest.as_chunks::<7>();
    for (i, (ciphertext, pairs)) in ciphertexts.chunks_exact_mut(CIPHERTEXT).zip(pairs.chunks(N)).enumerate()
    {
        let (first, second) = ciphertext.split_at_mut(ELEMENT);
        sample::uniform(&mut stream, first);
        for (place, &[a, b, c, d, e, f, g]) in pairs.iter().enumerate() {
            let pair = u64::from_le_bytes([a, b, c, d, e, f, g, 0]);
            let residues = [pair & ((1 << RESIDUE_BITS) - 1), pair >> RESIDUE_BITS];
            for j in 0..ELEMENT {
                if residues[j] >= u64::from(PRIMES[j]) {
                    return Err(Refused::NotReduced { index: ELEMENT * (N * i + place) + j });
                }
                second[j][place] = residues[j] as u32;
            }
        }
    }
    Ok(ciphertexts)
}
