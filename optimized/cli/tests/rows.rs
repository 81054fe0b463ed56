//! Rows of words from the command line: their results against an array of rows, what they cost, and what does not have them.

use std::path::Path;

use serde_json::{Value, json as value};
use tempfile::TempDir;

use crate::program::{duoram, fail, json, results, succeed, text};

/// Five rows of three words.
const ROWS: [[u64; 3]; 5] = [[3, 11, 12], [4, 21, 22], [0, 31, 32], [2, 41, 42], [1, u64::MAX, 52]];

const OPS: &str = "read 4
update 1 -1 0x10 5 # XORs
read 1
write 2 4 6 7
swap 2 3 8 9
read 2
chase 0 2
swap 0 -1 0 0
update 0 1 2 3
read 0
";

/// What an array of rows says to them. The chase goes 0 -> 3 -> 2, for the first word of row 0 is 3, and of row 3 it is 2.
const RESULTS: [Option<[u64; 3]>; 10] = [
    Some([1, u64::MAX, 52]),
    None,
    Some([!4, 5, 19]),
    None,
    Some([4, 6, 7]),
    Some([3, 8, 9]),
    Some([2, 41, 42]),
    Some([3, 11, 12]),
    None,
    Some([!1, 2, 3]),
];

/// A folder with a memory and a script.
fn files(memory: &[u8], ops: &str) -> (TempDir, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let (memory, ops) = (write("memory", memory), write("ops", ops.as_bytes()));
    (folder, memory, ops)
}

