//! The simulation's medium under a store: what loses power, tears and lies is the same there and here.

use std::io::{self, Cursor, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use duoram_simulation::medium::{self, PowerCut};
use redb::StorageBackend;

use super::Medium;

/// The file that redb writes to.
pub use super::JOURNAL_FILE as JOURNAL;

/// A handle to a medium; a clone is another one.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    medium: medium::Medium,
    /// The power has gone: whoever still holds the store, as redb when it is dropped, can write no more.
    off: bool,
}

impl State {
    fn on(&self) -> io::Result<()> {
        if self.off { Err(io::Error::other("the power is off")) } else { Ok(()) }
    }

    fn change(&mut self, change: impl FnOnce(&mut medium::Medium) -> Result<(), PowerCut>) -> io::Result<()> {
        self.on()?;
        self.off = change(&mut self.medium).is_err();
        self.on()
    }
}

impl Shared {
    /// To this one.
    pub fn new(medium: medium::Medium) -> Self {
        Self(Arc::new(Mutex::new(State { medium, off: false })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The medium itself.
    pub fn look<T>(&self, look: impl FnOnce(&mut medium::Medium) -> T) -> T {
        look(&mut self.state().medium)
    }

    /// Whether the power has gone.
    pub fn is_off(&self) -> bool {
        self.state().off
    }

    /// The power is back.
    pub fn start(&self) {
        self.state().off = false;
    }

    fn file(&self, name: &str) -> Option<Vec<u8>> {
        self.look(|medium| {
            medium.names().iter().any(|other| other == name).then(|| medium.read(name).to_vec())
        })
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a simulated medium")
    }
}

impl Medium for Shared {
    type Journal = Self;

    fn journal(&self, anew: bool) -> io::Result<Self> {
        let mut state = self.state();
        state.on()?;
        if anew || !state.medium.names().iter().any(|name| name == JOURNAL) {
            state.change(|medium| medium.create(JOURNAL))?;
            state.change(medium::Medium::sync_folder)?;
        }
        Ok(self.clone())
    }

    fn put(&self, name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        let (state, beside) = (&mut *self.state(), format!("{name}.new"));
        // Two writes, so that the power may go between them.
        let (first, second) = bytes.split_at(bytes.len() / 2);
        state.change(|medium| medium.create(&beside))?;
        state.change(|medium| medium.write(&beside, 0, first))?;
        state.change(|medium| medium.write(&beside, first.len(), second))?;
        state.change(|medium| medium.sync(&beside))?;
        state.change(|medium| medium.rename(&beside, name))?;
        state.change(medium::Medium::sync_folder)
    }

    fn open(&self, name: &str) -> io::Result<Option<(u64, Box<dyn Read>)>> {
        self.state().on()?;
        let open = |bytes: Vec<u8>| (bytes.len() as u64, Box::new(Cursor::new(bytes)) as Box<dyn Read>);
        Ok(self.file(name).map(open))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.state().on()?;
        Ok(self.look(|medium| medium.names()))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        self.state().change(|medium| medium.remove(name))
    }

    fn place(&self, name: &str) -> String {
        format!("the medium/{name}")
    }
}

impl StorageBackend for Shared {
    fn len(&self) -> io::Result<u64> {
        let state = self.state();
        state.on()?;
        Ok(state.medium.read(JOURNAL).len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.state();
        state.on()?;
        let at = usize::try_from(offset).map_err(io::Error::other)?;
        let bytes = state.medium.read(JOURNAL).get(at..at + out.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(bytes);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let length = usize::try_from(length).map_err(io::Error::other)?;
        self.state().change(|medium| medium.set_length(JOURNAL, length))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.state().change(|medium| medium.sync(JOURNAL))
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let at = usize::try_from(offset).map_err(io::Error::other)?;
        self.state().change(|medium| medium.write(JOURNAL, at, data))
    }
}
