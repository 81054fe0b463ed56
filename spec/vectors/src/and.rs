//! AND of XOR-shared blocks with a dealer's triples.

use duoram_spec::core::block::{Block, replicate};
use duoram_spec::core::du_atallah::{AndTriple, and_message, and_share, and_triples};
use serde_json::{Value, json};

use crate::Random;
use crate::json::block;
use crate::topic::{Fault, Topic};

struct Case {
    operands: [Block; 4],
    /// `X_0`, `X_1`, `Y_0`, `Y_1`, `T`.
    dealer: [Block; 5],
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0xa2d);
    let blocks =
        |r: &mut Random| Case { operands: [0; 4].map(|_| r.block()), dealer: [0; 5].map(|_| r.block()) };
    let bit = |r: &mut Random, x_0: bool, x_1: bool| {
        let mut case = blocks(r);
        [case.operands[0], case.operands[1]] = [x_0, x_1].map(replicate);
        [case.dealer[0], case.dealer[1]] = [r.bit(), r.bit()].map(replicate);
        case
    };
    vec![
        ("two blocks".to_owned(), blocks(&mut r)),
        ("two more blocks".to_owned(), blocks(&mut r)),
        ("bit 0 and a block".to_owned(), bit(&mut r, true, true)),
        ("bit 1 and a block".to_owned(), bit(&mut r, false, true)),
    ]
}

fn right(case: &Case) -> (AndTriple, AndTriple) {
    let [x_0, x_1, y_0, y_1, t] = case.dealer;
    and_triples(x_0, x_1, y_0, y_1, t)
}

/// `Z_0 = (X_0 and Y_0) xor T`, `Z_1 = (X_1 and Y_1) xor T`.
fn as_printed(case: &Case) -> (AndTriple, AndTriple) {
    let [x_0, x_1, y_0, y_1, t] = case.dealer;
    (AndTriple { x: x_0, y: y_0, z: (x_0 & y_0) ^ t }, AndTriple { x: x_1, y: y_1, z: (x_1 & y_1) ^ t })
}

fn output(case: &Case, triples: (AndTriple, AndTriple)) -> Value {
    let [x_0, x_1, y_0, y_1] = case.operands;
    let (message_0, message_1) = (and_message(x_0, y_0, &triples.0), and_message(x_1, y_1, &triples.1));
    let share_0 = and_share(x_0, y_0, &triples.0, message_1);
    let share_1 = and_share(x_1, y_1, &triples.1, message_0);
    let party = |triple: AndTriple, message: (Block, Block), share| {
        json!({
            "triple": { "x": block(triple.x), "y": block(triple.y), "z": block(triple.z) },
            "message": { "masked_x": block(message.0), "masked_y": block(message.1) },
            "share": block(share),
        })
    };
    json!({
        "p0": party(triples.0, message_0, share_0),
        "p1": party(triples.1, message_1, share_1),
        "opened": block(share_0 ^ share_1),
    })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "and",
        about: "An AND triple from the dealer's five blocks, and the AND of two XOR-shared blocks with it.",
        paper: "section 2.2.1, definition 4 (erratum 1), appendix A",
        cases: cases(),
        input: |case| {
            let [x_0, x_1, y_0, y_1] = case.operands.map(block);
            let [mask_x_0, mask_x_1, mask_y_0, mask_y_1, t] = case.dealer.map(block);
            json!({
                "operands": { "x_0": x_0, "x_1": x_1, "y_0": y_0, "y_1": y_1 },
                "dealer": { "x_0": mask_x_0, "x_1": mask_x_1, "y_0": mask_y_0, "y_1": mask_y_1, "t": t },
            })
        },
        output: |case| output(case, right(case)),
    }
    .files(&[Fault {
        name: "definition_4_as_printed",
        about: "Definition 4 to the letter: Z_0 is made from Y_0, and Z_1 from Y_1.",
        output: |case| output(case, as_printed(case)),
    }])
}
