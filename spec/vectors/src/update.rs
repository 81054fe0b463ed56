//! UPDATE, online.

use duoram_spec::core::ring::Ring;
use duoram_spec::paper::memory::{PrimaryState, State};
use duoram_spec::paper::preprocessing::{
    local_correction_shares, random_index_shares, unit_vectors, value_vectors,
};
use duoram_spec::paper::read::{UnitVectors, reconstruct_shift};
use duoram_spec::paper::update::{
    Update, UpdateMaterial, UpdateMessage, ValueVectors, apply, reconstruct_corrections, rerandomized,
    update, update_vectors, updated_p0, updated_p1,
};
use serde_json::{Value, json};

use crate::Random;
use crate::json::{state, triple_vectors, units, word};
use crate::topic::{Fault, Topic};

/// Everything that an UPDATE starts from.
pub struct Case {
    /// The three states before it.
    pub state: State<u64>,
    /// Shares of the unit vectors at ri.
    pub units: UnitVectors<u64>,
    /// The signed value words of DPF 1, 2, 3.
    pub values: ValueVectors<u64>,
    /// What makes the primaries' shares of F^(2) and F^(3) fresh.
    pub deltas: (u64, u64),
    /// Additive shares of ri mod n.
    pub index: (u64, u64),
    /// Additive shares of the address.
    pub address: (u64, u64),
    /// Additive shares of what is added there.
    pub value: (u64, u64),
}

/// A random case that adds `value`, at `address`, from an item that the real preprocessing made; and the item's target.
pub(crate) fn case(r: &mut Random, log_size: usize, address: u64, value: u64) -> (Case, u64) {
    let prg = r.prg();
    let (item, ri) = r.item(&prg, log_size);
    let case = Case {
        state: r.state(1 << log_size),
        units: unit_vectors(&item),
        values: value_vectors(&item),
        deltas: (r.word(), r.word()),
        index: random_index_shares(&item),
        address: r.shares(address),
        value: r.shares(value),
    };
    (case, ri)
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0xda7e);
    let random = r.word();
    [(1, 0, 1), (1, 1, 0), (2, 0, u64::MAX), (3, 7, 1000), (3, 2, random), (4, 9, 1 << 63)]
        .map(|(log_size, address, value)| {
            let (case, ri) = case(&mut r, log_size, address, value);
            (format!("h = {log_size}, adds {value} at {address}, prepared at {ri}"), case)
        })
        .into()
}

/// The material with shares of F from the value vectors, made fresh by the deltas.
pub(crate) fn material(case: &Case) -> UpdateMaterial<u64> {
    let (units, values) = (case.units.clone(), case.values.clone());
    let corrections = rerandomized(&local_correction_shares(&values), case.deltas.0, case.deltas.1);
    UpdateMaterial { units, values, corrections }
}

pub(crate) fn input(case: &Case) -> Value {
    json!({
        "state": state(&case.state),
        "units": units(&case.units),
        "values": triple_vectors(&case.values.p0, &case.values.p1),
        "delta_2": word(case.deltas.0),
        "delta_3": word(case.deltas.1),
        "index_0": word(case.index.0),
        "index_1": word(case.index.1),
        "address_0": word(case.address.0),
        "address_1": word(case.address.1),
        "value_0": word(case.value.0),
        "value_1": word(case.value.1),
    })
}

/// An UPDATE's messages and the states after it.
pub fn outcome(update: &Update<u64>) -> Value {
    let message = |m: &UpdateMessage<u64>| {
        let [m_1, m_2, m_3] = [m.masked_dpf_1, m.masked_dpf_2, m.masked_dpf_3].map(word);
        json!({ "shift": word(m.shift), "m_1": m_1, "m_2": m_2, "m_3": m_3 })
    };
    json!({
        "message_0": message(&update.message_0),
        "message_1": message(&update.message_1),
        "state": state(&update.state),
    })
}

