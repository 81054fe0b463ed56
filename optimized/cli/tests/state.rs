//! `duoram run --state DIR`: killed at any moment and started again, it goes on where it was.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const OPERATIONS: &str = "\
write 3 77
update 5 -9
read 3
chase 0 6
write 200 12345678901234567890
read 200
update 3 1
read 3
chase 200 3
swap 5 6
read 5
";

/// `duoram run` with these arguments, over the operations above and a memory of 250 words.
fn run(folder: &Path, arguments: &[&str]) -> Command {
    let memory = folder.join("memory.bin");
    let ops = folder.join("some.ops");
    if !memory.exists() {
        let words: Vec<u8> = (0..250_u64).flat_map(|word| (word * 37 % 250).to_le_bytes()).collect();
        fs::write(&memory, words).unwrap();
        fs::write(&ops, OPERATIONS).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_duoram"));
    command.arg("run").arg("--memory").arg(memory).arg("--ops").arg(ops).args(arguments).stdin(Stdio::null());
    command
}

fn on_disk(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = run(folder, arguments);
    command.arg("--state").arg(folder.join("state"));
    command
}

/// The lines about operations.
fn results(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().filter(|line| line.starts_with("line ")).map(str::to_owned).collect()
}

fn error(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// `kill -9` at a hundred moments, of each protocol: every run that comes to its end prints what one without a disk prints.
#[test]
fn a_run_that_is_killed_goes_on_where_it_was() {
    for protocol in ["paper", "lean"] {
        let folder = tempfile::tempdir().unwrap();
        let expected = results(&run(folder.path(), &["--protocol", protocol]).output().unwrap());
        assert_eq!(expected.len(), OPERATIONS.lines().count());
        let mut random = ChaCha20Rng::seed_from_u64(1);
        let (mut kills, mut ends, mut resumed) = (0, 0, 0);
        // How long it takes depends on the machine, so the moments follow it: later if it was killed, sooner if it ended.
        let mut most = 20_000;
        while kills < 100 {
            let mut command = on_disk(folder.path(), &["--protocol", protocol]);
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            thread::sleep(Duration::from_micros(random.next_u64() % most));
            child.kill().unwrap();
            let output = child.wait_with_output().unwrap();
            if output.status.code().is_none() {
                kills += 1;
                most += most / 10;
                assert!(most < 60_000_000, "{protocol}: it does not come to its end");
                continue;
            }
            assert_eq!(results(&output), expected, "{protocol}");
            resumed += usize::from(!String::from_utf8_lossy(&output.stdout).contains(": 0 steps found done"));
            fs::remove_dir_all(folder.path().join("state")).unwrap();
            ends += 1;
            most /= 2;
        }
        assert!(ends > 3 && resumed > 0, "{protocol}: {ends} ends, {resumed} of them with steps found");
    }
}

/// When all is done, it is all found, nothing is done again, and the same is printed.
#[test]
fn a_finished_run_is_found_finished() {
    let folder = tempfile::tempdir().unwrap();
    let first = on_disk(folder.path(), &["--json"]).output().unwrap();
    let second = on_disk(folder.path(), &["--json"]).output().unwrap();
    let [first, second]: [serde_json::Value; 2] =
        [first, second].map(|output| serde_json::from_slice(&output.stdout).unwrap());
    assert_eq!(first["operations"], second["operations"]);
    assert_eq!(first["operations"][0]["operation"], "write 3 77");
    let steps = first["state"]["done"].as_u64().unwrap();
    assert!(steps > 10, "{steps}");
    assert_eq!((&first["state"]["found"], &second["state"]["found"]), (&0.into(), &steps.into()));
    assert_eq!(second["state"]["done"], 0);
}

#[test]
fn another_run_key_or_disk_is_refused_and_nothing_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("state");
    let expected = results(&on_disk(folder.path(), &[]).output().unwrap());
    let other = error(&on_disk(folder.path(), &["--protocol", "lean"]).output().unwrap());
    assert!(other.contains("expected the state of a run with this protocol, memory, script"), "{other}");
    let key = folder.path().join("other.key");
    let other = error(&on_disk(folder.path(), &["--state-key", key.to_str().unwrap()]).output().unwrap());
    assert!(other.contains("owner/journal.redb: sealed with another key"), "{other}");
    fs::write(&key, "not a key").unwrap();
    let other = error(&on_disk(folder.path(), &["--state-key", key.to_str().unwrap()]).output().unwrap());
    assert!(other.contains("other.key: expected 64 hexadecimal digits, got 9 characters"), "{other}");

    // A party's disk that was lost, and one that is an older one.
    let (p1, away) = (state.join("p1"), folder.path().join("p1"));
    fs::rename(&p1, &away).unwrap();
    let lost = error(&on_disk(folder.path(), &[]).output().unwrap());
    assert!(lost.contains("has forgotten"), "{lost}");
    fs::remove_dir_all(&p1).unwrap();
    fs::rename(&away, &p1).unwrap();

    // A bit of a snapshot.
    let snapshot = state.join("p2/snapshot.0");
    let whole = fs::read(&snapshot).unwrap();
    let mut damaged = whole.clone();
    damaged[100] ^= 1;
    fs::write(&snapshot, damaged).unwrap();
    let refused = error(&on_disk(folder.path(), &[]).output().unwrap());
    assert!(refused.contains("p2/snapshot.0: the snapshot 0 is damaged or missing"), "{refused}");
    fs::write(&snapshot, whole).unwrap();

    assert_eq!(results(&on_disk(folder.path(), &[]).output().unwrap()), expected);
}

#[test]
fn what_needs_a_view_of_the_parties_does_not_go_with_a_disk() {
    let folder = tempfile::tempdir().unwrap();
    for option in [&["--check"][..], &["--seed", "1"], &["--trace", "t"], &["--transport", "tcp"]] {
        let text = error(&on_disk(folder.path(), option).output().unwrap());
        assert!(text.contains("cannot be used with"), "{text}");
    }
    assert!(!folder.path().join("state").exists());
}
