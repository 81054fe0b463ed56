//! Chapter 17: what P0 does in one READ and what a restart finds, where crashes fall, and what finds each planted fault.

use std::collections::BTreeMap;

use clap::ValueEnum;
use duoram_book_exercises::trio::{Event, Trio, kind};
use duoram_reference::durable::{Answer, Effect, Error as DurableError};
use duoram_reference::local::share;
use duoram_reference::{Batch, Command, Lane, Parameters, Role, SessionId, Word};
use duoram_simulation::Fault;
use duoram_simulation::cluster::{Crash, Plan};
use duoram_simulation::coverage::{Coverage, Place};
use duoram_simulation::medium::Tear;
use duoram_simulation::program::{Program, Step};
use duoram_simulation::protocol::Protocol;
use duoram_simulation::run;
use duoram_vectors::Random;

use crate::error::Error;
use crate::files::Page;
use crate::table::Table;

/// The tables of the chapter.
pub(crate) fn pages() -> Result<Vec<Page>, Error> {
    Ok(vec![
        Page::new("durable-read.md", one_read()?),
        Page::new("durable-places.md", places()),
        Page::new("durable-faults.md", faults()),
    ])
}

/// The memory has four words.
const LOG_SIZE: u32 = 2;

/// A frame's place: sender, receiver, lane, number; and its bytes.
type Said = BTreeMap<(Role, Role, Lane, u64), Vec<u8>>;

/// What was said; whatever is said again must be the same.
fn listen(said: &mut Said, events: &[Event]) {
    for Event { party, effects, .. } in events {
        for effect in effects {
            if let Effect::Send { peer, lane, number, frame } = effect {
                let first = said.entry((*party, *peer, *lane, *number)).or_insert_with(|| frame.to_vec());
                assert_eq!(
                    first,
                    &frame.to_vec(),
                    "{party} says frame {number} to {peer} again in other words"
                );
            }
        }
    }
}

/// The READ as a party is told it.
fn read(party: Role) -> Command {
    let [address_0, address_1] = share(3, 1000);
    let addresses = match party {
        Role::P0 => vec![address_0],
        Role::P1 => vec![address_1],
        Role::P2 => vec![],
    };
    Command::Read { count: 1, addresses: addresses.into() }
}

/// A primary's share of the result, if it is among these.
fn answered(events: &[Event], party: Role) -> Option<Word> {
    let effects = events.iter().filter(|event| event.party == party).flat_map(|event| &event.effects);
    effects.fold(None, |last, effect| match effect {
        Effect::Result { answer: Answer::Done(shares), .. } => shares.first().copied().or(last),
        _ => last,
    })
}

/// What P0 does with each input of one READ, and what it does if the power fails at all three right after it.
fn one_read() -> Result<String, DurableError> {
    let parameters = Parameters::new(SessionId(*b"chapter seventee"), LOG_SIZE).expect("a size of a memory");
    let mut trio = Trio::new(parameters)?;
    for party in Role::ALL {
        trio.command(party, Command::Connect);
        trio.command(party, Command::Preprocess(Batch { reads: 1, updates: 0 }));
    }
    let mut said = Said::new();
    listen(&mut said, &trio.finish()?);
    let number = trio.next_command(Role::P0);
    for party in Role::ALL {
        trio.command(party, read(party));
    }
    let mut table = Table::new(["P0 gets", "and does", "on disk", "power fails here: after the restart"]);
    let mut events = Vec::new();
    // What each restart has to do again, to be compared with what the run has said in the end.
    let mut restarts = Vec::new();
    while let Some(event) = trio.step()? {
        listen(&mut said, std::slice::from_ref(&event));
        if event.party == Role::P0 {
            let disks = trio.disks();
            let on_disk = disks[0].len();
            let (restarted, first) = Trio::restored(parameters, disks)?;
            let again = if restarted.next_command(Role::P0) == number {
                assert!(Role::ALL.iter().all(|party| said_by(&first, *party).is_empty()), "nothing was said");
                "nothing; the client repeats its command".to_owned()
            } else {
                said_again(&first)
            };
            table.row([&event.input, &described(&event.effects), &on_disk, &again]);
            restarts.push((restarted, first));
        }
        events.push(event);
    }
    let shares = [Role::P0, Role::P1].map(|party| answered(&events, party));
    let mut unanswered = 0;
    for (mut restarted, first) in restarts {
        for party in Role::ALL {
            if restarted.next_command(party) == number {
                restarted.command(party, read(party));
            }
        }
        let mut after = first;
        after.extend(restarted.finish()?);
        listen(&mut said, &after);
        for (party, share) in [Role::P0, Role::P1].into_iter().zip(shares) {
            let again = answered(&after, party);
            assert!(share.is_some() && (again.is_none() || again == share), "{party} answers as it did");
            unanswered += u32::from(party == Role::P0 && again.is_none());
        }
    }
    // Only if the disk has that the client has the answer.
    assert!(unanswered <= 1, "{unanswered} restarts without P0's answer");
    Ok(table.above(
        "Whatever is said after a restart has the bytes that it had before, and all of these runs come to the same end: \
         both are asserted where the table is made.",
    ))
}

