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

/// A party: all its inputs, by lane, and how far it has come.
struct Record {
    inputs: [Vec<Input>; 2],
    /// The lanes of the inputs taken, in order; and how many of them are on disk.
    journal: Vec<usize>,
    written: usize,
    up: bool,
    /// How many messages of each peer the party has said that it has, by lane; and in the end how many commands.
    acknowledged: [[usize; 2]; 4],
}

impl Record {
    /// Those of a lane among the first inputs.
    fn lane(&self, inputs: usize, lane: usize) -> &[Input] {
        let taken = self.journal[..inputs].iter().filter(|&&of| of == lane).count();
        &self.inputs[lane][..taken]
    }

    /// Messages of a peer among the first inputs.
    fn received(&self, inputs: usize, lane: usize, peer: Party) -> usize {
        self.lane(inputs, lane).iter().filter(|input| input.taken.peer == Some(peer)).count()
    }

    fn commands(&self, inputs: usize, lane: usize) -> usize {
        self.lane(inputs, lane).iter().filter(|input| input.taken.event == Action::Begin).count()
    }

    /// The messages for a peer that the first inputs make.
    fn made(&self, inputs: usize, lane: usize, peer: Party) -> impl Iterator<Item = &Event> {
        self.lane(inputs, lane)
            .iter()
            .flat_map(|input| &input.sends)
            .filter(move |sent| sent.peer == Some(peer))
    }

    /// Of how many inputs the messages may leave.
    fn may_say(&self, speaks_after: SpeaksAfter) -> usize {
        let is_command = |place: &usize| {
            let lane = self.journal[*place];
            self.inputs[lane][self.lane(*place, lane).len()].taken.event == Action::Begin
        };
        match speaks_after {
            SpeaksAfter::Nothing => self.journal.len(),
            SpeaksAfter::Inputs => self.written,
            SpeaksAfter::Commands => {
                (self.written..self.journal.len()).find(is_command).unwrap_or(self.journal.len())
            }
        }
    }

