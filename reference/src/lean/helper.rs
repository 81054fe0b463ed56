//! The helper: P2.

use zeroize::Zeroizing;

use super::items::{HelperReadItem, HelperStore, HelperUpdateItem};
use super::pairs::Pairs;
use super::{Compute, Lean, LeanWorld, Plain, connect, load, preprocessing, read, update, write};
use crate::Word;
use crate::engine::lasting::Steps;
use crate::engine::results::Results;
use crate::engine::saved::{Saving, exactly};
use crate::engine::step::{Core, Engine, World};
use crate::engine::{
    Aside, Batch, Error, Lane, NotAside, Parameters, Party, SavedError, SavedMemory, UnderWay,
};
use crate::wire::{Frame, Role};

/// P2: holds A and B, parts of both sharings of the memory, and deals what preprocessing needs. It awaits P0 first, then P1.
pub struct Helper<C: Compute = Plain> {
    pub(super) engine: Engine<HelperWorld<C>>,
}

/// What the helper holds between messages.
pub(crate) struct HelperWorld<C: Compute> {
    pub(super) core: Core,
    pub(super) pairs: Pairs,
    pub(super) compute: C,
    pub(super) memory: C::Both,
    pub(super) items: HelperStore<C::Kept>,
    /// How many results the primaries have of the last READ or SWAP.
    pub(super) results: Results,
}

impl<C: Compute> HelperWorld<C> {
    pub(super) fn zero_memory(&self) -> C::Both {
        self.compute.zero_both(self.core.parameters().rows(), self.core.parameters().row_words())
    }
}

impl<C: Compute> World for HelperWorld<C> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl<C: Compute> LeanWorld for HelperWorld<C> {
    fn pairs_mut(&mut self) -> &mut Pairs {
        &mut self.pairs
    }
}

impl<C: Compute> Saving for HelperWorld<C> {
    type Compute = C;
    type Read = HelperReadItem<C::Kept>;
    type Update = HelperUpdateItem<C::Kept>;

    fn compute(&self) -> &C {
        &self.compute
    }

    fn items(&self) -> &HelperStore<C::Kept> {
        &self.items
    }

    fn items_mut(&mut self) -> &mut HelperStore<C::Kept> {
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
        let aside = self.compute.put_aside_both(&self.memory);
        SavedMemory::of(aside, || self.compute.both_words(&self.memory).to_vec())
    }

    fn set_vectors(&mut self, vectors: Vec<Vec<Word>>) {
        let [alpha, beta] = exactly(vectors).map(Zeroizing::new);
        self.memory = self.compute.both(&alpha, &beta, self.core.parameters().row_words());
    }

    fn set_aside(&mut self, aside: Aside) -> Result<(), NotAside> {
        let (rows, row_words) = (self.core.parameters().rows(), self.core.parameters().row_words());
        self.memory = self.compute.take_aside_both(aside, rows, row_words)?;
        Ok(())
    }

    fn seeds(&self) -> Zeroizing<Vec<Word>> {
        self.pairs.words()
    }

    fn set_seeds(&mut self, _connected: bool, seeds: &[Word]) -> Result<(), SavedError> {
        self.pairs.set_words(seeds);
        Ok(())
    }
}

impl<C: Compute> Helper<C> {
    /// The helper of a zero memory. The 32 bytes seed all of its random choices and must never be used again.
    pub fn new(parameters: Parameters, seed: [u8; 32], compute: C) -> Self {
        Self::of(Core::new::<Lean>(Role::P2, parameters, seed), compute)
    }

    /// The same with two lanes ([`crate::Lasting`]): it reads while it prepares, and can be saved. All three parties are of one
    /// kind.
    pub fn lasting(parameters: Parameters, seed: [u8; 32], compute: C) -> Self {
        Self::of(Core::lasting::<Lean>(Role::P2, parameters, seed), compute)
    }

    fn of(core: Core, compute: C) -> Self {
        let world = HelperWorld {
            memory: compute.zero_both(core.parameters().rows(), core.parameters().row_words()),
            core,
            pairs: Pairs::new(Role::P2),
            compute,
            items: HelperStore::new(),
            results: Results::default(),
        };
        Self { engine: Engine::new(world) }
    }

    /// Starts the receiving of A.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::NotFresh`] after any step but connect.
    pub fn load(&mut self) -> Result<(), Error> {
        self.engine.fresh()?;
        self.engine.begin(Lane::Memory, load::begin_2);
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
        read::check_count(self.parameters(), count)?;
        self.engine.world.items.require(Batch { reads: count, updates: 0 })?;
        self.engine.begin(Lane::Memory, |world| read::begin_helper(world, count));
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
        update::check_count(self.parameters(), count)?;
        self.engine.world.items.require(Batch { reads: 0, updates: count })?;
        self.engine.begin(Lane::Memory, |world| update::begin_helper(world, count));
        Ok(())
    }

    /// Starts a WRITE.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    pub fn write(&mut self) -> Result<(), Error> {
        self.overwrite(false)
    }

    /// Starts a SWAP.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    pub fn swap(&mut self) -> Result<(), Error> {
        self.overwrite(true)
    }

    /// What the helper holds. For tests only: a party at work shows its memory to its [`Compute`] and to nobody else.
    #[cfg(any(test, feature = "test-util"))]
    pub fn memory(&self) -> &C::Both {
        &self.engine.world.memory
    }

    fn overwrite(&mut self, swap: bool) -> Result<(), Error> {
        self.engine.ready(Lane::Memory)?;
        let item = self.engine.world.items.take_update()?;
        self.engine.begin(Lane::Memory, |_| write::begin_helper(item, swap));
        Ok(())
    }

    fn parameters(&self) -> &Parameters {
        self.engine.world.core.parameters()
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

    fn write_step(&mut self, _operands: &[Word], swap: bool) -> Result<Vec<Frame>, Error> {
        self.overwrite(swap).map(|()| Vec::new())
    }
}
