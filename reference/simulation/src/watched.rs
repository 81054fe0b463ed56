//! A party that is watched: what it says, and with which items. Also the seam at which faults are planted in what it stores.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use duoram_reference::{
    Batch, Command, Error, Frame, Header, Lane, Lasting, Party, Role, UnderWay, Word,
};
use zeroize::Zeroizing;

use crate::protocol::Visible;
use crate::saved::Tampering;

/// Where a frame has its place in the session: sender, receiver, kind, number of the step, round; and the lane, by which steps are numbered.
pub(crate) type Place = (Role, Role, u8, u64, u32, Lane);

/// What the three have said: the items of each message.
pub(crate) type Items = BTreeMap<Place, Vec<u64>>;

/// The place of a frame.
pub(crate) fn place(from: Role, lane: Lane, frame: &[u8]) -> Option<Place> {
    let header = Header::decode(from, frame).ok()?;
    Some((from, header.to, header.kind, header.operation, header.round, lane))
}

/// The party, and what is noted of it.
pub(crate) struct Watched {
    party: Box<dyn Visible>,
    log_size: u32,
    items: Rc<RefCell<Items>>,
    tampering: Rc<RefCell<Tampering>>,
}

impl Watched {
    pub(crate) fn new(
        party: Box<dyn Visible>,
        log_size: u32,
        items: Rc<RefCell<Items>>,
        tampering: Rc<RefCell<Tampering>>,
    ) -> Self {
        Self { party, log_size, items, tampering }
    }

    pub(crate) fn memory(&self) -> Vec<Vec<Word>> {
        self.party.memory()
    }

    /// How many steps its memory lane has done; none while it is in the middle of one.
    pub(crate) fn steps(&self) -> Option<u64> {
        Some(crate::saved::operation(&self.party.save(Lane::Memory).ok()?))
    }

    fn items(&self, lane: Lane) -> Vec<u64> {
        self.under_way_in(lane).map_or_else(Vec::new, |under_way| under_way.items.clone())
    }

    /// Notes the items of what is said: `before` of what belongs to the step of that number, the present ones of all else.
    fn note(&self, frames: &[Frame], before: Option<(u64, Vec<u64>)>) {
        for frame in frames {
            let Some(lane) = self.lane(&frame.bytes) else { continue };
            let Some(place) = place(frame.from, lane, &frame.bytes) else { continue };
            let items = match &before {
                Some((operation, items)) if *operation == place.3 => items.clone(),
                _ => self.items(lane),
            };
            self.items.borrow_mut().insert(place, items);
        }
    }
}

impl Party for Watched {
    fn role(&self) -> Role {
        self.party.role()
    }

    fn awaits(&self) -> Option<Role> {
        self.party.awaits()
    }

    fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error> {
        let operation = Header::decode(from, frame).map_or(0, |header| header.operation);
        let before = self.lane(frame).map_or_else(Vec::new, |lane| self.items(lane));
        let frames = self.party.receive(from, frame)?;
        self.note(&frames, Some((operation, before)));
        Ok(frames)
    }

    fn connect(&mut self) -> Result<Vec<Frame>, Error> {
        self.party.connect()
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.party.preprocess(batch)
    }

    fn prepared(&self) -> Batch {
        self.party.prepared()
    }

    fn under_way(&self) -> Option<&UnderWay> {
        self.party.under_way()
    }
}

impl Lasting for Watched {
    fn lane(&self, frame: &[u8]) -> Option<Lane> {
        self.party.lane(frame)
    }

    fn awaits_in(&self, lane: Lane) -> Option<Role> {
        self.party.awaits_in(lane)
    }

    fn under_way_in(&self, lane: Lane) -> Option<&UnderWay> {
        self.party.under_way_in(lane)
    }

    fn begin(&mut self, command: &Command) -> Result<Vec<Frame>, Error> {
        let frames = self.party.begin(command)?;
        self.note(&frames, None);
        Ok(frames)
    }

    fn results(&self) -> &[Word] {
        self.party.results()
    }

    fn save(&self, lane: Lane) -> Result<Zeroizing<Vec<u8>>, Error> {
        let saved = self.party.save(lane)?;
        Ok(self.tampering.borrow_mut().save(lane, self.log_size, &saved).into())
    }

    fn restore(&mut self, lane: Lane, saved: &[u8]) -> Result<(), Error> {
        let saved = self.tampering.borrow_mut().restore(lane, saved);
        self.party.restore(lane, &saved)
    }
}
