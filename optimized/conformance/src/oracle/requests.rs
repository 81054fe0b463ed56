//! What can be asked, and the specification's answers.
//!
//! A request that is a topic of the test vectors takes the `input` of a vector and gives its `output`, to the letter: the
//! answers are written by the code that writes the vectors.

use std::ops::RangeInclusive;

use duoram_spec::core::aes::expand_key;
use duoram_spec::core::block::replicate;
use duoram_spec::core::dealer::generate;
use duoram_spec::core::distributed_gen::{self, distributed_generation};
use duoram_spec::core::dpf::{Correction, Key, eval, eval_full, value_words};
use duoram_spec::core::du_atallah::{AndTriple, ProductTriple};
use duoram_spec::core::prg::AesPrg;
use duoram_spec::core::share::Primary;
use duoram_spec::paper::conversion::{self, conversion, unit_share};
use duoram_spec::paper::memory::{HelperState, PrimaryState, State};
use duoram_spec::paper::read::{UnitVectors, read};
use duoram_spec::paper::update::ValueVectors;
use serde_json::{Value, json};

use super::fields::{Fields, Refusal};
use super::{lean, sessions, two_party};

/// Every request.
pub const NAMES: [&str; 25] = [
    "prg",
    "gen",
    "eval",
    "evalfull",
    "distributed_generation",
    "conversion",
    "read",
    "update",
    "write",
    "two_party_read",
    "two_party_triple",
    "two_party_masks",
    "two_party_update",
    "two_party_write",
    "two_party_session",
    "randomness",
    "session",
    "lean_layers",
    "lean_one_hot",
    "lean_delta",
    "lean_load",
    "lean_read",
    "lean_update",
    "lean_write",
    "lean_session",
];

/// The fields of `update`, which `write` has too.
const UPDATE: [&str; 11] = [
    "state",
    "units",
    "values",
    "delta_2",
    "delta_3",
    "index_0",
    "index_1",
    "address_0",
    "address_1",
    "value_0",
    "value_1",
];

/// The h that the protocol allows: where only a path is computed.
const PATH: RangeInclusive<u64> = 1..=40;

/// The h up to which whole trees or memories are taken: the specification is slow, and a line must have an end.
pub(super) const WHOLE: RangeInclusive<u64> = 1..=14;

/// What is kept from one request to the next: the key schedule of the session key that was used last, since it costs the
/// specification more than a hundred small answers.
#[derive(Default)]
pub(super) struct Requests {
    last: Option<([u8; 16], AesPrg)>,
}

