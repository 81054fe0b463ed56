//! The difference of the values of both DPFs of an item, opened to P0 and P2.

use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::share::Primary;
use duoram_spec::lean::preprocessing::delta_share;
use serde_json::{Value, json};

use super::ring_word;
use crate::Random;
use crate::topic::{Fault, Topic};

/// The values of an item's DPFs.
pub struct Case {
    /// `f^a_0`, `f^a_1`
    pub of_a: (XorWord, XorWord),
    /// `f^b_0`, `f^b_1`
    pub of_b: (XorWord, XorWord),
    /// x
    pub x: XorWord,
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    output(case, case.x)
}

fn output(case: &Case, x: XorWord) -> Value {
    let share_0 = delta_share(Primary::P0, case.of_a.0, case.of_b.0, x);
    let share_1 = delta_share(Primary::P1, case.of_a.1, case.of_b.1, x);
    json!({
        "delta_share_0": ring_word(share_0),
        "delta_share_1": ring_word(share_1),
        "delta": ring_word(share_0.plus(share_1)),
    })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    let mut r = Random(0xde17a);
    let mut case = || Case { of_a: (r.ring(), r.ring()), of_b: (r.ring(), r.ring()), x: r.ring() };
    Topic {
        name: "lean_delta",
        about: "The shares of delta = R_a - R_b, which P2 and P0 add up.",
        paper: "not in the paper; spec/src/lean/preprocessing.rs",
        cases: vec![("one item".to_owned(), case()), ("another".to_owned(), case())],
        input: |case| {
            json!({
                "value_share_a_0": ring_word(case.of_a.0),
                "value_share_a_1": ring_word(case.of_a.1),
                "value_share_b_0": ring_word(case.of_b.0),
                "value_share_b_1": ring_word(case.of_b.1),
                "x": ring_word(case.x),
            })
        },
        output: outcome,
    }
    .files(&[Fault {
        name: "shares_not_masked",
        about: "x is left out: delta is right, and both messages are others. (It gives nothing away: P2 dealt P1's.)",
            output: |case| output(case, XorWord::zero()),
    }])
}
