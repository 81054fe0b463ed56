//! The dot product of additively shared vectors.

use duoram_spec::core::du_atallah::{DotTriple, dot_message, dot_share, dot_triples};
use duoram_spec::core::ring::Ring;
use duoram_spec::core::vector::dot;
use serde_json::{Value, json};

use crate::Random;
use crate::json::{word, words};
use crate::topic::{Fault, Topic};

struct Case {
    operands: [Vec<u64>; 4],
    /// `X_0`, `X_1`, `Y_0`, `Y_1`.
    dealer: [Vec<u64>; 4],
    t: u64,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0xd07);
    [1, 2, 5, 8]
        .map(|n| {
            let mut four = || [0; 4].map(|_| r.words(n));
            let (operands, dealer) = (four(), four());
            (format!("length {n}"), Case { operands, dealer, t: r.word() })
        })
        .into()
}

fn right(case: &Case) -> (DotTriple<u64>, DotTriple<u64>) {
    let [x_0, x_1, y_0, y_1] = &case.dealer;
    dot_triples(x_0, x_1, y_0, y_1, case.t)
}

/// `Z_0 = <X_0, Y_0> + T`, `Z_1 = <X_1, Y_0> - T`.
fn as_printed(case: &Case) -> (DotTriple<u64>, DotTriple<u64>) {
    let [x_0, _, y_0, _] = &case.dealer;
    let (triple_0, triple_1) = right(case);
    (DotTriple { z: dot(x_0, y_0).plus(case.t), ..triple_0 }, triple_1)
}

fn output(case: &Case, triples: &(DotTriple<u64>, DotTriple<u64>)) -> Value {
    let [x_0, x_1, y_0, y_1] = &case.operands;
    let (message_0, message_1) = (dot_message(x_0, y_0, &triples.0), dot_message(x_1, y_1, &triples.1));
    let share_0 = dot_share(x_0, y_0, &triples.0, &message_1.0, &message_1.1);
    let share_1 = dot_share(x_1, y_1, &triples.1, &message_0.0, &message_0.1);
    let party = |triple: &DotTriple<u64>, message: &(Vec<u64>, Vec<u64>), share| {
        json!({
            "triple": { "x": words(&triple.x), "y": words(&triple.y), "z": word(triple.z) },
            "message": { "masked_x": words(&message.0), "masked_y": words(&message.1) },
            "share": word(share),
        })
    };
    json!({
        "p0": party(&triples.0, &message_0, share_0),
        "p1": party(&triples.1, &message_1, share_1),
        "opened": word(share_0.plus(share_1)),
    })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "dot_product",
        about: "A dot-product triple from the dealer's four vectors and a word, and the dot product of two \
                additively shared vectors.",
        paper: "section 2.2.1, definition 5 (erratum 2), appendix A",
        cases: cases(),
        input: |case| {
            let [x_0, x_1, y_0, y_1] = case.operands.each_ref().map(|v| words(v));
            let [mask_x_0, mask_x_1, mask_y_0, mask_y_1] = case.dealer.each_ref().map(|v| words(v));
            let t = word(case.t);
            json!({
                "operands": { "x_0": x_0, "x_1": x_1, "y_0": y_0, "y_1": y_1 },
                "dealer": { "x_0": mask_x_0, "x_1": mask_x_1, "y_0": mask_y_0, "y_1": mask_y_1, "t": t },
            })
        },
        output: |case| output(case, &right(case)),
    }
    .files(&[Fault {
        name: "definition_5_as_printed",
        about: "Definition 5 to the letter: Z_0 is made from Y_0, like Z_1.",
        output: |case| output(case, &as_printed(case)),
    }])
}
