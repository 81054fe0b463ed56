//! Tampering with a trace of a real session, on every place that there is.
//!
//! What a party does is fixed by what it did in the real session, so here the judge is that session: a line could have been
//! if it is the party's next one there and, if a message is taken, that message is the oldest on its link. The model in
//! TLA+ judges by the protocol alone; both must stop at the same line.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use clap::ValueEnum;
use duoram_conformance::trace::{self, Plan};
use duoram_reference::lean::{self, Lean};
use duoram_reference::{Paper, Parameters, Plain};
use duoram_runtime::budget::{Budget, DEFAULT_TREE_BYTES};
use duoram_runtime::client::Client;
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::operation::{Operation, demand};
use duoram_runtime::protocol::Runs;
use duoram_runtime::seed::Seeds;
use duoram_runtime::transport::Transport;
use duoram_trace::{
    Action, Error, Event, Party, SpeaksAfter, Tampering, Trace, Verdict, crashed, tamper, tla,
};
use tempfile::TempDir;

fn operations() -> [Operation; 4] {
    [
        Operation::Read { address: 1 },
        Operation::Update { address: 2, delta: vec![5] },
        Operation::Write { address: 3, value: vec![9] },
        Operation::Chase { address: 0, steps: 2 },
    ]
}

/// The trace of a session with every kind of operation, on a memory of four words, prepared in one batch.
fn session<P: Runs<C>, C: LocalComputation + Clone>(compute: &C) -> Trace {
    let seeds = Seeds::from_system().unwrap();
    let parameters = Parameters::new(seeds.session, 2).unwrap();
    let operations = operations();
    let demand = demand::<P>(&operations);
    let budget = Budget::new::<P, _>(compute, DEFAULT_TREE_BYTES, Extent::from(&parameters));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.ndjson");
    let mut trace = trace::Trace::create(&path, &Plan::new::<P>(parameters, &budget, &operations)).unwrap();
    let mut client =
        Client::<P, _>::start(parameters, &seeds, |_| compute.clone(), budget, Transport::Memory, &mut trace)
            .unwrap();
    client.load(&[1, 2, 3, 0]).unwrap();
    client.preprocess(demand, |_| ()).unwrap();
    for operation in operations {
        client.perform(operation).unwrap();
    }
    drop(client);
    trace.finish().unwrap();
    Trace::parse(&std::fs::read_to_string(&path).unwrap()).unwrap()
}

fn real() -> Trace {
    session::<Paper, _>(&Plain)
}

fn real_lean() -> Trace {
    session::<Lean, _>(&lean::Plain)
}

/// What the real session makes of a trace; `None` if it is whole.
fn judge(real: &Trace, trace: &Trace) -> Option<Verdict> {
    let mut due: [VecDeque<&Event>; 3] = Default::default();
    for event in &real.events {
        due[event.party.index()].push_back(event);
    }
    let mut links: [[VecDeque<&Event>; 3]; 3] = Default::default();
    for (at, event) in trace.events.iter().enumerate() {
        let party = event.party.index();
        let possible = due[party].pop_front() == Some(event)
            && match (event.event, event.peer.map(Party::index)) {
                (Action::Send, Some(peer)) => {
                    links[party][peer].push_back(event);
                    true
                }
                (Action::Receive, Some(peer)) => links[peer][party].pop_front().is_some_and(|sent| {
                    (&sent.kind, sent.operation, sent.round) == (&event.kind, event.operation, event.round)
                }),
                _ => true,
            };
        // In the plan, an item more or less shows at the first line of the step.
        let planned = (trace.plan == real.plan)
            || real.plan.steps.get(event.operation as usize)
                == trace.plan.steps.get(event.operation as usize);
        if !possible || !planned {
            return Some(Verdict::RejectedAt { line: Trace::line_of(at) });
        }
    }
    let lines = trace.events.len() + 1;
    (due.iter().any(|due| !due.is_empty())).then_some(Verdict::Incomplete { lines })
}

