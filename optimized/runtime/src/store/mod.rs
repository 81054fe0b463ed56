//! What a party keeps on disk: the inputs since its last snapshot, and that snapshot.
//!
//! | file of the folder | what it holds | how it is written |
//! |---|---|---|
//! | `journal.redb` | one record an input, by number; the number of the snapshot | a transaction of redb a group of inputs |
//! | `snapshot.N` | the state after input N | written beside, synced, renamed; only then named in the journal |
//! | `lock` | who has the folder open | held as long as the store is |
//!
//! A party whose memory is divided among workers may have more folders, one a worker:
//!
//! | file of a worker's folder | what it holds | how it is written |
//! |---|---|---|
//! | `range.W.NAME` | the words of worker W, of the memory that was put aside under a name that the snapshot has | as a snapshot; all of them before that ([`Beside`]) |
//! | `lock` | who has the folder open | held as long as the worker is there |
//!
//! A name's first half is the same in all names of a party, and only files of those are removed.
//!
//! That is rule 2 of `proofs/tla/README.md`: a snapshot and the journal of the inputs since are, at any moment, one state. The
//! transaction that names a snapshot drops the records before it, so that there is no moment with neither or both.
//!
//! Whatever is written is sealed (`seal`) with a key that is not in the folder, and bound to its place: a record that is
//! damaged, swapped or of another party's folder is refused, by the name of its file. A transaction that was not finished is as
//! if it had never begun: that is the torn tail, and redb drops it.
//!
//! Of the disk it is asked that what was synced stays, and that a sector which is written anew has the old content or the new one
//! after a loss of power. What is dropped is gone from the files, but its ciphertext stays on the medium until that is
//! written over: whoever has an old image of the disk and the key can read it.
//!
//! What is not in here: whether the folder as a whole is an old one. Nothing on the disk can tell; the peers can
//! (`duoram_reference`'s `durable`).

mod beside;
mod error;
mod folder;
mod medium;
mod ranges;
mod seal;
#[cfg(feature = "test-util")]
pub mod simulated;

use redb::{Database, Durability, ReadableDatabase, ReadableTable, TableDefinition, TableError};
use zeroize::Zeroizing;

pub use self::beside::Beside;
pub use self::error::Error;
pub use self::folder::Folder;
pub use self::medium::Medium;
pub use self::ranges::{RangeFolders, RangeOf, Ranges, draw};
pub use self::seal::{Owner, StoreKey};
use self::seal::{Place, Seal};

/// The sealed records, by their numbers.
const JOURNAL: TableDefinition<'_, u64, &[u8]> = TableDefinition::new("journal");

/// One row: the number of the snapshot, sealed. It also tells whether the key is the right one.
const SNAPSHOT: TableDefinition<'_, (), &[u8]> = TableDefinition::new("snapshot");

/// Pages that redb keeps in memory: records are written once and read at a restart.
const CACHE_BYTES: usize = 1 << 20;

/// What was on disk.
#[derive(Debug)]
pub struct Recovered {
    /// The number of the last input in the snapshot, and the snapshot.
    pub snapshot: (u64, Zeroizing<Vec<u8>>),
    /// The inputs since, in order; their numbers follow that one without a gap.
    pub records: Vec<Zeroizing<Vec<u8>>>,
}

/// The disk of one party.
#[derive(Debug)]
pub struct Store<M: Medium> {
    medium: M,
    database: Database,
    seal: Seal,
    /// The number of the next record.
    next: u64,
    /// After an error, nobody knows what is on disk: only a restart finds out.
    failed: bool,
    /// Who else has files of its snapshots.
    beside: Option<Box<dyn Beside>>,
}