impl Requests {
    /// The output of a request.
    ///
    /// # Errors
    ///
    /// A request that is unknown, or an input that does not fit it.
    pub(super) fn answer(&mut self, request: &str, input: &Value) -> Result<Value, Refusal> {
        let input = |known: &[&str]| Fields::new("input", input, known);
        match request {
            "prg" => self.prg(&input(&["session_key", "label"])?),
            "gen" => self.generate(&input(&["session_key", "log_size", "target", "root_0", "root_1"])?),
            "eval" => self.eval(&input(&["session_key", "key", "address"])?),
            "evalfull" => self.eval_full(&input(&["session_key", "key", "party"])?),
            "distributed_generation" => {
                self.distributed_generation(&input(&["session_key", "log_size", "target", "p0", "p1"])?)
            }
            "conversion" => answer_conversion(&input(&["p0", "p1"])?),
            "read" => answer_read(&input(&[
                "state",
                "units",
                "index_0",
                "index_1",
                "address_0",
                "address_1",
                "mask",
            ])?),
            "update" => answer_update(&input(&UPDATE)?),
            "write" => {
                let read = ["read_units", "read_index_0", "read_index_1", "mask"];
                answer_write(&input(&[&UPDATE[..], &read].concat())?)
            }
            "two_party_read" => answer_two_party_read(&input(&[
                "memory_share_0",
                "memory_share_1",
                "address_0",
                "address_1",
                "query_index_0",
                "query_index_1",
                "blind_0",
                "blind_1",
            ])?),
            "two_party_triple" => two_party::answer_triple(&input(&["bit_0", "bit_1", "sent_0", "sent_1"])?),
            "two_party_masks" => two_party::answer_masks(&input(&["sent", "table", "query_index"])?),
            "two_party_update" => two_party::answer_update(&input(&two_party::UPDATE)?),
            "two_party_write" => {
                two_party::answer_write(&input(&[&two_party::UPDATE[..], &two_party::READ].concat())?)
            }
            "two_party_session" => two_party::answer_session(&input(&two_party::SESSION)?),
            "randomness" => sessions::answer_randomness(&input(&["seed", "count"])?),
            "session" => sessions::answer_session(&input(&sessions::SESSION)?),
            "lean_layers" => {
                let case = input(&lean::LAYERS)?;
                let prg = self.prg_of(&case)?.clone();
                lean::answer_layers(prg, &case)
            }
            "lean_one_hot" => lean::answer_one_hot(&input(&lean::ONE_HOT)?),
            "lean_delta" => lean::answer_delta(&input(&lean::DELTA)?),
            "lean_load" => lean::answer_load(&input(&["memory_share_0", "memory_share_1", "x", "beta"])?),
            "lean_read" => lean::answer_read(&input(&[&lean::READ[..], &["mask"]].concat())?),
            "lean_update" => lean::answer_update(&input(&[&lean::READ[..], &lean::UPDATE, &["x"]].concat())?),
            "lean_write" => {
                let masks = ["y_01", "y_02", "y_12", "mask"];
                lean::answer_write(&input(&[&lean::READ[..], &lean::UPDATE, &masks].concat())?)
            }
            "lean_session" => sessions::answer_lean_session(&input(&sessions::LEAN_SESSION)?),
            unknown => Err(Refusal {
                field: "line.request".to_owned(),
                expected: format!("one of {}", NAMES.join(", ")),
                got: unknown.chars().take(80).collect(),
            }),
        }
    }

    fn prg_of(&mut self, input: &Fields<'_>) -> Result<&AesPrg, Refusal> {
        let key = input.session_key("session_key")?;
        let last = self.last.take().filter(|(last, _)| *last == key);
        let (_, prg) = self.last.insert(last.unwrap_or_else(|| (key, AesPrg { aes: expand_key(&key) })));
        Ok(prg)
    }

    fn prg(&mut self, input: &Fields<'_>) -> Result<Value, Refusal> {
        let label = input.block("label")?;
        Ok(duoram_vectors::prg::output(self.prg_of(input)?, label))
    }

    fn generate(&mut self, input: &Fields<'_>) -> Result<Value, Refusal> {
        let log_size = log_size(input, PATH)?;
        let target = input.number("target", 0..=(1 << log_size) - 1)?;
        let (root_0, root_1) = (input.block("root_0")?, input.block("root_1")?);
        let (key_0, key_1) = generate(self.prg_of(input)?, target, log_size, root_0, root_1);
        Ok(json!({ "key_0": duoram_vectors::json::key(&key_0), "key_1": duoram_vectors::json::key(&key_1) }))
    }

    fn eval(&mut self, input: &Fields<'_>) -> Result<Value, Refusal> {
        let key = key(input, PATH)?;
        let address = input.number("address", 0..=(1 << key.corrections.len()) - 1)?;
        Ok(json!({ "label": duoram_vectors::json::block(eval(self.prg_of(input)?, &key, address)) }))
    }

    fn eval_full(&mut self, input: &Fields<'_>) -> Result<Value, Refusal> {
        let key = key(input, WHOLE)?;
        let party = if input.number("party", 0..=1)? == 0 { Primary::P0 } else { Primary::P1 };
        Ok(duoram_vectors::dpf::leaves(party, &eval_full(self.prg_of(input)?, &key), value_words))
    }