#[test]
fn a_real_trace_is_whole() {
    let real = real();
    assert_eq!(judge(&real, &real), None);
    assert_eq!(Trace::parse(&real.to_text().unwrap()).unwrap(), real);
    let module = tla::module(&real);
    assert_eq!(module.matches("\n  [party |-> ").count(), real.events.len());
    assert!(module.contains("\n  [op |-> \"preprocess\", reads |-> 4, updates |-> 2],\n"), "{module}");
    assert!(module.contains("\n  [op |-> \"update\", count |-> 1, after |-> TRUE],\n"), "{module}");
}

#[test]
fn a_real_lean_trace_is_whole() {
    let real = real_lean();
    assert_eq!(judge(&real, &real), None);
    assert_eq!(Trace::parse(&real.to_text().unwrap()).unwrap(), real);
    // P1 awaits nothing in a load, and is done with it like the others.
    let is_load = |event: &&Event| event.event == Action::Apply && event.kind == "load";
    assert_eq!(real.events.iter().filter(is_load).count(), 3);
    assert!(tla::module(&real).contains("[op |-> \"write\", count |-> 1, after |-> FALSE],\n"));
}

/// Each way of tampering, on so many places at the least.
fn every_tampering(real: &Trace, least: impl Fn(Tampering) -> usize) {
    for how in Tampering::value_variants().iter().filter(|how| !how.of_disks()) {
        let mut verdicts = BTreeSet::new();
        for seed in 0..200 {
            let (tampered, expected) = tamper(real, *how, seed).unwrap();
            assert_ne!(&tampered, real, "{how:?}");
            assert_eq!(judge(real, &tampered), Some(expected), "{how:?}, seed {seed}");
            // Deterministic, and a trace in form.
            assert_eq!(tamper(real, *how, seed).unwrap(), (tampered.clone(), expected));
            assert_eq!(Trace::parse(&tampered.to_text().unwrap()).unwrap(), tampered);
            verdicts.insert(expected.to_string());
        }
        assert!(verdicts.len() >= least(*how), "{how:?}: only at {verdicts:?}");
    }
}

#[test]
fn every_tampering_is_found_out_at_the_line_that_it_names() {
    every_tampering(&real(), |how| if how == Tampering::WrongPlan { 1 } else { 3 });
}

/// A memory of four words has trees of no level: one batch, and two messages of each kind of preprocessing.
#[test]
fn every_tampering_with_a_lean_trace_is_found_out() {
    every_tampering(&real_lean(), |how| match how {
        Tampering::WrongPlan => 1,
        Tampering::WrongPeer
        | Tampering::WrongRound
        | Tampering::ItemReused
        | Tampering::ItemSkipped
        | Tampering::ItemsDisagree => 2,
        _ => 3,
    });
}

#[test]
fn a_trace_without_a_place_is_refused() {
    let real = real();
    let empty = Trace { events: Vec::new(), ..real };
    for how in Tampering::value_variants() {
        let error = tamper(&empty, *how, 3).unwrap_err();
        assert!(matches!(error, Error::NoPlace { lines: 1, .. }), "{how:?}: {error}");
    }
}

/// The inputs that a party's disk has at the end: what was written, less what never was.
fn on_disk(trace: &Trace, party: Party) -> Vec<&Event> {
    let (mut written, mut waiting) = (Vec::new(), Vec::new());
    for event in trace.events.iter().filter(|event| event.party == party) {
        match event.event {
            Action::Begin | Action::Receive => waiting.push(event),
            Action::Write => written.extend(waiting.drain(..event.size as usize)),
            Action::Crash => waiting.clear(),
            _ => {}
        }
    }
    written
}

