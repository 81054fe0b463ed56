//! Memory is bounded by what was budgeted, whatever the number of operations, and a memory that has no room is refused.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const PROGRAM: &str = env!("CARGO_BIN_EXE_duoram");

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The most that a run has had resident, in MiB.
fn peak(arguments: &[&str]) -> u64 {
    let output = Command::new(PROGRAM).args(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["peak_rss_bytes"].as_u64().unwrap() >> 20
}

/// Under a limit of the address space, in KiB, with a memory file of so many bytes that are not on the disk.
fn limited(limit: u64, length: u64) -> Output {
    let file = tempfile::NamedTempFile::new().unwrap();
    file.as_file().set_len(length).unwrap();
    let script = format!("ulimit -v {limit}; exec \"$0\" run --memory \"$1\"");
    Command::new("sh").args(["-c", &script, PROGRAM]).arg(file.path()).output().unwrap()
}

/// Prepared all at once, and read in one step, these took 60 KB each.
#[test]
fn reads_take_no_more_memory_when_they_are_many() {
    let peak = peak(&["bench", "--log-size", "10", "--kind", "read", "--ops", "5000"]);
    assert!(peak < 150, "{peak} MiB");
}

#[test]
fn updates_take_no_more_memory_when_they_are_many() {
    let peak = peak(&["bench", "--log-size", "2", "--kind", "update", "--ops", "30000"]);
    assert!(peak < 100, "{peak} MiB");
}

/// The log of a chase took 8 KB a step.
#[test]
fn a_chase_takes_no_more_memory_when_it_is_long() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let ring: Vec<u8> = (0..10_u64).flat_map(|i| ((7 * i + 1) % 10).to_le_bytes()).collect();
    std::fs::write(path("memory"), ring).unwrap();
    std::fs::write(path("ops"), "chase 0 15000").unwrap();
    let peak = peak(&["run", "--memory", &path("memory"), "--ops", &path("ops")]);
    assert!(peak < 64, "{peak} MiB");
}

#[test]
fn a_memory_file_beyond_the_limit_is_refused_before_it_is_read() {
    for (limit, length) in [(1_600_000, 1 << 30), (1_600_000, 3 << 30), (1_600_000, 1 << 42)] {
        let output = limited(limit, length);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{length} bytes: {errors}");
        assert!(errors.contains("bytes here, but") && errors.contains("are available"), "{errors}");
    }
}

#[test]
fn what_never_ends_is_refused() {
    let script = "ulimit -v 1600000; exec \"$0\" run --memory /dev/zero";
    let output = Command::new("sh").args(["-c", script, PROGRAM]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("are available"), "{}", text(&output.stderr));
}

/// A pipe has no size.
#[test]
fn a_memory_may_come_through_a_pipe() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/ring.bin");
    let script = "cat \"$1\" | \"$0\" run --memory /dev/stdin --check";
    let output = Command::new("sh").args(["-c", script, PROGRAM]).arg(sample).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
