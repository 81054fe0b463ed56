//! The test vectors of the specification, and the generators of test data that all crates share.
//!
//! The files beside this crate, `spec/vectors/*.json`, are what [`files`] returns, and `README.md` there says what they mean.
//! `cargo run -p duoram-vectors` writes them, and with `--check` compares them.
//!
//! Each module is a topic: its inputs, the outputs that the specification computes for them, and its faults, each a few
//! lines that do one thing the wrong way. Whoever answers in the format of the vectors (`duoram oracle`) uses the functions
//! of the topic, so that what an answer looks like is said once.
//!
//! [`aes_answers`] are the one thing here that the specification does not compute: NIST's known answers.
//!
//! [`Random`] is the one deterministic generator of the tests. Besides words it yields what the specification's functions
//! take: triples, prepared items, states.

mod aes;
mod aes_answers;
mod and;
pub mod conversion;
pub mod distributed_generation;
mod dot_product;
pub mod dpf;
mod final_correction;
pub mod json;
pub mod lean;
mod material;
pub mod prg;
mod product;
mod random;
pub mod randomness;
pub mod read;
pub mod session;
mod sharing;
mod topic;
pub mod two_party;
pub mod two_party_read;
pub mod update;
pub mod values;
pub mod write;

pub use aes_answers::{AesAnswer, aes_answers};
pub use random::Random;

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use serde_json::Value;

/// Every file: its name, and what is in it.
pub fn files() -> Vec<(String, Value)> {
    [
        aes::files(),
        prg::files(),
        randomness::files(),
        sharing::files(),
        dpf::files(),
        final_correction::files(),
        and::files(),
        product::files(),
        dot_product::files(),
        distributed_generation::files(),
        conversion::files(),
        read::files(),
        update::files(),
        write::files(),
        two_party_read::files(),
        two_party::files(),
        session::files(),
        lean::files(),
    ]
    .concat()
}

/// What a file holds: JSON, keys in alphabetical order whatever the features of `serde_json`, a newline at the end.
pub fn text(value: &Value) -> String {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    format!("{sorted:#}\n")
}

/// Whether this is the name of a file of vectors.
pub fn is_json(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "json")
}

/// The files of `directory` that are not what [`files`] says: different, missing, or unknown.
///
/// # Errors
///
/// If the directory cannot be read.
pub fn stale(directory: &Path) -> io::Result<BTreeSet<String>> {
    let mut stale = BTreeSet::new();
    let mut known = BTreeSet::new();
    for (name, value) in files() {
        let committed = fs::read_to_string(directory.join(&name)).ok();
        if committed.as_ref() != Some(&text(&value)) {
            stale.insert(name.clone());
        }
        known.insert(name);
    }
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if is_json(&name) && !known.contains(&name) {
            stale.insert(name);
        }
    }
    Ok(stale)
}
