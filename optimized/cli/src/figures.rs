//! What `ci/bench` measured, and its plots: each time beside what bounds it, and one kind of CPU beside another.

use std::path::Path;
use std::{fs, io};

use duoram_plots::{Across, Column, Line, Place, Plot, Shows};
use serde::{Deserialize, Serialize};

/// The data of the plots: files in `optimized/cli/docs`.
pub const SUMMARY: &str = "summary.json";
/// The same, of other CPUs: written by hand from runs that are in the documents.
pub const ELSEWHERE: &str = "elsewhere.json";

/// Full evaluation and online operations of one backend at one size.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// lg n
    pub log_size: u32,
    /// The least time of a full evaluation, for each leaf.
    pub ns_per_leaf: f64,
    /// The least time of an AES call in a loop of nothing else.
    pub aes_limit_ns_per_call: f64,
    /// What its AES calls alone take at the limit, as a part of the time of a full evaluation.
    pub aes_limit_fraction: f64,
    /// READ of one primary.
    pub read_ms: f64,
    /// UPDATE of one primary.
    pub update_ms: f64,
    /// Reading C and zeta once, as fast as the machine reads.
    pub memory_limit_ms: f64,
}

impl Row {
    /// What READ and UPDATE of a primary cannot do without: AES at the limit for two trees, 2 (n - 1) calls each.
    pub fn aes_limit_ms(&self) -> f64 {
        4.0 * (f64::from(self.log_size).exp2() - 1.0) * self.aes_limit_ns_per_call / 1e6
    }

    /// The larger of the two limits over a time.
    pub fn limit_fraction(&self, ms: f64) -> f64 {
        self.aes_limit_ms().max(self.memory_limit_ms) / ms
    }

    /// Milliseconds as nanoseconds a word of the memory.
    fn ns_a_word(&self, ms: f64) -> f64 {
        1e6 * ms / f64::from(self.log_size).exp2()
    }
}

/// All sizes of a backend.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BackendRows {
    /// Its name.
    pub backend: String,
    /// By ascending size.
    pub rows: Vec<Row>,
}

/// A peer at one size.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PeerRow {
    /// lg n
    pub log_size: u32,
    /// The least time of a full evaluation, for each leaf.
    pub ns_per_leaf: f64,
    /// The peer's time over that of our fastest backend.
    pub ratio: f64,
}

/// One run on one CPU.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// As it names itself.
    pub cpu: String,
    /// The fastest first.
    pub backends: Vec<BackendRows>,
    /// fss-rs 0.6.
    pub fss_rs: Vec<PeerRow>,
}

/// A full evaluation on another CPU.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct There {
    /// The backend's name.
    pub backend: String,
    /// lg n
    pub log_size: u32,
    /// The time of a leaf.
    pub ns_per_leaf: f64,
    /// What its AES calls alone take at the limit, as a part of that.
    pub aes_limit_fraction: f64,
}

/// What is known of another CPU.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Elsewhere {
    /// Its name.
    pub cpu: String,
    /// Where the run is written down.
    pub source: String,
    /// Full evaluations.
    pub evaluations: Vec<There>,
    /// What fss-rs took there for a leaf, and lg n.
    pub fss_rs: (u32, f64),
}

fn line(name: &str, shows: Shows, look: usize, points: impl IntoIterator<Item = (u32, f64)>) -> Line {
    let place = |(log_size, y)| Place { x: f64::from(log_size), y, done: true };
    Line { name: name.to_owned(), look, shows, places: points.into_iter().map(place).collect() }
}

/// The backend that needs no AES instruction: too slow to be on one axis with the others.
const PORTABLE: &str = "portable";

/// Full evaluations of the backends with AES instructions, and for each what its AES calls alone take.
fn evaluation_lines(evaluations: &[There]) -> Vec<Line> {
    let mut backends: Vec<&str> = Vec::new();
    for there in evaluations.iter().filter(|there| there.backend != PORTABLE) {
        if !backends.contains(&there.backend.as_str()) {
            backends.push(&there.backend);
        }
    }
    let lines = backends.into_iter().enumerate().flat_map(|(look, backend)| {
        let of = |value: fn(&There) -> f64| {
            let rows = evaluations.iter().filter(move |there| there.backend == backend);
            rows.map(move |there| (there.log_size, value(there)))
        };
        [
            line(backend, Shows::Whole, look, of(|there| there.ns_per_leaf)),
            line(
                &format!("{backend}: AES limit"),
                Shows::Limit,
                look,
                of(|there| there.ns_per_leaf * there.aes_limit_fraction),
            ),
        ]
    });
    lines.collect()
}

