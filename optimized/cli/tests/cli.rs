//! The tool as its users have it: arguments in, text and exit code out.

use duoram_kernel::{Backend, Features};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{duoram, fail, json, succeed, text};

/// The kernels that this CPU has, the fastest first.
fn available() -> Vec<Backend> {
    Backend::available(&Features::detect())
}

fn fastest() -> &'static str {
    available()[0].name().as_str()
}

/// A folder with a memory and a script.
struct Files {
    folder: TempDir,
}

impl Files {
    fn new(memory: &[u8], ops: &str) -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::write(files.path("memory"), memory).unwrap();
        std::fs::write(files.path("ops"), ops).unwrap();
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run<'a>(&self, memory: &'a mut String, ops: &'a mut String, more: &[&'a str]) -> Vec<&'a str> {
        *memory = show(&self.path("memory"));
        *ops = show(&self.path("ops"));
        [&["run", "--memory", memory, "--ops", ops], more].concat()
    }

    fn refused(&self) -> String {
        let (mut memory, mut ops) = (String::new(), String::new());
        fail(2, &self.run(&mut memory, &mut ops, &["--check"]))
    }

    fn report(&self, more: &[&str]) -> Value {
        let (mut memory, mut ops) = (String::new(), String::new());
        json(&self.run(&mut memory, &mut ops, &[more, &["--json"]].concat()))
    }
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The results of a report: words are strings of hexadecimal digits.
fn results(report: &Value) -> Vec<Option<u64>> {
    let word = |operation: &Value| match &operation["result"] {
        Value::Null => None,
        result => Some(u64::from_str_radix(result.as_str()?.strip_prefix("0x")?, 16).unwrap()),
    };
    report["operations"].as_array().unwrap().iter().map(word).collect()
}

/// Starts it with something on standard input.
fn duoram_with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_duoram"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn run_check_works_without_arguments() {
    let output = succeed(&["run", "--check"]);
    assert!(output.contains(&format!("backend:   {}, threads: 1", fastest())), "{output}");
    assert!(output.contains("seed:      from the operating system"), "{output}");
    assert!(output.contains("line 6     chase 0 8  ->  616 (0x268)"), "{output}");
    assert!(output.contains("checked: 11 results, 17 states (Lemmas 2 and 3), 238 messages, "), "{output}");
    assert!(output.trim_end().ends_with("; 0 mismatches"), "{output}");
}

#[test]
fn run_on_a_file_of_ones_own_with_both_transports() {
    let memory = words(&[10, 20, 30, 40, 50]);
    let ops =
        "read 4\nupdate 4 -1 # minus one\nread 0x4\n\nwrite 0 3\nread 0\nchase 0 2\nwrite 4 -1\nread 4\n";
    let files = Files::new(&memory, ops);
    for transport in ["memory", "tcp"] {
        let report = files.report(&["--check", "--transport", transport]);
        // chase 0 2: D[0] = 3, and then D[3] = 40.
        let expected = [Some(50), None, Some(49), None, Some(3), Some(40), None, Some(u64::MAX)];
        assert_eq!(results(&report), expected);
        assert_eq!(report["transport"], transport);
        assert_eq!(
            (&report["words"], &report["size"], &report["log_size"]),
            (&5.into(), &8.into(), &3.into())
        );
        let check = &report["check"];
        assert_eq!(check["mismatches"], 0);
        assert_eq!((&check["results"], &check["lemmas"]), (&true.into(), &true.into()));
        assert_eq!(check["transcript"], true);
        assert_eq!(check["comparisons"]["results"], 5);
        assert_eq!(check["comparisons"]["states"], 8);
        let online = &report["phases"]["online"];
        // 4 reads, 2 of a chase, 2 of writes; 3 updates.
        let payload: u64 = ["p0", "p1", "p2"]
            .iter()
            .map(|party| online["parties"][party]["payload_bytes"].as_u64().unwrap())
            .sum();
        assert_eq!(payload, 8 * (8 * 6 + 3 * 14));
        assert_eq!(online["sequential_messages"], 8 * 2 + 3);
        assert_eq!(report["phases"]["preprocessing"]["sequential_messages"], 2 * 3 + 4);
        for party in ["p0", "p1", "p2"] {
            let cost = &online["parties"][party];
            assert!(cost["wire_bytes"].as_u64() > cost["payload_bytes"].as_u64());
            assert!(cost["seconds"].as_f64().unwrap() > 0.0);
        }
    }
}

