//! Additive sharing of vectors of words, XOR sharing of blocks.

use duoram_spec::core::block::Block;
use duoram_spec::core::share::{additive_vector_open, additive_vector_shares, xor_open, xor_shares};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{block, words};
use crate::topic::{Fault, Topic};

struct Additive {
    secret: Vec<u64>,
    random: Vec<u64>,
}

fn additive() -> Vec<(String, Additive)> {
    let mut r = Random(0xadd);
    vec![
        ("one word, no carry".to_owned(), Additive { secret: vec![7], random: vec![3] }),
        ("one word, wraps around".to_owned(), Additive { secret: vec![3], random: vec![7] }),
        ("edges".to_owned(), Additive { secret: vec![0, u64::MAX, 1 << 63], random: vec![u64::MAX, 0, 1] }),
        ("random".to_owned(), Additive { secret: r.words(4), random: r.words(4) }),
    ]
}

fn additive_output(shares: &(Vec<u64>, Vec<u64>)) -> Value {
    let opened = additive_vector_open(&shares.0, &shares.1);
    json!({ "share_0": words(&shares.0), "share_1": words(&shares.1), "opened": words(&opened) })
}

struct Xor {
    secret: Block,
    random: Block,
}

fn xor() -> Vec<(String, Xor)> {
    let mut r = Random(0x0f0);
    vec![
        ("random block 0".to_owned(), Xor { secret: r.block(), random: 0 }),
        ("random".to_owned(), Xor { secret: r.block(), random: r.block() }),
    ]
}

pub(crate) fn files() -> Vec<(String, Value)> {
    let additive = Topic {
        name: "sharing_additive",
        about: "Additive shares of words mod 2^64, from as many random words: P0 has the random words.",
        paper: "section 3, Notation",
        cases: additive(),
        input: |case| json!({ "secret": words(&case.secret), "random": words(&case.random) }),
        output: |case| additive_output(&additive_vector_shares(&case.secret, &case.random)),
    };
    let xor = Topic {
        name: "sharing_xor",
        about: "XOR shares of a block, from a random block: P0 has the random block.",
        paper: "section 3, Notation",
        cases: xor(),
        input: |case| json!({ "secret": block(case.secret), "random": block(case.random) }),
        output: |case| {
            let (share_0, share_1) = xor_shares(case.secret, case.random);
            let opened = xor_open(share_0, share_1);
            json!({ "share_0": block(share_0), "share_1": block(share_1), "opened": block(opened) })
        },
    };
    [
        additive.files(&[Fault {
            name: "xor",
            about: "The shares are XOR shares, and added.",
            output: |case| {
                let share_1 = case.secret.iter().zip(&case.random).map(|(x, r)| x ^ r).collect();
                additive_output(&(case.random.clone(), share_1))
            },
        }]),
        xor.files(&[]),
    ]
    .concat()
}