/// Numbers with their sizes, in words.
fn in_words(rows: impl IntoIterator<Item = (u32, f64)>) -> String {
    let rows = rows.into_iter().map(|(log_size, ns)| {
        let decimals = usize::from(ns < 100.0);
        format!("{ns:.decimals$} ns at 2^{log_size}")
    });
    rows.collect::<Vec<_>>().join(", ")
}

fn full_evaluation(summary: &Summary, elsewhere: &[Elsewhere]) -> Plot {
    let here = summary.backends.iter().flat_map(|BackendRows { backend, rows }| {
        rows.iter().map(|row| There {
            backend: backend.clone(),
            log_size: row.log_size,
            ns_per_leaf: row.ns_per_leaf,
            aes_limit_fraction: row.aes_limit_fraction,
        })
    });
    let column = |cpu: &str, evaluations: &[There]| Column {
        heading: cpu.to_owned(),
        lines: evaluation_lines(evaluations),
    };
    let first = column(&summary.cpu, &here.collect::<Vec<_>>());
    let others = elsewhere.iter().map(|other| column(&other.cpu, &other.evaluations));
    let peers = summary.fss_rs.iter().map(|row| (row.log_size, row.ns_per_leaf));
    let portable = summary.backends.iter().filter(|rows| rows.backend == PORTABLE);
    let portable = portable.flat_map(|rows| rows.rows.iter().map(|row| (row.log_size, row.ns_per_leaf)));
    let mut above =
        vec![format!("fss-rs 0.6 (AES-NI, 128-bit values): {} on {}", in_words(peers), summary.cpu)];
    above.extend(elsewhere.iter().map(|other| format!("{} on {}", in_words([other.fss_rs]), other.cpu)));
    let mut above = vec![above.join(", ")];
    let portable = in_words(portable);
    if !portable.is_empty() {
        above.push(format!("{PORTABLE} (no AES instructions): {portable} on {}", summary.cpu));
    }
    Plot {
        name: "full_evaluation".to_owned(),
        title: "Full evaluation of a DPF, one thread".to_owned(),
        notes: vec![
            format!("on {}", cpus(summary, elsewhere).join(" and ")),
            "Solid: measured. Dotted: what its AES calls alone take, in pairs taken in turn.".to_owned(),
            format!("Above the axis: {}.", above.join("; ")),
        ],
        x: "h = lg n",
        across: Across::Linear,
        y: "ns a leaf",
        columns: [first].into_iter().chain(others).collect(),
    }
}

fn cpus(summary: &Summary, elsewhere: &[Elsewhere]) -> Vec<String> {
    let others = elsewhere.iter().map(|other| format!("{} ({})", other.cpu, other.source));
    [summary.cpu.clone()].into_iter().chain(others).collect()
}

fn online(summary: &Summary) -> Option<Plot> {
    let BackendRows { backend, rows } = summary.backends.first()?;
    let over = |ms: fn(&Row) -> f64| rows.iter().map(move |row| (row.log_size, row.ns_a_word(ms(row))));
    let lines = vec![
        line("UPDATE", Shows::Whole, 1, over(|row| row.update_ms)),
        line("READ", Shows::Whole, 0, over(|row| row.read_ms)),
        line("AES limit of both", Shows::Limit, 3, over(Row::aes_limit_ms)),
        line("memory limit of READ", Shows::Limit, 2, over(|row| row.memory_limit_ms)),
    ];
    Some(Plot {
        name: "online".to_owned(),
        title: format!("READ and UPDATE of one primary, one thread, {backend}"),
        notes: vec![
            format!("on {}", summary.cpu),
            "Solid: measured. Dotted: two trees' AES calls alone; reading memory and blind once, 16 bytes a word."
                .to_owned(),
        ],
        x: "h = lg n",
        across: Across::Linear,
        y: "ns a word of the memory",
        columns: vec![Column { heading: summary.cpu.clone(), lines }],
    })
}

/// Full evaluation by each backend, here and elsewhere, and the online operations by the fastest, each with what bounds it.
pub fn plots(summary: &Summary, elsewhere: &[Elsewhere]) -> Vec<Plot> {
    [full_evaluation(summary, elsewhere)].into_iter().chain(online(summary)).collect()
}

/// Writes the plots of a summary into a folder.
///
/// # Errors
///
/// If they cannot be written.
pub fn write(summary: &Summary, elsewhere: &[Elsewhere], folder: &Path) -> io::Result<()> {
    plots(summary, elsewhere)
        .iter()
        .try_for_each(|plot| fs::write(folder.join(format!("{}.svg", plot.name)), plot.svg()))
}
