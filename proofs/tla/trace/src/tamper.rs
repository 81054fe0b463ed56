//! Traces that no correct parties could have left, and where that shows.
//!
//! Each way of tampering makes one line the first at which no correct party could go on. Where it shows must not depend on
//! how strict a reader is about the order in which a party does what it may do in any order: so only lines are moved or
//! taken away that the rejected line needs to have come before it.

use std::collections::VecDeque;

use clap::ValueEnum;

use crate::Error;
use crate::format::{Action, Event, Party, Protocol, Step, Trace};

/// A way of tampering.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Tampering {
    /// A party sends what follows from a message before it has taken the message.
    SwapLines,
    /// A message is taken before it was sent.
    ReceiveBeforeSend,
    /// A message was never sent, and is taken.
    DropSend,
    /// A message is never taken, and yet what follows from it is done.
    DropReceive,
    /// A message is sent twice.
    DuplicateSend,
    /// A message is taken twice.
    DuplicateReceive,
    /// A primary sends P2 what only the other may hear: an `update`, which has `M_b + F_b^(1)`; lean: an `index offset`. Of two
    /// parties, whatever it sends somebody who is not there.
    WrongPeer,
    /// A primary sends an `unblinding` instead of a `shift`; of two parties, `answers` instead of `shifts`.
    WrongKind,
    /// A message of a level names the level below; lean: a `flag layer`, which is of none, names one.
    WrongRound,
    /// A message names the next step.
    WrongOperation,
    /// All parties read with the item of an earlier READ.
    ItemReused,
    /// All parties read with the item that a later READ is to have.
    ItemSkipped,
    /// The last party reads with another item than the others.
    ItemsDisagree,
    /// A party is done with a step of which it has not taken the last message.
    ApplyEarly,
    /// A party does a step twice.
    ApplyTwice,
    /// A message is taken before one that was sent earlier on the same link.
    Overtaken,
    /// The parties prepare one item fewer than planned.
    WrongPlan,
    /// The end is missing.
    Truncated,
    /// A message is longer by a byte.
    WrongLength,
    /// With disks: a party acknowledges a message that is not on its disk.
    AcknowledgedEarly,
    /// With disks: a party speaks of a step before its disk has the command.
    SpokenEarly,
    /// With disks: a party writes an input that it has not taken.
    WrittenEarly,
    /// With disks: after a crash all parties read with the item of the READ before.
    ItemRestored,
    /// With disks: a party does something while it is down.
    DownActs,
    /// With disks: a party that runs restarts.
    RestartTwice,
}

/// What must be found out about a tampered trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// All lines before this one could have been; this one could not.
    RejectedAt {
        /// The line, from 1.
        line: usize,
    },
    /// All lines could have been, but the plan is not done.
    Incomplete {
        /// The number of lines.
        lines: usize,
    },
}

impl Tampering {
    /// Whether there is a place for it only in traces of parties with disks that have crashed.
    pub const fn of_disks(self) -> bool {
        matches!(
            self,
            Self::AcknowledgedEarly
                | Self::SpokenEarly
                | Self::WrittenEarly
                | Self::ItemRestored
                | Self::DownActs
                | Self::RestartTwice
        )
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::RejectedAt { line } => write!(formatter, "rejected at line {line}"),
            Self::Incomplete { lines } => write!(formatter, "incomplete after line {lines}"),
        }
    }
}

