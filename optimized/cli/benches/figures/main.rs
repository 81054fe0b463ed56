//! The kernels against the machine and against a peer, in one run: `ci/bench`, or `cargo bench -p duoram`.
//!
//! Prints ratios, and writes `target/bench/summary.json` and plots as SVG. Every figure is the least of several CPU times of
//! one thread; limits are taken in the same run. With `--redraw`: draws the plots of a summary that is there, and measures
//! nothing.
#![allow(clippy::cast_precision_loss)] // of measured times

mod peer;
mod plot;

use std::fs;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Duration;

use duoram::ceiling::{Ceiling, arbitrary_key};
use duoram_kernel::{Backend, BackendName, Features, Party, ReadQuery, Update, UpdateTree, Workers};
use duoram_reference::SessionKey;
use duoram_runtime::fast::Fast;
use duoram_runtime::resources::thread_cpu_time;
use serde::{Deserialize, Serialize};

use crate::plot::{Line, Plot, Shows};

/// Full evaluation and online operations of one backend at one size.
#[derive(Serialize, Deserialize)]
struct Row {
    log_size: u32,
    ns_per_leaf: f64,
    aes_limit_ns_per_call: f64,
    aes_limit_fraction: f64,
    read_ms: f64,
    update_ms: f64,
    /// Reading C and zeta once, as fast as the machine reads.
    memory_limit_ms: f64,
}

impl Row {
    /// What READ and UPDATE of a primary cannot do without: AES at the limit for two trees, 2 (n - 1) calls each.
    fn aes_limit_ms(&self) -> f64 {
        4.0 * (f64::from(self.log_size).exp2() - 1.0) * self.aes_limit_ns_per_call / 1e6
    }

    /// The larger of the two limits over a time.
    fn limit_fraction(&self, ms: f64) -> f64 {
        self.aes_limit_ms().max(self.memory_limit_ms) / ms
    }
}

#[derive(Serialize, Deserialize)]
struct BackendRows {
    backend: String,
    rows: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct PeerRow {
    log_size: u32,
    ns_per_leaf: f64,
    /// The peer's time over that of our fastest backend.
    ratio: f64,
}

#[derive(Serialize, Deserialize)]
struct Summary {
    cpu: String,
    backends: Vec<BackendRows>,
    fss_rs: Vec<PeerRow>,
}

/// The least CPU time of several runs, in nanoseconds.
fn least(runs: u32, mut work: impl FnMut()) -> f64 {
    work();
    let time = |work: &mut dyn FnMut()| {
        let start = thread_cpu_time().unwrap_or_default();
        work();
        thread_cpu_time().unwrap_or_default().saturating_sub(start)
    };
    let least = (0..runs).map(|_| time(&mut work)).min().unwrap_or(Duration::ZERO);
    least.as_secs_f64() * 1e9
}

fn row(fast: &Fast, log_size: u32) -> Row {
    let limits = Ceiling::measure(fast, log_size);
    let full = limits.full_evaluation;
    let kernels = fast.kernels(&SessionKey::new(*b"a key for timing"));
    let n = 1_usize << log_size;
    let (mut combined, mut blind) = (vec![1_u64; n], vec![2_u64; n]);
    let (first, second) = (arbitrary_key(log_size), arbitrary_key(log_size));
    let shift = n / 3;
    let query = ReadQuery { key: &first, refresh_key: &second, shift };
    let runs = 7;
    let read = least(runs, || {
        black_box(kernels.read(Party::P0, &combined, &blind, &[query]));
    });
    let tree = |key| UpdateTree { key, final_correction: 5 };
    let update = Update { second: tree(&first), third: tree(&second), shift };
    let update = least(runs, || kernels.update(Party::P0, &mut combined, &mut blind, &[update]));
    Row {
        log_size,
        ns_per_leaf: full.ns_per_leaf,
        aes_limit_ns_per_call: full.aes_limit_ns_per_call,
        aes_limit_fraction: full.aes_limit_fraction,
        read_ms: read / 1e6,
        update_ms: update / 1e6,
        memory_limit_ms: limits.reading_ms(16 << log_size),
    }
}

/// The name of the CPU (Linux), for the reader of the plots.
fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("model name"));
    line.and_then(|line| line.split_once(':'))
        .map_or_else(|| "unknown CPU".to_owned(), |(_, name)| name.trim().to_owned())
}

fn directory() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target")), PathBuf::from);
    target.join("bench")
}

