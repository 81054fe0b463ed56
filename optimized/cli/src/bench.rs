//! `duoram bench`: what operations cost, on a memory of zeros.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use duoram_reference::{Batch, Parameters, Plain, Role, Word};
use serde::Serialize;

use super::computation::Computation;
use super::{Output, Verdict, output};
use crate::Error;
use crate::ceiling::{Ceiling, FullEvaluation};
use crate::report::field;
use duoram_runtime::budget::Budget;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::meter::{Meter, Phase, Usage};
use duoram_runtime::seed::{Seed, Seeds};
use duoram_runtime::session::Session;
use duoram_runtime::sharing::Sharing;
use duoram_runtime::transport::Transport;
use duoram_runtime::{budget, resources};

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum Kind {
    /// Independent READs, up to 1024 in one step.
    Read,
    /// UPDATEs, up to 1024 in one step.
    Update,
    /// WRITEs, one after the other.
    Write,
    /// A READ and then an UPDATE, each a step of its own, one pair after the other.
    #[default]
    Readwrite,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Read => "read",
            Self::Update => "update",
            Self::Write => "write",
            Self::Readwrite => "readwrite",
        })
    }
}

impl Kind {
    /// How many preprocessed items an operation uses up.
    const fn items(self) -> usize {
        let Batch { reads, updates } = self.demand(1);
        reads + updates
    }

    const fn demand(self, ops: usize) -> Batch {
        match self {
            Self::Read => Batch { reads: ops, updates: 0 },
            Self::Update => Batch { reads: 0, updates: ops },
            Self::Write | Self::Readwrite => Batch { reads: ops, updates: ops },
        }
    }
}

/// What to measure.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// h: the memory has 2^H words.
    #[arg(long, value_name = "H", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=40))]
    log_size: u32,
    /// The number of operations.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = RangedU64ValueParser::<u32>::new().range(1..=1 << 20))]
    ops: u32,
    /// What an operation is.
    #[arg(long, value_enum, default_value_t)]
    kind: Kind,
    #[command(flatten)]
    computation: Computation,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct OnlineCost {
    cpu_ms_per_op: Option<f64>,
    wall_ms_per_op: f64,
    /// The time that reading the party's state once takes at the machine's limit, over the CPU time of the operation.
    memory_limit_fraction: Option<f64>,
}

#[derive(Serialize)]
struct PreprocessingCost {
    cpu_ms_per_dpf: Option<f64>,
}

#[derive(Serialize)]
struct Report {
    log_size: u32,
    kind: String,
    ops: u32,
    backend: &'static str,
    threads: usize,
    full_evaluation: Option<FullEvaluation>,
    online: BTreeMap<&'static str, BTreeMap<String, OnlineCost>>,
    preprocessing: BTreeMap<String, PreprocessingCost>,
    online_payload_bytes_total: u64,
    preprocessing_payload_bytes_total: u64,
    online_sequential_messages: u64,
    preprocessing_sequential_messages: u64,
    seconds: BTreeMap<&'static str, f64>,
    online_state_bytes: BTreeMap<String, u64>,
    peak_rss_bytes: Option<u64>,
}

/// Runs it.
///
/// # Errors
///
/// A memory too large for the machine, or a session that broke.
pub fn bench(options: &Options, output: &mut Output) -> Result<Verdict, Error> {
    match options.computation.chosen()? {
        Some(fast) => bench_with(&fast, options, output, || Some(Ceiling::measure(&fast, options.log_size))),
        // What the machine could do at best is no measure for a computation that is plain on purpose.
        None => bench_with(&Plain, options, output, || None),
    }
}

