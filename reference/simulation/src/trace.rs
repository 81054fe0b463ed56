//! A crashed run as the model is shown it: the parties' journals, merged, with their crashes.
//!
//! A journal holds the inputs that a party has taken, each once. Doing them again shows what the party has done, and what it has said;
//! all of them together are a run of parties with disks, and `proofs/tla/validate` says whether it is one of the model's. The format is
//! that of `proofs/tla/trace`.
//!
//! Journals do not say what was first at different parties: any order will do in which whatever is taken was sent before. Here each
//! record is on the disk at once, a message leaves as soon as it may, and whoever crashes is back at once with what its disk had; what was
//! on its way to it or from it is then sent again. What a party had taken and has lost is in no journal, and acknowledgements are not told.
//!
//! A party that has lost a message takes it again, maybe after messages of the other lane that a peer could send only since it has what this party
//! had made of the lost one. So between two crashes the journal orders each lane, and what one lane has from the other (that the
//! party is connected, and items); where no party can go on otherwise, the lanes are told in another order than the journal has them.

use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use duoram_reference::durable::{Durable, Limits};
use duoram_reference::{Batch, Command, Lane, Lasting, Parameters, Role};
use serde_json::{Value, json};

use crate::protocol::Protocol;
use crate::watched::{Deed, Name, Watched};

/// The version of the format.
const VERSION: u32 = 3;

/// What a party has left.
#[derive(PartialEq, Eq, Default)]
pub struct Journal {
    /// The state that it began with, before its first record; none, if it was a new one.
    pub began: Option<Vec<u8>>,
    /// All its records since.
    pub records: Vec<Vec<u8>>,
    /// How many of them its disk had, each time that it crashed.
    pub crashes: Vec<usize>,
}

/// What the parties of a run are.
pub struct Parties<'a> {
    /// What they speak.
    pub protocol: Protocol,
    /// Those of their session.
    pub parameters: Parameters,
    /// What they keep at the most, for which steps wait.
    pub limits: Limits,
    /// A new party of each role, which does the journal again: with the local computation that has made it, as each stores its memory in
    /// a form of its own.
    pub party: &'a dyn Fn(Role) -> Box<dyn Lasting>,
}

/// The trace of a run, from the journals of all parties, in the order of their roles. The plan is what a party without shares is told to do,
/// in order: loads of one piece, and no [`Command::Discard`].
///
/// # Panics
///
/// If a journal is not that of such a party, or somebody has taken what nobody has sent.
pub fn text(parties: &Parties<'_>, plan: &[Command], journals: &[Journal]) -> String {
    let Parties { protocol, parameters, .. } = *parties;
    let mut steps = Vec::new();
    // Of each lane, the places of its steps in the plan.
    let mut places: [Vec<usize>; 2] = Default::default();
    for command in plan {
        let planned = planned(protocol, command);
        places[command.lanes()[0] as usize].extend((steps.len()..).take(planned.len()));
        steps.extend(planned);
    }
    let roles = protocol.roles();
    assert_eq!(roles.len(), journals.len(), "a journal of each party");
    let lives = roles.iter().zip(journals).map(|(role, journal)| parties.lives(*role, journal)).collect();
    let mut merged = Merged::new(protocol, places, lives);
    merged.lines.push(json!({
        "trace": VERSION,
        "protocol": protocol.name(),
        "speaks_after": "commands",
        "lanes": Lane::ALL.len(),
        "log_size": parameters.log_size(),
        "chunks": 1,
        "steps": steps,
    }));
    while roles.iter().any(|role| merged.go_on(*role)) {}
    assert!(roles.iter().all(|role| merged.is_done(*role)), "whatever was taken was sent");
    merged.lines.iter().fold(String::new(), |text, line| text + &line.to_string() + "\n")
}

