//! The lean protocol's topics: files named `lean_*`.

pub mod delta;
pub mod layers;
pub mod load;
pub mod one_hot;
pub mod read;
mod rows;
pub mod session;
pub mod update;
pub mod write;

use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::core::vector::{scale, sub, unit_vector};
use duoram_spec::lean::memory::{State, shared};
use duoram_spec::lean::read::Flags;
use duoram_spec::lean::update::{Material, Values};
use serde_json::{Value, json};

use crate::Random;
use crate::json::word;

pub(crate) fn files() -> Vec<(String, Value)> {
    [
        layers::files(),
        one_hot::files(),
        delta::files(),
        load::files(),
        read::files(),
        update::files(),
        write::files(),
        session::files(),
        rows::files(),
    ]
    .concat()
}

/// A word of the ring: the 8 bytes that are sent.
pub fn ring_word(x: XorWord) -> Value {
    word(x.to_u64())
}

/// Words, one after another.
pub fn ring_words(x: &[XorWord]) -> Value {
    crate::json::words(&x.iter().map(|word| word.to_u64()).collect::<Vec<_>>())
}

/// The three parties' states.
pub fn state(state: &State<XorWord>) -> Value {
    json!({
        "p0": { "alpha": ring_words(&state.p0.alpha), "beta": ring_words(&state.p0.beta) },
        "p1": { "alpha": ring_words(&state.p1.alpha) },
        "p2": { "alpha": ring_words(&state.p2.alpha), "beta": ring_words(&state.p2.beta) },
    })
}

/// The sides of both DPFs, words of all leaves: of flags, zeros and all ones.
fn sides(a_0: &[XorWord], a_1: &[XorWord], b_0: &[XorWord], b_1: &[XorWord]) -> Value {
    json!({
        "a_0": ring_words(a_0), "a_1": ring_words(a_1), "b_0": ring_words(b_0), "b_1": ring_words(b_1)
    })
}

fn flag_sides(flags: &Flags<XorWord>) -> Value {
    sides(&flags.a_0, &flags.a_1, &flags.b_0, &flags.b_1)
}

fn value_sides(values: &Values<XorWord>) -> Value {
    sides(&values.a_0, &values.a_1, &values.b_0, &values.b_1)
}

/// The input that every operation has: states that agree, material that points at ri, shares of ri, of the address, of a value.
struct Operation {
    state: State<XorWord>,
    material: Material<XorWord>,
    index: (u64, u64),
    address: (u64, u64),
    value: (XorWord, XorWord),
}

impl Operation {
    /// n, of addresses and of words.
    fn size(&self) -> usize {
        self.state.p1.alpha.len()
    }
}

/// XOR shares of a word, whole words.
fn xor_shares(r: &mut Random, x: u64) -> (u64, u64) {
    let share = r.word();
    (share, x ^ share)
}

fn ring_shares(r: &mut Random, x: XorWord) -> (XorWord, XorWord) {
    let share: XorWord = r.ring();
    (share, x.minus(share))
}

/// Flags of n leaves that point at ri: each word is 0 or all ones.
fn flags(r: &mut Random, n: usize, ri: u64) -> Flags<XorWord> {
    let unit = |i| unit_vector::<XorWord>(n, i);
    let mut side = || -> Vec<XorWord> {
        (0..n).map(|_| if r.bit() { XorWord::one() } else { XorWord::zero() }).collect()
    };
    let (a_0, b_0) = (side(), side());
    let at = usize::try_from(ri).unwrap_or(0);
    Flags { a_1: sub(&unit(at), &a_0), b_1: sub(&unit(at), &b_0), a_0, b_0 }
}

fn operation(r: &mut Random, log_size: usize, address: u64, value: u64) -> Operation {
    let n = 1usize << log_size;
    let ri = r.below(n as u64);
    let state = shared::<XorWord>(&r.vector(n), &r.vector(n), &r.vector(n), &r.vector(n));
    let flags = flags(r, n, ri);
    let (r_a, r_b): (XorWord, XorWord) = (r.ring(), r.ring());
    let unit = unit_vector::<XorWord>(n, usize::try_from(ri).unwrap_or(0));
    let (a_0, b_0): (Vec<XorWord>, Vec<XorWord>) = (r.vector(n), r.vector(n));
    let (a_1, b_1) = (sub(&scale(r_a, &unit), &a_0), sub(&scale(r_b, &unit), &b_0));
    let ri_0 = r.below(n as u64);
    Operation {
        state,
        material: Material {
            flags,
            values: Values { a_0, a_1, b_0, b_1 },
            value_shares: ring_shares(r, r_a),
            delta: r_a.minus(r_b),
        },
        index: (ri_0, ri ^ ri_0),
        address: xor_shares(r, address),
        value: ring_shares(r, XorWord { bits: value }),
    }
}

/// The fields of READ's input.
fn read_input(case: &Operation) -> Value {
    json!({
        "state": state(&case.state),
        "flag_sides": flag_sides(&case.material.flags),
        "index_0": word(case.index.0),
        "index_1": word(case.index.1),
        "address_0": word(case.address.0),
        "address_1": word(case.address.1),
    })
}

/// The fields of UPDATE's, WRITE's and SWAP's input.
fn update_input(case: &Operation) -> Value {
    let mut input = read_input(case);
    for (name, value) in [
        ("value_sides", value_sides(&case.material.values)),
        ("value_share_0", ring_word(case.material.value_shares.0)),
        ("value_share_1", ring_word(case.material.value_shares.1)),
        ("delta", ring_word(case.material.delta)),
        ("value_0", ring_word(case.value.0)),
        ("value_1", ring_word(case.value.1)),
    ] {
        input[name] = value;
    }
    input
}
