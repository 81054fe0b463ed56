//! `duoram check`: all layers on random sessions.

use clap::builder::RangedU64ValueParser;
use serde::Serialize;

use super::{BackendChoice, Output, Verdict, output, with_backend};
use crate::Error;
use crate::backend::Backend;
use crate::check::cases;
use crate::seed::Seed;

/// What to check.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The number of random sessions.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    cases: u64,
    /// The seed of the first case, from which those of the others follow. 1 to 64 hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    seed: Option<Seed>,
    /// The local computation.
    #[arg(long, value_enum, default_value_t)]
    backend: BackendChoice,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    backend: &'static str,
    #[serde(flatten)]
    found: cases::Report,
}

/// Runs it.
///
/// # Errors
///
/// No randomness, or no output.
pub fn check(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    with_backend!(options.backend, check_with, options, output)
}

fn check_with<C: Backend>(backend: &C, options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    let seed = options.seed.map_or_else(Seed::from_system, Ok)?;
    let bar = output::progress(options.cases, "cases");
    let found = cases::run(options.cases, seed, backend, |done| bar.set_position(done));
    bar.finish_and_clear();
    for failure in &found.failures {
        for mismatch in &failure.mismatches {
            output::complain(&format!("mismatch: {mismatch}"));
        }
        output::complain(&format!(
            "to reproduce: duoram check --cases 1 --seed {} --backend {}",
            failure.seed, options.backend
        ));
    }
    let mismatches = found.mismatches;
    if options.json {
        output.json(&Report { backend: backend.name(), found })?;
    } else {
        let (cases, compared) = (found.cases, found.comparisons);
        output.line(&format!("seed:      {}\nbackend:   {}", found.seed, backend.name()))?;
        output
            .line(&format!("spec:      {} cases, against the ideal memory and Lemmas 2 and 3", cases.spec))?;
        output.line(&format!(
            "reference: {} cases, against the specification: {} results, {} states, {} messages",
            cases.reference, compared.results, compared.states, compared.messages
        ))?;
        output.line(&format!("{mismatches} mismatches"))?;
    }
    Ok(if mismatches == 0 { Verdict::Held } else { Verdict::Mismatch })
}
