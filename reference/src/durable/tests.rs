//! The rules of `proofs/tla/README.md` in words of their own, over a toy party; the real ones are in `reference/simulation`.

use zeroize::Zeroizing;

use super::toy::{Toy, frame};
use super::*;
use crate::engine::{Batch, Command, Lane, Lasting, Party};
use crate::wire::Role;

const LIMITS: Limits =
    Limits { journal: 1 << 20, items: 64, unacknowledged: 1 << 20, ahead: 1 << 20, commands: 64 };

type Bytes = Zeroizing<Vec<u8>>;

/// P0, whose peers both have a link to it.
fn p0() -> Durable<Toy> {
    with(LIMITS)
}

fn with(limits: Limits) -> Durable<Toy> {
    let mut durable = Durable::new(Toy::new(Role::P0), limits).unwrap();
    link(&mut durable);
    durable
}

fn link(durable: &mut Durable<Toy>) {
    for peer in [Role::P1, Role::P2] {
        assert_eq!(durable.link_up(peer, [0, 0]).map(|_| ()), Ok(()));
    }
}

fn preprocess(reads: usize) -> Command {
    Command::Preprocess(Batch { reads, updates: 0 })
}

fn read(address: u64) -> Command {
    Command::Read { count: 1, addresses: Zeroizing::new(vec![address]) }
}

fn update() -> Command {
    Command::Update { count: 1, pairs: Zeroizing::new(vec![1, 2]) }
}

/// What a peer says in a step: a word that depends on who and where.
fn said(peer: Role, lane: Lane, operation: u64) -> Bytes {
    frame(lane, operation, 1000 * operation + 10 * lane as u64 + u64::from(peer.number()))
}

/// Both peers' frames of a step, which are their frames of that number.
fn hear(durable: &mut Durable<Toy>, lane: Lane, operation: u64) -> Vec<Effect> {
    let frame = |peer| durable.frame(peer, lane, operation, said(peer, lane, operation)).unwrap();
    [Role::P1, Role::P2].map(frame).concat()
}

fn sends(effects: &[Effect]) -> Vec<(Role, Lane, u64)> {
    let of = |effect: &Effect| match effect {
        Effect::Send { peer, lane, number, .. } => Some((*peer, *lane, *number)),
        _ => None,
    };
    effects.iter().filter_map(of).collect()
}

fn appended(effects: &[Effect]) -> Vec<u64> {
    let of = |effect: &Effect| match effect {
        Effect::Append { lsn, .. } => Some(*lsn),
        _ => None,
    };
    effects.iter().filter_map(of).collect()
}

/// Connected, with items for so many steps, all of it on disk and acknowledged. Three records and two acknowledgements a step.
fn prepared(mut durable: Durable<Toy>, reads: usize) -> Durable<Toy> {
    for (number, command) in [Command::Connect, preprocess(reads)].into_iter().enumerate() {
        durable.command(number as u64, command).unwrap();
        hear(&mut durable, Lane::Making, number as u64);
        write_all(&mut durable);
        for peer in [Role::P1, Role::P2] {
            durable.acknowledged(peer, Lane::Making, number as u64 + 1).unwrap();
        }
        durable.fetched(number as u64).unwrap();
    }
    write_all(&mut durable);
    durable
}

/// The disk has all that was appended, record by record.
fn write_all(durable: &mut Durable<Toy>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for lsn in 1.. {
        match durable.written(lsn) {
            Ok(more) => effects.extend(more),
            Err(_) => break,
        }
    }
    effects
}

/// Rule 1': "only commands must be on disk before the party speaks".
#[test]
fn rule_1_nothing_is_said_before_the_command_is_on_disk() {
    let mut durable = p0();
    let effects = durable.command(0, Command::Connect).unwrap();
    assert_eq!((appended(&effects), sends(&effects)), (vec![1], vec![]));
    let effects = durable.written(1).unwrap();
    assert_eq!(sends(&effects), [(Role::P1, Lane::Making, 0), (Role::P2, Lane::Making, 0)]);
    // Peers' frames are not waited for: what follows from them may leave.
    durable.command(1, preprocess(1)).unwrap();
    durable.written(2).unwrap();
    let effects = hear(&mut durable, Lane::Making, 0);
    assert_eq!(appended(&effects), [3, 4]);
    assert_eq!(sends(&effects), [(Role::P1, Lane::Making, 1), (Role::P2, Lane::Making, 1)]);
}

