//! The owner of the data: shares its memory, its addresses and its values, and opens what comes back.

use duoram_reference::{Batch, Parameters, Word};

use crate::Error;
use crate::backend::Backend;
use crate::budget::{self, DEFAULT_TREE_BYTES};
use crate::check::{Checker, Inputs};
use crate::event::Event;
use crate::meter::Meter;
use crate::script::Operation;
use crate::seed::Seeds;
use crate::session::{Outcome, Session};
use crate::sharing::{Sharing, open};
use crate::transport::Transport;

/// Sees every event, step by step: a trace is written with it.
pub type Observer<'a> = Box<dyn FnMut(&[Event]) -> Result<(), Error> + 'a>;

/// The owner with its three parties.
pub struct Client<'a> {
    session: Session,
    sharing: Sharing,
    batch: usize,
    checker: Option<Checker>,
    observer: Option<Observer<'a>>,
}

impl<'a> Client<'a> {
    /// Starts the parties and connects them. A checker, if there is one, is shown everything.
    ///
    /// # Errors
    ///
    /// Those of [`Session::start`] and [`Session::connect`]; those of the observer; so for all steps.
    pub fn start<C: Backend>(
        parameters: Parameters,
        seeds: &Seeds,
        backend: &C,
        transport: Transport,
        checker: Option<Checker>,
        observer: Option<Observer<'a>>,
    ) -> Result<Self, Error> {
        let record = checker.as_ref().is_some_and(Checker::wants_frames);
        let session = Session::start(parameters, seeds, backend, transport, record)?;
        let sharing = Sharing::new(seeds.client);
        let batch = budget::batch_items(backend, DEFAULT_TREE_BYTES, parameters.log_size());
        let mut client = Self { session, sharing, batch, checker, observer };
        let outcome = client.session.connect()?;
        client.observe(&outcome)?;
        if let Some(checker) = &mut client.checker {
            checker.connected(&outcome);
        }
        Ok(client)
    }

    /// Prepares at most so many items at once.
    #[must_use]
    pub fn in_batches_of(self, items: usize) -> Self {
        Self { batch: items, ..self }
    }

    /// Shares a memory of n words. Without this the memory is zero.
    ///
    /// # Errors
    ///
    /// See [`Self::start`].
    pub fn load(&mut self, memory: &[Word]) -> Result<(), Error> {
        let shares = self.sharing.words(memory);
        let copy = self.checker.as_ref().filter(|checker| checker.wants_frames()).map(|_| shares.clone());
        let outcome = self.session.load(shares)?;
        self.observe(&outcome)?;
        if let Some(checker) = &mut self.checker {
            checker.loaded(memory, copy.as_ref(), &outcome, &self.session.state()?);
        }
        Ok(())
    }

    /// Has the parties prepare what some operations will need, batch by batch; `done` is told the items of each.
    ///
    /// # Errors
    ///
    /// See [`Self::start`].
    pub fn preprocess(&mut self, demand: Batch, mut done: impl FnMut(usize)) -> Result<(), Error> {
        for batch in budget::batches(self.batch, demand) {
            let outcome = self.session.preprocess(batch)?;
            self.observe(&outcome)?;
            if let Some(checker) = &mut self.checker {
                checker.preprocessed(batch, &outcome);
            }
            done(batch.reads + batch.updates);
        }
        Ok(())
    }

    /// Performs an operation, and opens its result if it has one.
    ///
    /// # Errors
    ///
    /// See [`Self::start`].
    pub fn perform(&mut self, operation: &Operation) -> Result<Option<Word>, Error> {
        let (address, value) = match *operation {
            Operation::Read { address } | Operation::Chase { address, .. } => (address, 0),
            Operation::Update { address, delta } => (address, delta),
            Operation::Write { address, value } => (address, value),
        };
        let inputs = Inputs { address: self.sharing.word(address), value: self.sharing.word(value) };
        let [address_0, address_1] = inputs.address;
        let [value_0, value_1] = inputs.value;
        let outcome = match *operation {
            Operation::Read { .. } => self.session.read([vec![address_0], vec![address_1]])?,
            Operation::Update { .. } => {
                self.session.update([vec![(address_0, value_0)], vec![(address_1, value_1)]])?
            }
            Operation::Write { .. } => self.session.write(inputs.address, inputs.value)?,
            Operation::Chase { steps, .. } => self.session.chase(inputs.address, steps)?,
        };
        self.observe(&outcome)?;
        let result = match operation {
            Operation::Read { .. } | Operation::Chase { .. } => Some(outcome.last_result()?),
            // A WRITE's READ has a result too: the old word, which nobody asked for and which stays shared.
            Operation::Update { .. } | Operation::Write { .. } => None,
        };
        if let Some(checker) = &mut self.checker {
            checker.performed(operation, &inputs, result, &outcome, &self.session.state()?);
        }
        Ok(result.map(open))
    }

    /// The costs so far.
    pub const fn meter(&self) -> &Meter {
        self.session.meter()
    }

    /// What the checker found, if there is one.
    pub const fn checker(&self) -> Option<&Checker> {
        self.checker.as_ref()
    }

    fn observe(&mut self, outcome: &Outcome) -> Result<(), Error> {
        self.observer.as_mut().map_or(Ok(()), |observer| observer(&outcome.events))
    }
}