impl<M: Medium> Store<M> {
    /// Opens what a party has left, or begins: then there is nothing to recover, and the first thing to be written is a
    /// snapshot ([`Store::snapshot`]) of number 0.
    ///
    /// # Errors
    ///
    /// [`Error::WrongKey`], [`Error::Damaged`], [`Error::Medium`], [`Error::Journal`].
    pub fn open(medium: M, key: &StoreKey, owner: &Owner) -> Result<(Self, Option<Recovered>), Error> {
        let journal = medium.place(JOURNAL_FILE);
        let failed = |source: redb::Error| Error::Journal { place: journal.clone(), source };
        let failed_medium = |source| Error::Medium { place: journal.clone(), source };
        let database = |anew| {
            let backend = medium.journal(anew).map_err(failed_medium)?;
            let opened = Database::builder().set_cache_size(CACHE_BYTES).create_with_backend(backend);
            opened.map_err(|error| failed(error.into()))
        };
        let database = match database(false) {
            // No snapshot, no party: what cannot be opened was left when the process ended while it made the file.
            Err(_) if !medium.names().map_err(failed_medium)?.iter().any(|name| is_snapshot(name)) => {
                database(true)?
            }
            opened => opened?,
        };
        let mut store =
            Self { medium, database, seal: Seal::new(key, owner), next: 0, failed: false, beside: None };
        let (named, sealed) = store.rows().map_err(failed)?;
        let Some(named) = named else {
            // Not even the first snapshot was named: what there is was never spoken of.
            store.clear(None)?;
            return Ok((store, None));
        };
        let named = store.seal.open(Place::Name, &named).ok_or(Error::WrongKey { place: journal.clone() })?;
        let damaged = |place: String, what: String| Error::Damaged { place, what };
        let number = named.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        let number = number.ok_or_else(|| damaged(journal.clone(), "the snapshot's number".to_owned()))?;
        let records = store.records(number, &sealed)?;
        let file = snapshot_file(number);
        let state = store
            .medium
            .get(&file)
            .map_err(|source| Error::Medium { place: store.medium.place(&file), source })?
            .and_then(|sealed| store.seal.open(Place::Snapshot(number), &sealed))
            .ok_or_else(|| damaged(store.medium.place(&file), format!("the snapshot {number}")))?;
        store.clear(Some(number))?;
        store.next = number + 1 + records.len() as u64;
        Ok((store, Some(Recovered { snapshot: (number, state), records })))
    }

    /// From now on a snapshot is one only if those who have files of it have said that these are on disk.
    #[must_use]
    pub fn with(mut self, beside: Option<Box<dyn Beside>>) -> Self {
        self.beside = beside;
        self
    }

    /// The sealed number of the snapshot, and all sealed records.
    #[allow(clippy::type_complexity, reason = "two columns of two tables, read once")]
    fn rows(&self) -> Result<(Option<Vec<u8>>, Vec<(u64, Vec<u8>)>), redb::Error> {
        let read = self.database.begin_read()?;
        // The first snapshot makes both tables.
        let named = match read.open_table(SNAPSHOT) {
            Err(TableError::TableDoesNotExist(_)) => return Ok((None, Vec::new())),
            table => table?.get(())?.map(|row| row.value().to_vec()),
        };
        let journal = read.open_table(JOURNAL)?;
        let rows =
            journal.iter()?.map(|row| row.map(|(number, sealed)| (number.value(), sealed.value().to_vec())));
        Ok((named, rows.collect::<Result<_, _>>()?))
    }

    /// The records after a snapshot: all there, none damaged.
    fn records(&self, snapshot: u64, rows: &[(u64, Vec<u8>)]) -> Result<Vec<Zeroizing<Vec<u8>>>, Error> {
        let open = |(expected, (number, sealed)): (u64, &(u64, Vec<u8>))| {
            let record =
                if *number == expected { self.seal.open(Place::Record(expected), sealed) } else { None };
            let place = self.medium.place(JOURNAL_FILE);
            record.ok_or_else(|| Error::Damaged { place, what: format!("record {expected}") })
        };
        (snapshot + 1..).zip(rows).map(open).collect()
    }

