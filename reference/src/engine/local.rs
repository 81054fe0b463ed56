//! The parties of a session in one thread, joined by queues. A protocol adds the calls that begin its steps.

use std::collections::VecDeque;

use super::{Batch, Error, Party, Protocol};
use crate::wire::{Frame, Role};

/// A frame that was delivered, and its depth: the length of the longest chain of messages of this step that ends with it.
/// The largest depth of a step is its number of sequential messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// The frame.
    pub frame: Frame,
    /// 1 for a message that waits for no other, and so on.
    pub depth: u32,
}

/// The parties of a protocol.
pub trait Parties {
    /// The protocol, which says who they are.
    type Protocol: Protocol;

    /// A party, to look at.
    fn party(&self, role: Role) -> &dyn Party;

    /// A party, to call.
    fn party_mut(&mut self, role: Role) -> &mut dyn Party;
}

/// The parties, the queues between them, and a log.
///
/// Each call that starts a step runs it to its end. Values come as pairs of shares, P0's first. After an error of one
/// party they may be out of step, and the session is of no more use.
pub struct LocalSession<P> {
    pub(crate) parties: P,
    /// From, to.
    links: [[VecDeque<Delivery>; 3]; 3],
    /// The depth of the deepest frame each party has received in this step.
    depths: [u32; 3],
    /// Whether deliveries are kept.
    recording: bool,
    /// Those that were. No option, whose unused bytes would take along what was on the stack.
    log: Vec<Delivery>,
}

impl<P: Parties> LocalSession<P> {
    /// Of parties that have not taken a step.
    pub(crate) fn of(parties: P) -> Self {
        Self { parties, links: Default::default(), depths: [0; 3], recording: false, log: Vec::new() }
    }

    /// Takes one step: `start` starts it at all parties, and posts what they send.
    pub(crate) fn step(
        &mut self,
        start: impl FnOnce(&mut P) -> Result<Vec<Frame>, Error>,
    ) -> Result<(), Error> {
        self.begin();
        let frames = start(&mut self.parties)?;
        self.post(frames);
        self.run()
    }

    /// Agrees on the session's key.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn connect(&mut self) -> Result<(), Error> {
        self.step(|parties| at_all(parties, |party| party.connect()))
    }

    /// Makes items for a batch of operations.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn preprocess(&mut self, batch: Batch) -> Result<(), Error> {
        self.step(|parties| at_all(parties, |party| party.preprocess(batch)))
    }

    /// A party, to look at.
    pub fn party(&self, role: Role) -> &dyn Party {
        self.parties.party(role)
    }

    /// A party, to call. What it sends goes to [`LocalSession::post`].
    pub fn party_mut(&mut self, role: Role) -> &mut dyn Party {
        self.parties.party_mut(role)
    }

    /// Starts the counting of sequential messages anew: the next step begins.
    pub fn begin(&mut self) {
        self.depths = [0; 3];
    }

    /// Puts frames on their links.
    pub fn post(&mut self, frames: Vec<Frame>) {
        for frame in frames {
            let (from, to) = (frame.from.index(), frame.to.index());
            self.links[from][to].push_back(Delivery { frame, depth: self.depths[from] + 1 });
        }
    }

    /// The frames on a link that are not delivered yet, the oldest first.
    pub fn pending(&self, from: Role, to: Role) -> impl Iterator<Item = &Frame> {
        self.links[from.index()][to.index()].iter().map(|delivery| &delivery.frame)
    }

    /// The link on which the next frame is delivered: to the first party that has what it awaits.
    pub fn next(&self) -> Option<(Role, Role)> {
        P::Protocol::ROLES.iter().find_map(|&to| {
            let from = self.party(to).awaits()?;
            self.pending(from, to).next().map(|_| (from, to))
        })
    }

    /// Delivers one frame; whether there was one.
    ///
    /// # Errors
    ///
    /// The receiver's.
    pub fn deliver(&mut self) -> Result<bool, Error> {
        let Some((from, to)) = self.next() else { return Ok(false) };
        let Some(delivery) = self.links[from.index()][to.index()].pop_front() else { return Ok(false) };
        let depth = &mut self.depths[to.index()];
        *depth = delivery.depth.max(*depth);
        let frames = self.party_mut(to).receive(from, &delivery.frame.bytes)?;
        self.post(frames);
        if self.recording {
            self.log.push(delivery);
        }
        Ok(true)
    }

    /// Delivers frames until no party has what it awaits.
    ///
    /// # Errors
    ///
    /// The first error of a party.
    pub fn run(&mut self) -> Result<(), Error> {
        while self.deliver()? {}
        Ok(())
    }

    /// Keeps a log from here on. It holds what the parties said to each other: for tests and for learning only.
    pub fn record(&mut self) {
        self.recording = true;
    }

    /// The frames delivered since the last call, if [`LocalSession::record`] was called.
    pub fn take_log(&mut self) -> Vec<Delivery> {
        std::mem::take(&mut self.log)
    }
}

/// Calls all parties, in order; the frames that they send.
fn at_all<P: Parties>(
    parties: &mut P,
    mut call: impl FnMut(&mut dyn Party) -> Result<Vec<Frame>, Error>,
) -> Result<Vec<Frame>, Error> {
    let mut frames = Vec::new();
    for &role in P::Protocol::ROLES {
        frames.extend(call(parties.party_mut(role))?);
    }
    Ok(frames)
}