/// Tampers with a trace; `seed` chooses among the places where that can be done.
///
/// # Errors
///
/// [`Error::NoPlace`] if there is none.
#[allow(clippy::too_many_lines)] // one arm a tampering
pub fn tamper(trace: &Trace, how: Tampering, seed: u64) -> Result<(Trace, Verdict), Error> {
    let mut trace = trace.clone();
    let all = 0..trace.events.len();
    let rejected = match how {
        Tampering::SwapLines => {
            let (taken, sent) = choose(&trace, seed, "an answer to a message", answers(&trace.events))?;
            trace.events.swap(taken, sent);
            taken
        }
        Tampering::ReceiveBeforeSend => {
            let found = all.filter_map(|at| Some((sending(&trace.events, at)?, at)));
            let (sent, taken) = choose(&trace, seed, "a message that was taken", found)?;
            shift(&mut trace.events, taken, sent);
            sent
        }
        Tampering::DropSend => {
            // What the sender does next must not come first: a strict reader would reject that.
            let found = all.filter_map(|taken| {
                let sent = sending(&trace.events, taken)?;
                let next = next_of_party(&trace.events, sent)?;
                let before = before(&trace.events, taken);
                (!before[next]).then_some((sent, taken))
            });
            let (sent, taken) = choose(&trace, seed, "a message that the sender does not wait for", found)?;
            let (sent, taken) = hasten(&mut trace.events, sent, taken);
            trace.events.remove(sent);
            taken - 1
        }
        Tampering::DropReceive => {
            let (taken, next) = choose(&trace, seed, "an answer to a message", answers(&trace.events))?;
            trace.events.remove(taken);
            next - 1
        }
        Tampering::DuplicateSend => {
            let found = all.filter(|&at| trace.events[at].event == Action::Send);
            let at = choose(&trace, seed, "a message", found)?;
            twice(&mut trace.events, at)
        }
        Tampering::DuplicateReceive => {
            let found = all.filter(|&at| trace.events[at].event == Action::Receive);
            let at = choose(&trace, seed, "a message that was taken", found)?;
            twice(&mut trace.events, at)
        }
        Tampering::WrongPeer => {
            let at = choose(
                &trace,
                seed,
                "a message for the other primary",
                sends(&trace, between_primaries(&trace)),
            )?;
            trace.events[at].peer = Some(Party::P2);
            at
        }
        Tampering::WrongKind => {
            let at = choose(&trace, seed, "a message with shifts", sends(&trace, of_shifts(&trace)))?;
            answering(&trace).clone_into(&mut trace.events[at].kind);
            at
        }
        Tampering::WrongRound => {
            let at = choose(&trace, seed, "a message of the trees", sends(&trace, of_trees(&trace)))?;
            trace.events[at].round += 1;
            at
        }
        Tampering::WrongOperation => {
            let at = choose(&trace, seed, "a message with shifts", sends(&trace, of_shifts(&trace)))?;
            trace.events[at].operation += 1;
            at
        }
        Tampering::ItemReused => {
            let (earlier, later) = choose(&trace, seed, "two READ steps", pairs_of_reads(&trace))?;
            exchange_items(&mut trace, later, earlier, None)
        }
        Tampering::ItemSkipped => {
            let (earlier, later) = choose(&trace, seed, "two READ steps", pairs_of_reads(&trace))?;
            exchange_items(&mut trace, earlier, later, None)
        }
        Tampering::ItemsDisagree => {
            let (earlier, later) = choose(&trace, seed, "two READ steps", pairs_of_reads(&trace))?;
            let last = last_party(&trace);
            exchange_items(&mut trace, earlier, later, last)
        }
        Tampering::ApplyEarly => {
            let found = all.filter_map(|taken| {
                let next = next_of_party(&trace.events, taken)?;
                let received = trace.events[taken].event == Action::Receive;
                (received && trace.events[next].event == Action::Apply).then_some((taken, next))
            });
            let (taken, applied) = choose(&trace, seed, "a step that ends with a message", found)?;
            shift(&mut trace.events, applied, taken);
            taken
        }
        Tampering::ApplyTwice => {
            let found = all.filter(|&at| trace.events[at].event == Action::Apply);
            let at = choose(&trace, seed, "a step that was done", found)?;
            twice(&mut trace.events, at)
        }
        Tampering::Overtaken => {
            let found = all.filter_map(|first| {
                let same_link = |event: &Event| {
                    let Event { party, peer, .. } = &trace.events[first];
                    event.event == Action::Receive && (event.party, event.peer) == (*party, *peer)
                };
                let second = first + 1 + trace.events[first + 1..].iter().position(same_link)?;
                same_link(&trace.events[first]).then_some((first, second))
            });
            let (first, second) = choose(&trace, seed, "two messages on one link", found)?;
            trace.events.swap(first, second);
            first
        }
        Tampering::WrongPlan => {
            let found = (0..trace.plan.steps.len())
                .filter(|&number| matches!(trace.plan.steps[number], Step::Preprocess { .. }))
                .filter_map(|number| Some((number, first_of(&trace.events, number, None)?)));
            let (number, at) = choose(&trace, seed, "a 'preprocess' step", found)?;
            if let Step::Preprocess { reads, .. } = &mut trace.plan.steps[number] {
                *reads += 1;
            }
            at
        }
        Tampering::WrongLength => {
            let found = all.filter(|&at| trace.events[at].event == Action::Send);
            let at = choose(&trace, seed, "a message", found)?;
            trace.events[at].size += 1;
            at
        }
        Tampering::AcknowledgedEarly => {
            let found = all.filter(|&at| {
                trace.events[at].event == Action::Acknowledge && trace.events[at].peer.is_some()
            });
            let at = choose(&trace, seed, "an acknowledgement", found)?;
            let Event { peer, round: lane, .. } = trace.events[at];
            let is = |input: &&&Event| input.peer == peer && trace.plan.lane(input.operation) == lane;
            let received = disk_of(&trace.events, at).written.iter().filter(is).count();
            trace.events[at].size = u32::try_from(received + 1).unwrap_or(u32::MAX);
            at
        }
        Tampering::SpokenEarly => {
            let found = all.filter_map(|write| {
                let next = next_of_party(&trace.events, write)?;
                let disk = disk_of(&trace.events, write);
                let begun = disk.waiting.iter().take(trace.events[write].size as usize).any(|input| {
                    input.event == Action::Begin && input.operation == trace.events[next].operation
                });
                let is =
                    (trace.events[write].event, trace.events[next].event) == (Action::Write, Action::Send);
                (is && begun).then_some((write, next))
            });
            let (write, sent) = choose(&trace, seed, "a command that is written, and a message", found)?;
            shift(&mut trace.events, sent, write);
            write
        }
        Tampering::WrittenEarly => {
            let found = all.filter(|&at| trace.events[at].event == Action::Write);
            let at = choose(&trace, seed, "a write", found)?;
            let waiting = disk_of(&trace.events, at).waiting.len();
            trace.events[at].size = u32::try_from(waiting + 1).unwrap_or(u32::MAX);
            at
        }
        Tampering::ItemRestored => {
            let between = |step| first_of(&trace.events, step, None).unwrap_or_default();
            let found = pairs_of_reads(&trace).filter(|&(earlier, later)| {
                trace.events[between(earlier)..between(later)]
                    .iter()
                    .any(|event| event.event == Action::Crash)
            });
            let (earlier, later) = choose(&trace, seed, "a crash between two READ steps", found)?;
            exchange_items(&mut trace, later, earlier, None)
        }
        Tampering::DownActs => {
            let found = all.filter_map(|at| {
                let restarts = trace.events[at].event == Action::Restart;
                restarts.then(|| next_of_party(&trace.events, at)).flatten().map(|next| (at, next))
            });
            let (restart, next) = choose(&trace, seed, "something after a restart", found)?;
            shift(&mut trace.events, next, restart);
            restart
        }
        Tampering::RestartTwice => {
            let found = all.filter(|&at| trace.events[at].event == Action::Restart);
            let at = choose(&trace, seed, "a restart", found)?;
            twice(&mut trace.events, at)
        }
        Tampering::Truncated => {
            let kept = choose(&trace, seed, "two events", all.skip(1).rev().take(8))?;
            trace.events.truncate(kept);
            let lines = Trace::line_of(kept - 1);
            return Ok((trace, Verdict::Incomplete { lines }));
        }
    };
    Ok((trace, Verdict::RejectedAt { line: Trace::line_of(rejected) }))
}