    fn distributed_generation(&mut self, input: &Fields<'_>) -> Result<Value, Refusal> {
        let log_size = log_size(input, WHOLE)?;
        let party = |name| -> Result<distributed_gen::Input, Refusal> {
            let party = input.object(name, &["target_bits", "root", "triples"])?;
            let triples = party.object("triples", &["x", "y", "z"])?;
            let x = triples.bits("x", log_size)?;
            let (y, z) = (triples.blocks("y", log_size)?, triples.blocks("z", log_size)?);
            let triple = |level: usize| AndTriple { x: replicate(x[level]), y: y[level], z: z[level] };
            Ok(distributed_gen::Input {
                target_bits: party.bits("target_bits", log_size)?,
                root: party.block("root")?,
                triples: (0..log_size).map(triple).collect(),
            })
        };
        let (p0, p1) = (party("p0")?, party("p1")?);
        // The vectors name the target for the reader. Whoever names it gets it checked.
        let bits = p0.target_bits.iter().zip(&p1.target_bits);
        let shared = bits.fold(0, |target, (bit_0, bit_1)| target << 1 | u64::from(bit_0 ^ bit_1));
        if input.has("target") && input.number("target", 0..=(1 << log_size) - 1)? != shared {
            return Err(input.refuse("target", format!("{shared}, which target_bits share")));
        }
        Ok(duoram_vectors::distributed_generation::output(&distributed_generation(
            self.prg_of(input)?,
            &p0,
            &p1,
        )))
    }
}

pub(super) fn log_size(input: &Fields<'_>, range: RangeInclusive<u64>) -> Result<usize, Refusal> {
    input.number("log_size", range).map(|log_size| usize::try_from(log_size).unwrap_or_default())
}

/// The field `key`; its height is the number of its correction words.
fn key(input: &Fields<'_>, heights: RangeInclusive<u64>) -> Result<Key, Refusal> {
    const BLOCK_DIGITS: usize = 32;
    let fields = input.object("key", &["root", "words", "left_flags", "right_flags"])?;
    let height = fields.text("words", "hexadecimal digits")?.len().div_ceil(BLOCK_DIGITS);
    if !heights.contains(&(height as u64)) {
        let (least, most) = heights.into_inner();
        return Err(fields.refuse("words", format!("{least} to {most} blocks of 32 hexadecimal digits")));
    }
    let words = fields.blocks("words", height)?;
    if words.iter().any(|word| word & 1 == 1) {
        return Err(fields.refuse("words", "correction words whose lowest bit is 0"));
    }
    let (left, right) = (fields.bits("left_flags", height)?, fields.bits("right_flags", height)?);
    let corrections = words.into_iter().zip(left).zip(right);
    Ok(Key {
        root: fields.block("root")?,
        corrections: corrections
            .map(|((word, left_flag), right_flag)| Correction { word, left_flag, right_flag })
            .collect(),
    })
}

fn answer_conversion(input: &Fields<'_>) -> Result<Value, Refusal> {
    let fields = ["labels", "blind", "triple"];
    let n = 1 << input.object("p0", &fields)?.log_count("labels", 32, &WHOLE)?;
    let party = |name| -> Result<conversion::Input<u64>, Refusal> {
        let party = input.object(name, &fields)?;
        let triple = party.object("triple", &["x", "y", "z"])?;
        Ok(conversion::Input {
            labels: party.blocks("labels", n)?,
            blind: party.word("blind")?,
            triple: ProductTriple { x: triple.word("x")?, y: triple.word("y")?, z: triple.word("z")? },
        })
    };
    let (p0, p1) = (party("p0")?, party("p1")?);
    let outcome = conversion(&p0, &p1);
    let unit = |party, input: &conversion::Input<u64>| unit_share(party, &input.labels, outcome.factor);
    Ok(duoram_vectors::conversion::output(&outcome, [&unit(Primary::P0, &p0), &unit(Primary::P1, &p1)]))
}

/// The field `state`, and n.
fn state(input: &Fields<'_>) -> Result<(State<u64>, usize), Refusal> {
    let state = input.object("state", &["p0", "p1", "p2"])?;
    let vectors = ["memory_share", "blind", "blinded"];
    let n = 1 << state.object("p0", &vectors)?.log_count("memory_share", 16, &WHOLE)?;
    let primary = |name| -> Result<PrimaryState<u64>, Refusal> {
        let party = state.object(name, &vectors)?;
        Ok(PrimaryState {
            memory_share: party.words("memory_share", n)?,
            blind: party.words("blind", n)?,
            blinded: party.words("blinded", n)?,
        })
    };
    let helper = state.object("p2", &["blind_0", "blind_1"])?;
    let p2 = HelperState { blind_0: helper.words("blind_0", n)?, blind_1: helper.words("blind_1", n)? };
    Ok((State { p0: primary("p0")?, p1: primary("p1")?, p2 }, n))
}

