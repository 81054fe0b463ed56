//! The masks, against the specification's AES.

use duoram_spec::core::aes::{encrypt, expand_key};
use duoram_spec::core::ring::Ring;
use rand_chacha::rand_core::Rng;

use super::{stream, words};
use crate::Table;
use crate::backend::{Backend, dispatch};
use crate::lanes::ITEM_WORDS;
use crate::table::{item_words, masks};

/// Word x by the specification, one AES after another.
fn masked(table: Table<'_>, x: usize) -> u64 {
    let n = table.memory.len();
    let levels = table.keys.len();
    let word = table.memory[((x as u64).wrapping_add(table.turn) % n as u64) as usize];
    (0..levels).fold(word.wrapping_add(table.blind), |sum, level| {
        let bit = x >> (levels - 1 - level) & 1;
        let schedule = expand_key(&table.keys[level][bit].to_le_bytes());
        sum.wrapping_add(u64::value_word(encrypt(&schedule, x as u128)))
    })
}

#[test]
fn masked_words_are_those_of_the_specification_for_every_backend() {
    let mut stream = stream(11);
    for log_size in [1, 3, 8, 10] {
        let memory = words(&mut stream, 1 << log_size);
        let key = |stream: &mut rand_chacha::ChaCha20Rng| {
            u128::from(stream.next_u64()) << 64 | u128::from(stream.next_u64())
        };
        let keys: Vec<_> = (0..log_size).map(|_| [key(&mut stream), key(&mut stream)]).collect();
        let table = Table { memory: &memory, turn: stream.next_u64(), blind: stream.next_u64(), keys: &keys };
        for backend in Backend::available() {
            let mut item = [0; ITEM_WORDS];
            // The items, and one that the table has not.
            for i in 0..=memory.len().div_ceil(ITEM_WORDS) {
                dispatch!(backend, lanes => item_words(lanes, &table, &masks(lanes, &keys), i, &mut item));
                // Not all words: the specification's AES is slow.
                for place in [0, 1, 2, 3, 4, 5, 8, 15, 16, 31, 32, 33, 64, 100, 128, ITEM_WORDS - 1] {
                    let x = ITEM_WORDS * i + place;
                    let expected = if x < memory.len() { masked(table, x) } else { 0 };
                    assert_eq!(item[place], expected, "{} of 2^{log_size} by {}", x, backend.name());
                }
            }
        }
    }
}