fn bench_with<C: LocalComputation>(
    backend: &C,
    options: &Options,
    output: &mut Output,
    ceiling: impl FnOnce() -> Option<Ceiling>,
) -> Result<Verdict, Error> {
    let Options { log_size, ops, kind, json, .. } = *options;
    let count = usize::try_from(ops).unwrap_or(usize::MAX);
    let demand = kind.demand(count);
    let seeds = Seeds::from_system()?;
    let parameters = Parameters::new(seeds.session, log_size).map_err(duoram_runtime::Error::Parameters)?;
    let budget = Budget::new(backend, options.computation.memory_limit.0, log_size);
    let items = demand.reads + demand.updates;
    budget::require_memory(backend, parameters, &budget, items, 0)?;

    let mut session = Session::start(parameters, &seeds, |_| backend.clone(), Transport::Memory, false)?;
    session.connect()?;
    let mut online = Online::new(session, Sharing::new(seeds.client), budget)?;
    let bar = output::progress(items as u64, "preprocessing");
    let mut left = count;
    while left > 0 {
        let operations = left.min(budget.stock / kind.items()).max(1);
        bar.set_message("preprocessing");
        for batch in budget.batches(kind.demand(operations)) {
            online.session.preprocess(batch)?;
            bar.inc((batch.reads + batch.updates) as u64);
        }
        bar.set_message("online");
        online.perform(kind, operations, parameters.size(), || bar.tick())?;
        left -= operations;
    }
    bar.finish_and_clear();

    let dpfs = u32::try_from(3 * items).unwrap_or(u32::MAX);
    let mut report = online.report(options, backend, dpfs);
    // The parties' memory is given back before the machine is measured.
    drop(online);
    report.add_ceiling(ceiling());
    if json {
        output.json(&report)?;
    } else {
        print(&report, output)?;
    }
    Ok(Verdict::Held)
}

/// The online phase, with what each kind of operation cost.
struct Online {
    session: Session,
    sharing: Sharing,
    addresses: rand_chacha::ChaCha20Rng,
    budget: Budget,
    /// By kind: the number of operations, and their cost.
    costs: BTreeMap<&'static str, (u32, [Usage; 3])>,
}

impl Online {
    fn new(session: Session, sharing: Sharing, budget: Budget) -> Result<Self, Error> {
        let addresses = Seed::from_system()?.stream();
        Ok(Self { session, sharing, addresses, budget, costs: BTreeMap::new() })
    }

    fn perform(&mut self, kind: Kind, count: usize, size: u64, done: impl Fn()) -> Result<(), Error> {
        match kind {
            Kind::Read | Kind::Update => {
                let mut left = count;
                while left > 0 {
                    let queries = left.min(self.budget.queries);
                    if kind == Kind::Read {
                        self.reads(queries, size)?
                    } else {
                        self.updates(queries, size)?
                    }
                    left -= queries;
                    done();
                }
            }
            Kind::Write => {
                for _ in 0..count {
                    let (address, value) = (self.random_address(size), self.sharing.word(1));
                    let usage = self.session.write(address, value)?.usage;
                    self.add("write", 1, usage);
                    done();
                }
            }
            Kind::Readwrite => {
                for _ in 0..count {
                    self.reads(1, size)?;
                    self.updates(1, size)?;
                    done();
                }
            }
        }
        Ok(())
    }

    fn random_address(&mut self, size: u64) -> [Word; 2] {
        use rand_chacha::rand_core::Rng as _;
        self.sharing.word(self.addresses.next_u64() % size)
    }

    fn reads(&mut self, count: usize, size: u64) -> Result<(), Error> {
        let shares = (0..count).map(|_| self.random_address(size).into());
        let (shares_0, shares_1): (Vec<Word>, Vec<Word>) =
            shares.collect::<Vec<(Word, Word)>>().into_iter().unzip();
        let usage = self.session.read([shares_0, shares_1])?.usage;
        self.add("read", count, usage);
        Ok(())
    }

    fn updates(&mut self, count: usize, size: u64) -> Result<(), Error> {
        let mut queries = [Vec::with_capacity(count), Vec::with_capacity(count)];
        for _ in 0..count {
            let ([address_0, address_1], [value_0, value_1]) =
                (self.random_address(size), self.sharing.word(1));
            queries[0].push((address_0, value_0));
            queries[1].push((address_1, value_1));
        }
        let usage = self.session.update(queries)?.usage;
        self.add("update", count, usage);
        Ok(())
    }

    fn add(&mut self, name: &'static str, count: usize, usage: [Usage; 3]) {
        let (operations, sums) = self.costs.entry(name).or_default();
        *operations += u32::try_from(count).unwrap_or(u32::MAX);
        for (sum, usage) in sums.iter_mut().zip(usage) {
            *sum += usage;
        }
    }

