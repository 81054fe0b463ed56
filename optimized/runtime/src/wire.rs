//! A party's links together with its log: takes a party through its steps, and writes down what goes in and out.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use duoram_reference::{Frame, Header, Kind, Party, Protocol, Role};

use crate::Error;
use crate::event::{Action, Event};
use crate::transport::Links;

/// What the wires of one session count together, and what can be seen of it while the parties are at work.
#[derive(Debug, Default)]
pub struct Pulse {
    /// Numbers the events of all three parties.
    events: AtomicU64,
    /// The round of the message that was sent last: in a batch, the level of App. C.
    round: AtomicU32,
}

impl Pulse {
    /// The round of the message that was sent last.
    pub fn round(&self) -> u32 {
        self.round.load(Ordering::Relaxed)
    }

    /// Forgets the round: a new step begins.
    pub(crate) fn begin(&self) {
        self.round.store(0, Ordering::Relaxed);
    }

    fn next(&self) -> u64 {
        self.events.fetch_add(1, Ordering::Relaxed)
    }
}

/// What a party uses to speak with its peers.
pub struct Wire {
    role: Role,
    /// The kind of a message by its number.
    kind: fn(u8) -> Option<Kind>,
    links: Links,
    pulse: Arc<Pulse>,
    /// Whether sent frames are kept in the log.
    record: bool,
    log: Vec<Event>,
    /// The number of the step under way.
    operation: u64,
    /// The steps under way and to come, by name.
    steps: VecDeque<&'static str>,
    /// The items of the step under way.
    items: Arc<[u64]>,
}

impl Wire {
    /// A party's links, and what it shares with the other wires; the party is one of the protocol P.
    pub fn new<P: Protocol>(role: Role, links: Links, pulse: Arc<Pulse>, record: bool) -> Self {
        Self {
            role,
            kind: P::kind,
            links,
            pulse,
            record,
            log: Vec::new(),
            operation: 0,
            steps: VecDeque::new(),
            items: [].into(),
        }
    }

    /// The log since it was last taken.
    pub fn take_log(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.log)
    }

    /// Sends the frames that a party started some steps with, and then lets it receive until it awaits nothing more.
    ///
    /// # Errors
    ///
    /// [`Error::Link`], [`Error::Refused`].
    pub fn drive(
        &mut self,
        party: &mut dyn Party,
        steps: &[&'static str],
        first: Vec<Frame>,
    ) -> Result<(), Error> {
        self.steps.extend(steps);
        self.items = self.items_of(party);
        self.send(party, first)?;
        while let Some(peer) = party.awaits() {
            let role = self.role;
            let lost = |reason| Error::Link { party: role, peer, reason };
            let link = self.links[peer.index()].as_mut().ok_or_else(|| lost("no link".to_owned()))?;
            let frame = link.receive().map_err(lost)?;
            // Asked for before the message is handled, which may end its step.
            let items = self.items_of(party);
            let answers = party.receive(peer, &frame).map_err(|source| self.refused(source))?;
            if let Ok(header) = Header::decode(peer, &frame) {
                self.note(Action::Receive, peer, &header, items, None);
            }
            self.send(party, answers)?;
        }
        while !self.steps.is_empty() {
            self.apply();
        }
        Ok(())
    }

    /// An error of the party as one of the session.
    pub fn refused(&self, source: duoram_reference::Error) -> Error {
        Error::Refused { party: self.role, source }
    }

    /// What the party makes or uses now: in one piece of memory for all messages of a step.
    fn items_of(&self, party: &dyn Party) -> Arc<[u64]> {
        let items = party.items();
        if *items == *self.items { Arc::clone(&self.items) } else { items.into() }
    }

    fn send(&mut self, party: &dyn Party, frames: Vec<Frame>) -> Result<(), Error> {
        for Frame { to, bytes, .. } in frames {
            // Logged before it leaves: its receipt gets a higher number.
            if let Ok(header) = Header::decode(self.role, &bytes) {
                let copy = self.record.then(|| bytes.to_vec());
                // By now the party may be done with the message's step: then its items are gone from the party.
                let under_way = header.operation == self.operation;
                let items = if under_way { Arc::clone(&self.items) } else { self.items_of(party) };
                self.note(Action::Send, to, &header, items, copy);
            }
            let lost = |reason| Error::Link { party: self.role, peer: to, reason };
            let link = self.links[to.index()].as_mut().ok_or_else(|| lost("no link".to_owned()))?;
            link.send(bytes).map_err(lost)?;
        }
        Ok(())
    }

    fn note(
        &mut self,
        action: Action,
        peer: Role,
        header: &Header,
        items: Arc<[u64]>,
        frame: Option<Vec<u8>>,
    ) {
        // A WRITE is two steps. The first message of the second shows that the first is done.
        while self.operation < header.operation && self.steps.len() > 1 {
            self.apply();
        }
        self.items = Arc::clone(&items);
        if action == Action::Send {
            self.pulse.round.store(header.round, Ordering::Relaxed);
        }
        let order = self.pulse.next();
        let kind = (self.kind)(header.kind);
        let event = Event::of_message(order, self.role, action, peer, header, kind, items);
        self.log.push(Event { frame, ..event });
    }

    fn apply(&mut self) {
        if let Some(step) = self.steps.pop_front() {
            self.log.push(Event {
                order: self.pulse.next(),
                party: self.role,
                action: Action::Apply,
                peer: None,
                kind: step.to_owned(),
                operation: self.operation,
                round: 0,
                items: Arc::clone(&self.items),
                payload_bytes: 0,
                frame: None,
            });
            self.operation += 1;
        }
    }
}
