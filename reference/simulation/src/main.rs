//! `ci/simulate`: runs of many seeds.

mod progress;

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use clap::Parser;
use duoram_simulation::many::{Failed, Many, many};
use duoram_simulation::protocol::Protocol;
use duoram_simulation::{Failure, Fault, run};

use self::progress::Progress;

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
    /// How many runs at the same time; as many as there are cores, unless it is said.
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// One program of every kind of step instead, with a crash at every place, with each tear.
    #[arg(long, conflicts_with_all = ["runs", "fault"])]
    everywhere: bool,
    /// Writes what a crashed run of the seed has done, as a trace for `proofs/tla/validate`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["runs", "fault", "everywhere", "protocol"])]
    trace: Option<PathBuf>,
}

impl Arguments {
    fn threads(&self) -> usize {
        self.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
    }
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
    let Arguments { fault, runs, .. } = *arguments;
    let wanted = |seed: &u64| arguments.protocol.is_none_or(|protocol| run::protocol_of(*seed) == protocol);
    let which = (0..runs).zip((arguments.seed..=u64::MAX).filter(wanted)).map(|(_, seed)| seed);
    let progress = Progress::of(runs);
    let all =
        many(arguments.threads(), which, |seed| run::simulate(seed, fault), |all| progress.tell(all.runs));
    match (all, fault) {
        (Ok(Many { coverage, crashes, frames, .. }), None) => {
            let seconds = started.elapsed().as_secs_f64();
            Ok(format!(
                "{coverage}\n{runs} runs, {crashes} crashes, {frames} frames, {seconds:.1} s: 0 failures"
            ))
        }
        (Ok(_), Some(fault)) => Err(format!("{fault:?} was not found in {runs} runs")),
        (Err(Failed { before, which: seed, failure }), Some(fault)) if failure != Failure::Panicked => {
            let runs = before + 1;
            Ok(format!("{fault:?} found after {runs} runs, by seed {seed}: {failure}"))
        }
        (Err(Failed { which: seed, failure, .. }), _) => {
            let protocol = run::protocol_of(seed).name();
            Err(format!("seed {seed} ({protocol}): {failure}\nagain: ci/simulate 1 --seed {seed}"))
        }
    }
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
    let mut all = Many::default();
    for protocol in Protocol::ALL.into_iter().filter(|one| arguments.protocol.is_none_or(|only| only == *one))
    {
        let of_one = run::everywhere(protocol, arguments.seed, arguments.threads());
        all.add(&of_one.map_err(|Failed { which: (point, tear), failure, .. }| {
            format!("{}, a crash at place {point}, tear {tear:?}: {failure}", protocol.name())
        })?);
    }
    let (Many { runs, coverage, .. }, seconds) = (all, started.elapsed().as_secs_f64());
    Ok(format!("{coverage}\na crash at each place with each tear: {runs} runs, {seconds:.1} s: 0 failures"))
}
