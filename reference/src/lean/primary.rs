//! The primaries: P0 and P1.
//!
//! They take the same steps over different parts of the memory and of an item. What they have alike is written once, over a
//! [`Side`]; what only one of them has, or does, is in its side's types and in the file of the step.

use zeroize::Zeroizing;

use super::items::{PrimaryStore, ReadItem, UpdateItem};
use super::load::Loads;
use super::pairs::Pairs;
use super::preprocessing::{self, Making};
use super::read::{self, Answering, Shift};
use super::side::{Side, Side0, Side1};
use super::update::{self, Update};
use super::{Compute, Lean, LeanWorld, Plain, connect, load, write};
use crate::Word;
use crate::engine::lasting::Steps;
use crate::engine::queries::check_queries;
use crate::engine::results::Results;
use crate::engine::saved::Saving;
use crate::engine::step::{Core, Engine};
use crate::engine::{
    self, Aside, Batch, Error, Lane, NotAside, Parameters, Party, SavedError, SavedMemory, UnderWay,
    check_piece,
};
use crate::wire::{Frame, Role};

/// What a primary holds between messages.
pub(crate) struct World<S: Side, C: Compute> {
    pub(super) core: Core,
    pub(super) pairs: Pairs,
    pub(super) compute: C,
    pub(super) memory: S::Memory<C>,
    pub(super) items: PrimaryStore<S, C::Kept>,
    /// `read_b` of the last READ or SWAP.
    pub(super) results: Results,
    /// The load under way.
    pub(super) loading: Option<Box<S::Loading>>,
}

impl<S: Side, C: Compute> engine::step::World for World<S, C> {
    fn core(&self) -> &Core {
        &self.core
    }

    fn core_mut(&mut self) -> &mut Core {
        &mut self.core
    }
}

impl<S: Side, C: Compute> LeanWorld for World<S, C> {
    fn pairs_mut(&mut self) -> &mut Pairs {
        &mut self.pairs
    }
}

impl<S: Side, C: Compute> Saving for World<S, C> {
    type Compute = C;
    type Read = ReadItem<S, C::Kept>;
    type Update = UpdateItem<S, C::Kept>;

    fn compute(&self) -> &C {
        &self.compute
    }

    fn items(&self) -> &PrimaryStore<S, C::Kept> {
        &self.items
    }

    fn items_mut(&mut self) -> &mut PrimaryStore<S, C::Kept> {
        &mut self.items
    }

    fn results(&self) -> &Results {
        &self.results
    }

    fn results_mut(&mut self) -> &mut Results {
        &mut self.results
    }

    fn vectors(&self) -> usize {
        S::VECTORS
    }

    fn memory(&self) -> SavedMemory<'_> {
        S::saved(&self.compute, &self.memory)
    }

    fn set_vectors(&mut self, vectors: Vec<Vec<Word>>) {
        self.memory = S::memory(&self.compute, vectors);
    }

    fn set_aside(&mut self, aside: Aside) -> Result<(), NotAside> {
        self.memory = S::aside(&self.compute, aside, self.core.parameters().log_size())?;
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

/// The calls on P0 and P1, beside those of [`Party`].
///
/// Addresses and values are this primary's shares; of an address the lowest h bits count.
pub trait Primary: Party {
    /// Starts the loading of this primary's share of a memory: n words.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::NotFresh`] after any step but connect,
    /// [`Error::MemoryLength`].
    fn load(&mut self, memory_share: Vec<Word>) -> Result<Vec<Frame>, Error>;

    /// Starts a READ step of k independent queries, which uses k READ items.
    ///
    /// A share of a result may be fed straight back as a share of an address: nothing is opened in between.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error>;

    /// Starts an UPDATE step: k pairs of an address and of what is added (XOR) there. Uses k UPDATE items.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error>;

    /// Starts a WRITE, which uses one UPDATE item.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error>;

    /// Starts a SWAP: a WRITE that has the old word as its result. Uses one UPDATE item.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    fn swap(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error>;

    /// This primary's share of each result of the last READ or SWAP, in order; empty if they were taken already.
    fn take_results(&mut self) -> Vec<Word>;
}

impl<S: Making + Answering + Loads, C: Compute> Engine<World<S, C>> {
    fn of(core: Core, compute: C) -> Self {
        Self::new(World {
            pairs: Pairs::new(S::ROLE),
            memory: S::zero_memory(&compute, core.parameters().log_size()),
            core,
            compute,
            items: PrimaryStore::new(),
            results: Results::default(),
            loading: None,
        })
    }

    fn log_size(&self) -> u32 {
        self.world.core.parameters().log_size()
    }

    fn load(&mut self, memory_share: Vec<Word>) -> Result<Vec<Frame>, Error> {
        let memory_share = Zeroizing::new(memory_share);
        self.fresh()?;
        let (expected, got) = (self.world.core.parameters().size(), memory_share.len() as u64);
        if got != expected {
            return Err(Error::MemoryLength { expected, got });
        }
        self.give(&memory_share)
    }

    fn give(&mut self, words: &[Word]) -> Result<Vec<Frame>, Error> {
        let given = self.world.loading.as_ref().map(|loading| S::given(loading));
        if given.is_none() {
            self.fresh()?;
        }
        check_piece(self.world.core.parameters(), given.unwrap_or(0), words.len())?;
        Ok(match given {
            None => self.begin(Lane::Memory, |world| load::begin(world, words)),
            Some(_) => self.go_on(Lane::Memory, |world| S::give(world, words)),
        })
    }

    fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        self.ready(Lane::Memory)?;
        check_queries::<Shift>(self.log_size(), addresses.len())?;
        self.world.items.require(Batch { reads: addresses.len(), updates: 0 })?;
        Ok(self.begin(Lane::Memory, |world| read::begin(world, addresses)))
    }

    fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
        self.ready(Lane::Memory)?;
        check_queries::<Update>(self.log_size(), updates.len())?;
        self.world.items.require(Batch { reads: 0, updates: updates.len() })?;
        Ok(self.begin(Lane::Memory, |world| update::begin(world, updates)))
    }

    fn write(&mut self, address: Word, value: Word, swap: bool) -> Result<Vec<Frame>, Error> {
        self.ready(Lane::Memory)?;
        let item = self.world.items.take_update()?;
        Ok(self.begin(Lane::Memory, |world| write::begin(world, item, address, value, swap)))
    }

    fn connect(&mut self) -> Result<Vec<Frame>, Error> {
        self.unconnected()?;
        Ok(self.begin(Lane::Making, connect::begin))
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.ready(Lane::Making)?;
        preprocessing::check_batch(batch, self.world.core.parameters())?;
        Ok(self.begin(Lane::Making, |world| preprocessing::begin(world, batch)))
    }
}