/// Three vectors of n words.
type Three = (Vec<u64>, Vec<u64>, Vec<u64>);

/// The fields `units` and `values`: for each primary the vectors of DPF 1, 2, 3.
fn triple_vectors(input: &Fields<'_>, name: &str, n: usize) -> Result<(Three, Three), Refusal> {
    let parties = input.object(name, &["p0", "p1"])?;
    let party = |party: &str| -> Result<Three, Refusal> {
        let items = parties.array::<3>(party)?;
        // As fields of their own, so that a refusal says which one is meant.
        let numbered = json!({ "1": items[0], "2": items[1], "3": items[2] });
        let fields = Fields::new(&format!("input.{name}.{party}"), &numbered, &["1", "2", "3"])?;
        Ok((fields.words("1", n)?, fields.words("2", n)?, fields.words("3", n)?))
    };
    Ok((party("p0")?, party("p1")?))
}

/// Two fields `name_0` and `name_1`.
pub(super) fn shares<T>(name: &str, share: impl Fn(&str) -> Result<T, Refusal>) -> Result<(T, T), Refusal> {
    Ok((share(&format!("{name}_0"))?, share(&format!("{name}_1"))?))
}

fn answer_read(input: &Fields<'_>) -> Result<Value, Refusal> {
    let (state, n) = state(input)?;
    let (p0, p1) = triple_vectors(input, "units", n)?;
    let index = shares("index", |name| input.word_below(name, n))?;
    let address = shares("address", |name| input.word(name))?;
    let outcome = read(&state, &UnitVectors { p0, p1 }, index, address, input.word("mask")?);
    Ok(duoram_vectors::read::outcome(&outcome))
}

/// The input of an UPDATE, and n.
fn update_case(input: &Fields<'_>) -> Result<(duoram_vectors::update::Case, usize), Refusal> {
    let (state, n) = state(input)?;
    let (units, values) = (triple_vectors(input, "units", n)?, triple_vectors(input, "values", n)?);
    let case = duoram_vectors::update::Case {
        state,
        units: UnitVectors { p0: units.0, p1: units.1 },
        values: ValueVectors { p0: values.0, p1: values.1 },
        deltas: (input.word("delta_2")?, input.word("delta_3")?),
        index: shares("index", |name| input.word_below(name, n))?,
        address: shares("address", |name| input.word(name))?,
        value: shares("value", |name| input.word(name))?,
    };
    Ok((case, n))
}

fn answer_update(input: &Fields<'_>) -> Result<Value, Refusal> {
    let (case, _) = update_case(input)?;
    Ok(duoram_vectors::update::outcome(&duoram_vectors::update::right(&case)))
}

fn answer_write(input: &Fields<'_>) -> Result<Value, Refusal> {
    let (update, n) = update_case(input)?;
    let (p0, p1) = triple_vectors(input, "read_units", n)?;
    Ok(duoram_vectors::write::outcome(&duoram_vectors::write::Case {
        units: UnitVectors { p0, p1 },
        index: shares("read_index", |name| input.word_below(name, n))?,
        mask: input.word("mask")?,
        update,
    }))
}

fn answer_two_party_read(input: &Fields<'_>) -> Result<Value, Refusal> {
    let n = 1 << input.log_count("memory_share_0", 16, &WHOLE)?;
    Ok(duoram_vectors::two_party_read::outcome(&duoram_vectors::two_party_read::Case {
        memory: (input.words("memory_share_0", n)?, input.words("memory_share_1", n)?),
        address: shares("address", |name| input.word(name))?,
        index: shares("query_index", |name| input.word_below(name, n))?,
        blinds: shares("blind", |name| input.word(name))?,
    }))
}
