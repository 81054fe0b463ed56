//! The committed test vectors: they are what the specification computes, and each bad one is wrong.
#![allow(missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use duoram_vectors::{files, is_json, stale, text};
use serde_json::Value;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The committed files, by name.
fn committed() -> BTreeMap<String, Value> {
    fs::read_dir(directory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| is_json(name))
        .map(|name| {
            let text = fs::read_to_string(directory().join(&name)).unwrap();
            (name, serde_json::from_str(&text).unwrap())
        })
        .collect()
}

fn vectors(file: &Value) -> &[Value] {
    file["vectors"].as_array().unwrap()
}

/// The vector of the good file that a vector of a bad file belongs to.
fn counterpart<'a>(files: &'a BTreeMap<String, Value>, bad: &str, vector: &Value) -> &'a Value {
    let (good, _) = bad.split_once("_bad_").unwrap();
    let good = files.get(&format!("{good}.json")).unwrap_or_else(|| panic!("{bad} has no good file"));
    let found = vectors(good).iter().find(|v| v["name"] == vector["name"] && v["input"] == vector["input"]);
    found.unwrap_or_else(|| panic!("{bad}, {}: not an input of the good file", vector["name"]))
}

/// Whether two values have the same fields and lengths, so that they can be mistaken for each other.
fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(k, v)| b.get(k).is_some_and(|w| alike(v, w)))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(v, w)| alike(v, w)),
        (Value::String(a), Value::String(b)) => a.len() == b.len(),
        _ => a == b,
    }
}

#[test]
fn committed_files_are_what_the_specification_computes() {
    assert_eq!(stale(&directory()).unwrap(), BTreeSet::new());
}

#[test]
fn a_changed_a_missing_and_an_unknown_file_are_noticed() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vectors");
    let _ = fs::remove_dir_all(&scratch);
    fs::create_dir_all(&scratch).unwrap();
    for (name, value) in files() {
        fs::write(scratch.join(name), text(&value)).unwrap();
    }
    assert_eq!(stale(&scratch).unwrap(), BTreeSet::new());
    let changed = fs::read_to_string(scratch.join("prg.json")).unwrap().replacen("\"00", "\"01", 1);
    fs::write(scratch.join("prg.json"), changed).unwrap();
    fs::remove_file(scratch.join("read.json")).unwrap();
    fs::write(scratch.join("unknown.json"), "{}\n").unwrap();
    let expected = ["prg.json", "read.json", "unknown.json"].map(str::to_owned);
    assert_eq!(stale(&scratch).unwrap(), BTreeSet::from(expected));
}

#[test]
fn every_file_follows_the_schema() {
    for (name, file) in committed() {
        let keys: BTreeSet<&str> = file.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, BTreeSet::from(["about", "paper", "schema", "vectors"]), "{name}");
        assert_eq!(file["schema"], 1, "{name}");
        assert!(!vectors(&file).is_empty(), "{name} is empty");
        let names: BTreeSet<&str> = vectors(&file).iter().map(|v| v["name"].as_str().unwrap()).collect();
        assert_eq!(names.len(), vectors(&file).len(), "{name}: names of vectors are unique");
        for vector in vectors(&file) {
            assert!(
                vector["input"].is_object() && vector["output"].is_object(),
                "{name}, {}",
                vector["name"]
            );
        }
    }
}

#[test]
fn every_bad_output_is_wrong_for_an_input_of_the_good_file() {
    let files = committed();
    let bad: Vec<_> = files.iter().filter(|(name, _)| name.contains("_bad_")).collect();
    assert!(!bad.is_empty());
    for (name, file) in bad {
        for vector in vectors(file) {
            let good = counterpart(&files, name, vector);
            assert_ne!(good["output"], vector["output"], "{name}, {}: the right output", vector["name"]);
            assert!(alike(&good["output"], &vector["output"]), "{name}, {}: another shape", vector["name"]);
        }
    }
}

/// The faults that give something away and compute the right thing all the same: what is equal, by JSON pointer.
#[test]
fn some_faults_show_in_messages_only() {
    let files = committed();
    for (name, equal) in [
        (
            "distributed_generation_bad_cw_lowest_bit.json",
            &["/key_0", "/key_1", "/labels_0", "/labels_1"][..],
        ),
        ("read_bad_shift_not_reduced.json", &["/gamma_0", "/gamma_1", "/read_0", "/read_1"]),
        ("update_bad_shares_not_rerandomized.json", &["/state"]),
        ("session_bad_index_from_dpf_2.json", &["/state", "/memory"]),
        ("session_bad_material_used_twice.json", &["/memory"]),
        ("lean_delta_bad_shares_not_masked.json", &["/delta"]),
        ("lean_load_bad_share_of_p0_not_masked.json", &["/opened_alpha", "/opened_beta"]),
        ("lean_load_bad_share_of_p1_not_masked.json", &["/opened_alpha", "/opened_beta"]),
        ("lean_read_bad_mask_missing.json", &["/opened"]),
        ("lean_read_bad_shift_not_cut.json", &["/unblinding", "/read_0", "/read_1"]),
        ("lean_update_bad_values_not_masked.json", &["/state"]),
        ("lean_write_bad_parts_not_masked.json", &["/state", "/opened"]),
        ("lean_session_bad_item_used_twice.json", &["/memory"]),
        ("lean_session_bad_mask_stale.json", &["/state", "/memory"]),
        ("lean_rows_bad_one_mask_a_row.json", &["/state", "/memory"]),
    ] {
        for vector in vectors(&files[name]) {
            let good = &counterpart(&files, name, vector)["output"];
            for field in equal {
                let value = good.pointer(field);
                assert!(value.is_some() && value == vector["output"].pointer(field), "{name}: {field}");
            }
        }
    }
}

#[test]
fn the_readme_names_every_file_and_no_other() {
    let readme = fs::read_to_string(directory().join("README.md")).unwrap();
    let named: BTreeSet<String> = readme
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|code| is_json(code) && code.chars().all(|c| c.is_ascii_alphanumeric() || "_.".contains(c)))
        .map(str::to_owned)
        .collect();
    assert_eq!(named, committed().into_keys().collect());
}