#[test]
fn what_is_left_of_a_crashed_run_is_the_run_without_crashes() {
    for (real, speaks_after, lanes) in
        [(real(), SpeaksAfter::Inputs, 1), (real_lean(), SpeaksAfter::Commands, 2)]
    {
        let mut crashes = [0; 3];
        for seed in 0..100 {
            let run = crashed(&real, speaks_after, lanes, 5, seed).unwrap();
            assert_eq!(crashed(&real, speaks_after, lanes, 5, seed).unwrap(), run);
            assert_eq!(Trace::parse(&run.to_text().unwrap()).unwrap(), run);
            for (party, crashes) in [Party::P0, Party::P1, Party::P2].into_iter().zip(&mut crashes) {
                let of = |trace: &Trace, event| {
                    let is = move |other: &&Event| other.party == party && other.event == event;
                    trace.events.iter().filter(is).cloned().collect::<Vec<_>>()
                };
                // Between the lanes there is no order.
                let mut disk = on_disk(&run, party);
                disk.sort_by_key(|input| input.operation);
                let (taken, begun): (Vec<_>, Vec<_>) =
                    disk.into_iter().cloned().partition(|input| input.event == Action::Receive);
                assert_eq!(taken, of(&real, Action::Receive), "seed {seed}");
                let steps: Vec<_> = begun.iter().map(|step| (step.operation, step.kind.as_str())).collect();
                let plan =
                    (0..).zip(real.plan.steps.iter().map(duoram_trace::Step::name)).collect::<Vec<_>>();
                assert_eq!(steps, plan, "seed {seed}");
                *crashes += of(&run, Action::Crash).len();
            }
        }
        assert!(crashes.iter().all(|&crashes| crashes > 50), "{crashes:?}");
    }
}

#[test]
fn crashed_runs_are_tampered_with_on_many_places() {
    for (real, speaks_after) in [(real(), SpeaksAfter::Commands), (real_lean(), SpeaksAfter::Inputs)] {
        let run = crashed(&real, speaks_after, 1, 5, 2).unwrap();
        for how in Tampering::value_variants().iter().filter(|how| how.of_disks()) {
            let mut verdicts = BTreeSet::new();
            for seed in 0..50 {
                let (tampered, verdict) = tamper(&run, *how, seed).unwrap();
                let line = tampered.events.iter().zip(&run.events).position(|(bad, good)| bad != good);
                assert_eq!(
                    line.map(|at| Verdict::RejectedAt { line: Trace::line_of(at) }),
                    Some(verdict),
                    "{how:?}"
                );
                assert_eq!(Trace::parse(&tampered.to_text().unwrap()).unwrap(), tampered);
                verdicts.insert(verdict.to_string());
            }
            assert!(!verdicts.is_empty(), "{how:?}");
            assert!(matches!(tamper(&real, *how, 0), Err(Error::NoPlace { .. })), "{how:?}");
        }
    }
}

#[test]
fn a_run_that_did_not_end_is_not_crashed() {
    let mut real = real();
    assert!(crashed(&real, SpeaksAfter::Nothing, 1, 5, 0).is_err());
    // One who waits for it for ever.
    let sent = real.events.iter().position(|event| event.event == Action::Send).unwrap();
    real.events.remove(sent);
    assert!(matches!(crashed(&real, SpeaksAfter::Inputs, 1, 5, 0), Err(Error::NoPlace { .. })));
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

fn file(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.ndjson");
    std::fs::write(&path, text).unwrap();
    (folder, path)
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn run(program: &str, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).output().unwrap()
}

#[test]
fn the_programs_write_what_the_library_makes() {
    let real = real();
    let (folder, path) = file(&real.to_text().unwrap());
    let (writer, tamperer) = (env!("CARGO_BIN_EXE_duoram-trace"), env!("CARGO_BIN_EXE_duoram-tamper"));
    let output = run(writer, &[&show(&path)]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), tla::module(&real).as_str()));
    let output = run(writer, &[&show(&path), "--out", &show(folder.path())]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), ""));
    let module = std::fs::read_to_string(folder.path().join("TraceData.tla")).unwrap();
    assert_eq!(module, tla::module(&real));

    let (tampered, expected) = tamper(&real, Tampering::DropSend, 4).unwrap();
    let output = run(tamperer, &["drop-send", &show(&path), "--seed", "4"]);
    assert_eq!(text(&output.stdout), tampered.to_text().unwrap());
    assert_eq!(text(&output.stderr), format!("drop-send: {expected}\n"));

    let (_folder, bad) = file("{\"trace\":1}\n");
    let missing = show(&folder.path().join("missing"));
    for (arguments, expected) in [
        (&[show(&bad)][..], "error: line 1: expected the run's plan, got missing field `protocol`"),
        (std::slice::from_ref(&missing), "missing: No such file"),
        (&[show(&path), "--out".to_owned(), missing.clone()], "TraceData.tla: No such file"),
    ] {
        let output = run(writer, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
}
