//! GEN, EVAL and EVALFULL, and what is read off the leaves.

use duoram_spec::core::block::{Block, low_half};
use duoram_spec::core::dealer::generate;
use duoram_spec::core::dpf::{Key, conversion_words, eval, eval_full, leaf_flags, value_words};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::share::{Primary, signed_vector};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{bits, block, blocks, key, session_key, words};
use crate::topic::{Fault, Topic};

/// A DPF to be made by a dealer.
pub(crate) struct Case {
    pub(crate) prg: AesPrg,
    pub(crate) log_size: usize,
    pub(crate) target: u64,
    pub(crate) roots: (Block, Block),
}

/// Both targets of the smallest tree, the first and the last leaf of others, and one in the middle.
pub(crate) fn cases(seed: u64) -> Vec<(String, Case)> {
    let mut r = Random(seed);
    [(1, 0), (1, 1), (2, 2), (3, 0), (3, 5), (3, 7), (5, 19)]
        .map(|(log_size, target)| {
            let case = Case { prg: r.prg(), log_size, target, roots: (r.block(), r.block()) };
            (format!("h = {log_size}, target {target}"), case)
        })
        .into()
}

pub(crate) fn input(case: &Case) -> Value {
    json!({
        "session_key": session_key(&case.prg),
        "log_size": case.log_size,
        "target": case.target,
        "root_0": block(case.roots.0),
        "root_1": block(case.roots.1),
    })
}

pub(crate) fn keys(case: &Case) -> (Key, Key) {
    generate(&case.prg, case.target, case.log_size, case.roots.0, case.roots.1)
}

fn evaluated(
    case: &Case,
    party: Primary,
    share: &Key,
    value_words: fn(Primary, &[Block]) -> Vec<u64>,
) -> Value {
    let mut fields = leaves(party, &eval_full(&case.prg, share), value_words);
    fields["key"] = key(share);
    fields["target_label"] = block(eval(&case.prg, share, case.target));
    fields
}

/// The leaves of a tree, and what is read off them.
pub fn leaves(party: Primary, labels: &[Block], value_words: fn(Primary, &[Block]) -> Vec<u64>) -> Value {
    json!({
        "labels": blocks(labels),
        "flags": bits(&leaf_flags(labels)),
        "values": words(&value_words(party, labels)),
        "conversion_words": words(&conversion_words::<u64>(party, labels)),
    })
}

fn output(case: &Case, keys: &(Key, Key), value_words: fn(Primary, &[Block]) -> Vec<u64>) -> Value {
    json!({
        "p0": evaluated(case, Primary::P0, &keys.0, value_words),
        "p1": evaluated(case, Primary::P1, &keys.1, value_words),
    })
}

fn swapped(key: &Key) -> Key {
    let mut key = key.clone();
    for correction in &mut key.corrections {
        std::mem::swap(&mut correction.left_flag, &mut correction.right_flag);
    }
    key
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "dpf",
        about: "A DPF without final correction word: both keys from two roots and a target (GEN), the label \
                at the target (EVAL), all labels (EVALFULL), and the leaves' flags and signed words.",
        paper: "section 2.1.1; words: section 4.1.1 and appendix D",
        cases: cases(0xd9f),
        input,
        output: |case| output(case, &keys(case), value_words),
    }
    .files(&[
        Fault {
            name: "flag_corrections_swapped",
            about: "cwt_L and cwt_R of each level change places in the keys.",
            output: |case| {
                let (key_0, key_1) = keys(case);
                output(case, &(swapped(&key_0), swapped(&key_1)), value_words)
            },
        },
        Fault {
            name: "word_from_low_half",
            about: "The value word is taken from bits 0 to 63 of a leaf, where the flag is: once F is \
                    opened, it tells the lowest bit of M.",
            output: |case| {
                output(case, &keys(case), |party, labels| {
                    signed_vector(party, &labels.iter().map(|label| low_half(*label)).collect::<Vec<_>>())
                })
            },
        },
    ])
}
