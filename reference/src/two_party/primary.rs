//! A party: P0 or P1. Both take the same steps.

use zeroize::Zeroizing;

use super::channels::Channels;
use super::items::{ReadItem, UpdateItem};
use super::pir::{Pir, PlainPir};
use super::update::Updates;
use super::{Compute, Plain, TwoParty, connect, load, preprocessing, read, update, write};
use crate::Word;
use crate::engine::items::Store;
use crate::engine::lasting::{Steps, pair, pairs};
use crate::engine::queries::{check_count, check_queries};
use crate::engine::results::Results;
use crate::engine::saved::{Saving, exactly};
use crate::engine::step::{Core, Engine, World};
use crate::engine::{
    Aside, Batch, Error, Lane, NotAside, Parameters, Party, SavedError, SavedMemory, UnderWay, check_piece,
    leaves,
};
use crate::wire::{Frame, MAX_PAYLOAD, Role};

/// P0 or P1: holds a share of the memory, and shares of addresses and values.
pub struct Primary<C: Compute = Plain, P: Pir = PlainPir> {
    engine: Engine<PrimaryWorld<C, P>>,
}

/// What a party computes with.
pub(crate) struct Tools<C, P> {
    pub(super) compute: C,
    pub(super) pir: P,
}

/// What a party holds between messages.
pub(crate) struct PrimaryWorld<C: Compute, P: Pir> {
    pub(super) core: Core,
    /// The other party.
    pub(super) other: Role,
    pub(super) tools: Tools<C, P>,
    /// None until the parties have connected: no other step can begin before.
    pub(super) channels: Option<Box<Channels<P>>>,
    pub(super) memory: C::Memory,
    pub(super) items: Store<ReadItem, UpdateItem>,
    /// `read_b` of the last READ or SWAP.
    pub(super) results: Results,
    /// The load under way: what has been given.
    /// In a place of its own: where there is none, the unused bytes would take along what was on the stack.
    pub(super) loading: Option<Box<Zeroizing<Vec<Word>>>>,
}

impl<C: Compute, P: Pir> World for PrimaryWorld<C, P> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl<C: Compute, P: Pir> Saving for PrimaryWorld<C, P> {
    type Compute = Tools<C, P>;
    type Read = ReadItem;
    type Update = UpdateItem;

    fn compute(&self) -> &Tools<C, P> {
        &self.tools
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
        1
    }

    fn memory(&self) -> SavedMemory<'_> {
        SavedMemory::Vectors(vec![self.tools.compute.words(&self.memory)])
    }

    fn set_vectors(&mut self, vectors: Vec<Vec<Word>>) {
        let [memory_share] = exactly(vectors);
        self.memory = self.tools.compute.memory(memory_share);
    }

    /// No computation of two parties puts anything aside.
    fn set_aside(&mut self, _aside: Aside) -> Result<(), NotAside> {
        Err(NotAside::never())
    }

    fn seeds(&self) -> Zeroizing<Vec<Word>> {
        let (pir, log_size) = (&self.tools.pir, self.core.parameters().log_size());
        match &self.channels {
            Some(channels) => channels.words(pir, log_size),
            None => Zeroizing::new(vec![0; Channels::count(pir, log_size)]),
        }
    }

    fn set_seeds(&mut self, connected: bool, seeds: &[Word]) -> Result<(), SavedError> {
        let (pir, log_size) = (&self.tools.pir, self.core.parameters().log_size());
        let read = || Channels::read(pir, log_size, self.core.role(), self.other, seeds);
        self.channels = connected.then(read).transpose()?.map(Box::new);
        Ok(())
    }
}

impl<C: Compute, P: Pir> Primary<C, P> {
    /// A party with a zero memory. The 32 bytes seed all of its random choices and must never be used again.
    ///
    /// # Errors
    ///
    /// [`Error::NotPrimary`] for the helper's role, which nobody has here. [`Error::LogSizeOutOfRange`] if an answer of this
    /// PIR, or the keys of its client, would not fit a payload.
    pub fn new(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
        pir: P,
    ) -> Result<Self, Error> {
        Self::of(Core::new::<TwoParty>(role, parameters, seed), compute, pir)
    }

    /// The same with two lanes ([`crate::Lasting`]): it reads while it prepares, and can be saved. Both parties are of one kind.
    ///
    /// # Errors
    ///
    /// As of [`Primary::new`].
    pub fn lasting(
        role: Role,
        parameters: Parameters,
        seed: [u8; 32],
        compute: C,
        pir: P,
    ) -> Result<Self, Error> {
        Self::of(Core::lasting::<TwoParty>(role, parameters, seed), compute, pir)
    }

