//! Whatever step the power fails after, at whichever party: what is said again has the same bytes, and the memory is right.

use std::collections::BTreeMap;

use duoram_reference::durable::Error;

use super::run::Run;
use super::*;

fn asked(value: Option<u64>, pulls: &[(Role, usize)]) -> Asked {
    let pulls = pulls.iter().map(|&(role, after)| Pull { role, after }).collect();
    Asked { address: 2, value, seed: 5, pulls }
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

/// A run until P0 has said its shift share, which nobody has yet; then its power fails, and its disk has nothing of what it said
/// that it had.
fn with_a_lying_disk() -> Run {
    let mut run = Run::begun(&asked(None, &[])).unwrap();
    while run.steps.last().unwrap().line != "P0’s disk has what was appended" {
        let event = run.hosts.step().unwrap().unwrap();
        run.happened(&event);
    }
    assert_eq!(run.steps.last().unwrap().broken, 0);
    run.hosts.each[0].disk.clear();
    let event = run.hosts.fail(Role::P0).unwrap().unwrap();
    run.happened(&event);
    run
}

/// All that happens until nothing does, or an error.
fn goes_on(run: &mut Run) -> Result<(), Error> {
    while let Some(event) = run.hosts.step()? {
        run.happened(&event);
    }
    Ok(())
}

#[test]
fn what_was_promised_and_is_on_no_disk_is_counted() {
    let run = with_a_lying_disk();
    let last = run.steps.last().unwrap();
    // It has told the client that its command may be forgotten.
    assert_eq!((last.told, last.broken), (1, 1));
}

/// The client, who has no answer, asks anew, with other shares: the item that hid the first share hides another one.
#[test]
fn an_item_that_is_used_twice_is_counted() {
    let mut run = with_a_lying_disk();
    let calm = run.steps.last().unwrap();
    assert_eq!((calm.two_ways, calm.parties[0].left), (0, None));
    run.hosts.ask_again(Role::P0, run::command(Role::P0, [9, 10], None));
    goes_on(&mut run).unwrap();
    let last = run.steps.last().unwrap();
    assert_eq!(last.two_ways, 2, "to P1 and to P2");
    let twice: Vec<_> = last.messages.iter().filter(|message| message.value.contains(" and ")).collect();
    assert!(twice.len() == 2 && twice.iter().all(|message| message.from == "P0" && message.what == "shift"));
}

/// This is what records are for: with an empty journal a party does not know its command any more, and is found out.
#[test]
fn without_its_journal_a_party_is_not_the_one_that_crashed() {
    let mut run = Run::begun(&asked(Some(7), &[])).unwrap();
    goes_on(&mut run).unwrap();
    run.hosts.fail(Role::P0).unwrap();
    run.hosts.each[0].disk.clear();
    let error = goes_on(&mut run).err();
    assert!(matches!(error, Some(Error::PeerForgot { .. } | Error::SelfForgot { .. })), "{error:?}");
}

#[test]
fn pulls_are_refused_that_cannot_be() {
    let ask = |pulls: &str| {
        let form = serde_json::json!({ "operation": "read", "address": "1", "seed": "1", "pulls": pulls });
        show(&Inputs::parse(&form.to_string()).unwrap()).map(|shown| shown.steps.len())
    };
    assert!(ask("").is_ok() && ask("P0@1").is_ok() && ask(" P1@3  P2@9 ").is_ok());
    for bad in ["P0", "P3@1", "P0@0", "P0@x", "P0@-1", "P0@999", "P0@5 P1@5", "P0@5 P1@4", "P0@5 P0@6"] {
        let error = ask(bad).unwrap_err();
        assert_eq!(error.field, "pulls", "{bad}");
        assert!(error.message.ends_with(&format!("got \"{bad}\"")), "{}", error.message);
    }
}
