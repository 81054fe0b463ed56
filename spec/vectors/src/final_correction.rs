//! The final correction word: at once, by the dealer, and deferred, in shares.

use duoram_spec::core::block::Block;
use duoram_spec::core::dealer::{
    deferred_final_correction, final_correction, final_correction_share, generate_value, leaf_value,
};
use duoram_spec::core::dpf::{eval_full, leaf, value_words};
use duoram_spec::core::ring::Ring;
use duoram_spec::core::share::Primary;
use serde_json::{Value, json};

use crate::Random;
use crate::dpf;
use crate::json::{word, words};
use crate::topic::{Fault, Topic};

struct Case {
    dpf: dpf::Case,
    value: u64,
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0xf);
    let edges = [0, 1, u64::MAX];
    dpf::cases(0xf1a1)
        .into_iter()
        .enumerate()
        .map(|(i, (name, dpf))| {
            let value = edges.get(i).copied().unwrap_or_else(|| r.word());
            (format!("{name}, value {value}"), Case { dpf, value })
        })
        .collect()
}

fn leaves(case: &Case) -> (Vec<Block>, Vec<Block>) {
    let (key_0, key_1) = dpf::keys(&case.dpf);
    (eval_full(&case.dpf.prg, &key_0), eval_full(&case.dpf.prg, &key_1))
}

fn output(case: &Case, f: u64) -> Value {
    let (labels_0, labels_1) = leaves(case);
    let share = |party, labels: &[Block]| {
        let values: Vec<u64> = labels.iter().map(|label| leaf_value(party, *label, f)).collect();
        let deferred: u64 = final_correction_share(&value_words(party, labels));
        json!({ "values": words(&values), "deferred_share": word(deferred) })
    };
    json!({
        "final_correction": word(f),
        "p0": share(Primary::P0, &labels_0),
        "p1": share(Primary::P1, &labels_1),
        "deferred": word(deferred_final_correction(&labels_0, &labels_1, case.dpf.target)),
    })
}

fn right(case: &Case) -> u64 {
    let Case { dpf, value } = case;
    generate_value(&dpf.prg, dpf.target, dpf.log_size, *value, dpf.roots.0, dpf.roots.1).0.final_correction
}

/// F as if the flag at the target were always P0's.
fn sign_ignored(case: &Case) -> u64 {
    let (labels_0, labels_1) = leaves(case);
    let (label_0, label_1) = (leaf(&labels_0, case.dpf.target), leaf(&labels_1, case.dpf.target));
    let f: u64 = final_correction(label_0, label_1, case.value);
    if label_1 & 1 == 1 { f.negated() } else { f }
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "final_correction",
        about: "The final correction word F of a value, the additive shares of the point function that \
                follow, and the shares of the deferred final correction word, F_b, which add up to the F of \
                the value 0 but for its sign.",
        paper: "definition 2; deferred: sections 4 and 4.1.1",
        cases: cases(),
        input: |case| {
            let mut input = dpf::input(&case.dpf);
            input["value"] = word(case.value);
            input
        },
        output: |case| output(case, right(case)),
    }
    .files(&[Fault {
        name: "sign_ignored",
        about: "F is not negated where P1 has the flag: the value at the target comes out wrong.",
        output: |case| output(case, sign_ignored(case)),
    }])
}
