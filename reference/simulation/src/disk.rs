//! What a party needs of a disk, and a plain store that has it.

use std::hash::{DefaultHasher, Hasher};

use crate::medium::{Medium, PowerCut};

/// What is on a disk after a crash.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recovered {
    /// The newest snapshot that is whole, with its last record.
    pub snapshot: Option<(u64, Vec<u8>)>,
    /// The records that are whole, with their numbers, in order and without a gap; some may be in the snapshot.
    pub records: Vec<(u64, Vec<u8>)>,
}

/// A journal and snapshots on a medium.
///
/// [`PowerCut`] is the only error: a real store ends its process at any other.
pub trait Disk {
    /// Puts a record at the journal's end. It is certain after [`Disk::sync`].
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    fn append(&mut self, lsn: u64, record: &[u8]) -> Result<(), PowerCut>;

    /// Makes all records certain.
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    fn sync(&mut self) -> Result<(), PowerCut>;

    /// Writes a snapshot that stands for all records up to `lsn`: after a crash there is it or what was before. It is certain when
    /// this returns.
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    fn snapshot(&mut self, lsn: u64, state: &[u8]) -> Result<(), PowerCut>;

    /// What there is, when the party starts; records may be appended then.
    ///
    /// # Errors
    ///
    /// [`PowerCut`].
    fn recover(&mut self) -> Result<Recovered, PowerCut>;

    /// The medium that it is on, for the simulation to let the power fail.
    fn on_medium<T>(&mut self, look: impl FnOnce(&mut Medium) -> T) -> T;
}

/// What a store does wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Carelessness {
    /// Records have no checksum.
    NoChecksum,
    /// A snapshot is written over the one before, and has no checksum either.
    InPlace,
}

/// A store of one snapshot and a journal in files, each a journal's part since a start or a snapshot.
#[derive(Default)]
pub struct PlainStore {
    medium: Medium,
    careless: Option<Carelessness>,
    /// The number of the file that is appended to, and its length.
    journal: (u64, usize),
}

const SNAPSHOT: &str = "snapshot";
const NEW_SNAPSHOT: &str = "snapshot.tmp";
const JOURNAL: &str = "journal.";

/// Before a record: checksum, its number, its length. Before a snapshot the same.
const HEADER: usize = 24;

/// Of 64 bits. It is of no release of Rust but this one, and neither is such a disk.
fn checksum(parts: [&[u8]; 2]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write(part);
    }
    hasher.finish()
}

/// With its number, its length and a checksum.
fn sealed(lsn: u64, bytes: &[u8]) -> Vec<u8> {
    let place = [lsn.to_le_bytes(), (bytes.len() as u64).to_le_bytes()];
    let place = place.as_flattened();
    [&checksum([place, bytes]).to_le_bytes(), place, bytes].concat()
}