/// What a party says, and what a primary answers.
fn said_by(events: &[Event], party: Role) -> Vec<String> {
    let of = |effect: &Effect| match effect {
        Effect::Send { peer, frame, .. } => Some(format!("`{}` to {peer}", kind(party, frame))),
        Effect::Result { .. } if party != Role::P2 => Some("the answer".to_owned()),
        _ => None,
    };
    let of_party = events.iter().filter(|event| event.party == party);
    of_party.flat_map(|event| &event.effects).filter_map(of).collect()
}

/// What all of them say.
fn said_again(events: &[Event]) -> String {
    let by = |party| {
        let said = said_by(events, party);
        (!said.is_empty()).then(|| format!("{party} says {}", said.join(", ")))
    };
    let all: Vec<String> = Role::ALL.into_iter().filter_map(by).collect();
    if all.is_empty() { "nothing: everybody has it".to_owned() } else { all.join("; ") }
}

/// What P0 does, in words.
fn described(effects: &[Effect]) -> String {
    let done = |effect: &Effect| match effect {
        Effect::Append { lsn, .. } => Some(format!("appends record {lsn}")),
        Effect::Send { peer, frame, .. } => Some(format!("says `{}` to {peer}", kind(Role::P0, frame))),
        Effect::Acknowledge { peer, number, .. } => Some(format!("tells {peer} that it has {number}")),
        Effect::Accepted(_) => Some("tells the client that it has the command".to_owned()),
        Effect::Result { .. } => Some("gives the answer".to_owned()),
        Effect::Snapshot { .. } | Effect::Refused { .. } => None,
    };
    let all: Vec<String> = effects.iter().filter_map(done).collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join("; ") }
}

/// In this run the parties make snapshots too.
const SEED: u64 = 3;

/// As nothing is wrong in it, with these crashes.
const fn plan(crashes: &[Crash]) -> Plan<'_> {
    Plan { seed: SEED, crashes, fault: None, one_by_one: false }
}

/// The program of the table above, with a crash of each party at each place, with each tear.
fn places() -> String {
    const STEPS: [&str; 4] = ["connect", "preprocess", "read", "-"];
    let steps = vec![Step::Connect, Step::Preprocess(Batch { reads: 1, updates: 0 }), Step::Read(vec![3])];
    let program = Program::new(Protocol::Paper, LOG_SIZE, steps, &mut Random(SEED));
    let calm = run::run(&program, &plan(&[])).expect("a run without a crash");
    let (mut coverage, mut runs) = (Coverage::default(), 0);
    for point in 0..calm.points {
        for tear in Tear::ALL {
            let crash = [(point, tear)];
            let crashed = run::run(&program, &plan(&crash));
            coverage.add(&crashed.unwrap_or_else(|failure| panic!("{point}, {tear:?}: {failure}")).coverage);
            runs += 1;
        }
    }
    assert!(coverage.steps().iter().all(|step| STEPS.contains(step)));
    let mut table = Table::new(["crashes", "connect", "preprocess", "read", "between steps"]);
    for place in Place::ALL {
        let [connect, preprocess, read, none] = STEPS.map(|step| coverage.at(place, step));
        assert!(connect + preprocess + read + none > 0, "no crash at {place:?}");
        table.row([&format!("{place:?}").to_lowercase(), &connect, &preprocess, &read, &none]);
    }
    table.above(format!(
        "{runs} runs, {} places with each of {} tears. None of them fails.",
        calm.points,
        Tear::ALL.len()
    ))
}

/// What the simulation says of each planted fault.
fn faults() -> String {
    let mut table = Table::new(["fault", "found after runs", "as"]);
    for fault in Fault::ALL {
        let found = (0..1000)
            .find_map(|seed| run::simulate(seed, Some(fault)).err().map(|failure| (seed + 1, failure)));
        let (runs, failure) = found.unwrap_or_else(|| panic!("{fault:?} is not found"));
        let name = fault.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        table.row([&format!("`{name}`"), &runs, &failure]);
    }
    table.to_string()
}
