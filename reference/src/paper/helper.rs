//! The helper: P2.

use super::items::{HelperItem, HelperStore};
use super::read::Shift;
use super::update::Update;
use super::{Compute, Paper, Plain, connect, load, preprocessing, read, update};
use crate::Word;
use crate::engine::items::Store;
use crate::engine::lasting::Steps;
use crate::engine::queries::check_queries;
use crate::engine::results::Results;
use crate::engine::saved::{Saving, exactly};
use crate::engine::step::{Core, Engine, World};
use crate::engine::{Aside, Batch, Error, Lane, NotAside, Parameters, Party, SavedMemory, UnderWay};
use crate::wire::{Frame, Role};

/// P2: holds both blinds, deals the triples, and unblinds READs. It awaits P0 first, then P1.
pub struct Helper<C: Compute = Plain> {
    engine: Engine<HelperWorld<C>>,
}

/// What the helper holds between messages.
pub(crate) struct HelperWorld<C: Compute> {
    pub(super) core: Core,
    pub(super) compute: C,
    pub(super) memory: C::HelperMemory,
    pub(super) items: HelperStore,
    /// How many results the primaries have of the last READ step.
    pub(super) results: Results,
}

impl<C: Compute> World for HelperWorld<C> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl<C: Compute> Saving for HelperWorld<C> {
    type Compute = C;
    type Read = HelperItem;
    type Update = HelperItem;

    fn compute(&self) -> &C {
        &self.compute
    }

    fn items(&self) -> &Store<HelperItem, HelperItem> {
        &self.items
    }

    fn items_mut(&mut self) -> &mut Store<HelperItem, HelperItem> {
        &mut self.items
    }

    fn results(&self) -> &Results {
        &self.results
    }

    fn results_mut(&mut self) -> &mut Results {
        &mut self.results
    }

    fn vectors(&self) -> usize {
        2
    }

    fn memory(&self) -> SavedMemory<'_> {
        let aside = self.compute.put_aside_helper(&self.memory);
        SavedMemory::of(aside, || self.compute.helper_words(&self.memory).to_vec())
    }

    fn set_vectors(&mut self, vectors: Vec<Vec<Word>>) {
        let [blind_0, blind_1] = exactly(vectors);
        self.memory = self.compute.helper_memory(blind_0, blind_1);
    }

    fn set_aside(&mut self, aside: Aside) -> Result<(), NotAside> {
        self.memory = self.compute.take_aside_helper(aside, self.core.parameters().log_size())?;
        Ok(())
    }
}

impl<C: Compute> Helper<C> {
    /// The helper of a zero memory. The 32 bytes seed all of its random choices and must never be used again.
    pub fn new(parameters: Parameters, seed: [u8; 32], compute: C) -> Self {
        Self::of(Core::new::<Paper>(Role::P2, parameters, seed), compute)
    }

    /// The same with two lanes ([`crate::Lasting`]): it reads while it prepares, and can be saved. All three parties are of one
    /// kind.
    pub fn lasting(parameters: Parameters, seed: [u8; 32], compute: C) -> Self {
        Self::of(Core::lasting::<Paper>(Role::P2, parameters, seed), compute)
    }

    fn of(core: Core, compute: C) -> Self {
        let world = HelperWorld {
            memory: compute.zero_helper_memory(core.parameters().log_size()),
            core,
            compute,
            items: HelperStore::new(),
            results: Results::default(),
        };
        Self { engine: Engine::new(world) }
    }

    /// Starts the receiving of both blinds.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::NotFresh`] after any step but connect.
    pub fn load(&mut self) -> Result<(), Error> {
        self.engine.fresh()?;
        self.engine.begin(Lane::Memory, load::begin_helper);
        Ok(())
    }

    /// Starts a READ step of `count` queries.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn read(&mut self, count: usize) -> Result<(), Error> {
        self.engine.ready(Lane::Memory)?;
        check_queries::<Shift>(self.log_size(), count)?;
        self.require(Batch { reads: count, updates: 0 })?;
        self.engine.begin(Lane::Memory, |world| read::begin_helper(world, count, false));
        Ok(())
    }

    /// Starts an UPDATE step of `count` queries.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn update(&mut self, count: usize) -> Result<(), Error> {
        self.engine.ready(Lane::Memory)?;
        check_queries::<Update>(self.log_size(), count)?;
        self.require(Batch { reads: 0, updates: count })?;
        self.engine.begin(Lane::Memory, |world| update::begin_helper(world, count));
        Ok(())
    }

    /// Starts a WRITE: a READ step, and right after it an UPDATE step.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    pub fn write(&mut self) -> Result<(), Error> {
        self.engine.ready(Lane::Memory)?;
        self.require(Batch { reads: 1, updates: 1 })?;
        self.engine.begin(Lane::Memory, |world| read::begin_helper(world, 1, true));
        Ok(())
    }

    /// What the helper holds. For tests only: a party at work shows its memory to its [`Compute`] and to nobody else.
    #[cfg(any(test, feature = "test-util"))]
    pub fn memory(&self) -> &C::HelperMemory {
        &self.engine.world.memory
    }

    fn log_size(&self) -> u32 {
        self.engine.world.core.parameters().log_size()
    }

    fn require(&self, needed: Batch) -> Result<(), Error> {
        self.engine.world.items.require(needed)
    }
}

impl<C: Compute> Party for Helper<C> {
    fn role(&self) -> Role {
        Role::P2
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
        Ok(self.engine.begin(Lane::Making, |world| preprocessing::begin_helper(world, batch)))
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

impl<C: Compute> Steps for Helper<C> {
    type World = HelperWorld<C>;

    fn engine(&self) -> &Engine<HelperWorld<C>> {
        &self.engine
    }

    fn engine_mut(&mut self) -> &mut Engine<HelperWorld<C>> {
        &mut self.engine
    }

    fn give(&mut self, _words: &[Word]) -> Result<Vec<Frame>, Error> {
        self.load().map(|()| Vec::new())
    }

    fn read_step(&mut self, count: usize, _addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        self.read(count).map(|()| Vec::new())
    }

    fn update_step(&mut self, count: usize, _operands: &[Word]) -> Result<Vec<Frame>, Error> {
        self.update(count).map(|()| Vec::new())
    }

    fn write_step(&mut self, _operands: &[Word], _swap: bool) -> Result<Vec<Frame>, Error> {
        self.write().map(|()| Vec::new())
    }
}
