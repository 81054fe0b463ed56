//! What is measured, and one measurement of it.

use std::array::from_fn;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use duoram_reference::{Batch, Parameters, Word};
use duoram_runtime::budget::Budget;
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::meter::{Meter, Phase, Usage};
use duoram_runtime::protocol::{Rules, Runs};
use duoram_runtime::seed::{Seed, Seeds};
use duoram_runtime::session::{Outcome, Session};
use duoram_runtime::sharing::Sharing;
use duoram_runtime::transport::Transport;
use duoram_runtime::{budget, resources};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng as _;

use crate::Error;
use crate::ceiling::PartyLimits;
use crate::progress::Progress;

/// What an operation is.
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
    pub(super) fn items<P: Rules>(self) -> usize {
        let Batch { reads, updates } = self.demand::<P>(1);
        reads + updates
    }

    pub(super) fn demand<P: Rules>(self, ops: usize) -> Batch {
        match self {
            Self::Read => Batch { reads: ops, updates: 0 },
            Self::Update => Batch { reads: 0, updates: ops },
            Self::Write => Batch { reads: ops * P::WRITE.reads, updates: ops * P::WRITE.updates },
            Self::Readwrite => Batch { reads: ops, updates: ops },
        }
    }
}

/// What is measured, of whichever size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Workload {
    pub(super) kind: Kind,
    pub(super) ops: usize,
    /// Operations in one step; WRITEs are always alone.
    pub(super) batch: usize,
    pub(super) runs: u32,
    /// What the labels of trees in flight may take.
    pub(super) tree_bytes: u64,
    /// w
    pub(super) row_words: usize,
}

impl Workload {
    /// The size of its memory.
    pub(super) const fn extent(&self, log_size: u32) -> Extent {
        Extent::of(log_size, self.row_words)
    }

    /// The DPFs that one run takes.
    pub(super) fn dpfs<P: Rules>(&self) -> usize {
        P::dpfs(self.kind.demand::<P>(self.ops))
    }
}

/// What some operations of one kind cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    pub(super) operations: usize,
    pub(super) parties: [Usage; 3],
    /// All threads of the process.
    pub(super) process: Option<Duration>,
}

/// What the machine could do at best is measured by this, beside each run: what disturbs the one disturbs the other.
#[derive(Clone, Copy)]
pub(super) struct Yardstick<'a> {
    pub(super) fast: &'a Fast,
    /// The bytes of the parties' vectors.
    pub(super) state_bytes: &'a dyn Fn(Extent) -> [u64; 3],
}

/// One measurement.
pub(super) struct Run {
    /// The limits at the same time: half of them before, half of them after it.
    pub(super) limits: Option<[PartyLimits; 3]>,
    /// By kind: a READ is not an UPDATE.
    pub(super) online: BTreeMap<&'static str, Cost>,
    /// All threads of the process while items were prepared.
    pub(super) preprocessing_process: Option<Duration>,
    pub(super) meter: Meter,
}

/// All measurements of one size.
pub(super) struct Measured {
    /// Operations in one step, as many as were asked for or as a step may have.
    pub(super) batch: usize,
    pub(super) setup: Duration,
    pub(super) runs: Vec<Run>,
}

/// Operations of a warm-up, at most.
const WARM_UP: usize = 32;

/// Measures `workload` on a memory of `2^log_size` rows of zeros, after a run of at most [`WARM_UP`] operations that is not counted:
/// the first touches pages and caches that later ones find warm, those of trees in flight too.
pub(super) fn measure<P: Runs<C>, C: LocalComputation>(
    backend: &C,
    workload: &Workload,
    log_size: u32,
    yardstick: Option<Yardstick<'_>>,
) -> Result<Measured, Error> {
    let &Workload { kind, ops, runs, tree_bytes, .. } = workload;
    let seeds = Seeds::from_system()?;
    let extent = workload.extent(log_size);
    let parameters = extent.parameters(seeds.session).map_err(duoram_runtime::Error::Parameters)?;
    let budget = Budget::new::<P, C>(backend, tree_bytes, extent);
    let more = yardstick.map_or(0, |yardstick| PartyLimits::bytes((yardstick.state_bytes)(extent)));
    budget::require_memory::<P, C>(backend, parameters, &budget, ops * kind.items::<P>(), more)?;
    let limits = || {
        let Yardstick { fast, state_bytes } = yardstick?;
        Some(PartyLimits::measure(fast, state_bytes(extent)))
    };

    let mut session =
        Session::start::<P, C>(parameters, &seeds, |_| backend.clone(), Transport::Memory, false)?;
    session.connect()?;
    let setup = session.take_meter().phase(Phase::Setup).wall;
    let batch = workload.batch.min(budget.queries);
    let addresses = Seed::from_system()?.stream();
    let sharing = Sharing::<P>::new(seeds.client);
    let mut bench = Bench { session, sharing, addresses, parameters, kind, batch, budget };
    let progress = Progress::new(format!("2^{log_size}, warm-up"), 1);
    bench.run(ops.min(WARM_UP), &progress, &format!("2^{log_size}, warm-up"))?;
    let (mut measured, mut before) = (Vec::new(), limits());
    for run in 1..=runs {
        let mut run = bench.run(ops, &progress, &format!("2^{log_size}, run {run} of {runs}"))?;
        let after = limits();
        run.limits = before.zip(after).map(|(before, after)| from_fn(|i| before[i].between(after[i])));
        before = after;
        measured.push(run);
    }
    Ok(Measured { batch, setup, runs: measured })
}