#[test]
fn a_swap_opens_the_old_word_in_both_protocols() {
    let files =
        Files::new(&words(&[10, 20, 30, 40, 50]), "swap 4 -1\nswap 4 7\nread 4\nwrite 4 1\nswap 4 0\n");
    for (protocol, payload) in [("paper", 5 * 8 * 6 + 4 * 8 * 14), ("lean", 3 * 60 + 52 + 12)] {
        let report = files.report(&["--check", "--protocol", protocol]);
        assert_eq!(results(&report), [Some(50), Some(u64::MAX), Some(7), None, Some(1)], "{protocol}");
        let check = &report["check"];
        assert_eq!((&check["mismatches"], &check["transcript"]), (&0.into(), &true.into()), "{protocol}");
        assert_eq!(check["comparisons"]["results"], 4, "{protocol}");
        let parties = report["phases"]["online"]["parties"].as_object().unwrap();
        let bytes: u64 = parties.values().map(|party| party["payload_bytes"].as_u64().unwrap()).sum();
        assert_eq!(bytes, payload, "{protocol}");
    }
}

#[test]
fn beyond_2_to_the_10_words_results_and_states_are_checked_and_the_output_says_so() {
    let memory: Vec<u64> = (0..1100).map(|i| i * i).collect();
    let files = Files::new(&words(&memory), "read 1099\nupdate 1099 1\nread 1099");
    let report = files.report(&["--check"]);
    assert_eq!(results(&report), [Some(1099 * 1099), None, Some(1099 * 1099 + 1)]);
    assert_eq!(report["check"]["transcript"], false);
    assert_eq!(report["check"]["comparisons"]["messages"], 0);
    assert_eq!(report["check"]["comparisons"]["states"], 3);
    let (mut memory, mut ops) = (String::new(), String::new());
    let output = succeed(&files.run(&mut memory, &mut ops, &["--check"]));
    assert!(output.contains("transcript not compared (only up to 2^10 words)"), "{output}");
}

#[test]
fn a_memory_of_one_word() {
    let report = Files::new(&words(&[7]), "read 0\nwrite 0 8\nread 0").report(&["--check"]);
    assert_eq!(results(&report), [Some(7), None, Some(8)]);
    assert_eq!(report["size"], 2);
}

