//! `ci/simulate`: runs of many seeds.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use duoram_simulation::coverage::Coverage;
use duoram_simulation::protocol::Protocol;
use duoram_simulation::{Fault, run};

/// Simulates parties that crash.
#[derive(Parser)]
struct Arguments {
    /// How many seeds.
    #[arg(default_value_t = 1000)]
    runs: u64,
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Only seeds of this protocol.
    #[arg(long)]
    protocol: Option<Protocol>,
    /// Plants a fault, which must be found.
    #[arg(long)]
    fault: Option<Fault>,
    /// One program of every kind of step instead, with a crash at every place, with each tear.
    #[arg(long, conflicts_with_all = ["runs", "fault"])]
    everywhere: bool,
    /// Writes what a crashed run of the seed has done, as a trace for `proofs/tla/validate`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["runs", "fault", "everywhere", "protocol"])]
    trace: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let said = match &arguments.trace {
        Some(path) => trace(arguments.seed, path),
        None if arguments.everywhere => everywhere(&arguments),
        None => seeds(&arguments),
    };
    match said {
        Ok(text) => {
            // A closed pipe is no failure of the simulation.
            let _ = writeln!(io::stdout(), "{text}");
            ExitCode::SUCCESS
        }
        Err(text) => {
            let _ = writeln!(io::stderr(), "{text}");
            ExitCode::FAILURE
        }
    }
}

/// The runs of so many seeds: what they were like, or what went wrong.
fn seeds(arguments: &Arguments) -> Result<String, String> {
    let started = Instant::now();
    let mut coverage = Coverage::default();
    let (mut crashes, mut frames) = (0, 0);
    let wanted = |seed: &u64| arguments.protocol.is_none_or(|protocol| run::protocol_of(*seed) == protocol);
    for (done, seed) in (0..arguments.runs).zip((arguments.seed..=u64::MAX).filter(wanted)) {
        progress(done, arguments.runs);
        match (run::simulate(seed, arguments.fault), arguments.fault) {
            (Ok(outcome), _) => {
                coverage.add(&outcome.coverage);
                crashes += outcome.crashes;
                frames += outcome.frames;
            }
            (Err(failure), None) => {
                let protocol = run::protocol_of(seed).name();
                return Err(format!(
                    "seed {seed} ({protocol}): {failure}\nagain: ci/simulate 1 --seed {seed}"
                ));
            }
            (Err(failure), Some(fault)) => {
                let runs = done + 1;
                return Ok(format!("{fault:?} found after {runs} runs, by seed {seed}: {failure}"));
            }
        }
    }
    if let Some(fault) = arguments.fault {
        return Err(format!("{fault:?} was not found in {} runs", arguments.runs));
    }
    let seconds = started.elapsed().as_secs_f64();
    let runs = arguments.runs;
    Ok(format!("{coverage}\n{runs} runs, {crashes} crashes, {frames} frames, {seconds:.1} s: 0 failures"))
}

/// A crashed run, as a trace in a file.
fn trace(seed: u64, path: &Path) -> Result<String, String> {
    let (outcome, text) = run::trace(seed).map_err(|failure| format!("seed {seed}: {failure}"))?;
    fs::write(path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
    let (protocol, lines) = (run::protocol_of(seed).name(), text.lines().count());
    Ok(format!("{}: {protocol}, {} crashes, {lines} lines", path.display(), outcome.crashes))
}

/// Each protocol, everywhere.
fn everywhere(arguments: &Arguments) -> Result<String, String> {
    let started = Instant::now();
    let mut coverage = Coverage::default();
    let mut runs = 0;
    for protocol in Protocol::ALL.into_iter().filter(|one| arguments.protocol.is_none_or(|only| only == *one))
    {
        let all = run::everywhere(protocol, arguments.seed).map_err(|((point, tear), failure)| {
            format!("{}, a crash at place {point}, tear {tear:?}: {failure}", protocol.name())
        })?;
        coverage.add(&all.coverage);
        runs += all.runs;
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(format!("{coverage}\na crash at each place with each tear: {runs} runs, {seconds:.1} s: 0 failures"))
}

fn progress(done: u64, of: u64) {
    if done.is_multiple_of(100) && io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r{done} of {of}\r");
    }
}