    /// Removes the files that no snapshot of this number needs.
    fn clear(&self, named: Option<u64>) -> Result<(), Error> {
        let failed = |place: String| move |source| Error::Medium { place, source };
        let kept = named.map(snapshot_file);
        for name in self.medium.names().map_err(failed(self.medium.place("")))? {
            if name.starts_with(SNAPSHOT_FILE) && Some(&name) != kept.as_ref() {
                self.medium.remove(&name).map_err(failed(self.medium.place(&name)))?;
            }
        }
        Ok(())
    }

    /// Writes the next records. They are on disk when this returns, all of them or, if the process ends before, none.
    ///
    /// # Errors
    ///
    /// [`Error::Journal`]; and from then on [`Error::Failed`]: a failed sync is not to be tried again, for nobody knows what it
    /// has left. The process has to end.
    pub fn append<'a>(&mut self, records: impl IntoIterator<Item = &'a [u8]>) -> Result<(), Error> {
        self.guarded(|store| {
            let mut next = store.next;
            let write = || -> Result<(), redb::Error> {
                let mut write = store.database.begin_write()?;
                write.set_durability(Durability::Immediate)?;
                {
                    let mut journal = write.open_table(JOURNAL)?;
                    for record in records {
                        journal.insert(next, store.seal.close(Place::Record(next), record)?.as_slice())?;
                        next += 1;
                    }
                }
                Ok(write.commit()?)
            };
            write().map_err(|source| store.journal_failed(source))?;
            store.next = next;
            Ok(())
        })
    }

    /// Writes the state after all records that have been appended, and forgets these.
    ///
    /// # Errors
    ///
    /// [`Error::Medium`], [`Error::Journal`], [`Error::Beside`]; and from then on [`Error::Failed`].
    pub fn snapshot(&mut self, state: &[u8]) -> Result<(), Error> {
        self.guarded(|store| {
            if let Some(beside) = &mut store.beside {
                beside.written()?;
            }
            // Number 0 is the state before any input.
            let number = store.next.saturating_sub(1);
            let file = snapshot_file(number);
            let place = store.medium.place(&file);
            let sealed = store
                .seal
                .close(Place::Snapshot(number), state)
                .map_err(|source| Error::Medium { place: place.clone(), source })?;
            let put = store.medium.put(&file, &mut |file| file.write_all(&sealed));
            put.map_err(|source| Error::Medium { place, source })?;
            let name = || -> Result<(), redb::Error> {
                let write = store.database.begin_write()?;
                {
                    let mut snapshot = write.open_table(SNAPSHOT)?;
                    snapshot.insert((), store.seal.close(Place::Name, &number.to_le_bytes())?.as_slice())?;
                    write.open_table(JOURNAL)?.retain_in(..=number, |_, _| false)?;
                }
                Ok(write.commit()?)
            };
            name().map_err(|source| store.journal_failed(source))?;
            store.next = number + 1;
            store.clear(Some(number))?;
            store.beside.as_mut().map_or(Ok(()), |beside| beside.named())
        })
    }

    fn guarded(&mut self, act: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        if self.failed {
            return Err(Error::Failed { place: self.medium.place("") });
        }
        let done = act(self);
        self.failed = done.is_err();
        done
    }

    fn journal_failed(&self, source: redb::Error) -> Error {
        Error::Journal { place: self.medium.place(JOURNAL_FILE), source }
    }
}

/// The file of the journal.
pub const JOURNAL_FILE: &str = "journal.redb";

/// How the names of snapshots begin, and of what will become one.
const SNAPSHOT_FILE: &str = "snapshot.";

/// Whether a file is a whole snapshot, not one that was being written.
fn is_snapshot(name: &str) -> bool {
    name.strip_prefix(SNAPSHOT_FILE).is_some_and(|number| number.parse::<u64>().is_ok())
}

fn snapshot_file(number: u64) -> String {
    format!("{SNAPSHOT_FILE}{number}")
}
