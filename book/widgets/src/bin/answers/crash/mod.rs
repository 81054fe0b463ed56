//! What the crash widget must show. What parties say and answer comes from parties without disks, which never crash; what is in
//! their journals, and what is said when, from the rules of `proofs/tla/README.md`, said here in words of their own: a party is a
//! function of its journal, and is computed anew from it for each input. The memory in the end is that of an array. A disk that lies
//! keeps nothing of what a party believes to be on it when the power fails.

mod operation;
mod party;
mod undisturbed;

use std::collections::VecDeque;

use duoram_vectors::Random;
use serde_json::Value;

use crate::cells::{Cells, PUBLIC, Views, number, text};
use operation::Operation;
use party::{Does, Doubt, Gets, Move, Party, Taken, follows, others, script};
use undisturbed::fingerprint;

const N: usize = 4;
const NAMES: [&str; 3] = ["P0", "P1", "P2"];

/// A message: from whom, to whom, and which of theirs.
type Place = (usize, usize, usize);

/// A message that was said: its name, its bytes, which are two if it hid two shares, how often, and whether in this step.
struct Said {
    place: Place,
    what: &'static str,
    ways: Vec<Vec<u8>>,
    times: usize,
    new: bool,
}

/// All of it, and what the page shows of it.
struct World {
    operation: Operation,
    disks_lie: bool,
    /// Nothing that follows can be right.
    is_over: bool,
    parties: [Party; 3],
    queue: VecDeque<(usize, Gets)>,
    down: VecDeque<usize>,
    accepted: [bool; 3],
    answered: [bool; 3],
    /// Who has told whom of how many messages, and of the command, that they are on disk: 3 is the client.
    told: Vec<(usize, usize, usize)>,
    /// In the order of their first time.
    said: Vec<Said>,
    answers: [String; 3],
    fixed: Cells,
    steps: Vec<Cells>,
}

