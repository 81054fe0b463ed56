//! What happens, in words.

use duoram_reference::durable::{Effect, Error};
use duoram_reference::{Lane, Role};

use super::Disks;
use super::hosts::Cause;
use super::said::{Ledger, kind};

/// What has happened, and why it matters. Formulas stand between backticks.
pub(super) fn cause(cause: &Cause, ledger: &Ledger) -> (String, &'static str) {
    match cause {
        Cause::Command(role) => (
            format!("{role} gets the client’s command"),
            "The command goes into the journal. Until it is on disk, the party says nothing that follows from it (rule 1).",
        ),
        Cause::Frame(role, from, bytes) => (
            format!("{role} gets “{}” of {from}", kind(*from, bytes)),
            "What a party takes is an input, and goes into the journal. The party need not wait for its disk: whoever said it keeps it \
             until it hears that it is on disk (rule 4). What it has already, it drops.",
        ),
        Cause::Acknowledged(role, from, lane, number) => (
            format!(
                "{role} hears that “{}” is on {from}’s disk",
                named(ledger, *role, *from, *lane, *number)
            ),
            "Now the message need not be kept any more. If this word is lost, it comes again with the next link.",
        ),
        Cause::Synced(role, Disks::Cache) => (
            format!("{role}’s disk says that it has what was appended"),
            "It has it in a cache, and not for good. The party cannot know that: it says now what had to wait for the disk.",
        ),
        Cause::Synced(role, Disks::Keep) => (
            format!("{role}’s disk has what was appended"),
            "From here on a crash does not undo it. What had to wait for the disk is said now: messages (rule 1), and that others’ \
             messages are on disk (rule 3).",
        ),
        Cause::Fetched(role) => (
            format!("{role} hears that the client has its answer"),
            "The answer need not be kept any more. If this is lost, the answer is given again, and it is the same.",
        ),
        Cause::Failed(role, ..) => (
            format!("The power fails at {role}"),
            "All that the party knew is gone: its memory, its items, where it was. Its disk is left, without what was not on it yet. \
             What was on the way to it or from it is gone too. The others go on as far as they can, and keep what they have said.",
        ),
        Cause::Restarted(role, ..) => (
            format!("The power is back: {role} starts again from its disk"),
            "A new party takes the snapshot, and does all records after it again, in their order. It does not ask what it has said before: \
             it comes to the same state, and would say the same bytes.",
        ),
        Cause::Linked(a, b) => (
            format!("The link between {a} and {b} is up again"),
            "Each says first how much of the other it has on disk. Whatever the other has not is said again, with its number and its bytes.",
        ),
        Cause::FoundOut(role, _) => (
            format!("{role} finds out that a disk has forgotten"),
            "Each says first how much of the other it has on disk, and that does not fit. Nothing that follows could be right: the parties \
             hang up, and their operators are told. Nothing is used twice.",
        ),
    }
}

/// What is wrong with a link, in words.
pub(super) fn found_out(role: Role, error: &Error) -> Option<String> {
    match error {
        Error::SelfForgot { peer, .. } => {
            Some(format!("{role} refuses the link: {peer} has what {role} does not know to have said."))
        }
        Error::PeerForgot { peer, .. } => {
            Some(format!("{role} refuses the link: {peer} has not what it said to be on its disk."))
        }
        _ => None,
    }
}

/// The client cannot repeat what it was allowed to forget.
pub(super) fn anew(role: Role) -> String {
    let shares = if role == Role::P2 { "" } else { ", with other shares" };
    format!("The client has forgotten its command to {role}, and asks anew{shares}.")
}

fn named(ledger: &Ledger, from: Role, to: Role, lane: Lane, number: u64) -> &'static str {
    ledger.last(from, to, lane, number).unwrap_or("what came before")
}

/// What a party does, in words; `again` says whether it has said that before.
pub(super) fn effect(role: Role, effect: &Effect, again: bool, ledger: &Ledger) -> Option<String> {
    let said = match effect {
        Effect::Append { record, .. } => {
            format!("{role} appends to its journal: {}.", record_name(record, role, ledger))
        }
        Effect::Send { peer, frame, .. } if again => {
            format!("{role} says “{}” to {peer} again.", kind(role, frame))
        }
        Effect::Send { peer, frame, .. } => format!("{role} says “{}” to {peer}.", kind(role, frame)),
        Effect::Acknowledge { peer, lane, number } => {
            format!(
                "{role} tells {peer} that “{}” is on its disk.",
                named(ledger, *peer, role, *lane, *number)
            )
        }
        Effect::Accepted(_) => format!("{role} tells the client that it may forget the command."),
        Effect::Result { .. } => format!("{role} gives the client its answer."),
        Effect::Snapshot { .. } | Effect::Refused { .. } => return None,
    };
    Some(said)
}

/// An input that others care for: whoever it came from keeps it until it is on disk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Input {
    /// The client's command.
    Command,
    /// A frame of a peer, by lane and number.
    Frame(Role, Lane, u64),
}

/// The input that a record is of, if others care for it.
pub(super) fn input(record: &[u8]) -> Option<Input> {
    match (record.first()?, named_in(record)) {
        (0, _) => Some(Input::Command),
        (1, Some((peer, lane, number))) => Some(Input::Frame(peer, lane, number)),
        _ => None,
    }
}

/// Peer, lane and number, which begin records of frames and of what a peer has (`reference/PROTOCOL.md`, part three).
fn named_in(record: &[u8]) -> Option<(Role, Lane, u64)> {
    let peer = Role::ALL.get(usize::from(*record.get(1)?))?;
    let lane = Lane::ALL.get(usize::from(*record.get(2)?))?;
    let number = record.get(3..11).and_then(|bytes| <[u8; 8]>::try_from(bytes).ok())?;
    Some((*peer, *lane, u64::from_le_bytes(number)))
}

/// What a record is of, from its bytes.
pub(super) fn record_name(record: &[u8], role: Role, ledger: &Ledger) -> String {
    match (record.first(), named_in(record)) {
        (Some(0), _) => "the client’s command".to_owned(),
        (Some(1), Some((peer, ..))) => {
            format!("“{}” of {peer}", kind(peer, record.get(19..).unwrap_or_default()))
        }
        (Some(2), Some((peer, lane, number))) => {
            format!("{peer} has “{}”", named(ledger, role, peer, lane, number))
        }
        (Some(3), _) => "the client has the answer".to_owned(),
        _ => "unknown".to_owned(),
    }
}
