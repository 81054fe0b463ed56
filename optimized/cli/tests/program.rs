//! The program, as the tests run it.

use std::process::{Command, Output};

use serde_json::Value;

pub(crate) fn duoram(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_duoram")).args(arguments).output().unwrap()
}

/// Standard output of a command that succeeds.
pub(crate) fn succeed(arguments: &[&str]) -> String {
    let output = duoram(arguments);
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "duoram {arguments:?}\n{stdout}\n{stderr}");
    stdout
}

/// Standard error of a command that fails with this code.
pub(crate) fn fail(code: i32, arguments: &[&str]) -> String {
    let output = duoram(arguments);
    assert_eq!(output.status.code(), Some(code), "duoram {arguments:?}\n{}", text(&output.stdout));
    let stderr = text(&output.stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
    stderr
}

/// What a command says with `--json`.
pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&succeed(arguments)).unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The words of each result, of an address with rows.
pub(crate) fn results(report: &Value) -> Vec<Option<Vec<u64>>> {
    let word = |word: &Value| u64::from_str_radix(&word.as_str().unwrap()[2..], 16).unwrap();
    let row = |result: &Value| result.as_array().map(|row| row.iter().map(word).collect());
    report["operations"].as_array().unwrap().iter().map(|operation| row(&operation["result"])).collect()
}
