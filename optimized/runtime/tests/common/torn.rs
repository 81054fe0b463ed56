//! A disk in memory that loses power: what was not synced is there in part, torn, or not at all; or zeroed, where the file has
//! only just grown, for the file system may know the new length and not yet the content. What was synced stays: a sector that
//! is written anew has the old content or the new one.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use duoram_runtime::store::Medium;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use redb::StorageBackend;

/// What a sector is: a write that is under way when the power goes is torn between two of them.
const SECTOR: usize = 512;

/// The disk; a clone is another handle to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Torn(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    /// The journal as its writer sees it.
    journal: Vec<u8>,
    /// The journal as it was last synced.
    synced: Vec<u8>,
    /// How long the journal was then.
    settled: usize,
    /// What was written since, in order.
    written: Vec<(usize, Vec<u8>)>,
    files: BTreeMap<String, Vec<u8>>,
    /// How many more changes there will be before the power goes; `None`: it stays.
    left: Option<u64>,
    /// How many changes there were.
    changes: u64,
    off: bool,
    /// Says that it syncs, and does not.
    lies: bool,
}

/// Whether a change still happens, or is the one at which the power goes.
#[derive(PartialEq)]
enum Power {
    On,
    Going,
}

impl State {
    fn change(&mut self) -> io::Result<Power> {
        self.reads()?;
        self.changes += 1;
        if self.left == Some(0) {
            self.off = true;
            return Ok(Power::Going);
        }
        self.left = self.left.map(|left| left - 1);
        Ok(Power::On)
    }

    fn reads(&self) -> io::Result<()> {
        if self.off { Err(io::Error::other("the power is off")) } else { Ok(()) }
    }
}

fn write(bytes: &mut Vec<u8>, at: usize, data: &[u8]) {
    bytes.resize(bytes.len().max(at + data.len()), 0);
    bytes[at..][..data.len()].copy_from_slice(data);
}

impl Torn {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The power goes at the change after so many.
    pub(crate) fn lose_power_after(&self, changes: u64) {
        self.state().left = Some(changes);
    }

    /// The number of changes so far: each is a moment at which the power can go.
    pub(crate) fn changes(&self) -> u64 {
        self.state().changes
    }

    /// Whether it has gone.
    pub(crate) fn is_off(&self) -> bool {
        self.state().off
    }

    /// From now on what is synced is not.
    pub(crate) fn lie(&self) {
        self.state().lies = true;
    }

    /// The power is back. Of what was not synced there is some: each write whole, torn, zeroed or not there.
    pub(crate) fn restart(&self, seed: u64) {
        let mut random = ChaCha20Rng::seed_from_u64(seed);
        let state = &mut *self.state();
        let mut journal = std::mem::take(&mut state.synced);
        for (at, data) in std::mem::take(&mut state.written) {
            let sectors = data.len().div_ceil(SECTOR);
            match random.next_u64() % 4 {
                0 => {}
                1 => write(&mut journal, at, &data),
                2 => {
                    let kept = usize::try_from(random.next_u64()).unwrap_or(0) % (sectors + 1);
                    write(&mut journal, at, &data[..data.len().min(kept * SECTOR)]);
                }
                _ => {
                    let from = state.settled.max(at).min(at + data.len());
                    write(&mut journal, from, &vec![0; at + data.len() - from]);
                }
            }
        }
        state.synced.clone_from(&journal);
        state.settled = journal.len();
        state.journal = journal;
        (state.off, state.left, state.lies) = (false, None, false);
    }

    /// Turns over a bit of a file, or of the journal.
    pub(crate) fn damage(&self, name: &str, bit: usize) {
        let state = &mut *self.state();
        let flip = |bytes: &mut Vec<u8>| bytes[bit / 8] ^= 1 << (bit % 8);
        if let Some(file) = state.files.get_mut(name) {
            flip(file);
        } else {
            flip(&mut state.journal);
            flip(&mut state.synced);
        }
    }

    /// Another disk of the same content.
    pub(crate) fn copy(&self) -> Self {
        let state = self.state();
        let (journal, synced, files) = (state.journal.clone(), state.synced.clone(), state.files.clone());
        Self(Arc::new(Mutex::new(State { journal, synced, files, ..State::default() })))
    }

    /// All files, by name.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        self.state().files.clone()
    }

    /// Puts files there, as they are.
    pub(crate) fn restore(&self, files: BTreeMap<String, Vec<u8>>) {
        self.state().files = files;
    }

    /// The journal's bytes.
    pub(crate) fn journal_bytes(&self) -> Vec<u8> {
        self.state().journal.clone()
    }
}

impl Medium for Torn {
    type Journal = Self;

    fn journal(&self, anew: bool) -> io::Result<Self> {
        if anew {
            self.set_len(0)?;
        }
        self.state().reads()?;
        Ok(self.clone())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        // Written beside, renamed: two moments.
        let beside = format!("{name}.new");
        let state = &mut *self.state();
        if state.change()? == Power::Going {
            state.files.insert(beside, bytes[..bytes.len() / 2].to_vec());
            return state.reads();
        }
        state.files.insert(beside.clone(), bytes.to_vec());
        if state.change()? == Power::Going {
            return state.reads();
        }
        state.files.remove(&beside);
        state.files.insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        self.state().reads()?;
        Ok(self.state().files.get(name).cloned())
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.state().reads()?;
        Ok(self.state().files.keys().cloned().collect())
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        let state = &mut *self.state();
        if state.change()? == Power::On {
            state.files.remove(name);
        }
        state.reads()
    }

    fn place(&self, name: &str) -> String {
        format!("the torn disk/{name}")
    }
}

impl StorageBackend for Torn {
    fn len(&self) -> io::Result<u64> {
        self.state().reads()?;
        Ok(self.state().journal.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.state();
        state.reads()?;
        let at = usize::try_from(offset).map_err(io::Error::other)?;
        let bytes = state.journal.get(at..at + out.len()).ok_or(io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(bytes);
        Ok(())
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        let state = &mut *self.state();
        let power = state.change()?;
        let length = usize::try_from(length).map_err(io::Error::other)?;
        // The file system keeps lengths in order.
        state.journal.resize(length, 0);
        if power == Power::On {
            state.synced.resize(length, 0);
        }
        state.written.retain(|(at, data)| at + data.len() <= length);
        state.reads()
    }

    fn sync_data(&self) -> io::Result<()> {
        let state = &mut *self.state();
        if state.change()? == Power::On && !state.lies {
            state.synced.clone_from(&state.journal);
            state.settled = state.journal.len();
            state.written.clear();
        }
        state.reads()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let state = &mut *self.state();
        let _ = state.change()?;
        let at = usize::try_from(offset).map_err(io::Error::other)?;
        write(&mut state.journal, at, data);
        state.written.push((at, data.to_vec()));
        state.reads()
    }
}
