//! All files of test vectors, as pure functions of nothing.
//!
//! Each module is a topic: its inputs, the outputs that the specification computes for them, and its faults, each a few
//! lines that do one thing the wrong way.
//!
//! The program `duoram` compiles this folder too: `duoram vectors` writes the files, and `duoram oracle` writes its answers
//! as they are written here.

mod aes;
mod and;
pub(crate) mod conversion;
pub(crate) mod distributed_generation;
mod dot_product;
pub(crate) mod dpf;
mod final_correction;
pub(crate) mod json;
pub(crate) mod prg;
mod product;
mod randomness;
pub(crate) mod read;
mod session;
mod sharing;
#[path = "../../../tests/support/mod.rs"]
mod support;
mod topic;
mod two_party_read;
pub(crate) mod update;
mod write;

use std::collections::BTreeSet;
use std::path::Path;
use std::{fs, io};

use serde_json::Value;

/// Every file: its name, and what is in it.
pub(crate) fn files() -> Vec<(String, Value)> {
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
        session::files(),
    ]
    .concat()
}

/// What a file holds: JSON, keys in alphabetical order whatever the features of `serde_json`, a newline at the end.
pub(crate) fn text(value: &Value) -> String {
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    format!("{sorted:#}\n")
}

/// Whether this is the name of a file of vectors.
pub(crate) fn is_json(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "json")
}

/// The files of `directory` that are not what [`files`] says: different, missing, or unknown.
pub(crate) fn stale(directory: &Path) -> io::Result<BTreeSet<String>> {
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
