//! Steps: chains of states that each await one message.

use std::fmt;
use std::mem;

use super::endpoint::{Due, Endpoint};
use super::{Error, Parameters, PartyStream, Protocol, SessionKey};
use crate::wire::{Frame, Message, Misbehaviour, Role};

/// A kind of step, by its name. All parties of a session take the same steps in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step(&'static str);

impl Step {
    /// A step of a protocol.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// Its name in errors and traces.
    pub const fn name(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

/// What a party is in the middle of, as a trace tells it. Not secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnderWay {
    /// The step.
    pub step: Step,
    /// The numbers of the items that it makes or uses. They are counted from 0 over the session in the order in which
    /// items are made, READ items of a batch first, and are alike at all parties.
    pub items: Vec<u64>,
}

/// What every party of every protocol has.
pub(crate) struct Core {
    pub(crate) endpoint: Endpoint,
    pub(crate) stream: PartyStream,
    /// K. All zeros until the parties have connected, and not used before: no other step can begin.
    pub(crate) key: SessionKey,
    /// The frames to send when the message at hand, or the call, is dealt with.
    outbox: Vec<Frame>,
}

impl Core {
    pub(crate) fn new<P: Protocol>(role: Role, parameters: Parameters, seed: [u8; 32]) -> Self {
        Self {
            endpoint: Endpoint::new::<P>(role, parameters),
            stream: PartyStream::new(seed),
            key: SessionKey::new([0; 16]),
            outbox: Vec::new(),
        }
    }

    pub(crate) fn role(&self) -> Role {
        self.endpoint.role
    }

    pub(crate) fn parameters(&self) -> &Parameters {
        &self.endpoint.parameters
    }

    /// Sends a message of the step under way.
    pub(crate) fn send<M: Message>(&mut self, to: Role, round: u32, message: &M) {
        self.outbox.push(self.endpoint.seal(to, round, message));
    }
}

/// What a party holds between messages: the core, and what its protocol adds.
pub(crate) trait World {
    fn core(&self) -> &Core;
    fn core_mut(&mut self) -> &mut Core;
}

/// A party in the middle of a step: one message is due.
///
/// A state holds all that is needed to handle that message and that the party does not hold anyway.
pub(crate) trait State<W>: Sized + Send + 'static {
    /// The message that is due.
    type Message: Message;

    /// Who sends it, and what it must look like.
    fn due(&self, world: &W) -> Due<Self::Message>;

    /// Whatever takes more than the message to tell: before anything changes.
    fn check(&self, _from: Role, _message: &Self::Message) -> Result<(), Misbehaviour> {
        Ok(())
    }

    /// Takes the message, which has passed all checks, and yields what is next. The one place where a party changes.
    fn receive(self, message: Self::Message, world: &mut W) -> Next<W>;
}

/// What follows a message.
pub(crate) enum Next<W> {
    /// Another one of the same step.
    Await(Box<dyn Awaiting<W>>),
    /// Nothing: the step is done.
    Done,
    /// The step is done, and the party goes on with another one by itself.
    Then(Begin<W>),
}

/// How a step begins.
type Begin<W> = Box<dyn FnOnce(&mut W) -> Begun<W> + Send>;

/// What became of a frame: what follows it or, of a refused one, the state as it was, and why.
type Taken<W> = Result<Next<W>, (Box<dyn Awaiting<W>>, Misbehaviour)>;

impl<W: World> Next<W> {
    pub(crate) fn state(state: impl State<W>) -> Self {
        Self::Await(Box::new(state))
    }
}

/// A state, whichever its message is.
pub(crate) trait Awaiting<W>: Send {
    fn from(&self, world: &W) -> Role;

    /// Takes a frame; a refused one leaves the state and the world as they were.
    fn take(self: Box<Self>, from: Role, frame: &[u8], world: &mut W) -> Taken<W>;
}

impl<W: World, S: State<W>> Awaiting<W> for S {
    fn from(&self, world: &W) -> Role {
        self.due(world).from
    }

