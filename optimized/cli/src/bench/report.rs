//! What was measured, for readers and for machines.

use std::collections::BTreeMap;
use std::time::Duration;

use duoram_reference::{Batch, Role};
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::meter::{Phase, Usage};
use duoram_runtime::protocol::Runs;
use duoram_runtime::resources;
use serde::Serialize;

use super::costs::Costs;
use super::workload::{Cost, Measured, Run, Workload};
use crate::ceiling::{FullEvaluation, PartyLimits};
use crate::machine::{COMMIT, Machine, VERSION};
use crate::report::field;
use crate::spread::Spread;

/// The version of what `--json` prints. Fields may be added to it, and none changes.
const SCHEMA: u32 = 1;

/// Why parties have no CPU times where the kernels have threads.
const SHARED_THREADS: &str =
    "not by party: the kernels' threads serve all of them, see process_cpu_ms_per_op";
const OWN_THREADS: &str = "by party";

/// The columns of `--csv`, in the order of [`Report::csv`].
pub(super) const CSV_HEADER: &str = "log_size,operation,party,ops,batch,runs,backend,threads,\
    cpu_ms_min,cpu_ms_median,cpu_ms_max,wall_ms_min,wall_ms_median,wall_ms_max,\
    aes_limit_fraction,memory_limit_fraction,preprocessing_cpu_ms_per_dpf,\
    online_payload_bytes_total,preprocessing_payload_bytes_total,version,commit,cpu";

/// What one operation costs one party. Times of several runs are medians, and their spread is beside them.
#[derive(Serialize)]
struct OnlineCost {
    cpu_ms_per_op: Option<f64>,
    wall_ms_per_op: f64,
    cpu_ms_per_op_spread: Option<Spread>,
    wall_ms_per_op_spread: Option<Spread>,
    /// The time that its AES calls take at the machine's limit, over the CPU time of the operation.
    aes_limit_fraction: Option<f64>,
    /// The time that reading the party's state once takes at the machine's limit, over the CPU time of the operation.
    memory_limit_fraction: Option<f64>,
    /// The time that reading and writing the party's state once takes at the machine's limit, over the CPU time of an
    /// operation that changes it.
    rewriting_limit_fraction: Option<f64>,
    /// The greatest of these: how near the operation is to the limit that binds it.
    limit_fraction: Option<f64>,
}

#[derive(Serialize)]
#[allow(clippy::struct_field_names)] // of the JSON
struct PreprocessingCost {
    cpu_ms_per_dpf: Option<f64>,
    cpu_ms_per_dpf_spread: Option<Spread>,
    cpu_ms_per_item: Option<f64>,
    /// Of a primary: the CPU time over the time that the AES calls of its items' trees take at the machine's limit.
    cpu_over_aes_limit: Option<f64>,
}

/// All of one size.
#[derive(Serialize)]
pub(super) struct Report {
    schema: u32,
    protocol: &'static str,
    version: &'static str,
    commit: &'static str,
    #[serde(flatten)]
    machine: Machine,
    log_size: u32,
    /// Of a memory of rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    row_words: Option<usize>,
    kind: String,
    ops: usize,
    batch: usize,
    runs: u32,
    backend: &'static str,
    threads: usize,
    full_evaluation: Option<FullEvaluation>,
    online: BTreeMap<&'static str, BTreeMap<String, OnlineCost>>,
    preprocessing: BTreeMap<String, PreprocessingCost>,
    cpu_times: &'static str,
    /// All parties, with whatever threads they have, and the owner.
    process_cpu_ms_per_op: BTreeMap<&'static str, Option<Spread>>,
    process_cpu_ms_per_dpf: Option<Spread>,
    online_payload_bytes_total: u64,
    preprocessing_payload_bytes_total: u64,
    online_sequential_messages: u64,
    preprocessing_sequential_messages: u64,
    seconds: BTreeMap<&'static str, f64>,
    online_state_bytes: BTreeMap<String, u64>,
    peak_rss_bytes: Option<u64>,
}

