//! Comparison with the specification, while a session runs.
//!
//! Three things are compared, and which of them were is said in the end:
//!
//! - (a) every opened result, with the specification's ideal memory: a plain array, or of rows one for each column;
//! - (b) the states of all parties after every operation, with Lemmas 2 and 3;
//! - (c) every message and every share, with the specification's transcript of the same session on the same random
//!   words. The specification computes AES bit by bit, so this is for memories of up to 2^10 words.
//!
//! Where (c) is done, the specification's own session is put to (a) and (b) as well: [`Layer::Spec`].

pub mod cases;
pub mod transcript;

use std::fmt;
use std::ops::AddAssign;

use duoram_reference::{Batch, Parameters, Role, Word};
use duoram_spec::core::ideal;
use serde::Serialize;

use crate::audit::{Audited, Audits, Expected, Follower};
use duoram_runtime::local_computation::{Extent, LocalComputation};
use duoram_runtime::observer::{Inputs, Observer, Stop};
use duoram_runtime::operation::{Operation, Row};
use duoram_runtime::schedule::Piece;
use duoram_runtime::seed::Seeds;
use duoram_runtime::session::Outcome;
use duoram_runtime::sharing::opened;

/// The largest memory whose transcript is compared, in words.
pub const TRANSCRIPT_LOG_SIZE: u32 = 10;

/// Whether the transcript of a session is compared.
fn follows(parameters: &Parameters) -> bool {
    parameters.words() <= 1 << TRANSCRIPT_LOG_SIZE
}

/// Rows as columns.
fn columns(rows: &[Word], row_words: usize) -> Vec<Vec<Word>> {
    (0..row_words).map(|column| rows.iter().skip(column).step_by(row_words).copied().collect()).collect()
}

/// Mismatches are counted without limit, but only so many are described.
const MOST_DESCRIBED: usize = 20;

/// What was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// The specification's session with the ideal memory.
    Spec,
    /// The parties, with whatever computation, with the specification.
    Parties,
}

impl fmt::Display for Layer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Spec => "specification",
            Self::Parties => "parties",
        })
    }
}

/// Something that is not as the specification says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Mismatch {
    /// Whose fault it is.
    pub layer: Layer,
    /// The step or the operation.
    pub operation: String,
    /// Expected, and got.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({}): {}", self.operation, self.layer, self.what)
    }
}

/// How many comparisons were made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// (a) opened results equal to the ideal memory's.
    pub results: u64,
    /// (b) states put to Lemmas 2 and 3.
    pub states: u64,
    /// (c) messages compared with the transcript.
    pub messages: u64,
    /// (c) states and shares of results compared with the transcript's.
    pub shares: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.results += other.results;
        self.states += other.states;
        self.messages += other.messages;
        self.shares += other.shares;
    }
}

/// Follows one session of the protocol P.
pub struct Checker<P: Audited> {
    /// n
    addresses: u64,
    /// Where the parties' states are found.
    slots: P::Slots,
    /// The ideal memory: for each column an array of m words.
    memory: Vec<Vec<Word>>,
    /// What the parties' states opened to after the operation before.
    opened: Vec<Word>,
    /// The same of the specification's session.
    spec_opened: Vec<Word>,
    follower: Option<P::Follower>,
    number: u64,
    /// The row that a chase got to in the ideal memory.
    reached: Row,
    /// Its shares in the specification's session.
    reached_shares: [Word; 2],
    tally: Tally,
    mismatches: Vec<Mismatch>,
    count: u64,
}

impl<P: Audited> Checker<P> {
    /// For a session with these parameters and seeds; `loads` says whether it starts with a memory or with zeros, and
    /// `demand` what it will prepare in all.
    pub fn new(parameters: Parameters, seeds: &Seeds, loads: bool, demand: Batch) -> Self {
        let zeros = vec![0; parameters.words()];
        Self {
            addresses: parameters.size(),
            slots: P::Slots::default(),
            memory: columns(&zeros, parameters.row_words()),
            opened: zeros.clone(),
            spec_opened: zeros,
            follower: follows(&parameters).then(|| P::Follower::new(parameters, seeds, loads, demand)),
            number: 0,
            reached: Row::new(),
            reached_shares: [0; 2],
            tally: Tally::default(),
            mismatches: Vec::new(),
            count: 0,
        }
    }

    /// About how many bytes a checker keeps and makes: copies of the states, each copied again to be looked at, and some nine
    /// vectors besides; where the transcript is compared, also the random words of the whole session, which the specification
    /// is given in advance.
    pub fn bytes(parameters: Parameters, demand: Batch) -> u64 {
        let extent = Extent::from(&parameters);
        let tapes = if follows(&parameters) { P::Follower::bytes(extent, demand) } else { 0 };
        extent.vector_bytes(2 * 8 + 9).saturating_add(tapes)
    }