/// "A result is what a party says to its client": it waits as frames do.
#[test]
fn rule_1_no_result_is_given_before_the_commands_are_on_disk() {
    let mut durable = prepared(p0(), 1);
    durable.command(2, read(5)).unwrap();
    let effects = hear(&mut durable, Lane::Memory, 0);
    let result = |effects: &[Effect]| effects.iter().any(|effect| matches!(effect, Effect::Result { .. }));
    assert!(!result(&effects));
    assert!(result(&write_all(&mut durable)));
}

/// Rule 3: "acknowledge what is on disk, not what has arrived".
#[test]
fn rule_3_frames_are_acknowledged_when_they_are_on_disk() {
    let mut durable = p0();
    durable.command(0, Command::Connect).unwrap();
    let effects = hear(&mut durable, Lane::Making, 0);
    let acknowledged = |effects: &[Effect]| {
        effects.iter().filter(|effect| matches!(effect, Effect::Acknowledge { number: 1, .. })).count()
    };
    assert_eq!((appended(&effects), acknowledged(&effects)), (vec![2, 3], 0));
    assert_eq!(durable.hello(Role::P1), Ok([0, 0]));
    assert_eq!(acknowledged(&durable.written(2).unwrap()), 1);
    assert_eq!((durable.hello(Role::P1), durable.hello(Role::P2)), (Ok([0, 1]), Ok([0, 0])));
    assert_eq!(acknowledged(&durable.written(3).unwrap()), 1);
}

/// Rule 4: "keep what is not acknowledged, and send it again, in order and with its number".
#[test]
fn rule_4_what_is_not_acknowledged_is_sent_again() {
    let mut durable = p0();
    durable.command(0, Command::Connect).unwrap();
    durable.command(1, preprocess(1)).unwrap();
    hear(&mut durable, Lane::Making, 0);
    write_all(&mut durable);
    durable.link_down(Role::P1).unwrap();
    let again = durable.link_up(Role::P1, [0, 0]).unwrap();
    assert_eq!(sends(&again), [(Role::P1, Lane::Making, 0), (Role::P1, Lane::Making, 1)]);
    durable.acknowledged(Role::P1, Lane::Making, 1).unwrap();
    durable.link_down(Role::P1).unwrap();
    assert_eq!(sends(&durable.link_up(Role::P1, [0, 1]).unwrap()), [(Role::P1, Lane::Making, 1)]);
    // "The receiver drops what it has."
    assert_eq!(hear(&mut durable, Lane::Making, 0), []);
}

/// Rule 5: "the client keeps its shares until they are acknowledged, and repeats the same".
#[test]
fn rule_5_a_command_is_accepted_when_it_is_on_disk_and_done_once() {
    let mut durable = p0();
    assert!(!durable.command(0, Command::Connect).unwrap().contains(&Effect::Accepted(0)));
    assert_eq!(durable.command(0, Command::Connect), Ok(vec![]), "heard, not yet on disk");
    assert!(durable.written(1).unwrap().contains(&Effect::Accepted(0)));
    assert_eq!(durable.command(0, Command::Connect), Ok(vec![Effect::Accepted(0)]));
    let gap = Error::CommandGap { expected: 1, got: 2 };
    assert_eq!(durable.command(2, read(1)), Err(gap));
    hear(&mut durable, Lane::Making, 0);
    let answered = Effect::Result { number: 0, answer: Answer::Done(Zeroizing::new(vec![])) };
    assert_eq!(durable.command(0, Command::Connect), Ok(vec![Effect::Accepted(0), answered]));
    assert_eq!(durable.fetched(1), Err(Error::NotAnswered { number: 1 }));
    durable.fetched(0).unwrap();
    assert_eq!(durable.fetched(0), Ok(vec![]));
    assert_eq!(
        durable.command(0, Command::Connect),
        Ok(vec![Effect::Accepted(0)]),
        "fetched, and not done again"
    );
}

/// "Refused frames are no inputs": or a hostile peer could write a journal that no restart gets past.
#[test]
fn a_refused_frame_leaves_no_trace() {
    let mut durable = p0();
    durable.command(0, Command::Connect).unwrap();
    let bad = frame(Lane::Making, 7, 7);
    let effects = durable.frame(Role::P1, Lane::Making, 0, bad).unwrap();
    assert!(matches!(effects[..], [Effect::Refused { peer: Role::P1, lane: Lane::Making, number: 0, .. }]));
    assert_eq!(
        appended(&hear(&mut durable, Lane::Making, 0)).len(),
        2,
        "the right one is taken in its place"
    );
}

