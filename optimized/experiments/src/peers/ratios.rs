//! What all rounds say together: medians with their spread, and how many times as much ours computes.

use std::collections::BTreeSet;

use super::Round;
use crate::row::Row;
use crate::spread::Spread;
use crate::table::{aligned, seconds};

/// What rows are put together by: size, system, kind and phase.
type Key = (u32, String, String, String);

fn key(row: &Row) -> Key {
    (row.log_size, row.system.clone(), row.kind.clone(), row.phase.clone())
}

/// Each once, in the order in which they first come.
fn keys<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Key> {
    let mut seen = BTreeSet::new();
    rows.map(key).filter(|key| seen.insert(key.clone())).collect()
}

/// What an operation of these took, over all rounds.
fn spread<'a>(rows: impl Iterator<Item = &'a Row>, of: &Key) -> Option<Spread> {
    Spread::of(rows.filter(|row| key(row) == *of).map(Row::computing))
}

/// How many times as much as the peer ours computes for an operation: of each round by itself, and then of all.
///
/// None, if they never took turns.
pub fn ratios(rounds: &[Round], peer: &Key, ours: &Key) -> Option<Spread> {
    let of_peer = rounds.iter().filter(|round| key(&round.peer) == *peer);
    Spread::of(of_peer.filter_map(|round| {
        let row = round.ours.iter().find(|row| key(row) == *ours)?;
        Some(row.computing() / round.peer.computing())
    }))
}

/// A row for each system, size, kind and phase, its times the medians of all such rows: of peers, what `--with` shows.
pub fn medians(rows: &[&Row]) -> Vec<Row> {
    let median = |of: &Key| {
        let rows = || rows.iter().copied().filter(|row| key(row) == *of);
        let median = |value: fn(&Row) -> f64| Spread::of(rows().map(value)).map(|spread| spread.median);
        Some(Row {
            seconds: median(|row| row.seconds)?,
            cpu_seconds: median(|row| row.cpu_seconds)?,
            ..rows().next()?.clone()
        })
    };
    keys(rows.iter().copied()).iter().filter_map(median).collect()
}

/// Times, and below them ratios, of each size.
pub fn text(rounds: &[Round]) -> Vec<String> {
    let sizes: BTreeSet<u32> = rounds.iter().map(|round| round.peer.log_size).collect();
    let mut lines = Vec::new();
    for log_size in sizes {
        let of_size: Vec<_> =
            rounds.iter().filter(|round| round.peer.log_size == log_size).cloned().collect();
        lines.push(format!("2^{log_size} words: CPU time an operation"));
        lines.extend(times(&of_size).into_iter().map(|line| format!("  {line}")));
        for kind in ["read", "write"] {
            let of_kind: Vec<_> = of_size.iter().filter(|round| round.peer.kind == kind).cloned().collect();
            if !of_kind.is_empty() {
                lines.push(format!(
                    "2^{log_size} words: how many times the CPU time of a peer's {kind} ours takes, median (least..most) of rounds"
                ));
                lines.extend(quotients(&of_kind).into_iter().map(|line| format!("  {line}")));
            }
        }
        lines.push(String::new());
    }
    lines
}

/// A line for each system, kind and phase.
fn times(rounds: &[Round]) -> Vec<String> {
    let rows = || {
        let ours = rounds.iter().flat_map(|round| &round.ours);
        ours.chain(rounds.iter().map(|round| &round.peer))
    };
    let mut lines = vec![["", "median", "least..most", "rounds"].map(str::to_owned).to_vec()];
    for of in keys(rows()) {
        let Some(Spread { min, median, max }) = spread(rows(), &of) else { continue };
        let (_, system, kind, phase) = &of;
        let count = rows().filter(|row| key(row) == of).count();
        lines.push(vec![
            format!("{system}, {kind}, {phase}"),
            seconds(median),
            format!("{}..{}", seconds(min), seconds(max)),
            count.to_string(),
        ]);
    }
    aligned(&lines)
}

/// Ours down, peers across.
fn quotients(rounds: &[Round]) -> Vec<String> {
    let peers = keys(rounds.iter().map(|round| &round.peer));
    let names = peers.iter().map(|(_, system, ..)| system.clone());
    let mut lines = vec![["ours over theirs".to_owned()].into_iter().chain(names).collect::<Vec<_>>()];
    for ours in keys(rounds.iter().flat_map(|round| &round.ours)) {
        let (_, system, kind, phase) = &ours;
        let cell = |peer| ratios(rounds, peer, &ours).map_or_else(|| "-".to_owned(), quotient);
        let name = format!("{system}, {kind}, {phase}");
        lines.push([name].into_iter().chain(peers.iter().map(cell)).collect());
    }
    aligned(&lines)
}

