//! `duoram check`: all layers on random sessions, or a kernel of others on its own.

#[cfg(unix)]
use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use serde::Serialize;

use super::computation::{BackendChoice, Computation};
use super::protocol::{ProtocolChoice, with_protocol};
use super::{Output, Verdict, output};
use crate::Error;
use crate::progress::Progress;
use crate::workers::{Asked, Crew, Workers, with_divided_protocol};
use duoram_conformance::audit::{Audited, Audits};
use duoram_conformance::check::cases::{self, Candidate};
#[cfg(unix)]
use duoram_conformance::foreign::case::Operation;
use duoram_kernel::{Backend, Features};
use duoram_runtime::fast::Fast;
use duoram_runtime::protocol::Rules;
use duoram_runtime::seed::Seed;
use duoram_shards::Sharded;

/// What to check.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The protocol that the parties speak.
    #[arg(long, value_enum, default_value_t)]
    protocol: ProtocolChoice,
    /// The number of random sessions; with `--kernel`, of random cases beside the fixed ones.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub(super) cases: u64,
    /// The seed of the first case, from which those of the others follow. 1 to 64 hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    pub(super) seed: Option<Seed>,
    /// With `--backend auto`, all are checked that this CPU has.
    #[command(flatten)]
    computation: Computation,
    #[command(flatten)]
    workers: Workers,
    /// A shared library with an implementation of optimized/conformance/include/duoram_kernel.h, to be checked instead, and to be
    /// measured beside the backend (with `auto`, beside all; with `reference`, not at all).
    #[cfg(unix)]
    #[arg(long, value_name = "FILE")]
    pub(super) kernel: Option<PathBuf>,
    /// Only this operation of the kernel; may be given several times.
    #[cfg(unix)]
    #[arg(long, value_name = "OPERATION", requires = "kernel")]
    pub(super) operation: Vec<Operation>,
    /// Run a case again that the kernel failed, from the file that it was written to.
    #[cfg(unix)]
    #[arg(long, value_name = "FILE", requires = "kernel", conflicts_with_all = ["cases", "seed", "operation"])]
    pub(super) case: Option<PathBuf>,
    /// What the kernel may take for one case, at most a day.
    #[cfg(unix)]
    #[arg(long, value_name = "SECONDS", requires = "kernel", default_value_t = 10, value_parser = RangedU64ValueParser::<u64>::new().range(1..=86_400))]
    pub(super) time_limit: u64,
    /// Print one JSON object.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct Report {
    protocol: String,
    backends: Vec<&'static str>,
    threads: u16,
    #[serde(flatten)]
    found: cases::Report,
}

/// The kernels to check, and whether the reference is to be checked too.
fn chosen(computation: &Computation) -> Result<(Vec<Fast>, bool), Error> {
    Ok(match computation.backend {
        BackendChoice::Auto => {
            let backends = Backend::available(&Features::detect()).into_iter();
            (backends.map(|backend| computation.fast(backend)).collect::<Result<_, _>>()?, true)
        }
        _ => computation.chosen()?.map_or_else(|| (Vec::new(), true), |fast| (vec![fast], false)),
    })
}

/// Runs it.
///
/// # Errors
///
/// No randomness, no output, a backend that this CPU lacks, or a kernel that cannot be loaded.
pub fn check(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    let (fast, reference) = chosen(&options.computation)?;
    #[cfg(unix)]
    if let Some(file) = &options.kernel {
        return super::kernel::check(file, &fast, options, output);
    }
    let sharded: Vec<_> = match options.workers.asked()? {
        Asked::Nothing => {
            return with_protocol!(options.protocol, check_protocol(options, &fast, reference, output));
        }
        Asked::Threads(_) if fast.is_empty() => return Err(Error::PlainWorkers),
        Asked::Threads(cut) => {
            fast.iter().map(|fast| Sharded::in_threads(fast, &cut, None)).collect::<Result<_, _>>()?
        }
        // A process has one backend, so a job checks one: the fastest, or the one that was asked for.
        Asked::Job(job) => {
            match job.crew(|| options.computation.chosen()?.ok_or(Error::PlainWorkers), None)? {
                Crew::Party(sharded) => vec![sharded],
                Crew::Alone | Crew::Worker => return Ok(Verdict::Held),
            }
        }
    };
    with_divided_protocol!(options.protocol, check_divided(options, &sharded, output))
}

/// All layers of one protocol, by parties that have workers.
fn check_divided<P: Audits<Sharded>>(
    options: &Options,
    sharded: &[Sharded],
    output: &mut Output,
) -> Result<Verdict, Error> {
    check_candidates::<P>(options, &sharded.iter().map(Candidate::new::<P, _>).collect::<Vec<_>>(), output)
}

/// All layers of one protocol.
fn check_protocol<P: Audits<Fast> + Audits<<P as Rules>::Plain>>(
    options: &Options,
    fast: &[Fast],
    reference: bool,
    output: &mut Output,
) -> Result<Verdict, Error> {
    let plain = P::Plain::default();
    let reference = reference.then(|| Candidate::new::<P, _>(&plain));
    let candidates: Vec<_> = reference.into_iter().chain(fast.iter().map(Candidate::new::<P, _>)).collect();
    check_candidates::<P>(options, &candidates, output)
}

fn check_candidates<P: Audited>(
    options: &Options,
    candidates: &[Candidate<'_>],
    output: &mut Output,
) -> Result<Verdict, Error> {
    let seed = options.seed.map_or_else(Seed::from_system, Ok)?;
    let progress = Progress::new("cases", options.cases);
    let found = cases::run(options.cases, seed, candidates, |done| progress.reach(done));
    drop(progress);
    for failure in &found.failures {
        for mismatch in &failure.mismatches {
            output::complain(&format!("mismatch: {mismatch}"));
        }
        output::complain(&format!(
            "to reproduce: duoram check --protocol {} --cases 1 --seed {} --backend {}{}",
            options.protocol, failure.seed, failure.backend, options.workers
        ));
    }
    let mismatches = found.mismatches;
    let backends: Vec<_> = candidates.iter().map(Candidate::name).collect();
    if options.json {
        output.json(&Report {
            protocol: options.protocol.to_string(),
            backends,
            threads: options.computation.threads,
            found,
        })?;
    } else {
        let cases = |layer| found.cases.get(layer).copied().unwrap_or_default();
        output.line(&format!("seed:      {}", found.seed))?;
        options.workers.tell(output)?;
        let some = [(found.row_cases, "over rows"), (found.fewer_cases, "with addresses that have no words")];
        let some: Vec<_> =
            some.iter().filter(|(count, _)| *count > 0).map(|(count, of)| format!("{count} {of}")).collect();
        let rows = if some.is_empty() { String::new() } else { format!(" ({})", some.join(", ")) };
        output.line(&format!(
            "{:<10} {} cases{rows}, against the ideal memory and {}",
            "spec:",
            cases("spec"),
            P::LEMMAS
        ))?;
        for backend in backends {
            let name = format!("{backend}:");
            output.line(&format!("{name:<10} {} cases, against the specification", cases(backend)))?;
        }
        let compared = found.comparisons;
        output.line(&format!(
            "compared:  {} results, {} states, {} messages, {} states and results share by share",
            compared.results, compared.states, compared.messages, compared.shares
        ))?;
        output.line(&format!("{mismatches} mismatches"))?;
    }
    Ok(if mismatches == 0 { Verdict::Held } else { Verdict::Mismatch })
}
