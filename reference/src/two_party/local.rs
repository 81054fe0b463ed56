//! Both parties in one thread, joined by queues: the shortest way to see the protocol run.

use super::{Compute, Pir, Plain, PlainPir, Primary, TwoParty};
use crate::Word;
use crate::engine::{Error, Parameters, Party, local};
pub use crate::paper::local::share;
use crate::wire::{Frame, Role};

/// The parties of the two-party protocol.
pub struct Parties<C: Compute, P: Pir> {
    primaries: [Primary<C, P>; 2],
}

/// Both parties and the queues between them: see [`local::LocalSession`].
pub type LocalSession<C = Plain, P = PlainPir> = local::LocalSession<Parties<C, P>>;

/// There is no P2, and nobody asks for it ([`TwoParty`]'s roles): who does gets P1.
impl<C: Compute, P: Pir> local::Parties for Parties<C, P> {
    type Protocol = TwoParty;

    fn party(&self, role: Role) -> &dyn Party {
        &self.primaries[usize::from(role != Role::P0)]
    }

    fn party_mut(&mut self, role: Role) -> &mut dyn Party {
        &mut self.primaries[usize::from(role != Role::P0)]
    }
}

impl<C: Compute + Clone, P: Pir> LocalSession<C, P> {
    /// Two parties with a zero memory; a seed for each.
    ///
    /// # Errors
    ///
    /// [`Error::LogSizeOutOfRange`]: answers would not fit a payload.
    pub fn new(parameters: Parameters, seeds: [[u8; 32]; 2], compute: C, pir: P) -> Result<Self, Error> {
        let [seed_0, seed_1] = seeds;
        Ok(Self::of(Parties {
            primaries: [
                Primary::new(Role::P0, parameters, seed_0, compute.clone(), pir.clone())?,
                Primary::new(Role::P1, parameters, seed_1, compute, pir)?,
            ],
        }))
    }
}

impl<C: Compute, P: Pir> LocalSession<C, P> {
    /// Calls both parties, and runs the step to its end.
    fn both(
        &mut self,
        mut call: impl FnMut(usize, &mut Primary<C, P>) -> Result<Vec<Frame>, Error>,
    ) -> Result<(), Error> {
        self.step(|Parties { primaries: [p0, p1] }| Ok([call(0, p0)?, call(1, p1)?].concat()))
    }

    /// Loads a memory from its shares, n words each.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn load(&mut self, mut memory_shares: [Vec<Word>; 2]) -> Result<(), Error> {
        self.both(|b, party| party.load(std::mem::take(&mut memory_shares[b])))
    }

    /// Reads at shares of addresses; shares of the words there.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn read(&mut self, addresses: [&[Word]; 2]) -> Result<[Vec<Word>; 2], Error> {
        self.both(|b, party| party.read(addresses[b]))?;
        Ok(self.parties.primaries.each_mut().map(Primary::take_results))
    }

    /// Adds at shares of addresses: pairs of an address share and a share of what is added.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn update(&mut self, updates: [&[(Word, Word)]; 2]) -> Result<(), Error> {
        self.both(|b, party| party.update(updates[b]))
    }

    /// Overwrites: shares of the address, and of the new value.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn write(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<(), Error> {
        self.both(|b, party| party.write(addresses[b], values[b]))
    }

    /// Overwrites, and yields shares of the old word.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn swap(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<[Vec<Word>; 2], Error> {
        self.both(|b, party| party.swap(addresses[b], values[b]))?;
        Ok(self.parties.primaries.each_mut().map(Primary::take_results))
    }

    /// P0 and P1, to look at.
    pub fn primaries(&self) -> &[Primary<C, P>; 2] {
        &self.parties.primaries
    }

    /// P0 and P1, to call. What they send goes to [`local::LocalSession::post`].
    pub fn primaries_mut(&mut self) -> &mut [Primary<C, P>; 2] {
        &mut self.parties.primaries
    }
}
