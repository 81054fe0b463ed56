//! WRITE: a READ and an UPDATE, each with material of its own.

use duoram_spec::paper::preprocessing::{random_index_shares, unit_vectors};
use duoram_spec::paper::read::{Read, UnitVectors};
use duoram_spec::paper::update::{Update, UpdateMaterial, WriteMaterial, update, write};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{units, word};
use crate::topic::{Fault, Topic};
use crate::{read, update as update_cases};

/// The input of a WRITE.
pub struct Case {
    /// For the READ
    pub units: UnitVectors<u64>,
    /// `ri_b` of the READ
    pub index: (u64, u64),
    /// rho
    pub mask: u64,
    /// The UPDATE; its value is the one to be written.
    pub update: update_cases::Case,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x217e);
    [(1, 1, 5), (2, 3, 0), (3, 4, u64::MAX)]
        .map(|(log_size, address, value)| {
            let prg = r.prg();
            let (item, _) = r.item(&prg, log_size);
            let (units, index) = (unit_vectors(&item), random_index_shares(&item));
            let (update, _) = update_cases::case(&mut r, log_size, address, value);
            (format!("h = {log_size}, {value} to {address}"), Case { units, index, mask: r.word(), update })
        })
        .into()
}

fn input(case: &Case) -> Value {
    let mut input = update_cases::input(&case.update);
    for (name, value) in [
        ("read_units", units(&case.units)),
        ("read_index_0", word(case.index.0)),
        ("read_index_1", word(case.index.1)),
        ("mask", word(case.mask)),
    ] {
        input[name] = value;
    }
    input
}

fn run(case: &Case, material: UpdateMaterial<u64>) -> (Read<u64>, Update<u64>) {
    let material = WriteMaterial {
        units: case.units.clone(),
        read_random_index_shares: case.index,
        update: material,
        update_random_index_shares: case.update.index,
    };
    write(&case.update.state, &material, case.update.address, case.update.value, case.mask)
}

fn output((read, update): &(Read<u64>, Update<u64>)) -> Value {
    json!({ "read": read::outcome(read), "update": update_cases::outcome(update) })
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    output(&run(case, update_cases::material(&case.update)))
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "write",
        about: "WRITE: a READ, then an UPDATE by M_b - read_b.",
        paper: "section 3.1.2",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[Fault {
        name: "old_value_not_subtracted",
        about: "The UPDATE is by M_b: the new word is added to the old one.",
        output: |case| {
            let Case { update: update_cases::Case { state, index, address, value, .. }, .. } = case;
            let material = update_cases::material(&case.update);
            let (read, _) = run(case, material.clone());
            output(&(read, update(state, &material, *index, *address, *value)))
        },
    }])
}