/// A frame that comes early waits, in memory only.
#[test]
fn a_frame_before_its_turn_is_no_input_yet() {
    let mut durable = p0();
    let second = durable.frame(Role::P2, Lane::Making, 0, said(Role::P2, Lane::Making, 0)).unwrap();
    assert_eq!(second, []);
    assert_eq!(durable.hello(Role::P2), Ok([0, 0]));
    durable.command(0, Command::Connect).unwrap();
    let first = durable.frame(Role::P1, Lane::Making, 0, said(Role::P1, Lane::Making, 0)).unwrap();
    assert_eq!(appended(&first), [2, 3]);
}

#[test]
fn what_comes_on_a_link_is_checked() {
    let mut durable = p0();
    assert_eq!(durable.link_up(Role::P1, [0, 0]), Err(Error::LinkUp { peer: Role::P1 }));
    assert_eq!(durable.hello(Role::P0), Err(Error::NotAPeer { got: Role::P0 }));
    let wrong = Error::WrongLane { peer: Role::P1, expected: Lane::Memory, got: Some(Lane::Making) };
    assert_eq!(durable.frame(Role::P1, Lane::Memory, 0, said(Role::P1, Lane::Making, 0)), Err(wrong));
    let sent = Error::NotMade { peer: Role::P1, lane: Lane::Memory, made: 0, got: 1 };
    assert_eq!(durable.acknowledged(Role::P1, Lane::Memory, 1), Err(sent));
    assert_eq!(durable.written(1), Err(Error::NotAppended { last: 0, got: 1 }));
    durable.link_down(Role::P1).unwrap();
    let down = Error::LinkDown { peer: Role::P1 };
    assert_eq!(durable.frame(Role::P1, Lane::Making, 0, said(Role::P1, Lane::Making, 0)), Err(down));
}

/// "A peer that has forgotten what it acknowledged is found out when the link comes up and refused."
#[test]
fn a_peer_or_a_party_that_has_forgotten_is_found_out() {
    let mut durable = prepared(p0(), 1);
    durable.link_down(Role::P1).unwrap();
    let (peer, lane) = (Role::P1, Lane::Making);
    let forgot = Error::PeerForgot { peer, lane, acknowledged: 2, taken: 1 };
    assert_eq!(durable.link_up(peer, [0, 1]), Err(forgot));
    let ourselves = Error::SelfForgot { peer, lane, made: 2, taken: 3 };
    assert_eq!(durable.link_up(peer, [0, 3]), Err(ourselves));
    assert_eq!(durable.link_up(peer, [0, 2]), Ok(vec![]));
}

/// Under rule 1' frames may have left whose causes a crash has lost. While those are still to come, a peer may know more.
#[test]
fn a_peer_may_know_more_while_something_is_under_way() {
    let mut durable = Durable::new(Toy::new(Role::P0), LIMITS).unwrap();
    durable.command(0, Command::Connect).unwrap();
    durable.command(1, preprocess(1)).unwrap();
    // Or takes in between what was on its way before.
    durable.link_up(Role::P1, [0, 1]).unwrap();
    durable.acknowledged(Role::P1, Lane::Making, 2).unwrap();
    durable.link_up(Role::P2, [0, 2]).unwrap();
    write_all(&mut durable);
    let effects = hear(&mut durable, Lane::Making, 0);
    assert_eq!(sends(&effects), [], "made again, and not said again");
    assert_eq!(durable.unacknowledged(Role::P1), Ok(0));
}

/// Which items there are to throw away must not depend on how far a batch is.
#[test]
fn discard_waits_for_both_lanes_and_both_wait_for_it() {
    let mut durable = prepared(p0(), 2);
    durable.command(2, preprocess(1)).unwrap();
    durable.command(3, Command::Discard).unwrap();
    durable.command(4, read(1)).unwrap();
    assert_eq!(durable.party().items().len(), 1, "the batch, and no READ");
    hear(&mut durable, Lane::Making, 2);
    let answers = write_all(&mut durable);
    assert!(answers.contains(&Effect::Result { number: 3, answer: Answer::Done(Zeroizing::new(vec![])) }));
    assert_eq!((durable.party().prepared(), durable.party().items().len()), (Batch::default(), 0));
    durable.command(5, preprocess(1)).unwrap();
    hear(&mut durable, Lane::Making, 3);
    assert_eq!(durable.party().items(), [3], "item 2 was thrown away, and the READ has begun with the next");
    durable.command(6, Command::Discard).unwrap();
    durable.command(7, preprocess(1)).unwrap();
    assert_eq!(durable.party().under_way_in(Lane::Making), None, "what comes after waits for the READ too");
    hear(&mut durable, Lane::Memory, 0);
    assert_eq!(durable.party().items(), [4]);
}

