//! `duoram vectors`: the files of `spec/vectors`, byte for byte, and no other file is harmed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn spec() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec")
}

fn vectors(folder: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duoram"));
    command.args(["vectors", "--out"]).arg(folder).args(more).output().unwrap()
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file());
    files.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

/// What is committed, without the crate that is in the same folder.
fn committed() -> BTreeMap<String, Vec<u8>> {
    let mut files = contents(&spec().join("vectors"));
    files.retain(|name, _| {
        name == "README.md" || Path::new(name).extension().is_some_and(|ending| ending == "json")
    });
    files
}

fn succeed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn writes_the_committed_files_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new/vectors");
    let first = succeed(&vectors(&folder, &[]));
    let mut committed = committed();
    committed.insert("vectors.schema.json".to_owned(), fs::read(spec().join("vectors.schema.json")).unwrap());
    assert!(contents(&folder) == committed, "not the same files");
    let count = committed.len();
    assert!(first.contains(&format!("{count} files: {count} new, 0 replaced, 0 as they were")), "{first}");
    let second = succeed(&vectors(&folder, &[]));
    assert!(second.contains(&format!("0 new, 0 replaced, {count} as they were")), "{second}");
}

#[test]
fn a_corrupted_file_is_named_and_only_replaced_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeed(&vectors(folder, &[]));
    let good = contents(folder);
    let corrupted = String::from_utf8(good["read.json"].clone()).unwrap().replacen('1', "2", 1);
    fs::write(folder.join("read.json"), &corrupted).unwrap();
    fs::write(folder.join("README.md"), "my own").unwrap();
    fs::write(folder.join("other.txt"), "not a vector").unwrap();
    fs::remove_file(folder.join("prg.json")).unwrap();
    let complaint = refused(&vectors(folder, &[]));
    assert!(complaint.contains("read.json, README.md") && complaint.contains("--force"), "{complaint}");
    assert_eq!(fs::read_to_string(folder.join("read.json")).unwrap(), corrupted);
    assert!(!folder.join("prg.json").exists(), "nothing is written when something is refused");
    let forced = succeed(&vectors(folder, &["--force"]));
    assert!(forced.contains("1 new, 2 replaced"), "{forced}");
    let mut after = contents(folder);
    assert_eq!(after.remove("other.txt").unwrap(), b"not a vector");
    assert!(after == good);
}

#[test]
fn every_file_follows_the_json_schema_and_what_does_not_is_told() {
    let schema: Value =
        serde_json::from_slice(&fs::read(spec().join("vectors.schema.json")).unwrap()).unwrap();
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    compiler.add_resource("vectors.schema.json", schema).unwrap();
    let schema = compiler.compile("vectors.schema.json", &mut schemas).unwrap();
    let mut files = committed();
    files.retain(|name, _| name != "README.md");
    assert!(!files.is_empty());
    for (name, file) in &files {
        let file = serde_json::from_slice(file).unwrap();
        schemas.validate(&file, schema).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let read: Value = serde_json::from_slice(&files["read.json"]).unwrap();
    let wrong = [
        ("/schema", json!(2)),
        ("/vectors", json!([])),
        ("/vectors/0/name", json!("")),
        ("/vectors/0/output", json!({})),
        ("/vectors/0/input/mask", json!(5)),
        ("/vectors/0/input/mask", json!("0123456789abcde")),
        ("/vectors/0/input/mask", json!("0123456789ABCDEF")),
        ("/vectors/0/input/units/p0", json!(["", ""])),
        ("/vectors/0/input/state/p2", json!({ "blind_2": "" })),
        ("/vectors/0/input/state/p0/memory_share", json!("00")),
    ];
    for (place, value) in wrong {
        let mut changed = read.clone();
        *changed.pointer_mut(place).unwrap() = value.clone();
        assert!(schemas.validate(&changed, schema).is_err(), "{place}: {value}");
    }
}

#[test]
fn a_folder_that_cannot_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(refused(&vectors(&file, &[])).contains("file"));
    assert_eq!(fs::read(&file).unwrap(), b"");
}
