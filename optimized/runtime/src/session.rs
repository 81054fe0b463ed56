//! The parties as the owner of the data sees them: it gives each its share of a task, and gets shares back.

use std::sync::Arc;
use std::time::Instant;

use duoram_reference::{Batch, Operands, Parameters, Role, Word};
use zeroize::Zeroizing;

use crate::Error;
use crate::event::Event;
use crate::local_computation::LocalComputation;
use crate::meter::{Meter, Phase, Usage};
use crate::operation::Row;
use crate::party::{ChasePiece, Done, Handle, HelperAtWork, HelperTask, PrimaryAtWork, PrimaryTask};
use crate::protocol::Runs;
use crate::seed::Seeds;
use crate::transport::Transport;
use crate::wire::{Pulse, Wire};

/// What a step brought.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The shares of the results that P0 and P1 gave, w words each.
    pub results: [Vec<Word>; 2],
    /// The logs of all parties, in order.
    pub events: Vec<Event>,
    /// What it cost each party; whoever does not take part has no costs.
    pub usage: [Usage; 3],
}

impl Outcome {
    /// The shares of the last result, a row of so many words.
    ///
    /// # Errors
    ///
    /// [`Error::NoResult`].
    pub fn last_result(&self, row_words: usize) -> Result<[Row; 2], Error> {
        let last = |party: Role| {
            let row = self.results[party.index()].rchunks_exact(row_words).next();
            row.map(<[Word]>::to_vec).ok_or(Error::NoResult { party })
        };
        Ok([last(Role::P0)?, last(Role::P1)?])
    }
}

/// The parties of a protocol at work.
pub struct Session {
    primaries: [Handle<PrimaryTask>; 2],
    /// None in a protocol of two.
    helper: Option<Handle<HelperTask>>,
    pulse: Arc<Pulse>,
    parameters: Parameters,
    meter: Meter,
}

impl Session {
    /// Starts the parties of the protocol P, each with the local computation that `computation` gives it. With `record`, events hold
    /// the frames that were sent.
    ///
    /// # Errors
    ///
    /// [`Error::Connect`], [`Error::Thread`].
    pub fn start<P: Runs<C>, C: LocalComputation>(
        parameters: Parameters,
        seeds: &Seeds,
        computation: impl Fn(Role) -> C,
        transport: Transport,
        record: bool,
    ) -> Result<Self, Error> {
        let pulse = Arc::new(Pulse::default());
        let [links_0, links_1, links_2] = transport.connect(parameters.session())?;
        // In boxes: what starts a thread is moved, and would leave the bytes of a seed behind.
        let [seed_0, seed_1, seed_2] = seeds.parties.map(|seed| Box::new(Zeroizing::new(seed)));
        let primary = |role, links, seed: Box<Zeroizing<_>>| {
            let (wire, compute) =
                (Wire::new::<P>(role, links, Arc::clone(&pulse), record), computation(role));
            Handle::start(role, wire, move || {
                P::primary(role, parameters, **seed, compute).map(PrimaryAtWork::<P>::new)
            })
        };
        let primaries = [primary(Role::P0, links_0, seed_0)?, primary(Role::P1, links_1, seed_1)?];
        let helper = || {
            let (wire, compute) =
                (Wire::new::<P>(Role::P2, links_2, Arc::clone(&pulse), record), computation(Role::P2));
            Handle::start(Role::P2, wire, move || {
                let none = duoram_reference::Error::NotPrimary { got: Role::P2 };
                P::helper(parameters, **seed_2, compute).map(HelperAtWork::<P>::new).ok_or(none)
            })
        };
        let helper = P::ROLES.contains(&Role::P2).then(helper).transpose()?;
        Ok(Self { primaries, helper, pulse, parameters, meter: Meter::default() })
    }

    /// What the parties have agreed on.
    pub const fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Step 0: the parties agree on a key.
    ///
    /// # Errors
    ///
    /// Whatever stopped a party; so for all steps.
    pub fn connect(&mut self) -> Result<Outcome, Error> {
        self.step(Phase::Setup, [PrimaryTask::Connect, PrimaryTask::Connect], HelperTask::Connect)
    }

    /// Gives each primary its share of a memory.
    ///
    /// # Errors
    ///
    /// See [`Self::connect`].
    pub fn load(&mut self, shares: [Vec<Word>; 2]) -> Result<Outcome, Error> {
        self.step(Phase::Setup, shares.map(PrimaryTask::Load), HelperTask::Load)
    }

    /// Prepares a batch.
    ///
    /// # Errors
    ///
    /// See [`Self::connect`].
    pub fn preprocess(&mut self, batch: Batch) -> Result<Outcome, Error> {
        self.preprocess_watched(batch, &mut |_| ())
    }

    /// Prepares a batch, and says from time to time what share of it is done: from 0 to 1, and never less than before.
    ///
    /// # Errors
    ///
    /// See [`Self::connect`].
    pub fn preprocess_watched(
        &mut self,
        Batch { reads, updates }: Batch,
        watch: &mut dyn FnMut(f64),
    ) -> Result<Outcome, Error> {
        let batch = || Batch { reads, updates };
        let tasks = [PrimaryTask::Preprocess(batch()), PrimaryTask::Preprocess(batch())];
        let (pulse, depth) = (Arc::clone(&self.pulse), self.parameters.log_size());
        pulse.begin();
        let mut level = 0;
        let mut watch_levels = || {
            // After the levels come messages of round 0.
            level = level.max(pulse.round());
            watch(share_of_levels(level, depth));
        };
        self.step_watched(Phase::Preprocessing, tasks, HelperTask::Preprocess(batch()), &mut watch_levels)
    }