/// A command as the plan has it: the steps that it is.
fn planned(protocol: Protocol, command: &Command) -> Vec<Value> {
    let read = |count: usize, after: bool| json!({"step": "read", "count": count, "after": after});
    let update = |count: usize, after: bool| json!({"step": "update", "count": count, "after": after});
    match command {
        Command::Connect => vec![json!({"step": "connect"})],
        Command::Load(_) => vec![json!({"step": "load"})],
        Command::Preprocess(Batch { reads, updates }) => {
            vec![json!({"step": "preprocess", "reads": reads, "updates": updates})]
        }
        Command::Read { count, .. } => vec![read(*count, false)],
        Command::Follow => vec![read(1, true)],
        Command::Update { count, .. } => vec![update(*count, false)],
        Command::Write(_) | Command::Swap(_) if protocol == Protocol::Paper => {
            vec![read(1, false), update(1, true)]
        }
        Command::Write(_) => vec![json!({"step": "write"})],
        Command::Swap(_) => vec![json!({"step": "swap"})],
        Command::Discard => Vec::new(),
    }
}

/// What one record makes a party do in one lane.
struct Part {
    /// The record, from 0.
    record: usize,
    deeds: Vec<Deed>,
}

/// What a party does from a start to the next crash, or to the end: by lane.
type Life = [VecDeque<Part>; 2];

impl Parties<'_> {
    /// What a party has done, life by life: it does its journal again.
    fn lives(&self, role: Role, journal: &Journal) -> VecDeque<Life> {
        let log = Rc::new(RefCell::new(Vec::new()));
        let watched =
            Watched::new((self.party)(role), self.parameters.log_size(), Rc::default(), Rc::default());
        let mut begins = Vec::new();
        let records = (1..).zip(&journal.records).map(|(lsn, record)| {
            begins.push(log.borrow().len());
            (lsn, &record[..])
        });
        let began = journal.began.as_deref().map(|state| (0, state));
        let replayed = Durable::restore(watched.logged(&log), self.limits, began, records);
        drop(replayed.unwrap_or_else(|error| panic!("the journal of {role}: {error}")));
        let mut deeds = log.take().into_iter();
        let ends = begins.iter().skip(1).copied().chain([usize::MAX]);
        let mut lives = vec![Life::default()];
        let crashes = |records| journal.crashes.iter().filter(|crash| **crash == records).count();
        lives.resize_with(lives.len() + crashes(0), Life::default);
        for (record, (begin, end)) in begins.iter().zip(ends).enumerate() {
            for deed in deeds.by_ref().take(end - begin) {
                let life = lives.last_mut().expect("one at least");
                let lane = &mut life[deed.lane as usize];
                match lane.back_mut() {
                    Some(part) if part.record == record => part.deeds.push(deed),
                    _ => lane.push_back(Part { record, deeds: vec![deed] }),
                }
            }
            lives.resize_with(lives.len() + crashes(record + 1), Life::default);
        }
        lives.into()
    }
}

/// What all parties have done, in one order.
struct Merged {
    protocol: Protocol,
    places: [Vec<usize>; 2],
    /// By role: the life that it is in, and those after it.
    lives: Vec<VecDeque<Life>>,
    links: Links,
    /// By role: the key's session is there, and the items that are made.
    connected: [bool; 3],
    made: [BTreeSet<u64>; 3],
    lines: Vec<Value>,
}

/// A link in one direction, of one lane: all that was sent on it, as it is told; and how much of it was taken.
#[derive(Default)]
struct Sent {
    lines: Vec<Value>,
    taken: usize,
}

/// By sender, receiver and lane.
type Links = [[[Sent; 2]; 3]; 3];

impl Merged {
    /// Nothing yet, of these lives.
    fn new(protocol: Protocol, places: [Vec<usize>; 2], lives: Vec<VecDeque<Life>>) -> Self {
        Self {
            protocol,
            places,
            lives,
            links: Links::default(),
            connected: [false; 3],
            made: Default::default(),
            lines: Vec::new(),
        }
    }

    /// Whether a party can do something by now in a lane: whatever it takes was sent, and it begins no step of the memory before it is
    /// connected and has the step's items.
    fn may_do(&self, role: Role, Part { deeds, .. }: &Part) -> bool {
        deeds.iter().all(|deed| match (deed.event, deed.peer, deed.lane) {
            ("receive", Some(peer), lane) => {
                let Sent { lines, taken } = &self.links[peer.index()][role.index()][lane as usize];
                *taken < lines.len()
            }
            ("begin", _, Lane::Memory) => {
                let has = |item| self.made[role.index()].contains(item);
                self.connected[role.index()] && deed.items.iter().all(has)
            }
            _ => true,
        })
    }

