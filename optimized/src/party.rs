//! A party in its own thread: it is told what to do next, does it with its peers, and says when it is done.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use duoram_reference::{Batch, Frame, Helper, Party, Primary, Role, Word};
use duoram_spec::paper::memory::HelperState;

use crate::backend::Backend;
use crate::check::state::PrimaryView;
use crate::event::Event;
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
    Read(Vec<Word>),
    /// UPDATEs of address shares and value shares.
    Update(Vec<(Word, Word)>),
    /// A WRITE of an address share and a value share.
    Write(Word, Word),
    /// Dependent READs from this address share on.
    Chase(Word, usize),
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
    /// Dependent READs.
    Chase(usize),
}

/// A party that can be put in a thread.
pub trait Actor: Party {
    /// What it is told.
    type Task: Send + 'static;
    /// Its state in the specification's terms.
    type State: Send + 'static;

    /// Does a task with its peers, and returns its shares of the results.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], [`Error::Link`], [`Error::NoResult`].
    fn perform(&mut self, task: Self::Task, wire: &mut Wire) -> Result<Vec<Word>, Error>;

    /// A copy of its state.
    fn state(&self) -> Self::State;

    /// The bytes that it keeps between operations.
    fn state_bytes(&self) -> u64;
}

/// Drives one or more steps that the party has just started.
fn finish(
    party: &mut dyn Party,
    wire: &mut Wire,
    steps: &[&'static str],
    started: Result<Vec<Frame>, duoram_reference::Error>,
) -> Result<(), Error> {
    let first = started.map_err(|source| wire.refused(source))?;
    wire.drive(party, steps, first)
}

impl<C: Backend> Actor for Primary<C> {
    type Task = PrimaryTask;
    type State = PrimaryView;

    fn perform(&mut self, task: PrimaryTask, wire: &mut Wire) -> Result<Vec<Word>, Error> {
        let (steps, started): (&[_], _) = match task {
            PrimaryTask::Connect => (&["connect"], self.connect()),
            PrimaryTask::Load(share) => (&["load"], self.load(share)),
            PrimaryTask::Preprocess(batch) => (&["preprocess"], self.preprocess(batch)),
            PrimaryTask::Read(addresses) => (&["read"], self.read(&addresses)),
            PrimaryTask::Update(queries) => (&["update"], self.update(&queries)),
            PrimaryTask::Write(address, value) => (&["read", "update"], self.write(address, value)),
            PrimaryTask::Chase(mut address, steps) => {
                for _ in 0..steps {
                    let started = self.read(&[address]);
                    finish(self, wire, &["read"], started)?;
                    // The share of the result is the share of the next address: nobody learns either.
                    address = self.take_results().pop().ok_or(Error::NoResult { party: self.role() })?;
                }
                return Ok(vec![address]);
            }
        };
        finish(self, wire, steps, started)?;
        Ok(self.take_results())
    }

    fn state(&self) -> PrimaryView {
        C::primary_state(self.memory())
    }

    fn state_bytes(&self) -> u64 {
        C::primary_bytes(self.memory())
    }
}

impl<C: Backend> Actor for Helper<C> {
    type Task = HelperTask;
    type State = HelperState<Word>;

    fn perform(&mut self, task: HelperTask, wire: &mut Wire) -> Result<Vec<Word>, Error> {
        // Online the helper only ever answers.
        let silent = |started: Result<(), duoram_reference::Error>| started.map(|()| vec![]);
        let (steps, started): (&[_], _) = match task {
            HelperTask::Connect => (&["connect"], self.connect()),
            HelperTask::Load => (&["load"], silent(self.load())),
            HelperTask::Preprocess(batch) => (&["preprocess"], self.preprocess(batch)),
            HelperTask::Read(count) => (&["read"], silent(self.read(count))),
            HelperTask::Update(count) => (&["update"], silent(self.update(count))),
            HelperTask::Write => (&["read", "update"], silent(self.write())),
            HelperTask::Chase(steps) => {
                for _ in 0..steps {
                    let started = silent(self.read(1));
                    finish(self, wire, &["read"], started)?;
                }
                return Ok(vec![]);
            }
        };
        finish(self, wire, steps, started)?;
        Ok(vec![])
    }

    fn state(&self) -> HelperState<Word> {
        C::helper_state(self.memory())
    }

    fn state_bytes(&self) -> u64 {
        C::helper_bytes(self.memory())
    }
}

/// A task that is done.
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

enum Request<A: Actor> {
    Task(A::Task),
    State,
    StateBytes,
}

enum Reply<A: Actor> {
    Done(Result<Done, Error>),
    State(A::State),
    StateBytes(u64),
}

/// The other side of a party's thread.
pub(crate) struct Handle<A: Actor> {
    role: Role,
    /// `None` once the thread has been told to end.
    requests: Option<Sender<Request<A>>>,
    replies: Receiver<Reply<A>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl<A: Actor + 'static> Handle<A> {
    /// Starts a party in a thread of its own, which also makes it: its secrets never leave the thread.
    pub(crate) fn start(
        role: Role,
        mut wire: Wire,
        make: impl FnOnce() -> Result<A, duoram_reference::Error> + Send + 'static,
    ) -> Result<Self, Error> {
        let (requests, incoming) = channel();
        let (outgoing, replies) = channel();
        let thread = thread::Builder::new()
            .name(role.to_string())
            .spawn(move || {
                let made = make().map_err(|source| wire.refused(source));
                serve(made, &mut wire, &incoming, &outgoing);
            })
            .map_err(Error::Thread)?;
        Ok(Self { role, requests: Some(requests), replies, thread: Some(thread) })
    }

    /// Tells the party what to do. If it is gone, [`Self::wait`] will tell.
    pub(crate) fn ask(&self, task: A::Task) {
        self.request(Request::Task(task));
    }

    /// Waits until the party has done what it was asked.
    pub(crate) fn wait(&self) -> Result<Done, Error> {
        match self.replies.recv() {
            Ok(Reply::Done(done)) => done,
            _ => Err(self.stopped()),
        }
    }

    /// The party's state. Only between tasks: the threads of this session do nothing then.
    pub(crate) fn state(&self) -> Result<A::State, Error> {
        self.request(Request::State);
        match self.replies.recv() {
            Ok(Reply::State(state)) => Ok(state),
            _ => Err(self.stopped()),
        }
    }

    /// The bytes that the party keeps between operations.
    pub(crate) fn state_bytes(&self) -> Result<u64, Error> {
        self.request(Request::StateBytes);
        match self.replies.recv() {
            Ok(Reply::StateBytes(bytes)) => Ok(bytes),
            _ => Err(self.stopped()),
        }
    }

    fn request(&self, request: Request<A>) {
        if let Some(requests) = &self.requests {
            let _ = requests.send(request);
        }
    }

    fn stopped(&self) -> Error {
        Error::Stopped { party: self.role }
    }
}

impl<A: Actor> Drop for Handle<A> {
    /// Ends the thread and waits for it, so that the party has wiped its secrets before the process goes on.
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Answers requests until there are none, or until one fails: then the thread ends, its links close, and the peers that
/// wait for it stop too instead of waiting forever.
fn serve<A: Actor>(
    made: Result<A, Error>,
    wire: &mut Wire,
    requests: &Receiver<Request<A>>,
    replies: &Sender<Reply<A>>,
) {
    let mut party = match made {
        Ok(party) => party,
        Err(error) => {
            let _ = replies.send(Reply::Done(Err(error)));
            return;
        }
    };
    for request in requests {
        let reply = match request {
            Request::State => Reply::State(party.state()),
            Request::StateBytes => Reply::StateBytes(party.state_bytes()),
            Request::Task(task) => {
                let (start, cpu) = (Instant::now(), resources::thread_cpu_time());
                let results = party.perform(task, wire);
                let wall = start.elapsed();
                let cpu =
                    resources::thread_cpu_time().zip(cpu).map(|(after, before)| after.saturating_sub(before));
                Reply::Done(results.map(|results| Done { results, wall, cpu, log: wire.take_log() }))
            }
        };
        let failed = matches!(reply, Reply::Done(Err(_)));
        if replies.send(reply).is_err() || failed {
            return;
        }
    }
}
