//! DUORAM as a system: the parties of `duoram-reference` with the kernels, one after another in one thread, each frame through the
//! calculated network.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::time::Instant;

use duoram_kernel::{Backend, Features, Workers};
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_reference::{Frame, HEADER_LENGTH, Paper, Role};
use duoram_runtime::budget::DEFAULT_TREE_BYTES;
use duoram_runtime::fast::Fast;
use duoram_runtime::protocol::{Rules, Runs};

use crate::Error;
use crate::network::{Link, Network, NothingSent, Spent};
use crate::program::{Actor, Program, SharedStep, Stage, opened, updated};
use crate::real;
use crate::system::{Array, Growth, Honesty, Law, Phases, System, Workload};

/// The protocol P as a system.
pub struct Duoram<P> {
    computation: Fast,
    threads: usize,
    protocol: PhantomData<fn() -> P>,
}

/// A protocol of this project, as tables have it.
pub trait Named: Runs<Fast> {
    /// The name in tables.
    const SYSTEM: &'static str;
}

impl Named for Paper {
    const SYSTEM: &'static str = "3P-DUORAM";
}

impl Named for Lean {
    const SYSTEM: &'static str = "3P-lean";
}

impl Named for TwoParty {
    const SYSTEM: &'static str = "2P-DUORAM";
}

impl<P: Named> Duoram<P> {
    /// With the fastest kernels that this CPU has, on one thread.
    pub fn new() -> Self {
        Self { computation: computation(Workers::one()), threads: 1, protocol: PhantomData }
    }
}

/// The name of the kernels' backend.
pub fn backend() -> &'static str {
    Backend::best(&Features::detect()).name().as_str()
}

impl<P: Named> Default for Duoram<P> {
    fn default() -> Self {
        Self::new()
    }
}

fn computation(workers: Workers) -> Fast {
    Fast::new(Backend::best(&Features::detect()), workers, DEFAULT_TREE_BYTES)
}

impl<P: Named> System for Duoram<P> {
    fn name(&self) -> &'static str {
        P::SYSTEM
    }

    fn honesty(&self) -> Honesty {
        Honesty { real: "parties, their computation, every frame", counted: "", quoted: "" }
    }

    fn takes(&self, _workload: &Workload) -> bool {
        true
    }

    /// A scan of n words and trees of n leaves; messages a level of a tree.
    fn growth(&self) -> Option<Growth> {
        Some(Growth { computing: Law::Linear, bytes: Law::Logarithm, messages: Law::Logarithm })
    }

    fn set_threads(&mut self, threads: usize) -> bool {
        if threads == self.threads {
            return true;
        }
        let Ok(workers) = Workers::new(threads) else { return false };
        (self.computation, self.threads) = (computation(workers), threads);
        true
    }

    fn run_with_sleeps(&mut self, workload: &Workload, link: Link) -> Option<Result<Phases, Error>> {
        Some(real::run::<P>(workload, link))
    }

    fn run(&mut self, workload: &Workload, link: Link) -> Result<Phases, Error> {
        let program = Program::new::<P>(workload, &self.computation)?;
        let mut array = Array::new(workload, updated::<P>);
        let mut parties = Parties::new::<P>(&program, self, link)?;
        let Program { memory, stages, check, .. } = program;
        parties.all(|actor| actor.party().connect())?;
        let mut memory = memory.into_iter();
        parties.all(|actor| actor.load(memory.next().unwrap_or_default()))?;
        parties.network.mark();
        let nothing = Spent::nothing(P::ROLES.len());
        let mut phases = Phases { preparing: nothing.clone(), online: nothing };
        let mut place = 0;
        for stage in &stages {
            let Phases { preparing, online } = parties.stage::<P>(stage, &mut array, &mut place)?;
            phases =
                Phases { preparing: phases.preparing.then(&preparing), online: phases.online.then(&online) };
        }
        parties.stage::<P>(&check, &mut array, &mut place)?;
        Ok(phases)
    }
}

