//! App. D: every message, the factor, the unit vectors and the index shares.

use duoram_spec::core::block::Block;
use duoram_spec::core::dealer::generate;
use duoram_spec::core::dpf::{eval_full, signed_flags};
use duoram_spec::core::du_atallah::ProductTriple;
use duoram_spec::core::share::Primary;
use duoram_spec::paper::conversion::{
    Conversion, Input, Operands, conversion, random_index_share, sign_share, unit_share,
};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{blocks, word, words};
use crate::topic::{Fault, Topic};

struct Case {
    p0: Input<u64>,
    p1: Input<u64>,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0xadd);
    [(1, 0), (1, 1), (2, 3), (3, 0), (3, 4), (4, 15)]
        .map(|(log_size, target)| {
            let prg = r.prg();
            let (key_0, key_1) = generate(&prg, target, log_size, r.block(), r.block());
            let triples = r.dpf_triples(0);
            let mut input = |key, triple| Input { labels: eval_full(&prg, key), blind: r.word(), triple };
            let case = Case { p0: input(&key_0, triples.product_0), p1: input(&key_1, triples.product_1) };
            let sign = if sign(&case) == 1 { "+1" } else { "-1" };
            (format!("h = {log_size}, target {target}, pm = {sign}"), case)
        })
        .into()
}

fn sign(case: &Case) -> u64 {
    let share = |party, labels: &[Block]| sign_share::<u64>(party, labels);
    share(Primary::P0, &case.p0.labels).wrapping_add(share(Primary::P1, &case.p1.labels))
}

fn input(case: &Case) -> Value {
    let triple = |t: ProductTriple<u64>| json!({ "x": word(t.x), "y": word(t.y), "z": word(t.z) });
    let party = |input: &Input<u64>| {
        let (blind, triple) = (word(input.blind), triple(input.triple));
        json!({ "labels": blocks(&input.labels), "blind": blind, "triple": triple })
    };
    json!({ "p0": party(&case.p0), "p1": party(&case.p1) })
}

/// Every message, what is opened, and the shares of the unit vector and of the index.
pub fn output(outcome: &Conversion<u64>, units: [&[u64]; 2]) -> Value {
    let party = |operands: &Operands<u64>, opening, unit: &[u64]| {
        json!({
            "operands": {
                "blinded_sign": word(operands.blinded_sign),
                "masked_correction": word(operands.masked_correction),
                "masked_sign": word(operands.masked_sign),
            },
            "opening": word(opening),
            "unit": words(unit),
            "index": word(random_index_share(unit)),
        })
    };
    json!({
        "p0": party(&outcome.operands_0, outcome.opening_0, units[0]),
        "p1": party(&outcome.operands_1, outcome.opening_1, units[1]),
        "opened_sign": word(outcome.opened_sign),
        "opened_correction": word(outcome.opened_correction),
        "factor": word(outcome.factor),
    })
}

fn with_factor(case: &Case, factor: impl Fn(&Conversion<u64>) -> u64) -> Value {
    let outcome = conversion(&case.p0, &case.p1);
    let factor = factor(&outcome);
    let unit = |party, input: &Input<u64>| unit_share::<u64>(party, &input.labels, factor);
    output(&outcome, [&unit(Primary::P0, &case.p0), &unit(Primary::P1, &case.p1)])
}

/// The flags, signed, are taken for shares of the unit vector.
fn sign_ignored(case: &Case) -> Value {
    let unit = |party, input: &Input<u64>| signed_flags::<u64>(party, &input.labels);
    let units = [unit(Primary::P0, &case.p0), unit(Primary::P1, &case.p1)];
    output(&conversion(&case.p0, &case.p1), [&units[0], &units[1]])
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "conversion",
        about: "From the leaves of a DPF to additive shares of the unit vector: both messages of each party, \
                what they open, the conversion factor, and each party's share of the unit vector and of the \
                index.",
        paper: "appendix D (errata 12 and 13); index: section 4.1.1",
        cases: cases(),
        input,
        output: |case| with_factor(case, |outcome| outcome.factor),
    }
    .files(&[
        Fault {
            name: "sign_ignored",
            about: "The signed flags are taken for shares of the unit vector, as if pm were +1: where it is \
                    -1, they open to -e.",
            output: sign_ignored,
        },
        Fault {
            name: "factor_without_correction",
            about: "The opened F' is not subtracted: the factor is pm + r.",
            output: |case| with_factor(case, |outcome| outcome.opened_sign),
        },
    ])
}
