//! The three parties in one thread, joined by queues: the shortest way to see the protocol run.

use std::collections::VecDeque;

use super::{Compute, Helper, Plain, Primary};
use crate::Word;
use crate::engine::{Batch, Error, Parameters, Party};
use crate::wire::{Frame, Role};

/// Additive shares of a word: `[word - mask, mask]`. The mask must be uniformly random and used once.
pub fn share(word: Word, mask: Word) -> [Word; 2] {
    [word.wrapping_sub(mask), mask]
}

/// A frame that was delivered, and its depth: the length of the longest chain of messages of this step that ends with it.
/// The largest depth of a step is its number of sequential messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// The frame.
    pub frame: Frame,
    /// 1 for a message that waits for no other, and so on.
    pub depth: u32,
}

/// The three parties, the queues between them, and a log.
///
/// Each call that starts a step runs it to its end. Values come as pairs of shares, P0's first. After an error of one
/// party the three may be out of step, and the session is of no more use.
pub struct LocalSession<C: Compute = Plain> {
    primaries: [Primary<C>; 2],
    helper: Helper<C>,
    /// From, to.
    links: [[VecDeque<Delivery>; 3]; 3],
    /// The depth of the deepest frame each party has received in this step.
    depths: [u32; 3],
    log: Option<Vec<Delivery>>,
}

impl<C: Compute + Clone> LocalSession<C> {
    /// Three parties with a zero memory; a seed for each.
    ///
    /// # Errors
    ///
    /// None for valid parameters.
    pub fn new(parameters: Parameters, seeds: [[u8; 32]; 3], compute: C) -> Result<Self, Error> {
        let [seed_0, seed_1, seed_2] = seeds;
        Ok(Self {
            primaries: [
                Primary::new(Role::P0, parameters, seed_0, compute.clone())?,
                Primary::new(Role::P1, parameters, seed_1, compute.clone())?,
            ],
            helper: Helper::new(parameters, seed_2, compute),
            links: Default::default(),
            depths: [0; 3],
            log: None,
        })
    }
}

impl<C: Compute> LocalSession<C> {
    /// Agrees on the session's key.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn connect(&mut self) -> Result<(), Error> {
        self.begin();
        for role in Role::ALL {
            let frames = self.party_mut(role).connect()?;
            self.post(frames);
        }
        self.run()
    }

    /// Loads a memory from its shares, n words each.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn load(&mut self, memory_shares: [Vec<Word>; 2]) -> Result<(), Error> {
        self.begin();
        for (b, memory_share) in memory_shares.into_iter().enumerate() {
            let frames = self.primaries[b].load(memory_share)?;
            self.post(frames);
        }
        self.helper.load()?;
        self.run()
    }

    /// Makes items for a batch of operations.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn preprocess(&mut self, batch: Batch) -> Result<(), Error> {
        self.begin();
        for role in Role::ALL {
            let frames = self.party_mut(role).preprocess(batch)?;
            self.post(frames);
        }
        self.run()
    }

    /// Reads at shares of addresses; shares of the words there.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn read(&mut self, addresses: [&[Word]; 2]) -> Result<[Vec<Word>; 2], Error> {
        self.begin();
        for (b, addresses) in addresses.into_iter().enumerate() {
            let frames = self.primaries[b].read(addresses)?;
            self.post(frames);
        }
        self.helper.read(addresses[0].len())?;
        self.run()?;
        Ok(self.primaries.each_mut().map(Primary::take_results))
    }

    /// Adds at shares of addresses: pairs of an address share and a share of what is added.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn update(&mut self, updates: [&[(Word, Word)]; 2]) -> Result<(), Error> {
        self.begin();
        for (b, updates) in updates.into_iter().enumerate() {
            let frames = self.primaries[b].update(updates)?;
            self.post(frames);
        }
        self.helper.update(updates[0].len())?;
        self.run()
    }

    /// Overwrites: shares of the address, and of the new value.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn write(&mut self, addresses: [Word; 2], values: [Word; 2]) -> Result<(), Error> {
        self.begin();
        for (b, (address, value)) in addresses.into_iter().zip(values).enumerate() {
            let frames = self.primaries[b].write(address, value)?;
            self.post(frames);
        }
        self.helper.write()?;
        self.run()
    }

    /// A party, to look at.
    pub fn party(&self, role: Role) -> &dyn Party {
        match role {
            Role::P0 => &self.primaries[0],
            Role::P1 => &self.primaries[1],
            Role::P2 => &self.helper,
        }
    }

    /// A party, to call. What it sends goes to [`LocalSession::post`].
    pub fn party_mut(&mut self, role: Role) -> &mut dyn Party {
        match role {
            Role::P0 => &mut self.primaries[0],
            Role::P1 => &mut self.primaries[1],
            Role::P2 => &mut self.helper,
        }
    }

    /// P0 and P1, to look at.
    pub fn primaries(&self) -> &[Primary<C>; 2] {
        &self.primaries
    }

    /// P0 and P1, to call. What they send goes to [`LocalSession::post`].
    pub fn primaries_mut(&mut self) -> &mut [Primary<C>; 2] {
        &mut self.primaries
    }

    /// P2, to look at.
    pub fn helper(&self) -> &Helper<C> {
        &self.helper
    }

    /// P2, to call. What it sends goes to [`LocalSession::post`].
    pub fn helper_mut(&mut self) -> &mut Helper<C> {
        &mut self.helper
    }

    /// Starts the counting of sequential messages anew: the next step begins.
    pub fn begin(&mut self) {
        self.depths = [0; 3];
    }

    /// Puts frames on their links.
    pub fn post(&mut self, frames: Vec<Frame>) {
        for frame in frames {
            let (from, to) = (frame.from.index(), frame.to.index());
            self.links[from][to].push_back(Delivery { frame, depth: self.depths[from] + 1 });
        }
    }

    /// The frames on a link that are not delivered yet, the oldest first.
    pub fn pending(&self, from: Role, to: Role) -> impl Iterator<Item = &Frame> {
        self.links[from.index()][to.index()].iter().map(|delivery| &delivery.frame)
    }

    /// The link on which the next frame is delivered: to the first party that has what it awaits.
    pub fn next(&self) -> Option<(Role, Role)> {
        Role::ALL.into_iter().find_map(|to| {
            let from = self.party(to).awaits()?;
            self.pending(from, to).next().map(|_| (from, to))
        })
    }

    /// Delivers one frame; whether there was one.
    ///
    /// # Errors
    ///
    /// The receiver's.
    pub fn deliver(&mut self) -> Result<bool, Error> {
        let Some((from, to)) = self.next() else { return Ok(false) };
        let Some(delivery) = self.links[from.index()][to.index()].pop_front() else { return Ok(false) };
        let depth = &mut self.depths[to.index()];
        *depth = delivery.depth.max(*depth);
        let frames = self.party_mut(to).receive(from, &delivery.frame.bytes)?;
        self.post(frames);
        if let Some(log) = &mut self.log {
            log.push(delivery);
        }
        Ok(true)
    }

    /// Delivers frames until no party has what it awaits.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn run(&mut self) -> Result<(), Error> {
        while self.deliver()? {}
        Ok(())
    }

    /// Keeps a log from here on. It holds what the parties said to each other: for tests and for learning only.
    pub fn record(&mut self) {
        self.log.get_or_insert_default();
    }

    /// The frames delivered since the last call, if [`LocalSession::record`] was called.
    pub fn take_log(&mut self) -> Vec<Delivery> {
        self.log.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
