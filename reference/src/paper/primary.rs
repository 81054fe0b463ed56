//! A primary: P0 or P1.

use zeroize::Zeroizing;

use super::items::{PrimaryStore, ReadItem, UpdateItem};
use super::load::Loading;
use super::read::{Shift, Write};
use super::update::Update;
use super::{Compute, Paper, Plain, connect, load, preprocessing, read, update};
use crate::Word;
use crate::engine::items::Store;
use crate::engine::lasting::{Steps, pair, pairs};
use crate::engine::queries::check_queries;
use crate::engine::results::Results;
use crate::engine::saved::Saving;
use crate::engine::step::{Core, Engine, World};
use crate::engine::{
    Aside, Batch, Error, Lane, NotAside, Parameters, Party, SavedMemory, UnderWay, check_piece,
};
use crate::wire::{Frame, Role};

/// P0 or P1: holds a share of the memory, and shares of addresses and values.
///
/// A READ awaits the other primary's shift, computes, and then awaits the helper's gamma; an UPDATE awaits the other
/// primary's openings and sends what the helper needs.
pub struct Primary<C: Compute = Plain> {
    engine: Engine<PrimaryWorld<C>>,
}

/// What a primary holds between messages.
pub(crate) struct PrimaryWorld<C: Compute> {
    pub(super) core: Core,
    /// The other primary.
    pub(super) other: Role,
    pub(super) compute: C,
    pub(super) memory: C::PrimaryMemory,
    pub(super) items: PrimaryStore,
    /// `read_b` of the last READ step.
    pub(super) results: Results,
    /// The load under way.
    pub(super) loading: Option<Box<Loading>>,
}

impl<C: Compute> World for PrimaryWorld<C> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl<C: Compute> Saving for PrimaryWorld<C> {
    type Compute = C;
    type Read = ReadItem;
    type Update = UpdateItem;

    fn compute(&self) -> &C {
        &self.compute
    }

    fn items(&self) -> &Store<ReadItem, UpdateItem> {
        &self.items
    }

    fn items_mut(&mut self) -> &mut Store<ReadItem, UpdateItem> {
        &mut self.items
    }

    fn results(&self) -> &Results {
        &self.results
    }

    fn results_mut(&mut self) -> &mut Results {
        &mut self.results
    }

    fn vectors(&self) -> usize {
        self.compute.primary_vectors(&self.memory)
    }

    fn memory(&self) -> SavedMemory<'_> {
        let aside = self.compute.put_aside_primary(&self.memory);
        SavedMemory::of(aside, || self.compute.primary_words(&self.memory))
    }

    fn set_vectors(&mut self, vectors: Vec<Vec<Word>>) {
        self.memory = self.compute.primary_from_words(vectors);
    }

    fn set_aside(&mut self, aside: Aside) -> Result<(), NotAside> {
        self.memory = self.compute.take_aside_primary(aside, self.core.parameters().log_size())?;
        Ok(())
    }
}

impl<C: Compute> Primary<C> {
    /// A primary with a zero memory. The 32 bytes seed all of its random choices and must never be used again.
    ///
    /// # Errors
    ///
    /// [`Error::NotPrimary`] for the helper's role.
    pub fn new(role: Role, parameters: Parameters, seed: [u8; 32], compute: C) -> Result<Self, Error> {
        Self::of(Core::new::<Paper>(role, parameters, seed), compute)
    }

    /// The same with two lanes ([`crate::Lasting`]): it reads while it prepares, and can be saved. All three parties are of one
    /// kind.
    ///
    /// # Errors
    ///
    /// [`Error::NotPrimary`] for the helper's role.
    pub fn lasting(role: Role, parameters: Parameters, seed: [u8; 32], compute: C) -> Result<Self, Error> {
        Self::of(Core::lasting::<Paper>(role, parameters, seed), compute)
    }

    fn of(core: Core, compute: C) -> Result<Self, Error> {
        match core.role() {
            Role::P0 => Ok(Self::facing(Role::P1, core, compute)),
            Role::P1 => Ok(Self::facing(Role::P0, core, compute)),
            Role::P2 => Err(Error::NotPrimary { got: Role::P2 }),
        }
    }

    /// The primary of `core`'s role, which is not `other`.
    pub(super) fn facing(other: Role, core: Core, compute: C) -> Self {
        let world = PrimaryWorld {
            memory: compute.zero_primary_memory(core.parameters().log_size()),
            core,
            other,
            compute,
            items: PrimaryStore::new(),
            results: Results::default(),
            loading: None,
        };
        Self { engine: Engine::new(world) }
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
        self.give(&memory_share)
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
        self.engine.ready(Lane::Memory)?;
        check_queries::<Shift>(self.log_size(), addresses.len())?;
        self.require(Batch { reads: addresses.len(), updates: 0 })?;
        Ok(self.engine.begin(Lane::Memory, |world| read::begin(world, addresses, None)))
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
        self.engine.ready(Lane::Memory)?;
        check_queries::<Update>(self.log_size(), updates.len())?;
        self.require(Batch { reads: 0, updates: updates.len() })?;
        Ok(self.engine.begin(Lane::Memory, |world| update::begin(world, updates)))
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
        self.engine.ready(Lane::Memory)?;
        self.require(Batch { reads: 1, updates: 1 })?;
        let write = Box::new(Write { address, value });
        Ok(self.engine.begin(Lane::Memory, |world| read::begin(world, &[address], Some(write))))
    }

    /// `read_b` for each query of the last READ step, in order; empty if they were taken already.
    pub fn take_results(&mut self) -> Vec<Word> {
        self.engine.world.results.take()
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
        Ok(self.engine.begin(Lane::Making, connect::begin))
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.engine.ready(Lane::Making)?;
        preprocessing::check_batch(batch, self.engine.world.core.parameters())?;
        Ok(self.engine.begin(Lane::Making, |world| preprocessing::begin(world, batch)))
    }

    fn prepared(&self) -> Batch {
        self.engine.world.items.left()
    }

    fn made(&self) -> u64 {
        self.engine.world.items.made()
    }

    fn under_way(&self) -> Option<&UnderWay> {
        self.engine.under_way()
    }
}

impl<C: Compute> Steps for Primary<C> {
    type World = PrimaryWorld<C>;

    fn engine(&self) -> &Engine<PrimaryWorld<C>> {
        &self.engine
    }

    fn engine_mut(&mut self) -> &mut Engine<PrimaryWorld<C>> {
        &mut self.engine
    }

    fn give(&mut self, words: &[Word]) -> Result<Vec<Frame>, Error> {
        let world = &self.engine.world;
        let given = world.loading.as_ref().map(|loading| loading.given());
        if given.is_none() {
            self.engine.fresh()?;
        }
        check_piece(world.core.parameters(), given.unwrap_or(0), words.len())?;
        Ok(match given {
            None => self.engine.begin(Lane::Memory, |world| load::begin(world, words)),
            Some(_) => self.engine.go_on(Lane::Memory, |world| load::give(world, words)),
        })
    }

    fn read_step(&mut self, _count: usize, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        self.read(addresses)
    }

    fn update_step(&mut self, _count: usize, operands: &[Word]) -> Result<Vec<Frame>, Error> {
        self.update(&pairs(operands))
    }

    /// A WRITE has the old word as its result anyway.
    fn write_step(&mut self, operands: &[Word], _swap: bool) -> Result<Vec<Frame>, Error> {
        let (address, value) = pair(operands);
        self.write(address, value)
    }
}
