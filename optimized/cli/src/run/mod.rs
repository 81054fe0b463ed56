//! `duoram run`: the parties on a real file.

mod in_memory;
mod on_disk;
mod report;

use std::fmt;
use std::path::PathBuf;

use clap::ValueEnum;
use duoram_reference::{Batch, Parameters};

#[cfg(feature = "hosts")]
pub(crate) use self::report::{OperationReport, described};
use super::computation::Computation;
use super::protocol::{ProtocolChoice, with_protocol};
use super::{Output, Verdict, output};
use crate::rows::Rows;
use crate::workers::{Crew, Workers, with_divided_protocol};
use crate::{Error, sample};
use duoram_conformance::audit::Audits;
use duoram_conformance::check::Checker;
use duoram_runtime::budget::{self, Budget};
use duoram_runtime::fast::Fast;
use duoram_runtime::input::memory_file::{MemoryFile, Rest};
use duoram_runtime::input::script::Script;
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::protocol::Rules;
use duoram_runtime::seed::{Seed, Seeds};
use duoram_runtime::transport::Transport;
use duoram_shards::Sharded;

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
    #[command(flatten)]
    rows: Rows,
    /// The memory: 64-bit little-endian words, or rows of W of them one behind the other. Without it, a bundled sample.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// The operations, one a line: read I, update I DELTA, write I VALUE, swap I VALUE, chase I STEPS, # comment. An update adds DELTA,
    /// or XORs it in the lean protocol; a swap is a write that opens the old word. With --row-words W, DELTA and VALUE are W numbers,
    /// read and swap open W words, and a chase goes on with the first word of each row.
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
    #[command(flatten)]
    workers: Workers,
    /// Draw all randomness from this seed, for tests; not from the operating system. 1 to 64 hexadecimal digits.
    #[arg(long, value_name = "HEX")]
    seed: Option<Seed>,
    /// Write what each party sends, receives and applies, one JSON object a line with the numbers of the items in use, after
    /// a first line with all steps to be taken; no secrets. A file that is there is not overwritten. The memory has a word at each
    /// address then: the model knows no others.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    on_disk: on_disk::Options,
    /// Print one JSON object; words are strings of hexadecimal digits.
    #[arg(long)]
    json: bool,
}

/// What is to be done, checked and with room for it.
struct Job {
    seeds: Seeds,
    parameters: Parameters,
    budget: Budget,
    memory: MemoryFile,
    script: Script,
    /// The items that the whole script uses up.
    demand: Batch,
}

/// Runs it.
///
/// # Errors
///
/// Bad input, or a session that broke.
pub fn run(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    match options.workers.crew(&options.computation)? {
        Crew::Worker => Ok(Verdict::Held),
        Crew::Alone => with_protocol!(options.protocol, run_protocol(options, output)),
        Crew::Party(sharded) => {
            options.workers.tell_unless(options.json, output)?;
            with_divided_protocol!(options.protocol, run_divided(&sharded, options, output))
        }
    }
}

fn run_divided<P: Audits<Sharded>>(
    sharded: &Sharded,
    options: &Options,
    output: &mut Output,
) -> Result<Verdict, Error> {
    run_with::<P, _>(sharded, options, output)
}

fn run_protocol<P: Audits<Fast> + Audits<<P as Rules>::Plain>>(
    options: &Options,
    output: &mut Output,
) -> Result<Verdict, Error> {
    match options.computation.chosen()? {
        Some(fast) => run_with::<P, _>(&fast, options, output),
        None => run_with::<P, _>(&<P as Rules>::Plain::default(), options, output),
    }
}

fn run_with<P: Audits<C>, C: LocalComputation>(
    backend: &C,
    options: &Options,
    output: &mut Output,
) -> Result<Verdict, Error> {
    let job = prepare::<P, C>(backend, options)?;
    match options.on_disk.folder() {
        Some(folder) => on_disk::run::<P, C>(backend, options, folder, &job, output),
        None => in_memory::run::<P, C>(backend, options, job, output),
    }
}

/// Reads memory and script, and finds out whether there is room for them.
fn prepare<P: Audits<C>, C: LocalComputation>(backend: &C, options: &Options) -> Result<Job, Error> {
    let row_words = options.rows.of::<P>()?;
    if options.trace.is_some() {
        options.rows.require_words("--trace")?;
    }
    let seeds = seeds(options.seed.as_ref())?;
    // What a session on so many rows is run with, if there is room for it; `owner` is what the owner will take, in bytes a word.
    let admit = |rows: u64, demand: Batch, owner: u64| -> Result<(Parameters, Budget), Error> {
        let extent = Extent::of_rows(usize::try_from(rows).unwrap_or(usize::MAX), row_words);
        let parameters = extent.parameters(seeds.session).map_err(duoram_runtime::Error::Parameters)?;
        let budget = Budget::new::<P, C>(backend, options.computation.memory_limit.0, extent);
        let checker = if options.check { Checker::<P>::bytes(parameters, demand) } else { 0 };
        let more = checker.saturating_add(owner.saturating_mul(parameters.words() as u64));
        budget::require_memory::<P, C>(backend, parameters, &budget, demand.reads + demand.updates, more)?;
        Ok((parameters, budget))
    };
    // 8 bytes a word for the memory, and 16 for its shares.
    let room = |rows| admit(rows, Batch::default(), 8 + 16).map(drop);
    // Where addresses need not have words, those beyond the file's have none; but in the model, to which traces are shown, all have.
    let rest = if P::ROWS && options.trace.is_none() { Rest::Nothing } else { Rest::Zeros };
    let form = (row_words, rest);
    let memory = match &options.memory {
        Some(path) => MemoryFile::open(path, form, room)?,
        None => sample::memory(form)?,
    };
    let size = memory.rows() as u64;
    let script = match options.ops.as_deref() {
        Some(path) => Script::open(path, size, row_words)?,
        None => sample::script(size, row_words)?,
    };
    let demand = script.demand::<P>();
    // The memory has been taken; now it is known what is done with it.
    let (parameters, budget) = admit(memory.memory_rows() as u64, demand, 16)?;
    Ok(Job { seeds, parameters, budget, memory, script, demand })
}

/// From the seed that was given, or from the system.
fn seeds(given: Option<&Seed>) -> Result<Seeds, Error> {
    let Some(seed) = given else { return Ok(Seeds::from_system()?) };
    output::complain(
        "warning: with --seed all randomness is known to whoever knows the seed; for tests only",
    );
    Ok(Seeds::derive(&mut seed.stream()))
}
