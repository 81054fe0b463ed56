//! A primary: P0 or P1.

use std::mem;

use zeroize::Zeroizing;

use crate::compute::Compute;
use crate::connect::Handshake;
use crate::endpoint::{Endpoint, Expected};
use crate::error::Step;
use crate::frame::Frame;
use crate::load::Loading;
use crate::message::Message;
use crate::online::read::{ShiftDue, UnblindingDue};
use crate::online::update::UpdateDue;
use crate::online::{Write, check_reads, check_updates};
use crate::party::{Batch, Party};
use crate::plain::Plain;
use crate::preprocessing::conversion::{Conversion, PrimaryStore, Scaling};
use crate::preprocessing::count_items;
use crate::preprocessing::levels::{Growth, Next, Opening};
use crate::preprocessing::primary::{Context, Drawn};
use crate::random::PartyStream;
use crate::{Error, Parameters, Role, SessionKey, Word};

/// P0 or P1: holds a share of the memory, and shares of addresses and values.
///
/// A READ awaits the other primary's shift, computes, and then awaits the helper's gamma; an UPDATE awaits the other
/// primary's openings and sends what the helper needs.
pub struct Primary<C: Compute = Plain> {
    endpoint: Endpoint,
    /// The other primary.
    other: Role,
    stream: PartyStream,
    compute: C,
    /// K, once connected.
    key: Option<SessionKey>,
    memory: C::PrimaryMemory,
    items: PrimaryStore,
    /// `read_b` of the last READ step.
    results: Zeroizing<Vec<Word>>,
    phase: Phase<C::Forest>,
}

/// Which message is due, with all that is needed to handle it.
enum Phase<F> {
    Idle,
    Connect(Handshake),
    Load(Loading),
    Triples(Drawn),
    LevelOperands(Growth<F>),
    LevelOpening(Opening<F>),
    ConversionOperands(Conversion),
    ConversionOpening(Scaling),
    Shift(ShiftDue),
    Unblinding(UnblindingDue),
    Update(UpdateDue),
}

impl<F> Phase<F> {
    /// The step under way.
    fn step(&self) -> Option<Step> {
        match self {
            Self::Idle => None,
            Self::Connect(_) => Some(Step::Connect),
            Self::Load(_) => Some(Step::Load),
            Self::Triples(_)
            | Self::LevelOperands(_)
            | Self::LevelOpening(_)
            | Self::ConversionOperands(_)
            | Self::ConversionOpening(_) => Some(Step::Preprocess),
            Self::Shift(_) | Self::Unblinding(_) => Some(Step::Read),
            Self::Update(_) => Some(Step::Update),
        }
    }

    /// The numbers of the items that it makes or uses.
    fn items(&self) -> Vec<u64> {
        match self {
            Self::Idle | Self::Connect(_) | Self::Load(_) => Vec::new(),
            Self::Triples(drawn) => drawn.numbers.clone().collect(),
            Self::LevelOperands(growth) => growth.numbers().collect(),
            Self::LevelOpening(opening) => opening.numbers().collect(),
            Self::ConversionOperands(conversion) => conversion.numbers().collect(),
            Self::ConversionOpening(scaling) => scaling.numbers().collect(),
            Self::Shift(read) => read.numbers(),
            Self::Unblinding(read) => read.numbers.clone(),
            Self::Update(update) => update.numbers(),
        }
    }
}

impl<C: Compute> Primary<C> {
    /// A primary with a zero memory. The 32 bytes seed all of its random choices and must never be used again.
    ///
    /// # Errors
    ///
    /// [`Error::NotPrimary`] for the helper's role.
    pub fn new(role: Role, parameters: Parameters, seed: [u8; 32], compute: C) -> Result<Self, Error> {
        let other = match role {
            Role::P0 => Role::P1,
            Role::P1 => Role::P0,
            Role::P2 => return Err(Error::NotPrimary { got: role }),
        };
        Ok(Self {
            endpoint: Endpoint::new(role, parameters),
            other,
            stream: PartyStream::new(seed),
            memory: compute.zero_primary_memory(parameters.log_size()),
            compute,
            key: None,
            items: PrimaryStore::new(),
            results: Zeroizing::default(),
            phase: Phase::Idle,
        })
    }

