//! A primary: P0 or P1.

use std::mem;

use zeroize::Zeroizing;

use super::items::PrimaryStore;
use super::read::{Shift, Write};
use super::update::Update;
use super::{Compute, Paper, Plain, connect, load, preprocessing, read, update};
use crate::Word;
use crate::engine::queries::check_queries;
use crate::engine::step::{Core, Engine, World};
use crate::engine::{Batch, Error, Parameters, Party, UnderWay};
use crate::wire::{Frame, Role};

/// P0 or P1: holds a share of the memory, and shares of addresses and values.
///
/// A READ awaits the other primary's shift, computes, and then awaits the helper's gamma; an UPDATE awaits the other
/// primary's openings and sends what the helper needs.
pub struct Primary<C: Compute = Plain> {
    engine: Engine<PrimaryWorld<C>>,
}

/// What a primary holds between messages.
pub(super) struct PrimaryWorld<C: Compute> {
    pub(super) core: Core,
    /// The other primary.
    pub(super) other: Role,
    pub(super) compute: C,
    pub(super) memory: C::PrimaryMemory,
    pub(super) items: PrimaryStore,
    /// `read_b` of the last READ step.
    pub(super) results: Zeroizing<Vec<Word>>,
}

impl<C: Compute> World for PrimaryWorld<C> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl<C: Compute> Primary<C> {
    /// A primary with a zero memory. The 32 bytes seed all of its random choices and must never be used again.
    ///
    /// # Errors
    ///
    /// [`Error::NotPrimary`] for the helper's role.
    pub fn new(role: Role, parameters: Parameters, seed: [u8; 32], compute: C) -> Result<Self, Error> {
        let other = match role {
            Role::P0 => Role::P1,
            Role::P1 => Role::P0,
            Role::P2 => return Err(Error::NotPrimary { got: role }),
        };
        let world = PrimaryWorld {
            core: Core::new::<Paper>(role, parameters, seed),
            other,
            memory: compute.zero_primary_memory(parameters.log_size()),
            compute,
            items: PrimaryStore::new(),
            results: Zeroizing::default(),
        };
        Ok(Self { engine: Engine::new(world) })
    }

    /// Starts the loading of this primary's share of a memory: n words.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::NotFresh`] after any step but connect,
    /// [`Error::MemoryLength`].
    pub fn load(&mut self, memory_share: Vec<Word>) -> Result<Vec<Frame>, Error> {
        let memory_share = Zeroizing::new(memory_share);
        self.engine.fresh()?;
        let (expected, got) = (self.engine.world.core.parameters().size(), memory_share.len() as u64);
        if got != expected {
            return Err(Error::MemoryLength { expected, got });
        }
        Ok(self.engine.begin(|world| load::begin(world, memory_share)))
    }

    /// Starts a READ step of k independent queries: this primary's address shares, which are taken mod n.
    ///
    /// A share of a result may be fed straight back as a share of an address. Uses k READ items.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        self.engine.ready()?;
        check_queries::<Shift>(self.log_size(), addresses.len())?;
        self.require(Batch { reads: addresses.len(), updates: 0 })?;
        Ok(self.engine.begin(|world| read::begin(world, addresses, None)))
    }

    /// Starts an UPDATE step: k pairs of this primary's shares of an address, taken mod n, and of what is added there.
    ///
    /// Uses k UPDATE items.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
        self.engine.ready()?;
        check_queries::<Update>(self.log_size(), updates.len())?;
        self.require(Batch { reads: 0, updates: updates.len() })?;
        Ok(self.engine.begin(|world| update::begin(world, updates)))
    }

    /// Starts a WRITE: a READ step, and an UPDATE step with `M_b - read_b` as soon as gamma has come
    /// (`[duoram, section 3.1.2]`).
    ///
    /// Uses one READ item and one UPDATE item. The old value is the result of its READ.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    pub fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.engine.ready()?;
        self.require(Batch { reads: 1, updates: 1 })?;
        let write = Box::new(Write { address, value });
        Ok(self.engine.begin(|world| read::begin(world, &[address], Some(write))))
    }

    /// `read_b` for each query of the last READ step, in order; empty if they were taken already.
    pub fn take_results(&mut self) -> Vec<Word> {
        mem::take(&mut *self.engine.world.results)
    }

    /// What this primary holds. For tests only: a party at work shows its memory to its [`Compute`] and to nobody else.
    #[cfg(any(test, feature = "test-util"))]
    pub fn memory(&self) -> &C::PrimaryMemory {
        &self.engine.world.memory
    }

    fn log_size(&self) -> u32 {
        self.engine.world.core.parameters().log_size()
    }

    fn require(&self, needed: Batch) -> Result<(), Error> {
        self.engine.world.items.require(needed)
    }
}

impl<C: Compute> Party for Primary<C> {
    fn role(&self) -> Role {
        self.engine.world.core.role()
    }

    fn awaits(&self) -> Option<Role> {
        self.engine.awaits()
    }

    fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error> {
        self.engine.receive(from, frame)
    }

    fn connect(&mut self) -> Result<Vec<Frame>, Error> {
        self.engine.unconnected()?;
        Ok(self.engine.begin(connect::begin))
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.engine.ready()?;
        preprocessing::check_batch(batch, self.engine.world.core.parameters())?;
        Ok(self.engine.begin(|world| preprocessing::begin(world, batch)))
    }

    fn prepared(&self) -> Batch {
        self.engine.world.items.left()
    }

    fn under_way(&self) -> Option<&UnderWay> {
        self.engine.under_way()
    }
}
