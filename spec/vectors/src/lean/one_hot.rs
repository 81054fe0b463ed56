//! Dealt one-hot shares, moved to ri, and the value there.

use duoram_spec::core::block::Block;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::vector::add;
use duoram_spec::lean::layers::flag_bits;
use duoram_spec::lean::one_hot::{
    dealt_one_hot, dealt_value, low_bits, moved_block, moved_share, moved_value,
};
use serde_json::{Value, json};

use super::{ring_word, ring_words};
use crate::Random;
use crate::json::{block, word};
use crate::topic::{Fault, Topic};

/// What is drawn for a DPF of an UPDATE item.
pub struct Case {
    /// h
    pub log_size: usize,
    /// `ri_0`, `ri_1`, of h bits
    pub index: (u64, u64),
    /// `r_0`, `r_1`, of kf bits
    pub place: (u64, u64),
    /// `u_0`
    pub unit_0: Block,
    /// `U_0`, 8 words
    pub value_unit_0: Vec<XorWord>,
    /// `R'_0`, `R'_1`
    pub dealt_value: (XorWord, XorWord),
    /// G
    pub common: XorWord,
}

/// The output of a vector.
pub fn outcome(case: &Case) -> Value {
    output(case, case.common)
}

fn cases() -> Vec<(String, Case)> {
    let mut r = Random(0x1e407);
    [1, 2, 3, 7, 20]
        .map(|log_size| {
            let cut = |x| low_bits(x, log_size);
            let place = |x| low_bits(x, flag_bits(log_size));
            let case = Case {
                log_size,
                index: (cut(r.word()), cut(r.word())),
                place: (place(r.word()), place(r.word())),
                unit_0: r.block(),
                value_unit_0: r.vector(8),
                dealt_value: (r.ring(), r.ring()),
                common: r.ring(),
            };
            (format!("h = {log_size}"), case)
        })
        .into()
}

fn input(case: &Case) -> Value {
    json!({
        "log_size": case.log_size,
        "index_0": word(case.index.0),
        "index_1": word(case.index.1),
        "place_0": word(case.place.0),
        "place_1": word(case.place.1),
        "unit_0": block(case.unit_0),
        "value_unit_0": ring_words(&case.value_unit_0),
        "dealt_value_0": ring_word(case.dealt_value.0),
        "dealt_value_1": ring_word(case.dealt_value.1),
        "common": ring_word(case.common),
    })
}

/// With G, `common`, given by itself: the fault forgets it.
fn output(case: &Case, common: XorWord) -> Value {
    let bits = flag_bits(case.log_size);
    let unit_1 = dealt_one_hot(case.unit_0, case.place.0, case.place.1);
    let value = case.dealt_value.0.plus(case.dealt_value.1);
    let value_unit_1 = dealt_value(&case.value_unit_0, value, case.place.0 ^ case.place.1);
    let moved =
        (moved_share(case.index.0, case.place.0, bits), moved_share(case.index.1, case.place.1, bits));
    let e = moved.0 ^ moved.1;
    let (one_hot_0, one_hot_1) = (moved_block(case.unit_0, e), moved_block(unit_1, e));
    let shares = (
        moved_value(&case.value_unit_0, e, common, one_hot_0),
        moved_value(&value_unit_1, e, common, one_hot_1),
    );
    json!({
        "unit_1": block(unit_1),
        "value_unit_1": ring_words(&value_unit_1),
        "moved_0": word(moved.0),
        "moved_1": word(moved.1),
        "one_hot_0": block(one_hot_0),
        "one_hot_1": block(one_hot_1),
        "value_one_hot_0": ring_words(&shares.0),
        "value_one_hot_1": ring_words(&shares.1),
        "opened": ring_words(&add(&shares.0, &shares.1)),
    })
}

pub(crate) fn files() -> Vec<(String, Value)> {
    Topic {
        name: "lean_one_hot",
        about: "What P2 deals, at r, and the primaries move to ri: shares of onehot(ri mod 2^kf), and of \
                R onehot(ri mod 8) with R = R' + G.",
        paper: "not in the paper; spec/src/lean/one_hot.rs",
        cases: cases(),
        input,
        output: outcome,
    }
    .files(&[Fault {
        name: "value_known_to_the_dealer",
        about: "G is left out: R is what P2 dealt, and P2 reads M off the final correction.",
        output: |case| output(case, XorWord::zero()),
    }])
}