impl World {
    fn named(&self, from: usize, to: usize, number: usize) -> &'static str {
        follows(&self.parties[from].script, &self.everything(from)).made[to][number - 1]
    }

    /// A journal of all that a party will ever take, of which all names follow.
    fn everything(&self, party: usize) -> Vec<Taken> {
        let awaited = self.parties[party].script.iter().filter_map(|step| match step {
            Move::Await(from) => Some(Taken::Frame(*from)),
            Move::Say(..) => None,
        });
        std::iter::once(Taken::Command).chain(awaited).collect()
    }

    fn record(&self, me: usize, taken: Taken) -> String {
        match taken {
            Taken::Command => "the client’s command".to_owned(),
            // One message of each peer to each other is all there is in these operations.
            Taken::Frame(from) => format!("“{}” of {}", self.named(from, me, 1), NAMES[from]),
            Taken::Has(peer, number) => format!("{} has “{}”", NAMES[peer], self.named(me, peer, number)),
            Taken::Fetched => "the client has the answer".to_owned(),
        }
    }

    /// What a party does becomes what others get. In words.
    fn carry_out(&mut self, me: usize, does: &[Does]) -> Vec<String> {
        let name = NAMES[me];
        let mut pending = self.parties[me].journal.len() - self.parties[me].on_disk;
        pending -= does.iter().filter(|does| matches!(does, Does::Append(_))).count();
        let mut words = Vec::new();
        for what in does {
            words.push(match *what {
                Does::Append(taken) => {
                    pending += 1;
                    if pending == 1 {
                        self.queue.push_back((me, Gets::Sync));
                    }
                    format!("{name} appends to its journal: {}.", self.record(me, taken))
                }
                Does::Say(to, which, what) => {
                    self.queue.push_back((to, Gets::Frame(me, which)));
                    let place = (me, to, which);
                    let bytes = self.operation.says(place);
                    let again = self.said.iter_mut().find(|said| said.place == place).map(|said| {
                        said.times += 1;
                        said.new = true;
                        if !said.ways.contains(&bytes) {
                            said.ways.push(bytes.clone());
                        }
                    });
                    if again.is_none() {
                        self.said.push(Said { place, what, ways: vec![bytes], times: 1, new: true });
                    }
                    format!(
                        "{name} says “{what}” to {}{}.",
                        NAMES[to],
                        if again.is_some() { " again" } else { "" }
                    )
                }
                Does::Acknowledge(to, number) => {
                    self.tell((me, to, number));
                    self.queue.push_back((to, Gets::Has(me, number)));
                    format!(
                        "{name} tells {} that “{}” is on its disk.",
                        NAMES[to],
                        self.named(to, me, number)
                    )
                }
                Does::Accept => {
                    self.tell((me, 3, 1));
                    self.accepted[me] = true;
                    format!("{name} tells the client that it may forget the command.")
                }
                Does::Answer => {
                    self.answered[me] = true;
                    self.answers[me] = self.operation.answer(me);
                    self.queue.push_back((me, Gets::Fetched));
                    format!("{name} gives the client its answer.")
                }
            });
        }
        words
    }

    fn tell(&mut self, what: (usize, usize, usize)) {
        if !self.told.contains(&what) {
            self.told.push(what);
        }
    }

    /// How much of what somebody was told to be on a disk is lost.
    fn lost(&self) -> usize {
        let is_lost = |(me, to, number): &&(usize, usize, usize)| {
            let what = if *to == 3 { Taken::Command } else { Taken::Frame(*to) };
            let party = &self.parties[*me];
            party.count(party.on_disk, what) < *number
        };
        self.told.iter().filter(is_lost).count()
    }

    fn two_ways(&self) -> usize {
        self.said.iter().filter(|said| said.ways.len() > 1).count()
    }

    /// What is shown of all parties and messages now.
    fn end(&mut self, line: &str, does: &[String]) -> &mut Cells {
        let mut cells = self.fixed.clone();
        cells.set("step.line", line, PUBLIC);
        for (place, what) in (1..).zip(does) {
            cells.set(format!("does{place}"), what, PUBLIC);
        }
        for (me, name) in NAMES.into_iter().enumerate() {
            let party = &self.parties[me];
            cells.set(format!("{name}.power"), if party.up { "on" } else { "off" }, PUBLIC);
            // Five items of READ are made, and one of UPDATE. An operation takes one when it begins: with its command.
            let begun = party.count(party.journal.len(), Taken::Command);
            let [reads, updates] =
                if self.operation.is_read() { [N + 1 - begun, 1] } else { [N + 1, 1 - begun] };
            let left =
                if party.up { format!("{reads} of READ, {updates} of UPDATE") } else { "unknown".to_owned() };
            cells.set(format!("{name}.left"), left, PUBLIC);
            for (place, taken) in party.journal.iter().enumerate() {
                let record = format!("{name}.record{}", place + 1);
                let state = match (place < party.on_disk, self.disks_lie) {
                    (true, false) => "on disk",
                    (true, true) => "in cache",
                    (false, _) => "not yet",
                };
                cells.set(format!("{record}.state"), state, PUBLIC);
                cells.set(record, self.record(me, *taken), PUBLIC);
            }
            let command = if self.accepted[me] { "may be forgotten" } else { "kept" };
            cells.set(format!("Client.{name}.command"), command, PUBLIC);
            let answer = if self.answered[me] { &self.answers[me] } else { "none yet" };
            cells.set(format!("Client.{name}.answer"), answer, PUBLIC);
        }
        let mut flying = 0;
        let (lost, two_ways) = (self.lost(), self.two_ways());
        for (number, Said { place, what, ways, times, new }) in (1..).zip(&mut self.said) {
            let (from, to, _) = *place;
            let prints = ways.iter().map(|bytes| fingerprint(bytes)).collect::<Vec<_>>().join(" and ");
            let message = format!("message{number}");
            cells.set(format!("{message}.from"), NAMES[from], PUBLIC);
            cells.set(format!("{message}.to"), NAMES[to], PUBLIC);
            cells.set(format!("{message}.what"), *what, PUBLIC);
            cells.set(format!("{message}.value"), &prints, PUBLIC);
            cells.set(format!("{message}.times"), *times, PUBLIC);
            if std::mem::take(new) {
                flying += 1;
                cells.set(format!("flying{flying}.way"), format!("{} to {}", NAMES[from], NAMES[to]), PUBLIC);
                cells.set(format!("flying{flying}.what"), *what, PUBLIC);
                cells.set(format!("flying{flying}.value"), &prints, PUBLIC);
            }
        }
        cells.set("two ways", format!("{two_ways} of {}", self.said.len()), PUBLIC);
        cells.set("broken", format!("{lost} of {}", self.told.len()), PUBLIC);
        self.steps.push(cells);
        self.steps.last_mut().expect("it was just put there")
    }

    fn fail(&mut self, me: usize) {
        let before = self.parties[me].journal.clone();
        self.parties[me].crash(self.disks_lie);
        let lost = before[self.parties[me].on_disk..].to_vec();
        let first = self.parties[me].on_disk + 1;
        let mut on_the_way = Vec::new();
        self.queue.retain(|(to, gets)| {
            let from = match gets {
                Gets::Frame(from, _) | Gets::Has(from, _) | Gets::Link(from) => Some(*from),
                _ => None,
            };
            let gone = *to == me || from == Some(me);
            if let (true, Gets::Frame(from, which)) = (gone, gets) {
                on_the_way.push((*from, *to, *which));
            }
            !gone
        });
        for peer in others(me) {
            self.parties[peer].linked[me] = false;
            self.parties[peer].waiting[me] = 0;
        }
        self.down.push_back(me);
        let records: Vec<String> = lost.iter().map(|taken| self.record(me, *taken)).collect();
        let on_the_way: Vec<String> = on_the_way
            .into_iter()
            .map(|(from, to, which)| {
                format!("“{}” of {} to {}", self.named(from, to, which + 1), NAMES[from], NAMES[to])
            })
            .collect();
        let does = format!("{} loses what it knew, and of its records {}.", NAMES[me], records.len());
        let cells = self.end(&format!("The power fails at {}", NAMES[me]), &[does]);
        for (place, what) in (first..).zip(records) {
            cells.set(format!("{}.record{place}", NAMES[me]), what, PUBLIC);
            cells.set(format!("{}.record{place}.state", NAMES[me]), "lost", PUBLIC);
        }
        for (place, what) in (1..).zip(on_the_way) {
            cells.set(format!("lost{place}"), what, PUBLIC);
        }
    }

    fn restart(&mut self, me: usize) {
        let again = self.parties[me].journal.len();
        self.parties[me].up = true;
        let does = self.parties[me].settle(me, Vec::new());
        for peer in others(me) {
            if self.parties[peer].up {
                self.queue.push_back((me, Gets::Link(peer)));
            }
        }
        let mut words = vec![format!("Records that {} does again: {again}.", NAMES[me])];
        // What it was told to be on disk the client has forgotten (rule 5), and it asks for what it has no answer to.
        let is_lost = self.parties[me].count(again, Taken::Command) == 0;
        if is_lost && self.accepted[me] && !self.answered[me] {
            self.accepted[me] = false;
            self.operation.ask_anew(me);
            let shares = if me == 2 { "" } else { ", with other shares" };
            let name = NAMES[me];
            words.push(format!("The client has forgotten its command to {name}, and asks anew{shares}."));
        }
        words.extend(self.carry_out(me, &does));
        if is_lost && !self.accepted[me] {
            self.queue.push_back((me, Gets::Command));
        }
        let cells = self.end(&format!("The power is back: {} starts again from its disk", NAMES[me]), &words);
        for place in 1..=again {
            cells.set(format!("{}.record{place}.state", NAMES[me]), "done again", PUBLIC);
        }
    }

    /// What happens next; whether anything did.
    fn step(&mut self) -> bool {
        let Some((me, gets)) = self.queue.pop_front() else {
            let next = self.down.pop_front();
            if let Some(me) = next {
                self.restart(me);
            }
            return next.is_some();
        };
        let name = NAMES[me];
        let (line, mut words) = if let Gets::Link(peer) = gets {
            let durable = |world: &Self, of: usize, who: usize| {
                let party = &world.parties[of];
                party.count(party.on_disk, Taken::Frame(who))
            };
            let (mine, theirs) = (durable(self, me, peer), durable(self, peer, me));
            let ends = [(me, peer, theirs), (peer, me, mine)];
            let doubt = |(who, whom, has): (usize, usize, usize)| {
                self.parties[who].doubts(whom, has).map(|doubt| (who, whom, doubt))
            };
            if let Some((who, whom, doubt)) = ends.into_iter().find_map(doubt) {
                self.is_over = true;
                let (who, whom) = (NAMES[who], NAMES[whom]);
                let why = match doubt {
                    Doubt::Peer => format!("{whom} has not what it said to be on its disk"),
                    Doubt::Itself => format!("{whom} has what {who} does not know to have said"),
                };
                let does = format!("{who} refuses the link: {why}.");
                self.end(&format!("{who} finds out that a disk has forgotten"), &[does]);
                return true;
            }
            let does = self.parties[me].link(me, peer, theirs);
            let mut words = self.carry_out(me, &does);
            let does = self.parties[peer].link(peer, me, mine);
            words.extend(self.carry_out(peer, &does));
            (format!("The link between {name} and {} is up again", NAMES[peer]), words)
        } else {
            let does = self.parties[me].get(me, gets);
            let line = match gets {
                Gets::Command => format!("{name} gets the client’s command"),
                Gets::Frame(from, which) => {
                    format!("{name} gets “{}” of {}", self.named(from, me, which + 1), NAMES[from])
                }
                Gets::Has(from, number) => {
                    format!(
                        "{name} hears that “{}” is on {}’s disk",
                        self.named(me, from, number),
                        NAMES[from]
                    )
                }
                Gets::Sync if self.disks_lie => format!("{name}’s disk says that it has what was appended"),
                Gets::Sync => format!("{name}’s disk has what was appended"),
                Gets::Fetched => format!("{name} hears that the client has its answer"),
                Gets::Link(_) => unreachable!("seen to above"),
            };
            (line, self.carry_out(me, &does))
        };
        if words.is_empty() {
            words.push("Nothing follows from it now.".to_owned());
        }
        if self.two_ways() > 0 {
            self.is_over = true;
            words.push("One item hides two different shares now. Here the run is stopped.".to_owned());
        }
        self.end(&line, &words);
        true
    }
}