/// One of the places that were found.
fn choose<T>(
    trace: &Trace,
    seed: u64,
    expected: &'static str,
    found: impl Iterator<Item = T>,
) -> Result<T, Error> {
    let mut found: Vec<T> = found.collect();
    // The remainder is below a length.
    let place = seed.checked_rem(found.len() as u64).and_then(|place| usize::try_from(place).ok());
    match place {
        Some(place) => Ok(found.swap_remove(place)),
        None => Err(Error::no_place(expected, trace)),
    }
}

/// A kind that P2 is never sent, whatever the size of the memory.
const fn between_primaries(trace: &Trace) -> &'static str {
    match trace.plan.protocol {
        Protocol::Paper => "update",
        Protocol::Lean => "index offset",
        Protocol::TwoParty => "sums",
    }
}

/// The kind that begins a READ.
const fn of_shifts(trace: &Trace) -> &'static str {
    match trace.plan.protocol {
        Protocol::Paper | Protocol::Lean => "shift",
        Protocol::TwoParty => "shifts",
    }
}

/// The kind that ends a READ.
const fn answering(trace: &Trace) -> &'static str {
    match trace.plan.protocol {
        Protocol::Paper | Protocol::Lean => "unblinding",
        Protocol::TwoParty => "answers",
    }
}

fn last_party(trace: &Trace) -> Option<Party> {
    trace.plan.protocol.parties().last().copied()
}

/// A kind of preprocessing that there is at every depth.
const fn of_trees(trace: &Trace) -> &'static str {
    match trace.plan.protocol {
        Protocol::Paper | Protocol::TwoParty => "level operands",
        Protocol::Lean => "flag layer",
    }
}

/// Where this kind of message is sent.
fn sends<'a>(trace: &'a Trace, kind: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is = move |event: &Event| event.event == Action::Send && event.kind == kind;
    (0..trace.events.len()).filter(move |&at| is(&trace.events[at]))
}

