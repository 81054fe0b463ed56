//! The client: keys, queries, and the word that an answer has for it.
//!
//! The secret, the index and what is decoded are secret: no branch and no address depends on them.

use std::hint::black_box;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use zeroize::{Zeroize, Zeroizing};

use crate::backend::{Backend, dispatch};
use crate::element::{Add, Compose, ELEMENT, Scale, automorphism, permute};
use crate::lanes::{ITEM_WORDS, Lanes};
use crate::message::{self, Refused};
use crate::ntt::{Forward, Inverse};
use crate::params::{ANSWER_BYTES, PLAINTEXT, Params, SEED_BYTES, SWITCHED, SWITCHED_BITS};
use crate::ring::{N, PRIMES, Q, Residues, inverse_mod, mul_mod, pow_mod, zeros};
use crate::sample;

/// Streams of the client's seed. Queries count on from the last.
const SECRET: u64 = 0;
const SETUP: u64 = 1;
const FIRST_QUERY: u64 = 2;

/// A client's keys, wiped when dropped.
pub struct Client {
    pub(crate) params: Params,
    seed: Zeroizing<[u8; 32]>,
    /// s as values, and -s.
    secret: Zeroizing<Vec<Residues>>,
    minus_secret: Zeroizing<Vec<Residues>>,
}

impl Client {
    /// The client of a seed.
    pub(crate) fn new(backend: Backend, params: Params, seed: &[u8; 32]) -> Self {
        let mut secret = sample::secret(&mut stream(seed, SECRET));
        dispatch!(backend, lanes => lanes.run(Forward(&mut secret)));
        let mut minus_secret = secret.clone();
        for (residues, prime) in minus_secret.iter_mut().zip(PRIMES) {
            for residue in residues {
                *residue = (prime - *residue) * u32::from(*residue != 0);
            }
        }
        Self { params, seed: Zeroizing::new(*seed), secret, minus_secret }
    }

    /// The secret, for tests that measure noise.
    #[cfg(test)]
    pub(crate) fn secret(&self) -> &[Residues] {
        &self.secret
    }

    /// What the client sends once.
    pub(crate) fn setup(&self, backend: Backend) -> Vec<u8> {
        let params = self.params;
        let mut cipher = Cipher::new(self, backend, SETUP);
        let mut image = Zeroizing::new(zeros(ELEMENT));
        // Rounds' keys: the image of s under the automorphism, once for each digit.
        let rounds = (1..params.rounds()).map(|round| (round, params.expand_first));
        let rounds = rounds.chain((0..=params.last_fold_round()).map(|round| (round, params.expand_folds)));
        for (round, gadget) in rounds {
            let sources = automorphism((N >> round) + 1);
            for (from, to) in self.secret.iter().zip(image.iter_mut()) {
                permute(&sources, from, to);
            }
            for digit in 0..gadget.digits as u32 {
                cipher.encrypt(&times_power(&image, gadget.bits * digit));
            }
        }
        // From m to s m: s^2 and s.
        let mut square = self.secret.clone();
        dispatch!(backend, lanes => lanes.run(Scale { target: &mut square, by: &self.secret }));
        for digit in 0..params.convert.digits as u32 {
            for factor in [&square, &self.secret] {
                cipher.encrypt(&times_power(factor, params.convert.bits * digit));
            }
        }
        cipher.message()
    }

    /// A query for the item of word `index`.
    pub(crate) fn query(&self, backend: Backend, index: u64, number: u64) -> Vec<u8> {
        let params = self.params;
        let item = index / ITEM_WORDS as u64;
        let column = item >> params.folds;
        let mut plain = Zeroizing::new(zeros(ELEMENT));
        for (residues, prime) in plain.iter_mut().zip(PRIMES) {
            // Each round of the expansion doubles.
            let halves = |rounds| pow_mod(inverse_mod(2, prime), rounds, prime);
            let scale = ((Q / PLAINTEXT) % u64::from(prime)) as u32;
            let unit = mul_mod(scale, halves(params.rounds()), prime);
            for i in 0..params.columns() {
                residues[2 * i] = unit * is_equal(i as u64, column);
            }
            let unit = halves(params.last_fold_round() + 1);
            for bit in 0..params.folds {
                let value = black_box((item >> bit & 1) as u32);
                for digit in 0..params.gsw.digits {
                    let power = pow_mod(2, params.gsw.bits * digit as u32, prime);
                    let place = bit as usize * params.gsw.digits + digit;
                    residues[2 * place + 1] = mul_mod(power, unit, prime) * value;
                }
            }
        }
        dispatch!(backend, lanes => lanes.run(Forward(&mut plain)));
        let mut cipher = Cipher::new(self, backend, FIRST_QUERY.wrapping_add(number));
        cipher.encrypt(&plain);
        cipher.message()
    }

