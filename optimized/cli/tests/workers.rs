//! Parties that have workers, from the command line.

use serde_json::Value;

use crate::program::{duoram, json, succeed, text};

#[test]
fn check_puts_every_backend_to_sessions_with_workers() {
    for protocol in ["paper", "lean"] {
        for more in [&["--workers", "3"][..], &["--workers", "1"], &["--shares", "5,0,2"]] {
            let arguments = ["check", "--protocol", protocol, "--cases", "6", "--seed", "beef", "--json"];
            let report: Value = json(&[&arguments, more].concat());
            assert_eq!(report["mismatches"], 0, "{protocol}, {more:?}");
            assert!(report["comparisons"]["shares"].as_u64().unwrap() > 10, "{protocol}, {more:?}");
        }
    }
}

#[test]
fn results_are_those_of_one_process() {
    let with = |more: &[&str]| {
        let arguments = [&["run", "--check", "--seed", "7", "--json"], more].concat();
        let report = json(&arguments);
        assert_eq!(report["check"]["mismatches"], 0, "{more:?}");
        report["operations"].clone()
    };
    assert_eq!(with(&["--workers", "5"]), with(&[]));
}

#[test]
fn what_cannot_be_divided_is_refused() {
    let refused = [
        (
            &["check", "--protocol", "two-party", "--workers", "2"][..],
            "expected paper or lean with more than one worker",
        ),
        (
            &["run", "--backend", "reference", "--workers", "2"],
            "expected a backend of kernels with more than one worker",
        ),
        (
            &["check", "--backend", "reference", "--shares", "1,2"],
            "expected a backend of kernels with more than one worker",
        ),
        (
            &["bench", "--workers", "3", "--shares", "1,2"],
            "expected a share of the memory for each of 3 workers",
        ),
    ];
    for (arguments, words) in refused {
        let output = duoram(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(words), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// A hundred processes that each do everything would be a mistake; one of one is none.
#[cfg(not(feature = "mpi"))]
#[test]
fn a_program_without_mpi_takes_part_in_no_job() {
    let of_job = |rank: &str, size: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_duoram"));
        command.args(["check", "--cases", "1"]);
        command.env("OMPI_COMM_WORLD_RANK", rank).env("OMPI_COMM_WORLD_SIZE", size).output().unwrap()
    };
    let output = of_job("1", "4");
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    let words = "this is process 1 of an MPI job of 4, but the program was built without the feature mpi";
    assert!(said.contains(words), "{said}");
    assert!(of_job("0", "1").status.success());
}

#[test]
fn bench_with_workers_says_what_a_round_trip_costs() {
    let output = succeed(&["bench", "--workers", "2", "--log-size", "8", "--ops", "1"]);
    assert!(output.contains("workers:   2") && output.contains(" for a broadcast of 1 KiB"), "{output}");
    let computing =
        |rank| output.contains(&format!("worker {rank}: ")) && output.contains(" s computing (cpu ");
    assert!(computing(0) && computing(1) && !computing(2), "{output}");
}

/// Numbers that follow from the size, and words for those that are guessed from a small one.
#[cfg(feature = "hosts")]
#[test]
fn deploy_advises_and_says_what_it_has_not_measured() {
    let advice = succeed(&["deploy", "--advice", "--log-size", "18", "--workers", "4", "--cores", "2"]);
    assert!(advice.contains("on 4 hosts of 2 cores, of 2^16.0 words each"), "{advice}");
    // Two vectors of 2^18 words of 8 bytes, by 4, at P0; one at P1.
    let state = advice.lines().find(|line| line.contains("its part of the state")).unwrap();
    assert_eq!(
        state.split_whitespace().rev().take(6).collect::<Vec<_>>(),
        ["MiB", "1.0", "KiB", "512.0", "MiB", "1.0"]
    );
    assert!(advice.contains("extrapolated, not measured:"), "{advice}");
    let output = duoram(&["deploy", "--log-size", "18"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A row of four words takes of a state what two levels take, and is divided in whole rows.
#[cfg(feature = "hosts")]
#[test]
fn deploy_advises_for_rows_as_for_as_many_words() {
    let part = |more: &[&str], each: &str| {
        let options = ["deploy", "--advice", "--protocol", "lean", "--workers", "4", "--cores", "2"];
        let advice = succeed(&[&options[..], more].concat());
        assert!(advice.contains(each), "{advice}");
        assert!(advice.contains("extrapolated, not measured:"), "{advice}");
        let line = advice.lines().find(|line| line.contains("its part of the state")).unwrap();
        // How wide a column is depends on what was measured.
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let words = part(&["--log-size", "18"], "of 2^16.0 words each");
    let rows = part(&["--log-size", "16", "--row-words", "4"], "of 2^14.0 rows each");
    assert_eq!(words, rows);
    assert!(words.contains("512.0 KiB"), "{words}"); // at P1: a vector of 2^18 words of 8 bytes, by 4
    let refused = ["deploy", "--advice", "--log-size", "16", "--row-words", "4", "--workers", "4"];
    let paper = duoram(&[&refused[..], &["--protocol", "paper"]].concat());
    assert_eq!(paper.status.code(), Some(2));
    let said = String::from_utf8_lossy(&paper.stderr).into_owned();
    assert!(said.contains("--row-words: expected 1 with --protocol paper, got 4"), "{said}");
}
