//! `duoram run`: three parties on a real file.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use clap::ValueEnum;
use duoram_reference::{Batch, Parameters};
use serde::Serialize;

use super::computation::Computation;
use super::protocol::{ProtocolChoice, with_choices};
use super::{Output, Verdict, output};
use crate::Error;
use crate::hex::Hex;
use crate::memory_file::MemoryFile;
use crate::progress::Progress;
use crate::report::{self, PhaseReport};
use crate::script::Script;
use duoram_conformance::audit::{Audited, Audits};
use duoram_conformance::check::{Checker, Mismatch, TRANSCRIPT_LOG_SIZE, Tally};
use duoram_conformance::trace::{Plan, Trace};
use duoram_runtime::budget::Budget;
use duoram_runtime::client::Client;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::schedule::{Window, windows};
use duoram_runtime::seed::{Seed, Seeds};
use duoram_runtime::transport::Transport;
use duoram_runtime::{budget, resources};

/// What connects the parties.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum TransportChoice {
    /// Queues within the process.
    #[default]
    Memory,
    /// TCP on the loopback interface.
    Tcp,
}

impl From<TransportChoice> for Transport {
    fn from(choice: TransportChoice) -> Self {
        match choice {
            TransportChoice::Memory => Self::Memory,
            TransportChoice::Tcp => Self::Tcp,
        }
    }
}

impl fmt::Display for TransportChoice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Transport::from(*self).fmt(formatter)
    }
}

/// What to run.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The protocol that the parties speak.
    #[arg(long, value_enum, default_value_t)]
    protocol: ProtocolChoice,
    /// The memory: 64-bit little-endian words. Without it, a bundled sample.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// The operations, one a line: read I, update I DELTA, write I VALUE, swap I VALUE, chase I STEPS, # comment. An update adds DELTA,
    /// or XORs it in the lean protocol; a swap is a write that opens the old word.
    /// From standard input if FILE is -. Without it, a bundled script for the sample.
    #[arg(long, value_name = "FILE")]
    ops: Option<PathBuf>,
    /// Compare every result, state and (up to 2^10 words) message with the specification.
    #[arg(long)]
    check: bool,
    /// What connects the parties.
    #[arg(long, value_enum, default_value_t)]
    transport: TransportChoice,
    #[command(flatten)]
    computation: Computation,
    /// Draw all randomness from this seed, for tests; not from the operating system. 1 to 64 hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    seed: Option<Seed>,
    /// Write what each party sends, receives and applies, one JSON object a line with the numbers of the items in use, after
    /// a first line with all steps to be taken; no secrets. A file that is there is not overwritten.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Print one JSON object; words are strings of hexadecimal digits.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct OperationReport {
    line: usize,
    operation: String,
    result: Option<Hex>,
}

#[derive(Serialize)]
struct CheckReport {
    results: bool,
    lemmas: bool,
    transcript: bool,
    comparisons: Tally,
    mismatches: u64,
    first_mismatches: Vec<Mismatch>,
}

#[derive(Serialize)]
struct Report {
    protocol: &'static str,
    memory: String,
    ops: String,
    words: usize,
    size: u64,
    log_size: u32,
    transport: String,
    backend: &'static str,
    threads: usize,
    seed: Option<String>,
    operations: Vec<OperationReport>,
    phases: BTreeMap<&'static str, PhaseReport>,
    peak_rss_bytes: Option<u64>,
    check: Option<CheckReport>,
}

/// Runs it.
///
/// # Errors
///
/// Bad input, or a session that broke.
pub fn run(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    with_choices!(options.protocol, options.computation, run_with, options, output)
}

