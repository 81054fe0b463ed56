//! The party and what is kept of it.

use zeroize::Zeroizing;

use super::desk::{Answer, Desk};
use super::journal::Record;
use super::links::{Incoming, Link, Outgoing};
use super::snapshot::{self, Input, Making};
use super::{Effect, Error};
use crate::engine::{self, Command, Lane, Lasting};
use crate::wire::{Frame, Role};

/// What a party keeps in memory at the most, and how much there is to do again after a crash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// The bytes of records after which a snapshot is made.
    pub journal: usize,
    /// The items after which a snapshot is made, whatever the length of the journal: to make an item again takes longer than to use
    /// it, and more so the larger the memory is.
    pub items: usize,
    /// The bytes of a lane that may be unacknowledged on one link before the lane's next step waits. A step that has begun goes on,
    /// so that there may be the messages of one step more. By lane, so that no lane ever waits for the other: two parties that are
    /// ahead in one lane each would wait for each other.
    pub unacknowledged: usize,
    /// The bytes that may have come from one peer in one lane before their turn: at least what the peer may have unacknowledged,
    /// and the messages of a step. One frame may always.
    pub ahead: usize,
    /// The commands of one lane that may be without a fetched answer.
    pub commands: usize,
}

/// A party that survives crashes: see [`crate::durable`].
///
/// An input that is refused with an [`Error`] has changed nothing.
pub struct Durable<P> {
    pub(super) party: P,
    pub(super) limits: Limits,
    /// By the order of the peers. Without a helper the link to it is one on which nothing is.
    pub(super) links: [Link; 2],
    pub(super) desk: Desk,
    pub(super) making: Making,
    /// The last record.
    pub(super) lsn: u64,
    /// The last record of a command.
    pub(super) commanded: u64,
    /// The last record on disk.
    pub(super) written: u64,
    /// The bytes of records since the last snapshot.
    pub(super) journal: usize,
    /// The items made since the last snapshot.
    pub(super) made: usize,
    /// Whether records are being done again: they are not appended again then.
    pub(super) replaying: bool,
    /// What the input at hand wants done.
    pub(super) effects: Vec<Effect>,
}

impl<P: Lasting> Durable<P> {
    /// A party that has done nothing yet. Its seed must be on disk: a restart makes the same party again.
    ///
    /// # Errors
    ///
    /// That of a party that has a step under way.
    pub fn new(party: P, limits: Limits) -> Result<Self, engine::Error> {
        let making = Making { saved: party.save(Lane::Making)?, since: Vec::new() };
        Ok(Self {
            party,
            limits,
            links: <[Link; 2]>::default(),
            desk: Desk::default(),
            making,
            lsn: 0,
            commanded: 0,
            written: 0,
            journal: 0,
            made: 0,
            replaying: false,
            effects: Vec::new(),
        })
    }

    /// The record that must be on disk before the party says what follows from all that it knows now.
    ///
    /// Rule 1: the last of all, `self.lsn`. Rule 1': the last command; see [`crate::durable`] for why that is enough.
    const fn speaks_after(&self) -> u64 {
        self.commanded
    }

    /// A command of the client, who keeps it until it is [`Effect::Accepted`], and repeats it after a restart (rule 5): the same
    /// under the same number, or an item would be used for something else.
    ///
    /// # Errors
    ///
    /// [`Error::CommandGap`], [`Error::TooManyCommands`].
    pub fn command(&mut self, number: u64, command: Command) -> Result<Vec<Effect>, Error> {
        if self.desk.is_new(number, &command, self.limits.commands)? {
            let record = Record::Command(number, command);
            self.log(&record);
            if let Record::Command(_, command) = record {
                self.accept(command);
            }
        }
        Ok(self.settle())
    }

    /// The client has the answer to a command: it need not be kept any more.
    ///
    /// # Errors
    ///
    /// [`Error::NotAnswered`].
    pub fn fetched(&mut self, number: u64) -> Result<Vec<Effect>, Error> {
        if self.desk.fetched(number)? {
            self.log(&Record::Fetched(number));
        }
        Ok(self.settle())
    }

