//! The primaries: P0 and P1.
//!
//! They take the same steps over different parts of the memory and of an item. What they have alike is written once, over a
//! [`Side`]; what only one of them has, or does, is in its side's types and in the file of the step.

use zeroize::Zeroizing;

use super::items::{PrimaryStore, ReadItem, UpdateItem};
use super::load::Loads;
use super::pairs::Pairs;
use super::preprocessing::{self, Making};
use super::read::{self, Answering};
use super::side::{Side, Side0, Side1};
use super::{Compute, Lean, LeanWorld, Plain, connect, load, update, write};
use crate::Word;
use crate::engine::lasting::Steps;
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
    pub(super) loading: Option<Box<S::Loading<C>>>,
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
        self.memory = S::memory(&self.compute, vectors, self.core.parameters().row_words());
    }

    fn set_aside(&mut self, aside: Aside) -> Result<(), NotAside> {
        self.memory = S::aside(&self.compute, aside, self.core.parameters())?;
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
    /// Starts the loading of this primary's share of a memory: m words or, with rows, m w.
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

    /// Starts an UPDATE step: k times an address and the row that is added (XOR) there, `1 + w` words one behind the other. Uses k
    /// UPDATE items.
    ///
    /// # Errors
    ///
    /// [`Error::Operands`] if these are no such words, [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`],
    /// [`Error::BatchTooLarge`], [`Error::PreprocessingExhausted`].
    fn update_rows(&mut self, operands: &[Word]) -> Result<Vec<Frame>, Error>;

    /// Starts a WRITE of a row of w words, which uses one UPDATE item.
    ///
    /// # Errors
    ///
    /// [`Error::Operands`] of a row of another length, [`Error::Busy`], [`Error::NotConnected`],
    /// [`Error::PreprocessingExhausted`].
    fn write_row(&mut self, address: Word, row: &[Word]) -> Result<Vec<Frame>, Error>;

    /// Starts a SWAP: a WRITE that has the old row as its result. Uses one UPDATE item.
    ///
    /// # Errors
    ///
    /// [`Error::Operands`] of a row of another length, [`Error::Busy`], [`Error::NotConnected`],
    /// [`Error::PreprocessingExhausted`].
    fn swap_row(&mut self, address: Word, row: &[Word]) -> Result<Vec<Frame>, Error>;

    /// [`Primary::update_rows`] with one word at an address: pairs of an address and of what is added there.
    ///
    /// # Errors
    ///
    /// Those of [`Primary::update_rows`].
    fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error>;

    /// [`Primary::write_row`] with one word at an address.
    ///
    /// # Errors
    ///
    /// Those of [`Primary::write_row`].
    fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.write_row(address, &[value])
    }

    /// [`Primary::swap_row`] with one word at an address.
    ///
    /// # Errors
    ///
    /// Those of [`Primary::swap_row`].
    fn swap(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.swap_row(address, &[value])
    }

    /// This primary's share of each result of the last READ or SWAP, w words each, in order; empty if they were taken already.
    fn take_results(&mut self) -> Vec<Word>;
}

impl<S: Making + Answering + Loads, C: Compute> Engine<World<S, C>> {
    fn of(core: Core, compute: C) -> Self {
        Self::new(World {
            pairs: Pairs::new(S::ROLE),
            memory: S::zero_memory(&compute, core.parameters()),
            core,
            compute,
            items: PrimaryStore::new(),
            results: Results::default(),
            loading: None,
        })
    }

    fn parameters(&self) -> &Parameters {
        self.world.core.parameters()
    }

    fn load(&mut self, memory_share: Vec<Word>) -> Result<Vec<Frame>, Error> {
        let memory_share = Zeroizing::new(memory_share);
        self.fresh()?;
        let (expected, got) = (self.parameters().words() as u64, memory_share.len() as u64);
        if got != expected {
            return Err(Error::MemoryLength { expected, got });
        }
        self.give(&memory_share)
    }

    fn give(&mut self, words: &[Word]) -> Result<Vec<Frame>, Error> {
        let given = self.world.loading.as_ref().map(|loading| S::given::<C>(loading));
        if given.is_none() {
            self.fresh()?;
        }
        check_piece(self.parameters(), given.unwrap_or(0), words.len())?;
        Ok(match given {
            None => self.begin(Lane::Memory, |world| load::begin(world, words)),
            Some(_) => self.go_on(Lane::Memory, |world| S::give(world, words)),
        })
    }

    fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        self.ready(Lane::Memory)?;
        read::check_count(self.parameters(), addresses.len())?;
        self.world.items.require(Batch { reads: addresses.len(), updates: 0 })?;
        Ok(self.begin(Lane::Memory, |world| read::begin(world, addresses)))
    }

    fn update(&mut self, operands: &[Word]) -> Result<Vec<Frame>, Error> {
        self.ready(Lane::Memory)?;
        let row_words = self.parameters().row_words();
        let count = operands.len().div_ceil(1 + row_words);
        let (expected, got) = (count.saturating_mul(1 + row_words), operands.len());
        if got != expected {
            return Err(Error::Operands { expected, got });
        }
        update::check_count(self.parameters(), count)?;
        self.world.items.require(Batch { reads: 0, updates: count })?;
        Ok(self.begin(Lane::Memory, |world| update::begin(world, operands)))
    }

    fn update_words(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
        let (expected, got) = (updates.len() * (1 + self.parameters().row_words()), 2 * updates.len());
        if got != expected {
            return Err(Error::Operands { expected, got });
        }
        let operands = updates.iter().map(|&(address, value)| [address, value]);
        self.update(Zeroizing::new(operands.collect::<Vec<_>>()).as_flattened())
    }

    fn write(&mut self, address: Word, row: &[Word], swap: bool) -> Result<Vec<Frame>, Error> {
        self.ready(Lane::Memory)?;
        let (expected, got) = (1 + self.parameters().row_words(), 1 + row.len());
        if got != expected {
            return Err(Error::Operands { expected, got });
        }
        let item = self.world.items.take_update()?;
        Ok(self.begin(Lane::Memory, |world| write::begin(world, item, address, row, swap)))
    }

    fn connect(&mut self) -> Result<Vec<Frame>, Error> {
        self.unconnected()?;
        Ok(self.begin(Lane::Making, connect::begin))
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.ready(Lane::Making)?;
        preprocessing::check_batch(batch, self.parameters())?;
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

            fn update_rows(&mut self, operands: &[Word]) -> Result<Vec<Frame>, Error> {
                self.engine.update(operands)
            }

            fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
                self.engine.update_words(updates)
            }

            fn write_row(&mut self, address: Word, row: &[Word]) -> Result<Vec<Frame>, Error> {
                self.engine.write(address, row, false)
            }

            fn swap_row(&mut self, address: Word, row: &[Word]) -> Result<Vec<Frame>, Error> {
                self.engine.write(address, row, true)
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

            fn update_step(&mut self, _count: usize, operands: &[Word]) -> Result<Vec<Frame>, Error> {
                self.engine.update(operands)
            }

            fn write_step(&mut self, operands: &[Word], swap: bool) -> Result<Vec<Frame>, Error> {
                let (address, row) = operands.split_first().unwrap_or((&0, &[]));
                self.engine.write(*address, row, swap)
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
