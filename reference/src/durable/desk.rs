//! The client's commands: numbered, done in the order of their lane, and answered until the answer is fetched.

use std::collections::{BTreeMap, VecDeque};

use super::Error;
use crate::engine::{Command, Lane, Operands};

/// What became of a command.
#[derive(Clone, PartialEq, Eq)]
pub enum Answer {
    /// It is done: this primary's share of each result, if it has any.
    Done(Operands),
    /// The party refused it when its turn came, in words. Nothing was done.
    Refused(String),
}

/// Without the shares, which are secret.
impl std::fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Done(shares) => write!(formatter, "Done({} shares)", shares.len()),
            Self::Refused(reason) => write!(formatter, "Refused({reason:?})"),
        }
    }
}

/// An answer that was not fetched.
pub(super) struct Kept {
    pub(super) answer: Answer,
    /// The record that must be on disk before it is given.
    pub(super) cause: u64,
    /// Whether it was given since the restart, or since it was asked for.
    pub(super) given: bool,
}

/// A command that has begun in a lane.
#[derive(Clone, Copy)]
pub(super) struct Running {
    pub(super) number: u64,
    /// Whether there are shares of results when it is done.
    pub(super) has_results: bool,
}

/// All that is known of commands.
#[derive(Default)]
pub(super) struct Desk {
    /// The number of the next command.
    pub(super) next: u64,
    /// Those that have not begun, in the order of their numbers.
    pub(super) waiting: VecDeque<(u64, Command)>,
    /// Those under way, by lane.
    pub(super) running: [Option<Running>; 2],
    /// What was not fetched.
    pub(super) answers: BTreeMap<u64, Kept>,
    /// The numbers of those whose record is not on disk, and the record.
    unwritten: VecDeque<(u64, u64)>,
    /// Those that the client repeats although they were accepted.
    asked_again: VecDeque<u64>,
}

impl Desk {
    /// With the number of the next command; nothing waits.
    pub(super) fn restored(next: u64) -> Self {
        Self { next, ..Self::default() }
    }

    /// How many there are without a fetched answer, of those that a lane of this command waits for.
    pub(super) fn open(&self, command: &Command) -> usize {
        let shared =
            |(_, other): &&(u64, Command)| command.lanes().iter().any(|lane| other.lanes().contains(lane));
        let running = command.lanes().iter().filter(|lane| self.running[**lane as usize].is_some());
        self.waiting.iter().filter(shared).count() + running.count() + self.answers.len()
    }

    /// Whether a command is new. One that is not is told about again: the client has not heard (rule 5).
    pub(super) fn is_new(&mut self, number: u64, command: &Command, max: usize) -> Result<bool, Error> {
        if number > self.next {
            return Err(Error::CommandGap { expected: self.next, got: number });
        }
        if number < self.next {
            if !self.unwritten.iter().any(|&(unwritten, _)| unwritten == number) {
                self.asked_again.push_back(number);
            }
            if let Some(kept) = self.answers.get_mut(&number) {
                kept.given = false;
            }
            return Ok(false);
        }
        if self.open(command) >= max { Err(Error::TooManyCommands { max }) } else { Ok(true) }
    }

    /// Takes the next command, which has become a record.
    pub(super) fn push(&mut self, command: Command, lsn: u64) {
        self.waiting.push_back((self.next, command));
        self.unwritten.push_back((self.next, lsn));
        self.next += 1;
    }

    /// The place in `waiting` of the command that is next in a lane. One that is of both lanes goes before whatever comes after
    /// it, and waits for whatever was before.
    pub(super) fn next_of(&self, lane: Lane) -> Option<usize> {
        let place = self.waiting.iter().position(|(_, command)| command.lanes().contains(&lane))?;
        let both = self.waiting[place].1.lanes().len() > 1;
        (!both || (place == 0 && self.running.iter().all(Option::is_none))).then_some(place)
    }

    /// A command has begun. Of a load each piece is a command, and is done when the next begins.
    pub(super) fn begin(&mut self, place: usize, cause: u64) -> Option<Command> {
        let (number, command) = self.waiting.remove(place)?;
        for lane in command.lanes() {
            self.finish(*lane, &[], cause);
            self.running[*lane as usize] = Some(Running { number, has_results: command.has_results() });
        }
        Some(command)
    }

    /// The step of a lane is done: its command has an answer.
    pub(super) fn finish(&mut self, lane: Lane, results: &[u64], cause: u64) {
        if let Some(Running { number, has_results }) = self.running[lane as usize].take() {
            let shares = if has_results { results.to_vec() } else { Vec::new() };
            self.answer(number, Answer::Done(Operands::new(shares)), cause);
        }
    }

    pub(super) fn answer(&mut self, number: u64, answer: Answer, cause: u64) {
        self.answers.insert(number, Kept { answer, cause, given: false });
    }

    /// Forgets an answer; whether there was one. One that was forgotten before is forgotten.
    pub(super) fn fetched(&mut self, number: u64) -> Result<bool, Error> {
        if self.is_answered(number) {
            Ok(self.answers.remove(&number).is_some())
        } else {
            Err(Error::NotAnswered { number })
        }
    }

    /// Whether a command has an answer, or had one that was fetched.
    pub(super) fn is_answered(&self, number: u64) -> bool {
        number < self.next
            && !self.waiting.iter().any(|(waiting, _)| *waiting == number)
            && !self.running.iter().flatten().any(|running| running.number == number)
    }

    /// The next command of which the client is to be told that it may be forgotten: it is on disk (rule 5).
    pub(super) fn accepted(&mut self, written: u64) -> Option<u64> {
        if let Some(number) = self.asked_again.pop_front() {
            return Some(number);
        }
        self.unwritten.pop_front_if(|(_, lsn)| *lsn <= written).map(|(number, _)| number)
    }

    /// The answers to give now.
    pub(super) fn given(&mut self, written: u64) -> impl Iterator<Item = (u64, Answer)> {
        self.answers.iter_mut().filter(move |(_, kept)| !kept.given && kept.cause <= written).map(
            |(number, kept)| {
                kept.given = true;
                (*number, kept.answer.clone())
            },
        )
    }
}