/// A command that the party refuses when its turn comes has an answer too.
#[test]
fn a_refused_command_is_answered() {
    let mut durable = prepared(p0(), 1);
    durable.command(2, Command::Connect).unwrap();
    durable.command(3, preprocess(0)).unwrap();
    let refused = |effect: &Effect| matches!(effect, Effect::Result { answer: Answer::Refused(_), .. });
    assert_eq!(write_all(&mut durable).iter().filter(|effect| refused(effect)).count(), 2);
}

#[test]
fn what_waits_is_bounded() {
    let mut durable = prepared(with(Limits { commands: 2, unacknowledged: 30, ahead: 20, ..LIMITS }), 9);
    durable.command(2, update()).unwrap();
    durable.command(3, update()).unwrap();
    assert_eq!(durable.command(4, update()), Err(Error::TooManyCommands { max: 2 }));
    durable.command(4, preprocess(1)).unwrap();
    hear(&mut durable, Lane::Memory, 0);
    hear(&mut durable, Lane::Memory, 1);
    write_all(&mut durable);
    durable.fetched(2).unwrap();
    durable.fetched(3).unwrap();
    durable.command(5, update()).unwrap();
    assert_eq!(
        durable.unacknowledged(Role::P1),
        Ok(3 * 17),
        "a new step waits until the peer has what was said before"
    );
    assert_eq!(durable.party().under_way_in(Lane::Memory), None);
    for peer in [Role::P1, Role::P2] {
        durable.acknowledged(peer, Lane::Memory, 1).unwrap();
    }
    assert!(durable.party().under_way_in(Lane::Memory).is_some());
    let wait = |durable: &mut Durable<Toy>, number| {
        durable.frame(Role::P2, Lane::Memory, number, said(Role::P2, Lane::Memory, number))
    };
    wait(&mut durable, 2).unwrap();
    let far = Error::TooFarAhead { peer: Role::P2, lane: Lane::Memory, max: 20, got: 34 };
    assert_eq!(wait(&mut durable, 3), Err(far));
}

/// What is printed of an effect has no secret in it: no record, no frame, no result.
#[test]
fn effects_are_printed_without_what_they_hold() {
    let mut durable = prepared(p0(), 1);
    let mut effects = durable.command(2, read(0x5ec2_e700_5ec2_e700)).unwrap();
    effects.extend(hear(&mut durable, Lane::Memory, 0));
    effects.extend(write_all(&mut durable));
    effects.extend(durable.snapshot().unwrap());
    let results = |effect: &Effect| match effect {
        Effect::Result { answer: Answer::Done(shares), .. } => shares.first().copied(),
        _ => None,
    };
    let result = effects.iter().find_map(results).unwrap();
    let text = format!("{effects:?}");
    assert!(text.contains("Append(") && text.contains("Send(") && text.contains("Snapshot("));
    assert!(!text.contains(&result.to_string()) && !text.contains("[0") && !text.contains("94, 194"));
}

/// Something that happens to P0, from outside.
enum Event {
    Command(u64, Command),
    Frame(Role, Lane, u64),
    Acknowledged(Role, Lane, u64),
    Fetched(u64),
    Snapshot,
}

/// A session in which a batch is made while the memory is used.
fn session() -> Vec<Event> {
    use Event::{Acknowledged, Command as Commanded, Fetched, Frame, Snapshot};
    let both = |lane, number| [Frame(Role::P1, lane, number), Frame(Role::P2, lane, number)];
    let mut events = vec![Commanded(0, Command::Connect), Commanded(1, preprocess(3)), Snapshot];
    events.extend(both(Lane::Making, 0));
    events.push(Snapshot);
    events.extend(both(Lane::Making, 1));
    events.extend([Acknowledged(Role::P1, Lane::Making, 1), Fetched(0), Snapshot, Commanded(2, read(4))]);
    events.extend([Commanded(3, update()), Commanded(4, preprocess(2)), Frame(Role::P1, Lane::Making, 2)]);
    events.extend([
        Frame(Role::P1, Lane::Memory, 0),
        Commanded(5, read(6)),
        Frame(Role::P2, Lane::Memory, 0),
    ]);
    events.extend(both(Lane::Memory, 1));
    events.extend(both(Lane::Memory, 2));
    events.extend([Snapshot, Fetched(2), Acknowledged(Role::P2, Lane::Memory, 2), Commanded(6, read(7))]);
    events.extend([Commanded(7, Command::Discard), Frame(Role::P2, Lane::Making, 2), Snapshot]);
    events.extend([Frame(Role::P1, Lane::Memory, 3), Frame(Role::P2, Lane::Memory, 3), Snapshot]);
    events
}

