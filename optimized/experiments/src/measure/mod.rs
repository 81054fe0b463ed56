//! Experiments at work: what was run once is not run again, whichever experiment asks for it, over whichever link.

use std::collections::BTreeMap;
use std::thread;

use crate::Error;
use crate::catalogue::Experiment;
use crate::model::{Cost, Sample, extrapolate};
use crate::network::{Link, Spent};
use crate::row::{Origin, PHASES, Point, Row};
use crate::system::{Kind, Phases, System, Workload};

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Short axes and few operations.
    pub quick: bool,
    /// Other than the paper's number.
    pub operations: Option<usize>,
    /// Larger sizes are extrapolated.
    pub most_log_size: Option<u32>,
    /// Whether headers take time and count.
    pub headers: bool,
    /// With sleeps, by the clock on the wall.
    pub real: bool,
}

impl Plan {
    /// Larger sizes are extrapolated.
    fn limit(&self) -> u32 {
        // Quick is quick on a large machine too.
        self.most_log_size.unwrap_or(if self.quick { 20 } else { u32::MAX })
    }

    /// Where extrapolation begins if nothing was measured so far, the best first: at the largest sizes that are allowed, as far as
    /// the memory goes.
    fn bases(&self) -> impl Iterator<Item = u32> + use<> {
        let top = match (self.quick, self.most_log_size) {
            (true, _) => self.limit().min(12),
            (false, most) => most.unwrap_or(22),
        };
        (1..=top.max(3)).rev().step_by(2)
    }
}

/// What an experiment brought.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Results {
    /// What was found.
    pub rows: Vec<Row>,
    /// What was left out, and why.
    pub skipped: Vec<String>,
}

/// Where addresses and values come from: the same whenever an experiment is done again.
pub(crate) const SEED: [u8; 32] = *b"duoram experiments: the one seed";

/// A place, an operation and how many threads: what is run once.
type Key = (usize, Kind, u32, usize, usize);

/// What came of a run, or why there was none.
type Kept = Result<Phases, String>;

/// What preparing, answering and both cost at a point, and how honest that is; or why it is not known.
pub(crate) type Found = Result<([Cost; 3], &'static str), String>;

/// Systems, and what they have been run on so far.
pub struct Bench<'a> {
    systems: Vec<Box<dyn System>>,
    plan: Plan,
    origin: Origin,
    kept: BTreeMap<Key, Kept>,
    /// What share of the experiment under way is done.
    done: f64,
    watch: &'a mut dyn FnMut(&str, f64),
}

impl<'a> Bench<'a> {
    /// With nothing run yet. `watch` is told what is run next, and what share of the experiment is done.
    pub fn new(
        systems: Vec<Box<dyn System>>,
        plan: Plan,
        origin: Origin,
        watch: &'a mut dyn FnMut(&str, f64),
    ) -> Self {
        Self { systems, plan, origin, kept: BTreeMap::new(), done: 0.0, watch }
    }

    /// What is real in each system's numbers.
    pub fn systems(&self) -> impl Iterator<Item = &(dyn System + 'static)> {
        self.systems.iter().map(|system| &**system)
    }

    /// Does an experiment.
    ///
    /// # Errors
    ///
    /// [`Error::WrongAnswer`]; whatever stopped a system other than the size of this machine's memory.
    pub fn perform(&mut self, experiment: &Experiment) -> Result<Results, Error> {
        let mut results = Results::default();
        let sizes = experiment.sizes.of(self.plan.quick);
        let limit = self.plan.limit();
        // Whatever computes takes as long as there are words, about.
        let weight = |log_size: u32| f64::from(log_size.min(limit)).exp2();
        let each: f64 = sizes.iter().map(|&log_size| weight(log_size)).sum();
        #[allow(clippy::cast_precision_loss, reason = "small counts")]
        let all = each * (experiment.kinds.len() * experiment.systems.len()) as f64;
        self.done = 0.0;
        for &kind in experiment.kinds {
            for &name in experiment.systems {
                let Some(system) = self.systems.iter().position(|system| system.name() == name) else {
                    let skipped = format!("{}: {name} is not built in", experiment.name);
                    if !results.skipped.contains(&skipped) {
                        results.skipped.push(skipped);
                    }
                    self.done += each / all;
                    continue;
                };
                for &log_size in sizes {
                    self.size(experiment, system, kind, log_size, &mut results)?;
                    self.done += weight(log_size) / all;
                }
            }
        }
        Ok(results)
    }