    fn take(self: Box<Self>, from: Role, frame: &[u8], world: &mut W) -> Taken<W> {
        let opened = world.core().endpoint.open(&self.due(world), from, frame);
        match opened.and_then(|message| self.check(from, &message).map(|()| message)) {
            Ok(message) => Ok((*self).receive(message, world)),
            Err(error) => Err((self, error)),
        }
    }
}

/// A step that has begun: what is under way or, if the party only sends in this step, nothing any more.
pub(crate) struct Begun<W>(Option<Running<W>>);

/// A step under way.
struct Running<W> {
    under_way: UnderWay,
    state: Box<dyn Awaiting<W>>,
}

impl<W: World> Begun<W> {
    /// With the numbers of the items that it makes or uses, and the first state.
    pub(crate) fn new(step: Step, items: Vec<u64>, state: impl State<W>) -> Self {
        Self(Some(Running { under_way: UnderWay { step, items }, state: Box::new(state) }))
    }

    /// A step in which the party awaits nothing: it is done as soon as it has begun.
    pub(crate) fn done() -> Self {
        Self(None)
    }
}

/// A party: its world, and the step that it is in the middle of.
pub(crate) struct Engine<W> {
    pub(crate) world: W,
    running: Option<Running<W>>,
}

impl<W: World> Engine<W> {
    pub(crate) fn new(world: W) -> Self {
        Self { world, running: None }
    }

    /// The peer whose message comes next.
    pub(crate) fn awaits(&self) -> Option<Role> {
        self.running.as_ref().map(|running| running.state.from(&self.world))
    }

    /// The step under way.
    pub(crate) fn under_way(&self) -> Option<&UnderWay> {
        self.running.as_ref().map(|running| &running.under_way)
    }

    /// Whether a step may begin: the previous one is done, and the parties have connected.
    pub(crate) fn ready(&self) -> Result<(), Error> {
        self.idle()?;
        if self.world.core().endpoint.operation == 0 { Err(Error::NotConnected) } else { Ok(()) }
    }

    /// Whether the parties may connect: nothing has been done yet.
    pub(crate) fn unconnected(&self) -> Result<(), Error> {
        self.idle()?;
        if self.world.core().endpoint.operation == 0 { Ok(()) } else { Err(Error::AlreadyConnected) }
    }

    /// Whether a memory may be loaded: that is step 1, or does not happen.
    pub(crate) fn fresh(&self) -> Result<(), Error> {
        self.ready()?;
        match self.world.core().endpoint.operation - 1 {
            0 => Ok(()),
            steps => Err(Error::NotFresh { steps }),
        }
    }

    fn idle(&self) -> Result<(), Error> {
        self.under_way().map_or(Ok(()), |under_way| Err(Error::Busy { step: under_way.step }))
    }

    /// Begins a step, after all checks of the call; the frames to send.
    pub(crate) fn begin(&mut self, begin: impl FnOnce(&mut W) -> Begun<W>) -> Vec<Frame> {
        let begun = begin(&mut self.world);
        self.enter(begun);
        mem::take(&mut self.world.core_mut().outbox)
    }

    /// What is next: a state of the step that has begun or, if that is done already, the next step.
    fn enter(&mut self, Begun(running): Begun<W>) {
        if running.is_none() {
            self.world.core_mut().endpoint.operation += 1;
        }
        self.running = running;
    }

    /// Handles a frame: see [`super::Party::receive`].
    pub(crate) fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error> {
        let Some(Running { under_way, state }) = self.running.take() else {
            return Err(self.world.core().endpoint.refuse(from, frame).into());
        };
        match state.take(from, frame, &mut self.world) {
            Err((state, error)) => {
                self.running = Some(Running { under_way, state });
                return Err(error.into());
            }
            Ok(Next::Await(state)) => self.running = Some(Running { under_way, state }),
            Ok(Next::Done) => self.world.core_mut().endpoint.operation += 1,
            Ok(Next::Then(begin)) => {
                self.world.core_mut().endpoint.operation += 1;
                let begun = begin(&mut self.world);
                self.enter(begun);
            }
        }
        Ok(mem::take(&mut self.world.core_mut().outbox))
    }
}