    /// A frame that has come from a peer, with its lane and its number there. It waits, if it is not its turn.
    ///
    /// # Errors
    ///
    /// [`Error::NotAPeer`], [`Error::LinkDown`], [`Error::WrongLane`], [`Error::FrameGap`], [`Error::TooFarAhead`]. After any of the
    /// last three the link is of no more use: it has to go down.
    pub fn frame(
        &mut self,
        peer: Role,
        lane: Lane,
        number: u64,
        bytes: Zeroizing<Vec<u8>>,
    ) -> Result<Vec<Effect>, Error> {
        let place = self.up(peer)?;
        let got = self.party.lane(&bytes);
        if got != Some(lane) {
            return Err(Error::WrongLane { peer, expected: lane, got });
        }
        self.links[place].incoming[lane as usize].arrive((peer, lane), number, bytes, self.limits.ahead)?;
        Ok(self.settle())
    }

    /// A peer has so many frames of a lane on its disk: they need not be kept any more (rule 4). After a crash that may be more than
    /// was made again, as in [`Durable::link_up`].
    ///
    /// # Errors
    ///
    /// [`Error::NotAPeer`], [`Error::LinkDown`], [`Error::NotMade`].
    pub fn acknowledged(&mut self, peer: Role, lane: Lane, number: u64) -> Result<Vec<Effect>, Error> {
        let place = self.up(peer)?;
        let made = self.links[place].outgoing[lane as usize].made();
        if number > made && self.is_quiet(lane) {
            return Err(Error::NotMade { peer, lane, made, got: number });
        }
        self.hear(place, peer, lane, number);
        Ok(self.settle())
    }

    /// How many frames of a peer are on disk, by lane: what this party says first on a new link, as the peer does. What is written
    /// later is acknowledged when the link is up.
    ///
    /// # Errors
    ///
    /// [`Error::NotAPeer`].
    pub fn hello(&self, peer: Role) -> Result<[u64; 2], Error> {
        let place = self.place(peer)?;
        Ok(self.links[place].incoming.each_ref().map(Incoming::durable))
    }

    /// A link came up, on which the peer has said how many frames of this party it has on its disk. Whatever it has not is sent
    /// again (rule 4).
    ///
    /// A peer that has more than was made is right as long as something is under way here: a crash has lost frames that were not
    /// acknowledged, and when they have come again this party will have made as many. When nothing is under way and
    /// nothing waits, commands are lost.
    ///
    /// # Errors
    ///
    /// [`Error::NotAPeer`], [`Error::LinkUp`], [`Error::PeerForgot`], [`Error::SelfForgot`]. After the last two the link must not be
    /// used: a disk has lost what it had, and nothing that follows can be right.
    pub fn link_up(&mut self, peer: Role, their_taken: [u64; 2]) -> Result<Vec<Effect>, Error> {
        let place = self.place(peer)?;
        if self.links[place].up {
            return Err(Error::LinkUp { peer });
        }
        for (lane, taken) in Lane::ALL.into_iter().zip(their_taken) {
            let outgoing = &self.links[place].outgoing[lane as usize];
            let (acknowledged, made) = (outgoing.acknowledged(), outgoing.made());
            if taken < acknowledged {
                return Err(Error::PeerForgot { peer, lane, acknowledged, taken });
            }
            if taken > made && self.is_quiet(lane) {
                return Err(Error::SelfForgot { peer, lane, made, taken });
            }
        }
        let link = &mut self.links[place];
        link.up = true;
        for (outgoing, taken) in link.outgoing.iter_mut().zip(their_taken) {
            outgoing.link_up(taken);
        }
        for (lane, taken) in Lane::ALL.into_iter().zip(their_taken) {
            self.hear(place, peer, lane, taken);
        }
        Ok(self.settle())
    }

    /// A link went down. What waits for its turn is forgotten: it comes again.
    ///
    /// # Errors
    ///
    /// [`Error::NotAPeer`].
    pub fn link_down(&mut self, peer: Role) -> Result<(), Error> {
        let place = self.place(peer)?;
        self.links[place].up = false;
        self.links[place].incoming.iter_mut().for_each(Incoming::forget_waiting);
        Ok(())
    }

    /// The disk has all records up to this one, by themselves or in a snapshot.
    ///
    /// # Errors
    ///
    /// [`Error::NotAppended`].
    pub fn written(&mut self, lsn: u64) -> Result<Vec<Effect>, Error> {
        if lsn > self.lsn {
            return Err(Error::NotAppended { last: self.lsn, got: lsn });
        }
        self.set_written(lsn);
        Ok(self.settle())
    }

    /// Makes a snapshot now. One is made without asking whenever the journal has become longer than
    /// [`Limits::journal`], or more than [`Limits::items`] have been made, and no step on the memory is under way.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`].
    pub fn snapshot(&mut self) -> Result<Vec<Effect>, Error> {
        let memory = self.party.save(Lane::Memory).map_err(|_| Error::Busy)?;
        self.put_away(&memory);
        Ok(self.settle())
    }

