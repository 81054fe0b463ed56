//! Recovery: the party as it is on disk, made by doing again what was done.

use super::journal::Record;
use super::party::Limits;
use super::snapshot::{self, Input};
use super::{Durable, Effect, Error, Place};
use crate::engine::{Lane, Lasting};

impl<P: Lasting> Durable<P> {
    /// The party as it is on disk: a new one, made as the one was that is stored, the newest snapshot that is whole, if there is one,
    /// and all records after it that are whole, in order. Records that the snapshot covers are passed over.
    ///
    /// # Errors
    ///
    /// [`Error::Stored`], [`Error::Replay`]: what is on disk is not what this party stored.
    pub fn restore<'a>(
        party: P,
        limits: Limits,
        snapshot: Option<(u64, &[u8])>,
        records: impl IntoIterator<Item = (u64, &'a [u8])>,
    ) -> Result<(Self, Vec<Effect>), Error> {
        let fresh = |error| Error::Replay { place: Place::Snapshot(0), error };
        let mut durable = Self::new(party, limits).map_err(fresh)?;
        durable.replaying = true;
        if let Some((lsn, bytes)) = snapshot {
            durable.put_back(lsn, bytes)?;
        }
        for (lsn, bytes) in records {
            if lsn > durable.lsn {
                durable.replay(lsn, bytes)?;
            }
        }
        durable.replaying = false;
        durable.set_written(durable.lsn);
        let effects = durable.settle();
        Ok((durable, effects))
    }

    /// Goes to where a snapshot was made.
    fn put_back(&mut self, lsn: u64, bytes: &[u8]) -> Result<(), Error> {
        let place = Place::Snapshot(lsn);
        let what = "no snapshot of this party";
        let state = snapshot::decode(self.party.role(), bytes).filter(|state| state.lsn == lsn);
        let state = state.ok_or(Error::Stored { place, what })?;
        let refused = |error| Error::Replay { place, error };
        self.party.restore(Lane::Memory, &state.memory).map_err(refused)?;
        self.party.restore(Lane::Making, &state.making.saved).map_err(refused)?;
        // What the making lane said then is among the frames that are kept, or acknowledged.
        for input in &state.making.since {
            match input {
                Input::Begun(command) => self.party.begin(command),
                Input::Taken(peer, bytes) => self.party.receive(*peer, bytes),
            }
            .map_err(refused)?;
        }
        (self.lsn, self.commanded, self.written) = (lsn, lsn, lsn);
        (self.links, self.desk, self.making) = (state.links, state.desk, state.making);
        // A snapshot may have been made in the moment before a step began.
        self.begin_waiting();
        Ok(())
    }

    /// Does a record again.
    fn replay(&mut self, lsn: u64, bytes: &[u8]) -> Result<(), Error> {
        let place = Place::Record(lsn);
        let stored = |what| Error::Stored { place, what };
        if lsn != self.lsn + 1 {
            return Err(stored("a record before it is missing"));
        }
        self.journal += bytes.len();
        match Record::decode(bytes).ok_or(stored("no record"))? {
            Record::Command(number, command) => {
                if number != self.desk.next {
                    return Err(stored("not the next command"));
                }
                self.lsn = lsn;
                self.accept(command);
            }
            Record::Frame { peer, lane, number, bytes } => {
                let link = self.place(peer).map_err(|_| stored("a frame of no peer"))?;
                if number != self.links[link].incoming[lane as usize].taken() {
                    return Err(stored("not the next frame"));
                }
                self.take((peer, lane, number), bytes).map_err(|error| Error::Replay { place, error })?;
            }
            Record::Acknowledged { peer, lane, number } => {
                let link = self.place(peer).map_err(|_| stored("an acknowledgement of no peer"))?;
                self.hear(link, peer, lane, number);
            }
            Record::Fetched(number) => {
                self.desk.fetched(number).map_err(|_| stored("an answer that there was not"))?;
                self.lsn = lsn;
            }
        }
        if self.lsn == lsn { Ok(()) } else { Err(stored("an acknowledgement of what was acknowledged")) }
    }
}