/// The parties in one thread.
struct Parties {
    system: &'static str,
    actors: Vec<Actor>,
    /// Whether the CPU time of this thread is all that a party computes.
    alone: bool,
    network: Network,
    /// Frames on their way, by sender and receiver.
    frames: [[VecDeque<Frame>; 3]; 3],
}

impl Parties {
    fn new<P: Named>(program: &Program, system: &Duoram<P>, link: Link) -> Result<Self, Error> {
        let actor = |&role: &Role| {
            Actor::new::<P>(role, program.parameters, &program.seeds, system.computation.clone())
        };
        let actors: Vec<_> = P::ROLES.iter().map(actor).collect::<Result<_, _>>()?;
        let network = Network::new(actors.len(), link);
        Ok(Self {
            system: P::SYSTEM,
            actors,
            alone: system.threads == 1,
            network,
            frames: Default::default(),
        })
    }

    /// Every party begins a step, in the order of their numbers, and does it to its end.
    fn all(
        &mut self,
        mut begin: impl FnMut(&mut Actor) -> Result<Vec<Frame>, duoram_reference::Error>,
    ) -> Result<(), Error> {
        for party in 0..self.actors.len() {
            self.work(party, &mut begin)?;
        }
        loop {
            let mut waits = None;
            let mut moved = false;
            for party in 0..self.actors.len() {
                while let Some(from) = self.actors[party].party().awaits() {
                    let Some(frame) = self.frames[from.index()][party].pop_front() else {
                        waits = Some(NothingSent { to: party, from: from.index() });
                        break;
                    };
                    let received = self.network.receive(party, from.index());
                    received.map_err(|source| Error::Network { system: self.system, source })?;
                    self.work(party, &mut |actor: &mut Actor| actor.party().receive(from, &frame.bytes))?;
                    moved = true;
                }
            }
            match waits {
                None => return Ok(()),
                Some(source) if !moved => return Err(Error::Network { system: self.system, source }),
                Some(_) => {}
            }
        }
    }

    /// A party computes, and sends what comes out.
    fn work(
        &mut self,
        party: usize,
        work: &mut dyn FnMut(&mut Actor) -> Result<Vec<Frame>, duoram_reference::Error>,
    ) -> Result<(), Error> {
        let actor = &mut self.actors[party];
        let frames = if self.alone {
            self.network.compute(party, || work(actor))?
        } else {
            let start = Instant::now();
            let frames = work(actor)?;
            self.network.compute_for(party, start.elapsed());
            frames
        };
        for frame in frames {
            let to = frame.to.index();
            self.network.send(party, to, (frame.bytes.len() - HEADER_LENGTH) as u64);
            self.frames[party][to].push_back(frame);
        }
        Ok(())
    }

    /// Items, and the steps that use them up, with their answers checked. What both took.
    fn stage<P: Named>(
        &mut self,
        stage: &Stage,
        array: &mut Array,
        place: &mut usize,
    ) -> Result<Phases, Error> {
        for &batch in &stage.batches {
            self.all(|actor| actor.party().preprocess(batch))?;
        }
        let preparing = self.network.mark();
        for shared in &stage.steps {
            let got = self.step::<P>(shared)?;
            array.check(P::SYSTEM, *place, shared.step, got)?;
            *place += 1;
        }
        Ok(Phases { preparing, online: self.network.mark() })
    }

