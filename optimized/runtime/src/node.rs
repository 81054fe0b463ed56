//! A party that survives: what it says and hears, and its disk.
//!
//! A node has one thread and never waits but for its next input and for its disk. Whatever has come in the meantime is taken
//! together, and is on disk by one sync.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};

use duoram_reference::durable::{self, Answer, Durable, Effect, Limits};
use duoram_reference::{Command, Lane, Lasting, Role};
use zeroize::Zeroizing;

use crate::store::{self, Medium, Store};

/// The inputs that are taken together at the most.
const GROUP: usize = 256;

/// What keeps a node from going on. Its process has to end; a restart goes on from what is on disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The disk.
    #[error("{party}: {source}")]
    Store {
        /// Whose.
        party: Role,
        /// Why.
        source: store::Error,
    },
    /// What is on disk cannot be gone on from, a peer or the client broke a rule, or somebody's disk has forgotten something.
    #[error("{party}: {source}")]
    Durable {
        /// Whose.
        party: Role,
        /// Why.
        source: durable::Error,
    },
    /// A frame of a peer was refused.
    #[error("{party} refused: {source}")]
    Refused {
        /// Who refused.
        party: Role,
        /// Why.
        source: duoram_reference::Error,
    },
}

/// What a node hears.
pub enum Input {
    /// From a peer, first of all: how many frames of each lane it has on its disk.
    Up(Role, [u64; 2]),
    /// From a peer: a frame, its lane and its number there.
    Frame(Role, Lane, u64, Zeroizing<Vec<u8>>),
    /// From a peer: so many frames of a lane are on its disk.
    Acknowledged(Role, Lane, u64),
    /// From the owner: a command, by its number.
    Command(u64, Command),
    /// From the owner: it has the answer to a command.
    Fetched(u64),
}

/// What a node tells the owner.
pub enum Told {
    /// It is there, and waits for the command of this number.
    Waits(u64),
    /// A command is on disk: the owner need not repeat it.
    Accepted(u64),
    /// The answer to a command, which is kept until it is fetched.
    Answer(u64, Answer),
    /// It has ended.
    Failed(Error),
}

/// A durable party with its disk and its links.
pub struct Node<P, M: Medium> {
    durable: Durable<P>,
    store: Store<M>,
    /// Records that are not on disk yet, with their numbers.
    unwritten: Vec<(u64, Zeroizing<Vec<u8>>)>,
    peers: [(Role, Sender<Input>); 2],
    owner: Sender<(Role, Told)>,
    role: Role,
}

impl<P: Lasting, M: Medium> Node<P, M> {
    /// The party as it is on disk: `party`, if there is nothing yet, and if there is, what that has become.
    ///
    /// # Errors
    ///
    /// [`Error::Store`], [`Error::Durable`].
    pub fn open(
        party: P,
        limits: Limits,
        (store, recovered): (Store<M>, Option<store::Recovered>),
        peers: [(Role, Sender<Input>); 2],
        owner: Sender<(Role, Told)>,
    ) -> Result<Self, Error> {
        let role = party.role();
        let failed = |source| Error::Durable { party: role, source };
        let (durable, effects) =
            if let Some(store::Recovered { snapshot: (first, state), records }) = recovered {
                let numbered = (first + 1..).zip(records.iter().map(|record| &record[..]));
                Durable::restore(party, limits, Some((first, &state)), numbered).map_err(failed)?
            } else {
                let mut durable =
                    Durable::new(party, limits).map_err(|source| Error::Refused { party: role, source })?;
                // The seed is on disk before anything is said that follows from it.
                let effects = durable.snapshot().map_err(failed)?;
                (durable, effects)
            };
        let mut node = Self { durable, store, unwritten: Vec::new(), peers, owner, role };
        node.carry_out(effects)?;
        Ok(node)
    }

    /// Takes inputs until there are no more to come.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn serve(mut self, inputs: &Receiver<Input>) -> Result<(), Error> {
        for peer in self.role.peers() {
            let taken = self.durable.hello(peer).map_err(|source| self.failed(source))?;
            self.say(peer, Input::Up(self.role, taken));
        }
        self.tell(Told::Waits(self.durable.next_command()));
        while let Ok(input) = inputs.recv() {
            self.take(input)?;
            for input in inputs.try_iter().take(GROUP) {
                self.take(input)?;
            }
            self.sync()?;
        }
        Ok(())
    }

    fn take(&mut self, input: Input) -> Result<(), Error> {
        let effects = match input {
            Input::Up(peer, taken) => self.durable.link_up(peer, taken),
            Input::Frame(peer, lane, number, bytes) => self.durable.frame(peer, lane, number, bytes),
            Input::Acknowledged(peer, lane, number) => self.durable.acknowledged(peer, lane, number),
            Input::Command(number, command) => self.durable.command(number, command),
            Input::Fetched(number) => self.durable.fetched(number),
        };
        let effects = effects.map_err(|source| self.failed(source))?;
        self.carry_out(effects)
    }

    /// Does what the party wants done. What may leave before the disk has it leaves at once: the sync goes on beside what the
    /// peers do with it.
    fn carry_out(&mut self, effects: Vec<Effect>) -> Result<(), Error> {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Append { lsn, record } => self.unwritten.push((lsn, record)),
                Effect::Snapshot { lsn, state } => {
                    // It is of all records so far.
                    self.append()?;
                    self.store.snapshot(&state).map_err(|source| self.disk_failed(source))?;
                    effects.extend(self.durable.written(lsn).map_err(|source| self.failed(source))?);
                }
                Effect::Send { peer, lane, number, frame } => {
                    self.say(peer, Input::Frame(self.role, lane, number, frame));
                }
                Effect::Acknowledge { peer, lane, number } => {
                    self.say(peer, Input::Acknowledged(self.role, lane, number));
                }
                Effect::Accepted(number) => self.tell(Told::Accepted(number)),
                Effect::Result { number, answer } => self.tell(Told::Answer(number, answer)),
                Effect::Refused { error, .. } => {
                    return Err(Error::Refused { party: self.role, source: error });
                }
            }
        }
        Ok(())
    }

    /// Puts on disk what is not there yet, and does what was waiting for that.
    fn sync(&mut self) -> Result<(), Error> {
        while let Some(&(last, _)) = self.unwritten.last() {
            self.append()?;
            let effects = self.durable.written(last).map_err(|source| self.failed(source))?;
            self.carry_out(effects)?;
        }
        Ok(())
    }

    fn append(&mut self) -> Result<(), Error> {
        let records = std::mem::take(&mut self.unwritten);
        if records.is_empty() {
            return Ok(());
        }
        let bytes = records.iter().map(|(_, record)| &record[..]);
        self.store.append(bytes).map_err(|source| self.disk_failed(source))
    }

    /// Whoever does not listen any more has ended, and the process with it.
    fn say(&self, peer: Role, input: Input) {
        if let Some((_, link)) = self.peers.iter().find(|(other, _)| *other == peer) {
            let _ = link.send(input);
        }
    }

    fn tell(&self, told: Told) {
        let _ = self.owner.send((self.role, told));
    }

    fn failed(&self, source: durable::Error) -> Error {
        Error::Durable { party: self.role, source }
    }

    fn disk_failed(&self, source: store::Error) -> Error {
        Error::Store { party: self.role, source }
    }
}
