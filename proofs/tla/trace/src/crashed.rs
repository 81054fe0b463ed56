//! The trace of a run with crashes, made from that of a run without.
//!
//! What a party does follows from its inputs, in order: the commands, and the messages that it takes. So the run without
//! crashes says what each input makes a party send, and the parties can be run again, as records: with disks, writes,
//! acknowledgements, lost messages, crashes and restarts at places that a seed chooses. The rules are those of
//! `proofs/tla/README.md`; nothing here is a party's code.

use crate::Error;
use crate::format::{Action, Event, Party, SpeaksAfter, Trace};

const PARTIES: [Party; 3] = [Party::P0, Party::P1, Party::P2];

/// What a party takes: the event that says so, and what it then writes down: messages for the others, and that a step is done.
struct Input {
    taken: Event,
    sends: Vec<Event>,
    applied: Option<Event>,
}

/// A party: all its inputs, and how far it has come.
struct Record {
    inputs: Vec<Input>,
    /// Inputs taken, and those of them that are on disk.
    taken: usize,
    written: usize,
    up: bool,
    /// How many messages of each peer the party has said that it has.
    acknowledged: [usize; 3],
    accepted: usize,
}

impl Record {
    /// Messages of a peer among the first inputs.
    fn received(&self, inputs: usize, peer: Party) -> usize {
        self.inputs[..inputs].iter().filter(|input| input.taken.peer == Some(peer)).count()
    }

    fn commands(&self, inputs: usize) -> usize {
        self.inputs[..inputs].iter().filter(|input| input.taken.event == Action::Begin).count()
    }

    /// The messages for a peer that the first inputs make.
    fn made(&self, inputs: usize, peer: Party) -> impl Iterator<Item = &Event> {
        self.inputs[..inputs]
            .iter()
            .flat_map(|input| &input.sends)
            .filter(move |sent| sent.peer == Some(peer))
    }

    /// Of how many inputs the messages may leave.
    fn may_say(&self, speaks_after: SpeaksAfter) -> usize {
        let late = |input: &Input| input.taken.event == Action::Begin;
        match speaks_after {
            SpeaksAfter::Nothing => self.taken,
            SpeaksAfter::Inputs => self.written,
            SpeaksAfter::Commands => {
                let unwritten = &self.inputs[self.written..self.taken];
                self.written + unwritten.iter().position(late).unwrap_or(unwritten.len())
            }
        }
    }
}

/// A small generator (splitmix64): what it chooses must only be the same for the same seed.
struct Dice(u64);

impl Dice {
    /// Below a number that is not 0.
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap_or(0)
    }
}

/// Inputs of which a party may be ahead of its disk.
const UNWRITTEN: usize = 4;

/// A run with crashes of the parties of `trace`, which has none: at most `crashes`, at places that `seed` chooses.
///
/// # Errors
///
/// [`Error::NoPlace`] if the run has not come to its end, has disks already, or is to have none.
pub fn crashed(trace: &Trace, speaks_after: SpeaksAfter, crashes: usize, seed: u64) -> Result<Trace, Error> {
    let mut trace = trace.clone();
    if trace.plan.speaks_after != SpeaksAfter::Nothing || speaks_after == SpeaksAfter::Nothing {
        return Err(Error::no_place("parties without disks", &trace));
    }
    trace.plan.speaks_after = speaks_after;
    let parties = PARTIES.map(|party| Record {
        inputs: inputs(&trace, party),
        taken: 0,
        written: 0,
        up: true,
        acknowledged: [0; 3],
        accepted: 0,
    });
    let mut run = Run { parties, speaks_after, sent: [[0; 3]; 3], events: Vec::new() };
    let mut dice = Dice(seed);
    let all: usize = run.parties.iter().map(|party| party.inputs.len()).sum();
    // Spread over the whole run, by how many inputs were taken: at so much a step, all would be in the first.
    let mut places: Vec<usize> = (0..crashes).map(|_| dice.below(all.max(1))).collect();
    places.sort_unstable_by(|left, right| right.cmp(left));
    let mut idle = 0;
    while !run.is_done() {
        let party = dice.below(3);
        let taken = run.parties.iter().map(|party| party.taken).sum();
        if run.parties[party].up && places.pop_if(|place| *place <= taken).is_some() {
            run.crash(party, &mut dice);
        }
        idle = if run.does_something(party, &mut dice) { 0 } else { idle + 1 };
        if idle > 10_000 {
            return Err(Error::no_place("a run to its end", &trace));
        }
    }
    trace.events = run.events;
    Ok(trace)
}

/// What a party takes and does, from the lines of its run.
fn inputs(trace: &Trace, party: Party) -> Vec<Input> {
    let mut inputs: Vec<Input> = Vec::new();
    let mut steps = 0;
    for event in trace.events.iter().filter(|event| event.party == party) {
        // The first line of a step: before it, the step was begun.
        if event.operation >= steps {
            steps = event.operation + 1;
            let name = trace.plan.steps.get(event.operation as usize).map_or("", |step| step.name());
            let kind = name.to_owned();
            // A step that awaits nothing is done when it begins, and has no items then.
            let begin = Event { event: Action::Begin, peer: None, kind, round: 0, size: 0, ..event.clone() };
            inputs.push(Input { taken: begin, sends: Vec::new(), applied: None });
        }
        let last = inputs.last_mut();
        match (event.event, last) {
            (Action::Receive, _) => {
                inputs.push(Input { taken: event.clone(), sends: Vec::new(), applied: None });
            }
            (Action::Apply, Some(last)) => last.applied = Some(event.clone()),
            (_, Some(last)) => last.sends.push(event.clone()),
            (_, None) => {}
        }
    }
    inputs
}