/// What a run has left on disk, and said.
#[derive(Default)]
struct Run {
    records: Vec<(u64, Bytes)>,
    snapshots: Vec<(u64, Bytes)>,
    said: std::collections::BTreeMap<(Role, u8, u64), Bytes>,
    answers: std::collections::BTreeMap<u64, Answer>,
}

impl Run {
    fn note(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Append { lsn, record } => self.records.push((lsn, record)),
                Effect::Snapshot { lsn, state } => self.snapshots.push((lsn, state)),
                Effect::Send { peer, lane, number, frame } => {
                    let before = self.said.insert((peer, lane as u8, number), frame.clone());
                    assert!(before.is_none_or(|before| before == frame), "the same is said again");
                }
                Effect::Result { number, answer } => _ = self.answers.insert(number, answer),
                Effect::Refused { error, .. } => panic!("{error}"),
                Effect::Accepted(_) | Effect::Acknowledge { .. } => {}
            }
        }
    }

    /// Everything that is on disk, of two parties that have gone the same way.
    fn end(mut self, durable: &mut Durable<Toy>) -> (Self, Bytes) {
        let effects = write_all(durable);
        self.note(effects);
        self.note(durable.snapshot().unwrap());
        let (_, state) = self.snapshots.pop().unwrap();
        (self, state)
    }
}

/// Plays the session from wherever the party is; what it has is dropped, or is no news.
fn play(durable: &mut Durable<Toy>, run: &mut Run) {
    for event in session() {
        let effects = match event {
            Event::Command(number, command) => durable.command(number, command),
            Event::Frame(peer, lane, number) => durable.frame(peer, lane, number, said(peer, lane, number)),
            Event::Acknowledged(peer, lane, number) => durable.acknowledged(peer, lane, number),
            Event::Fetched(number) => durable.fetched(number),
            Event::Snapshot => durable.snapshot().or(Ok(vec![])),
        };
        run.note(effects.unwrap());
        run.note(write_all(durable));
    }
}

/// A link to a peer that has just what it has acknowledged.
fn link_with_what_was_acknowledged(durable: &mut Durable<Toy>, peer: Role) -> Vec<Effect> {
    let mut taken = [0, 0];
    loop {
        match durable.link_up(peer, taken) {
            Err(Error::PeerForgot { lane, acknowledged, .. }) => taken[lane as usize] = acknowledged,
            linked => return linked.unwrap(),
        }
    }
}

/// Rule 2: "memory, items left, place in the program, messages taken and messages to send go to disk as one". From every snapshot
/// and every length of the journal the party goes on as if nothing had been.
#[test]
fn rule_2_a_restart_anywhere_changes_nothing() {
    restart_anywhere(LIMITS);
}

/// The same with a snapshot at every moment at which there may be one, also right before a step that waits begins.
#[test]
fn rule_2_a_restart_anywhere_changes_nothing_however_many_snapshots_there_are() {
    restart_anywhere(Limits { journal: 0, ..LIMITS });
}