    /// A party does what comes next in its journal, or in the other lane if it cannot do that yet; or crashes, if it has done all
    /// that its disk had. Whether there was anything to do.
    fn go_on(&mut self, role: Role) -> bool {
        let Some(life) = self.lives[role.index()].front() else { return false };
        let mut parts: Vec<(Lane, &Part)> =
            Lane::ALL.into_iter().filter_map(|lane| Some((lane, life[lane as usize].front()?))).collect();
        parts.sort_by_key(|(_, part)| part.record);
        let next = parts.iter().find(|(_, part)| self.may_do(role, part)).map(|(lane, _)| *lane);
        let (is_over, lives) = (parts.is_empty(), &mut self.lives[role.index()]);
        if let Some(lane) = next {
            if let Some(part) = lives.front_mut().and_then(|life| life[lane as usize].pop_front()) {
                self.take(role, part.deeds);
            }
        } else if is_over && lives.len() > 1 {
            lives.pop_front();
            self.crash(role);
        } else {
            return false;
        }
        true
    }

    /// Whether a party has done all that is in its journal.
    fn is_done(&self, role: Role) -> bool {
        let lives = &self.lives[role.index()];
        lives.len() == 1 && lives.iter().flatten().all(VecDeque::is_empty)
    }

    /// What a record says in a lane: the inputs in it, with what they end; that they are on disk; and what is said then.
    fn take(&mut self, role: Role, deeds: Vec<Deed>) {
        let (said, done): (Vec<_>, Vec<_>) = deeds.into_iter().partition(|deed| deed.event == "send");
        let inputs = done.iter().filter(|deed| deed.event != "apply").count();
        for deed in done {
            match (deed.event, deed.peer, deed.lane) {
                ("receive", Some(peer), lane) => {
                    self.links[peer.index()][role.index()][lane as usize].taken += 1;
                }
                ("apply", _, Lane::Making) => {
                    self.connected[role.index()] = true;
                    self.made[role.index()].extend(&deed.items);
                }
                _ => {}
            }
            let line = self.line(role, &deed);
            self.lines.push(line);
        }
        if inputs > 0 {
            self.lines.push(of_disk(role, "write", "inputs", inputs));
        }
        for deed in said {
            let line = self.line(role, &deed);
            self.lines.push(line.clone());
            if let Some(peer) = deed.peer {
                self.links[role.index()][peer.index()][deed.lane as usize].lines.push(line);
            }
        }
    }

    fn crash(&mut self, role: Role) {
        self.lines.extend(["crash", "restart"].map(|event| of_disk(role, event, "party", 0)));
        for (from, to) in self.protocol.peers(role).flat_map(|peer| [(role, peer), (peer, role)]) {
            for Sent { lines, taken } in &self.links[from.index()][to.index()] {
                self.lines.extend_from_slice(&lines[*taken..]);
            }
        }
    }

    fn line(&self, role: Role, deed: &Deed) -> Value {
        let (kind, round) = match deed.kind {
            Name::Step(name) => (name, 0),
            Name::Message(number) => {
                let kind = self.protocol.kind(number).expect("a kind of the protocol");
                (kind.name(), kind.place(deed.round))
            }
        };
        json!({
            "party": role.to_string(),
            "event": deed.event,
            "peer": deed.peer.map(|peer| peer.to_string()),
            "kind": kind,
            "operation": self.places[deed.lane as usize][usize::try_from(deed.operation).expect("few steps")],
            "round": round,
            "items": deed.items,
            "size": deed.size,
        })
    }
}

/// A line about a party and its disk.
fn of_disk(role: Role, event: &str, kind: &str, size: usize) -> Value {
    json!({
        "party": role.to_string(),
        "event": event,
        "peer": null,
        "kind": kind,
        "operation": 0,
        "round": 0,
        "items": [],
        "size": size,
    })
}