    /// All points of one system and size.
    fn size(
        &mut self,
        experiment: &Experiment,
        system: usize,
        kind: Kind,
        log_size: u32,
        results: &mut Results,
    ) -> Result<(), Error> {
        let operations = self.plan.operations.unwrap_or(experiment.operations(self.plan.quick));
        let workload = Workload { log_size, kind, operations, seed: SEED };
        let name = self.systems[system].name();
        for link in experiment.networks.links() {
            let link = Link { headers: self.plan.headers, ..link };
            for &cores in experiment.cores.of(self.plan.quick) {
                let point = Point { workload, link, cores };
                let found = self.point(system, &point)?;
                match found {
                    Ok((phases, honesty)) => {
                        let rows = PHASES.into_iter().zip(phases);
                        results.rows.extend(rows.map(|(phase, cost)| {
                            Row::new(experiment.name, [name, phase, honesty], &point, &cost, &self.origin)
                        }));
                    }
                    Err(reason) => {
                        let skipped = format!("{}: {name}, {workload}: {reason}", experiment.name);
                        if !results.skipped.contains(&skipped) {
                            results.skipped.push(skipped);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// What is known of a point.
    pub(crate) fn point(&mut self, system: usize, point: &Point) -> Result<Found, Error> {
        let &Point { workload, link, cores } = point;
        if self.plan.real {
            return self.on_the_wall(system, point);
        }
        let reason = match self.run(system, workload, 1)? {
            Ok(phases) => {
                let costs = phases_over(&phases, link, [1.0; 2]);
                let honesty = self.systems[system].honesty().word();
                return Ok(match cores {
                    1 => Ok((costs, honesty)),
                    _ => self.with_cores(system, point, &phases)?,
                });
            }
            Err(reason) => reason,
        };
        let costs = if cores == 1 { self.extrapolated(system, workload, link)? } else { None };
        Ok(costs.map(|costs| (costs, "extrapolated")).ok_or(reason))
    }

    /// What preparing, answering and both would cost, if it is known how the system grows.
    pub(crate) fn extrapolated(
        &mut self,
        system: usize,
        workload: Workload,
        link: Link,
    ) -> Result<Option<[Cost; 3]>, Error> {
        let Some(growth) = self.systems[system].growth() else { return Ok(None) };
        let Some(samples) = self.samples(system, workload)? else { return Ok(None) };
        let phase = |of: fn(&Phases) -> &Spent| {
            let sample = |(log_size, phases): &(u32, Phases)| Sample::new(*log_size, of(phases), link);
            let [low, high] = [sample(&samples[0]), sample(&samples[1])];
            extrapolate(growth, [&low, &high], workload.log_size)
        };
        let (preparing, online) = (phase(|phases| &phases.preparing), phase(|phases| &phases.online));
        Ok(Some([preparing, online, preparing.then(&online)]))
    }

    /// With more cores than one. Two threads are really used; what more would bring follows from the part of computing that two took
    /// off: Amdahl's law.
    fn with_cores(&mut self, system: usize, point: &Point, alone: &Phases) -> Result<Found, Error> {
        if thread::available_parallelism().map_or(1, usize::from) < 2 {
            return Ok(Err("two threads would share one core here".to_owned()));
        }
        if !self.systems[system].set_threads(2) {
            return Ok(Err("uses one core, however many there are".to_owned()));
        }
        let both = self.run(system, point.workload, 2);
        self.systems[system].set_threads(1);
        let both = match both? {
            Ok(both) => both,
            Err(reason) => return Ok(Err(reason)),
        };
        let computing = |spent: &Spent| spent.over(Link::none(), 1.0).seconds;
        let factor = |one: f64, two: f64| {
            let parallel = (2.0 * (one - two) / one.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            1.0 - parallel + parallel / f64::from(point.cores)
        };
        let factors = [(&alone.preparing, &both.preparing), (&alone.online, &both.online)]
            .map(|(one, two)| factor(computing(one), computing(two)));
        Ok(match point.cores {
            2 => Ok((phases_over(&both, point.link, [1.0; 2]), self.systems[system].honesty().word())),
            _ => Ok((phases_over(alone, point.link, factors), "extrapolated")),
        })
    }

    /// By the clock on the wall.
    fn on_the_wall(&mut self, system: usize, point: &Point) -> Result<Found, Error> {
        let &Point { workload, link, cores } = point;
        if workload.log_size > self.plan.limit() || cores > 1 {
            return Ok(Err("not done with sleeps".to_owned()));
        }
        let system = &mut self.systems[system];
        (self.watch)(&format!("{}, {workload}, with sleeps", system.name()), self.done);
        let phases = match system.run_with_sleeps(&workload, link) {
            None => return Ok(Err("cannot be run with sleeps".to_owned())),
            Some(Err(error)) if error.is_about_memory() => return Ok(Err(error.to_string())),
            Some(phases) => phases?,
        };
        let [preparing, online] = [&phases.preparing, &phases.online].map(Cost::from);
        Ok(Ok(([preparing, online, preparing.then(&online)], system.honesty().word())))
    }

    /// Runs a workload, if it has not been run yet and is not too large.
    fn run(&mut self, system: usize, workload: Workload, threads: usize) -> Result<Kept, Error> {
        let key = (system, workload.kind, workload.log_size, workload.operations, threads);
        if let Some(kept) = self.kept.get(&key) {
            return Ok(kept.clone());
        }
        let system = &mut self.systems[system];
        let kept = if !system.takes(&workload) {
            Err("has no such operation, or takes no such size".to_owned())
        } else if workload.log_size > self.plan.limit() {
            Err(format!("larger than 2^{}, the most that is run", self.plan.limit()))
        } else {
            (self.watch)(&format!("{}, {workload}", system.name()), self.done);
            match system.run(&workload, Link::none()) {
                Err(error) if error.is_about_memory() => Err(error.to_string()),
                phases => Ok(phases?),
            }
        };
        self.kept.insert(key, kept.clone());
        Ok(kept)
    }

    /// The two largest sizes below this one that have been run on the same operations; if there are not two, two that are run now,
    /// whichever they are.
    fn samples(&mut self, system: usize, workload: Workload) -> Result<Option<[(u32, Phases); 2]>, Error> {
        let pair = |bench: &Self, sizes: &mut dyn Iterator<Item = u32>| {
            let of = |log_size| (system, workload.kind, log_size, workload.operations, 1);
            let kept = sizes.filter_map(|log_size| {
                Some((log_size, bench.kept.get(&of(log_size))?.as_ref().ok()?.clone()))
            });
            let [high, low]: [_; 2] = kept.take(2).collect::<Vec<_>>().try_into().ok()?;
            Some([low, high])
        };
        let smaller = |bench: &Self| pair(bench, &mut (1..workload.log_size).rev());
        if let Some(samples) = smaller(self) {
            return Ok(Some(samples));
        }
        let mut run = Vec::new();
        for log_size in self.plan.bases() {
            if self.run(system, Workload { log_size, ..workload }, 1)?.is_ok() {
                run.push(log_size);
            }
            if run.len() == 2 {
                break;
            }
        }
        // Of a size below these, they are the larger ones.
        Ok(smaller(self).or_else(|| pair(self, &mut run.into_iter())))
    }
}

/// What preparing, answering and both cost over a link, if computing took so many times as long.
fn phases_over(phases: &Phases, link: Link, [preparing, online]: [f64; 2]) -> [Cost; 3] {
    let preparing = Cost::from(&phases.preparing.over(link, preparing));
    let online = Cost::from(&phases.online.over(link, online));
    [preparing, online, preparing.then(&online)]
}

#[cfg(test)]
mod tests;
