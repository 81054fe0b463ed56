//! What is checked while a run goes on, by one who sees everything.

use std::collections::BTreeMap;

use duoram_reference::durable::Answer;
use duoram_reference::{Lane, Role, Word};

use crate::failure::Failure;
use crate::program::Program;
use crate::watched::{Said, place};

/// What was said, and what was answered.
#[derive(Default)]
pub(crate) struct Checks {
    /// Every frame that ever left, by its number on the link.
    said: BTreeMap<(Role, Role, Lane, u64), Vec<u8>>,
    /// The step that a party has said something to another in, with an item.
    used: BTreeMap<(Role, Role, Lane, u64), u64>,
    /// By party: the answers.
    answers: [BTreeMap<usize, Vec<Word>>; 3],
}

impl Checks {
    /// A frame leaves. No item is said twice: what a party says to another with an item, it says in one operation, and in the same
    /// words whenever it says it again.
    pub(crate) fn say(
        &mut self,
        (from, to, lane, number): (Role, Role, Lane, u64),
        frame: &[u8],
        all: &mut Said,
    ) -> Result<(), Failure> {
        let said = self.said.entry((from, to, lane, number)).or_insert_with(|| frame.to_vec());
        if said != frame {
            return Err(Failure::OtherWords { from, to, lane, number });
        }
        let Some(place) = place(from, lane, frame) else { return Ok(()) };
        all.words.insert(place, frame.to_vec());
        let second = place.3;
        for item in all.items.get(&place).into_iter().flatten() {
            let first = *self.used.entry((from, to, lane, *item)).or_insert(second);
            if first != second {
                return Err(Failure::ItemTwice { from, to, lane, item: *item, first, second });
            }
        }
        Ok(())
    }

    /// A party answers a command. When both primaries have, the results are those of an ideal RAM (Lemma 1).
    pub(crate) fn answer(
        &mut self,
        party: Role,
        number: usize,
        answer: Answer,
        program: &Program,
    ) -> Result<(), Failure> {
        let shares = match answer {
            Answer::Done(shares) => shares.to_vec(),
            Answer::Refused(reason) => return Err(Failure::Command { party, number, reason }),
        };
        let answers = &mut self.answers[party.index()];
        if answers.insert(number, shares.clone()).is_some_and(|before| before != shares) {
            return Err(Failure::TwoAnswers { party, number });
        }
        // P0 and P1 are given the same commands.
        let [Some(of_0), Some(of_1)] = [0, 1].map(|primary: usize| self.answers[primary].get(&number)) else {
            return Ok(());
        };
        let step = program.step_of(Role::P0, number);
        let expected = &program.ideal.results[step];
        let got: Vec<_> = of_0.iter().zip(of_1).map(|(a, b)| program.protocol.add(*a, *b)).collect();
        if got == *expected && of_0.len() == of_1.len() {
            return Ok(());
        }
        Err(Failure::Results { step, name: program.steps[step].name(), expected: expected.clone(), got })
    }

    /// How many commands a party has answered.
    pub(crate) fn answered(&self, party: Role) -> usize {
        self.answers[party.index()].len()
    }

    /// How many frames there were, however often they left.
    pub(crate) fn frames(&self) -> usize {
        self.said.len()
    }
}