fn measure() -> Summary {
    let mut backends = Vec::new();
    for backend in Backend::available(&Features::detect()) {
        let workers = Workers::new(1).expect("one thread takes no pool");
        let fast = Fast::new(backend, workers, 1 << 30);
        let most = if backend.name() == BackendName::Portable { 16 } else { 24 };
        let rows: Vec<_> = (10..=most).step_by(2).map(|log_size| row(&fast, log_size)).collect();
        for row in &rows {
            println!(
                "{:<9} h = {:2}: {:7.3} ns a leaf, {:.3} of the AES limit; READ {:9.4} ms, UPDATE {:9.4} ms, {:.2} and \
                 {:.2} of their limit",
                backend.name().as_str(),
                row.log_size,
                row.ns_per_leaf,
                row.aes_limit_fraction,
                row.read_ms,
                row.update_ms,
                row.limit_fraction(row.read_ms),
                row.limit_fraction(row.update_ms),
            );
        }
        backends.push(BackendRows { backend: backend.name().to_string(), rows });
    }
    let ours = |log_size| {
        let rows = backends.first().map(|fastest| fastest.rows.as_slice()).unwrap_or_default();
        rows.iter().find(|row| row.log_size == log_size).map_or(f64::NAN, |row| row.ns_per_leaf)
    };
    let fss_rs = [16, 20].map(|log_size| {
        let ns_per_leaf = peer::fss_rs_ns_per_leaf(log_size);
        let ratio = ns_per_leaf / ours(log_size);
        println!("fss-rs 0.6 h = {log_size}: {ns_per_leaf:.3} ns a leaf, {ratio:.1} times ours");
        PeerRow { log_size, ns_per_leaf, ratio }
    });
    println!("dpf 0.2 needs a nightly compiler (portable_simd) and is not measured");
    Summary { cpu: cpu(), backends, fss_rs: fss_rs.into() }
}

fn line(name: String, shows: Shows, colour: usize, rows: &[Row], value: fn(&Row) -> f64) -> Line {
    Line {
        name,
        shows,
        colour,
        points: rows.iter().map(|row| (f64::from(row.log_size), value(row))).collect(),
    }
}

/// Full evaluation by each backend, and the online operations by the fastest, each with what bounds it.
fn plots(summary: &Summary) -> Vec<(&'static str, Plot)> {
    let mut evaluation = Vec::new();
    for (colour, BackendRows { backend, rows }) in summary.backends.iter().enumerate() {
        evaluation.push(line(backend.clone(), Shows::Measurement, colour, rows, |row| row.ns_per_leaf));
        let limit = format!("{backend}: AES limit");
        evaluation.push(line(limit, Shows::Limit, colour, rows, |row| 2.0 * row.aes_limit_ns_per_call));
    }
    let peer = summary.fss_rs.iter().map(|row| (f64::from(row.log_size), row.ns_per_leaf)).collect();
    let name = "fss-rs 0.6 (AES-NI)".to_owned();
    evaluation.push(Line { name, shows: Shows::Measurement, colour: 5, points: peer });
    let title = "Full evaluation of a DPF, one thread".to_owned();
    let mut plots = vec![("full_evaluation", Plot { title, y: "ns a leaf", lines: evaluation })];
    if let Some(BackendRows { backend, rows }) = summary.backends.first() {
        let lines = vec![
            line("UPDATE".to_owned(), Shows::Measurement, 1, rows, |row| row.update_ms),
            line("READ".to_owned(), Shows::Measurement, 0, rows, |row| row.read_ms),
            line("AES limit of both".to_owned(), Shows::Limit, 0, rows, Row::aes_limit_ms),
            line("memory limit of READ".to_owned(), Shows::Limit, 2, rows, |row| row.memory_limit_ms),
        ];
        let title = format!("One primary online, one thread, {backend}");
        plots.push(("online", Plot { title, y: "ms", lines }));
    }
    plots
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = directory();
    let file = directory.join("summary.json");
    fs::create_dir_all(&directory)?;
    let summary = if std::env::args().any(|argument| argument == "--redraw") {
        serde_json::from_str(&fs::read_to_string(&file)?)?
    } else {
        let summary = measure();
        fs::write(&file, serde_json::to_string_pretty(&summary)? + "\n")?;
        summary
    };
    for (name, plot) in plots(&summary) {
        plot.write(&directory.join(format!("{name}.svg")), &summary.cpu)?;
    }
    println!("written: {}", directory.display());
    Ok(())
}