    /// Independent READs in one step; each primary gets its shares of the addresses.
    ///
    /// # Errors
    ///
    /// See [`Self::connect`].
    pub fn read(&mut self, addresses: [Vec<Word>; 2]) -> Result<Outcome, Error> {
        let count = addresses[0].len();
        self.step(Phase::Online, addresses.map(Operands::new).map(PrimaryTask::Read), HelperTask::Read(count))
    }

    /// UPDATEs in one step: for each a share of the address and of the row that is added, `1 + w` words.
    ///
    /// # Errors
    ///
    /// See [`Self::connect`].
    pub fn update(&mut self, operands: [Vec<Word>; 2]) -> Result<Outcome, Error> {
        let count = operands[0].len() / (1 + self.parameters.row_words());
        let tasks = operands.map(Operands::new).map(PrimaryTask::Update);
        self.step(Phase::Online, tasks, HelperTask::Update(count))
    }

    /// A WRITE: shares of the address and of the row, `1 + w` words.
    ///
    /// # Errors
    ///
    /// See [`Self::connect`].
    pub fn write(&mut self, operands: [Vec<Word>; 2]) -> Result<Outcome, Error> {
        let tasks = operands.map(Operands::new).map(PrimaryTask::Write);
        self.step(Phase::Online, tasks, HelperTask::Write)
    }

    /// A SWAP: a WRITE that gives the shares of the old row.
    ///
    /// # Errors
    ///
    /// See [`Self::connect`].
    pub fn swap(&mut self, operands: [Vec<Word>; 2]) -> Result<Outcome, Error> {
        let tasks = operands.map(Operands::new).map(PrimaryTask::Swap);
        self.step(Phase::Online, tasks, HelperTask::Swap)
    }

    /// Some of the READs of a chase, from shares of an address or from where the piece before got to. If the chase ends here,
    /// the shares of the last result are given.
    ///
    /// # Errors
    ///
    /// See [`Self::connect`].
    pub fn chase(&mut self, from: Option<[Word; 2]>, steps: usize, ends: bool) -> Result<Outcome, Error> {
        let shares = from.map_or([None; 2], |shares| shares.map(Some));
        let tasks = shares.map(|from| PrimaryTask::Chase(ChasePiece { from, steps, ends }));
        self.step(Phase::Online, tasks, HelperTask::Chase(steps))
    }

    /// The costs so far.
    pub const fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The costs so far; those of the next steps are counted from zero.
    pub fn take_meter(&mut self) -> Meter {
        std::mem::take(&mut self.meter)
    }

    fn step(&mut self, phase: Phase, tasks: [PrimaryTask; 2], task: HelperTask) -> Result<Outcome, Error> {
        self.step_watched(phase, tasks, task, &mut || ())
    }

    fn step_watched(
        &mut self,
        phase: Phase,
        tasks: [PrimaryTask; 2],
        task: HelperTask,
        watch: &mut dyn FnMut(),
    ) -> Result<Outcome, Error> {
        let start = Instant::now();
        for (primary, task) in self.primaries.iter().zip(tasks) {
            primary.ask(task);
        }
        if let Some(helper) = &self.helper {
            helper.ask(task);
        }
        let [p0, p1] = &self.primaries;
        // All are waited for even if one fails: the others stop as soon as they miss it.
        let done_2 = || self.helper.as_ref().map_or_else(|| Ok(Done::default()), Handle::wait);
        let (done_0, done_1, done_2) = match (p0.wait_watching(watch), p1.wait(), done_2()) {
            (Ok(done_0), Ok(done_1), Ok(done_2)) => (done_0, done_1, done_2),
            (done_0, done_1, done_2) => {
                let errors = [done_0, done_1, done_2].into_iter().filter_map(Result::err);
                let cause = errors.min_by_key(Error::distance_to_cause);
                return Err(cause.unwrap_or(Error::Stopped { party: Role::P0 }));
            }
        };
        let wall = start.elapsed();
        let times = [&done_0, &done_1, &done_2].map(|done| (done.wall, done.cpu));
        let mut events: Vec<Event> = [done_0.log, done_1.log, done_2.log].into_iter().flatten().collect();
        events.sort_unstable_by_key(|event| event.order);
        let usage = self.meter.add(phase, wall, times, &events);
        Ok(Outcome { results: [done_0.results, done_1.results], events, usage })
    }
}

/// What share of a batch is done once the message of a level has left, which tells of its children: each level has twice
/// the labels of the one before, and the leaves are visited once more.
fn share_of_levels(level: u32, depth: u32) -> f64 {
    let labels = |level: u32| f64::from(level + 1).exp2() - 2.0;
    labels(level + 1) / (labels(depth) + f64::from(depth).exp2())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_weigh_what_they_cost() {
        for depth in [1, 2, 10, 40] {
            let shares: Vec<f64> = (0..depth).map(|level| share_of_levels(level, depth)).collect();
            assert!(shares.is_sorted() && shares[0] > 0.0, "{shares:?}");
            let last = shares[shares.len() - 1];
            assert!((0.5..0.7).contains(&last), "the leaves are still to be visited: {last}");
        }
        // The upper half of the tree is next to nothing of the work.
        assert!(share_of_levels(9, 20) < 0.001);
    }
}
