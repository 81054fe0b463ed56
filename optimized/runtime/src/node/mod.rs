//! A party that survives: what it says and hears, and its disk.
//!
//! A node has one thread and never waits but for its next input and for its disk. Whatever has come in the meantime is taken
//! together, and is on disk by one sync.

mod kept;

use std::sync::mpsc::{Receiver, Sender};

use duoram_reference::durable::{self, Answer, Effect, Limits};
use duoram_reference::{Command, Lane, Lasting, Role};
use zeroize::Zeroizing;

pub use self::kept::{Kept, Stored, Surroundings, Trouble};
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
    kept: Kept<P, M>,
    links: Links,
}

/// Whom a node talks to.
struct Links {
    role: Role,
    peers: Vec<(Role, Sender<Input>)>,
    owner: Sender<(Role, Told)>,
    /// What a peer has sent that no party takes.
    refused: Option<duoram_reference::Error>,
}

impl Surroundings for Links {
    fn hear(&mut self, effect: Effect) {
        match effect {
            Effect::Send { peer, lane, number, frame } => {
                self.say(peer, Input::Frame(self.role, lane, number, frame));
            }
            Effect::Acknowledge { peer, lane, number } => {
                self.say(peer, Input::Acknowledged(self.role, lane, number));
            }
            Effect::Accepted(number) => self.tell(Told::Accepted(number)),
            Effect::Result { number, answer } => self.tell(Told::Answer(number, answer)),
            Effect::Refused { error, .. } => self.refused = Some(error),
            Effect::Append { .. } | Effect::Snapshot { .. } => {}
        }
    }
}

impl Links {
    /// Whoever does not listen any more has ended, and the process with it.
    fn say(&self, peer: Role, input: Input) {
        if let Some((_, link)) = self.peers.iter().find(|(other, _)| *other == peer) {
            let _ = link.send(input);
        }
    }

    fn tell(&self, told: Told) {
        let _ = self.owner.send((self.role, told));
    }

    fn failed(&self, trouble: Trouble) -> Error {
        let party = self.role;
        match trouble {
            Trouble::Store(source) => Error::Store { party, source },
            Trouble::Durable(source) => Error::Durable { party, source },
            Trouble::Party(source) => Error::Refused { party, source },
        }
    }

    /// Among three parties of one process nobody sends what is refused.
    fn check(&mut self) -> Result<(), Error> {
        self.refused.take().map_or(Ok(()), |source| Err(Error::Refused { party: self.role, source }))
    }
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
        peers: Vec<(Role, Sender<Input>)>,
        owner: Sender<(Role, Told)>,
    ) -> Result<Self, Error> {
        let mut links = Links { role: party.role(), peers, owner, refused: None };
        let stored = recovered.as_ref().map(|store::Recovered { snapshot: (lsn, state), records }| Stored {
            lsn: *lsn,
            state,
            records: records.iter().map(|record| &record[..]).collect(),
        });
        let kept = Kept::open(party, limits, store, stored.as_ref(), &mut links);
        let kept = kept.map_err(|trouble| links.failed(trouble))?;
        Ok(Self { kept, links })
    }

    /// Takes inputs until there are no more to come.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn serve(mut self, inputs: &Receiver<Input>) -> Result<(), Error> {
        for (peer, link) in &self.links.peers {
            let taken =
                self.kept.durable().hello(*peer).map_err(|source| self.links.failed(source.into()))?;
            let _ = link.send(Input::Up(self.links.role, taken));
        }
        self.links.tell(Told::Waits(self.kept.durable().next_command()));
        while let Ok(input) = inputs.recv() {
            self.take(input)?;
            for input in inputs.try_iter().take(GROUP) {
                self.take(input)?;
            }
            self.kept.sync(&mut self.links).map_err(|trouble| self.links.failed(trouble))?;
            self.links.check()?;
        }
        Ok(())
    }

    fn take(&mut self, input: Input) -> Result<(), Error> {
        let taken = self.kept.input(&mut self.links, |durable| match input {
            Input::Up(peer, taken) => durable.link_up(peer, taken),
            Input::Frame(peer, lane, number, bytes) => durable.frame(peer, lane, number, bytes),
            Input::Acknowledged(peer, lane, number) => durable.acknowledged(peer, lane, number),
            Input::Command(number, command) => durable.command(number, command),
            Input::Fetched(number) => durable.fetched(number),
        });
        taken.map_err(|trouble| self.links.failed(trouble))?;
        self.links.check()
    }
}