    /// The party, to look at.
    pub const fn party(&self) -> &P {
        &self.party
    }

    /// Whether all commands that it was given are done.
    pub fn is_idle(&self) -> bool {
        Lane::ALL.into_iter().all(|lane| self.is_quiet(lane))
    }

    /// The number that the client's next command must have.
    pub const fn next_command(&self) -> u64 {
        self.desk.next
    }

    /// Whether a command is done, or was refused: whoever has forgotten whether it was told asks.
    pub fn is_answered(&self, number: u64) -> bool {
        self.desk.is_answered(number)
    }

    /// Whether something may only be said when more is on disk (rule 1'): records of frames alone may wait for others.
    pub const fn waits_for_disk(&self) -> bool {
        self.speaks_after() > self.written
    }

    /// Whether a command would not be refused with [`Error::TooManyCommands`] now.
    pub fn has_room(&self, command: &Command) -> bool {
        self.desk.open(command) < self.limits.commands
    }

    /// The bytes of frames that are kept for a peer until it acknowledges them.
    ///
    /// # Errors
    ///
    /// [`Error::NotAPeer`].
    pub fn unacknowledged(&self, peer: Role) -> Result<usize, Error> {
        let outgoing = &self.links[self.place(peer)?].outgoing;
        Ok(outgoing.iter().map(Outgoing::kept_bytes).sum())
    }

    pub(super) fn place(&self, peer: Role) -> Result<usize, Error> {
        let places = self.party.role().peers();
        let is_it = |other: &Role| *other == peer && self.party.roles().contains(other);
        places.iter().position(is_it).ok_or(Error::NotAPeer { got: peer })
    }

    /// The place of a peer whose link is up.
    fn up(&self, peer: Role) -> Result<usize, Error> {
        let place = self.place(peer)?;
        if self.links[place].up { Ok(place) } else { Err(Error::LinkDown { peer }) }
    }

    /// Whether a lane has nothing under way, and no command waits for it.
    fn is_quiet(&self, lane: Lane) -> bool {
        let of_lane = |(_, command): &(u64, Command)| command.lanes().contains(&lane);
        self.party.under_way_in(lane).is_none() && !self.desk.waiting.iter().any(of_lane)
    }

    /// Numbers a record and, unless it is there already, has it appended.
    fn log(&mut self, record: &Record) {
        self.lsn += 1;
        if !self.replaying {
            let record = record.encode();
            self.journal += record.len();
            self.effects.push(Effect::Append { lsn: self.lsn, record });
        }
    }

    /// A command that has become a record.
    pub(super) fn accept(&mut self, command: Command) {
        self.commanded = self.lsn;
        self.desk.push(command, self.lsn);
        self.begin_waiting();
    }

    /// Takes a frame whose turn it is. Only then is it an input: what the party refuses leaves no trace.
    pub(super) fn take(
        &mut self,
        (peer, lane, number): (Role, Lane, u64),
        bytes: Zeroizing<Vec<u8>>,
    ) -> Result<(), engine::Error> {
        let frames = self.party.receive(peer, &bytes)?;
        let record = Record::Frame { peer, lane, number, bytes };
        self.log(&record);
        if let (Record::Frame { bytes, .. }, Lane::Making) = (record, lane) {
            self.making.since.push(Input::Taken(peer, bytes));
        }
        if let Ok(place) = self.place(peer) {
            self.links[place].incoming[lane as usize].take(self.lsn);
        }
        self.post(frames);
        self.finish(lane);
        self.begin_waiting();
        Ok(())
    }

    /// A peer has so many frames on its disk. A new step may have waited for that, so that it is an input as others are.
    pub(super) fn hear(&mut self, place: usize, peer: Role, lane: Lane, number: u64) {
        let outgoing = &mut self.links[place].outgoing[lane as usize];
        if number > outgoing.acknowledged() {
            outgoing.acknowledge(number);
            self.log(&Record::Acknowledged { peer, lane, number });
            self.begin_waiting();
        }
    }

    /// Begins whatever can. Part of every input, so that it is done again at the same place.
    pub(super) fn begin_waiting(&mut self) {
        loop {
            if (self.journal > self.limits.journal || self.made > self.limits.items)
                && !self.replaying
                && let Ok(memory) = self.party.save(Lane::Memory)
            {
                self.put_away(&memory);
            }
            if !Lane::ALL.into_iter().any(|lane| self.begin_in(lane)) {
                return;
            }
        }
    }