/// A session, and what it is given to do.
struct Bench<P> {
    session: Session,
    sharing: Sharing<P>,
    addresses: ChaCha20Rng,
    parameters: Parameters,
    kind: Kind,
    batch: usize,
    budget: Budget,
}

#[allow(clippy::cast_precision_loss)] // of small counts, for a bar
impl<P: Rules> Bench<P> {
    /// Prepares and performs so many operations, as many at a time as items may be kept.
    fn run(&mut self, ops: usize, progress: &Progress, title: &str) -> Result<Run, Error> {
        let (mut online, mut preprocessing_process) = (BTreeMap::new(), Some(Duration::ZERO));
        let mut left = ops;
        while left > 0 {
            let window = left.min(self.budget.stock / self.kind.items::<P>()).max(1);
            let before = resources::process_cpu_time();
            progress.begin(format!("{title}, preprocessing"), (window * self.kind.items::<P>()) as u64);
            self.preprocess(window, progress)?;
            preprocessing_process = preprocessing_process.zip(since(before)).map(|(sum, more)| sum + more);
            progress.begin(format!("{title}, online"), window as u64);
            let mut done = 0;
            while done < window {
                let count = self.batch.min(window - done);
                self.step(count, &mut online)?;
                done += count;
                progress.reach(done as u64);
            }
            left -= window;
        }
        Ok(Run { limits: None, online, preprocessing_process, meter: self.session.take_meter() })
    }

    /// Prepares what so many operations take.
    fn preprocess(&mut self, ops: usize, progress: &Progress) -> Result<(), Error> {
        let mut prepared = 0;
        for batch in self.budget.batches(self.kind.demand::<P>(ops)) {
            let items = batch.reads + batch.updates;
            let part = &mut |share| progress.reach_part(prepared as f64 + share * items as f64);
            self.session.preprocess_watched(batch, part)?;
            prepared += items;
        }
        Ok(())
    }

    /// Performs so many operations that are independent of each other.
    fn step(&mut self, count: usize, costs: &mut BTreeMap<&'static str, Cost>) -> Result<(), Error> {
        match self.kind {
            Kind::Read => self.reads(count, costs),
            Kind::Update => self.updates(count, costs),
            Kind::Write => (0..count).try_for_each(|_| self.write(costs)),
            Kind::Readwrite => {
                self.reads(count, costs)?;
                self.updates(count, costs)
            }
        }
    }

    /// Shares of so many random addresses, each with as many words behind it.
    fn operands(&mut self, count: usize, row_words: usize) -> [Vec<Word>; 2] {
        let size = self.parameters.size();
        let mut query = || [vec![self.addresses.next_u64() % size], vec![1; row_words]].concat();
        let words: Vec<_> = (0..count).flat_map(|_| query()).collect();
        self.sharing.words(&words)
    }

    fn reads(&mut self, count: usize, costs: &mut BTreeMap<&'static str, Cost>) -> Result<(), Error> {
        let addresses = self.operands(count, 0);
        counted(costs, "read", count, || self.session.read(addresses))
    }

    fn updates(&mut self, count: usize, costs: &mut BTreeMap<&'static str, Cost>) -> Result<(), Error> {
        let operands = self.operands(count, self.parameters.row_words());
        counted(costs, "update", count, || self.session.update(operands))
    }

    fn write(&mut self, costs: &mut BTreeMap<&'static str, Cost>) -> Result<(), Error> {
        let operands = self.operands(1, self.parameters.row_words());
        counted(costs, "write", 1, || self.session.write(operands))
    }
}

/// Does a step, and adds what it cost.
fn counted(
    costs: &mut BTreeMap<&'static str, Cost>,
    name: &'static str,
    operations: usize,
    step: impl FnOnce() -> Result<Outcome, duoram_runtime::Error>,
) -> Result<(), Error> {
    let before = resources::process_cpu_time();
    let usage = step()?.usage;
    let process = since(before);
    let nothing = || Cost { operations: 0, parties: Default::default(), process: Some(Duration::ZERO) };
    let cost = costs.entry(name).or_insert_with(nothing);
    cost.operations += operations;
    cost.process = cost.process.zip(process).map(|(sum, process)| sum + process);
    for (sum, usage) in cost.parties.iter_mut().zip(usage) {
        *sum += usage;
    }
    Ok(())
}

/// The CPU time of the process since then.
fn since(before: Option<Duration>) -> Option<Duration> {
    resources::process_cpu_time().zip(before).map(|(now, before)| now.saturating_sub(before))
}
