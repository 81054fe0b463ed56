//! A durable party and its disk: effects become groups of records on disk, and what waited for that is said.

use std::collections::VecDeque;

use duoram_reference::durable::{self, Durable, Effect, Limits};
use duoram_reference::{Lasting, engine};
use zeroize::Zeroizing;

use crate::store::{self, Medium, Store};

/// What surrounds a durable party: who hears what it says, and what is stored beside it.
///
/// There is one journal and one snapshot for the party and its surroundings, so that both come back as of the same moment.
pub trait Surroundings {
    /// How a record of the party is stored, among those of its surroundings.
    fn record(&self, record: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        record
    }

    /// How a snapshot of the party is stored, together with its surroundings at this moment.
    fn snapshot(&self, _lsn: u64, state: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        state
    }

    /// Takes whatever the party wants said: any [`Effect`] but those for the disk.
    fn hear(&mut self, effect: Effect);
}

/// What was stored of the party itself.
pub struct Stored<'a> {
    /// The last record that the snapshot covers.
    pub lsn: u64,
    /// The snapshot.
    pub state: &'a [u8],
    /// The records since, in order.
    pub records: Vec<&'a [u8]>,
}

/// Why an input was not taken, or not written.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// The disk: the process has to end.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The input was refused; nothing has changed.
    #[error(transparent)]
    Durable(#[from] durable::Error),
    /// The party has a step under way, before anything was commanded.
    #[error(transparent)]
    Party(#[from] engine::Error),
}

/// A durable party with its disk.
pub struct Kept<P, M: Medium> {
    durable: Durable<P>,
    store: Store<M>,
    /// Records that are not on disk yet, as they are stored.
    unwritten: Vec<Zeroizing<Vec<u8>>>,
    unwritten_bytes: usize,
    /// The party's last record among all so far.
    last: u64,
    /// The bytes of records since the last snapshot.
    journal: usize,
    /// The snapshots so far.
    snapshots: u64,
}

impl<P: Lasting, M: Medium> Kept<P, M> {
    /// The party as it is on disk: `party`, if there is nothing yet, and if there is, what that has become.
    ///
    /// # Errors
    ///
    /// See [`Trouble`].
    pub fn open(
        party: P,
        limits: Limits,
        store: Store<M>,
        stored: Option<&Stored<'_>>,
        around: &mut impl Surroundings,
    ) -> Result<Self, Trouble> {
        let (durable, effects) = if let Some(Stored { lsn, state, records }) = stored {
            let numbered = (lsn + 1..).zip(records.iter().copied());
            Durable::restore(party, limits, Some((*lsn, state)), numbered)?
        } else {
            let mut durable = Durable::new(party, limits)?;
            // The seed is on disk before anything is said that follows from it.
            let effects = durable.snapshot()?;
            (durable, effects)
        };
        let last = stored.map_or(0, |stored| stored.lsn + stored.records.len() as u64);
        let journal = stored.map_or(0, |stored| stored.records.iter().map(|record| record.len()).sum());
        let (unwritten, unwritten_bytes) = (Vec::new(), 0);
        let mut kept = Self { durable, store, unwritten, unwritten_bytes, last, journal, snapshots: 0 };
        kept.carry_out(effects, around)?;
        Ok(kept)
    }

    /// The party and what is kept of it, to look at.
    pub const fn durable(&self) -> &Durable<P> {
        &self.durable
    }

    /// The bytes of records since the last snapshot.
    pub const fn journal(&self) -> usize {
        self.journal
    }

    /// The snapshots since the start.
    pub const fn snapshots(&self) -> u64 {
        self.snapshots
    }

    /// Whether there are records that are not on disk.
    pub const fn is_unwritten(&self) -> bool {
        !self.unwritten.is_empty()
    }

    /// The bytes of records that are not on disk: whoever takes inputs together takes no more when there are many.
    pub const fn unwritten_bytes(&self) -> usize {
        self.unwritten_bytes
    }

    /// An input of the party. What may leave before the disk has it leaves at once: the sync goes on beside what the
    /// peers do with it.
    ///
    /// # Errors
    ///
    /// [`Trouble::Durable`] if it was refused, [`Trouble::Store`].
    pub fn input(
        &mut self,
        around: &mut impl Surroundings,
        input: impl FnOnce(&mut Durable<P>) -> Result<Vec<Effect>, durable::Error>,
    ) -> Result<(), Trouble> {
        let effects = input(&mut self.durable)?;
        self.carry_out(effects, around)
    }

    /// Puts a record of the surroundings after all records so far.
    pub fn append(&mut self, record: Zeroizing<Vec<u8>>) {
        self.journal += record.len();
        self.unwritten_bytes += record.len();
        self.unwritten.push(record);
    }

    /// A link went down.
    ///
    /// # Errors
    ///
    /// [`Trouble::Durable`].
    pub fn link_down(&mut self, peer: duoram_reference::Role) -> Result<(), Trouble> {
        Ok(self.durable.link_down(peer)?)
    }

    fn carry_out(&mut self, effects: Vec<Effect>, around: &mut impl Surroundings) -> Result<(), Trouble> {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Append { lsn, record } => {
                    self.last = lsn;
                    self.append(around.record(record));
                }
                Effect::Snapshot { lsn, state } => {
                    // It is of all records so far.
                    self.write()?;
                    self.store.snapshot(&around.snapshot(lsn, state))?;
                    self.journal = 0;
                    self.snapshots += 1;
                    effects.extend(self.durable.written(lsn)?);
                }
                said => around.hear(said),
            }
        }
        Ok(())
    }

    /// Puts on disk what is not there yet, and does what was waiting for that.
    ///
    /// # Errors
    ///
    /// [`Trouble::Store`].
    pub fn sync(&mut self, around: &mut impl Surroundings) -> Result<(), Trouble> {
        while self.is_unwritten() {
            self.write()?;
            let effects = self.durable.written(self.last)?;
            self.carry_out(effects, around)?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), store::Error> {
        let records = std::mem::take(&mut self.unwritten);
        self.unwritten_bytes = 0;
        if records.is_empty() { Ok(()) } else { self.store.append(records.iter().map(|record| &record[..])) }
    }
}
