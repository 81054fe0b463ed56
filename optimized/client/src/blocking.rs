//! The same for programs without a tokio runtime: each call waits.

use std::sync::Arc;

use duoram_reference::Word;
use tokio::runtime::{Builder, Runtime};

use crate::settings::Config;
use crate::{Error, Statuses};

/// An oblivious memory on two or three hosts: [`crate::Memory`], with a thread of its own for its links. It can be cloned and used from
/// many threads at once; not from within a tokio runtime.
#[derive(Clone)]
pub struct Memory {
    // Before the runtime: the links end while it is there.
    memory: crate::Memory,
    runtime: Arc<Runtime>,
}

fn runtime() -> Result<Runtime, Error> {
    let mut builder = Builder::new_multi_thread();
    builder.worker_threads(1).thread_name("duoram-client").enable_io().enable_time();
    builder.build().map_err(|error| Error::Start(Arc::new(error)))
}

#[allow(clippy::missing_errors_doc, reason = "those of the call that it waits for")]
impl Memory {
    /// See [`crate::Memory::open`].
    pub fn open(config: &Config) -> Result<Self, Error> {
        let runtime = runtime()?;
        let memory = runtime.block_on(crate::Memory::open(config))?;
        Ok(Self { memory, runtime: Arc::new(runtime) })
    }

    /// The addresses of the memory: its words, or its rows.
    #[allow(clippy::len_without_is_empty, reason = "there are no memories without words")]
    pub fn len(&self) -> u64 {
        self.memory.len()
    }

    /// See [`crate::Memory::row_words`].
    pub fn row_words(&self) -> usize {
        self.memory.row_words()
    }

    /// See [`crate::Memory::read`].
    pub fn read(&self, address: Word) -> Result<Word, Error> {
        self.runtime.block_on(self.memory.read(address))
    }

    /// See [`crate::Memory::read_all`].
    pub fn read_all(&self, addresses: &[Word]) -> Result<Vec<Word>, Error> {
        self.runtime.block_on(self.memory.read_all(addresses))
    }

    /// See [`crate::Memory::read_rows`].
    pub fn read_rows(&self, addresses: &[Word]) -> Result<Vec<Vec<Word>>, Error> {
        self.runtime.block_on(self.memory.read_rows(addresses))
    }

    /// See [`crate::Memory::update`].
    pub fn update(&self, address: Word, delta: Word) -> Result<(), Error> {
        self.runtime.block_on(self.memory.update(address, delta))
    }

    /// See [`crate::Memory::update_all`].
    pub fn update_all(&self, updates: &[(Word, Word)]) -> Result<(), Error> {
        self.runtime.block_on(self.memory.update_all(updates))
    }

    /// See [`crate::Memory::update_rows`].
    pub fn update_rows<R: AsRef<[Word]>>(&self, updates: &[(Word, R)]) -> Result<(), Error> {
        self.runtime.block_on(self.memory.update_rows(updates))
    }

    /// See [`crate::Memory::write`].
    pub fn write(&self, address: Word, value: Word) -> Result<(), Error> {
        self.runtime.block_on(self.memory.write(address, value))
    }

    /// See [`crate::Memory::write_row`].
    pub fn write_row(&self, address: Word, row: &[Word]) -> Result<(), Error> {
        self.runtime.block_on(self.memory.write_row(address, row))
    }

    /// See [`crate::Memory::swap`].
    pub fn swap(&self, address: Word, value: Word) -> Result<Word, Error> {
        self.runtime.block_on(self.memory.swap(address, value))
    }

    /// See [`crate::Memory::swap_row`].
    pub fn swap_row(&self, address: Word, row: &[Word]) -> Result<Vec<Word>, Error> {
        self.runtime.block_on(self.memory.swap_row(address, row))
    }

    /// See [`crate::Memory::chase`].
    pub fn chase(&self, address: Word, steps: u64) -> Result<Word, Error> {
        self.runtime.block_on(self.memory.chase(address, steps))
    }

    /// See [`crate::Memory::chase_row`].
    pub fn chase_row(&self, address: Word, steps: u64) -> Result<Vec<Word>, Error> {
        self.runtime.block_on(self.memory.chase_row(address, steps))
    }

    /// See [`crate::Memory::load`].
    pub fn load(&self, words: impl IntoIterator<Item = Word>) -> Result<(), Error> {
        self.runtime.block_on(self.memory.load(words))
    }

    /// See [`crate::Memory::status`].
    pub fn status(&self) -> Statuses {
        self.runtime.block_on(self.memory.status())
    }
}

/// See [`crate::status`].
#[allow(clippy::missing_errors_doc, reason = "those of the call that it waits for")]
pub fn status(config: &Config) -> Result<Statuses, Error> {
    runtime()?.block_on(crate::status(config))
}
