//! Two or three hosts, their disks and links, and a client, in one thread: one thing happens after another, and which is random.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use duoram_reference::durable::{self, Durable, Effect, Limits};
use duoram_reference::{Lane, Lasting, Role};
use duoram_vectors::Random;

use crate::checks::Checks;
use crate::choice::one_of;
use crate::coverage::{Coverage, Place};
use crate::disk::{Disk, Recovered};
use crate::failure::Failure;
use crate::fault::Fault;
use crate::links::{Links, Packet};
use crate::medium::{PowerCut, Tear};
use crate::program::Program;
use crate::saved::Tampering;
use crate::trace::Journal;
use crate::watched::{Said, Watched};

/// The messages of one step in one lane, of the programs here.
const STEP_BYTES: usize = 1 << 15;

/// More than a run of these programs has.
const MOST_EVENTS: u64 = 50_000;

/// A crash: at which place of the run, counted from 0 over all parties, and what becomes of the writes.
pub type Crash = (u64, Tear);

/// Why an event has ended early.
enum Stop {
    /// The party that it was about has crashed.
    Crashed,
    Failed(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

type Step<T = ()> = Result<T, Stop>;

/// A machine: the disk, and the party while it is up. And what the client and the simulation know of it.
struct Host<D> {
    disk: D,
    party: Option<Durable<Watched>>,
    /// The last record that was appended, and the last that is certain.
    appended: u64,
    synced: u64,
    /// The journal since the beginning, for a trace; and each time that the party went on after a crash, how much of it there was.
    history: Vec<Vec<u8>>,
    crashes: Vec<usize>,
    started: bool,
    tampering: Rc<RefCell<Tampering>>,
    /// The client's next command, the first that was not accepted, and what it was given and has not said so.
    next: usize,
    accepted: usize,
    posted: usize,
    given: VecDeque<usize>,
    /// Of faults: what waits for the disk in the party's place, and what has left before.
    held: Vec<Effect>,
    said: [[u64; 2]; 3],
}

impl<D> Host<D> {
    fn into_journal(self) -> Journal {
        Journal { began: None, records: self.history, crashes: self.crashes }
    }
}

/// What may happen next.
#[derive(Clone, Copy)]
enum Event {
    Deliver(Role, Role),
    Command(Role),
    Fetched(Role),
    Sync(Role),
    Start(Role),
    Connect(Role, Role),
}

/// What a run was like.
pub struct Outcome {
    /// The places at which a party could have crashed.
    pub points: u64,
    /// Where parties have crashed.
    pub coverage: Coverage,
    /// How many times.
    pub crashes: u64,
    /// The frames, however often they were sent.
    pub frames: usize,
    /// Each party's journal since the beginning.
    pub journals: Vec<Journal>,
    /// The parties' limits, to do it again.
    pub limits: Limits,
}

/// How a run goes.
pub struct Plan<'a> {
    /// What happens next is drawn from this.
    pub seed: u64,
    /// The crashes, in order.
    pub crashes: &'a [Crash],
    /// What is done wrong.
    pub fault: Option<Fault>,
    /// Whether a party is given a command only when it has done the one before.
    pub one_by_one: bool,
}

/// All that there is.
pub struct Cluster<'a, D> {
    program: &'a Program,
    fault: Option<Fault>,
    one_by_one: bool,
    /// Whether the client waits with a command until its lane is free.
    patient: bool,
    /// In the order of their roles.
    hosts: Vec<Host<D>>,
    links: Links,
    limits: Limits,
    said: Rc<RefCell<Said>>,
    checks: Checks,
    /// How likely each kind of event is, by party.
    weights: Vec<[u64; 6]>,
    random: Random,
    /// Apart, so that a crash changes nothing before it.
    torn: Random,
    plan: VecDeque<Crash>,
    points: u64,
    coverage: Coverage,
    crashes: u64,
    /// How many links may still break without a crash.
    cuts: u64,
    /// Whether the states may belong together and were not looked at.
    unseen: bool,
}

