//! The lean protocol from the command line.

use serde_json::Value;

use crate::program::{json, succeed};

fn bench(log_size: u32, kind: &str) -> Value {
    let size = log_size.to_string();
    json(&["bench", "--protocol", "lean", "--log-size", &size, "--ops", "1", "--kind", kind, "--json"])
}

#[test]
fn run_check_says_which_protocol_it_used_and_finds_nothing() {
    let output = succeed(&["run", "--check", "--protocol", "lean"]);
    assert!(output.starts_with("protocol:  lean\n"), "{output}");
    // An update XORs: 699 ^ 1 ^ 255.
    assert!(output.contains("line 18    read 500  ->  955 (0x3bb)"), "{output}");
    assert!(output.contains("17 states (both sharings of the ideal memory), 204 messages, "), "{output}");
    assert!(output.trim_end().ends_with("; 0 mismatches"), "{output}");
    assert!(succeed(&["run"]).starts_with("protocol:  paper\n"));
}

#[test]
fn results_depend_on_neither_backend_nor_transport_nor_threads() {
    let with = |more: &[&str]| {
        let arguments = [&["run", "--protocol", "lean", "--check", "--seed", "7", "--json"], more].concat();
        let report = json(&arguments);
        assert_eq!((&report["protocol"], &report["check"]["mismatches"]), (&"lean".into(), &0.into()));
        report["operations"].clone()
    };
    let expected = with(&["--backend", "reference"]);
    for more in [&["--threads", "2"][..], &["--transport", "tcp"], &["--backend", "portable"]] {
        assert_eq!(with(more), expected, "{more:?}");
    }
}

#[test]
fn check_puts_every_backend_to_lean_sessions() {
    let report = json(&["check", "--protocol", "lean", "--cases", "8", "--seed", "beef", "--json"]);
    assert_eq!((&report["protocol"], &report["mismatches"]), (&"lean".into(), &0.into()));
    let cases = report["cases"].as_object().unwrap();
    assert!(cases.len() >= 3 && cases.values().all(|count| *count == 8), "{cases:?}");
    assert!(report["comparisons"]["messages"].as_u64().unwrap() > 100);
}

/// Payload bytes of one operation and of its item (alone in its batch: the bits of a level are packed a message), and the
/// messages that wait for each other.
#[test]
fn bench_shows_what_the_lean_protocol_promises() {
    for (kind, online, item, messages, sequential) in
        [("read", 16, 1916, 2, 21), ("update", 40, 3246, 1, 29), ("write", 56, 3246, 2, 29)]
    {
        let report = bench(16, kind);
        assert_eq!(report["protocol"], "lean");
        assert_eq!(report["online_payload_bytes_total"], online, "{kind}");
        assert_eq!(report["preprocessing_payload_bytes_total"], item, "{kind}");
        assert_eq!(report["online_sequential_messages"], messages, "{kind}");
        assert_eq!(report["preprocessing_sequential_messages"], sequential, "{kind}");
        for (party, words) in [("p0", 2), ("p1", 1), ("p2", 2)] {
            assert_eq!(report["online_state_bytes"][party], (words * 8) << 16);
            let cost = &report["online"][kind][party];
            let limits = ["aes_limit_fraction", "memory_limit_fraction", "limit_fraction"];
            assert!(limits.iter().all(|limit| cost[limit].is_number()), "{cost}");
            assert_eq!(cost["rewriting_limit_fraction"].is_number(), kind != "read");
        }
    }
    for (kind, online) in [("read", 20), ("update", 44), ("write", 60)] {
        assert_eq!(bench(20, kind)["online_payload_bytes_total"], online, "{kind}");
    }
}
