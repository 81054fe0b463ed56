//! UPDATE with two parties: from the leaves of its DPF to both shares of the memory.

use duoram_spec::core::block::Block;
use duoram_spec::core::ring::Ring;
use duoram_spec::core::share::Primary;
use duoram_spec::core::vector::scale;
use duoram_spec::two_party::conversion::{random_index_share, sum_share};
use duoram_spec::two_party::party_preprocessing::made_update;
use duoram_spec::two_party::update::{Update, UpdateItem, UpdateMessage, update, updated};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{blocks, word, words};
use crate::topic::{Fault, Topic};

/// Everything that an UPDATE starts from, of both parties.
pub struct Case {
    /// The labels of the leaves of the item's DPF.
    pub labels: (Vec<Block>, Vec<Block>),
    /// `D_b`
    pub memory: (Vec<u64>, Vec<u64>),
    /// `i*_b`
    pub address: (u64, u64),
    /// `M_b`
    pub value: (u64, u64),
}

/// A random case that adds `value` at `address`, and the target of its DPF.
pub(crate) fn case(r: &mut Random, log_size: usize, address: u64, value: u64) -> (Case, u64) {
    let n = 1 << log_size;
    let prg = r.prg();
    let (item, ri) = r.item::<u64>(&prg, log_size);
    let generation = item.dpf_1.generation;
    let case = Case {
        labels: (generation.labels_0, generation.labels_1),
        memory: (r.words(n), r.words(n)),
        address: r.shares(address),
        value: r.shares(value),
    };
    (case, ri)
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x2b0d);
    [(1, 0, 1), (2, 3, u64::MAX), (3, 5, 1000)]
        .map(|(log_size, address, value)| {
            let (case, ri) = case(&mut r, log_size, address, value);
            (format!("h = {log_size}, adds {value} at {address}, prepared at {ri}"), case)
        })
        .into()
}

/// w_0, w_1
fn sums(case: &Case) -> (u64, u64) {
    (sum_share(Primary::P0, &case.labels.0), sum_share(Primary::P1, &case.labels.1))
}

/// Both parties' parts of the item.
pub(crate) fn items(case: &Case) -> (UpdateItem<u64>, UpdateItem<u64>) {
    let (w_0, w_1) = sums(case);
    (made_update(Primary::P0, &case.labels.0, w_1), made_update(Primary::P1, &case.labels.1, w_0))
}

pub(crate) fn input(case: &Case) -> Value {
    json!({
        "labels_0": blocks(&case.labels.0),
        "labels_1": blocks(&case.labels.1),
        "memory_share_0": words(&case.memory.0),
        "memory_share_1": words(&case.memory.1),
        "address_0": word(case.address.0),
        "address_1": word(case.address.1),
        "value_0": word(case.value.0),
        "value_1": word(case.value.1),
    })
}

/// The UPDATE with these items, by so much.
pub(crate) fn run(case: &Case, items: &(UpdateItem<u64>, UpdateItem<u64>), value: (u64, u64)) -> Update<u64> {
    update((&case.memory.0, &case.memory.1), (&items.0, &items.1), case.address, value)
}

/// An UPDATE's messages and what it leaves.
pub(crate) fn update_output(update: &Update<u64>) -> Value {
    let message = |m: &UpdateMessage<u64>| json!({ "shift": word(m.shift), "masked": word(m.masked) });
    json!({
        "message_0": message(&update.message_0),
        "message_1": message(&update.message_1),
        "memory_share_0": words(&update.memory_share_0),
        "memory_share_1": words(&update.memory_share_1),
    })
}

fn output(case: &Case, items: &(UpdateItem<u64>, UpdateItem<u64>), update: &Update<u64>) -> Value {
    let (w_0, w_1) = sums(case);
    let party = |sum: u64, item: &UpdateItem<u64>| {
        json!({
            "sum": word(sum),
            "unit": words(&item.unit),
            "values": words(&item.values),
            "correction": word(item.correction),
            "index": word(item.random_index_share),
        })
    };
    let mut output = update_output(update);
    output["p0"] = party(w_0, &items.0);
    output["p1"] = party(w_1, &items.1);
    output
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    let items = items(case);
    output(case, &items, &run(case, &items, case.value))
}

/// The conversion words themselves as shares of the unit vector.
fn inverse_missing(case: &Case) -> Value {
    let (w_0, w_1) = sums(case);
    let z = w_0.wrapping_add(w_1);
    let without = |item: UpdateItem<u64>| {
        let unit = scale(z, &item.unit);
        UpdateItem { random_index_share: random_index_share(&unit), unit, ..item }
    };
    let (item_0, item_1) = items(case);
    let items = (without(item_0), without(item_1));
    output(case, &items, &run(case, &items, case.value))
}

/// What comes of other messages.
fn with_messages(
    case: &Case,
    change: impl Fn(UpdateMessage<u64>, (u64, u64), u64) -> UpdateMessage<u64>,
) -> Value {
    let items = items(case);
    let right = run(case, &items, case.value);
    let index = |item: &UpdateItem<u64>| item.random_index_share;
    let message_0 = change(right.message_0, (case.address.0, case.value.0), index(&items.0));
    let message_1 = change(right.message_1, (case.address.1, case.value.1), index(&items.1));
    let memory_share_0 = updated(&case.memory.0, &items.0, &message_0, &message_1);
    let memory_share_1 = updated(&case.memory.1, &items.1, &message_1, &message_0);
    output(case, &items, &Update { message_0, message_1, memory_share_0, memory_share_1 })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "two_party_update",
        about: "UPDATE with two parties: from the leaves of one DPF the sums w_b, the unit vector by the inverse of \
                their sum, the index and F; then the messages, and both shares of the memory after it.",
        paper: "section 5; not in the paper: the conversion",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[
        Fault {
            name: "inverse_missing",
            about: "The conversion words are taken for shares of the unit vector: they are, of z times it.",
            output: inverse_missing,
        },
        Fault {
            name: "shift_not_reduced",
            about: "Shift shares are whole words: the memory is right, and the address share is told to within n.",
            output: |case| {
                with_messages(case, |message, (address, _), index| UpdateMessage {
                    shift: address.minus(index),
                    ..message
                })
            },
        },
        Fault {
            name: "value_not_masked",
            about: "M_b is sent without F_b: M is told, and the memory is wrong.",
            output: |case| {
                with_messages(case, |message, (_, value), _| UpdateMessage { masked: value, ..message })
            },
        },
    ])
}
