//! The load of a memory.

use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::memory::{loaded_alpha_0, masked_share, opened_alpha, opened_beta, shared};
use serde_json::{Value, json};

use super::{ring_words, state};
use crate::Random;
use crate::topic::{Fault, Topic};

/// A memory in shares, and what is drawn; n words each.
pub struct Case {
    /// `D_0`, `D_1`
    pub shares: (Vec<XorWord>, Vec<XorWord>),
    /// x
    pub x: Vec<XorWord>,
    /// B
    pub beta: Vec<XorWord>,
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    output(case, &case.x, &case.beta)
}

fn output(case: &Case, x: &[XorWord], beta: &[XorWord]) -> Value {
    let loaded = shared(&case.shares.0, &case.shares.1, x, beta);
    json!({
        "sent_0": ring_words(&loaded_alpha_0(&case.shares.0, x)),
        "sent_1": ring_words(&masked_share(&case.shares.1, beta)),
        "state": state(&loaded),
        "opened_alpha": ring_words(&opened_alpha(&loaded)),
        "opened_beta": ring_words(&opened_beta(&loaded)),
    })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    let mut r = Random(0x10ad);
    let mut case = |log_size: usize| {
        let n = 1 << log_size;
        let case = Case { shares: (r.vector(n), r.vector(n)), x: r.vector(n), beta: r.vector(n) };
        (format!("h = {log_size}"), case)
    };
    Topic {
        name: "lean_load",
        about: "A load from the primaries' shares: A, which P0 sends P2, D_1 - B, which P1 sends P0, and the states.",
        paper: "not in the paper; spec/src/lean/memory.rs",
        cases: vec![case(1), case(4)],
        input: |case| {
            json!({
                "memory_share_0": ring_words(&case.shares.0),
                "memory_share_1": ring_words(&case.shares.1),
                "x": ring_words(&case.x),
                "beta": ring_words(&case.beta),
            })
        },
        output: outcome,
    }
    .files(&[
        Fault {
            name: "share_of_p0_not_masked",
            about: "x is left out: both sharings open to the memory, and P2 holds P0's share of it.",
            output: |case| output(case, &vec![XorWord::zero(); case.x.len()], &case.beta),
        },
        Fault {
            name: "share_of_p1_not_masked",
            about: "B is zero: both sharings open to the memory, and P0 holds P1's share of it.",
            output: |case| output(case, &case.x, &vec![XorWord::zero(); case.x.len()]),
        },
    ])
}