fn restart_anywhere(limits: Limits) {
    let mut run = Run::default();
    let mut durable = with(limits);
    play(&mut durable, &mut run);
    let (run, end) = run.end(&mut durable);
    assert!(
        run.snapshots.len() >= 4 && run.records.len() > 20,
        "{} {}",
        run.snapshots.len(),
        run.records.len()
    );
    let snapshots = run.snapshots.iter().map(|(lsn, state)| Some((*lsn, &state[..]))).chain([None]);
    for snapshot in snapshots {
        for length in 0..=run.records.len() {
            let records = run.records[..length].iter().map(|(lsn, record)| (*lsn, &record[..]));
            let fresh = Toy::new(Role::P0);
            let (mut durable, effects) = Durable::restore(fresh, limits, snapshot, records).unwrap();
            let mut again = Run::default();
            again.note(effects);
            for peer in [Role::P1, Role::P2] {
                again.note(link_with_what_was_acknowledged(&mut durable, peer));
            }
            play(&mut durable, &mut again);
            let (again, state) = again.end(&mut durable);
            for (place, frame) in &again.said {
                assert_eq!(run.said.get(place), Some(frame), "{place:?}");
            }
            let fetched = [0, 2];
            let kept = |number: &u64| fetched.contains(number) || again.answers.contains_key(number);
            assert!(run.answers.keys().all(kept), "what was not fetched is given again");
            for (number, answer) in &again.answers {
                assert!(run.answers[number] == *answer);
            }
            let memory_lane = |state: &Bytes| state[state.len() - 48..].to_vec();
            assert_eq!(memory_lane(&state), memory_lane(&end), "{length}");
        }
    }
}

/// What is cut off or changed is refused with its place, or leads to a state that was stored; nothing panics.
#[test]
fn what_was_not_stored_is_refused() {
    let mut run = Run::default();
    play(&mut p0(), &mut run);
    let restore = |snapshot, records: &[(u64, Bytes)]| {
        let records: Vec<_> = records.iter().map(|(lsn, record)| (*lsn, &record[..])).collect();
        Durable::restore(Toy::new(Role::P0), LIMITS, snapshot, records).map(|_| ())
    };
    let (lsn, state) = run.snapshots.last().unwrap();
    for length in 0..state.len() {
        assert!(restore(Some((*lsn, &state[..length])), &[]).is_err(), "{length}");
    }
    assert!(restore(Some((lsn + 1, state)), &[]).is_err());
    let missing = Error::Stored { place: Place::Record(3), what: "a record before it is missing" };
    assert_eq!(restore(None, &[&run.records[..1], &run.records[2..]].concat()), Err(missing));
    let mut twice = run.records.clone();
    twice[3].1 = twice[2].1.clone();
    let repeated = Error::Stored { place: Place::Record(4), what: "not the next frame" };
    assert_eq!(restore(None, &twice), Err(repeated));
    let other = Durable::restore(Toy::new(Role::P1), LIMITS, Some((*lsn, &state[..])), []).map(|_| ());
    assert_eq!(other, Err(Error::Stored { place: Place::Snapshot(*lsn), what: "no snapshot of this party" }));
}

/// A snapshot is made when the journal has become long, as soon as no step on the memory is under way, and the next not at
/// once.
#[test]
fn a_snapshot_is_made_when_the_journal_is_long() {
    let mut run = Run::default();
    let mut durable = with(Limits { journal: 100, ..LIMITS });
    for (number, command) in [Command::Connect, preprocess(8)].into_iter().enumerate() {
        run.note(durable.command(number as u64, command).unwrap());
        run.note(hear(&mut durable, Lane::Making, number as u64));
    }
    for step in 0..8 {
        run.note(durable.command(step + 2, update()).unwrap());
        run.note(hear(&mut durable, Lane::Memory, step));
    }
    let bytes = |from: u64, to: u64| -> usize {
        let between = run.records.iter().filter(|(lsn, _)| (from + 1..=to).contains(lsn));
        between.map(|(_, record)| record.len()).sum()
    };
    let mut from = 0;
    assert!(run.snapshots.len() > 3);
    for (lsn, _) in &run.snapshots {
        assert!((101..400).contains(&bytes(from, *lsn)), "{from} {lsn}");
        from = *lsn;
    }
}

/// A batch is not made again once it is in a snapshot, which comes as soon as the memory is free.
#[test]
fn a_snapshot_is_made_when_many_items_were_made() {
    for (items, snapshots) in [(7, 1), (8, 0)] {
        let mut run = Run::default();
        let mut durable = with(Limits { items, ..LIMITS });
        for (number, command) in [Command::Connect, preprocess(8)].into_iter().enumerate() {
            run.note(durable.command(number as u64, command).unwrap());
            run.note(hear(&mut durable, Lane::Making, number as u64));
        }
        run.note(durable.command(2, update()).unwrap());
        assert_eq!(run.snapshots.len(), snapshots, "{items}");
        run.note(hear(&mut durable, Lane::Memory, 0));
        run.note(durable.command(3, update()).unwrap());
        assert_eq!(run.snapshots.len(), snapshots, "not once more: {items}");
    }
}
