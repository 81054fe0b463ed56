//! Whatever step the power fails after, at whichever party: what is said again has the same bytes, and the memory is right.

use std::collections::BTreeMap;

use super::run::Run;
use super::*;

fn asked(value: Option<u64>, pulls: &[(Role, usize)]) -> Asked {
    let pulls = pulls.iter().map(|&(role, after)| Pull { role, after }).collect();
    Asked { address: 2, value, seed: 5, disks: Disks::Keep, pulls }
}

/// With disks that lie.
fn asked_of_liars(value: Option<u64>, pulls: &[(Role, usize)]) -> Asked {
    Asked { disks: Disks::Cache, ..asked(value, pulls) }
}

/// Every message's fingerprint, by who says it to whom, and its name.
type Prints = BTreeMap<(String, String, &'static str), String>;

/// A run, and all that was said.
fn ended(asked: &Asked) -> Option<(Shown, Prints)> {
    let shown = run::run(asked).unwrap()?;
    let last = shown.steps.last().unwrap();
    assert_eq!((last.end.as_ref().unwrap().equal, last.two_ways), ("yes", 0));
    assert!(shown.steps.iter().all(|step| step.broken == 0 && step.two_ways == 0) && last.told > 3);
    // One item is used, by all, whatever happened.
    let left = if asked.value.is_none() { [N, 1] } else { [N + 1, 0] };
    assert!(last.parties.iter().all(|party| party.left == Some(left)));
    assert_eq!(last.end.as_ref().unwrap().memory.len(), N);
    assert!(last.parties.iter().all(|party| party.up && party.answer != "none yet"));
    let key = |message: &Message| (message.from.clone(), message.to[0].clone(), message.what);
    let said = last.messages.iter().map(|message| (key(message), message.value.clone())).collect();
    Some((shown, said))
}

/// All places for one crash.
fn places(value: Option<u64>) -> impl Iterator<Item = (Role, usize)> {
    let (calm, _) = ended(&asked(value, &[])).unwrap();
    let last = calm.steps.len() - 1;
    assert!(last > 20);
    Role::ALL.into_iter().flat_map(move |role| (0..last).map(move |at| (role, at)))
}

#[test]
fn a_crash_after_any_step_changes_no_byte_and_no_result() {
    for value in [None, Some(7)] {
        let (calm, said) = ended(&asked(value, &[])).unwrap();
        for place in places(value) {
            let (crashed, with_crash) = ended(&asked(value, &[place])).unwrap();
            assert_eq!(with_crash, said, "{place:?}");
            // Up to there nobody knows what will happen.
            for (calm, crashed) in calm.steps.iter().zip(&crashed.steps).take(place.1 + 1) {
                assert_eq!((&calm.line, &calm.does), (&crashed.line, &crashed.does));
            }
            assert_eq!(crashed.steps[place.1 + 1].line, format!("The power fails at {}", place.0));
        }
    }
}

/// The second may be another party's, or the same one's; it falls into the recovery from the first as often as behind it.
#[test]
fn two_crashes_change_no_byte_and_no_result() {
    let (_, said) = ended(&asked(Some(7), &[])).unwrap();
    let (mut runs, mut refused) = (0, 0);
    let all: Vec<_> = places(Some(7)).collect();
    for (first, second) in all.iter().step_by(5).zip(all.iter().skip(1).cycle().step_by(7)) {
        for after in 1..9 {
            match ended(&asked(Some(7), &[*first, (second.0, first.1 + after)])) {
                Some((_, with_crashes)) => assert_eq!(with_crashes, said, "{first:?}, {second:?}"),
                // It has no power then.
                None => refused += 1,
            }
            runs += 1;
        }
    }
    assert!(runs > 100 && refused < runs / 2, "{refused} of {runs} refused");
}

#[test]
fn a_crash_loses_what_is_not_on_disk_and_nothing_else() {
    let (calm, _) = ended(&asked(None, &[])).unwrap();
    let mut losses = 0;
    for (role, at) in places(None) {
        let (crashed, _) = ended(&asked(None, &[(role, at)])).unwrap();
        let of = |step: &Step, state: Standing| -> Vec<String> {
            let records = step.parties[role.index()].records.iter().filter(|record| record.state == state);
            records.map(|record| record.what.clone()).collect()
        };
        let (before, after) = (&calm.steps[at], &crashed.steps[at + 1]);
        assert_eq!(of(before, Standing::Disk), of(after, Standing::Disk), "{role} after {at}");
        assert_eq!(of(before, Standing::Waiting), of(after, Standing::Lost), "{role} after {at}");
        losses += of(after, Standing::Lost).len();
        let again = crashed.steps.iter().position(|step| step.line.contains("starts again")).unwrap();
        assert!(crashed.steps[at + 1..again].iter().all(|step| !step.parties[role.index()].up));
        assert_eq!(
            of(&crashed.steps[again], Standing::Again),
            of(after, Standing::Disk),
            "{role} after {at}"
        );
    }
    assert!(losses > 0, "at no step is anything lost");
}

/// The last step of a run with disks that lie.
fn end_of_lies(value: Option<u64>, pulls: &[(Role, usize)]) -> Option<Step> {
    run::run(&asked_of_liars(value, pulls)).unwrap().map(|shown| shown.steps.into_iter().last().unwrap())
}

/// What is in a cache is as good as on a disk, as long as there is power.
#[test]
fn a_lie_of_a_disk_that_keeps_its_power_harms_nobody() {
    for value in [None, Some(7)] {
        let last = end_of_lies(value, &[]).unwrap();
        assert_eq!((last.broken, last.two_ways, last.end.unwrap().equal), (0, 0, "yes"));
        let states = last.parties.iter().flat_map(|party| &party.records).map(|record| record.state);
        assert!(states.clone().count() > 9 && states.into_iter().all(|state| state == Standing::Cached));
    }
}

/// P0 has spoken, and nobody has heard it. The client was told that it may forget its command: it has to ask anew, and the
/// item that hid the first share hides another one.
#[test]
fn an_item_that_is_used_twice_is_counted_and_so_is_what_is_lost() {
    for (value, what) in [(None, ["shift", "shift"]), (Some(7), ["update", "helper update"])] {
        let shown = run::run(&asked_of_liars(value, &[(Role::P0, 4)])).unwrap().unwrap();
        let (fails, last) = (&shown.steps[5], shown.steps.last().unwrap());
        assert_eq!((fails.line.as_str(), fails.told, fails.broken), ("The power fails at P0", 1, 1));
        assert_eq!((last.broken, last.two_ways), (0, 2), "the new command is in the cache");
        assert!(last.end.is_none() && last.does.last().unwrap().contains("hides two different shares"));
        let twice = last.messages.iter().filter(|message| message.value.contains(" and "));
        assert!(twice.clone().all(|message| message.from == "P0"));
        assert_eq!(twice.map(|message| message.what).collect::<Vec<_>>(), what);
    }
}

/// Wherever one crash falls, no lie gives a wrong result that looks like a right one: it did no harm, or is found out, or an item is used
/// twice, or somebody waits for what nobody has. Each of them happens.
#[test]
fn a_lie_that_does_harm_is_seen() {
    let mut ends = BTreeMap::new();
    for value in [None, Some(7)] {
        for (role, at) in places(value) {
            let Some(last) = end_of_lies(value, &[(role, at)]) else { continue };
            let what = match &last.end {
                Some(end) => {
                    assert_eq!(end.equal, "yes", "{role} after {at}");
                    "no harm"
                }
                None if last.two_ways > 0 => "used twice",
                None if last.line.ends_with("finds out that a disk has forgotten") => "found out",
                None if last.line == "Nothing happens any more" => "stuck",
                None => panic!("{role} after {at}: {}", last.line),
            };
            *ends.entry(what).or_insert(0) += 1;
        }
    }
    println!("{ends:?}");
    assert_eq!(ends.len(), 4, "{ends:?}");
}

/// This is what records are for: with an empty journal a party does not know its command any more, and is found out.
#[test]
fn without_its_journal_a_party_is_not_the_one_that_crashed() {
    let mut run = Run::begun(&asked(Some(7), &[])).unwrap();
    while let Some(event) = run.hosts.step().unwrap() {
        run.happened(&event);
    }
    let event = run.hosts.fail(Role::P0).unwrap().unwrap();
    run.happened(&event);
    run.hosts.each[0].disk.clear();
    while !run.is_over {
        let event = run.hosts.step().unwrap().unwrap();
        run.happened(&event);
    }
    let last = run.steps.last().unwrap();
    assert_eq!(last.line, "P0 finds out that a disk has forgotten");
    assert!(last.broken > 0 && last.does[0].contains("does not know to have said"), "{:?}", last.does);
}

#[test]
fn pulls_are_refused_that_cannot_be() {
    let ask = |pulls: &str| {
        let form = serde_json::json!({ "operation": "read", "address": "1", "seed": "1", "disks": "keep", "pulls": pulls });
        show(&Inputs::parse(&form.to_string()).unwrap()).map(|shown| shown.steps.len())
    };
    assert!(ask("").is_ok() && ask("P0@1").is_ok() && ask(" P1@3  P2@9 ").is_ok());
    for bad in ["P0", "P3@1", "P0@0", "P0@x", "P0@-1", "P0@999", "P0@5 P1@5", "P0@5 P1@4", "P0@5 P0@6"] {
        let error = ask(bad).unwrap_err();
        assert_eq!(error.field, "pulls", "{bad}");
        assert!(error.message.ends_with(&format!("got \"{bad}\"")), "{}", error.message);
    }
}