    fn of(core: Core, compute: C, pir: P) -> Result<Self, Error> {
        let log_size = core.parameters().log_size();
        let other = match core.role() {
            Role::P0 => Role::P1,
            Role::P1 => Role::P0,
            Role::P2 => return Err(Error::NotPrimary { got: Role::P2 }),
        };
        let fits = |log_size| pir.answer_length(log_size).max(pir.setup_length(log_size)) <= MAX_PAYLOAD;
        if !fits(log_size) {
            let max = (0..log_size).rev().find(|&smaller| fits(smaller)).unwrap_or(0);
            return Err(Error::LogSizeOutOfRange { max, got: log_size });
        }
        let world = PrimaryWorld {
            core,
            other,
            memory: compute.memory(vec![0; leaves(log_size)]),
            tools: Tools { compute, pir },
            channels: None,
            items: Store::new(),
            results: Results::default(),
            loading: None,
        };
        Ok(Self { engine: Engine::new(world) })
    }

    /// Takes this party's share of a memory: n words. Nothing is sent.
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

    /// Starts a READ step of k independent queries: this party's address shares, which are taken mod n.
    ///
    /// A share of a result may be fed straight back as a share of an address. Uses k READ items.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        self.engine.ready(Lane::Memory)?;
        let answer = self.engine.world.tools.pir.answer_length(self.log_size());
        check_count(answer.max(size_of::<Word>()), addresses.len())?;
        self.require(Batch { reads: addresses.len(), updates: 0 })?;
        Ok(self.engine.begin(Lane::Memory, |world| read::begin(world, addresses)))
    }

    /// Starts an UPDATE step: k pairs of this party's shares of an address, taken mod n, and of what is added there.
    ///
    /// Uses k UPDATE items.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
        self.engine.ready(Lane::Memory)?;
        check_queries::<Updates>(self.log_size(), updates.len())?;
        self.require(Batch { reads: 0, updates: updates.len() })?;
        Ok(self.engine.begin(Lane::Memory, |world| update::begin(world, updates)))
    }

    /// Starts a WRITE, which uses a READ item and an UPDATE item.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    pub fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.overwrite(address, value, false)
    }

    /// Starts a SWAP: a WRITE that has the old word as its result.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    pub fn swap(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.overwrite(address, value, true)
    }

    fn overwrite(&mut self, address: Word, value: Word, swap: bool) -> Result<Vec<Frame>, Error> {
        self.engine.ready(Lane::Memory)?;
        self.require(Batch { reads: 1, updates: 1 })?;
        Ok(self.engine.begin(Lane::Memory, |world| write::begin(world, (address, value), swap)))
    }

    /// `read_b` for each query of the last READ or SWAP, in order; empty if they were taken already.
    pub fn take_results(&mut self) -> Vec<Word> {
        self.engine.world.results.take()
    }

    /// What this party holds. For tests only: a party at work shows its memory to its [`Compute`] and [`Pir`] and to nobody
    /// else.
    #[cfg(any(test, feature = "test-util"))]
    pub fn memory(&self) -> &C::Memory {
        &self.engine.world.memory
    }

    /// The ends of its OTs, of those that it receives and of those that it sends. For tests only: they hand the keys of a batch
    /// to the specification. None before connect.
    #[cfg(any(test, feature = "test-util"))]
    pub fn transfers(&self) -> Option<(&super::ot::Receiver, &super::ot::Sender)> {
        self.engine.world.channels.as_ref().map(|channels| (&channels.receiver, &channels.sender))
    }

    fn log_size(&self) -> u32 {
        self.engine.world.core.parameters().log_size()
    }

    fn require(&self, needed: Batch) -> Result<(), Error> {
        self.engine.world.items.require(needed)
    }
}

impl<C: Compute, P: Pir> Party for Primary<C, P> {
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
        let world = &self.engine.world;
        preprocessing::check_batch(batch, &world.tools.pir, world.core.parameters())?;
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

impl<C: Compute, P: Pir> Steps for Primary<C, P> {
    type World = PrimaryWorld<C, P>;

    fn engine(&self) -> &Engine<PrimaryWorld<C, P>> {
        &self.engine
    }

    fn engine_mut(&mut self) -> &mut Engine<PrimaryWorld<C, P>> {
        &mut self.engine
    }

    fn give(&mut self, words: &[Word]) -> Result<Vec<Frame>, Error> {
        let world = &self.engine.world;
        let given = world.loading.as_ref().map(|loading| loading.len());
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

    fn write_step(&mut self, operands: &[Word], swap: bool) -> Result<Vec<Frame>, Error> {
        let (address, value) = pair(operands);
        self.overwrite(address, value, swap)
    }
}
