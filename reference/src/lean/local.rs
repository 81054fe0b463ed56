//! The three parties in one thread, joined by queues: the shortest way to see the protocol run.

use super::{Compute, Helper, Lean, Plain, Primary, Primary0, Primary1};
use crate::Word;
use crate::engine::{Error, Parameters, Party, local};
use crate::wire::{Frame, Role};

/// XOR shares of a word: `[word xor mask, mask]`. The mask must be uniformly random and used once.
pub fn share(word: Word, mask: Word) -> [Word; 2] {
    [word ^ mask, mask]
}

/// The three parties of the lean protocol.
pub struct Parties<C: Compute> {
    pub(super) p0: Primary0<C>,
    pub(super) p1: Primary1<C>,
    pub(super) helper: Helper<C>,
}

/// The three parties and the queues between them: see [`local::LocalSession`].
pub type LocalSession<C = Plain> = local::LocalSession<Parties<C>>;

impl<C: Compute> local::Parties for Parties<C> {
    type Protocol = Lean;

    fn party(&self, role: Role) -> &dyn Party {
        match role {
            Role::P0 => &self.p0,
            Role::P1 => &self.p1,
            Role::P2 => &self.helper,
        }
    }

    fn party_mut(&mut self, role: Role) -> &mut dyn Party {
        match role {
            Role::P0 => &mut self.p0,
            Role::P1 => &mut self.p1,
            Role::P2 => &mut self.helper,
        }
    }
}

impl<C: Compute + Clone> LocalSession<C> {
    /// Three parties with a zero memory; a seed for each.
    pub fn new(parameters: Parameters, seeds: [[u8; 32]; 3], compute: C) -> Self {
        let [seed_0, seed_1, seed_2] = seeds;
        Self::of(Parties {
            p0: Primary0::new(parameters, seed_0, compute.clone()),
            p1: Primary1::new(parameters, seed_1, compute.clone()),
            helper: Helper::new(parameters, seed_2, compute),
        })
    }
}

impl<C: Compute> LocalSession<C> {
    /// Loads a memory from its shares, m words each or, with rows, m w.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn load(&mut self, memory_shares: [Vec<Word>; 2]) -> Result<(), Error> {
        self.calls(memory_shares, |primary, share| primary.load(share), Helper::load)
    }

    /// Reads at shares of addresses; shares of the words there, or of the rows, w words each.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn read(&mut self, addresses: [&[Word]; 2]) -> Result<[Vec<Word>; 2], Error> {
        let count = addresses[0].len();
        self.calls(addresses, |primary, addresses| primary.read(addresses), |helper| helper.read(count))?;
        Ok(self.take_results())
    }

    /// Adds (XOR) at shares of addresses: pairs of an address share and a share of what is added.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn update(&mut self, updates: [&[(Word, Word)]; 2]) -> Result<(), Error> {
        let count = updates[0].len();
        self.calls(updates, |primary, updates| primary.update(updates), |helper| helper.update(count))
    }

    /// Adds (XOR) rows at shares of addresses: k times the share of an address and that of a row, `1 + w` words.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn update_rows(&mut self, count: usize, operands: [&[Word]; 2]) -> Result<(), Error> {
        self.calls(operands, |primary, operands| primary.update_rows(operands), |helper| helper.update(count))
    }

    /// Overwrites a row: shares of the address, and of the new row.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn write_row(&mut self, addresses: [Word; 2], rows: [&[Word]; 2]) -> Result<(), Error> {
        let inputs = [(addresses[0], rows[0]), (addresses[1], rows[1])];
        self.calls(inputs, |primary, (address, row)| primary.write_row(address, row), Helper::write)
    }

    /// Overwrites a row: shares of the address, and of the new row; shares of the old one.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn swap_row(&mut self, addresses: [Word; 2], rows: [&[Word]; 2]) -> Result<[Vec<Word>; 2], Error> {
        let inputs = [(addresses[0], rows[0]), (addresses[1], rows[1])];
        self.calls(inputs, |primary, (address, row)| primary.swap_row(address, row), Helper::swap)?;
        Ok(self.take_results())
    }

    /// Overwrites: shares of the address, and of the new value.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn write(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<(), Error> {
        let inputs = [(addresses[0], values[0]), (addresses[1], values[1])];
        self.calls(inputs, |primary, (address, value)| primary.write(address, value), Helper::write)
    }

    /// Overwrites: shares of the address, and of the new value; shares of the old one.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn swap(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<[Vec<Word>; 2], Error> {
        let inputs = [(addresses[0], values[0]), (addresses[1], values[1])];
        self.calls(inputs, |primary, (address, value)| primary.swap(address, value), Helper::swap)?;
        Ok(self.take_results())
    }

    /// The results of P0 and P1.
    pub fn take_results(&mut self) -> [Vec<Word>; 2] {
        self.primaries_mut().map(Primary::take_results)
    }

    /// One step, started at both primaries and the helper.
    fn calls<I>(
        &mut self,
        [input_0, input_1]: [I; 2],
        primary: impl Fn(&mut dyn Primary, I) -> Result<Vec<Frame>, Error>,
        helper: impl FnOnce(&mut Helper<C>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.step(|parties| {
            let frames = [primary(&mut parties.p0, input_0)?, primary(&mut parties.p1, input_1)?];
            helper(&mut parties.helper)?;
            Ok(frames.concat())
        })
    }

    /// P0 and P1, to call. What they send goes to [`local::LocalSession::post`].
    pub fn primaries_mut(&mut self) -> [&mut dyn Primary; 2] {
        [&mut self.parties.p0, &mut self.parties.p1]
    }

    /// P2, to call. What it sends goes to [`local::LocalSession::post`].
    pub fn helper_mut(&mut self) -> &mut Helper<C> {
        &mut self.parties.helper
    }

    /// The three parties, to look at.
    pub fn parties(&self) -> (&Primary0<C>, &Primary1<C>, &Helper<C>) {
        (&self.parties.p0, &self.parties.p1, &self.parties.helper)
    }
}