/// The calls, which both types of primaries pass on to their engine.
macro_rules! primary {
    ($name:ident, $side:ident, $memory:ident) => {
        impl<C: Compute> $name<C> {
            /// A primary with a zero memory. The 32 bytes seed all of its random choices and must never be used again.
            pub fn new(parameters: Parameters, seed: [u8; 32], compute: C) -> Self {
                Self { engine: Engine::of(Core::new::<Lean>($side::ROLE, parameters, seed), compute) }
            }

            /// The same with two lanes ([`crate::Lasting`]): it reads while it prepares, and can be saved. All three parties are
            /// of one kind.
            pub fn lasting(parameters: Parameters, seed: [u8; 32], compute: C) -> Self {
                Self { engine: Engine::of(Core::lasting::<Lean>($side::ROLE, parameters, seed), compute) }
            }

            /// What this primary holds. For tests only: a party at work shows its memory to its [`Compute`] and to nobody
            /// else.
            #[cfg(any(test, feature = "test-util"))]
            pub fn memory(&self) -> &C::$memory {
                &self.engine.world.memory
            }
        }

        impl<C: Compute> Party for $name<C> {
            fn role(&self) -> Role {
                $side::ROLE
            }

            fn awaits(&self) -> Option<Role> {
                self.engine.awaits()
            }

            fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error> {
                self.engine.receive(from, frame)
            }

            fn connect(&mut self) -> Result<Vec<Frame>, Error> {
                self.engine.connect()
            }

            fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
                self.engine.preprocess(batch)
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

        impl<C: Compute> Primary for $name<C> {
            fn load(&mut self, memory_share: Vec<Word>) -> Result<Vec<Frame>, Error> {
                self.engine.load(memory_share)
            }

            fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
                self.engine.read(addresses)
            }

            fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
                self.engine.update(updates)
            }

            fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
                self.engine.write(address, value, false)
            }

            fn swap(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
                self.engine.write(address, value, true)
            }

            fn take_results(&mut self) -> Vec<Word> {
                self.engine.world.results.take()
            }
        }

        impl<C: Compute> Steps for $name<C> {
            type World = World<$side, C>;

            fn engine(&self) -> &Engine<World<$side, C>> {
                &self.engine
            }

            fn engine_mut(&mut self) -> &mut Engine<World<$side, C>> {
                &mut self.engine
            }

            fn give(&mut self, words: &[Word]) -> Result<Vec<Frame>, Error> {
                self.engine.give(words)
            }

            fn read_step(&mut self, _count: usize, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
                self.engine.read(addresses)
            }

            fn update_step(&mut self, _count: usize, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
                self.engine.update(updates)
            }

            fn write_step(
                &mut self,
                operands: Option<(Word, Word)>,
                swap: bool,
            ) -> Result<Vec<Frame>, Error> {
                let (address, value) = operands.unwrap_or_default();
                self.engine.write(address, value, swap)
            }
        }
    };
}

/// P0: holds A and H, parts of both sharings of the memory, and shares of addresses and values.
pub struct Primary0<C: Compute = Plain> {
    pub(super) engine: Engine<World<Side0, C>>,
}

/// P1: holds E, a part of one sharing of the memory, and shares of addresses and values.
pub struct Primary1<C: Compute = Plain> {
    pub(super) engine: Engine<World<Side1, C>>,
}

primary!(Primary0, Side0, Both);
primary!(Primary1, Side1, Alpha);