    /// One operation; what it answers.
    fn step<P: Rules>(&mut self, shared: &SharedStep) -> Result<Option<u64>, Error> {
        self.all(|actor| actor.perform(shared))?;
        let results: Vec<_> = self.actors.iter_mut().map(|actor| actor.take_result(shared.step)).collect();
        Ok(opened::<P>([results[0], results[1]]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Kind;

    fn workload(log_size: u32, kind: Kind, operations: usize) -> Workload {
        Workload { log_size, kind, operations, seed: [3; 32] }
    }

    fn answers<P: Named>(log_size: u32) {
        for kind in Kind::ALL {
            let phases = Duoram::<P>::new().run(&workload(log_size, kind, 3), Link::none()).unwrap();
            assert!(phases.online.sequential > 0 && phases.online.all_cpu() > 0.0, "{kind}");
        }
    }

    #[test]
    fn all_protocols_answer_every_kind_as_an_array_does() {
        answers::<Paper>(5);
        answers::<Lean>(9);
        answers::<TwoParty>(3);
    }

    /// [duoram-artifact, A.3.2]: 0.104166666666667 KiB a party for `readwrite 16 ... 2`.
    #[test]
    fn the_papers_protocol_sends_online_as_many_bytes_as_the_artifact() {
        let phases = Duoram::<Paper>::new().run(&workload(16, Kind::ReadUpdate, 2), Link::none()).unwrap();
        assert_eq!(phases.online.all_bytes(), 320);
        assert_eq!(phases.preparing.all_bytes(), 28_432);
    }

    /// `reference/PROTOCOL.md`: 6 words a READ, 14 an UPDATE, whatever the size.
    #[test]
    fn claim_3_online_bytes_of_three_parties_do_not_depend_on_the_size() {
        for log_size in [1, 8, 12] {
            let bytes = |kind| {
                let phases = Duoram::<Paper>::new().run(&workload(log_size, kind, 2), Link::none()).unwrap();
                phases.online.all_bytes()
            };
            assert_eq!([Kind::Read, Kind::Update, Kind::Write].map(bytes), [96, 224, 320]);
        }
    }

    /// [duoram, section 6.2.1]: "DUORAM requires just 2" sequential messages a READ; Table 2: 3 a WRITE, 5 an interleaved operation.
    #[test]
    fn latency_is_paid_so_often_as_table_2_says() {
        for (kind, each) in [(Kind::Read, 2), (Kind::Update, 1), (Kind::Write, 3), (Kind::Interleaved, 5)] {
            let phases = Duoram::<Paper>::new().run(&workload(6, kind, 4), Link::wide_area()).unwrap();
            assert_eq!(phases.online.sequential, 4 * each, "{kind}");
            #[allow(clippy::cast_precision_loss, reason = "a small count")]
            let latency = 0.03 * (4 * each) as f64;
            let rest = phases.online.seconds - latency;
            // What is left is transmission and computing, of which there is little at this size.
            assert!((0.0..0.1).contains(&rest), "{kind}: {rest} s beside {latency} s");
        }
    }

    #[test]
    fn a_slow_link_costs_what_is_calculated_by_hand() {
        // READ: P0 and P1 send a shift of 8 bytes to each other and to P2, which answers a word to each: 16 bytes leave a
        // party at a byte a second, twice.
        let slow = Link { bits_per_second: 8.0, ..Link::none() };
        let phases = Duoram::<Paper>::new().run(&workload(4, Kind::Read, 1), slow).unwrap();
        assert!((32.0..32.5).contains(&phases.online.seconds), "{}", phases.online.seconds);
        assert_eq!(phases.online.bytes, [16, 16, 16]);
        assert_eq!(phases.online.messages, [2, 2, 2]);
    }

    #[test]
    fn a_window_is_prepared_after_the_one_before_is_used_up() {
        let workload = workload(1, Kind::Read, 4100);
        let program = Program::new::<Lean>(&workload, &Duoram::<Lean>::new().computation).unwrap();
        let counts: Vec<_> = program.stages.iter().map(|stage| stage.steps.len()).collect();
        assert_eq!(counts, [4096, 4]);
        assert_eq!(program.stages[1].batches.iter().map(|batch| batch.reads).sum::<usize>(), 4);
    }

    #[test]
    fn a_workload_too_large_for_the_machine_is_refused() {
        let error = Duoram::<Paper>::new().run(&workload(40, Kind::Read, 1), Link::none()).unwrap_err();
        let expected = matches!(error, Error::Runtime(duoram_runtime::Error::NotEnoughMemory { .. }));
        assert!(expected, "{error}");
    }
}