fn run_with<P: Audits<C>, C: LocalComputation>(
    backend: &C,
    options: &Options,
    output: &mut Output,
) -> Result<Verdict, Error> {
    let seeds = seeds(options.seed.as_ref())?;
    // What a session on 2^h words is run with, if there is room for it; `owner` is what the owner will take, in bytes a word.
    let admit = |log_size, demand: Batch, owner: u64| -> Result<(Parameters, Budget), Error> {
        let parameters =
            Parameters::new(seeds.session, log_size).map_err(duoram_runtime::Error::Parameters)?;
        let budget = Budget::new::<P, C>(backend, options.computation.memory_limit.0, log_size);
        let checker = if options.check { Checker::<P>::bytes(parameters, demand) } else { 0 };
        let more = checker.saturating_add(owner.saturating_mul(parameters.size()));
        budget::require_memory::<P, C>(backend, parameters, &budget, demand.reads + demand.updates, more)?;
        Ok((parameters, budget))
    };
    // 8 bytes a word for the memory, and 16 for its shares.
    let room = |log_size| admit(log_size, Batch::default(), 8 + 16).map(drop);
    let memory = match &options.memory {
        Some(path) => MemoryFile::open(path, room)?,
        None => MemoryFile::sample()?,
    };
    let size = memory.words().len() as u64;
    let script =
        options.ops.as_deref().map_or_else(|| Script::sample(size), |path| Script::open(path, size))?;
    let demand = script.demand::<P>();
    // The memory has been taken; now it is known what is done with it.
    let (parameters, budget) = admit(memory.log_size(), demand, 16)?;
    let operations = || script.operations.iter().map(|(_, operation)| operation);
    let create = |path| Trace::create(path, &Plan::new::<P>(parameters, &budget, operations()));
    let mut trace = options.trace.as_deref().map(create).transpose()?;
    let mut checker = options.check.then(|| Checker::<P>::new(parameters, &seeds, true, demand));
    let mut report = Report {
        protocol: P::NAME,
        memory: memory.name.clone(),
        ops: script.name.clone(),
        words: memory.words().len(),
        size: parameters.size(),
        log_size: parameters.log_size(),
        transport: options.transport.to_string(),
        backend: backend.name(),
        threads: backend.threads(),
        seed: options.seed.map(|seed| seed.to_string()),
        operations: Vec::new(),
        phases: BTreeMap::new(),
        peak_rss_bytes: None,
        check: None,
    };
    let mut say = |line: &str| if options.json { Ok(()) } else { output.line(line) };
    say(&heading(&report))?;

    let items = demand.reads + demand.updates;
    let progress = Progress::new("preprocessing", items as u64);
    let watched = checker.as_ref().map(|checker| checker.watch(backend));
    let (transport, observer) = (options.transport.into(), (trace.as_mut(), checker.as_mut()));
    let mut client = match watched {
        Some(watched) => Client::<P, _>::start(parameters, &seeds, watched, budget, transport, observer)?,
        None => Client::<P, _>::start(parameters, &seeds, |_| backend.clone(), budget, transport, observer)?,
    };
    client.load(memory.padded())?;
    drop(memory);
    let mut lines = script.operations.iter();
    let all = windows::<P>(&budget, operations()).count();
    for (number, Window { demand, pieces }) in (1..).zip(windows::<P>(&budget, operations())) {
        let part = if all == 1 { String::new() } else { format!("part {number} of {all}, ") };
        progress.begin(format!("{part}preprocessing"), (demand.reads + demand.updates) as u64);
        client.preprocess(demand, |done| progress.reach_part(done))?;
        progress.begin(format!("{part}operations"), pieces.len() as u64);
        for (done, piece) in (1..).zip(pieces) {
            let result = client.perform(piece)?;
            progress.reach(done);
            let Some((line, operation)) = (if piece.ends { lines.next() } else { None }) else { continue };
            let text = match result {
                Some(word) => format!("line {line:<5} {operation}  ->  {word} ({word:#x})"),
                None => format!("line {line:<5} {operation}  done"),
            };
            progress.suspend(|| say(&text))?;
            if options.json {
                let (operation, result) = (operation.to_string(), result.map(Hex));
                report.operations.push(OperationReport { line: *line, operation, result });
            }
        }
    }
    drop(progress);

    say("")?;
    say(&report::table(client.meter()))?;
    report.phases = report::phases(client.meter());
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

/// From the seed that was given, or from the system.
fn seeds(given: Option<&Seed>) -> Result<Seeds, Error> {
    let Some(seed) = given else { return Ok(Seeds::from_system()?) };
    output::complain(
        "warning: with --seed all randomness is known to whoever knows the seed; for tests only",
    );
    Ok(Seeds::derive(&mut seed.stream()))
}

fn heading(report: &Report) -> String {
    format!(
        "protocol:  {}\nmemory:    {} ({} words; n = {} = 2^{})\nops:       {}\ntransport: {}\nbackend:   {}, threads: {}\nseed:      {}\n",
        report.protocol,
        report.memory,
        report.words,
        report.size,
        report.log_size,
        report.ops,
        report.transport,
        report.backend,
        report.threads,
        report.seed.as_deref().unwrap_or("from the operating system"),
    )
}

fn check_report<P: Audited>(checker: &Checker<P>) -> CheckReport {
    CheckReport {
        results: true,
        lemmas: true,
        transcript: checker.follows_transcript(),
        comparisons: *checker.tally(),
        mismatches: checker.mismatches(),
        first_mismatches: checker.described().to_vec(),
    }
}

fn describe(check: &CheckReport, lemmas: &str) -> String {
    let Tally { results, states, messages, shares } = check.comparisons;
    let transcript = if check.transcript {
        format!("{messages} messages, {shares} states and results share by share")
    } else {
        format!("transcript not compared (only up to 2^{TRANSCRIPT_LOG_SIZE} words)")
    };
    format!(
        "checked: {results} results, {states} states ({lemmas}), {transcript}; {} mismatches",
        check.mismatches
    )
}