impl<'a, D: Disk> Cluster<'a, D> {
    /// Of hosts that have never been up.
    pub fn new(program: &'a Program, plan: &Plan<'_>, disk: impl Fn() -> D) -> Self {
        let Plan { seed, crashes, fault, one_by_one } = *plan;
        let mut random = Random(seed);
        let unacknowledged = one_of(&mut random, &[0, 500, 4000]);
        let limits = Limits {
            journal: one_of(&mut random, &[200, 2000, 20_000]),
            items: one_of(&mut random, &[3, 100]),
            unacknowledged,
            ahead: unacknowledged + STEP_BYTES,
            commands: 64,
        };
        let host = || Host {
            disk: disk(),
            party: None,
            appended: 0,
            synced: 0,
            history: Vec::new(),
            crashes: Vec::new(),
            started: false,
            tampering: Rc::new(RefCell::new(Tampering::new(fault))),
            next: 0,
            accepted: 0,
            posted: 0,
            given: VecDeque::new(),
            held: Vec::new(),
            said: [[0; 2]; 3],
        };
        let roles = program.protocol.roles();
        let weights = roles.iter().map(|_| [(); 6].map(|()| 1 << random.below(5))).collect();
        Self {
            program,
            fault,
            one_by_one,
            patient: random.below(3) > 0,
            hosts: roles.iter().map(|_| host()).collect(),
            links: Links::default(),
            limits,
            said: Rc::default(),
            checks: Checks::default(),
            weights,
            cuts: random.below(3),
            torn: Random(random.word()),
            random,
            plan: crashes.iter().copied().collect(),
            points: 0,
            coverage: Coverage::default(),
            crashes: 0,
            unseen: false,
        }
    }

    /// Runs until nothing happens any more.
    ///
    /// # Errors
    ///
    /// What went wrong.
    pub fn run(mut self) -> Result<Outcome, Failure> {
        for _ in 0..MOST_EVENTS {
            let Some(event) = self.next() else { return self.finish() };
            match self.happen(event) {
                Ok(()) | Err(Stop::Crashed) => {}
                Err(Stop::Failed(failure)) => return Err(failure),
            }
            self.look()?;
        }
        Err(Failure::Endless { events: MOST_EVENTS })
    }

    /// One of the things that may happen; none when all is done, or nothing can be.
    fn next(&mut self) -> Option<Event> {
        let mut events: Vec<(Event, u64)> = Vec::new();
        for &role in self.program.protocol.roles() {
            let host = &self.hosts[role.index()];
            let mut may = |event, kind: usize| events.push((event, self.weights[role.index()][kind]));
            let Some(party) = &host.party else {
                may(Event::Start(role), 0);
                continue;
            };
            for (place, peer) in self.program.protocol.peers(role).enumerate() {
                if self.links.waiting(peer, role) > 0 {
                    may(Event::Deliver(peer, role), 1 + place);
                }
                let both = self.hosts[peer.index()].party.is_some();
                if role < peer && both && self.links.are_down(role, peer) {
                    may(Event::Connect(role, peer), 3);
                }
            }
            if host.next < self.program.commands(role) && self.may_be_told(role, host.next, party) {
                may(Event::Command(role), 4);
            }
            if !host.given.is_empty() {
                may(Event::Fetched(role), 4);
            }
            if host.appended > host.synced || !host.held.is_empty() {
                may(Event::Sync(role), 5);
            }
        }
        let total = events.iter().map(|(_, weight)| weight).sum::<u64>();
        if total == 0 {
            return None;
        }
        let mut place = self.random.below(total);
        events.into_iter().find_map(|(event, weight)| {
            if place < weight {
                return Some(event);
            }
            place -= weight;
            None
        })
    }

    /// Whether the client tells a party its next command: as soon as it has it or, if it is patient, when its turn has come. Then the
    /// party goes on at once with what is on no disk yet. What it was told before is repeated without delay.
    fn may_be_told(&self, role: Role, number: usize, party: &Durable<Watched>) -> bool {
        if number < self.hosts[role.index()].posted {
            return true;
        }
        if self.one_by_one {
            return party.is_idle();
        }
        let lanes = self.program.steps[self.program.step_of(role, number)].lanes();
        let busy = lanes.iter().any(|lane| party.party().under_way_in(*lane).is_some());
        !self.patient || !busy || self.program.goes_on(role, number)
    }

