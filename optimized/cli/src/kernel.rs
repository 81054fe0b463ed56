//! `duoram check --kernel`: a kernel of others.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::check::Options;
use super::{Output, Verdict, output};
use crate::Error;
use crate::progress::Progress;
use duoram_conformance::foreign::case::{Case, Operation};
use duoram_conformance::foreign::case_file;
use duoram_conformance::foreign::guest::Guest;
use duoram_conformance::foreign::judge::{Finding, Problem, Tested, Trial, run_again, start};
use duoram_conformance::foreign::race::{Race, STEPS, race};
use duoram_runtime::fast::Fast;
use duoram_runtime::seed::Seed;

#[derive(Serialize)]
struct Report<'a> {
    kernel: &'a Path,
    seed: String,
    tested: Vec<Tested>,
    failures: Vec<Finding>,
    /// Where the failures went, in the same order.
    files: Vec<Option<PathBuf>>,
    /// The command that does it all again.
    reproduce: String,
    /// Nothing, if something failed, or there is no backend to compare with.
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
    let mut guest = start(file, Duration::from_secs(options.time_limit))?;
    if let Some(cases) = &options.case {
        let cases = case_file::read(cases)?;
        complain_missing(&guest, &cases.iter().map(Case::operation).collect::<Vec<_>>());
        let finding = run_again(&mut guest, &cases)?;
        return report_again(file, cases.len(), finding, options, output);
    }
    let seed = options.seed.map_or_else(Seed::from_system, Ok)?;
    let operations = if options.operation.is_empty() { &Operation::ALL[..] } else { &options.operation };
    complain_missing(&guest, operations);
    let trial = Trial::new(operations, seed, options.cases.div_ceil(Operation::ALL.len() as u64));
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
    if held && !backends.is_empty() {
        let progress = Progress::new("measurements", STEPS);
        let measured = race(&mut guest, operations, backends, seed, |done| progress.reach(done));
        drop(progress);
        times = measured?;
    }
    let only = options.operation.iter().map(|operation| format!(" --operation {operation}"));
    let reproduce = format!(
        "duoram check --kernel {} --cases {} --seed {seed} --time-limit {}{}",
        file.display(),
        options.cases,
        options.time_limit,
        only.collect::<String>()
    );
    let mut files = Vec::new();
    for failure in &failures {
        complain(failure);
        let case_file = case_file::write(Path::new(""), file, failure);
        match &case_file {
            Ok(name) if failure.repeats => {
                let (kernel, name) = (file.display(), name.display());
                output::complain(&format!("again: duoram check --kernel {kernel} --case {name}"));
            }
            Ok(name) => output::complain(&format!(
                "the case is in {}, but fails only after the cases before it",
                name.display()
            )),
            Err(error) => output::complain(&format!("the case was not written: {error}")),
        }
        output::complain(&format!("all of it again: {reproduce}"));
        files.push(case_file.ok());
    }
    if options.json {
        let seed = seed.to_string();
        output.json(&Report { kernel: file, seed, tested, failures, files, reproduce, times })?;
    } else {
        output.line(&format!("kernel:      {}", file.display()))?;
        output.line(&format!("seed:        {seed}"))?;
        for Tested { operation, right, unsupported, cases } in &tested {
            let name = format!("{operation}:");
            output
                .line(&format!("{name:<12} {right} of {cases} cases right, {unsupported} not supported"))?;
        }
        print_times(&times, output)?;
        output.line(&format!("{} failures", failures.len()))?;
    }
    Ok(if held { Verdict::Held } else { Verdict::Mismatch })
}

/// Says which of these operations the library has no function for: they are not checked.
fn complain_missing(guest: &Guest, operations: &[Operation]) {
    for operation in guest.missing().iter().filter(|missing| operations.contains(missing)) {
        let function = operation.function();
        output::complain(&format!("not checked: {operation}: the kernel has no function {function}"));
    }
}

/// What a kernel made of cases from a file.
#[derive(Serialize)]
struct Again<'a> {
    kernel: &'a Path,
    cases: usize,
    failures: Vec<Finding>,
}

fn report_again(
    kernel: &Path,
    cases: usize,
    finding: Option<Finding>,
    options: &Options,
    output: &mut Output,
) -> Result<Verdict, Error> {
    let verdict = if finding.is_some() { Verdict::Mismatch } else { Verdict::Held };
    if let Some(finding) = &finding {
        complain(finding);
    }
    let failures = Vec::from_iter(finding);
    if options.json {
        output.json(&Again { kernel, cases, failures })?;
    } else {
        output.line(&format!("kernel:    {}", kernel.display()))?;
        output.line(&format!("{} failures in {cases} cases", failures.len()))?;
    }
    Ok(verdict)
}

fn complain(Finding { operation, about, before, steps, problem, .. }: &Finding) {
    match problem {
        Problem::Mismatch { place, expected, got } => {
            output::complain(&format!(
                "mismatch: {operation}, {about}: {place}: expected {expected}, got {got}"
            ));
        }
        Problem::Failure(failure) => {
            output::complain(&format!("failure: {operation}, {about}: {failure}"));
        }
    }
    if *steps > 0 {
        output::complain(&format!("made smaller in {steps} steps"));
    }
    if before.is_some() {
        output::complain("only after another call: the kernel keeps something that shows");
    }
}

/// Milliseconds of each, and how many times that of ours the kernel takes.
fn print_times(times: &[Race], output: &mut Output) -> Result<(), Error> {
    for Race { operation, log_size, kernel_ms, backends } in times {
        let ours =
            backends.iter().map(|ours| format!("{:.3}x {} ({:.4} ms)", ours.ratio, ours.backend, ours.ms));
        let ours: Vec<_> = ours.collect();
        output.line(&format!("{operation}, one at 2^{log_size}: {kernel_ms:.4} ms = {}", ours.join(", ")))?;
    }
    Ok(())
}