    fn report<C: LocalComputation>(&self, options: &Options, backend: &C, dpfs: u32) -> Report {
        let meter: &Meter = self.session.meter();
        let (preprocessing, online) = (meter.phase(Phase::Preprocessing), meter.phase(Phase::Online));
        // The threads of the pool have clocks of their own, and serve all parties.
        let own_cpu = |usage: &Usage| usage.cpu.filter(|_| backend.threads() == 1);
        let by_party = |(operations, usages): &(u32, [Usage; 3])| {
            let cost = |(party, usage): (Role, &Usage)| {
                let cost = OnlineCost {
                    cpu_ms_per_op: own_cpu(usage).map(|cpu| milliseconds(cpu, *operations)),
                    wall_ms_per_op: milliseconds(usage.wall, *operations),
                    memory_limit_fraction: None,
                };
                (field(party), cost)
            };
            Role::ALL.into_iter().zip(usages).map(cost).collect()
        };
        let state_bytes = backend.state_bytes(options.log_size);
        Report {
            log_size: options.log_size,
            kind: options.kind.to_string(),
            ops: options.ops,
            backend: backend.name(),
            threads: backend.threads(),
            full_evaluation: None,
            online: self.costs.iter().map(|(name, cost)| (*name, by_party(cost))).collect(),
            preprocessing: Role::ALL
                .into_iter()
                .zip(&preprocessing.parties)
                .map(|(party, usage)| {
                    let cpu_ms_per_dpf = own_cpu(usage).map(|cpu| milliseconds(cpu, dpfs));
                    (field(party), PreprocessingCost { cpu_ms_per_dpf })
                })
                .collect(),
            online_payload_bytes_total: online.payload_bytes(),
            preprocessing_payload_bytes_total: preprocessing.payload_bytes(),
            online_sequential_messages: online.sequential_messages(),
            preprocessing_sequential_messages: preprocessing.sequential_messages(),
            seconds: Phase::ALL.map(|phase| (phase.name(), meter.phase(phase).wall.as_secs_f64())).into(),
            online_state_bytes: Role::ALL.into_iter().map(field).zip(state_bytes).collect(),
            peak_rss_bytes: resources::peak_resident_bytes(),
        }
    }
}

impl Report {
    /// Adds what the machine could do at best.
    fn add_ceiling(&mut self, ceiling: Option<Ceiling>) {
        let Some(ceiling) = ceiling else { return };
        let state = &self.online_state_bytes;
        for parties in self.online.values_mut() {
            for (party, cost) in parties {
                let bytes = state.get(party).copied().unwrap_or_default();
                let at_limit = ceiling.reading_ms(bytes);
                cost.memory_limit_fraction = cost.cpu_ms_per_op.map(|cpu| at_limit / cpu);
            }
        }
        self.full_evaluation = Some(ceiling.full_evaluation);
    }
}

fn milliseconds(duration: Duration, count: u32) -> f64 {
    1e3 * duration.as_secs_f64() / f64::from(count)
}

fn print(report: &Report, output: &mut Output) -> Result<(), Error> {
    let show = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    output.line(&format!(
        "n = 2^{}, {} x {}, backend {}, threads {}",
        report.log_size, report.ops, report.kind, report.backend, report.threads
    ))?;
    if let Some(full) = &report.full_evaluation {
        output.line(&format!(
            "full evaluation: {:.3} ns a leaf, {:.3} ns an AES call at the limit, {:.3} of the limit",
            full.ns_per_leaf, full.aes_limit_ns_per_call, full.aes_limit_fraction
        ))?;
    }
    for (name, parties) in &report.online {
        for (party, OnlineCost { cpu_ms_per_op, wall_ms_per_op, .. }) in parties {
            let cpu = show(*cpu_ms_per_op);
            output.line(&format!(
                "{name:<14} {party}: {cpu:>10} ms CPU, {wall_ms_per_op:>10.3} ms wall an operation"
            ))?;
        }
    }
    for (party, PreprocessingCost { cpu_ms_per_dpf }) in &report.preprocessing {
        output.line(&format!("preprocessing  {party}: {:>10} ms CPU a DPF", show(*cpu_ms_per_dpf)))?;
    }
    for (name, bytes, messages) in [
        ("online", report.online_payload_bytes_total, report.online_sequential_messages),
        ("preprocessing", report.preprocessing_payload_bytes_total, report.preprocessing_sequential_messages),
    ] {
        let seconds = report.seconds.get(name).copied().unwrap_or_default();
        output.line(&format!(
            "{name:<14} {bytes} payload bytes, {messages} sequential messages, {seconds:.3} s"
        ))?;
    }
    let state = report.online_state_bytes.iter().map(|(party, bytes)| format!("{party} {bytes}"));
    output.line(&format!("state bytes    {}", state.collect::<Vec<_>>().join(", ")))?;
    let peak = report.peak_rss_bytes.map_or("-".to_owned(), |bytes| bytes.to_string());
    output.line(&format!("peak resident  {peak} bytes"))
}