    /// Whether a step may begin: the session has its key, and the items that it uses are made.
    fn is_ready(&self, step: &Event) -> bool {
        let done: Vec<&Event> = (0..2)
            .flat_map(|lane| self.lane(self.journal.len(), lane))
            .filter_map(|input| input.applied.as_ref())
            .collect();
        let begins = ["connect", "load", "preprocess"].contains(&step.kind.as_str());
        let key = step.kind == "connect" || done.iter().any(|step| step.kind == "connect");
        let is_made = |item| done.iter().any(|step| step.kind == "preprocess" && step.items.contains(item));
        key && (begins || step.items.iter().all(is_made))
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

/// Of the dice, for each input: many times what a run needs.
const THROWS: usize = 1000;

/// Inputs of which a party may be ahead of its disk.
const UNWRITTEN: usize = 4;

/// A run with crashes of the parties of `trace`, which has none: at most `crashes`, at places that `seed` chooses. What
/// must be on disk before they speak, and how many lanes they have, is as in [`crate::Plan`].
///
/// # Errors
///
/// [`Error::NoPlace`] if the run has not come to its end, has disks already, or is to have none.
pub fn crashed(
    trace: &Trace,
    speaks_after: SpeaksAfter,
    lanes: u32,
    crashes: usize,
    seed: u64,
) -> Result<Trace, Error> {
    let mut trace = trace.clone();
    if trace.plan.speaks_after != SpeaksAfter::Nothing || speaks_after == SpeaksAfter::Nothing {
        return Err(Error::no_place("parties without disks", &trace));
    }
    trace.plan.speaks_after = speaks_after;
    trace.plan.lanes = lanes;
    let parties = PARTIES.map(|party| Record {
        inputs: inputs(&trace, party),
        journal: Vec::new(),
        written: 0,
        up: true,
        acknowledged: [[0; 2]; 4],
    });
    let count = trace.plan.protocol.parties().len();
    let mut run = Run { parties, count, speaks_after, sent: [[[0; 2]; 3]; 3], events: Vec::new() };
    let mut dice = Dice(seed);
    let all: usize = run.parties.iter().flat_map(|party| &party.inputs).map(Vec::len).sum();
    // Spread over the whole run, by how many inputs were taken: at so much a step, all would be in the first.
    let mut places: Vec<usize> = (0..crashes).map(|_| dice.below(all.max(1))).collect();
    places.sort_unstable_by(|left, right| right.cmp(left));
    for _ in 0..THROWS * (all + 1) {
        if run.is_done() {
            trace.events = run.events;
            return Ok(trace);
        }
        let party = dice.below(run.count);
        let taken = run.parties.iter().map(|party| party.journal.len()).sum();
        if run.parties[party].up && places.pop_if(|place| *place <= taken).is_some() {
            run.crash(party, &mut dice);
        } else {
            run.go_on(party, &mut dice);
        }
    }
    Err(Error::no_place("a run to its end", &trace))
}

/// What a party takes and does, from the lines of its run.
fn inputs(trace: &Trace, party: Party) -> [Vec<Input>; 2] {
    let mut inputs: [Vec<Input>; 2] = Default::default();
    let mut steps = 0;
    for event in trace.events.iter().filter(|event| event.party == party) {
        let name = trace.plan.steps.get(event.operation as usize).map_or("", |step| step.name());
        let lane = &mut inputs[trace.plan.lane(event.operation) as usize];
        // The first line of a step: before it, the step was begun.
        if event.operation >= steps {
            steps = event.operation + 1;
            let kind = name.to_owned();
            let begin = Event { event: Action::Begin, peer: None, kind, round: 0, size: 0, ..event.clone() };
            lane.push(Input { taken: begin, sends: Vec::new(), applied: None });
        }
        match (event.event, lane.last_mut()) {
            (Action::Receive, _) => {
                lane.push(Input { taken: event.clone(), sends: Vec::new(), applied: None });
            }
            (Action::Apply, Some(last)) => last.applied = Some(event.clone()),
            (_, Some(last)) => last.sends.push(event.clone()),
            (_, None) => {}
        }
    }
    inputs
}

/// The parties at work.
struct Run {
    parties: [Record; 3],
    /// So many of them take part: the first.
    count: usize,
    speaks_after: SpeaksAfter,
    /// `sent[p][q][l]`: the messages of p for q in lane l that q has taken, or will from the link as it is.
    sent: [[[usize; 2]; 3]; 3],
    events: Vec<Event>,
}

impl Run {
    fn is_done(&self) -> bool {
        let all = |party: &Record| party.inputs.iter().map(Vec::len).sum::<usize>();
        self.parties.iter().all(|party| party.up && party.written == all(party))
    }

    /// One thing that the dice choose, if the party can do it.
    fn go_on(&mut self, p: usize, dice: &mut Dice) {
        if !self.parties[p].up {
            if dice.below(4) == 0 {
                self.restart(p);
            }
            return;
        }
        let (q, lane) = (dice.below(self.count), dice.below(2));
        match dice.below(24) {
            0..8 => self.send(p, q, lane),
            8..16 => self.take(p, lane),
            16..20 => self.write(p, dice),
            20..22 => self.acknowledge(p, q, lane),
            22 => self.accept(p, lane),
            _ if dice.below(8) == 0 => self.link(p, q),
            _ => {}
        }
    }

    /// A line about a party and its disk.
    fn line(&mut self, p: usize, event: Action, peer: Option<Party>, kind: &str, lane: usize, size: usize) {
        let number = |number| u32::try_from(number).unwrap_or(u32::MAX);
        let (party, kind, round, size) = (PARTIES[p], kind.to_owned(), number(lane), number(size));
        self.events.push(Event { party, event, peer, kind, operation: 0, round, items: Vec::new(), size });
    }

    fn send(&mut self, p: usize, q: usize, lane: usize) {
        let inputs = self.parties[p].may_say(self.speaks_after);
        let next = self.parties[p].made(inputs, lane, PARTIES[q]).nth(self.sent[p][q][lane]).cloned();
        if self.parties[q].up {
            self.sent[p][q][lane] += usize::from(next.is_some());
            self.events.extend(next);
        }
    }

    fn take(&mut self, p: usize, lane: usize) {
        let party = &self.parties[p];
        let taken = party.journal.len();
        let Some(input) = party.inputs[lane].get(party.lane(taken, lane).len()) else { return };
        let is_there = match input.taken.peer {
            Some(peer) => party.received(taken, lane, peer) < self.sent[peer.index()][p][lane],
            None => party.is_ready(&input.taken),
        };
        if is_there && taken - party.written < UNWRITTEN {
            self.events.push(input.taken.clone());
            self.events.extend(input.applied.clone());
            self.parties[p].journal.push(lane);
        }
    }

    fn write(&mut self, p: usize, dice: &mut Dice) {
        let waiting = self.parties[p].journal.len() - self.parties[p].written;
        if waiting > 0 {
            let size = 1 + dice.below(waiting);
            self.parties[p].written += size;
            self.line(p, Action::Write, None, "inputs", 0, size);
        }
    }

    /// To a peer.
    fn acknowledge(&mut self, p: usize, q: usize, lane: usize) {
        let party = &mut self.parties[p];
        let messages = party.received(party.written, lane, PARTIES[q]);
        if messages > std::mem::replace(&mut party.acknowledged[q][lane], messages) {
            self.line(p, Action::Acknowledge, Some(PARTIES[q]), "messages", lane, messages);
        }
    }

    /// To the client.
    fn accept(&mut self, p: usize, lane: usize) {
        let party = &mut self.parties[p];
        let commands = party.commands(party.written, lane);
        if commands > std::mem::replace(&mut party.acknowledged[3][lane], commands) {
            self.line(p, Action::Acknowledge, None, "commands", lane, commands);
        }
    }

    /// Of what a party had sent, some may still arrive; of what was sent to it, nothing.
    fn crash(&mut self, p: usize, dice: &mut Dice) {
        self.parties[p].up = false;
        for (q, lane) in others(p) {
            let taken = self.taken(p, q, lane);
            self.sent[p][q][lane] = taken + dice.below(self.sent[p][q][lane] - taken + 1);
            self.sent[q][p][lane] = self.taken(q, p, lane);
        }
        self.line(p, Action::Crash, None, "party", 0, 0);
    }

    fn restart(&mut self, p: usize) {
        let party = &mut self.parties[p];
        party.up = true;
        party.journal.truncate(party.written);
        for (q, _) in others(p) {
            self.again(p, q);
        }
        self.line(p, Action::Restart, None, "party", 0, 0);
    }

    fn link(&mut self, p: usize, q: usize) {
        if p != q && self.parties[q].up {
            self.again(p, q);
            self.line(p, Action::Link, Some(PARTIES[q]), "party", 0, 0);
        }
    }

    /// How many messages of a party another has taken.
    fn taken(&self, from: usize, to: usize, lane: usize) -> usize {
        self.parties[to].received(self.parties[to].journal.len(), lane, PARTIES[from])
    }

    /// A new link: each tells the other how many messages it has taken.
    fn again(&mut self, p: usize, q: usize) {
        for (from, to) in [(p, q), (q, p)] {
            self.sent[from][to] = [0, 1].map(|lane| self.taken(from, to, lane));
        }
    }
}

/// The other parties, each in both lanes.
fn others(p: usize) -> [(usize, usize); 4] {
    [((p + 1) % 3, 0), ((p + 1) % 3, 1), ((p + 2) % 3, 0), ((p + 2) % 3, 1)]
}