pub(crate) fn steps(form: &Value) -> Vec<Views> {
    let mut random = Random(number(form, "seed"));
    let memory: Vec<u64> = (0..N).map(|_| random.below(100)).collect();
    let masks = random.words(N + 2);
    let is_read = text(form, "operation") == "read";
    let value = (!is_read).then(|| number(form, "value"));
    let address = number(form, "address");
    let operation = Operation::new(memory.clone(), masks, address, value, &mut random);
    let place = usize::try_from(address).expect("below 4");

    let mut fixed = Cells::default();
    fixed.set_all("Reader.before", &memory, PUBLIC);
    fixed.set("Reader.i*", address, PUBLIC);
    if let Some(value) = value {
        fixed.set("Reader.M", value, PUBLIC);
    }
    let party = |me| Party { script: script(is_read, me), up: true, linked: [true; 3], ..Party::default() };
    let mut world = World {
        operation,
        disks_lie: text(form, "disks") == "cache",
        is_over: false,
        parties: [party(0), party(1), party(2)],
        queue: [0, 1, 2].map(|me| (me, Gets::Command)).into(),
        down: VecDeque::new(),
        accepted: [false; 3],
        answered: [false; 3],
        told: Vec::new(),
        said: Vec::new(),
        answers: Default::default(),
        fixed,
        steps: Vec::new(),
    };
    let pulls: Vec<(usize, usize)> = text(form, "pulls")
        .split_whitespace()
        .map(|pull| {
            let (who, after) = pull.split_once('@').expect("P0@5");
            (NAMES.iter().position(|name| *name == who).expect("a party"), after.parse().expect("a step"))
        })
        .collect();
    let told: Vec<String> =
        pulls.iter().map(|(who, after)| format!("{}’s after step {after}", NAMES[*who])).collect();
    world.fixed.set("pulls", if told.is_empty() { "none".to_owned() } else { told.join(", ") }, PUBLIC);
    world.end("Before", &[]);
    while !world.is_over {
        if let Some((me, _)) = pulls.iter().find(|(_, after)| *after == world.steps.len()) {
            world.fail(*me);
        } else if !world.step() {
            break;
        }
    }
    let knows = |party: &Party| party.count(party.on_disk, Taken::Command);
    let [knows_0, knows_1, knows_2] = world.parties.each_ref().map(knows);
    if world.is_over {
        // Its last step says why.
    } else if world.answered.contains(&false) || knows_0 != knows_1 || knows_1 != knows_2 {
        world.end("Nothing happens any more", &[]);
    } else {
        let expected = memory[place];
        let mut ideal = memory.clone();
        ideal[place] += value.unwrap_or(0);
        // If all have lost it, it is as if it had not been.
        let after = if knows_0 == 0 { memory } else { world.operation.changed() };
        let result = world.operation.result();
        let is_equal = after == ideal && (!is_read || result == expected);
        let cells = world.end("After", &[]);
        cells.set_all("Reader.after", &after, PUBLIC);
        cells.set_all("Reader.ideal", &ideal, PUBLIC);
        if is_read {
            cells.set("Reader.result", result, PUBLIC);
            cells.set("Reader.D[i*]", expected, PUBLIC);
        }
        cells.set("Reader.equal", if is_equal { "yes" } else { "no" }, PUBLIC);
    }
    let count = world.steps.len();
    let numbered = world.steps.into_iter().zip(1..).map(|(mut cells, step)| {
        cells.set("step.number", format!("{step} of {count}"), PUBLIC);
        cells.views()
    });
    numbered.collect()
}