fn with(case: &Case, material: &UpdateMaterial<u64>, index: (u64, u64)) -> Update<u64> {
    update(&case.state, material, index, case.address, case.value)
}

/// What the specification computes.
pub fn right(case: &Case) -> Update<u64> {
    with(case, &material(case), case.index)
}

/// S, and the three F, as the messages give them.
fn opened(case: &Case, right: &Update<u64>) -> (u64, (u64, u64, u64)) {
    let n = case.state.p0.memory_share.len();
    let s = reconstruct_shift(right.message_0.shift, right.message_1.shift, n);
    (s, reconstruct_corrections(&right.message_0, &right.message_1))
}

/// Lines 8 and 9 as printed: P0 starts from what is called D~_0, which is P1's, and P1 from D~_1.
fn blinded_of_p0(case: &Case) -> Value {
    let right = right(case);
    let (s, f) = opened(case, &right);
    let w = update_vectors(&material(case), s, f);
    let State { p0, p1, .. } = &case.state;
    let literal_0 = PrimaryState { blinded: p1.blinded.clone(), ..p0.clone() };
    let literal_1 = PrimaryState { blinded: p0.blinded.clone(), ..p1.clone() };
    let state = State {
        p0: updated_p0(&literal_0, &w.p0.0, &w.p0.1, &w.p0.2),
        p1: updated_p1(&literal_1, &w.p1.0, &w.p1.1, &w.p1.2),
        p2: right.state.p2.clone(),
    };
    outcome(&Update { state, ..right })
}

/// `t[i] <- t[i - S]`, index by index, where the words that are overwritten first are read again.
fn shift_in_place(case: &Case) -> Value {
    let right = right(case);
    let (s, f) = opened(case, &right);
    let n = case.state.p0.memory_share.len();
    let move_in_place = |t: &Vec<u64>| {
        let mut t = t.clone();
        for i in 0..n {
            t[i] = t[(i + n - usize::try_from(s).unwrap_or(0)) % n];
        }
        t
    };
    let three =
        |(a, b, c): &(Vec<u64>, Vec<u64>, Vec<u64>)| (move_in_place(a), move_in_place(b), move_in_place(c));
    let moved = UpdateMaterial {
        units: UnitVectors { p0: three(&case.units.p0), p1: three(&case.units.p1) },
        values: ValueVectors { p0: three(&case.values.p0), p1: three(&case.values.p1) },
        ..material(case)
    };
    outcome(&Update { state: apply(&case.state, &update_vectors(&moved, 0, f)), ..right })
}

fn shares_not_rerandomized(case: &Case) -> Value {
    let corrections = local_correction_shares(&case.values);
    outcome(&with(case, &UpdateMaterial { corrections, ..material(case) }, case.index))
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "update",
        about: "UPDATE with REFRESHBLINDS, from the three states and prepared vectors: both messages (P2 \
                gets them without m_1), and the states after it.",
        paper: "section 3.1.2, protocol 2 (erratum 8; fresh shares of F for P2)",
        cases: cases(),
        input,
        output: |case| outcome(&right(case)),
    }
    .files(&[
        Fault {
            name: "index_plus_ri",
            about: "Line 5 as printed, i*_b + ri_b: the word is added at i* + 2 ri.",
            output: |case| {
                let negated = (case.index.0.negated(), case.index.1.negated());
                outcome(&with(case, &material(case), negated))
            },
        },
        Fault {
            name: "blinded_of_p0",
            about: "Lines 8 and 9 as printed: each primary updates the blinded share of its own memory \
                    share, which the other one holds.",
            output: blinded_of_p0,
        },
        Fault {
            name: "shift_in_place",
            about: "The cyclic shift is done in place, index by index: words are copied along.",
            output: shift_in_place,
        },
        Fault {
            name: "shares_not_rerandomized",
            about: "The shares of F^(2) and F^(3) are sent as they were computed: the states are right, and \
                    P2 learns M.",
            output: shares_not_rerandomized,
        },
    ])
}