/// The three parties at work.
struct Run {
    parties: [Record; 3],
    speaks_after: SpeaksAfter,
    /// `sent[p][q]`: the messages of p for q that q has taken, or will from the link as it is.
    sent: [[usize; 3]; 3],
    events: Vec<Event>,
}

impl Run {
    fn is_done(&self) -> bool {
        self.parties.iter().all(|party| party.up && party.written == party.inputs.len())
    }

    /// One thing that the dice choose; whether the party could.
    fn does_something(&mut self, p: usize, dice: &mut Dice) -> bool {
        if !self.parties[p].up {
            return dice.below(4) == 0 && self.restart(p);
        }
        match dice.below(23) {
            0..8 => self.send(p, dice.below(3)),
            8..16 => self.take(p),
            16..20 => self.write(p, dice),
            20..22 => self.acknowledge(p, dice.below(4)),
            _ => self.link(p, dice.below(3), dice),
        }
    }

    /// A line about a party and its disk.
    fn line(&mut self, p: usize, event: Action, peer: Option<Party>, kind: &str, size: usize) -> bool {
        let (party, kind, size) = (PARTIES[p], kind.to_owned(), u32::try_from(size).unwrap_or(u32::MAX));
        self.events.push(Event { party, event, peer, kind, operation: 0, round: 0, items: Vec::new(), size });
        true
    }

    fn send(&mut self, p: usize, q: usize) -> bool {
        let inputs = self.parties[p].may_say(self.speaks_after);
        let next = self.parties[p].made(inputs, PARTIES[q]).nth(self.sent[p][q]).cloned();
        let can = self.parties[q].up && next.is_some();
        if can {
            self.sent[p][q] += 1;
            self.events.extend(next);
        }
        can
    }

    fn take(&mut self, p: usize) -> bool {
        let party = &self.parties[p];
        let Some(input) = party.inputs.get(party.taken) else { return false };
        let arrived = input
            .taken
            .peer
            .is_none_or(|peer| party.received(party.taken, peer) < self.sent[peer.index()][p]);
        let can = arrived && party.taken - party.written < UNWRITTEN;
        if can {
            self.events.push(input.taken.clone());
            self.events.extend(input.applied.clone());
            self.parties[p].taken += 1;
        }
        can
    }

    fn write(&mut self, p: usize, dice: &mut Dice) -> bool {
        let waiting = self.parties[p].taken - self.parties[p].written;
        if waiting == 0 {
            return false;
        }
        let size = 1 + dice.below(waiting);
        self.parties[p].written += size;
        self.line(p, Action::Write, None, "inputs", size)
    }

    /// To a peer, or to the client.
    fn acknowledge(&mut self, p: usize, q: usize) -> bool {
        let party = &mut self.parties[p];
        let Some(&peer) = PARTIES.get(q) else {
            let commands = party.commands(party.written);
            let news = commands > party.accepted;
            party.accepted = commands;
            return news && self.line(p, Action::Acknowledge, None, "commands", commands);
        };
        let messages = party.received(party.written, peer);
        let news = messages > party.acknowledged[q];
        party.acknowledged[q] = messages;
        news && self.line(p, Action::Acknowledge, Some(peer), "messages", messages)
    }

    /// Of what a party had sent, some may still arrive; of what was sent to it, nothing.
    fn crash(&mut self, p: usize, dice: &mut Dice) {
        self.parties[p].up = false;
        for q in [(p + 1) % 3, (p + 2) % 3] {
            let taken = self.parties[q].received(self.parties[q].taken, PARTIES[p]);
            self.sent[p][q] = taken + dice.below(self.sent[p][q] - taken + 1);
            self.sent[q][p] = self.parties[p].received(self.parties[p].taken, PARTIES[q]);
        }
        self.line(p, Action::Crash, None, "party", 0);
    }

    fn restart(&mut self, p: usize) -> bool {
        let party = &mut self.parties[p];
        (party.up, party.taken) = (true, party.written);
        for q in [(p + 1) % 3, (p + 2) % 3] {
            self.again(p, q);
        }
        self.line(p, Action::Restart, None, "party", 0)
    }

    fn link(&mut self, p: usize, q: usize, dice: &mut Dice) -> bool {
        let can = p != q && self.parties[q].up && dice.below(8) == 0;
        if can {
            self.again(p, q);
        }
        can && self.line(p, Action::Link, Some(PARTIES[q]), "party", 0)
    }

    /// A new link: each tells the other how many messages it has taken.
    fn again(&mut self, p: usize, q: usize) {
        for (from, to) in [(p, q), (q, p)] {
            self.sent[from][to] = self.parties[to].received(self.parties[to].taken, PARTIES[from]);
        }
    }
}
