//! WRITE and SWAP, online.

use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::update::update;
use duoram_spec::lean::write::{Masks, Swap, swap};
use serde_json::{Value, json};

use super::{Operation, operation, ring_word, state, update_input};
use crate::Random;
use crate::json::word;
use crate::topic::{Fault, Topic};

struct Case {
    operation: Operation,
    masks: Masks<XorWord>,
    mask: XorWord,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x1217e);
    [(1, 1, 5), (3, 0, u64::MAX), (4, 9, 0x0123_4567_89ab_cdef)]
        .map(|(log_size, address, value)| {
            let operation = operation(&mut r, log_size, address, value);
            let masks = Masks { y_01: r.ring(), y_02: r.ring(), y_12: r.ring() };
            (format!("h = {log_size}, {value} to {address}"), Case { operation, masks, mask: r.ring() })
        })
        .into()
}

fn input(case: &Case) -> Value {
    let mut input = update_input(&case.operation);
    for (name, value) in
        [("y_01", case.masks.y_01), ("y_02", case.masks.y_02), ("y_12", case.masks.y_12), ("mask", case.mask)]
    {
        input[name] = ring_word(value);
    }
    input
}

/// The output of a vector.
pub fn outcome(swap: &Swap<XorWord>) -> Value {
    json!({
        "shift_0": word(swap.shift_0),
        "shift_1": word(swap.shift_1),
        "part_0": ring_word(swap.part_0),
        "part_1": ring_word(swap.part_1),
        "part_2": ring_word(swap.part_2),
        "unblinding": ring_word(swap.unblinding),
        "read_0": ring_word(swap.read_0),
        "read_1": ring_word(swap.read_1),
        "opened": ring_word(swap.read_0.plus(swap.read_1)),
        "state": state(&swap.state),
    })
}

fn run(case: &Case, masks: Masks<XorWord>) -> Swap<XorWord> {
    let Operation { state, material, index, address, value } = &case.operation;
    swap(state, material, case.operation.size(), *index, *address, *value, masks, case.mask)
}

fn parts_not_masked(case: &Case) -> Value {
    let zero = XorWord::zero();
    outcome(&run(case, Masks { y_01: zero, y_02: zero, y_12: zero }))
}

/// The parts of the old word are read, but F is opened as in UPDATE.
fn old_value_not_subtracted(case: &Case) -> Value {
    let Operation { state, material, index, address, value } = &case.operation;
    let added = update(state, material, case.operation.size(), *index, *address, *value, XorWord::zero());
    outcome(&Swap { state: added.state, ..run(case, case.masks) })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "lean_write",
        about: "WRITE and SWAP from the three states and an item: every message, and the states. `unblinding`, `read_0`, \
                `read_1` and `opened` are of SWAP only, which returns the old word.",
        paper: "not in the paper; spec/src/lean/write.rs",
        cases: cases(),
        input,
        output: |case| outcome(&run(case, case.masks)),
    }
    .files(&[
        Fault {
            name: "parts_not_masked",
            about: "The pairs' words are left out: the states are right, and P0 and P1 see P2's part of the old word.",
            output: parts_not_masked,
        },
        Fault {
            name: "old_value_not_subtracted",
            about: "The final correction is UPDATE's: the new word is added to the old one.",
            output: old_value_not_subtracted,
        },
    ])
}
