//! A party that is watched: what it says, and with which items. Also the seam at which faults are planted in what it stores.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use duoram_reference::{
    Batch, Command, Error, Frame, Header, Lane, Lasting, Party, Role, UnderWay, Word, lean,
};
use zeroize::Zeroizing;

use crate::protocol::Visible;
use crate::saved::Tampering;

/// Where a frame has its place in the session: sender, receiver, kind, number of the step, round; and the lane, by which steps are numbered.
pub(crate) type Place = (Role, Role, u8, u64, u32, Lane);

/// What the parties have said.
#[derive(Default)]
pub(crate) struct Said {
    /// The items of each message that was made.
    pub(crate) items: BTreeMap<Place, Vec<u64>>,
    /// What has left on a link.
    pub(crate) words: BTreeMap<Place, Vec<u8>>,
    /// A message that was made again, after it has left, in other words. Whether the link lets it pass is another matter.
    pub(crate) contradiction: Option<Place>,
    /// Whether a party is another one since its state was looked at.
    pub(crate) changed: bool,
}

/// The place of a frame.
pub(crate) fn place(from: Role, lane: Lane, frame: &[u8]) -> Option<Place> {
    let header = Header::decode(from, frame).ok()?;
    Some((from, header.to, header.kind, header.operation, header.round, lane))
}

/// The party, and what is noted of it. One whose memory is not looked at may be any that lasts.
pub(crate) struct Watched<P: Lasting + ?Sized = dyn Visible> {
    party: Box<P>,
    log_size: u32,
    said: Rc<RefCell<Said>>,
    tampering: Rc<RefCell<Tampering>>,
    /// [`Watched::steps`], since it has changed.
    steps: OnceCell<Option<u64>>,
    /// The steps that it has begun, by lane.
    begun: [u64; 2],
    log: Option<Rc<RefCell<Vec<Deed>>>>,
}

/// What a message or a step is called.
#[derive(Clone, Copy)]
pub(crate) enum Name {
    Message(u8),
    Step(&'static str),
}

/// Something that a party has done, as a trace tells it.
pub(crate) struct Deed {
    pub(crate) event: &'static str,
    pub(crate) peer: Option<Role>,
    pub(crate) kind: Name,
    pub(crate) lane: Lane,
    /// The number of the step in its lane.
    pub(crate) operation: u64,
    pub(crate) round: u32,
    pub(crate) items: Vec<u64>,
    /// The bytes of the payload.
    pub(crate) size: u32,
}

impl Watched {
    pub(crate) fn memory(&self) -> Vec<Vec<Word>> {
        self.party.memory()
    }
}

impl<P: Lasting + ?Sized> Watched<P> {
    pub(crate) fn new(
        party: Box<P>,
        log_size: u32,
        said: Rc<RefCell<Said>>,
        tampering: Rc<RefCell<Tampering>>,
    ) -> Self {
        said.borrow_mut().changed = true;
        Self { party, log_size, said, tampering, steps: OnceCell::new(), begun: [0; 2], log: None }
    }

    /// How many steps its memory lane has done; none while it is in the middle of one.
    pub(crate) fn steps(&self) -> Option<u64> {
        let steps = || Some(crate::saved::operation(&self.party.save(Lane::Memory).ok()?));
        *self.steps.get_or_init(steps)
    }

    /// It has done something.
    fn changed(&mut self) {
        self.steps.take();
        self.said.borrow_mut().changed = true;
    }

    fn items(&self, lane: Lane) -> Vec<u64> {
        self.under_way_in(lane).map_or_else(Vec::new, |under_way| under_way.items.clone())
    }

    /// Notes what it does, for a trace.
    pub(crate) fn logged(mut self, log: &Rc<RefCell<Vec<Deed>>>) -> Self {
        self.log = Some(Rc::clone(log));
        self
    }

    fn log(&self, deed: impl FnOnce() -> Option<Deed>) {
        if let Some(log) = &self.log {
            log.borrow_mut().extend(deed());
        }
    }

