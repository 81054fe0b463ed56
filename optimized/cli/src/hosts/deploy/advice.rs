//! What machines a party needs, that is divided among so many workers: from a short run on this machine, and laws that are said.

use duoram_experiments::table::{aligned, bytes, seconds};
use duoram_link::settings::ProtocolName;
use duoram_reference::Paper;
use duoram_reference::lean::Lean;
use duoram_runtime::local_computation::{Extent, LocalComputation as _};
use duoram_runtime::protocol::{Rules, Runs};
use duoram_shards::{Cut, Sharded};

use super::Options;
use crate::Error;
use crate::bench::Kind;
use crate::bench::calibration::{Calibration, Each, calibrate};
use crate::computation::Computation;
use crate::machine::Machine;
use crate::output::Output;

/// The size that is measured at the most: its vectors are larger than most caches, as a worker's will be.
const MEASURED: u32 = 22;

/// How many levels below it bytes are measured a second time, to see what a level adds.
const BELOW: u32 = 4;

/// Items that are kept, for their memory: what a party prepares in advance at the most, unless its settings say otherwise.
const STOCK: f64 = 1024.0;

/// Prints the advice.
pub(super) fn advise(options: &Options, extent: Extent, output: &mut Output) -> Result<(), Error> {
    match options.protocol {
        ProtocolName::Paper => advise_protocol::<Paper>(options, extent, output),
        ProtocolName::Lean => advise_protocol::<Lean>(options, extent, output),
        ProtocolName::TwoParty => Err(Error::NoWorkers { got: "two-party" }),
    }
}

/// Both kinds at the size that was measured, and at the smaller one.
struct Measured {
    log_size: u32,
    below: u32,
    read: [Calibration; 2],
    update: [Calibration; 2],
}

/// The number of words, or of anything, as a factor.
#[allow(clippy::cast_precision_loss)] // of a count that is far below 2^53
fn factor(count: usize) -> f64 {
    count as f64
}

impl Measured {
    /// Something that grows by as much with each level.
    fn by_level(&self, log_size: u32, [low, high]: [f64; 2]) -> f64 {
        let levels = f64::from(self.log_size - self.below).max(1.0);
        (high + (high - low) / levels * (f64::from(log_size) - f64::from(self.log_size))).max(0.0)
    }
}

fn advise_protocol<P: Rules + Runs<Sharded>>(
    options: &Options,
    extent: Extent,
    output: &mut Output,
) -> Result<(), Error> {
    let (h, workers) = (options.log_size, options.workers);
    // The same, with other numbers of rows.
    let of = |log_size| Extent::of(log_size, extent.row_words);
    let at_an_address = if extent.row_words == 1 { "word" } else { "row" };
    let machine = Machine::this();
    let cores = options.cores.or(machine.cores).unwrap_or(1);
    let computation = Computation::default();
    let Some(fast) = computation.chosen()? else { return Err(Error::PlainWorkers) };
    let sharded = Sharded::in_threads(&fast, &Cut::even(1), None)?;
    let tree_bytes = computation.memory_limit.0;
    // The words of a row count as levels do: what is measured is as large in any case.
    let log_size = h.min(MEASURED.saturating_sub(extent.row_words.ilog2())).max(1);
    let below = log_size.saturating_sub(BELOW).max(1);
    let both = |kind| -> Result<[Calibration; 2], Error> {
        let at = |log_size| calibrate::<P, _>(&sharded, kind, of(log_size), tree_bytes);
        Ok([at(below)?, at(log_size)?])
    };
    let measured = Measured { log_size, below, read: both(Kind::Read)?, update: both(Kind::Update)? };
    let footprint = P::footprint(&sharded);
    let split = factor(workers);
    // A host's part of the rows, over its cores.
    let share = factor(extent.rows) / f64::from(log_size).exp2() / split / factor(cores);

    output.line(&format!(
        "protocol {}, {extent}: each party on {workers} hosts of {cores} cores, of 2^{:.1} {at_an_address}s each",
        P::NAME,
        (factor(extent.rows) / split).log2()
    ))?;
    let measured_of = of(log_size);
    output.line(&format!(
        "measured here, now: {}; backend {}, one core, 2^{below} and {measured_of}",
        machine.cpu,
        sharded.name()
    ))?;
    let mut lines =
        vec![[String::new()].into_iter().chain(P::ROLES.iter().map(ToString::to_string)).collect()];
    let mut row = |name: &str, of: &dyn Fn(usize) -> String| {
        let roles = P::ROLES.iter().map(|role| of(role.index()));
        lines.push([name.to_owned()].into_iter().chain(roles).collect::<Vec<_>>());
    };
    #[allow(clippy::cast_precision_loss)] // below 2^53
    let state = footprint.state_bytes(extent).map(|bytes| bytes as f64);
    #[allow(clippy::cast_precision_loss)]
    let (items, trees) = (footprint.kept_bytes(extent) as f64 * STOCK, tree_bytes as f64);
    row("memory of each host", &|party| bytes(state[party] / split + if party < 2 { trees } else { 0.0 }));
    row("  of this, its part of the state", &|party| bytes(state[party] / split));
    row("  of this, labels of trees, at most", &|party| {
        if party < 2 { bytes(trees) } else { "-".to_owned() }
    });
    row("of host 0 besides: 1024 items", &|_| bytes(items));
    // Three vectors, which become two; of the lean protocol words go to their workers as they come. What is saved, workers save.
    if P::NAME == Paper::NAME {
        row("  while its memory is loaded", &|party| bytes(1.5 * state[party]));
    }
    let costs = [("READ", &measured.read), ("UPDATE", &measured.update)];
    for (name, [_, high]) in costs {
        row(&format!("{name}, computing"), &|party| seconds(high.online.cpu[party] * share));
        row("  preparing its item", &|party| seconds(high.item.cpu[party] * share));
    }
    for (name, [low, high]) in costs {
        let sent = |of: fn(&Calibration) -> &Each, party: usize| {
            bytes(measured.by_level(h, [of(low).bytes[party], of(high).bytes[party]]))
        };
        row(&format!("{name}, bytes to the other parties"), &|party| sent(|cost| &cost.online, party));
        row("  for its item", &|party| sent(|cost| &cost.item, party));
    }
    for line in aligned(&lines) {
        output.line(&line)?;
    }
    for (name, [_, high]) in costs {
        let computing = high.online.cpu.iter().copied().fold(0.0, f64::max) * share;
        output.line(&format!(
            "{name}: {:.0} messages between parties one after the other, and {} of computing; of each party's workers a broadcast and a reduce",
            high.online.sequential,
            seconds(computing)
        ))?;
    }
    output.line("extrapolated, not measured:")?;
    let said = [
        format!(
            "computing: linear in the words of a host, from {measured_of}; {cores} cores as if each were as fast as one is here alone"
        ),
        format!("bytes: linear in the levels, from 2^{below} and {measured_of}"),
        format!(
            "workers' network: nothing of it; a broadcast carries {} of keys a READ, a reduce a {at_an_address} or two",
            bytes(2.0 * (33.0 + 17.0 * f64::from(h)))
        ),
    ];
    said.iter().try_for_each(|line| output.line(&format!("  {line}")))
}
