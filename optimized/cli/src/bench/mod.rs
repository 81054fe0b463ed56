//! `duoram bench`: what operations cost, on a memory of zeros.

pub(crate) mod calibration;
mod costs;
mod report;
pub mod sizes;
mod workers;
mod workload;

use std::time::Instant;

use clap::builder::RangedU64ValueParser;
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::protocol::{Rules, Runs};
use duoram_shards::Sharded;

use self::costs::Costs;
use self::report::{CSV_HEADER, Report};
use self::sizes::Sizes;
pub use self::workload::Kind;
use self::workload::{Workload, Yardstick, measure};
use crate::ceiling::FullEvaluation;
use crate::computation::Computation;
use crate::protocol::{ProtocolChoice, with_protocol};
use crate::rows::Rows;
use crate::workers::{Crew, Workers, with_divided_protocol};
use crate::{Error, Output, Verdict};

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The protocol that the parties speak.
    #[arg(long, value_enum, default_value_t)]
    protocol: ProtocolChoice,
    #[command(flatten)]
    rows: Rows,
    /// h: the memory has 2^H words, or rows of words. H..H measures every size from the one to the other, both included.
    #[arg(long, value_name = "H[..H]", default_value = "16")]
    log_size: Sizes,
    /// The number of operations in a run.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 20))]
    ops: usize,
    /// What an operation is.
    #[arg(long, value_enum, default_value_t)]
    kind: Kind,
    /// How many independent operations make a step. Without it all of them do, and with readwrite one; a WRITE is always
    /// alone, for it waits for its READ.
    #[arg(long, value_name = "K", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1 << 20))]
    batch: Option<usize>,
    /// How often all of it is measured, after a warm-up of as many operations, but 32 at most. Shown are medians, with the
    /// least and the most.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: u32,
    #[command(flatten)]
    computation: Computation,
    #[command(flatten)]
    workers: Workers,
    /// Print one JSON object; of several sizes, an array of them.
    #[arg(long)]
    json: bool,
    /// Print comma-separated values: a line for each size, operation and party.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

impl Options {
    fn workload<P: Rules>(&self) -> Result<Workload, Error> {
        let row_words = self.rows.of::<P>()?;
        let batch = match (self.kind, self.batch) {
            (Kind::Write, Some(got)) if got > 1 => return Err(Error::BatchOfWrites { got }),
            (_, Some(batch)) => batch,
            (Kind::Write | Kind::Readwrite, None) => 1,
            (Kind::Read | Kind::Update, None) => self.ops,
        };
        let tree_bytes = self.computation.memory_limit.0;
        Ok(Workload { kind: self.kind, ops: self.ops, batch, runs: self.runs, tree_bytes, row_words })
    }
}

/// Runs it.
///
/// # Errors
///
/// A memory too large for the machine, or a session that broke.
pub fn bench(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    match options.workers.crew(&options.computation)? {
        Crew::Worker => Ok(Verdict::Held),
        Crew::Alone => with_protocol!(options.protocol, bench_protocol(options, output)),
        Crew::Party(sharded) => {
            options.workers.tell_unless(options.json || options.csv, output)?;
            with_divided_protocol!(options.protocol, bench_divided(&sharded, options, output))
        }
    }
}

/// Without the ceiling of one process, which is none for several.
fn bench_divided<P: Costs + Runs<Sharded>>(
    sharded: &Sharded,
    options: &Options,
    output: &mut Output,
) -> Result<Verdict, Error> {
    let for_people = !options.json && !options.csv;
    if for_people {
        workers::tell_round_trips(sharded, output)?;
    }
    let (before, start) = (sharded.usage(), Instant::now());
    let verdict = bench_with::<P, _>(sharded, options, output, None)?;
    if for_people {
        workers::tell_usage(&before, &sharded.usage(), start.elapsed(), output)?;
    }
    Ok(verdict)
}

fn bench_protocol<P: Costs + Runs<Fast> + Runs<<P as Rules>::Plain>>(
    options: &Options,
    output: &mut Output,
) -> Result<Verdict, Error> {
    match options.computation.chosen()? {
        Some(fast) => {
            let state_bytes = |extent| <P as Runs<Fast>>::footprint(&fast).state_bytes(extent);
            let yardstick = Yardstick { fast: &fast, state_bytes: &state_bytes };
            bench_with::<P, _>(&fast, options, output, Some(yardstick))
        }
        // What the machine could do at best is no measure for a computation that is plain on purpose.
        None => bench_with::<P, _>(&<P as Rules>::Plain::default(), options, output, None),
    }
}

fn bench_with<P: Costs + Runs<C>, C: LocalComputation>(
    backend: &C,
    options: &Options,
    output: &mut Output,
    yardstick: Option<Yardstick<'_>>,
) -> Result<Verdict, Error> {
    let workload = options.workload::<P>()?;
    let mut reports = Vec::new();
    if options.csv {
        output.line(CSV_HEADER)?;
    }
    for log_size in options.log_size.all() {
        let measured = measure::<P, C>(backend, &workload, log_size, yardstick)?;
        // The parties' memory is given back by now.
        let full_evaluation = yardstick.map(|yardstick| FullEvaluation::measure(yardstick.fast, log_size));
        let report = Report::new::<P, C>(&workload, log_size, backend, &measured, full_evaluation);
        if options.csv {
            report.csv().into_iter().try_for_each(|line| output.line(&line))?;
        } else if options.json {
            reports.push(report);
        } else {
            report.text().into_iter().try_for_each(|line| output.line(&line))?;
        }
    }
    if options.json {
        match reports.as_slice() {
            [report] => output.json(report)?,
            reports => output.json(&reports)?,
        }
    }
    Ok(Verdict::Held)
}
