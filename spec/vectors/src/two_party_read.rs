//! READ with two parties.

use duoram_spec::core::ring::Ring;
use duoram_spec::paper::read::shift_share;
use duoram_spec::two_party::read::{blinded_rotation, read};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{word, words};
use crate::topic::{Fault, Topic};

/// The input of a READ, of both parties.
pub struct Case {
    /// `D_b`, of 2^h words each
    pub memory: (Vec<u64>, Vec<u64>),
    /// `i*_b`
    pub address: (u64, u64),
    /// `q_b`, below n
    pub index: (u64, u64),
    /// `beta_b`
    pub blinds: (u64, u64),
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x2b);
    [(1, 0), (2, 3), (3, 5)]
        .map(|(log_size, address)| {
            let n = 1 << log_size;
            let case = Case {
                memory: (r.words(n), r.words(n)),
                address: r.shares(address),
                index: (r.below(n as u64), r.below(n as u64)),
                blinds: (r.word(), r.word()),
            };
            (format!("h = {log_size}, address {address}"), case)
        })
        .into()
}

fn input(case: &Case) -> Value {
    json!({
        "memory_share_0": words(&case.memory.0),
        "memory_share_1": words(&case.memory.1),
        "address_0": word(case.address.0),
        "address_1": word(case.address.1),
        "query_index_0": word(case.index.0),
        "query_index_1": word(case.index.1),
        "blind_0": word(case.blinds.0),
        "blind_1": word(case.blinds.1),
    })
}

fn output(case: &Case, (read_0, read_1): (u64, u64)) -> Value {
    let (d_0, d_1) = &case.memory;
    let shift_0 = shift_share(case.address.0, case.index.0, d_0.len());
    let shift_1 = shift_share(case.address.1, case.index.1, d_1.len());
    json!({
        "shift_0": word(shift_0),
        "shift_1": word(shift_1),
        "rotated_0": words(&blinded_rotation(d_0, case.address.0, shift_1, case.blinds.0)),
        "rotated_1": words(&blinded_rotation(d_1, case.address.1, shift_0, case.blinds.1)),
        "read_0": word(read_0),
        "read_1": word(read_1),
        "opened": word(read_0.plus(read_1)),
    })
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    output(case, right(case))
}

fn right(case: &Case) -> (u64, u64) {
    read((&case.memory.0, &case.memory.1), case.address, case.index, case.blinds)
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "two_party_read",
        about: "READ with two parties over an ideal symmetric PIR: the shift shares, the databases that the \
                PIR is asked, and both outputs.",
        paper: "section 5",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[Fault {
        name: "blind_not_subtracted",
        about: "Step 4 is left out: each output still holds the other party's blind.",
        output: |case| {
            let (read_0, read_1) = right(case);
            output(case, (read_0.plus(case.blinds.0), read_1.plus(case.blinds.1)))
        },
    }])
}
