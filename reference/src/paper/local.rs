//! The three parties in one thread, joined by queues: the shortest way to see the protocol run.

use super::{Compute, Helper, Paper, Plain, Primary};
use crate::Word;
pub use crate::engine::local::Delivery;
use crate::engine::{Error, Parameters, Party, local};
use crate::wire::Role;

/// Additive shares of a word: `[word - mask, mask]`. The mask must be uniformly random and used once.
pub fn share(word: Word, mask: Word) -> [Word; 2] {
    [word.wrapping_sub(mask), mask]
}

/// The three parties of the paper's protocol.
pub struct Parties<C: Compute> {
    primaries: [Primary<C>; 2],
    helper: Helper<C>,
}

/// The three parties and the queues between them: see [`local::LocalSession`].
pub type LocalSession<C = Plain> = local::LocalSession<Parties<C>>;

impl<C: Compute> local::Parties for Parties<C> {
    type Protocol = Paper;

    fn party(&self, role: Role) -> &dyn Party {
        match role {
            Role::P0 => &self.primaries[0],
            Role::P1 => &self.primaries[1],
            Role::P2 => &self.helper,
        }
    }

    fn party_mut(&mut self, role: Role) -> &mut dyn Party {
        match role {
            Role::P0 => &mut self.primaries[0],
            Role::P1 => &mut self.primaries[1],
            Role::P2 => &mut self.helper,
        }
    }
}

impl<C: Compute + Clone> LocalSession<C> {
    /// Three parties with a zero memory; a seed for each.
    ///
    /// # Errors
    ///
    /// None for valid parameters.
    pub fn new(parameters: Parameters, seeds: [[u8; 32]; 3], compute: C) -> Result<Self, Error> {
        let [seed_0, seed_1, seed_2] = seeds;
        Ok(Self::of(Parties {
            primaries: [
                Primary::new(Role::P0, parameters, seed_0, compute.clone())?,
                Primary::new(Role::P1, parameters, seed_1, compute.clone())?,
            ],
            helper: Helper::new(parameters, seed_2, compute),
        }))
    }
}

impl<C: Compute> LocalSession<C> {
    /// Loads a memory from its shares, n words each.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn load(&mut self, memory_shares: [Vec<Word>; 2]) -> Result<(), Error> {
        self.step(|Parties { primaries: [p0, p1], helper }| {
            let [share_0, share_1] = memory_shares;
            let frames = [p0.load(share_0)?, p1.load(share_1)?];
            helper.load()?;
            Ok(frames.concat())
        })
    }

    /// Reads at shares of addresses; shares of the words there.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn read(&mut self, addresses: [&[Word]; 2]) -> Result<[Vec<Word>; 2], Error> {
        self.step(|Parties { primaries: [p0, p1], helper }| {
            let frames = [p0.read(addresses[0])?, p1.read(addresses[1])?];
            helper.read(addresses[0].len())?;
            Ok(frames.concat())
        })?;
        Ok(self.parties.primaries.each_mut().map(Primary::take_results))
    }

    /// Adds at shares of addresses: pairs of an address share and a share of what is added.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn update(&mut self, updates: [&[(Word, Word)]; 2]) -> Result<(), Error> {
        self.step(|Parties { primaries: [p0, p1], helper }| {
            let frames = [p0.update(updates[0])?, p1.update(updates[1])?];
            helper.update(updates[0].len())?;
            Ok(frames.concat())
        })
    }

    /// Overwrites: shares of the address, and of the new value.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn write(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<(), Error> {
        self.step(|Parties { primaries: [p0, p1], helper }| {
            let frames = [p0.write(addresses[0], values[0])?, p1.write(addresses[1], values[1])?];
            helper.write()?;
            Ok(frames.concat())
        })
    }

    /// P0 and P1, to look at.
    pub fn primaries(&self) -> &[Primary<C>; 2] {
        &self.parties.primaries
    }

    /// P0 and P1, to call. What they send goes to [`local::LocalSession::post`].
    pub fn primaries_mut(&mut self) -> &mut [Primary<C>; 2] {
        &mut self.parties.primaries
    }

    /// P2, to look at.
    pub fn helper(&self) -> &Helper<C> {
        &self.parties.helper
    }

    /// P2, to call. What it sends goes to [`local::LocalSession::post`].
    pub fn helper_mut(&mut self) -> &mut Helper<C> {
        &mut self.parties.helper
    }
}
