//! WRITE and SWAP with two parties, over an ideal symmetric PIR.

use duoram_spec::two_party::write::write;
use serde_json::{Value, json};

use super::update::{self, items, run, update_output};
use crate::Random;
use crate::json::word;
use crate::topic::{Fault, Topic};

/// The input of a WRITE, of both parties.
pub struct Case {
    /// `q_b`, below n
    pub index: (u64, u64),
    /// `r_b`
    pub blinds: (u64, u64),
    /// The UPDATE; its value is the one to be written.
    pub update: update::Case,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x2b21);
    [(1, 1, 5), (2, 2, 0), (3, 4, u64::MAX)]
        .map(|(log_size, address, value)| {
            let (update, _) = update::case(&mut r, log_size, address, value);
            let n = 1 << log_size;
            let case = Case { index: (r.below(n), r.below(n)), blinds: (r.word(), r.word()), update };
            (format!("h = {log_size}, {value} to {address}"), case)
        })
        .into()
}

fn input(case: &Case) -> Value {
    let mut input = update::input(&case.update);
    for (name, value) in [
        ("query_index_0", case.index.0),
        ("query_index_1", case.index.1),
        ("blind_0", case.blinds.0),
        ("blind_1", case.blinds.1),
    ] {
        input[name] = word(value);
    }
    input
}

fn with_blinds(case: &Case, blinds: (u64, u64)) -> Value {
    let update::Case { memory, address, value, .. } = &case.update;
    let items = items(&case.update);
    let (update, read) =
        write((&memory.0, &memory.1), case.index, blinds, (&items.0, &items.1), *address, *value);
    output(&update_output(&update), read)
}

fn output(update: &Value, (read_0, read_1): (u64, u64)) -> Value {
    json!({
        "read_0": word(read_0),
        "read_1": word(read_1),
        "opened": word(read_0.wrapping_add(read_1)),
        "update": update,
    })
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    with_blinds(case, case.blinds)
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "two_party_write",
        about: "WRITE with two parties: a READ, then an UPDATE by M_b - read_b. SWAP is the same, and yields the word \
                read.",
        paper: "section 3.1.2, section 5",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[
        Fault {
            name: "blind_not_added",
            about: "No blind r_b: the memory is right, and each party learns the other's share of the word.",
            output: |case| with_blinds(case, (0, 0)),
        },
        Fault {
            name: "old_value_not_subtracted",
            about: "The UPDATE is by M_b: the new word is added to the old one.",
            output: |case| {
                let update = run(&case.update, &items(&case.update), case.update.value);
                let update::Case { memory, address, value, .. } = &case.update;
                let items = items(&case.update);
                let (_, read) =
                    write((&memory.0, &memory.1), case.index, case.blinds, (&items.0, &items.1), *address, *value);
                output(&update_output(&update), read)
            },
        },
    ])
}
