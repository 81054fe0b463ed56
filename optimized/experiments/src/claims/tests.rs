use super::*;
use crate::row::tests::a_row;

/// Totals and online times of an experiment by lg n.
fn rows_of(experiment: &str, system: &str, times: &[(u32, f64)], bytes: f64) -> Vec<Row> {
    let row = |&(log_size, seconds): &(u32, f64)| a_row(experiment, system, log_size, seconds, bytes);
    let online = |row: Row| Row { phase: "online".to_owned(), ..row };
    times.iter().flat_map(|time| [row(time), online(row(time))]).collect()
}

fn verdict(rows: &[Row], claim: &str, system: &str, says: &str) -> Verdict {
    let findings = check(rows);
    let finding = findings
        .iter()
        .find(|finding| (finding.claim, finding.system) == (claim, system) && finding.says.contains(says));
    finding.map_or_else(|| panic!("no finding {claim} of {system}"), |finding| finding.verdict)
}

#[test]
fn nothing_measured_is_no_verdict() {
    let findings = check(&[]);
    assert!(findings.iter().all(|finding| finding.verdict == Verdict::NotMeasured));
    for claim in ["C1", "C2", "C3", "C4", "C5"] {
        for system in ["3P-DUORAM", "3P-lean"] {
            let checked = findings.iter().any(|finding| finding.claim == claim && finding.system == system);
            assert!(checked, "{claim} of {system}");
        }
    }
}

#[test]
fn c1_is_about_where_floram_becomes_faster() {
    let floram = [(20, 10.0), (22, 10.0), (24, 10.0), (26, 10.0)];
    for (system, ours, expected) in [
        ("3P-DUORAM", [1.0, 2.0, 3.0, 4.0], Verdict::Holds),
        ("3P-DUORAM", [1.0, 2.0, 3.0, 11.0], Verdict::OtherCrossover),
        ("3P-DUORAM", [10.0, 2.0, 3.0, 4.0], Verdict::DoesNotHold),
        // Published for two parties: between 2^22 and 2^24.
        ("2P-DUORAM", [1.0, 2.0, 11.0, 12.0], Verdict::Holds),
        ("2P-DUORAM", [1.0, 2.0, 3.0, 4.0], Verdict::OtherCrossover),
        ("2P-DUORAM", [1.0, 10.5, 11.0, 12.0], Verdict::Holds),
        ("2P-DUORAM", [11.0, 12.0, 13.0, 14.0], Verdict::DoesNotHold),
    ] {
        let times: Vec<_> = floram.iter().zip(ours).map(|(&(log_size, _), time)| (log_size, time)).collect();
        let rows = [rows_of("E1", system, &times, 1.0), rows_of("E1", FLORAM, &floram, 1.0)].concat();
        assert_eq!(verdict(&rows, "C1", system, "FLORAM"), expected, "{system} {ours:?}");
    }
}

#[test]
fn c2_is_about_the_slowest_over_the_fastest() {
    let sweep = |experiment, system, times: [f64; 2]| {
        rows_of(experiment, system, &[(20, times[0]), (20, times[1])], 1.0)
    };
    let rows = |ours: [f64; 2]| {
        [
            sweep("E2", "3P-lean", ours),
            sweep("E3", "3P-lean", [1.0, 2.0]),
            sweep("E2", FLORAM, [10.0, 50.0]),
            sweep("E3", FLORAM, [10.0, 60.0]),
        ]
        .concat()
    };
    assert_eq!(verdict(&rows([1.0, 1.1]), "C2", "3P-lean", ""), Verdict::Holds);
    assert_eq!(verdict(&rows([1.0, 5.5]), "C2", "3P-lean", ""), Verdict::DoesNotHold);
}

#[test]
fn c3_is_about_bytes() {
    let sizes = [(16, 1.0), (26, 1.0)];
    let with = |system, bytes| rows_of("E7", system, &sizes, bytes);
    let peers = [with(FLORAM, 500.0), with(CIRCUIT_ORAM, 400.0)].concat();
    let rows = [with("3P-DUORAM", 100.0), peers.clone()].concat();
    assert_eq!(verdict(&rows, "C3", "3P-DUORAM", "fewer"), Verdict::Holds);
    assert_eq!(verdict(&rows, "C3", "3P-DUORAM", "do not depend"), Verdict::Holds);
    let mut grows = rows.clone();
    for row in grows.iter_mut().filter(|row| row.log_size == 26 && row.system == "3P-DUORAM") {
        row.bytes_a_party = 104.0;
    }
    assert_eq!(verdict(&grows, "C3", "3P-DUORAM", "do not depend"), Verdict::DoesNotHold);
    let rows = [with("3P-DUORAM", 450.0), peers].concat();
    assert_eq!(verdict(&rows, "C3", "3P-DUORAM", "fewer"), Verdict::DoesNotHold);
}

#[test]
fn c4_is_about_the_published_crossovers() {
    let rows = |ours: [f64; 3]| {
        let times: Vec<_> = [18, 20, 22].into_iter().zip(ours).collect();
        let peer = |system| rows_of("E6", system, &[(18, 5.0), (20, 5.0), (22, 5.0)], 1.0);
        [rows_of("E6", "3P-DUORAM", &times, 1.0), peer(FLORAM), peer(CIRCUIT_ORAM)].concat()
    };
    // FLORAM overtakes at 2^20 by the paper.
    assert_eq!(verdict(&rows([1.0, 4.0, 6.0]), "C4", "3P-DUORAM", "faster than FLORAM"), Verdict::Holds);
    assert_eq!(
        verdict(&rows([1.0, 2.0, 3.0]), "C4", "3P-DUORAM", "faster than FLORAM"),
        Verdict::OtherCrossover
    );
    assert_eq!(
        verdict(&rows([6.0, 7.0, 8.0]), "C4", "3P-DUORAM", "faster than FLORAM"),
        Verdict::DoesNotHold
    );
    // Circuit ORAM at 2^24, and nothing larger was looked at.
    assert_eq!(verdict(&rows([1.0, 2.0, 3.0]), "C4", "3P-DUORAM", "Circuit"), Verdict::Holds);
    assert_eq!(verdict(&rows([1.0, 6.0, 7.0]), "C4", "3P-DUORAM", "Circuit"), Verdict::OtherCrossover);
}

#[test]
fn c5_is_about_cores() {
    let with_cores = |system, times: [f64; 2]| {
        let rows = rows_of("E11", system, &[(20, times[0]), (20, times[1])], 1.0);
        let cores = |(place, row): (usize, Row)| Row { cores: if place < 2 { 1 } else { 32 }, ..row };
        rows.into_iter().enumerate().map(cores).collect::<Vec<_>>()
    };
    let floram = with_cores(FLORAM, [50.0, 49.0]);
    let rows = |ours| [with_cores("2P-DUORAM", ours), floram.clone()].concat();
    assert_eq!(verdict(&rows([10.0, 6.0]), "C5", "2P-DUORAM", ""), Verdict::Holds);
    assert_eq!(verdict(&rows([10.0, 9.9]), "C5", "2P-DUORAM", ""), Verdict::DoesNotHold);
    let three = [with_cores("3P-lean", [8.0, 7.9]), floram.clone()].concat();
    assert_eq!(verdict(&three, "C5", "3P-lean", ""), Verdict::Holds);
    let slow = [with_cores("3P-lean", [60.0, 7.9]), floram].concat();
    assert_eq!(verdict(&slow, "C5", "3P-lean", ""), Verdict::DoesNotHold);
}
