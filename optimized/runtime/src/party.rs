//! A party in its own thread: it is told what to do next, does it with its peers, and says when it is done.

use std::marker::PhantomData;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use duoram_reference::{Batch, Operands, Party, Role, Word};

use crate::event::Event;
use crate::protocol::{HelperParty, PrimaryParty, Rules, Started};
use crate::wire::Wire;
use crate::{Error, resources};

/// What P0 or P1 is told: its share of what the owner wants.
#[derive(Debug)]
pub enum PrimaryTask {
    /// Agree on a key.
    Connect,
    /// Take a share of a memory.
    Load(Vec<Word>),
    /// Prepare items.
    Preprocess(Batch),
    /// Independent READs at these address shares.
    Read(Operands),
    /// UPDATEs: for each an address share and the share of a row.
    Update(Operands),
    /// A WRITE of an address share and the share of a row.
    Write(Operands),
    /// A SWAP of the same.
    Swap(Operands),
    /// Dependent READs.
    Chase(ChasePiece),
}

/// Some of the READs of a chase. Between two pieces each primary keeps its share of the address to itself.
#[derive(Clone, Copy, Debug)]
pub struct ChasePiece {
    /// The share of the address to start from; `None` for where the piece before got to.
    pub from: Option<Word>,
    /// The number of READs.
    pub steps: usize,
    /// Whether the last result is given to the owner.
    pub ends: bool,
}

/// What P2 is told: how much is coming.
#[derive(Debug)]
pub enum HelperTask {
    /// Agree on a key.
    Connect,
    /// Take the blinds of a memory.
    Load,
    /// Prepare items.
    Preprocess(Batch),
    /// Independent READs.
    Read(usize),
    /// UPDATEs.
    Update(usize),
    /// A WRITE.
    Write,
    /// A SWAP.
    Swap,
    /// Dependent READs.
    Chase(usize),
}

/// P0 or P1 of the protocol `P` at work.
pub struct PrimaryAtWork<P> {
    party: Box<dyn PrimaryParty>,
    /// The share of the row that a chase got to, between two pieces of it.
    reached: Option<Operands>,
    protocol: PhantomData<P>,
}

impl<P: Rules> PrimaryAtWork<P> {
    /// A primary that has done nothing yet.
    pub fn new(party: Box<dyn PrimaryParty>) -> Self {
        Self { party, reached: None, protocol: PhantomData }
    }

    fn chase(&mut self, piece: ChasePiece, wire: &mut Wire) -> Result<Vec<Word>, Error> {
        let party = self.party.role();
        let missing = || Error::NoResult { party };
        let from = piece.from.map(|address| Operands::new(vec![address])).or_else(|| self.reached.take());
        let mut row = from.ok_or_else(missing)?;
        for _ in 0..piece.steps {
            // The share of a result's first word is the share of the next address: nobody learns either.
            let started = self.party.read(row.get(..1).ok_or_else(missing)?);
            finish(&mut *self.party, wire, &["read"], started)?;
            row = Operands::new(self.party.take_results());
        }
        if piece.ends {
            return Ok(std::mem::take(&mut *row));
        }
        self.reached = Some(row);
        Ok(vec![])
    }
}

/// P2 of the protocol `P` at work.
pub struct HelperAtWork<P> {
    party: Box<dyn HelperParty>,
    protocol: PhantomData<P>,
}

impl<P: Rules> HelperAtWork<P> {
    /// A helper that has done nothing yet.
    pub fn new(party: Box<dyn HelperParty>) -> Self {
        Self { party, protocol: PhantomData }
    }
}

/// A party that can be put in a thread.
pub trait Actor {
    /// What it is told.
    type Task: Send + 'static;

    /// Does a task with its peers, and returns its shares of the results.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], [`Error::Link`], [`Error::NoResult`].
    fn perform(&mut self, task: Self::Task, wire: &mut Wire) -> Result<Vec<Word>, Error>;
}