    /// Whether the transcript is compared.
    pub const fn follows_transcript(&self) -> bool {
        self.follower.is_some()
    }

    /// The local computation of each party of the session that is to be checked: one that shows its memory to this checker.
    pub fn watch<C: LocalComputation>(&self, computation: &C) -> impl Fn(Role) -> P::Watched + use<P, C>
    where
        P: Audits<C>,
    {
        let (computation, slots) = (computation.clone(), self.slots.clone());
        move |role| P::watched(computation.clone(), role, slots.clone())
    }

    /// How many comparisons were made.
    pub const fn tally(&self) -> &Tally {
        &self.tally
    }

    /// How many of them failed.
    pub const fn mismatches(&self) -> u64 {
        self.count
    }

    /// The first of them.
    pub fn described(&self) -> &[Mismatch] {
        &self.mismatches
    }

    /// The row that the ideal memory has at an address.
    fn ideal_row(&self, address: Word) -> Row {
        self.memory.iter().map(|column| ideal::get(column, address)).collect()
    }

    /// The ideal memory takes the operation: what it returns if it ends here, and what it adds where.
    fn ideal(&mut self, piece: &Piece) -> (Option<Row>, (u64, Row)) {
        let n = self.addresses;
        let zeros = vec![0; self.memory.len()];
        match &piece.operation {
            Operation::Read { address } => (Some(self.ideal_row(*address)), (*address, zeros)),
            Operation::Chase { address, steps } => {
                let from = if piece.begins { vec![*address] } else { std::mem::take(&mut self.reached) };
                let next = |row: Row| row.first().copied().unwrap_or_default() % n;
                self.reached = (0..*steps).fold(from, |row, _| self.ideal_row(next(row)));
                (piece.ends.then(|| self.reached.clone()), (*address, zeros))
            }
            Operation::Update { address, delta } => {
                for (column, &delta) in self.memory.iter_mut().zip(delta) {
                    *column = P::ideal_update(column, *address, delta);
                }
                (None, (*address, delta.clone()))
            }
            Operation::Write { address, value } | Operation::Swap { address, value } => {
                let old = self.ideal_row(*address);
                for (column, &value) in self.memory.iter_mut().zip(value) {
                    *column = ideal::step(column, &ideal::Operation::Write { address: *address, value }).0;
                }
                // What makes the one of the other.
                let change = |(&value, &old)| {
                    let [_, change] = P::share(value, old);
                    change
                };
                let change = value.iter().zip(&old).map(change).collect();
                let result = matches!(piece.operation, Operation::Swap { .. }).then_some(old);
                (result, (*address, change))
            }
        }
    }

    /// The specification's own session against the ideal memory and the lemmas.
    fn check_specification(
        &mut self,
        name: &str,
        expected: Option<&Row>,
        got: Option<&Row>,
        change: (u64, &[Word]),
    ) {
        if expected != got {
            self.report(Layer::Spec, name, wrong_result(expected, got));
        }
        let Some(view) = self.follower.as_ref().and_then(Follower::view) else { return };
        let faults = P::faults(&self.spec_opened, &view, change);
        self.spec_opened = P::opened(&view);
        for fault in faults {
            self.report(Layer::Spec, name, fault);
        }
    }

    fn compare_messages(&mut self, name: &str, step: &Expected, outcome: &Outcome) {
        let (compared, differences) = transcript::compare::<P>(&step.sent, &outcome.events, step.session);
        self.tally.messages += compared;
        for difference in differences {
            self.report(Layer::Parties, name, difference);
        }
    }

    fn compare_states(&mut self, name: &str, got: &P::View) {
        let Some(expected) = self.follower.as_ref().and_then(Follower::view) else { return };
        let difference = P::difference(&expected, got);
        self.tally.shares += 1;
        if let Some(difference) = difference {
            self.report(Layer::Parties, name, difference);
        }
    }

    /// What the parties hold now.
    fn view(&mut self, name: &str) -> Option<P::View> {
        let view = P::view(&self.slots);
        if view.is_none() {
            self.report(Layer::Parties, name, "a party has not shown its memory".to_owned());
        }
        view
    }

    fn report(&mut self, layer: Layer, operation: &str, what: String) {
        self.count += 1;
        if self.mismatches.len() < MOST_DESCRIBED {
            self.mismatches.push(Mismatch { layer, operation: operation.to_owned(), what });
        }
    }
}

impl<P: Audited> Observer for Checker<P> {
    /// For the transcript.
    fn wants_contents(&self) -> bool {
        self.follows_transcript()
    }