    /// Starts the loading of this primary's share of a memory: n words.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::NotFresh`] after any step but connect,
    /// [`Error::MemoryLength`].
    pub fn load(&mut self, memory_share: Vec<Word>) -> Result<Vec<Frame>, Error> {
        let memory_share = Zeroizing::new(memory_share);
        self.ready()?;
        check_fresh(self.endpoint.operation)?;
        let (expected, got) = (self.endpoint.parameters.size(), memory_share.len() as u64);
        if got != expected {
            return Err(Error::MemoryLength { expected, got });
        }
        let loading = Loading::start(memory_share, &mut self.stream);
        let mut frames = Vec::new();
        for (round, blinded, blind) in loading.chunks() {
            frames.push(self.endpoint.seal(self.other, round, &Message::Blinded(blinded)));
            frames.push(self.endpoint.seal(Role::P2, round, &Message::Blind(blind)));
        }
        self.phase = Phase::Load(loading);
        Ok(frames)
    }

    /// Starts a READ step of k independent queries: this primary's address shares, which are taken mod n.
    ///
    /// A share of a result may be fed straight back as a share of an address. Uses k READ items.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn read(&mut self, addresses: &[Word]) -> Result<Vec<Frame>, Error> {
        self.ready()?;
        check_reads(addresses.len())?;
        self.items.require(Batch { reads: addresses.len(), updates: 0 })?;
        Ok(self.begin_read(addresses, None))
    }

    /// Starts an UPDATE step: k pairs of this primary's shares of an address, taken mod n, and of what is added there.
    ///
    /// Uses k UPDATE items.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn update(&mut self, updates: &[(Word, Word)]) -> Result<Vec<Frame>, Error> {
        self.ready()?;
        check_updates(updates.len())?;
        self.items.require(Batch { reads: 0, updates: updates.len() })?;
        Ok(self.begin_update(updates))
    }

    /// Starts a WRITE: a READ step, and an UPDATE step with `M_b - read_b` as soon as gamma has come
    /// (`[duoram, section 3.1.2]`).
    ///
    /// Uses one READ item and one UPDATE item. The old value is the result of its READ.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    pub fn write(&mut self, address: Word, value: Word) -> Result<Vec<Frame>, Error> {
        self.ready()?;
        self.items.require(Batch { reads: 1, updates: 1 })?;
        Ok(self.begin_read(&[address], Some(Box::new(Write { address, value }))))
    }

    /// `read_b` for each query of the last READ step, in order; empty if they were taken already.
    pub fn take_results(&mut self) -> Vec<Word> {
        mem::take(&mut *self.results)
    }

    /// What this primary holds.
    pub fn memory(&self) -> &C::PrimaryMemory {
        &self.memory
    }

    /// Idle and connected?
    fn ready(&self) -> Result<(), Error> {
        match (self.phase.step(), &self.key) {
            (Some(step), _) => Err(Error::Busy { step }),
            (None, None) => Err(Error::NotConnected),
            (None, Some(_)) => Ok(()),
        }
    }

    /// To both peers.
    fn broadcast(&self, message: &Message) -> Vec<Frame> {
        self.endpoint.role.peers().map(|to| self.endpoint.seal(to, 0, message)).into()
    }

    /// `[duoram, Protocol 1, line 5]`
    fn begin_read(&mut self, addresses: &[Word], then: Option<Box<Write>>) -> Vec<Frame> {
        let items = self.items.take_reads(addresses.len());
        let due = ShiftDue::start(items, addresses, then, &self.endpoint.parameters);
        let frames = self.broadcast(&Message::Shift(due.shares()));
        self.phase = Phase::Shift(due);
        frames
    }

    /// `[duoram, Protocol 2, line 5]`
    fn begin_update(&mut self, updates: &[(Word, Word)]) -> Vec<Frame> {
        let items = self.items.take_updates(updates.len());
        let due = UpdateDue::start(items, updates, &self.endpoint.parameters);
        let frames = vec![
            self.endpoint.seal(self.other, 0, &Message::Update(due.openings())),
            self.endpoint.seal(Role::P2, 0, &Message::HelperUpdate(due.helper_openings())),
        ];
        self.phase = Phase::Update(due);
        frames
    }

    /// The message that is due.
    fn expected(&self) -> Option<Expected> {
        let parameters = &self.endpoint.parameters;
        let due = |from, round, shape| Some(Expected { from, round, shape });
        match &self.phase {
            Phase::Idle => None,
            Phase::Connect(handshake) => handshake.expected(parameters),
            Phase::Load(loading) => Some(loading.expected(self.other, parameters)),
            Phase::Triples(drawn) => due(Role::P2, 0, drawn.shape(parameters)),
            Phase::LevelOperands(growth) => due(self.other, growth.level(), growth.shape()),
            Phase::LevelOpening(opening) => due(self.other, opening.level(), opening.shape()),
            Phase::ConversionOperands(conversion) => due(self.other, 0, conversion.shape(self.other)),
            Phase::ConversionOpening(scaling) => due(self.other, 0, scaling.shape()),
            Phase::Shift(read) => due(self.other, 0, read.shape(parameters)),
            Phase::Unblinding(read) => due(Role::P2, 0, read.shape()),
            Phase::Update(update) => due(self.other, 0, update.shape(parameters)),
        }
    }

    /// The frame and the phase that follow a level's growth.
    fn grown(&self, growth: Growth<C::Forest>) -> (Vec<Frame>, Phase<C::Forest>) {
        let operands = Message::LevelOperands(growth.operands(&self.endpoint.parameters));
        (vec![self.endpoint.seal(self.other, growth.level(), &operands)], Phase::LevelOperands(growth))
    }

    /// Ends the step.
    fn done(&mut self) {
        self.phase = Phase::Idle;
        self.endpoint.operation += 1;
    }
}