/// Drives one or more steps that the party has just started.
fn finish(
    party: &mut dyn Party,
    wire: &mut Wire,
    steps: &[&'static str],
    started: Started,
) -> Result<(), Error> {
    let first = started.map_err(|source| wire.refused(source))?;
    wire.drive(party, steps, first)
}

impl<P: Rules> Actor for PrimaryAtWork<P> {
    type Task = PrimaryTask;

    fn perform(&mut self, task: PrimaryTask, wire: &mut Wire) -> Result<Vec<Word>, Error> {
        let party = &mut self.party;
        let (steps, started): (&[_], _) = match task {
            PrimaryTask::Connect => (&["connect"], party.connect()),
            PrimaryTask::Load(share) => (&["load"], party.load(share)),
            PrimaryTask::Preprocess(batch) => (&["preprocess"], party.preprocess(batch)),
            PrimaryTask::Read(addresses) => (&["read"], party.read(&addresses)),
            PrimaryTask::Update(operands) => (&["update"], party.update(&operands)),
            PrimaryTask::Write(operands) => (P::STEPS_OF_WRITE, party.write(&operands)),
            PrimaryTask::Swap(operands) => (P::STEPS_OF_SWAP, party.swap(&operands)),
            PrimaryTask::Chase(piece) => return self.chase(piece, wire),
        };
        finish(&mut **party, wire, steps, started)?;
        Ok(party.take_results())
    }
}

impl<P: Rules> Actor for HelperAtWork<P> {
    type Task = HelperTask;

    fn perform(&mut self, task: HelperTask, wire: &mut Wire) -> Result<Vec<Word>, Error> {
        let party = &mut self.party;
        let (steps, started): (&[_], _) = match task {
            HelperTask::Connect => (&["connect"], party.connect()),
            HelperTask::Load => (&["load"], party.load()),
            HelperTask::Preprocess(batch) => (&["preprocess"], party.preprocess(batch)),
            HelperTask::Read(count) => (&["read"], party.read(count)),
            HelperTask::Update(count) => (&["update"], party.update(count)),
            HelperTask::Write => (P::STEPS_OF_WRITE, party.write()),
            HelperTask::Swap => (P::STEPS_OF_SWAP, party.swap()),
            HelperTask::Chase(steps) => {
                for _ in 0..steps {
                    let started = party.read(1);
                    finish(&mut **party, wire, &["read"], started)?;
                }
                return Ok(vec![]);
            }
        };
        finish(&mut **party, wire, steps, started)?;
        Ok(vec![])
    }
}

/// A task that is done; by default, by somebody who had nothing to do.
#[derive(Default)]
pub(crate) struct Done {
    /// Shares of the results.
    pub(crate) results: Vec<Word>,
    /// From start to end.
    pub(crate) wall: Duration,
    /// CPU time of the party's thread.
    pub(crate) cpu: Option<Duration>,
    /// The party's log of it.
    pub(crate) log: Vec<Event>,
}

/// The other side of the thread of a party that takes tasks `T`. Whatever else the party holds stays in its thread: nobody
/// can ask for it.
pub(crate) struct Handle<T> {
    role: Role,
    /// `None` once the thread has been told to end.
    tasks: Option<Sender<T>>,
    replies: Receiver<Result<Done, Error>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl<T: Send + 'static> Handle<T> {
    /// Starts a party in a thread of its own, which also makes it: its secrets never leave the thread.
    pub(crate) fn start<A: Actor<Task = T>>(
        role: Role,
        mut wire: Wire,
        make: impl FnOnce() -> Result<A, duoram_reference::Error> + Send + 'static,
    ) -> Result<Self, Error> {
        let (tasks, incoming) = channel();
        let (outgoing, replies) = channel();
        let thread = thread::Builder::new()
            .name(role.to_string())
            .spawn(move || {
                let made = make().map_err(|source| wire.refused(source));
                serve(made, &mut wire, &incoming, &outgoing);
            })
            .map_err(Error::Thread)?;
        Ok(Self { role, tasks: Some(tasks), replies, thread: Some(thread) })
    }

    /// Tells the party what to do. If it is gone, [`Self::wait`] will tell.
    pub(crate) fn ask(&self, task: T) {
        if let Some(tasks) = &self.tasks {
            let _ = tasks.send(task);
        }
    }

    /// Waits until the party has done what it was asked.
    pub(crate) fn wait(&self) -> Result<Done, Error> {
        self.replies.recv().unwrap_or(Err(Error::Stopped { party: self.role }))
    }

    /// The same, and calls `watch` ten times a second until then.
    pub(crate) fn wait_watching(&self, watch: &mut dyn FnMut()) -> Result<Done, Error> {
        loop {
            match self.replies.recv_timeout(Duration::from_millis(100)) {
                Err(RecvTimeoutError::Timeout) => watch(),
                Err(RecvTimeoutError::Disconnected) => return Err(Error::Stopped { party: self.role }),
                Ok(done) => return done,
            }
        }
    }
}

impl<T> Drop for Handle<T> {
    /// Ends the thread and waits for it, so that the party has wiped its secrets before the process goes on.
    fn drop(&mut self) {
        self.tasks = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A party's thread: until it is told to end, or fails.
fn serve<A: Actor>(
    made: Result<A, Error>,
    wire: &mut Wire,
    tasks: &Receiver<A::Task>,
    replies: &Sender<Result<Done, Error>>,
) {
    let mut party = match made {
        Ok(party) => party,
        Err(error) => {
            let _ = replies.send(Err(error));
            return;
        }
    };
    for task in tasks {
        let (start, cpu) = (Instant::now(), resources::thread_cpu_time());
        let results = party.perform(task, wire);
        let wall = start.elapsed();
        let cpu = resources::thread_cpu_time().zip(cpu).map(|(after, before)| after.saturating_sub(before));
        let reply = results.map(|results| Done { results, wall, cpu, log: wire.take_log() });
        let failed = reply.is_err();
        if replies.send(reply).is_err() || failed {
            return;
        }
    }
}
