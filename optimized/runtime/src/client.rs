//! The owner of the data: shares its memory, its addresses and its values, and opens what comes back.

use duoram_reference::{Batch, Operands, Parameters, Role, Word};

use crate::Error;
use crate::budget::Budget;
use crate::local_computation::LocalComputation;
use crate::meter::Meter;
use crate::observer::{Inputs, Observer};
use crate::operation::{Operation, Row};
use crate::protocol::{Rules, Runs};
use crate::schedule::Piece;
use crate::seed::Seeds;
use crate::session::Session;
use crate::sharing::{Sharing, opened};
use crate::transport::Transport;

/// The owner with its three parties of the protocol P, and whoever is shown what happens; `()` if nobody is.
pub struct Client<P, O> {
    session: Session,
    sharing: Sharing<P>,
    budget: Budget,
    observer: O,
}

impl<P: Rules, O: Observer> Client<P, O> {
    /// Starts the parties, each with the local computation that `computation` gives it, and connects them.
    ///
    /// # Errors
    ///
    /// Those of [`Session::start`] and [`Session::connect`]; those of the observer; so for all steps.
    pub fn start<C: LocalComputation>(
        parameters: Parameters,
        seeds: &Seeds,
        computation: impl Fn(Role) -> C,
        budget: Budget,
        transport: Transport,
        mut observer: O,
    ) -> Result<Self, Error>
    where
        P: Runs<C>,
    {
        let mut session =
            Session::start::<P, C>(parameters, seeds, computation, transport, observer.wants_contents())?;
        let outcome = session.connect()?;
        observer.connected(&outcome).map_err(Error::Observer)?;
        Ok(Self { session, sharing: Sharing::new(seeds.client), budget, observer })
    }

    /// Shares a memory of n words, or of n rows one behind the other. Without this the memory is zero.
    ///
    /// # Errors
    ///
    /// See [`Self::start`].
    pub fn load(&mut self, memory: &[Word]) -> Result<(), Error> {
        let shares = self.sharing.words(memory);
        let copy = self.observer.wants_contents().then(|| shares.clone());
        let outcome = self.session.load(shares)?;
        self.observer.loaded(memory, copy.as_ref(), &outcome).map_err(Error::Observer)
    }

    /// Has the parties prepare what a window of operations will need, batch by batch. From time to time, and at the end of
    /// each batch, `watch` is told how many items are done, the part of a batch under way included.
    ///
    /// # Errors
    ///
    /// See [`Self::start`].
    pub fn preprocess(&mut self, demand: Batch, mut watch: impl FnMut(f64)) -> Result<(), Error> {
        let mut prepared = 0.0;
        for batch in self.budget.batches(demand) {
            let items = count(batch.reads + batch.updates);
            let part = &mut |share| watch(prepared + share * items);
            let outcome = self
                .session
                .preprocess_watched(Batch { reads: batch.reads, updates: batch.updates }, part)?;
            self.observer.preprocessed(&batch, &outcome).map_err(Error::Observer)?;
            prepared += items;
            watch(prepared);
        }
        Ok(())
    }

    /// Performs an operation, or a piece of one, whose items have been prepared. Opens its result if it has one and ends here.
    ///
    /// # Errors
    ///
    /// See [`Self::start`].
    pub fn perform(&mut self, piece: impl Into<Piece>) -> Result<Option<Row>, Error> {
        let piece = piece.into();
        let row_words = self.session.parameters().row_words();
        // A piece that only goes on takes nothing from the owner.
        let inputs = piece.begins.then(|| self.inputs(&piece.operation, row_words));
        let operands = || inputs.as_ref().map(Inputs::operands).unwrap_or_default();
        let address = inputs.as_ref().map(|inputs| inputs.address);
        let outcome = match piece.operation {
            Operation::Read { .. } => {
                self.session.read(address.unwrap_or_default().map(|share| vec![share]))?
            }
            Operation::Update { .. } => self.session.update(operands())?,
            Operation::Write { .. } => self.session.write(operands())?,
            Operation::Swap { .. } => self.session.swap(operands())?,
            Operation::Chase { steps, .. } => self.session.chase(address, steps, piece.ends)?,
        };
        let result = match piece.operation {
            Operation::Read { .. } | Operation::Swap { .. } | Operation::Chase { .. } if piece.ends => {
                Some(outcome.last_result(row_words)?)
            }
            // A WRITE of the paper's protocol has a result too, that of its READ: the old word, which nobody asked for and which
            // stays shared. A SWAP asks for it.
            _ => None,
        };
        self.observer
            .performed(&piece, inputs.as_ref(), result.as_ref(), &outcome)
            .map_err(Error::Observer)?;
        Ok(result.map(|[share_0, share_1]| opened::<P>([&share_0, &share_1])))
    }

    /// The owner's shares of what it puts into an operation.
    fn inputs(&mut self, operation: &Operation, row_words: usize) -> Inputs {
        let address = self.sharing.word(operation.address());
        // Zeros are shared where there is nothing, so that what is drawn is as much for every kind.
        let nothing = vec![0; row_words];
        let value = self.sharing.words(operation.row().unwrap_or(&nothing)).map(Operands::new);
        Inputs { address, value }
    }

    /// The costs so far.
    pub const fn meter(&self) -> &Meter {
        self.session.meter()
    }
}

#[allow(clippy::cast_precision_loss)] // of what fits memory
const fn count(items: usize) -> f64 {
    items as f64
}