    fn connected(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        if let Some(follower) = &mut self.follower {
            let step = follower.connect();
            self.compare_messages("connect", &step, outcome);
        }
        Ok(())
    }

    fn loaded(
        &mut self,
        memory: &[Word],
        shares: Option<&[Vec<Word>; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        let Some(view) = self.view("load") else { return Ok(()) };
        self.memory = columns(memory, self.memory.len());
        self.opened = P::opened(&view);
        if self.opened != memory {
            self.report(Layer::Parties, "load", "the shares do not open to the memory".to_owned());
        }
        if let (Some(follower), Some([share_0, share_1])) = (&mut self.follower, shares) {
            let step = follower.load(share_0, share_1);
            self.compare_messages("load", &step, outcome);
            self.compare_states("load", &view);
        }
        if let Some(view) = self.follower.as_ref().and_then(Follower::view) {
            self.spec_opened = P::opened(&view);
            if self.spec_opened != memory {
                self.report(Layer::Spec, "load", "the shares do not open to the memory".to_owned());
            }
        }
        Ok(())
    }

    fn preprocessed(&mut self, batch: &Batch, outcome: &Outcome) -> Result<(), Stop> {
        if let Some(follower) = &mut self.follower {
            let step = follower.preprocess(batch);
            self.compare_messages("preprocess", &step, outcome);
        }
        Ok(())
    }

    fn performed(
        &mut self,
        piece: &Piece,
        inputs: Option<&Inputs>,
        result: Option<&[Row; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.number += u64::from(piece.begins);
        let operation = &piece.operation;
        let name = format!("operation {} ({operation})", self.number);
        let Some(view) = self.view(&name) else { return Ok(()) };
        let (expected, (address, row)) = self.ideal(piece);
        let (expected, change) = (expected.as_ref(), (address, &row[..]));
        let open = |[share_0, share_1]: &[Row; 2]| opened::<P>([share_0, share_1]);

        let got = result.map(open);
        if expected != got.as_ref() {
            self.report(Layer::Parties, &name, wrong_result(expected, got.as_ref()));
        }
        self.tally.results += u64::from(expected.is_some());

        for fault in P::faults(&self.opened, &view, change) {
            self.report(Layer::Parties, &name, fault);
        }
        self.tally.states += 1;

        if let Some(follower) = &mut self.follower {
            let step = follower.perform(operation, inputs, &mut self.reached_shares);
            self.compare_messages(&name, &step, outcome);
            self.compare_states(&name, &view);
            let spec_result = expected.and(step.results.last());
            if let (Some(expected), Some(got)) = (spec_result, result) {
                self.tally.shares += 1;
                if expected != got {
                    let what = format!("expected the shares {expected:?} of the result, got {got:?}");
                    self.report(Layer::Parties, &name, what);
                }
            }
            let spec_result = spec_result.map(open);
            self.check_specification(&name, expected, spec_result.as_ref(), change);
        }
        self.opened = P::opened(&view);
        Ok(())
    }
}

fn wrong_result(expected: Option<&Row>, got: Option<&Row>) -> String {
    let words = |row: &Row| row.iter().map(Word::to_string).collect::<Vec<_>>().join(" ");
    let show = |row: Option<&Row>| row.map_or("no result".to_owned(), words);
    format!("expected the result {}, got {}", show(expected), show(got))
}

#[cfg(test)]
mod tests {
    use duoram_reference::SessionId;
    use duoram_reference::lean::Lean;

    use super::*;

    #[test]
    fn a_checker_counts_all_words_of_rows_and_follows_as_many_as_of_words() {
        let of = |log_size, row_words| {
            Extent::of(log_size, row_words).parameters(SessionId([0; 16])).expect("a size that there is")
        };
        let bytes = |parameters| Checker::<Lean>::bytes(parameters, Batch { reads: 3, updates: 4 });
        assert_eq!(bytes(of(11, 8)), 8 * bytes(of(11, 1)));
        assert!(follows(&of(10, 1)) && follows(&of(7, 8)) && !follows(&of(7, 9)) && !follows(&of(11, 1)));
        // The tapes of a session that is followed.
        let tapes = |row_words: usize| bytes(of(3, row_words)) - 25 * 8 * 8 * row_words as u64;
        assert!(tapes(8) > 8 * tapes(1) && tapes(1) > 0, "{} {}", tapes(8), tapes(1));
    }

    #[test]
    fn columns_have_a_word_of_every_row() {
        assert_eq!(columns(&[1, 2, 3, 4, 5, 6], 3), [[1, 4], [2, 5], [3, 6]]);
        assert_eq!(columns(&[1, 2], 1), [[1, 2]]);
    }
}
