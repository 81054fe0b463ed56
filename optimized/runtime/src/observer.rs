//! Whoever is shown what happens in a session: step by step, what the parties logged and what the owner put in.
//!
//! A trace is written by an observer, and a checker is one. Nobody here is shown what a party holds.

use std::error::Error;

use duoram_reference::{Batch, Operands, Word};

use crate::operation::Row;
use crate::schedule::Piece;
use crate::session::Outcome;

/// The owner's input to an operation, in shares.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inputs {
    /// `i*_0`, `i*_1`
    pub address: [Word; 2],
    /// `M_0`, `M_1`, w words each; of zeros where there is none.
    pub value: [Operands; 2],
}

impl Inputs {
    /// What each primary is given: its shares of the address and of the row, `1 + w` words.
    pub fn operands(&self) -> [Vec<Word>; 2] {
        let of = |primary: usize| [&[self.address[primary]][..], &self.value[primary]].concat();
        [of(0), of(1)]
    }
}

/// Why an observer wants the session to stop. A checker that finds something wrong goes on; a full disk is a reason.
pub type Stop = Box<dyn Error + Send + Sync>;

/// Is shown each step of a session once all parties are done with it. By default it looks away.
///
/// Each function fails if the session is to stop.
#[allow(clippy::missing_errors_doc, reason = "said once, for all of them")]
pub trait Observer {
    /// Whether events hold the frames that were sent, and the shares of a loaded memory are shown: secrets all.
    fn wants_contents(&self) -> bool {
        false
    }

    /// The parties agreed on a key.
    fn connected(&mut self, _outcome: &Outcome) -> Result<(), Stop> {
        Ok(())
    }

    /// A memory was loaded; with its shares if [`Self::wants_contents`].
    fn loaded(
        &mut self,
        _memory: &[Word],
        _shares: Option<&[Vec<Word>; 2]>,
        _outcome: &Outcome,
    ) -> Result<(), Stop> {
        Ok(())
    }

    /// A batch was prepared.
    fn preprocessed(&mut self, _batch: &Batch, _outcome: &Outcome) -> Result<(), Stop> {
        Ok(())
    }

    /// An operation, or a piece of one, was performed: with its input if it begins here, and the shares of its result if it
    /// has one and ends here.
    fn performed(
        &mut self,
        _piece: &Piece,
        _inputs: Option<&Inputs>,
        _result: Option<&[Row; 2]>,
        _outcome: &Outcome,
    ) -> Result<(), Stop> {
        Ok(())
    }
}

/// Nobody.
impl Observer for () {}

/// Somebody who is still needed afterwards.
impl<O: Observer> Observer for &mut O {
    fn wants_contents(&self) -> bool {
        O::wants_contents(self)
    }

    fn connected(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        O::connected(self, outcome)
    }

    fn loaded(
        &mut self,
        memory: &[Word],
        shares: Option<&[Vec<Word>; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        O::loaded(self, memory, shares, outcome)
    }

    fn preprocessed(&mut self, batch: &Batch, outcome: &Outcome) -> Result<(), Stop> {
        O::preprocessed(self, batch, outcome)
    }

    fn performed(
        &mut self,
        piece: &Piece,
        inputs: Option<&Inputs>,
        result: Option<&[Row; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        O::performed(self, piece, inputs, result, outcome)
    }
}

/// Perhaps nobody.
impl<O: Observer> Observer for Option<O> {
    fn wants_contents(&self) -> bool {
        self.as_ref().is_some_and(O::wants_contents)
    }

    fn connected(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        self.as_mut().map_or(Ok(()), |observer| observer.connected(outcome))
    }

    fn loaded(
        &mut self,
        memory: &[Word],
        shares: Option<&[Vec<Word>; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.as_mut().map_or(Ok(()), |observer| observer.loaded(memory, shares, outcome))
    }

    fn preprocessed(&mut self, batch: &Batch, outcome: &Outcome) -> Result<(), Stop> {
        self.as_mut().map_or(Ok(()), |observer| observer.preprocessed(batch, outcome))
    }

    fn performed(
        &mut self,
        piece: &Piece,
        inputs: Option<&Inputs>,
        result: Option<&[Row; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.as_mut().map_or(Ok(()), |observer| observer.performed(piece, inputs, result, outcome))
    }
}

/// Two, one after the other.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn wants_contents(&self) -> bool {
        self.0.wants_contents() || self.1.wants_contents()
    }

    fn connected(&mut self, outcome: &Outcome) -> Result<(), Stop> {
        self.0.connected(outcome)?;
        self.1.connected(outcome)
    }

    fn loaded(
        &mut self,
        memory: &[Word],
        shares: Option<&[Vec<Word>; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.0.loaded(memory, shares, outcome)?;
        self.1.loaded(memory, shares, outcome)
    }

    fn preprocessed(&mut self, batch: &Batch, outcome: &Outcome) -> Result<(), Stop> {
        self.0.preprocessed(batch, outcome)?;
        self.1.preprocessed(batch, outcome)
    }

    fn performed(
        &mut self,
        piece: &Piece,
        inputs: Option<&Inputs>,
        result: Option<&[Row; 2]>,
        outcome: &Outcome,
    ) -> Result<(), Stop> {
        self.0.performed(piece, inputs, result, outcome)?;
        self.1.performed(piece, inputs, result, outcome)
    }
}
