//! A session that ends with the process: its costs are counted, and it may be checked and traced.

use super::report::{Report, check_report, describe, described};
use super::{Job, Options};
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::{Error, Verdict, report as costs};
use duoram_conformance::audit::Audits;
use duoram_conformance::check::Checker;
use duoram_conformance::trace::{Plan, Trace};
use duoram_runtime::client::Client;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::resources;
use duoram_runtime::schedule::{Window, windows};

/// Runs all operations.
pub(super) fn run<P: Audits<C>, C: LocalComputation>(
    backend: &C,
    options: &Options,
    job: Job,
    output: &mut Output,
) -> Result<Verdict, Error> {
    let mut report = Report::new::<P>(options, &job, backend);
    let Job { seeds, parameters, budget, memory, script, demand } = job;
    let operations = || script.operations.iter().map(|(_, operation)| operation);
    let create = |path| Trace::create(path, &Plan::new::<P>(parameters, &budget, operations()));
    let mut trace = options.trace.as_deref().map(create).transpose()?;
    let mut checker = options.check.then(|| Checker::<P>::new(parameters, &seeds, true, demand));
    let mut say = |line: &str| if options.json { Ok(()) } else { output.line(line) };
    say(&report.heading())?;

    let items = demand.reads + demand.updates;
    let progress = Progress::new("preprocessing", items as u64);
    let watched = checker.as_ref().map(|checker| checker.watch(backend));
    let (transport, observer) = (options.transport.into(), (trace.as_mut(), checker.as_mut()));
    let mut client = match watched {
        Some(watched) => Client::<P, _>::start(parameters, &seeds, watched, budget, transport, observer)?,
        None => Client::<P, _>::start(parameters, &seeds, |_| backend.clone(), budget, transport, observer)?,
    };
    client.load(memory.memory())?;
    drop(memory);
    let mut lines = script.operations.iter();
    let all = windows::<P>(&budget, operations()).count();
    for (number, Window { demand, pieces }) in (1..).zip(windows::<P>(&budget, operations())) {
        let part = if all == 1 { String::new() } else { format!("part {number} of {all}, ") };
        progress.begin(format!("{part}preprocessing"), (demand.reads + demand.updates) as u64);
        client.preprocess(demand, |done| progress.reach_part(done))?;
        progress.begin(format!("{part}operations"), pieces.len() as u64);
        for (done, piece) in (1..).zip(pieces) {
            let ends = piece.ends;
            let result = client.perform(piece)?;
            progress.reach(done);
            let Some((line, operation)) = (if ends { lines.next() } else { None }) else { continue };
            progress.suspend(|| say(&described(*line, operation, result.as_deref())))?;
            if options.json {
                report.add(*line, operation, result);
            }
        }
    }
    drop(progress);

    say("")?;
    say(&costs::table::<P>(client.meter()))?;
    report.phases = costs::phases::<P>(client.meter());
    // Ends the parties' threads, and with them the last use of trace and checker.
    drop(client);
    report.check = checker.as_ref().map(check_report);
    if let Some(trace) = trace {
        trace.finish()?;
    }
    report.peak_rss_bytes = resources::peak_resident_bytes();
    if let Some(check) = &report.check {
        say(&describe(check, P::LEMMAS))?;
        for mismatch in &check.first_mismatches {
            output::complain(&format!("mismatch: {mismatch}"));
        }
    }
    if options.json {
        output.json(&report)?;
    }
    Ok(match &report.check {
        Some(check) if check.mismatches > 0 => Verdict::Mismatch,
        _ => Verdict::Held,
    })
}