/// A memory is loaded right after the connection (step 0).
pub(crate) fn check_fresh(operation: u64) -> Result<(), Error> {
    match operation.saturating_sub(1) {
        0 => Ok(()),
        steps => Err(Error::NotFresh { steps }),
    }
}

impl<C: Compute> Party for Primary<C> {
    fn role(&self) -> Role {
        self.endpoint.role
    }

    fn awaits(&self) -> Option<Role> {
        self.expected().map(|expected| expected.from)
    }

    fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error> {
        let message = self.endpoint.open(self.expected().as_ref(), from, frame)?;
        // The one check that takes more than the message: before anything changes.
        if let (Phase::LevelOpening(opening), Message::LevelOpening(shares)) = (&self.phase, &message) {
            opening.check(from, shares)?;
        }
        let Endpoint { role, parameters, .. } = self.endpoint;
        let phase = mem::replace(&mut self.phase, Phase::Idle);
        let Some(key) = &self.key else {
            return Ok(self.receive_hello(phase, &message));
        };
        let context = Context { compute: &self.compute, key, parameters };
        let frames = match (phase, message) {
            (Phase::Load(mut loading), Message::Blinded(chunk)) => {
                if loading.receive(&chunk) {
                    let Loading { mut memory_share, mut blind, blinded } = loading;
                    let (memory_share, blind) = (mem::take(&mut *memory_share), mem::take(&mut *blind));
                    self.memory = self.compute.primary_memory(memory_share, blind, blinded);
                    self.done();
                } else {
                    self.phase = Phase::Load(loading);
                }
                Vec::new()
            }
            (Phase::Triples(drawn), Message::Triples(triples)) => {
                let (frames, phase) = self.grown(Growth::plant(drawn, triples, &context));
                self.phase = phase;
                frames
            }
            (Phase::LevelOperands(growth), Message::LevelOperands(theirs)) => {
                let opening = growth.open(&theirs, &parameters);
                let shares = Message::LevelOpening(opening.shares());
                let frames = vec![self.endpoint.seal(self.other, opening.level(), &shares)];
                self.phase = Phase::LevelOpening(opening);
                frames
            }
            (Phase::LevelOpening(opening), Message::LevelOpening(theirs)) => {
                match opening.correct(&theirs, &context) {
                    Next::Level(growth) => {
                        let (frames, phase) = self.grown(growth);
                        self.phase = phase;
                        frames
                    }
                    Next::Leaves(conversion) => {
                        let operands = Message::ConversionOperands(conversion.operands(role));
                        self.phase = Phase::ConversionOperands(conversion);
                        vec![self.endpoint.seal(self.other, 0, &operands)]
                    }
                }
            }
            (Phase::ConversionOperands(conversion), Message::ConversionOperands(theirs)) => {
                let scaling = conversion.multiply(role, theirs);
                let shares = Message::ConversionOpening(scaling.shares());
                self.phase = Phase::ConversionOpening(scaling);
                vec![self.endpoint.seal(self.other, 0, &shares)]
            }
            (Phase::ConversionOpening(scaling), Message::ConversionOpening(theirs)) => {
                let (made, keys) = scaling.finish(role, &theirs, &parameters);
                let frames = vec![self.endpoint.seal(Role::P2, 0, &Message::HelperKeys(keys))];
                self.items.extend(made);
                self.done();
                frames
            }
            (Phase::Shift(read), Message::Shift(theirs)) => {
                let local = |queries: &[_]| self.compute.read(key, role, &self.memory, queries);
                self.phase = Phase::Unblinding(read.answer(&theirs, &parameters, local));
                Vec::new()
            }
            (Phase::Unblinding(mut read), Message::Unblinding(gammas)) => {
                self.results = read.finish(&gammas);
                self.done();
                match (read.then.take(), self.results.first()) {
                    (Some(write), Some(old)) => {
                        let change = Zeroizing::new(write.value.wrapping_sub(*old));
                        self.begin_update(&[(write.address, *change)])
                    }
                    _ => Vec::new(),
                }
            }
            (Phase::Update(update), Message::Update(theirs)) => {
                let queries = update.queries(&theirs, &parameters);
                self.compute.update(key, role, &mut self.memory, &queries);
                self.done();
                Vec::new()
            }
            // Unreachable: `expected` lets only the kind through that its phase awaits.
            (phase, _) => {
                self.phase = phase;
                Vec::new()
            }
        };
        Ok(frames)
    }

