//! A crashed run as a trace without crashes: the parties' journals, merged.
//!
//! A journal holds the inputs that a party has taken, each once. Doing them again shows what it has done, and what it has said; the
//! all of them together are a run in which nobody crashed, and `proofs/tla/validate` says whether it is one of the model's. The
//! format is that of `proofs/tla/trace`. A trace counts all steps in one row, so that only programs that make nothing
//! while they use the memory can be told.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use duoram_reference::durable::Durable;
use duoram_reference::{Lane, Role};
use serde_json::{Value, json};

use crate::cluster::Outcome;
use crate::program::{Program, Step};
use crate::protocol::Protocol;
use crate::watched::{Deed, Name, Watched};

/// The version of the format.
const VERSION: u32 = 3;

/// The trace of a run, of a program without [`Step::Discard`] and with loads of one piece.
///
/// # Panics
///
/// If the journals are not those of a run that has come to its end.
pub(crate) fn text(program: &Program, outcome: &Outcome) -> String {
    let plan: Vec<Value> = program.steps.iter().flat_map(|step| planned(program.protocol, step)).collect();
    let mut lines = vec![json!({
        "trace": VERSION,
        "protocol": program.protocol.name(),
        "speaks_after": "nothing",
        "lanes": 1,
        "log_size": program.log_size,
        "chunks": 1,
        "steps": plan,
    })];
    // Of each lane, the places of its steps in the plan.
    let places = Lane::ALL.map(|lane| {
        let making = |step: &Value| ["connect", "preprocess"].contains(&step["step"].as_str().unwrap_or(""));
        let of_lane = |(_, step): &(usize, &Value)| making(step) == (lane == Lane::Making);
        plan.iter().enumerate().filter(of_lane).map(|(place, _)| place).collect::<Vec<_>>()
    });
    let roles = program.protocol.roles();
    let mut deeds: Vec<_> = roles.iter().map(|role| VecDeque::from(done(program, outcome, *role))).collect();
    // What has been sent and not taken.
    let mut sent = [[0_u64; 3]; 3];
    while let Some(role) = roles.iter().copied().find(|role| match deeds[role.index()].front() {
        Some(Deed { event: "receive", peer: Some(peer), .. }) => sent[peer.index()][role.index()] > 0,
        deed => deed.is_some(),
    }) {
        let Some(deed) = deeds[role.index()].pop_front() else { break };
        match (deed.event, deed.peer) {
            ("send", Some(peer)) => sent[role.index()][peer.index()] += 1,
            ("receive", Some(peer)) => sent[peer.index()][role.index()] -= 1,
            _ => {}
        }
        let (kind, round) = match deed.kind {
            Name::Step(name) => (name, 0),
            Name::Message(number) => {
                let kind = program.protocol.kind(number).expect("a kind of the protocol");
                (kind.name(), kind.place(deed.round))
            }
        };
        lines.push(json!({
            "party": role.to_string(),
            "event": deed.event,
            "peer": deed.peer.map(|peer| peer.to_string()),
            "kind": kind,
            "operation": places[deed.lane as usize][usize::try_from(deed.operation).expect("few steps")],
            "round": round,
            "items": deed.items,
            "size": deed.size,
        }));
    }
    assert!(deeds.iter().all(VecDeque::is_empty), "whatever was taken was sent");
    let mut text: Vec<String> = lines.iter().map(Value::to_string).collect();
    text.push(String::new());
    text.join("\n")
}

/// A step as the plan has it.
fn planned(protocol: Protocol, step: &Step) -> Vec<Value> {
    let read = |count: usize, after: bool| json!({"step": "read", "count": count, "after": after});
    let update = |count: usize, after: bool| json!({"step": "update", "count": count, "after": after});
    match step {
        Step::Connect => vec![json!({"step": "connect"})],
        Step::Load(..) => vec![json!({"step": "load"})],
        Step::Preprocess(batch) => {
            vec![json!({"step": "preprocess", "reads": batch.reads, "updates": batch.updates})]
        }
        Step::Read(addresses) => vec![read(addresses.len(), false)],
        Step::Follow => vec![read(1, true)],
        Step::Update(updates) => vec![update(updates.len(), false)],
        Step::Write(..) | Step::Swap(..) if protocol == Protocol::Paper => {
            vec![read(1, false), update(1, true)]
        }
        Step::Write(..) => vec![json!({"step": "write"})],
        Step::Swap(..) => vec![json!({"step": "swap"})],
        Step::Discard => Vec::new(),
    }
}

/// What a party has done, by its journal.
fn done(program: &Program, outcome: &Outcome, role: Role) -> Vec<Deed> {
    let log = Rc::new(RefCell::new(Vec::new()));
    let watched = Watched::new(program.party(role), program.log_size, Rc::default(), Rc::default());
    let records = (1..).zip(&outcome.journals[role.index()]).map(|(lsn, record)| (lsn, &record[..]));
    let replayed = Durable::restore(watched.logged(&log), outcome.limits, None, records);
    drop(replayed.expect("a journal that the party has written"));
    log.take()
}