#[allow(clippy::cast_precision_loss)] // of small counts
fn milliseconds(duration: Duration, count: usize) -> f64 {
    1e3 * duration.as_secs_f64() / count as f64
}

/// The same, of what there may be none of.
fn milliseconds_each(duration: Duration, count: usize) -> Option<f64> {
    (count > 0).then(|| milliseconds(duration, count))
}

/// Of values that are all known.
fn spread(values: impl Iterator<Item = Option<f64>>) -> Option<Spread> {
    values.collect::<Option<Vec<f64>>>().and_then(Spread::of)
}

fn median(spread: Option<Spread>) -> Option<f64> {
    spread.map(|spread| spread.median)
}

/// AES calls of an item's trees, of the mean of a workload's items.
#[allow(clippy::cast_precision_loss)] // of small counts
fn item_aes_calls<P: Costs>(workload: &Workload, n: f64, w: f64) -> f64 {
    let Batch { reads, updates } = workload.kind.demand::<P>(1);
    let calls = |update, items| P::item_aes_calls(update, n, w) * items as f64;
    (calls(false, reads) + calls(true, updates)) / (reads + updates) as f64
}

#[allow(clippy::cast_precision_loss)] // of small counts
impl Report {
    pub(super) fn new<P: Costs + Runs<C>, C: LocalComputation>(
        workload: &Workload,
        log_size: u32,
        backend: &C,
        measured: &Measured,
        full_evaluation: Option<FullEvaluation>,
    ) -> Self {
        let state_bytes = P::footprint(backend).state_bytes(workload.extent(log_size));
        let (runs, n, w) = (&measured.runs, f64::from(log_size).exp2(), workload.row_words as f64);
        // The threads of the pool have clocks of their own, and serve all parties.
        let own_cpu = |usage: &Usage| usage.cpu.filter(|_| backend.threads() == 1);
        // Each run's cost beside the limits of its own time.
        let beside = |party: Role, run: &Run, cost: Option<f64>, limit: &dyn Fn(PartyLimits) -> f64| {
            Some((limit(run.limits.as_ref()?[party.index()]), cost?))
        };
        let online_cost = |operation: &'static str, party: Role| {
            let costs = || runs.iter().map(|run| run.online[operation]);
            let of = |cost: Cost| (cost.parties[party.index()], cost.operations);
            let cpu_of = |cost: Cost| Some(milliseconds(own_cpu(&of(cost).0)?, of(cost).1));
            let cpu = spread(costs().map(cpu_of));
            let wall = spread(costs().map(of).map(|(usage, count)| Some(milliseconds(usage.wall, count))));
            let fraction = |limit: &dyn Fn(PartyLimits) -> f64| {
                let pairs = runs.iter().map(|run| beside(party, run, cpu_of(run.online[operation]), limit));
                median(spread(pairs.map(|pair| pair.map(|(limit, cpu)| limit / cpu))))
            };
            let aes = fraction(&|limits| limits.aes_ms(P::aes_calls(operation, party, n, w)));
            let memory = fraction(&|limits| limits.reading_ms);
            let rewriting = if operation == "read" { None } else { fraction(&|limits| limits.rewriting_ms) };
            OnlineCost {
                cpu_ms_per_op: median(cpu),
                wall_ms_per_op: median(wall).unwrap_or_default(),
                cpu_ms_per_op_spread: cpu,
                wall_ms_per_op_spread: wall,
                aes_limit_fraction: aes,
                memory_limit_fraction: memory,
                rewriting_limit_fraction: rewriting,
                limit_fraction: [aes, memory, rewriting].into_iter().flatten().reduce(f64::max),
            }
        };
        let preprocessing_cost = |party: Role| {
            let usage = |run: &Run| run.meter.phase(Phase::Preprocessing).parties[party.index()];
            let (dpfs, items) = (workload.dpfs::<P>(), workload.ops * workload.kind.items::<P>());
            let per = |count| spread(runs.iter().map(|run| milliseconds_each(own_cpu(&usage(run))?, count)));
            let cpu = per(dpfs);
            // Of a primary, beside the time of the AES calls of an item's trees at the limit.
            let over = runs.iter().filter(|_| party != Role::P2).map(|run| {
                let cpu = milliseconds_each(own_cpu(&usage(run))?, items);
                let limit = |limits: PartyLimits| limits.aes_ms(item_aes_calls::<P>(workload, n, w));
                beside(party, run, cpu, &limit).map(|(limit, cpu)| cpu / limit)
            });
            PreprocessingCost {
                cpu_ms_per_dpf: median(cpu),
                cpu_ms_per_dpf_spread: cpu,
                cpu_ms_per_item: median(per(items)),
                cpu_over_aes_limit: median(spread(over)),
            }
        };
        let by_party =
            |operation| P::ROLES.iter().map(|&party| (field(party), online_cost(operation, party))).collect();
        let process = |operation: &'static str| {
            spread(runs.iter().map(|run| {
                let Cost { process, operations, .. } = run.online[operation];
                Some(milliseconds(process?, operations))
            }))
        };
        // Every run sends the same.
        let first = runs.first();
        let operations = || first.into_iter().flat_map(|run| run.online.keys().copied());
        let payload = |phase| first.map_or(0, |run| run.meter.phase(phase).payload_bytes());
        let sequential = |phase| first.map_or(0, |run| run.meter.phase(phase).sequential_messages());
        let seconds = |phase: Phase| {
            let wall = spread(runs.iter().map(|run| Some(run.meter.phase(phase).wall.as_secs_f64())));
            (phase.name(), median(wall).unwrap_or_default())
        };
        Self {
            schema: SCHEMA,
            protocol: P::NAME,
            version: VERSION,
            commit: COMMIT,
            machine: Machine::this(),
            log_size,
            row_words: Some(workload.row_words).filter(|row_words| *row_words > 1),
            kind: workload.kind.to_string(),
            ops: workload.ops,
            batch: measured.batch,
            runs: workload.runs,
            backend: backend.name(),
            threads: backend.threads(),
            full_evaluation,
            online: operations().map(|operation| (operation, by_party(operation))).collect(),
            preprocessing: P::ROLES.iter().map(|&party| (field(party), preprocessing_cost(party))).collect(),
            cpu_times: if backend.threads() == 1 { OWN_THREADS } else { SHARED_THREADS },
            process_cpu_ms_per_op: operations().map(|operation| (operation, process(operation))).collect(),
            process_cpu_ms_per_dpf: spread(
                runs.iter().map(|run| milliseconds_each(run.preprocessing_process?, workload.dpfs::<P>())),
            ),
            online_payload_bytes_total: payload(Phase::Online),
            preprocessing_payload_bytes_total: payload(Phase::Preprocessing),
            online_sequential_messages: sequential(Phase::Online),
            preprocessing_sequential_messages: sequential(Phase::Preprocessing),
            seconds: BTreeMap::from([
                (Phase::Setup.name(), measured.setup.as_secs_f64()),
                seconds(Phase::Preprocessing),
                seconds(Phase::Online),
            ]),
            online_state_bytes: P::ROLES
                .iter()
                .map(|&party| (field(party), state_bytes[party.index()]))
                .collect(),
            peak_rss_bytes: resources::peak_resident_bytes(),
        }
    }

    /// Lines to read.
    pub(super) fn text(&self) -> Vec<String> {
        let mut lines = vec![format!(
            "{}, n = 2^{}{}, {} x {}, {} a step, {} after a warm-up; backend {}, threads {}",
            self.protocol,
            self.log_size,
            self.row_words.map_or_else(String::new, |row_words| format!(" rows of {row_words} words")),
            self.ops,
            self.kind,
            self.batch,
            if self.runs == 1 { "once".to_owned() } else { format!("{} times", self.runs) },
            self.backend,
            self.threads
        )];
        if let Some(full) = &self.full_evaluation {
            lines.push(format!(
                "full evaluation: {:.3} ns a leaf, {:.3} ns an AES call at the limit, {:.3} of the limit",
                full.ns_per_leaf, full.aes_limit_ns_per_call, full.aes_limit_fraction
            ));
        }
        for (operation, parties) in &self.online {
            for (party, cost) in parties {
                let limits = [
                    ("AES", cost.aes_limit_fraction),
                    ("memory", cost.memory_limit_fraction),
                    ("rewriting", cost.rewriting_limit_fraction),
                ]
                .into_iter()
                .filter_map(|(name, fraction)| Some(format!("; {:.2} of the {name} limit", fraction?)))
                .collect::<String>();
                lines.push(format!(
                    "{operation:<14} {party}: {} ms CPU, {} ms wall an operation{limits}",
                    show(cost.cpu_ms_per_op_spread),
                    show(cost.wall_ms_per_op_spread)
                ));
            }
        }
        for (party, cost) in &self.preprocessing {
            lines.push(format!("preprocessing  {party}: {} ms CPU a DPF", show(cost.cpu_ms_per_dpf_spread)));
        }
        if self.threads > 1 {
            lines.push(format!("CPU times are {}:", self.cpu_times));
        }
        for (operation, process) in &self.process_cpu_ms_per_op {
            lines.push(format!("{operation:<14} all parties: {} ms CPU an operation", show(*process)));
        }
        lines.push(format!("preprocessing  all parties: {} ms CPU a DPF", show(self.process_cpu_ms_per_dpf)));
        for (name, bytes, messages) in [
            ("online", self.online_payload_bytes_total, self.online_sequential_messages),
            ("preprocessing", self.preprocessing_payload_bytes_total, self.preprocessing_sequential_messages),
        ] {
            let seconds = self.seconds.get(name).copied().unwrap_or_default();
            lines.push(format!(
                "{name:<14} {bytes} payload bytes, {messages} sequential messages, {seconds:.3} s"
            ));
        }
        let state = self.online_state_bytes.iter().map(|(party, bytes)| format!("{party} {bytes}"));
        lines.push(format!("state bytes    {}", state.collect::<Vec<_>>().join(", ")));
        let peak = self.peak_rss_bytes.map_or("-".to_owned(), |bytes| bytes.to_string());
        lines.push(format!("peak resident  {peak} bytes"));
        lines
    }

    /// A line for each operation and party.
    pub(super) fn csv(&self) -> Vec<String> {
        let value = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.6}"));
        let three = |spread: Option<Spread>| {
            [|s: Spread| s.min, |s: Spread| s.median, |s: Spread| s.max]
                .map(|of| value(spread.map(of)))
                .join(",")
        };
        let mut lines = Vec::new();
        for (operation, parties) in &self.online {
            for (party, cost) in parties {
                let preprocessing = self.preprocessing.get(party).and_then(|cost| cost.cpu_ms_per_dpf);
                let columns = [
                    self.log_size.to_string(),
                    (*operation).to_owned(),
                    party.clone(),
                    self.ops.to_string(),
                    self.batch.to_string(),
                    self.runs.to_string(),
                    self.backend.to_owned(),
                    self.threads.to_string(),
                    three(cost.cpu_ms_per_op_spread),
                    three(cost.wall_ms_per_op_spread),
                    value(cost.aes_limit_fraction),
                    value(cost.memory_limit_fraction),
                    value(preprocessing),
                    self.online_payload_bytes_total.to_string(),
                    self.preprocessing_payload_bytes_total.to_string(),
                    self.version.to_owned(),
                    self.commit.to_owned(),
                    format!("\"{}\"", self.machine.cpu.replace('"', "\"\"")),
                ];
                lines.push(columns.join(","));
            }
        }
        lines
    }
}

/// A median, with the least and the most if they differ.
fn show(spread: Option<Spread>) -> String {
    match spread {
        None => format!("{:>10}", "-"),
        Some(Spread { min, median, max }) if min < max => format!("{median:>10.3} ({min:.3} to {max:.3})"),
        Some(Spread { median, .. }) => format!("{median:>10.3}"),
    }
}
