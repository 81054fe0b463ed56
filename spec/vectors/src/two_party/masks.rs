//! The masks that make a PIR symmetric.

use duoram_spec::core::block::Block;
use duoram_spec::two_party::masks::{aes_prf, masked_table, unmasked, word_keys};
use serde_json::{Value, json};

use super::pairs;
use crate::Random;
use crate::json::{blocks, word, words};
use crate::topic::{Fault, Topic};

/// What server and client have.
pub struct Case {
    /// K_j^0 and K_j^1 of each level, the first for the most significant bit.
    pub pairs: Vec<(Block, Block)>,
    /// The server's table of 2^h words.
    pub table: Vec<u64>,
    /// The client's index.
    pub index: u64,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x3a5c);
    [(1, 0), (2, 1), (3, 6), (4, 9)]
        .map(|(log_size, index)| {
            let case = Case { pairs: r.pairs(log_size), table: r.words(1 << log_size), index };
            (format!("h = {log_size}, index {index}"), case)
        })
        .into()
}

fn input(case: &Case) -> Value {
    json!({ "sent": pairs(&case.pairs), "table": words(&case.table), "query_index": word(case.index) })
}

fn output(case: &Case, masked: &[u64]) -> Value {
    let keys = word_keys(&case.pairs, case.index);
    let at = usize::try_from(case.index).unwrap_or(0);
    json!({
        "keys": blocks(&keys),
        "masked": words(masked),
        "word": word(unmasked(&aes_prf(), &keys, case.index, masked[at])),
    })
}

fn right(case: &Case) -> Vec<u64> {
    masked_table(&aes_prf(), &case.pairs, &case.table)
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    output(case, &right(case))
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "two_party_masks",
        about: "A table under masks of h pairs of keys: the keys that the client received, the masked table, and the word \
                that it reads.",
        paper: "section 5; [np99]",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[
        Fault {
            name: "row_not_masked",
            about: "A word beside the client's is sent without its mask: the client reads its word, and that one too.",
            output: |case| {
                let mut masked = right(case);
                let beside = usize::try_from(case.index ^ 1).unwrap_or(0);
                masked[beside] = case.table[beside];
                output(case, &masked)
            },
        },
        Fault {
            name: "lowest_bit_first",
            about: "The keys of a word are chosen by its bits in the other order.",
            output: |case| {
                let turned: Vec<_> = case.pairs.iter().rev().copied().collect();
                output(case, &masked_table(&aes_prf(), &turned, &case.table))
            },
        },
        Fault {
            name: "position_ignored",
            about: "The PRF is asked at 0 for every word: the client reads its word, and the difference of two masks is one \
                    of keys that serve many words.",
            output: |case| {
                let mask = |x: u64| {
                    let keys = word_keys(&case.pairs, x);
                    unmasked(&aes_prf(), &keys, 0, 0u64).wrapping_neg()
                };
                let masked: Vec<u64> =
                    (0u64..).zip(&case.table).map(|(x, word)| word.wrapping_add(mask(x))).collect();
                let keys = word_keys(&case.pairs, case.index);
                let mut output = output(case, &masked);
                let at = usize::try_from(case.index).unwrap_or(0);
                output["word"] = word(unmasked(&aes_prf(), &keys, 0, masked[at]));
                output
            },
        },
    ])
}