    fn connect(&mut self) -> Result<Vec<Frame>, Error> {
        match self.ready() {
            Err(Error::NotConnected) => {}
            Err(busy) => return Err(busy),
            Ok(()) => return Err(Error::AlreadyConnected),
        }
        let handshake = Handshake::start(self.endpoint.role, &mut self.stream);
        let frames = self.broadcast(&handshake.hello(&self.endpoint.parameters));
        self.phase = Phase::Connect(handshake);
        Ok(frames)
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.ready()?;
        count_items(batch, &self.endpoint.parameters)?;
        let numbers = self.items.number(batch);
        self.phase = Phase::Triples(Drawn::start(self.endpoint.role, batch, numbers, &mut self.stream));
        Ok(Vec::new())
    }

    fn prepared(&self) -> Batch {
        self.items.left()
    }

    fn items(&self) -> Vec<u64> {
        self.phase.items()
    }
}

impl<C: Compute> Primary<C> {
    /// Without a key there are only hellos.
    fn receive_hello(&mut self, phase: Phase<C::Forest>, message: &Message) -> Vec<Frame> {
        self.phase = phase;
        if let (Phase::Connect(handshake), Message::Hello(hello)) = (&mut self.phase, message) {
            self.key = handshake.receive(*hello);
        }
        if self.key.is_some() {
            self.done();
        }
        Vec::new()
    }
}
