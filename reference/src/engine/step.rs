//! Steps: chains of states that each await one message.

use std::fmt;
use std::mem;

use zeroize::Zeroizing;

use super::endpoint::{Due, Endpoint};
use super::lanes::Lanes;
use super::{Error, Lane, Parameters, PartyStream, Protocol, SessionKey};
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
    streams: Lanes<PartyStream>,
    /// Which lanes have been put back to what they were.
    restored: Lanes<bool>,
    /// K. All zeros until the parties have connected, and not used before: no other step can begin.
    pub(crate) key: SessionKey,
    /// The frames to send when the message at hand, or the call, is dealt with.
    outbox: Vec<Frame>,
}

impl Core {
    /// Of a party of one lane.
    pub(crate) fn new<P: Protocol>(role: Role, parameters: Parameters, seed: [u8; 32]) -> Self {
        Self::of::<P>(role, parameters, Lanes::one(PartyStream::new(seed)))
    }

    /// Of a party of two lanes, each with a stream of the seed.
    pub(crate) fn lasting<P: Protocol>(role: Role, parameters: Parameters, seed: [u8; 32]) -> Self {
        let seed = Zeroizing::new(seed);
        let streams = Lanes::two(|lane| PartyStream::numbered(&seed, lane.number().into()));
        Self::of::<P>(role, parameters, streams)
    }

    fn of<P: Protocol>(role: Role, parameters: Parameters, streams: Lanes<PartyStream>) -> Self {
        Self {
            endpoint: Endpoint::new::<P>(role, parameters, streams.alike(|| 0)),
            restored: streams.alike(|| false),
            streams,
            key: SessionKey::new([0; 16]),
            outbox: Vec::new(),
        }
    }

    /// The randomness of the lane at work.
    pub(crate) fn stream(&mut self) -> &mut PartyStream {
        self.streams.of_mut(self.endpoint.lane)
    }

    /// The randomness of a lane.
    pub(crate) fn stream_of(&self, lane: Lane) -> &PartyStream {
        self.streams.of(lane)
    }

    /// Puts back where a lane was: the number of its next step, and its randomness.
    pub(crate) fn restore(&mut self, lane: Lane, operation: u64, stream: PartyStream) {
        *self.endpoint.operations.of_mut(lane) = operation;
        *self.streams.of_mut(lane) = stream;
        *self.restored.of_mut(lane) = true;
    }

    /// Whether a lane has been put back to what it was.
    pub(crate) fn restored(&self, lane: Lane) -> bool {
        *self.restored.of(lane)
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
    fn check(&self, _world: &W, _from: Role, _message: &Self::Message) -> Result<(), Misbehaviour> {
        Ok(())
    }

    /// Takes the message, which has passed all checks, and yields what is next. The one place where a party changes.
    fn receive(self, message: Self::Message, world: &mut W) -> Next<W>;
}

/// What follows a message.
pub(crate) enum Next<W> {
    /// Another one of the same step.
    Await(Box<dyn Awaiting<W>>),
    /// None, until the caller has gone on with the step.
    Pause,
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
        match opened.and_then(|message| self.check(world, from, &message).map(|()| message)) {
            Ok(message) => Ok((*self).receive(message, world)),
            Err(error) => Err((self, error)),
        }
    }
}

/// A step that has begun, and what it awaits first, if anything.
pub(crate) struct Begun<W> {
    under_way: UnderWay,
    next: Next<W>,
}

impl<W: World> Begun<W> {
    /// With the numbers of the items that it makes or uses, and the first state.
    pub(crate) fn new(step: Step, items: Vec<u64>, state: impl State<W>) -> Self {
        Self { under_way: UnderWay { step, items }, next: Next::state(state) }
    }

    /// A step of no items, in which the party may await nothing: then it is done as soon as it has begun.
    pub(crate) fn without_items(step: Step, next: Next<W>) -> Self {
        Self { under_way: UnderWay { step, items: Vec::new() }, next }
    }
}

/// A step under way.
struct Running<W> {
    under_way: UnderWay,
    /// None while the step awaits its caller.
    state: Option<Box<dyn Awaiting<W>>>,
}

/// A party: its world, and in each lane the step that it is in the middle of.
pub(crate) struct Engine<W> {
    pub(crate) world: W,
    running: Lanes<Option<Box<Running<W>>>>,
}

impl<W: World> Engine<W> {
    pub(crate) fn new(world: W) -> Self {
        let running = world.core().endpoint.operations.alike(|| None);
        Self { world, running }
    }

    /// The peer whose message comes next, in the first lane that awaits one.
    pub(crate) fn awaits(&self) -> Option<Role> {
        Lane::ALL.into_iter().find_map(|lane| self.awaits_in(lane))
    }

    /// The peer whose message comes next in a lane.
    pub(crate) fn awaits_in(&self, lane: Lane) -> Option<Role> {
        let state = self.running.of(lane).as_ref()?.state.as_ref()?;
        Some(state.from(&self.world))
    }