    /// A step of a lane, of this number there, has begun or is done.
    fn log_step(&self, event: &'static str, lane: Lane, step: &UnderWay, operation: u64) {
        self.log(|| {
            let (kind, items) = (Name::Step(step.step.name()), step.items.clone());
            Some(Deed { kind, lane, operation, round: 0, items, size: 0, peer: None, event })
        });
    }

    /// The next step of a lane has begun; its number there.
    fn log_begun(&mut self, lane: Lane, step: &UnderWay) -> u64 {
        let operation = self.begun[lane as usize];
        self.begun[lane as usize] += 1;
        self.log_step("begin", lane, step, operation);
        operation
    }

    /// A message, with the items of the step that it belongs to.
    fn log_message(&self, event: &'static str, from: Role, peer: Role, frame: &[u8], items: &[u64]) {
        self.log(|| {
            let header = Header::decode(from, frame).ok()?;
            let (kind, lane) = (Name::Message(header.kind), self.lane(frame)?);
            let (operation, round, items) = (header.operation, header.round, items.to_vec());
            Some(Deed { kind, lane, operation, round, items, size: header.length, peer: Some(peer), event })
        });
    }

    /// Notes the items of what is said.
    fn note(&self, frames: &[Frame], items: &[u64]) {
        for frame in frames {
            let Some(lane) = self.lane(&frame.bytes) else { continue };
            let Some(place) = place(frame.from, lane, &frame.bytes) else { continue };
            self.log_message("send", frame.from, frame.to, &frame.bytes, items);
            let mut said = self.said.borrow_mut();
            if said.words.get(&place).is_some_and(|words| *words != **frame.bytes) {
                said.contradiction = Some(place);
            }
            said.items.insert(place, items.to_vec());
        }
    }
}

impl<P: Lasting + ?Sized> Party for Watched<P> {
    fn role(&self) -> Role {
        self.party.role()
    }

    fn awaits(&self) -> Option<Role> {
        self.party.awaits()
    }

    fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error> {
        let operation = Header::decode(from, frame).map_or(0, |header| header.operation);
        let before = self.lane(frame).and_then(|lane| self.under_way_in(lane).cloned());
        let frames = self.party.receive(from, frame)?;
        self.changed();
        let Some((lane, before)) = self.lane(frame).zip(before) else { return Ok(frames) };
        self.log_message("receive", from, from, frame, &before.items);
        // A party may go on with another step by itself.
        let of_step =
            |frame: &&Frame| place(frame.from, lane, &frame.bytes).is_some_and(|at| at.3 == operation);
        let split = frames.iter().take_while(of_step).count();
        self.note(&frames[..split], &before.items);
        let after = self.under_way_in(lane).cloned();
        if after.as_ref() != Some(&before) {
            self.log_step("apply", lane, &before, operation);
            if let Some(step) = after {
                self.log_begun(lane, &step);
            }
        }
        self.note(&frames[split..], &self.items(lane));
        Ok(frames)
    }

    fn connect(&mut self) -> Result<Vec<Frame>, Error> {
        self.changed();
        self.party.connect()
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.changed();
        self.party.preprocess(batch)
    }

    fn prepared(&self) -> Batch {
        self.party.prepared()
    }

    fn made(&self) -> u64 {
        self.party.made()
    }

    fn under_way(&self) -> Option<&UnderWay> {
        self.party.under_way()
    }
}

impl<P: Lasting + ?Sized> Lasting for Watched<P> {
    fn roles(&self) -> &'static [Role] {
        self.party.roles()
    }

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
        self.changed();
        let lane = command.lanes()[0];
        if let Some(step) = self.under_way_in(lane).cloned() {
            self.log_begun(lane, &step);
        } else if let Command::Load(_) = command {
            // A load may await nothing: it is done then.
            let step = UnderWay { step: lean::step::LOAD, items: Vec::new() };
            let operation = self.log_begun(lane, &step);
            self.log_step("apply", lane, &step, operation);
        }
        self.note(&frames, &self.items(lane));
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
        self.changed();
        self.party.restore(lane, &saved)
    }
}