    /// Begins the next command of a lane, or answers that it is refused; not while it has to wait.
    fn begin_in(&mut self, lane: Lane) -> bool {
        let too_much = |link: &Link| link.outgoing[lane as usize].kept_bytes() > self.limits.unacknowledged;
        if self.links.iter().any(too_much) {
            return false;
        }
        let Some(next) = self.desk.next_of(lane) else { return false };
        let cause = self.speaks_after();
        match self.party.begin(&self.desk.waiting[next].1) {
            // For the step before, for items, or for the key that all begins with.
            Err(engine::Error::Busy { .. } | engine::Error::PreprocessingExhausted { .. }) => return false,
            Err(engine::Error::NotConnected) if lane == Lane::Memory => return false,
            Err(error) => {
                if let Some((number, _)) = self.desk.waiting.remove(next) {
                    self.desk.answer(number, Answer::Refused(error.to_string()), cause);
                }
            }
            Ok(frames) => {
                let Some(command) = self.desk.begin(next, cause) else { return false };
                self.post(frames);
                let lanes = command.lanes();
                if lane == Lane::Making {
                    self.making.since.push(Input::Begun(command));
                }
                for lane in lanes {
                    self.finish(*lane);
                }
            }
        }
        true
    }

    /// Gives frames their numbers.
    fn post(&mut self, frames: Vec<Frame>) {
        let cause = self.speaks_after();
        for Frame { to, bytes, .. } in frames {
            if let (Ok(place), Some(lane)) = (self.place(to), self.party.lane(&bytes)) {
                self.links[place].outgoing[lane as usize].push(bytes, cause);
            }
        }
    }

    /// Answers the command of a lane, if its step is done, and stores the making lane, which is shorter than how it came there.
    fn finish(&mut self, lane: Lane) {
        if self.party.under_way_in(lane).is_some() {
            return;
        }
        self.desk.finish(lane, self.party.results(), self.speaks_after());
        if lane == Lane::Making
            && let Ok(saved) = self.party.save(lane)
        {
            self.made += self.making.items();
            self.making = Making { saved, since: Vec::new() };
        }
    }

    pub(super) fn set_written(&mut self, lsn: u64) {
        self.written = self.written.max(lsn);
        for link in &mut self.links {
            link.incoming.iter_mut().for_each(|incoming| incoming.written(lsn));
        }
    }

    /// Takes the frames whose turn it is, and lets out what may leave.
    pub(super) fn settle(&mut self) -> Vec<Effect> {
        while self.take_waiting() {}
        let written = self.written;
        for (peer, link) in self.party.role().peers().into_iter().zip(&mut self.links) {
            for lane in Lane::ALL.into_iter().filter(|_| link.up) {
                if let Some(number) = link.incoming[lane as usize].acknowledge() {
                    self.effects.push(Effect::Acknowledge { peer, lane, number });
                }
                while let Some((number, frame)) = link.outgoing[lane as usize].next(written) {
                    self.effects.push(Effect::Send { peer, lane, number, frame });
                }
            }
        }
        while let Some(number) = self.desk.accepted(written) {
            self.effects.push(Effect::Accepted(number));
        }
        let given = self.desk.given(written);
        self.effects.extend(given.map(|(number, answer)| Effect::Result { number, answer }));
        std::mem::take(&mut self.effects)
    }

    /// Takes a frame whose turn it is; whether there was one.
    fn take_waiting(&mut self) -> bool {
        for lane in Lane::ALL {
            let Some(peer) = self.party.awaits_in(lane) else { continue };
            let Ok(place) = self.place(peer) else { continue };
            let incoming = &mut self.links[place].incoming[lane as usize];
            let number = incoming.taken();
            let Some(bytes) = incoming.next() else { continue };
            if let Err(error) = self.take((peer, lane, number), bytes) {
                self.links[place].incoming[lane as usize].forget_waiting();
                self.effects.push(Effect::Refused { peer, lane, number, error });
            }
            return true;
        }
        false
    }

    /// Everything at once (rule 2).
    fn put_away(&mut self, memory: &[u8]) {
        let state =
            snapshot::encode(self.party.role(), self.lsn, &self.links, &self.desk, &self.making, memory);
        (self.journal, self.made) = (0, 0);
        self.effects.push(Effect::Snapshot { lsn: self.lsn, state });
    }
}