    /// The lane that a frame belongs to, by its kind.
    pub(crate) fn lane_of(&self, frame: &[u8]) -> Option<Lane> {
        self.world.core().endpoint.lane_of(frame)
    }

    /// The step under way, in the first lane that is in the middle of one.
    pub(crate) fn under_way(&self) -> Option<&UnderWay> {
        Lane::ALL.into_iter().find_map(|lane| self.under_way_in(lane))
    }

    /// The step under way in a lane.
    pub(crate) fn under_way_in(&self, lane: Lane) -> Option<&UnderWay> {
        self.running.of(lane).as_ref().map(|running| &running.under_way)
    }

    /// Whether a step may begin in a lane: the previous one is done, and the parties have connected.
    pub(crate) fn ready(&self, lane: Lane) -> Result<(), Error> {
        self.idle(lane)?;
        if self.steps(Lane::Making) == 0 { Err(Error::NotConnected) } else { Ok(()) }
    }

    /// Whether the parties may connect: nothing has been done yet, and the protocol has rows if there are to be any, or no words at some
    /// addresses.
    pub(crate) fn unconnected(&self) -> Result<(), Error> {
        let endpoint = &self.world.core().endpoint;
        let parameters = &endpoint.parameters;
        if parameters.row_words() > 1 && !endpoint.rows {
            return Err(Error::NoRows { got: parameters.row_words() });
        }
        if !parameters.has_all_rows() && !endpoint.rows {
            return Err(Error::AllRows { expected: parameters.size(), got: parameters.rows() });
        }
        self.idle(Lane::Making)?;
        if self.steps(Lane::Making) == 0 { Ok(()) } else { Err(Error::AlreadyConnected) }
    }

    /// Whether a memory may be loaded: that is the first step after connect, or does not happen.
    pub(crate) fn fresh(&self) -> Result<(), Error> {
        self.ready(Lane::Memory)?;
        // Of one lane, connect is a step as well.
        let connect = u64::from(!self.running.are_two());
        match self.steps(Lane::Memory) - connect {
            0 => Ok(()),
            steps => Err(Error::NotFresh { steps }),
        }
    }

    /// Whether no step is under way in a lane.
    pub(crate) fn idle(&self, lane: Lane) -> Result<(), Error> {
        self.under_way_in(lane).map_or(Ok(()), |under_way| Err(Error::Busy { step: under_way.step }))
    }

    /// The steps that a lane has done.
    pub(crate) fn steps(&self, lane: Lane) -> u64 {
        *self.world.core().endpoint.operations.of(lane)
    }

    /// Begins a step, after all checks of the call; the frames to send.
    pub(crate) fn begin(&mut self, lane: Lane, begin: impl FnOnce(&mut W) -> Begun<W>) -> Vec<Frame> {
        self.world.core_mut().endpoint.lane = lane;
        let Begun { under_way, next } = begin(&mut self.world);
        self.settle(lane, under_way, next)
    }

    /// Goes on with the step under way, by a call; the frames to send.
    pub(crate) fn go_on(&mut self, lane: Lane, go_on: impl FnOnce(&mut W) -> Next<W>) -> Vec<Frame> {
        let Some(running) = self.running.of_mut(lane).take() else { return Vec::new() };
        self.world.core_mut().endpoint.lane = lane;
        let next = go_on(&mut self.world);
        self.settle(lane, running.under_way, next)
    }

    /// What is next in a lane that has nothing under way now; the frames to send.
    fn settle(&mut self, lane: Lane, under_way: UnderWay, next: Next<W>) -> Vec<Frame> {
        match next {
            Next::Await(state) => {
                *self.running.of_mut(lane) = Some(Box::new(Running { under_way, state: Some(state) }));
            }
            Next::Pause => *self.running.of_mut(lane) = Some(Box::new(Running { under_way, state: None })),
            Next::Done => self.count(lane),
            Next::Then(begin) => {
                self.count(lane);
                return self.begin(lane, begin);
            }
        }
        mem::take(&mut self.world.core_mut().outbox)
    }

    /// A step of a lane is done.
    fn count(&mut self, lane: Lane) {
        *self.world.core_mut().endpoint.operations.of_mut(lane) += 1;
    }

    /// Handles a frame: see [`super::Party::receive`].
    pub(crate) fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error> {
        // What belongs nowhere is refused wherever it comes to.
        let lane = self.world.core().endpoint.lane_of(frame).unwrap_or(Lane::Memory);
        self.world.core_mut().endpoint.lane = lane;
        let running = self.running.of_mut(lane);
        let Some(state) = running.as_mut().and_then(|running| running.state.take()) else {
            return Err(self.world.core().endpoint.refuse(from, frame).into());
        };
        match state.take(from, frame, &mut self.world) {
            Err((state, error)) => {
                if let Some(running) = running {
                    running.state = Some(state);
                }
                Err(error.into())
            }
            Ok(next) => {
                let under_way = running.take().map(|running| running.under_way);
                Ok(under_way.map_or_else(Vec::new, |under_way| self.settle(lane, under_way, next)))
            }
        }
    }
}
