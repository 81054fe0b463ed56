//! Two parties from the command line.

use serde_json::Value;

use crate::program::{json, succeed};

fn bench(log_size: &str, kind: &str, backend: &str) -> Value {
    let asked = ["bench", "--protocol", "two-party", "--log-size", log_size, "--ops", "1", "--kind", kind];
    json(&[&asked[..], &["--backend", backend, "--json"]].concat())
}

#[test]
fn run_check_finds_nothing_and_there_is_no_third_party() {
    let output = succeed(&["run", "--check", "--protocol", "two-party"]);
    assert!(output.starts_with("protocol:  two-party\n"), "{output}");
    // Words are added: 837 = 699 + 1 + 255 + 138 - 256.
    assert!(output.contains("line 20    read 500  ->  837 (0x345)"), "{output}");
    assert!(!output.contains(" P2 "), "{output}");
    let checked = "17 states (shares of the ideal memory), 66 messages, 29 states and results share by share; 0 mismatches";
    assert!(output.trim_end().ends_with(checked), "{output}");
}

#[test]
fn results_depend_on_neither_backend_nor_transport_nor_threads_nor_pir() {
    let with = |more: &[&str]| {
        let report =
            json(&[&["run", "--protocol", "two-party", "--check", "--seed", "7", "--json"], more].concat());
        assert_eq!((&report["protocol"], &report["check"]["mismatches"]), (&"two-party".into(), &0.into()));
        report["operations"].clone()
    };
    let expected = with(&["--backend", "reference"]);
    assert_eq!(expected, json(&["run", "--json"])["operations"], "the paper's protocol");
    for more in [&["--threads", "2"][..], &["--transport", "tcp"], &["--backend", "portable"]] {
        assert_eq!(with(more), expected, "{more:?}");
    }
}

#[test]
fn check_puts_every_backend_to_sessions_of_two() {
    let report = json(&["check", "--protocol", "two-party", "--cases", "4", "--seed", "beef", "--json"]);
    assert_eq!((&report["protocol"], &report["mismatches"]), (&"two-party".into(), &0.into()));
    let cases = report["cases"].as_object().unwrap();
    assert!(cases.len() >= 3 && cases.values().all(|count| *count == 4), "{cases:?}");
    assert!(report["comparisons"]["messages"].as_u64().unwrap() > 50);
}

/// Payload bytes of both parties. UPDATEs depend on the size by their levels only, and READs by OTs: 16 bytes a bit of an address.
#[test]
fn bench_shows_what_two_parties_send() {
    for (size, h) in [("10", 10), ("14", 14)] {
        let report = bench(size, "update", "auto");
        assert_eq!(report["online_payload_bytes_total"], 2 * 16);
        // Columns; operands and openings of one tree, whose 3 bits take a byte; the sum.
        assert_eq!(
            report["preprocessing_payload_bytes_total"],
            2 * (128 * u64::from(h > 8) + 128 + h * (17 + 16) + 8)
        );
        assert_eq!(report["online_sequential_messages"], 1);
        assert_eq!(report["preprocessing_sequential_messages"], 2 * h + 2);
        assert_eq!(report["online_state_bytes"].as_object().unwrap().len(), 2, "P0 and P1");
        assert!(report["online"]["update"]["p1"]["aes_limit_fraction"].is_number());
    }
    let (small, large) = (bench("6", "read", "auto"), bench("13", "read", "auto"));
    assert_eq!(small["online_payload_bytes_total"], large["online_payload_bytes_total"], "of any size alike");
    assert_eq!(small["online_payload_bytes_total"], 2 * (8 + 6912));
    assert_eq!(small["preprocessing"]["p0"]["cpu_ms_per_dpf"], Value::Null, "a READ uses none");
    // The plain PIR of the reference sends the whole table.
    assert_eq!(bench("6", "read", "reference")["online_payload_bytes_total"], 2 * (8 + 8 * 64));
}
