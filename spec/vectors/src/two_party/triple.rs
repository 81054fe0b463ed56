//! AND triples from two random OTs, one each way.

use duoram_spec::core::block::Block;
use duoram_spec::core::du_atallah::AndTriple;
use duoram_spec::two_party::ot::{and_triple_from_ots, received};
use serde_json::{Value, json};

use super::pairs;
use crate::Random;
use crate::json::{bits, block};
use crate::topic::{Fault, Topic};

/// Both parties' bits and OTs.
pub struct Case {
    /// X_b
    pub bits: (bool, bool),
    /// K^0 and K^1 of the OT that P_b sends.
    pub pairs: [(Block, Block); 2],
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x07);
    [(false, false), (false, true), (true, false), (true, true)]
        .map(|bits| {
            let pairs = [(r.block(), r.block()), (r.block(), r.block())];
            (format!("X_0 = {}, X_1 = {}", u8::from(bits.0), u8::from(bits.1)), Case { bits, pairs })
        })
        .into()
}

fn input(case: &Case) -> Value {
    json!({
        "bit_0": bits(&[case.bits.0]),
        "bit_1": bits(&[case.bits.1]),
        "sent_0": pairs(&case.pairs[..1]),
        "sent_1": pairs(&case.pairs[1..]),
    })
}

fn output(case: &Case, triple: impl Fn(bool, &(Block, Block), Block) -> AndTriple) -> Value {
    let [pair_0, pair_1] = &case.pairs;
    let party = |bit: bool, own: &(Block, Block), other: &(Block, Block)| {
        let got = received(other, bit);
        let AndTriple { x, y, z } = triple(bit, own, got);
        json!({ "received": block(got), "triple": { "x": block(x), "y": block(y), "z": block(z) } })
    };
    json!({ "p0": party(case.bits.0, pair_0, pair_1), "p1": party(case.bits.1, pair_1, pair_0) })
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    output(case, and_triple_from_ots)
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "two_party_triple",
        about: "AND triples of two parties, from two random OTs: each is the sender of one and the receiver, with its bit \
                X_b, of the other.",
        paper: "appendix A, using oblivious transfer",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[
        Fault {
            name: "t_not_shared",
            about: "Z_b is what was received, without the own K^0: it is not masked by T, and ANDs come out wrong.",
            output: |case| {
                output(case, |bit, own, got| AndTriple { z: got, ..and_triple_from_ots(bit, own, got) })
            },
        },
        Fault {
            name: "y_one_of_the_pair",
            about: "Y_b is K^1 and not the XOR of both: where the other party chose 1, it knows Y_b.",
            output: |case| {
                output(case, |bit, own, got| AndTriple { y: own.1, ..and_triple_from_ots(bit, own, got) })
            },
        },
    ])
}