/// Where the message that is taken here was sent.
fn sending(events: &[Event], taken: usize) -> Option<usize> {
    let Event { party, peer, kind, operation, round, .. } = &events[taken];
    let is = |sent: &Event| {
        (Some(sent.party), sent.peer) == (*peer, Some(*party))
            && (&sent.kind, sent.operation, sent.round) == (kind, *operation, *round)
            && sent.event == Action::Send
    };
    (events[taken].event == Action::Receive).then(|| events[..taken].iter().position(is)).flatten()
}

fn next_of_party(events: &[Event], at: usize) -> Option<usize> {
    (at + 1..events.len()).find(|&next| events[next].party == events[at].party)
}

/// Messages taken, each with the message that its receiver sends next, of the same step: it is made from the former.
fn answers(events: &[Event]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..events.len()).filter_map(|taken| {
        let sent = next_of_party(events, taken)?;
        let actions = (events[taken].event, events[sent].event);
        let answered =
            actions == (Action::Receive, Action::Send) && events[taken].operation == events[sent].operation;
        answered.then_some((taken, sent))
    })
}

/// Whether each event must have come before this one, or is it.
fn before(events: &[Event], this: usize) -> Vec<bool> {
    let mut before = vec![false; events.len()];
    before[this] = true;
    for at in (0..=this).rev() {
        if before[at] {
            let previous = events[..at].iter().rposition(|event| event.party == events[at].party);
            for cause in previous.into_iter().chain(sending(events, at)) {
                before[cause] = true;
            }
        }
    }
    before
}

/// Puts all that need not come before a receipt behind it: an order that could have been just as well. Returns where the
/// message is sent and taken then.
fn hasten(events: &mut Vec<Event>, sent: usize, taken: usize) -> (usize, usize) {
    let before = before(events, taken);
    let place = |at: usize| before[..at].iter().filter(|&&before| before).count();
    let places = (place(sent), place(taken));
    let (first, second): (Vec<_>, Vec<_>) = events.drain(..).zip(&before).partition(|(_, before)| **before);
    events.extend(first.into_iter().chain(second).map(|(event, _)| event));
    places
}

/// A disk: the inputs on it, and those taken since.
#[derive(Default)]
struct Disk<'a> {
    written: Vec<&'a Event>,
    waiting: VecDeque<&'a Event>,
}

/// The disk of the party of an event, before it.
fn disk_of(events: &[Event], at: usize) -> Disk<'_> {
    let mut disk = Disk::default();
    for event in events[..at].iter().filter(|event| event.party == events[at].party) {
        match event.event {
            Action::Begin | Action::Receive => disk.waiting.push_back(event),
            Action::Write => {
                let written = disk.waiting.len().min(event.size as usize);
                disk.written.extend(disk.waiting.drain(..written));
            }
            Action::Crash => disk.waiting.clear(),
            _ => {}
        }
    }
    disk
}

/// Moves an event to an earlier place.
fn shift(events: &mut [Event], from: usize, to: usize) {
    events[to..=from].rotate_right(1);
}

/// Repeats an event; returns the place of the second.
fn twice(events: &mut Vec<Event>, at: usize) -> usize {
    events.insert(at + 1, events[at].clone());
    at + 1
}

/// The first event of a step, perhaps of one party only.
fn first_of(events: &[Event], step: usize, party: Option<Party>) -> Option<usize> {
    events
        .iter()
        .position(|event| event.operation as usize == step && party.is_none_or(|party| party == event.party))
}

/// READ steps of the trace, each with a later one.
fn pairs_of_reads(trace: &Trace) -> impl Iterator<Item = (usize, usize)> {
    let is_read = |number: &usize| {
        matches!(trace.plan.steps[*number], Step::Read { .. })
            && first_of(&trace.events, *number, last_party(trace)).is_some()
    };
    let reads: Vec<usize> = (0..trace.plan.steps.len()).filter(is_read).collect();
    let pairs: Vec<_> = reads.windows(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.into_iter()
}

/// Gives a step, at one party or at all, the items of another; returns the first event that is changed.
fn exchange_items(trace: &mut Trace, step: usize, other: usize, party: Option<Party>) -> usize {
    let first = |step| first_of(&trace.events, step, party).unwrap_or_default();
    let (changed, items) = (first(step), trace.events[first(other)].items.clone());
    for event in &mut trace.events {
        if event.operation as usize == step && party.is_none_or(|party| party == event.party) {
            event.items.clone_from(&items);
        }
    }
    changed
}
