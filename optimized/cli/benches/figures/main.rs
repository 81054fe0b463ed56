//! The kernels against the machine and against a peer, in one run: `ci/bench`, or `cargo bench -p duoram`.
//!
//! Prints ratios, and writes `target/bench/summary.json` and plots as SVG. Every figure is the least of several CPU times of
//! one thread; limits are taken in the same run.
#![allow(clippy::cast_precision_loss)] // of measured times

mod peer;

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use duoram::ceiling::{FullEvaluation, PartyLimits, arbitrary_key};
use duoram::figures::{BackendRows, ELSEWHERE, PeerRow, Row, SUMMARY, Summary, write};
use duoram::machine;
use duoram_kernel::{Backend, BackendName, Features, Party, ReadQuery, Update, UpdateTree, Workers};
use duoram_reference::SessionKey;
use duoram_runtime::fast::Fast;
use duoram_runtime::resources::thread_cpu_time;

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
    let full = FullEvaluation::measure(fast, log_size);
    let limits = PartyLimits::measure(fast, [16 << log_size, 0, 0]);
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
        memory_limit_ms: limits[0].reading_ms,
    }
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
    Summary { cpu: machine::cpu(), backends, fss_rs: fss_rs.into() }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = directory();
    fs::create_dir_all(&directory)?;
    let elsewhere =
        fs::read_to_string(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/docs")).join(ELSEWHERE))?;
    let elsewhere: Vec<_> = serde_json::from_str(&elsewhere)?;
    let summary = measure();
    fs::write(directory.join(SUMMARY), serde_json::to_string_pretty(&summary)? + "\n")?;
    write(&summary, &elsewhere, &directory)?;
    println!("written: {}", directory.display());
    Ok(())
}