#[test]
fn bad_memories_are_refused() {
    let error = Files::new(&[], "read 0").refused();
    assert!(error.contains("the file is empty, expected at least one 64-bit word"), "{error}");
    let error = Files::new(&[1; 13], "read 0").refused();
    assert!(error.contains("expected a multiple of 8 bytes"), "{error}");
    assert!(error.contains("got 13 bytes"), "{error}");
    let error = fail(2, &["run", "--memory", "/nonexistent/memory"]);
    assert!(error.contains("/nonexistent/memory: "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let error = fail(2, &["run", "--memory", &show(folder.path())]);
    assert!(error.contains("directory"), "{error}");
}

#[test]
fn bad_scripts_are_refused_with_their_line() {
    for (ops, expected) in [
        ("read 0\nread 3", "line 2: expected an address below 3 (the words of the memory), got 3"),
        ("# one\n\nchase 18446744073709551615 1", "line 3: expected an address below 3"),
        ("peek 0", "line 1: expected one of 'read', 'update', 'write', 'swap', 'chase', got 'peek'"),
        ("read 0\nupdate 1", "line 2: expected 'update I DELTA', got 'update' with 1 numbers"),
        ("read 0 0", "line 1: expected 'read I', got 'read' with 2 numbers"),
        ("write 0 1e3", "line 1: expected VALUE, a 64-bit number"),
        ("read -1", "line 1: expected an address I, decimal or 0x hexadecimal, got '-1'"),
        ("chase 0 0", "line 1: expected STEPS, a number from 1, got '0'"),
        ("chase 0 99999999999", "line 1: the script needs more than 1048576 preprocessed items"),
        ("# nothing\n", "expected at least one operation"),
    ] {
        let error = Files::new(&words(&[1, 2, 3]), ops).refused();
        assert!(error.contains(expected), "{ops}: {error}");
    }
    let files = Files::new(&words(&[1]), "");
    std::fs::write(files.path("ops"), b"read 0\n\xff\xfe").unwrap();
    assert!(files.refused().contains("expected UTF-8 text, got other bytes in line 2"));
    let error = fail(2, &["run", "--ops", "/nonexistent/ops"]);
    assert!(error.contains("/nonexistent/ops: "), "{error}");
}

#[test]
fn bad_arguments_are_refused() {
    for arguments in [
        &["run", "--seed", "xyz"][..],
        &["run", "--seed", ""],
        &["run", "--transport", "pigeon"],
        &["run", "--backend", "quantum"],
        &["check", "--cases", "0"],
        &["check", "--cases", "-1"],
        &["bench", "--log-size", "0"],
        &["bench", "--log-size", "41"],
        &["bench", "--log-size", "5..4"],
        &["bench", "--log-size", "5..41"],
        &["bench", "--runs", "0"],
        &["bench", "--batch", "0"],
        &["bench", "--kind", "write", "--batch", "2"],
        &["bench", "--csv", "--json"],
        &["bench", "--ops", "0"],
        &["completions", "abacus"],
        &["man", "walk"],
        &["man", "kernel-host"],
        &["bench", "--kind", "erase"],
        &["walk"],
        &[],
    ] {
        fail(2, arguments);
    }
    let error = fail(2, &["run", "--trace", "/nonexistent/folder/trace"]);
    assert!(error.contains("/nonexistent/folder/trace"), "{error}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_memory_that_does_not_fit_is_refused_before_anything_is_allocated() {
    let error = fail(2, &["bench", "--log-size", "40"]);
    assert!(error.contains("a memory of 2^40 words needs about"), "{error}");
}

#[test]
fn a_seed_makes_a_run_reproducible() {
    let files = Files::new(&words(&[1, 2, 3, 4]), "read 1\nwrite 2 9\nupdate 3 1\nread 2");
    let run = |seed: &str, trace: &str| {
        let trace = show(&files.path(trace));
        let report = files.report(&["--seed", seed, "--check", "--trace", &trace]);
        assert_eq!(report["seed"], format!("{seed:0>64}"));
        // Times differ, and the order in which the parties' threads get on; what each party does is the same.
        let mut lines: Vec<String> =
            std::fs::read_to_string(trace).unwrap().lines().map(str::to_owned).collect();
        lines.sort();
        (results(&report), lines)
    };
    assert_eq!(run("c0ffee", "a"), run("c0ffee", "b"));
    let (mut memory, mut ops) = (String::new(), String::new());
    let output = duoram(&files.run(&mut memory, &mut ops, &["--seed", "1"]));
    assert!(text(&output.stderr).starts_with("warning: with --seed"), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains(&format!("seed:      {:0>64}", 1)));
}

#[test]
fn check_counts_cases_by_layer() {
    let report = json(&["check", "--cases", "8", "--seed", "beef", "--json"]);
    let cases = report["cases"].as_object().unwrap();
    let names: Vec<&str> = available().iter().map(|backend| backend.name().as_str()).collect();
    assert_eq!(cases.len(), names.len() + 2);
    assert!(names.iter().chain(&["spec", "reference"]).all(|layer| cases[*layer] == 8), "{cases:?}");
    assert_eq!(report["mismatches"], 0);
    assert_eq!(report["seed"], format!("{:0>64}", "beef"));
    assert!(report["comparisons"]["messages"].as_u64().unwrap() > 100);
    assert_eq!(json(&["check", "--cases", "8", "--seed", "beef", "--json"]), report);
    assert!(succeed(&["check", "--cases", "2"]).trim_end().ends_with("0 mismatches"));
}

#[test]
fn bench_shows_what_the_paper_promises() {
    let report = json(&["bench", "--log-size", "16", "--ops", "2", "--kind", "readwrite", "--json"]);
    assert_eq!(report["online_payload_bytes_total"], 320);
    // 12.79 KiB a party is what the authors' artifact sends.
    let both = report["preprocessing_payload_bytes_total"].as_u64().unwrap() + 320;
    assert!(both * 100 < 3 * 1279 * 1024, "{both}");
    assert_eq!(report["online_sequential_messages"], 2 * 3);
    assert_eq!(report["preprocessing_sequential_messages"], 2 * 16 + 4);
    assert_eq!((&report["log_size"], &report["ops"], &report["threads"]), (&16.into(), &2.into(), &1.into()));
    assert_eq!((&report["kind"], &report["backend"]), (&"readwrite".into(), &fastest().into()));
    for party in ["p0", "p1", "p2"] {
        for kind in ["read", "update"] {
            let cost = &report["online"][kind][party];
            assert!(cost["wall_ms_per_op"].as_f64().unwrap() > 0.0);
            assert!(!cfg!(unix) || cost["cpu_ms_per_op"].as_f64().unwrap() > 0.0);
        }
        assert!(!cfg!(unix) || report["preprocessing"][party]["cpu_ms_per_dpf"].as_f64().unwrap() > 0.0);
        assert_eq!(report["online_state_bytes"][party], 16 << 16);
    }
    // Not how large they are: that is for benches on a quiet machine.
    for field in ["ns_per_leaf", "aes_limit_ns_per_call", "aes_limit_fraction"] {
        assert!(report["full_evaluation"][field].as_f64().unwrap() > 0.0, "{field}");
    }
    for phase in ["setup", "preprocessing", "online"] {
        assert!(report["seconds"][phase].as_f64().unwrap() > 0.0);
    }
    assert!(!cfg!(target_os = "linux") || report["peak_rss_bytes"].as_u64().unwrap() > 1 << 20);
}

/// The same seed yields the same run, whatever computes it, in how many threads and with how much memory.
#[test]
fn results_depend_neither_on_backend_nor_on_threads_nor_on_memory() {
    let mut choices = vec![vec!["--backend", "reference"]];
    choices.push(vec!["--threads", "3"]);
    choices.push(vec!["--memory-limit", "0"]);
    choices.push(vec!["--memory-limit", "1K", "--backend", "reference"]);
    let names: Vec<&str> = available().iter().map(|backend| backend.name().as_str()).collect();
    choices.extend(names.iter().map(|name| vec!["--backend", name]));
    // A check takes its time for each operation: one of each kind.
    let folder = tempfile::tempdir().unwrap();
    let ops = folder.path().join("ops");
    std::fs::write(&ops, "read 999\nupdate 3 7\nwrite 0 214\nchase 0 2\n").unwrap();
    let ops = ops.display().to_string();
    let run = |more: &[&str]| {
        json(&[&["run", "--ops", &ops, "--seed", "5eed", "--check", "--json"], more].concat())
    };
    let first = run(&["--backend", "portable"]);
    assert_eq!(first["backend"], "portable");
    assert_eq!(first["operations"].as_array().expect("a list").len(), 4);
    for more in choices {
        let report = run(&more);
        if let Some(at) = more.iter().position(|word| *word == "--backend") {
            assert_eq!(report["backend"], more[at + 1]);
        }
        assert_eq!(report["operations"], first["operations"], "{more:?}");
        assert_eq!(report["check"]["mismatches"], 0, "{more:?}");
    }
}

#[test]
fn a_backend_that_the_cpu_lacks_is_refused_with_the_reason() {
    let all = ["portable", "aesni", "vaes256", "vaes512"];
    let available: Vec<&str> = available().iter().map(|backend| backend.name().as_str()).collect();
    for name in all {
        let output = duoram(&["run", "--backend", name]);
        assert_eq!(output.status.success(), available.contains(&name), "{name}");
        if !output.status.success() {
            assert_eq!(output.status.code(), Some(2));
            let stderr = text(&output.stderr);
            assert!(stderr.contains(&format!("backend {name} is not available: this CPU lacks")), "{stderr}");
        }
    }
    let stderr = text(&duoram(&["run", "--memory-limit", "lots"]).stderr);
    assert!(
        stderr.contains("expected a number of bytes such as 4096, 512M, 1.5G, 2GiB or 5GB, got 'lots'"),
        "{stderr}"
    );
}

#[test]
fn bench_does_independent_operations_in_one_step() {
    for (kind, words, messages) in [("read", 6, 2), ("update", 14, 1), ("write", 20, 3 * 5)] {
        let report = json(&["bench", "--log-size", "4", "--ops", "5", "--kind", kind, "--json"]);
        assert_eq!(report["online_payload_bytes_total"], 5 * 8 * words, "{kind}");
        assert_eq!(report["online_sequential_messages"], messages, "{kind}");
        assert!(report["online"][kind]["p0"]["wall_ms_per_op"].as_f64().unwrap() > 0.0);
    }
    assert!(succeed(&["bench", "--log-size", "4"]).contains("online         320 payload bytes"));
}

/// `duoram run | head -1`: whoever closes the output has seen enough. Not 0, for the rest was not done.
#[cfg(unix)]
#[test]
fn a_closed_output_ends_quietly() {
    for arguments in [&["run"][..], &["man"], &["completions", "bash"], &["bench", "--log-size", "4"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output =
            Command::new(env!("CARGO_BIN_EXE_duoram")).args(arguments).stdout(writer).output().unwrap();
        assert_eq!((output.status.code(), &*text(&output.stderr)), (Some(2), ""), "{arguments:?}");
    }
}

/// A full disk is another matter.
#[cfg(target_os = "linux")]
#[test]
fn an_output_or_a_trace_that_cannot_be_written_is_the_same_error() {
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let run = |arguments: &[&str], stdout: Stdio| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_duoram")).args(arguments).stdout(stdout).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains("No space left"), "{arguments:?}: {}", text(&output.stderr));
    };
    run(&["run"], full());
    run(&["run", "--trace", "/dev/full"], Stdio::null());
}

#[test]
fn a_trace_does_not_replace_a_file() {
    let files = Files::new(&words(&[1, 2]), "read 1");
    std::fs::write(files.path("trace"), "of another run").unwrap();
    let trace = show(&files.path("trace"));
    let (mut memory, mut ops) = (String::new(), String::new());
    let error = fail(2, &files.run(&mut memory, &mut ops, &["--trace", &trace]));
    assert!(error.contains(&format!("{trace}: expected no file of this name")), "{error}");
    assert_eq!(std::fs::read_to_string(&trace).unwrap(), "of another run");
    // What is no file holds nothing.
    #[cfg(unix)]
    succeed(&files.run(&mut memory, &mut ops, &["--trace", "/dev/null"]));
}

#[test]
fn operations_come_from_standard_input_and_may_begin_with_a_mark() {
    let files = Files::new(&words(&[7, 8]), "\u{feff}read 1\n");
    assert_eq!(results(&files.report(&[])), [Some(8)]);
    let memory = show(&files.path("memory"));
    let arguments = ["run", "--memory", &memory, "--ops", "-", "--check", "--json"];
    let output = duoram_with_input(&arguments, b"read 0\nupdate 0 1\nread 0\n");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(results(&report), [Some(7), None, Some(8)]);
    assert_eq!(report["ops"], "standard input");
    let output = duoram_with_input(&arguments, b"read 0\nread 2\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("standard input, line 2: expected an address below 2"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_script_without_end_is_refused() {
    let error = fail(2, &["run", "--ops", "/dev/zero"]);
    assert!(error.contains("/dev/zero: expected a script of at most 67108864 bytes"), "{error}");
}

/// jq and JavaScript read numbers as doubles, and would print 18446744073709552000.
#[test]
fn words_in_json_are_strings() {
    let report = Files::new(&words(&[u64::MAX]), "read 0\nupdate 0 1\nread 0").report(&[]);
    let results: Vec<&Value> =
        report["operations"].as_array().unwrap().iter().map(|operation| &operation["result"]).collect();
    assert_eq!(results, [&Value::from("0xffffffffffffffff"), &Value::Null, &Value::from("0x0")]);
}

#[test]
fn byte_counts_are_read_as_people_write_them() {
    for limit in ["5GB", "1.5G", "512MiB", "512m", "4194304"] {
        succeed(&["bench", "--log-size", "4", "--memory-limit", limit]);
    }
}

#[test]
fn bench_repeats_sweeps_and_names_the_machine() {
    let arguments = [
        "bench",
        "--log-size",
        "4..6",
        "--ops",
        "3",
        "--runs",
        "3",
        "--kind",
        "read",
        "--batch",
        "2",
        "--json",
    ];
    let reports = json(&arguments);
    let reports = reports.as_array().unwrap();
    assert_eq!(reports.iter().map(|report| &report["log_size"]).collect::<Vec<_>>(), [4, 5, 6]);
    for report in reports {
        assert_eq!((&report["runs"], &report["batch"], &report["schema"]), (&3.into(), &2.into(), &1.into()));
        // Of one run: two READs in a step, and one.
        assert_eq!(report["online_payload_bytes_total"], 3 * 8 * 6);
        assert_eq!(report["online_sequential_messages"], 2 * 2);
        let cost = &report["online"]["read"]["p0"];
        let spread = |name: &str| ["min", "median", "max"].map(|field| cost[name][field].as_f64().unwrap());
        assert!(spread("wall_ms_per_op_spread").is_sorted());
        assert_eq!(cost["wall_ms_per_op"], cost["wall_ms_per_op_spread"]["median"]);
        if cfg!(unix) {
            assert!(spread("cpu_ms_per_op_spread").is_sorted());
            assert!(cost["aes_limit_fraction"].as_f64().unwrap() > 0.0);
            assert!(cost["memory_limit_fraction"].as_f64().unwrap() > 0.0);
            assert!(report["process_cpu_ms_per_op"]["read"]["median"].as_f64().unwrap() > 0.0);
        }
        assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
        assert!(report["commit"].as_str().is_some_and(|commit| !commit.is_empty()));
        assert!(report["cpu"].as_str().is_some_and(|cpu| !cpu.is_empty()));
        assert!(report["cores"].as_u64().unwrap() > 0);
        assert!(!cfg!(target_os = "linux") || report["memory_bytes"].as_u64().unwrap() > 1 << 20);
        let features: Vec<&str> =
            report["features"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert_eq!(features, Features::detect().names());
    }
}

/// The pool's threads serve all parties: their CPU time is nobody's, but it is somebody's.
#[cfg(unix)]
#[test]
fn bench_with_threads_says_whose_cpu_time_it_knows() {
    let report = json(&["bench", "--log-size", "8", "--threads", "2", "--json"]);
    assert_eq!(report["online"]["read"]["p0"]["cpu_ms_per_op"], Value::Null);
    assert!(report["cpu_times"].as_str().unwrap().starts_with("not by party: "));
    assert!(report["process_cpu_ms_per_op"]["read"]["median"].as_f64().unwrap() > 0.0);
    assert!(report["process_cpu_ms_per_dpf"]["median"].as_f64().unwrap() > 0.0);
    assert!(
        succeed(&["bench", "--log-size", "8", "--threads", "2"])
            .contains("not by party: the kernels' threads")
    );
}

#[test]
fn bench_prints_limits_and_tables() {
    let lines = succeed(&["bench", "--log-size", "8", "--runs", "2"]);
    assert!(lines.contains("of the AES limit; ") && lines.contains("of the memory limit"), "{lines}");
    let table = succeed(&["bench", "--log-size", "4..5", "--csv"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.splitn(22, ',').collect()).collect();
    // A heading; READ and UPDATE of three parties, of two sizes.
    assert_eq!(rows.len(), 1 + 2 * 2 * 3);
    assert!(rows.iter().all(|row| row.len() == 22), "{table}");
    assert_eq!((rows[0][0], rows[0][21]), ("log_size", "cpu"));
    assert_eq!(rows[1][..8], ["4", "read", "p0", "2", "1", "1", fastest(), "1"]);
}

#[test]
fn the_version_says_what_was_built_and_what_it_found() {
    let long = succeed(&["--version"]);
    assert!(long.starts_with(concat!("duoram ", env!("CARGO_PKG_VERSION"), " (commit ")), "{long}");
    assert!(long.contains(&format!("\nbackends: {}", fastest())), "{long}");
    assert!(long.contains(&format!("\nfeatures: {}", Features::detect().names().join(" "))), "{long}");
    assert_eq!(succeed(&["-V"]), concat!("duoram ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn help_completions_and_manual_know_the_commands() {
    let help = succeed(&["--help"]);
    let limits = succeed(&["bench", "--help"]);
    assert!(limits.contains("What cannot be done without is taken all the same"), "{limits}");
    assert!(help.contains("Exit codes:\n  0  all held\n  1  something differs"), "{help}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let completions = succeed(&["completions", shell]);
        assert!(completions.contains("memory-limit"), "{shell}: {completions}");
    }
    let page = succeed(&["man"]);
    assert!(page.contains(".TH duoram 1") && page.contains("duoram\\-run(1)"), "{page}");
    assert!(!page.contains("kernel\\-host"), "{page}");
    let page = succeed(&["man", "run"]);
    assert!(page.contains(".TH duoram-run 1") && page.contains("\\-\\-trace"), "{page}");
}