fn quotient(Spread { min, median, max }: Spread) -> String {
    format!("{} ({}..{})", digits(median), digits(min), digits(max))
}

/// Three digits that say something.
fn digits(value: f64) -> String {
    match value {
        value if value >= 99.95 => format!("{value:.0}"),
        value if value >= 9.995 => format!("{value:.1}"),
        value if value >= 0.9995 => format!("{value:.2}"),
        value => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::tests::a_row;

    fn row(system: &str, kind: &str, phase: &str, operations: usize, cpu_seconds: f64) -> Row {
        let row = a_row("computing", system, 10, 7.0 * cpu_seconds, 0.0);
        Row { kind: kind.to_owned(), phase: phase.to_owned(), operations, cpu_seconds, ..row }
    }

    /// Three rounds; the second is of a busy machine, on which all takes three times as long.
    fn rounds() -> Vec<Round> {
        let round = |times: f64, more: f64| Round {
            peer: row("theirs", "read", "total", 10, 1e-3 * times),
            ours: vec![
                row("3P-lean", "read", "online", 2, 1e-3 * times * more),
                row("3P-lean", "read", "total", 2, 4e-3 * times * more),
            ],
        };
        vec![round(1.0, 1.0), round(3.0, 1.1), round(1.0, 0.9)]
    }

    fn ours(phase: &str) -> Key {
        (10, "3P-lean".to_owned(), "read".to_owned(), phase.to_owned())
    }

    #[test]
    fn a_ratio_is_of_a_round_and_an_operation_so_that_a_busy_machine_cancels_out() {
        let peer = key(&rounds()[0].peer);
        let near = |spread: Option<Spread>, expected: [f64; 3]| {
            let Spread { min, median, max } = spread.unwrap();
            let pairs = [min, median, max].into_iter().zip(expected);
            pairs.for_each(|(got, expected)| assert!((got - expected).abs() < 1e-9, "{got} {expected}"));
        };
        // 4 ms for 2 operations, beside 1 ms for 10: 20 times.
        near(ratios(&rounds(), &peer, &ours("total")), [18.0, 20.0, 22.0]);
        near(ratios(&rounds(), &peer, &ours("online")), [4.5, 5.0, 5.5]);
        assert_eq!(ratios(&rounds(), &ours("total"), &peer), None, "they are told apart");
        let times = spread(rounds().iter().flat_map(|round| &round.ours), &ours("total")).unwrap();
        near(Some(times), [1.8e-3, 2e-3, 6.6e-3]);
    }

    #[test]
    fn the_table_has_ours_down_and_peers_across_each_with_its_own_numbers() {
        let mut all = rounds();
        all.extend(rounds().into_iter().map(|round| Round {
            peer: Row { system: "slow".to_owned(), cpu_seconds: 10.0 * round.peer.cpu_seconds, ..round.peer },
            ..round
        }));
        let text = text(&all);
        let line = |start: &str, with: &str| {
            let found = text.iter().find(|line| line.trim_start().starts_with(start) && line.contains(with));
            found.unwrap_or_else(|| panic!("no line {start} with {with}:\n{}", text.join("\n"))).clone()
        };
        let words = |line: String| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let theirs = words(line("theirs, read, total", "us"));
        assert!(theirs.ends_with("100.0 us 100.0 us..300.0 us 3"), "{theirs}");
        let ours = words(line("3P-lean, read, total", "ms"));
        assert!(ours.ends_with("2.00 ms 1.80 ms..6.60 ms 6"), "{ours}");
        let names = line("ours over theirs", "slow");
        assert!(names.find("theirs  ").is_some() && names.ends_with("slow"), "{names}");
        let total = line("3P-lean, read, total", "(");
        let ends = |line: &str, text: &str| line.find(text).map(|at| at + text.len());
        assert_eq!(
            ends(&total, "20.0 (18.0..22.0)"),
            names.rfind("theirs").map(|at| at + 6),
            "{names}\n{total}"
        );
        assert!(total.ends_with("2.00 (1.80..2.20)"), "under slow: {total}");
        assert!(!text.iter().any(|line| line.contains("a peer's write")), "nothing was written");
    }

    #[test]
    fn what_is_shown_beside_the_experiments_is_a_median_of_each_peer() {
        let rounds = rounds();
        let rows = medians(&rounds.iter().map(|round| &round.peer).collect::<Vec<_>>());
        let [row] = &*rows else { panic!("expected one row, got {}", rows.len()) };
        assert_eq!((&*row.system, row.operations, row.cpu_seconds, row.seconds), ("theirs", 10, 1e-3, 7e-3));
    }

    #[test]
    fn numbers_have_three_digits() {
        assert_eq!(
            [1234.5, 99.96, 12.34, 1.234, 0.0123].map(digits),
            ["1234", "100", "12.3", "1.23", "0.012"]
        );
    }
}
