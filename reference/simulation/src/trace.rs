//! A crashed run as the model is shown it: the parties' journals, merged, with their crashes.
//!
//! A journal holds the inputs that a party has taken, each once. Doing them again shows what the party has done, and what it has said;
//! all of them together are a run of parties with disks, and `proofs/tla/validate` says whether it is one of the model's. The format is
//! that of `proofs/tla/trace`.
//!
//! Journals do not say what was first at different parties: any order will do in which whatever is taken was sent before. Here each
//! record is on the disk at once, a message leaves as soon as it may, and whoever crashes is back at once with what its disk had; what was
//! on its way to it or from it is then sent again. What a party had taken and has lost is in no journal, and acknowledgements are not told.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use duoram_reference::durable::{Durable, Limits};
use duoram_reference::{Batch, Command, Lane, Parameters, Role};
use serde_json::{Value, json};

use crate::protocol::Protocol;
use crate::watched::{Deed, Name, Watched};

/// The version of the format.
const VERSION: u32 = 3;

/// What a party has left.
#[derive(PartialEq, Eq, Default)]
pub struct Journal {
    /// The state that it began with, before its first record; none is that of a new party of the simulation.
    pub began: Option<Vec<u8>>,
    /// All its records since.
    pub records: Vec<Vec<u8>>,
    /// How many of them its disk had, each time that it crashed.
    pub crashes: Vec<usize>,
}

/// What the parties of a run are.
pub struct Parties {
    /// What they speak.
    pub protocol: Protocol,
    /// Those of their session.
    pub parameters: Parameters,
    /// What they keep at the most, for which steps wait.
    pub limits: Limits,
}

/// The trace of a run, from the journals of all parties, in the order of their roles. The plan is what a party without shares is told to do,
/// in order: loads of one piece, and no [`Command::Discard`].
///
/// # Panics
///
/// If a journal is not that of such a party, or somebody has taken what nobody has sent.
pub fn text(parties: &Parties, plan: &[Command], journals: &[Journal]) -> String {
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
    let due = roles.iter().zip(journals).map(|(role, journal)| parties.due(*role, journal)).collect();
    let mut merged = Merged { protocol, places, due, links: Links::default(), lines: Vec::new() };
    merged.lines.push(json!({
        "trace": VERSION,
        "protocol": protocol.name(),
        "speaks_after": "commands",
        "lanes": Lane::ALL.len(),
        "log_size": parameters.log_size(),
        "chunks": 1,
        "steps": steps,
    }));
    while let Some(role) = roles.iter().find(|role| merged.may_go_on(**role)) {
        merged.go_on(*role);
    }
    assert!(merged.due.iter().all(VecDeque::is_empty), "whatever was taken was sent");
    merged.lines.iter().map(|line| format!("{line}\n")).collect()
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

/// What comes next at a party.
enum Due {
    /// All that follows from a record.
    Record(Vec<Deed>),
    Crash,
}

impl Parties {
    /// What a party has done: it does its journal again.
    fn due(&self, role: Role, journal: &Journal) -> VecDeque<Due> {
        let log = Rc::new(RefCell::new(Vec::new()));
        // The seed is that of the simulation's programs; a state that is put back has its own.
        let party = self.protocol.party(role, self.parameters, [role.number() + 1; 32]);
        let watched = Watched::new(party, self.parameters.log_size(), Rc::default(), Rc::default());
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
        let crashes = |records| journal.crashes.iter().filter(move |crash| **crash == records);
        let mut due: VecDeque<Due> = crashes(0).map(|_| Due::Crash).collect();
        for (record, (begin, end)) in begins.iter().zip(ends).enumerate() {
            due.push_back(Due::Record(deeds.by_ref().take(end - begin).collect()));
            due.extend(crashes(record + 1).map(|_| Due::Crash));
        }
        due
    }
}

/// What all parties have done, in one order.
struct Merged {
    protocol: Protocol,
    places: [Vec<usize>; 2],
    /// By role.
    due: Vec<VecDeque<Due>>,
    links: Links,
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
    /// Whether what comes next at a party can be by now. A record has one message at the most, and that first.
    fn may_go_on(&self, role: Role) -> bool {
        match self.due[role.index()].front() {
            Some(Due::Record(deeds)) => deeds.first().is_none_or(|deed| {
                let Some(peer) = deed.peer.filter(|_| deed.event == "receive") else { return true };
                let link = &self.links[peer.index()][role.index()][deed.lane as usize];
                link.taken < link.lines.len()
            }),
            due => due.is_some(),
        }
    }

    fn go_on(&mut self, role: Role) {
        match self.due[role.index()].pop_front() {
            Some(Due::Record(deeds)) => self.take(role, deeds),
            Some(Due::Crash) => self.crash(role),
            None => {}
        }
    }

    /// A record: the inputs in it, with what they end; that they are on disk; and what is said then.
    fn take(&mut self, role: Role, deeds: Vec<Deed>) {
        let (said, done): (Vec<_>, Vec<_>) = deeds.into_iter().partition(|deed| deed.event == "send");
        let inputs = done.iter().filter(|deed| deed.event != "apply").count();
        for deed in done {
            if let (Some(peer), "receive") = (deed.peer, deed.event) {
                self.links[peer.index()][role.index()][deed.lane as usize].taken += 1;
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