    fn happen(&mut self, event: Event) -> Step {
        if self.cuts > 0 && self.random.below(100) == 0 {
            let [a, b] = one_of(&mut self.random, &self.program.protocol.links());
            if self.links.is_whole(a, b) {
                self.cuts -= 1;
                self.links.cut(a, b, &mut self.torn);
            }
        }
        match event {
            Event::Start(role) => self.start(role),
            Event::Connect(a, b) => {
                let hellos = [(a, b), (b, a)].map(|(of, to)| {
                    let party = self.hosts[of.index()].party.as_ref();
                    party.and_then(|party| party.hello(to).ok()).unwrap_or_default()
                });
                self.links.connect(a, b, hellos[0], hellos[1]);
                Ok(())
            }
            Event::Sync(role) => self.sync(role),
            Event::Command(role) => self.command(role),
            Event::Fetched(role) => {
                self.point(role, Place::Input)?;
                let Some(number) = self.hosts[role.index()].given.pop_front() else { return Ok(()) };
                // One that a restart has yet to come to is given again.
                self.input(role, |party| party.fetched(number as u64).or(Ok(Vec::new())))
            }
            Event::Deliver(from, to) => self.deliver(from, to),
        }
    }

    /// A party starts from its disk, or goes on after a crash.
    fn start(&mut self, role: Role) -> Step {
        let Recovered { snapshot, records } = self.on_disk(role, Place::Start, Disk::recover)?;
        let host = &mut self.hosts[role.index()];
        let party = self.program.party(role);
        let (said, tampering) = (Rc::clone(&self.said), Rc::clone(&host.tampering));
        let watched = Watched::new(party, self.program.log_size, said, tampering);
        let covered = snapshot.as_ref().map_or(0, |(lsn, _)| *lsn);
        let last = covered + records.len() as u64;
        let snapshot = snapshot.as_ref().map(|(lsn, state)| (*lsn, &state[..]));
        let replayed = records.iter().map(|(lsn, record)| (*lsn, &record[..]));
        let (party, effects) = Durable::restore(watched, self.limits, snapshot, replayed)
            .map_err(|error| Failure::Start { party: role, error })?;
        host.party = Some(party);
        (host.appended, host.synced) = (last, last);
        host.history.truncate(usize::try_from(last).unwrap_or(0));
        if std::mem::replace(&mut host.started, true) {
            host.crashes.push(host.history.len());
        }
        host.next = host.accepted;
        self.carry_out(role, effects)
    }

    fn sync(&mut self, role: Role) -> Step {
        self.point(role, Place::Input)?;
        self.on_disk(role, Place::Sync, Disk::sync)?;
        self.point(role, Place::Synced)?;
        let host = &mut self.hosts[role.index()];
        host.synced = host.appended;
        let synced = host.synced;
        let mut effects = std::mem::take(&mut host.held);
        if let Some(party) = &mut host.party {
            effects.extend(party.written(synced).map_err(|error| refused(role, &error))?);
        }
        self.carry_out(role, effects)
    }

    fn command(&mut self, role: Role) -> Step {
        self.point(role, Place::Input)?;
        let host = &mut self.hosts[role.index()];
        let number = host.next;
        let forgotten = self.fault == Some(Fault::SpeaksFirst) && number < host.posted;
        host.next += 1;
        host.posted = host.posted.max(host.next);
        let command = self.program.command(role, number, forgotten.then_some(&mut self.torn));
        self.input(role, |party| party.command(number as u64, command))
    }

    fn deliver(&mut self, from: Role, to: Role) -> Step {
        self.point(to, Place::Input)?;
        let packet = self.links.receive(from, to);
        let host = &mut self.hosts[to.index()];
        if matches!(packet, Some(Packet::Hello(_))) {
            // What was held back for the link before is sent again on this one.
            host.held.retain(|effect| !matches!(effect, Effect::Send { peer, .. } if *peer == from));
        }
        self.input(to, |party| match packet {
            None => Ok(Vec::new()),
            Some(Packet::Hello(taken)) => party.link_up(from, taken),
            Some(Packet::Frame(lane, number, bytes)) => party.frame(from, lane, number, bytes),
            Some(Packet::Acknowledge(lane, number)) => party.acknowledged(from, lane, number),
            Some(Packet::Down) => party.link_down(from).map(|()| Vec::new()),
        })
    }

    /// Gives a party an input, and does what it wants done.
    fn input(
        &mut self,
        role: Role,
        input: impl FnOnce(&mut Durable<Watched>) -> Result<Vec<Effect>, durable::Error>,
    ) -> Step {
        let Some(party) = &mut self.hosts[role.index()].party else { return Ok(()) };
        let effects = input(party).map_err(|error| refused(role, &error))?;
        self.unseen |= std::mem::take(&mut self.said.borrow_mut().changed);
        self.carry_out(role, effects)?;
        let Some(party) = &self.hosts[role.index()].party else { return Ok(()) };
        let max = 2 * (self.limits.unacknowledged + STEP_BYTES);
        for peer in self.program.protocol.peers(role) {
            let got = party.unacknowledged(peer).unwrap_or(usize::MAX);
            if got > max {
                return Err(Failure::Unbounded { party: role, max, got }.into());
            }
        }
        Ok(())
    }