fn bytes() -> Vec<u8> {
    ROWS.as_flattened().iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn expected() -> Vec<Option<Vec<u64>>> {
    RESULTS.iter().map(|row| row.map(|row| row.to_vec())).collect()
}

#[test]
fn results_are_those_of_an_array_of_rows_by_every_computation_and_transport() {
    let (_folder, memory, ops) = files(&bytes(), OPS);
    let run = ["run", "--protocol", "lean", "--row-words", "3", "--memory", &memory, "--ops", &ops];
    for more in [
        &[][..],
        &["--backend", "reference"],
        &["--backend", "portable", "--threads", "2"],
        &["--transport", "tcp"],
        &["--workers", "3"],
        &["--shares", "5,0,2"],
    ] {
        let report = json(&[&run[..], more, &["--check", "--json"]].concat());
        assert_eq!(results(&report), expected(), "{more:?}");
        let sizes = ["words", "size", "log_size", "row_words"].map(|field| report[field].as_u64().unwrap());
        assert_eq!(sizes, [15, 8, 3, 3]);
        let check = &report["check"];
        assert_eq!((&check["mismatches"], &check["transcript"]), (&value!(0), &value!(true)));
        assert_eq!(
            (&check["comparisons"]["results"], &check["comparisons"]["states"]),
            (&value!(7), &value!(10))
        );
        // Who loads, sends and keeps the rows that there are: five, at eight addresses.
        let setup = |party: &str| report["phases"]["setup"]["parties"][party]["payload_bytes"].as_u64();
        assert_eq!(["p0", "p1", "p2"].map(setup), [2 * 56 + 8 * 15, 2 * 56 + 8 * 15, 2 * 56].map(Some));
        // Four READs and a chase of two; two UPDATEs; a WRITE and two SWAPs, whose READ is answered too.
        let bytes = 6 * (4 + 8 * 3) + 2 * (4 + 32 * 3) + 3 * (4 + 48 * 3) + 2 * 8 * 3;
        let parties = report["phases"]["online"]["parties"].as_object().unwrap();
        let sent: u64 = parties.values().map(|party| party["payload_bytes"].as_u64().unwrap()).sum();
        assert_eq!(sent, bytes, "{more:?}");
    }
}

#[test]
fn rows_are_printed_as_words_side_by_side() {
    let (_folder, memory, ops) = files(&bytes(), OPS);
    let run =
        ["run", "--protocol", "lean", "--row-words", "3", "--memory", &memory, "--ops", &ops, "--check"];
    let output = succeed(&run);
    for line in [
        "(15 words: 5 rows of 3; n = 8 = 2^3)",
        "line 1     read 4  ->  1 18446744073709551615 52 (0x1 0xffffffffffffffff 0x34)\n",
        "line 2     update 1 -1 16 5  done\n",
        "line 4     write 2 4 6 7  done\n",
        "line 5     swap 2 3 8 9  ->  4 6 7 (0x4 0x6 0x7)\n",
        "line 7     chase 0 2  ->  2 41 42 (0x2 0x29 0x2a)\n",
    ] {
        assert!(output.contains(line), "{line}\n{output}");
    }
    assert!(output.trim_end().ends_with("; 0 mismatches"), "{output}");
}

/// One word is no row: nothing that is printed differs, and the option is taken of every protocol.
#[test]
fn a_row_of_one_word_is_a_word() {
    let (_folder, memory, ops) = files(&bytes(), "read 3\nupdate 3 7\nread 3");
    for protocol in ["paper", "lean", "two-party"] {
        let run = |more: &[&str]| {
            let run =
                ["run", "--protocol", protocol, "--memory", &memory, "--ops", &ops, "--seed", "7", "--check"];
            let mut report = json(&[&run[..], &["--json"], more].concat());
            for field in ["phases", "peak_rss_bytes"] {
                report.as_object_mut().unwrap().remove(field);
            }
            report
        };
        let report = run(&["--row-words", "1"]);
        assert_eq!(report, run(&[]), "{protocol}");
        assert!(report.get("row_words").is_none());
        assert!(report["operations"][0]["result"].is_string(), "{report}");
    }
}

#[test]
fn rows_beyond_2_to_the_10_words_are_checked_but_for_the_transcript() {
    let memory: Vec<u8> = (0..200 * 8_u64).flat_map(|i| (i * i).to_le_bytes()).collect();
    let (_folder, memory, ops) = files(&memory, "swap 199 1 2 3 4 5 6 7 8\nread 199");
    let run = ["run", "--protocol", "lean", "--row-words", "8", "--memory", &memory, "--ops", &ops];
    let report = json(&[&run[..], &["--check", "--json"]].concat());
    let old = (199 * 8..200 * 8_u64).map(|i| i * i).collect();
    assert_eq!(results(&report), [Some(old), Some((1..=8).collect())]);
    let check = &report["check"];
    assert_eq!((&check["mismatches"], &check["transcript"]), (&value!(0), &value!(false)));
    assert_eq!(check["comparisons"]["states"], 2);
}

#[test]
fn a_run_with_state_goes_on_with_its_rows() {
    let (folder, memory, ops) = files(&bytes(), OPS);
    let state = folder.path().join("state").display().to_string();
    let run = [
        "run",
        "--protocol",
        "lean",
        "--row-words",
        "3",
        "--memory",
        &memory,
        "--ops",
        &ops,
        "--state",
        &state,
    ];
    let first = json(&[&run[..], &["--json"]].concat());
    assert_eq!(results(&first), expected());
    let again = json(&[&run[..], &["--json"]].concat());
    assert_eq!(results(&again), expected());
    let steps = |report: &Value| ["found", "done"].map(|field| report["state"][field].as_u64().unwrap());
    assert_eq!((steps(&first)[0], steps(&again)), (0, [steps(&first)[1], 0]));
}

#[test]
fn a_memory_or_a_script_of_other_rows_is_refused() {
    let refused = |memory: &[u8], ops: &str| {
        let (_folder, memory, ops) = files(memory, ops);
        fail(2, &["run", "--protocol", "lean", "--row-words", "3", "--memory", &memory, "--ops", &ops])
    };
    for (ops, expected) in [
        (
            "read 0\nupdate 1 2 3",
            "line 2: expected 'update I DELTA' with 3 numbers after I, the words of a row, got 'update' with 3 numbers",
        ),
        (
            "write 1 2",
            "expected 'write I VALUE' with 3 numbers after I, the words of a row, got 'write' with 2 numbers",
        ),
        (
            "swap 1 2 3 4 5",
            "expected 'swap I VALUE' with 3 numbers after I, the words of a row, got 'swap' with 5 numbers",
        ),
        ("read 1 2", "line 1: expected 'read I', got 'read' with 2 numbers"),
        ("chase 1", "line 1: expected 'chase I STEPS', got 'chase' with 1 numbers"),
        ("update 1 2 3 x", "line 1: expected DELTA, a 64-bit number"),
        ("read 5", "line 1: expected an address below 5 (the rows of the memory), got 5"),
    ] {
        let error = refused(&bytes(), ops);
        assert!(error.contains(expected), "{error}");
    }
    for length in [8, 23, 25, 112] {
        let error = refused(&bytes()[..length], "read 0");
        let expected = "expected a multiple of 24 bytes (rows of 3 64-bit little-endian words), got ";
        assert!(error.contains(&format!("{expected}{length} bytes")), "{error}");
    }
    assert!(refused(&[], "read 0").contains("the file is empty"));
}

/// What asks for hosts, or is one: it is told by its file.
const HOSTS: &[&str] = if cfg!(feature = "hosts") { &["party", "client"] } else { &[] };

/// Whatever does not have them says so.
#[test]
fn rows_are_refused_where_there_are_none() {
    for (command, with) in [
        (&["run", "--protocol", "paper"][..], "--protocol paper"),
        (&["run"], "--protocol paper"),
        (&["run", "--protocol", "two-party"], "--protocol two-party"),
        (&["run", "--protocol", "lean", "--trace", "/dev/null"], "--trace"),
        (&["bench", "--log-size", "4"], "--protocol paper"),
    ] {
        let error = fail(2, &[command, &["--row-words", "3"]].concat());
        assert_eq!(error, format!("error: --row-words: expected 1 with {with}, got 3\n"), "{command:?}");
    }
    for words in ["0", "513", "-1", "x"] {
        let error = fail(2, &["run", "--protocol", "lean", &format!("--row-words={words}")]);
        assert!(error.contains(&format!("'{words}'")), "{error}");
    }
    for command in ["check", "experiment", "oracle"].iter().chain(HOSTS) {
        let error = text(&duoram(&[command, "--row-words", "3"]).stderr);
        assert!(error.contains("unexpected argument '--row-words'"), "{command}: {error}");
    }
}

#[test]
fn check_puts_every_backend_to_sessions_over_rows() {
    let report = json(&["check", "--protocol", "lean", "--cases", "16", "--seed", "beef", "--json"]);
    assert_eq!(report["mismatches"], 0);
    let rows = report["row_cases"].as_u64().unwrap();
    assert!((3..=13).contains(&rows), "{rows}");
    let fewer = report["fewer_cases"].as_u64().unwrap();
    assert!((1..=12).contains(&fewer), "{fewer}");
    let more = ["check", "--cases", "8", "--seed", "beef", "--backend", "portable", "--json"];
    let row_cases = |more_still: &[&str]| {
        let report = json(&[&more[..], more_still].concat());
        assert_eq!(report["mismatches"], 0, "{more_still:?}");
        ["row_cases", "fewer_cases"].map(|field| report[field].as_u64().unwrap())
    };
    assert_eq!(row_cases(&["--protocol", "paper"]), [0, 0], "where there are no rows, nobody gets any");
    assert!(row_cases(&["--protocol", "lean", "--workers", "3"]).iter().all(|cases| *cases > 0));
}

/// Bytes and messages: one item an operation, whatever its rows; w words where there is a word.
#[test]
fn bench_shows_what_rows_cost() {
    for row_words in [1, 2, 65] {
        let w: u64 = row_words;
        for (kind, online, item) in [
            ("read", 8 + 8 * w, 1916),
            ("update", 8 + 32 * w, 3246 + 552 * (w - 1)),
            ("write", 8 + 48 * w, 3246 + 552 * (w - 1)),
        ] {
            let words = w.to_string();
            let report = json(&[
                "bench",
                "--protocol",
                "lean",
                "--log-size",
                "16",
                "--ops",
                "1",
                "--kind",
                kind,
                "--row-words",
                &words,
                "--json",
            ]);
            assert_eq!(report["online_payload_bytes_total"], online, "{kind}, w = {w}");
            assert_eq!(report["preprocessing_payload_bytes_total"], item, "{kind}, w = {w}");
            for (party, vectors) in [("p0", 2), ("p1", 1), ("p2", 2)] {
                assert_eq!(report["online_state_bytes"][party], (vectors * 8 * w) << 16);
            }
            assert_eq!(report["row_words"].as_u64(), Some(w).filter(|w| *w > 1));
        }
    }
    let output = succeed(&["bench", "--protocol", "lean", "--log-size", "4", "--row-words", "3"]);
    assert!(output.starts_with("lean, n = 2^4 rows of 3 words, 2 x readwrite, "), "{output}");
}

/// What the parties take is refused by what the rows make of it, and before the file is read.
#[test]
#[cfg(target_os = "linux")]
fn rows_without_room_are_refused() {
    let file = tempfile::NamedTempFile::new().unwrap();
    // 2^22 rows of 512 words: 16 GiB, of which nothing is on the disk.
    file.as_file().set_len(1 << 34).unwrap();
    let script = "ulimit -v 1600000; exec \"$0\" run --protocol lean --row-words 512 --memory \"$1\"";
    let output = std::process::Command::new("sh")
        .args([Path::new("-c"), Path::new(script), Path::new(env!("CARGO_BIN_EXE_duoram")), file.path()])
        .output()
        .unwrap();
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("a memory of 2^22 rows of 512 words needs about "), "{error}");
}
