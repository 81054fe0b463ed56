//! What a run must not do.

use duoram_reference::durable;
use duoram_reference::{Lane, Role};
use thiserror::Error;

/// Why a run is wrong.
#[derive(Error, Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// What a primary and the other have as results are not shares of what an ideal RAM answers.
    #[error("step {step} ({name}): {expected:x?} expected as results, got {got:x?}")]
    Results {
        /// The step.
        step: usize,
        /// Its name.
        name: &'static str,
        /// The ideal RAM's.
        expected: Vec<u64>,
        /// The sum of the shares.
        got: Vec<u64>,
    },
    /// An answer is another one than before.
    #[error("{party} answers command {number} in two ways")]
    TwoAnswers {
        /// Who.
        party: Role,
        /// The command.
        number: usize,
    },
    /// The states do not belong together.
    #[error("after {steps} steps on the memory: {what}")]
    States {
        /// The steps of the memory lane.
        steps: u64,
        /// What does not hold.
        what: &'static str,
    },
    /// Something is said again in other words.
    #[error("{from} says frame {number} of {lane} to {to} again, with other bytes")]
    OtherWords {
        /// Who.
        from: Role,
        /// To whom.
        to: Role,
        /// The lane.
        lane: Lane,
        /// The frame's number.
        number: u64,
    },
    /// What was said is made again in other words: a party that has lost why it said it.
    #[error("{from} makes the '{kind}' of step {operation} of {lane} to {to} again, and it is another one")]
    Contradiction {
        /// Who.
        from: Role,
        /// To whom.
        to: Role,
        /// The lane.
        lane: Lane,
        /// The number of the step.
        operation: u64,
        /// The message.
        kind: &'static str,
    },
    /// An item is used twice.
    #[error("{from} uses item {item} in steps {first} and {second} of {lane}, towards {to}")]
    ItemTwice {
        /// Who.
        from: Role,
        /// To whom.
        to: Role,
        /// The lane.
        lane: Lane,
        /// The item.
        item: u64,
        /// The step that it was first said in.
        first: u64,
        /// The other one.
        second: u64,
    },
    /// A command was refused, which could be done.
    #[error("{party} refuses command {number}: {reason}")]
    Command {
        /// Who.
        party: Role,
        /// The command.
        number: usize,
        /// Why.
        reason: String,
    },
    /// An honest peer's frame, acknowledgement or link was refused.
    #[error("{party} refuses its peer: {reason}")]
    Peer {
        /// Who.
        party: Role,
        /// Why.
        reason: String,
    },
    /// A party does not start again.
    #[error("{party} does not start: {error}")]
    Start {
        /// Who.
        party: Role,
        /// Why.
        error: durable::Error,
    },
    /// More is kept for a peer than is allowed.
    #[error("{party} keeps {got} bytes for a peer, {max} at the most")]
    Unbounded {
        /// Who.
        party: Role,
        /// What is allowed.
        max: usize,
        /// What there is.
        got: usize,
    },
    /// Nothing happens any more, and not everything is done.
    #[error(
        "stuck: {party} has answered {answered} commands of {commands}, {kept} bytes are not acknowledged"
    )]
    Stuck {
        /// One that is not done.
        party: Role,
        /// What it has done.
        answered: usize,
        /// What it was to do.
        commands: usize,
        /// What it keeps.
        kept: usize,
    },
    /// Something has panicked, and has said so itself.
    #[error("panicked")]
    Panicked,
    /// It does not come to an end.
    #[error("not done after {events} events")]
    Endless {
        /// How many there were.
        events: u64,
    },
}
