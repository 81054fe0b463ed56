//! The helper: P2.

use super::items::HelperStore;
use super::read::Shift;
use super::update::Update;
use super::{Compute, Paper, Plain, connect, load, preprocessing, read, update};
use crate::engine::queries::check_queries;
use crate::engine::step::{Core, Engine, World};
use crate::engine::{Batch, Error, Parameters, Party, UnderWay};
use crate::wire::{Frame, Role};

/// P2: holds both blinds, deals the triples, and unblinds READs. It awaits P0 first, then P1.
pub struct Helper<C: Compute = Plain> {
    engine: Engine<HelperWorld<C>>,
}

/// What the helper holds between messages.
pub(super) struct HelperWorld<C: Compute> {
    pub(super) core: Core,
    pub(super) compute: C,
    pub(super) memory: C::HelperMemory,
    pub(super) items: HelperStore,
}

impl<C: Compute> World for HelperWorld<C> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl<C: Compute> Helper<C> {
    /// The helper of a zero memory. The 32 bytes seed all of its random choices and must never be used again.
    pub fn new(parameters: Parameters, seed: [u8; 32], compute: C) -> Self {
        let world = HelperWorld {
            core: Core::new::<Paper>(Role::P2, parameters, seed),
            memory: compute.zero_helper_memory(parameters.log_size()),
            compute,
            items: HelperStore::new(),
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
        self.engine.begin(load::begin_helper);
        Ok(())
    }

    /// Starts a READ step of `count` queries.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn read(&mut self, count: usize) -> Result<(), Error> {
        self.engine.ready()?;
        check_queries::<Shift>(self.log_size(), count)?;
        self.require(Batch { reads: count, updates: 0 })?;
        self.engine.begin(|world| read::begin_helper(world, count, false));
        Ok(())
    }

    /// Starts an UPDATE step of `count` queries.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn update(&mut self, count: usize) -> Result<(), Error> {
        self.engine.ready()?;
        check_queries::<Update>(self.log_size(), count)?;
        self.require(Batch { reads: 0, updates: count })?;
        self.engine.begin(|world| update::begin_helper(world, count));
        Ok(())
    }

    /// Starts a WRITE: a READ step, and right after it an UPDATE step.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    pub fn write(&mut self) -> Result<(), Error> {
        self.engine.ready()?;
        self.require(Batch { reads: 1, updates: 1 })?;
        self.engine.begin(|world| read::begin_helper(world, 1, true));
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
        Ok(self.engine.begin(connect::begin))
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.engine.ready()?;
        preprocessing::check_batch(batch, self.engine.world.core.parameters())?;
        Ok(self.engine.begin(|world| preprocessing::begin_helper(world, batch)))
    }

    fn prepared(&self) -> Batch {
        self.engine.world.items.left()
    }

    fn under_way(&self) -> Option<&UnderWay> {
        self.engine.under_way()
    }
}