#[cfg(test)]
mod tests {
    use Lane::{Making, Memory};
    use Role::{P0, P1};

    use super::*;

    fn deed(event: &'static str, peer: Option<Role>, lane: Lane, items: &[u64]) -> Deed {
        Deed {
            event,
            peer,
            kind: Name::Step("x"),
            lane,
            operation: 0,
            round: 0,
            items: items.to_vec(),
            size: 0,
        }
    }

    fn takes(from: Role, lane: Lane) -> Deed {
        deed("receive", Some(from), lane, &[])
    }

    fn says(to: Role, lane: Lane) -> Deed {
        deed("send", Some(to), lane, &[])
    }

    /// What is told of two parties, of each of which a record is deeds of one lane; and whether that is all of it.
    fn told(journals: [Vec<Vec<Deed>>; 2]) -> (Vec<String>, bool) {
        let life = |records: Vec<Vec<Deed>>| {
            let mut life = Life::default();
            for (record, deeds) in records.into_iter().enumerate() {
                life[deeds[0].lane as usize].push_back(Part { record, deeds });
            }
            VecDeque::from([life])
        };
        let lives = journals.into_iter().map(life).collect();
        let mut merged = Merged::new(Protocol::TwoParty, [vec![0], vec![1]], lives);
        while [P0, P1].iter().any(|role| merged.go_on(*role)) {}
        // Each lane has one step, whose place is the lane's number.
        let told = merged.lines.iter().filter(|line| line["event"] != "write").map(|line| {
            let lane = Lane::ALL.into_iter().find(|lane| line["operation"] == *lane as usize).unwrap();
            format!("{} {} {lane:?}", line["party"].as_str().unwrap(), line["event"].as_str().unwrap())
        });
        (told.collect(), [P0, P1].iter().all(|role| merged.is_done(*role)))
    }

    #[test]
    fn the_journal_orders_what_can_be_told_in_its_order() {
        let (told_then, all) = told([vec![vec![says(P1, Memory)], vec![says(P1, Making)]], vec![]]);
        assert_eq!(told_then, ["P0 send Memory", "P0 send Making"]);
        assert!(all);
        let (told_then, all) = told([vec![vec![says(P1, Making)], vec![says(P1, Memory)]], vec![]]);
        assert_eq!(told_then, ["P0 send Making", "P0 send Memory"]);
        assert!(all);
    }

    /// P0 had taken a message of the making and lost that it had; P1 has its answer, and could send in the other lane since. P0's journal has
    /// first what P1 has sent since, then the lost message and the answer.
    #[test]
    fn lanes_that_wait_for_one_another_are_told_in_an_order_in_which_they_do_not() {
        let p0 = vec![vec![takes(P1, Memory)], vec![takes(P1, Making), says(P1, Making)]];
        let p1 = vec![vec![says(P0, Making)], vec![takes(P0, Making)], vec![says(P0, Memory)]];
        let (told, all) = told([p0, p1]);
        assert_eq!(
            told,
            [
                "P1 send Making",
                "P0 receive Making",
                "P0 send Making",
                "P1 receive Making",
                "P1 send Memory",
                "P0 receive Memory"
            ]
        );
        assert!(all);
    }

    #[test]
    fn a_step_of_the_memory_is_told_after_the_connection_and_its_items() {
        let making = |items: &[u64]| vec![deed("apply", None, Making, items)];
        let begin = || vec![deed("begin", None, Memory, &[7])];
        let (told_then, all) = told([vec![begin(), making(&[]), making(&[7])], vec![]]);
        assert_eq!(told_then, ["P0 apply Making", "P0 apply Making", "P0 begin Memory"]);
        assert!(all);
        assert!(!told([vec![begin(), making(&[])], vec![]]).1, "without its item");
    }

    /// Within a lane nothing changes places: each of two parties that takes before it says waits for ever, and that is no run.
    #[test]
    fn within_a_lane_the_order_stays() {
        let waiting = |peer| vec![vec![takes(peer, Memory)], vec![says(peer, Memory)]];
        let (told, all) = told([waiting(P1), waiting(P0)]);
        assert!(told.is_empty());
        assert!(!all);
    }
}
