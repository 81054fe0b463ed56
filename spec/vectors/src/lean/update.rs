//! UPDATE, online.

use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::memory::{State, State2};
use duoram_spec::lean::update::{Material, Update, update};
use serde_json::{Value, json};

use super::{Operation, operation, ring_word, state, update_input};
use crate::Random;
use crate::json::word;
use crate::topic::{Fault, Topic};

struct Case {
    operation: Operation,
    x: XorWord,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x1eaf);
    [(1, 1, 5), (3, 0, u64::MAX), (4, 9, 0x0123_4567_89ab_cdef), (4, 9, 0)]
        .map(|(log_size, address, value)| {
            let operation = operation(&mut r, log_size, address, value);
            (format!("h = {log_size}, {value} to {address}"), Case { operation, x: r.ring() })
        })
        .into()
}

fn input(case: &Case) -> Value {
    let mut input = update_input(&case.operation);
    input["x"] = ring_word(case.x);
    input
}

/// The output of a vector.
pub fn outcome(update: &Update<XorWord>) -> Value {
    let message =
        |(shift, masked): (u64, XorWord)| json!({ "shift": word(shift), "masked": ring_word(masked) });
    json!({
        "message_0": message(update.message_0),
        "message_1": message(update.message_1),
        "state": state(&update.state),
    })
}

fn run(case: &Case, material: &Material<XorWord>, x: XorWord) -> Update<XorWord> {
    let Operation { state, index, address, value, .. } = &case.operation;
    update(state, material, case.operation.size(), *index, *address, *value, x)
}

fn right(case: &Case) -> Update<XorWord> {
    run(case, &case.operation.material, case.x)
}

fn delta_ignored(case: &Case) -> Value {
    outcome(&run(case, &Material { delta: XorWord::zero(), ..case.operation.material.clone() }, case.x))
}

/// P2's A stays as it was, and P0's does not.
fn alpha_of_p2_not_updated(case: &Case) -> Value {
    let Update { message_0, message_1, state } = right(case);
    let p2 = State2 { alpha: case.operation.state.p2.alpha.clone(), beta: state.p2.beta.clone() };
    outcome(&Update { message_0, message_1, state: State { p2, ..state } })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "lean_update",
        about: "UPDATE from the three states and an item's flags, values and delta: both messages, and the states after it.",
        paper: "not in the paper; spec/src/lean/update.rs",
        cases: cases(),
        input,
        output: |case| outcome(&right(case)),
    }
    .files(&[
        Fault {
            name: "values_not_masked",
            about: "x is left out: the states are right, and P2, which dealt f^a_1, learns M_1.",
            output: |case| outcome(&run(case, &case.operation.material, XorWord::zero())),
        },
        Fault {
            name: "delta_ignored",
            about: "DPF b gets the final correction of DPF a: the sharings come apart.",
            output: delta_ignored,
        },
        Fault {
            name: "alpha_of_p2_not_updated",
            about: "P2 adds to B only: its A is not P0's any more, which no single party sees.",
            output: alpha_of_p2_not_updated,
        },
    ])
}
