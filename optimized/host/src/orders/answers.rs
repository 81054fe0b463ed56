//! Answers to commands become answers to requests.

use duoram_link::{ClientName, Outcome, Part, Reason, WorkKind};
use duoram_reference::durable::Answer;
use duoram_reference::{Operands, Word};

use super::ledger::{State, refusal};
use super::{Fault, Orders, Said, Side};

/// A step that was ordered for requests.
pub(super) struct Step {
    pub(super) kind: WorkKind,
    /// Whose request, its number, and its count.
    pub(super) parts: Vec<Part>,
    /// The parts whose answers are not acknowledged.
    pub(super) open: usize,
    pub(super) answered: bool,
}

impl Step {
    pub(super) const fn new(kind: WorkKind) -> Self {
        Self { kind, parts: Vec::new(), open: 0, answered: false }
    }

    pub(super) fn push(&mut self, part: &Part, open: bool) {
        self.parts.push(part.clone());
        self.open += usize::from(open);
    }

    /// Nobody wants its answer any more.
    pub(super) const fn is_over(&self) -> bool {
        self.answered && self.open == 0
    }
}

impl Orders {
    /// The party has answered a command: now, or before and was not told that the answer is there.
    pub(crate) fn answered(&mut self, command: u64, answer: &Answer) {
        if let Side::Giving(giving) = &mut self.side {
            giving.stock.end(command, matches!(answer, Answer::Done(_)), self.now);
        }
        let Some(step) = self.steps.get_mut(&command) else {
            // One of several of a step, or of a step that nobody waits for.
            self.out.fetched.push(command);
            return;
        };
        step.answered = true;
        let (kind, parts, is_over) = (step.kind, step.parts.clone(), step.is_over());
        if is_over {
            self.steps.remove(&command);
            self.out.fetched.push(command);
        }
        let mut shares: &[Word] = match answer {
            Answer::Done(shares) => shares,
            Answer::Refused(_) => &[],
        };
        let row_words = self.settings.parameters.row_words() as u64;
        let reversed;
        if self.plants(Fault::CutWrongly) && kind == WorkKind::Read {
            reversed = shares.iter().rev().copied().collect::<Vec<_>>();
            shares = &reversed;
        }
        for Part { client, number, count } in parts {
            let results = usize::try_from(kind.results(count, row_words)).unwrap_or(usize::MAX);
            let outcome = match (answer, shares.split_at_checked(results)) {
                (Answer::Refused(reason), _) => Outcome::Refused(refusal(Reason::Failed, reason)),
                (Answer::Done(_), Some((own, rest))) => {
                    shares = rest;
                    Outcome::Done(Operands::new(own.to_vec()))
                }
                (Answer::Done(_), None) => {
                    Outcome::Refused(refusal(Reason::Failed, "the step has too few results"))
                }
            };
            self.give(command, &client, number, outcome);
        }
    }

    /// Gives a request its answer, if the client still wants it.
    fn give(&mut self, command: u64, client: &ClientName, number: u64, outcome: Outcome) {
        let Some(ledger) = self.clients.get_mut(client) else { return };
        let Some(asked) = ledger.asked.get_mut(&number) else { return };
        let State::Ordered { command: own, outcome: place } = &mut asked.state else { return };
        if *own != command {
            return;
        }
        *place = Some(outcome);
        let told = ledger.told(number);
        self.count(client, number);
        // It follows from a command that is on disk, and its order with it.
        self.out.now.extend(told.map(|told| Said::Client(client.clone(), told)));
    }

    /// Counts a request that has its answer.
    pub(super) fn count(&mut self, client: &ClientName, number: u64) {
        let asked = self.clients.get(client).and_then(|ledger| ledger.asked.get(&number));
        let Some(asked) = asked else { return };
        let took = self.now.saturating_sub(asked.since).as_micros();
        let took = u64::try_from(took).unwrap_or(u64::MAX);
        if asked.state.is_answered() {
            let is_done = matches!(asked.state, State::Ordered { outcome: Some(Outcome::Done(_)), .. });
            self.requests[usize::from(asked.kind.number())].count(asked.count, took, is_done);
        }
    }

    /// A part of a step needs its answer no more.
    pub(super) fn release(&mut self, command: u64) {
        let Some(step) = self.steps.get_mut(&command) else { return };
        step.open = step.open.saturating_sub(1);
        if step.is_over() {
            self.steps.remove(&command);
            self.out.fetched.push(command);
        }
    }
}
