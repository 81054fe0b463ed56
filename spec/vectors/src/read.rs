//! READ, online.

use duoram_spec::core::ring::Ring;
use duoram_spec::paper::memory::State;
use duoram_spec::paper::preprocessing::{random_index_shares, unit_vectors};
use duoram_spec::paper::read::{Read, UnitVectors, read};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{state, units, word};
use crate::topic::{Fault, Topic};

struct Case {
    state: State<u64>,
    units: UnitVectors<u64>,
    index: (u64, u64),
    address: (u64, u64),
    mask: u64,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x9ead);
    [(1, 0), (1, 1), (2, 0), (3, 7), (3, 2), (4, 9)]
        .map(|(log_size, address)| {
            let prg = r.prg();
            let (item, ri) = r.item(&prg, log_size);
            let case = Case {
                state: r.state(1 << log_size),
                units: unit_vectors(&item),
                index: random_index_shares(&item),
                address: r.shares(address),
                mask: r.word(),
            };
            (format!("h = {log_size}, address {address}, prepared at {ri}"), case)
        })
        .into()
}

fn input(case: &Case) -> Value {
    json!({
        "state": state(&case.state),
        "units": units(&case.units),
        "index_0": word(case.index.0),
        "index_1": word(case.index.1),
        "address_0": word(case.address.0),
        "address_1": word(case.address.1),
        "mask": word(case.mask),
    })
}

/// A READ's messages and outputs.
pub fn outcome(read: &Read<u64>) -> Value {
    json!({
        "shift_0": word(read.shift_0),
        "shift_1": word(read.shift_1),
        "gamma_0": word(read.gamma_0),
        "gamma_1": word(read.gamma_1),
        "read_0": word(read.read_0),
        "read_1": word(read.read_1),
        "opened": word(read.read_0.plus(read.read_1)),
    })
}

fn right(case: &Case) -> Read<u64> {
    read(&case.state, &case.units, case.index, case.address, case.mask)
}

/// `gamma_1 = - <zeta_1, t_0^(2)> + rho`: rho does not cancel.
fn gamma_masks_equal(case: &Case) -> Value {
    let twice = case.mask.plus(case.mask);
    let right = right(case);
    outcome(&Read { gamma_1: right.gamma_1.plus(twice), read_1: right.read_1.plus(twice), ..right })
}

fn shift_not_reduced(case: &Case) -> Value {
    let shift_0 = case.address.0.minus(case.index.0);
    let shift_1 = case.address.1.minus(case.index.1);
    outcome(&Read { shift_0, shift_1, ..right(case) })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "read",
        about: "READ from the three states and prepared unit vectors: the shift shares, P2's messages, and \
                both outputs.",
        paper: "section 3.1.1, protocol 1",
        cases: cases(),
        input,
        output: |case| outcome(&right(case)),
    }
    .files(&[
        Fault {
            name: "shift_sign",
            about: "The shift shares are ri_b - i*_b: the vectors move the other way.",
            output: |case| outcome(&read(&case.state, &case.units, case.address, case.index, case.mask)),
        },
        Fault {
            name: "shift_not_reduced",
            about: "The shift shares are sent as words, not mod n: the result is right, and the address \
                    share is known to within n.",
            output: shift_not_reduced,
        },
        Fault {
            name: "gamma_masks_equal",
            about: "rho is added on both sides: it does not cancel.",
            output: gamma_masks_equal,
        },
    ])
}