    fn carry_out(&mut self, role: Role, effects: Vec<Effect>) -> Step {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Append { lsn, mut record } => {
                    self.point(role, Place::Append)?;
                    let host = &mut self.hosts[role.index()];
                    // The power fails before it or after it: those are places of their own.
                    let _ = host.disk.append(lsn, &record);
                    host.appended = lsn;
                    host.history.push(std::mem::take(&mut *record));
                    self.point(role, Place::Appended)?;
                    effects.extend(self.too_early(role, lsn)?);
                }
                Effect::Snapshot { lsn, state } => {
                    self.point(role, Place::Snapshot)?;
                    self.on_disk(role, Place::Snapshotting, |disk| disk.snapshot(lsn, &state))?;
                    self.point(role, Place::Snapshotted)?;
                    let host = &mut self.hosts[role.index()];
                    host.synced = host.synced.max(lsn);
                    if let Some(party) = &mut host.party {
                        effects.extend(party.written(lsn).map_err(|error| refused(role, &error))?);
                    }
                }
                Effect::Send { peer, lane, number, frame } => {
                    self.point(role, Place::Send)?;
                    if self.is_left_out(role, peer, lane, number) {
                        continue;
                    }
                    let place = (role, peer, lane, number);
                    self.checks.say(place, &frame, &mut self.said.borrow_mut())?;
                    self.links.send(role, peer, Packet::Frame(lane, number, frame));
                }
                Effect::Acknowledge { peer, lane, number } => {
                    self.point(role, Place::Acknowledge)?;
                    self.links.send(role, peer, Packet::Acknowledge(lane, number));
                }
                Effect::Accepted(number) => {
                    self.point(role, Place::Accept)?;
                    let host = &mut self.hosts[role.index()];
                    host.accepted = host.accepted.max(usize::try_from(number).unwrap_or(0) + 1);
                }
                Effect::Result { number, answer } => {
                    self.point(role, Place::Answer)?;
                    let number = usize::try_from(number).unwrap_or(0);
                    self.checks.answer(role, number, answer, self.program)?;
                    self.hosts[role.index()].given.push_back(number);
                }
                Effect::Refused { error, .. } => {
                    return Err(Failure::Peer { party: role, reason: error.to_string() }.into());
                }
            }
        }
        Ok(())
    }

    /// Of a party that does not wait for its disk: what it does at once, and what it still keeps back.
    fn too_early(&mut self, role: Role, lsn: u64) -> Step<Vec<Effect>> {
        let early = |effect: &Effect| match self.fault {
            Some(Fault::SpeaksFirst) => matches!(effect, Effect::Send { .. } | Effect::Result { .. }),
            Some(Fault::EarlyAcknowledgement) => matches!(effect, Effect::Acknowledge { .. }),
            _ => false,
        };
        if !matches!(self.fault, Some(Fault::SpeaksFirst | Fault::EarlyAcknowledgement)) {
            return Ok(Vec::new());
        }
        let host = &mut self.hosts[role.index()];
        let Some(party) = &mut host.party else { return Ok(Vec::new()) };
        let effects = party.written(lsn).map_err(|error| refused(role, &error))?;
        let (now, held): (Vec<_>, Vec<_>) = effects.into_iter().partition(early);
        host.held.extend(held);
        Ok(now)
    }

    /// Of a party that says nothing twice: whether it has said this.
    fn is_left_out(&mut self, role: Role, peer: Role, lane: Lane, number: u64) -> bool {
        let said = &mut self.hosts[role.index()].said[peer.index()][lane as usize];
        let again = number < *said;
        *said = (*said).max(number + 1);
        again && self.fault == Some(Fault::NoRetransmission)
    }

    /// A place at which a party may crash.
    fn point(&mut self, role: Role, place: Place) -> Step {
        let point = self.points;
        self.points += 1;
        match self.plan.front() {
            Some((at, tear)) if *at <= point => {
                let tear = *tear;
                self.crash(role, place, tear);
                Err(Stop::Crashed)
            }
            _ => Ok(()),
        }
    }

    /// Each operation of the disk is such a place.
    fn on_disk<T>(
        &mut self,
        role: Role,
        place: Place,
        operate: impl FnOnce(&mut D) -> Result<T, PowerCut>,
    ) -> Step<T> {
        let disk = &mut self.hosts[role.index()].disk;
        let fuse = self.plan.front().map(|(at, _)| at.saturating_sub(self.points));
        let before = disk.on_medium(|medium| {
            medium.set_fuse(fuse);
            medium.operations()
        });
        let result = operate(disk);
        self.points += disk.on_medium(|medium| {
            medium.set_fuse(None);
            medium.operations() - before
        });
        result.map_err(|PowerCut| {
            let tear = self.plan.front().map_or(Tear::Lost, |(_, tear)| *tear);
            self.crash(role, place, tear);
            Stop::Crashed
        })
    }

    fn crash(&mut self, role: Role, place: Place, tear: Tear) {
        self.plan.pop_front();
        self.crashes += 1;
        let host = &mut self.hosts[role.index()];
        let step = |lane| Some(host.party.as_ref()?.party().under_way_in(lane)?.step.name());
        let steps: Vec<_> = Lane::ALL.into_iter().filter_map(step).collect();
        self.coverage.count(place, &steps);
        host.party = None;
        host.held.clear();
        host.given.clear();
        host.disk.on_medium(|medium| medium.crash(tear, &mut self.torn));
        self.links.crash(role, &mut self.torn);
    }

    /// Looks at what is said, and at the states, if all parties have done the same steps on the memory and are in the middle of none.
    fn look(&mut self) -> Result<(), Failure> {
        if let Some((from, to, kind, operation, _, lane)) = self.said.borrow_mut().contradiction.take() {
            let kind = self.program.protocol.kind(kind).map_or("none", |kind| kind.name());
            return Err(Failure::Contradiction { from, to, lane, operation, kind });
        }
        if !std::mem::take(&mut self.unseen) {
            return Ok(());
        }
        let idle = |host: &Host<D>| {
            let party = host.party.as_ref()?.party();
            party.under_way_in(Lane::Memory).is_none().then_some(())
        };
        if self.hosts.iter().any(|host| idle(host).is_none()) {
            return Ok(());
        }
        let done = |host: &Host<D>| host.party.as_ref().and_then(|party| party.party().steps());
        let Some(steps) = self.hosts.first().and_then(done) else { return Ok(()) };
        if self.hosts.iter().any(|host| done(host) != Some(steps)) {
            return Ok(());
        }
        let memory =
            |host: &Host<D>| host.party.as_ref().map_or_else(Vec::new, |party| party.party().memory());
        let states: Vec<_> = self.hosts.iter().map(memory).collect();
        let memory = usize::try_from(steps).ok().and_then(|steps| self.program.ideal.memories.get(steps));
        let memory = memory.ok_or(Failure::States { steps, what: "more steps than there are" })?;
        let checked = self.program.protocol.check(&states, memory);
        checked.map_err(|what| Failure::States { steps, what })
    }

    /// Nothing happens any more: everything must be done, and the memory be that of the ideal RAM.
    fn finish(mut self) -> Result<Outcome, Failure> {
        for &role in self.program.protocol.roles() {
            let kept = |peer| {
                let party = self.hosts[role.index()].party.as_ref();
                party.and_then(|party| party.unacknowledged(peer).ok()).unwrap_or(usize::MAX)
            };
            let kept = self.program.protocol.peers(role).map(kept).max().unwrap_or(0);
            let (answered, commands) = (self.checks.answered(role), self.program.commands(role));
            if answered < commands || kept > 0 {
                return Err(Failure::Stuck { party: role, answered, commands, kept });
            }
        }
        self.unseen = true;
        self.look()?;
        let last = self.program.ideal.memories.len() as u64 - 1;
        let steps = |host: &Host<D>| host.party.as_ref().and_then(|party| party.party().steps());
        if self.hosts.iter().any(|host| steps(host) != Some(last)) {
            return Err(Failure::States { steps: last, what: "not all steps were done" });
        }
        Ok(Outcome {
            points: self.points,
            coverage: self.coverage,
            crashes: self.crashes,
            frames: self.checks.frames(),
            journals: self.hosts.into_iter().map(Host::into_journal).collect(),
            limits: self.limits,
        })
    }
}

/// No party of these should refuse anything.
fn refused(party: Role, error: &durable::Error) -> Failure {
    Failure::Peer { party, reason: error.to_string() }
}
