//! `duoram check --kernel`: a kernel of others.

use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::check::Options;
use super::{Output, Verdict, output};
use crate::Error;
use crate::progress::Progress;
use duoram_conformance::foreign::judge::{Finding, Problem, Tested, Trial, start};
use duoram_conformance::foreign::race::{Race, STEPS, race};
use duoram_runtime::fast::Fast;
use duoram_runtime::seed::Seed;

#[derive(Serialize)]
struct Report<'a> {
    kernel: &'a Path,
    seed: String,
    tested: Vec<Tested>,
    failures: Vec<Finding>,
    /// The command that does it all again.
    reproduce: String,
    /// Nothing, if something failed.
    times: Vec<Race>,
}

/// Runs all cases, and measures a kernel that passes.
///
/// # Errors
///
/// No randomness, no output, no such file, or a library that cannot be loaded.
pub(super) fn check(
    file: &Path,
    backends: &[Fast],
    options: &Options,
    output: &mut Output,
) -> Result<Verdict, Error> {
    let seed = options.seed.map_or_else(Seed::from_system, Ok)?;
    let mut guest = start(file, Duration::from_secs(options.time_limit))?;
    let trial = Trial::new(seed, options.cases);
    let progress = Progress::new("cases", trial.length());
    let outcome = trial.run(&mut guest, |done| progress.reach(done));
    drop(progress);
    let (tested, failures) = outcome?;
    let nothing = tested.iter().all(|tested| tested.right == 0);
    if failures.is_empty() && nothing {
        output::complain("the kernel supports none of the cases: nothing was checked");
    }
    let held = failures.is_empty() && !nothing;
    let mut times = Vec::new();
    if held {
        let progress = Progress::new("measurements", STEPS);
        let measured = race(&mut guest, backends, seed, |done| progress.reach(done));
        drop(progress);
        times = measured?;
    }
    let reproduce = format!(
        "duoram check --kernel {} --cases {} --seed {seed} --time-limit {}",
        file.display(),
        options.cases,
        options.time_limit
    );
    for failure in &failures {
        complain(failure, &reproduce);
    }
    if options.json {
        let seed = seed.to_string();
        output.json(&Report { kernel: file, seed, tested, failures, reproduce, times })?;
    } else {
        output.line(&format!("kernel:    {}", file.display()))?;
        output.line(&format!("seed:      {seed}"))?;
        for Tested { operation, right, unsupported, cases } in &tested {
            let name = format!("{operation}:");
            output
                .line(&format!("{name:<10} {right} of {cases} cases right, {unsupported} not supported"))?;
        }
        print_times(&times, output)?;
        output.line(&format!("{} failures", failures.len()))?;
    }
    Ok(if held { Verdict::Held } else { Verdict::Mismatch })
}

fn complain(Finding { operation, about, case, steps, problem }: &Finding, reproduce: &str) {
    match problem {
        Problem::Mismatch { place, expected, got } => {
            output::complain(&format!(
                "mismatch: {operation}, {about}: {place}: expected {expected}, got {got}"
            ));
            output::complain(&format!("the case, made smaller in {steps} steps: {case}"));
        }
        Problem::Failure(failure) => {
            output::complain(&format!("failure: {operation}, {about}: {failure}"));
            output::complain(&format!("the case: {case}"));
        }
    }
    output::complain(&format!("to reproduce: {reproduce}"));
}

/// Milliseconds of each, and how many times that of ours the kernel takes.
fn print_times(times: &[Race], output: &mut Output) -> Result<(), Error> {
    for Race { operation, log_size, kernel_ms, backends } in times {
        let ours =
            backends.iter().map(|ours| format!("{:.2}x {} ({:.3})", ours.ratio, ours.backend, ours.ms));
        let ours: Vec<_> = ours.collect();
        output.line(&format!("{operation}, one at 2^{log_size}: {kernel_ms:.3} ms = {}", ours.join(", ")))?;
    }
    Ok(())
}
