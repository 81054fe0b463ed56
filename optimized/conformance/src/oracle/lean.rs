//! Requests about the lean protocol: the topics `lean_*` of the test vectors.

use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::ring::{Ring, XorWord};
use duoram_spec::lean::layers::{NODE_WORDS, flag_bits};
use duoram_spec::lean::memory::{State, State0, State1, State2};
use duoram_spec::lean::read::{Flags, read};
use duoram_spec::lean::update::{Material, Values, update};
use duoram_spec::lean::write::{Masks, swap};
use duoram_vectors::lean as vectors;
use serde_json::Value;

use super::fields::{Fields, Refusal};
use super::requests::{WHOLE, log_size, shares};

/// The fields of `lean_layers`.
pub(super) const LAYERS: [&str; 5] =
    ["session_key", "log_size", "label", "flag_correction", "word_correction"];

/// The fields of `lean_one_hot`.
pub(super) const ONE_HOT: [&str; 10] = [
    "log_size",
    "index_0",
    "index_1",
    "place_0",
    "place_1",
    "unit_0",
    "value_unit_0",
    "dealt_value_0",
    "dealt_value_1",
    "common",
];

/// The fields of `lean_delta`.
pub(super) const DELTA: [&str; 5] =
    ["value_share_a_0", "value_share_a_1", "value_share_b_0", "value_share_b_1", "x"];

/// The fields of `lean_read` but its mask, which the other operations have too.
pub(super) const READ: [&str; 6] = ["state", "flag_sides", "index_0", "index_1", "address_0", "address_1"];

/// What `lean_update` and `lean_write` have besides.
pub(super) const UPDATE: [&str; 6] =
    ["value_sides", "value_share_0", "value_share_1", "delta", "value_0", "value_1"];

/// A word of the ring.
fn ring(input: &Fields<'_>, name: &str) -> Result<XorWord, Refusal> {
    input.word(name).map(|bits| XorWord { bits })
}

/// So many words of the ring.
pub(super) fn ring_words(input: &Fields<'_>, name: &str, count: usize) -> Result<Vec<XorWord>, Refusal> {
    Ok(input.words(name, count)?.into_iter().map(|bits| XorWord { bits }).collect())
}

/// A node of a tree of any height.
pub(super) fn answer_layers(prg: AesPrg, input: &Fields<'_>) -> Result<Value, Refusal> {
    Ok(vectors::layers::outcome(&vectors::layers::Case {
        prg,
        log_size: log_size(input, 1..=40)?,
        label: input.block("label")?,
        flag_correction: input.block("flag_correction")?,
        word_correction: ring_words(input, "word_correction", NODE_WORDS)?,
    }))
}

pub(super) fn answer_one_hot(input: &Fields<'_>) -> Result<Value, Refusal> {
    let log_size = log_size(input, 1..=40)?;
    Ok(vectors::one_hot::outcome(&vectors::one_hot::Case {
        log_size,
        index: shares("index", |name| input.word_below(name, 1 << log_size))?,
        place: shares("place", |name| input.word_below(name, 1 << flag_bits(log_size)))?,
        unit_0: input.block("unit_0")?,
        value_unit_0: ring_words(input, "value_unit_0", NODE_WORDS)?,
        dealt_value: shares("dealt_value", |name| ring(input, name))?,
        common: ring(input, "common")?,
    }))
}

pub(super) fn answer_delta(input: &Fields<'_>) -> Result<Value, Refusal> {
    Ok(vectors::delta::outcome(&vectors::delta::Case {
        of_a: shares("value_share_a", |name| ring(input, name))?,
        of_b: shares("value_share_b", |name| ring(input, name))?,
        x: ring(input, "x")?,
    }))
}

pub(super) fn answer_load(input: &Fields<'_>) -> Result<Value, Refusal> {
    let n = 1 << input.log_count("memory_share_0", 16, &WHOLE)?;
    Ok(vectors::load::outcome(&vectors::load::Case {
        shares: shares("memory_share", |name| ring_words(input, name, n))?,
        x: ring_words(input, "x", n)?,
        beta: ring_words(input, "beta", n)?,
    }))
}

/// What all operations take.
struct Operation {
    state: State<XorWord>,
    flags: Flags<XorWord>,
    index: (u64, u64),
    address: (u64, u64),
    n: usize,
}

fn operation(input: &Fields<'_>) -> Result<Operation, Refusal> {
    let both = ["alpha", "beta"];
    let state = input.object("state", &["p0", "p1", "p2"])?;
    let (p0, p1) = (state.object("p0", &both)?, state.object("p1", &["alpha"])?);
    let p2 = state.object("p2", &both)?;
    let n = 1 << p0.log_count("alpha", 16, &WHOLE)?;
    let state = State {
        p0: State0 { alpha: ring_words(&p0, "alpha", n)?, beta: ring_words(&p0, "beta", n)? },
        p1: State1 { alpha: ring_words(&p1, "alpha", n)? },
        p2: State2 { alpha: ring_words(&p2, "alpha", n)?, beta: ring_words(&p2, "beta", n)? },
    };
    let sides = input.object("flag_sides", &SIDES)?;
    let side = |name| {
        let flags = ring_words(&sides, name, n)?;
        if flags.iter().all(|flag| [XorWord::zero(), XorWord::one()].contains(flag)) {
            return Ok(flags);
        }
        Err(sides.refuse(name, "words of zeros or of ones only"))
    };
    Ok(Operation {
        state,
        flags: Flags { a_0: side("a_0")?, a_1: side("a_1")?, b_0: side("b_0")?, b_1: side("b_1")? },
        index: shares("index", |name| input.word_below(name, n))?,
        address: shares("address", |name| input.word(name))?,
        n,
    })
}

/// The sides of both DPFs.
const SIDES: [&str; 4] = ["a_0", "a_1", "b_0", "b_1"];

/// What an UPDATE item has, and the shares of a value.
fn material(
    input: &Fields<'_>,
    flags: Flags<XorWord>,
    n: usize,
) -> Result<(Material<XorWord>, (XorWord, XorWord)), Refusal> {
    let sides = input.object("value_sides", &SIDES)?;
    let side = |name| ring_words(&sides, name, n);
    let material = Material {
        flags,
        values: Values { a_0: side("a_0")?, a_1: side("a_1")?, b_0: side("b_0")?, b_1: side("b_1")? },
        value_shares: shares("value_share", |name| ring(input, name))?,
        delta: ring(input, "delta")?,
    };
    Ok((material, shares("value", |name| ring(input, name))?))
}

pub(super) fn answer_read(input: &Fields<'_>) -> Result<Value, Refusal> {
    let Operation { state, flags, index, address, n } = operation(input)?;
    Ok(vectors::read::outcome(&read(&state, &flags, n, index, address, ring(input, "mask")?)))
}

pub(super) fn answer_update(input: &Fields<'_>) -> Result<Value, Refusal> {
    let Operation { state, flags, index, address, n } = operation(input)?;
    let (material, value) = material(input, flags, n)?;
    Ok(vectors::update::outcome(&update(&state, &material, n, index, address, value, ring(input, "x")?)))
}

pub(super) fn answer_write(input: &Fields<'_>) -> Result<Value, Refusal> {
    let Operation { state, flags, index, address, n } = operation(input)?;
    let (material, value) = material(input, flags, n)?;
    let masks = Masks { y_01: ring(input, "y_01")?, y_02: ring(input, "y_02")?, y_12: ring(input, "y_12")? };
    let mask = ring(input, "mask")?;
    Ok(vectors::write::outcome(&swap(&state, &material, n, index, address, value, masks, mask)))
}