/// What is at the start of these bytes: its number, it, and what follows.
fn open(bytes: &[u8], checked: bool) -> Option<(u64, &[u8], &[u8])> {
    let (header, rest) = bytes.split_at_checked(HEADER)?;
    let word = |at: usize| header[at..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    let (sum, lsn, length) = (word(0)?, word(8)?, word(16)?);
    let (record, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    // What is full of zeros is the end, with or without a checksum.
    let right = if checked { checksum([&header[8..], record]) == sum } else { length > 0 };
    right.then_some((lsn, record, rest))
}

impl PlainStore {
    /// An empty one.
    pub fn new(medium: Medium, careless: Option<Carelessness>) -> Self {
        Self { medium, careless, journal: (0, 0) }
    }

    fn checks(&self, careless: Carelessness) -> bool {
        self.careless != Some(careless)
    }

    fn journal_name(&self) -> String {
        format!("{JOURNAL}{:08}", self.journal.0)
    }

    /// The journal's files, the oldest first.
    fn journals(&self) -> Vec<String> {
        self.medium.names().into_iter().filter(|name| name.starts_with(JOURNAL)).collect()
    }

    /// Goes on in a new file: after a torn record may be whole ones that are not to be read, nor to be joined to.
    fn new_journal(&mut self) -> Result<(), PowerCut> {
        let last = self.journals().last().and_then(|name| name.strip_prefix(JOURNAL)?.parse().ok());
        self.journal = (last.map_or(0, |last: u64| last + 1), 0);
        self.medium.create(&self.journal_name())?;
        self.medium.sync_folder()
    }
}

impl Disk for PlainStore {
    fn append(&mut self, lsn: u64, record: &[u8]) -> Result<(), PowerCut> {
        let (bytes, at) = (sealed(lsn, record), self.journal.1);
        self.journal.1 += bytes.len();
        self.medium.write(&self.journal_name(), at, &bytes)
    }

    fn sync(&mut self) -> Result<(), PowerCut> {
        self.medium.sync(&self.journal_name())
    }

    fn snapshot(&mut self, lsn: u64, state: &[u8]) -> Result<(), PowerCut> {
        let name = if self.checks(Carelessness::InPlace) { NEW_SNAPSHOT } else { SNAPSHOT };
        if name == NEW_SNAPSHOT || self.medium.read(name).is_empty() {
            self.medium.create(name)?;
        }
        // Two writes, so that a crash may come between.
        let bytes = sealed(lsn, state);
        let (first, second) = bytes.split_at(bytes.len() / 2);
        self.medium.write(name, 0, first)?;
        self.medium.write(name, first.len(), second)?;
        self.medium.sync(name)?;
        if name == NEW_SNAPSHOT {
            self.medium.rename(NEW_SNAPSHOT, SNAPSHOT)?;
        }
        self.medium.sync_folder()?;
        let old = self.journals();
        self.new_journal()?;
        old.iter().try_for_each(|name| self.medium.remove(name))
    }

    fn recover(&mut self) -> Result<Recovered, PowerCut> {
        let snapshot = open(self.medium.read(SNAPSHOT), self.checks(Carelessness::InPlace));
        let snapshot = snapshot.map(|(lsn, state, _)| (lsn, state.to_vec()));
        // A snapshot may be newer than what was certain of the journal.
        let covered = snapshot.as_ref().map_or(0, |(lsn, _)| *lsn);
        let mut records: Vec<(u64, Vec<u8>)> = Vec::new();
        for name in self.journals() {
            let mut bytes = self.medium.read(&name);
            while let Some((lsn, record, rest)) = open(bytes, self.checks(Carelessness::NoChecksum)) {
                if lsn > covered {
                    if lsn != covered + records.len() as u64 + 1 {
                        break;
                    }
                    records.push((lsn, record.to_vec()));
                }
                bytes = rest;
            }
        }
        self.new_journal()?;
        Ok(Recovered { snapshot, records })
    }

    fn on_medium<T>(&mut self, look: impl FnOnce(&mut Medium) -> T) -> T {
        look(&mut self.medium)
    }
}

#[cfg(test)]
mod tests {
    use duoram_vectors::Random;

    use super::*;
    use crate::choice::{below, one_of};
    use crate::medium::Tear;

    /// However the tail is torn: what was synced is there, and of the rest a part from the beginning.
    #[test]
    fn records_that_were_synced_are_there_after_every_crash() {
        for seed in 0..200 {
            let mut random = Random(seed);
            let mut store = PlainStore::default();
            let mut written = Vec::new();
            let mut certain = 0;
            assert_eq!(store.recover(), Ok(Recovered::default()));
            for _ in 0..20 {
                let lsn = written.len() as u64 + 1;
                let record = vec![random.word().to_le_bytes()[0]; 1 + below(&mut random, 150)];
                store.append(lsn, &record).unwrap();
                written.push((lsn, record));
                match random.below(8) {
                    0 => {
                        store.sync().unwrap();
                        certain = written.len();
                    }
                    1 => {
                        store.snapshot(lsn, &lsn.to_le_bytes()).unwrap();
                        certain = written.len();
                    }
                    2 => {
                        store.medium.set_fuse(Some(random.below(8)));
                        if store.snapshot(lsn, &lsn.to_le_bytes()).is_ok() {
                            certain = written.len();
                        }
                    }
                    3 => {}
                    _ => continue,
                }
                let tear = one_of(&mut random, &Tear::ALL);
                store.medium.crash(tear, &mut random);
                let Recovered { snapshot, records } = store.recover().unwrap();
                let covered = snapshot.map_or(0, |(lsn, state)| {
                    assert_eq!(state, lsn.to_le_bytes());
                    usize::try_from(lsn).unwrap()
                });
                let whole = covered + records.len();
                assert!(certain <= whole && whole <= written.len(), "{seed}: {certain} {whole}");
                assert_eq!(records, written[covered..whole]);
                written.truncate(whole);
                certain = whole;
            }
        }
    }
}