    /// Word `index` of the table that was asked for item `index / 256`. Some word, if the answer was not checked.
    pub(crate) fn decode(&self, backend: Backend, index: u64, answer: &[u8]) -> u64 {
        let [first, second] = halves(answer);
        // c_0 s over the integers: below 2^16 512, so far below q.
        let mut product = Zeroizing::new(zeros(ELEMENT));
        for (residues, prime) in product.iter_mut().zip(PRIMES) {
            for (residue, number) in residues.iter_mut().zip(&first) {
                *residue = centered(*number, SWITCHED[0]).rem_euclid(i64::from(prime)) as u32;
            }
        }
        let mut numbers = Zeroizing::new([0; N]);
        dispatch!(backend, lanes => {
            lanes.run(Forward(&mut product));
            lanes.run(Scale { target: &mut product, by: &self.secret });
            lanes.run(Inverse(&mut product));
            lanes.run(Compose { coefficients: &product, numbers: &mut numbers });
        });
        let [switched, other] = SWITCHED.map(u64::cast_signed);
        let unit = switched * (other / PLAINTEXT.cast_signed());
        let mut word = 0;
        for i in 0..ITEM_WORDS {
            let mut bytes = [0; 8];
            for (j, byte) in bytes.iter_mut().enumerate() {
                let product = centered(numbers[8 * i + j], Q).rem_euclid(switched).cast_unsigned();
                let phase = centered(product, SWITCHED[0]) * other
                    + centered(second[8 * i + j], SWITCHED[1]) * switched;
                // The nearest multiple of the unit.
                *byte = (phase + unit / 2).div_euclid(unit).rem_euclid(PLAINTEXT.cast_signed()) as u8;
            }
            let here = u64::from(is_equal(i as u64, index % ITEM_WORDS as u64));
            word |= u64::from_le_bytes(bytes) & 0_u64.wrapping_sub(here);
            bytes.zeroize();
        }
        word
    }
}

/// 1 if they are equal, else 0. The compiler must not know that there are only these two.
fn is_equal(a: u64, b: u64) -> u32 {
    let difference = a ^ b;
    black_box(1 - ((difference | difference.wrapping_neg()) >> 63) as u32)
}

/// The number nearest to 0 that is `number` mod `modulus`, for a reduced one.
fn centered(number: u64, modulus: u64) -> i64 {
    // The compiler must not know that it is 0 or 1: it made a branch of it.
    let above = 0_u64.wrapping_sub(black_box((modulus / 2).wrapping_sub(number) >> 63));
    number.wrapping_sub(modulus & above).cast_signed()
}

/// Whether an answer has its length, and numbers below their moduli.
pub(crate) fn check_answer(answer: &[u8]) -> Result<(), Refused> {
    if answer.len() != ANSWER_BYTES {
        return Err(Refused::Length { expected: ANSWER_BYTES, got: answer.len() });
    }
    let [first, _] = halves(answer);
    first
        .iter()
        .position(|number| *number >= SWITCHED[0])
        .map_or(Ok(()), |index| Err(Refused::NotReduced { index }))
}

/// The coefficients of an answer; missing bytes are 0.
fn halves(answer: &[u8]) -> [Vec<u64>; 2] {
    let (mut window, mut available, mut bytes) = (0_u64, 0, answer.iter());
    let mut next = |bits: u32| {
        while available < bits {
            window |= u64::from(*bytes.next().unwrap_or(&0)) << available;
            available += 8;
        }
        let number = window & ((1 << bits) - 1);
        window >>= bits;
        available -= bits;
        number
    };
    SWITCHED_BITS.map(|bits| (0..N).map(|_| next(bits)).collect())
}

/// The element times `2^bits`.
fn times_power(element: &[Residues], bits: u32) -> Zeroizing<Vec<Residues>> {
    let mut product = Zeroizing::new(element.to_vec());
    for (residues, prime) in product.iter_mut().zip(PRIMES) {
        let power = pow_mod(2, bits, prime);
        for residue in residues {
            *residue = mul_mod(*residue, power, prime);
        }
    }
    product
}

/// Stream `number` of a seed.
fn stream(seed: &[u8; 32], number: u64) -> ChaCha20Rng {
    let mut stream = ChaCha20Rng::from_seed(*seed);
    stream.set_stream(number);
    stream
}

/// Encrypts elements into one message.
struct Cipher<'a> {
    client: &'a Client,
    backend: Backend,
    /// Of noise.
    secret: ChaCha20Rng,
    public_seed: [u8; SEED_BYTES],
    /// Of first halves.
    public: ChaCha20Rng,
    halves: Vec<Residues>,
}

impl<'a> Cipher<'a> {
    fn new(client: &'a Client, backend: Backend, number: u64) -> Self {
        let mut secret = stream(&client.seed, number);
        let mut public_seed = [0; SEED_BYTES];
        secret.fill_bytes(&mut public_seed);
        let public = ChaCha20Rng::from_seed(public_seed);
        Self { client, backend, secret, public_seed, public, halves: Vec::new() }
    }

    /// `c_0` uniform, `c_1 = message + noise - c_0 s`; the message is values.
    fn encrypt(&mut self, message: &[Residues]) {
        let mut half = zeros(ELEMENT);
        sample::uniform(&mut self.public, &mut half);
        let mut noise = Zeroizing::new(zeros(ELEMENT));
        sample::noise(&mut self.secret, &mut noise);
        dispatch!(self.backend, lanes => {
            lanes.run(Scale { target: &mut half, by: &self.client.minus_secret });
            lanes.run(Forward(&mut noise));
            lanes.run(Add { target: &mut half, other: &noise });
            lanes.run(Add { target: &mut half, other: message });
        });
        self.halves.append(&mut half);
    }

    fn message(self) -> Vec<u8> {
        message::write(&self.public_seed, &self.halves)
    }
}
