//! A party's stream of words, from its seed.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde_json::{Value, json};

use crate::json::{hex, words};
use crate::topic::{Fault, Topic};

/// The first `count` words of a seed.
pub fn stream(seed: [u8; 32], count: usize) -> Vec<u64> {
    let mut generator = ChaCha20Rng::from_seed(seed);
    (0..count).map(|_| generator.next_u64()).collect()
}

/// The first `count` words of a seed's stream with this number: the nonce.
pub fn numbered_stream(seed: [u8; 32], number: u64, count: usize) -> Vec<u64> {
    let mut generator = ChaCha20Rng::from_seed(seed);
    generator.set_stream(number);
    (0..count).map(|_| generator.next_u64()).collect()
}

/// A seed of consecutive bytes.
pub(crate) fn counting_seed(first: u8) -> [u8; 32] {
    std::array::from_fn(|i| first.wrapping_add(u8::try_from(i).unwrap_or(0)))
}

/// The output of a vector.
pub fn output(seed: [u8; 32], count: usize) -> Value {
    json!({ "words": words(&stream(seed, count)) })
}

struct Case {
    seed: [u8; 32],
    count: usize,
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "randomness",
        about: "The first words of a party's random stream: ChaCha20 with the seed as key, nonce 0, block \
                counter 0.",
        paper: "reference/PROTOCOL.md, Randomness",
        cases: vec![
            ("seed of zeros".to_owned(), Case { seed: [0; 32], count: 8 }),
            ("one block and a bit".to_owned(), Case { seed: counting_seed(0), count: 9 }),
            ("several blocks".to_owned(), Case { seed: counting_seed(0xe0), count: 40 }),
        ],
        input: |case| json!({ "seed": hex(&case.seed), "count": case.count }),
        output: |case| output(case.seed, case.count),
    }
    .files(&[Fault {
        name: "high_half_first",
        about: "The two 32-bit words of the key stream that make a word are put together the wrong way round.",
        output: |case| {
            let turned: Vec<u64> = stream(case.seed, case.count).iter().map(|w| w.rotate_left(32)).collect();
            json!({ "words": words(&turned) })
        },
    }])
}
