//! The helper: P2.

use std::mem;

use crate::compute::Compute;
use crate::connect::Handshake;
use crate::endpoint::{Endpoint, Expected};
use crate::error::Step;
use crate::frame::Frame;
use crate::load::HelperLoading;
use crate::message::Message;
use crate::online::read::{HelperRead, unblindings};
use crate::online::update::{HelperUpdate, helper_queries};
use crate::online::{check_reads, check_updates, shifts};
use crate::party::{Batch, Party};
use crate::plain::Plain;
use crate::preprocessing::helper::{HelperStore, Keys, store};
use crate::preprocessing::{DPFS_PER_ITEM, count_items, triples};
use crate::primary::check_fresh;
use crate::random::PartyStream;
use crate::{Error, Parameters, Role, SessionKey};

/// P2: holds both blinds, deals the triples, and unblinds READs. It awaits P0 first, then P1.
pub struct Helper<C: Compute = Plain> {
    endpoint: Endpoint,
    stream: PartyStream,
    compute: C,
    /// K, once connected.
    key: Option<SessionKey>,
    memory: C::HelperMemory,
    items: HelperStore,
    phase: Phase,
}

/// Which message is due, with all that is needed to handle it.
enum Phase {
    Idle,
    Connect(Handshake),
    Load(HelperLoading),
    Keys(Keys),
    Read(HelperRead),
    Update(HelperUpdate),
}

impl Phase {
    /// The step under way.
    fn step(&self) -> Option<Step> {
        match self {
            Self::Idle => None,
            Self::Connect(_) => Some(Step::Connect),
            Self::Load(_) => Some(Step::Load),
            Self::Keys(_) => Some(Step::Preprocess),
            Self::Read(_) => Some(Step::Read),
            Self::Update(_) => Some(Step::Update),
        }
    }

    /// The numbers of the items that it makes or uses.
    fn items(&self) -> Vec<u64> {
        match self {
            Self::Idle | Self::Connect(_) | Self::Load(_) => Vec::new(),
            Self::Keys(keys) => keys.numbers.clone().collect(),
            Self::Read(read) => read.numbers(),
            Self::Update(update) => update.numbers(),
        }
    }
}

impl<C: Compute> Helper<C> {
    /// The helper of a zero memory. The 32 bytes seed all of its random choices and must never be used again.
    pub fn new(parameters: Parameters, seed: [u8; 32], compute: C) -> Self {
        Self {
            endpoint: Endpoint::new(Role::P2, parameters),
            stream: PartyStream::new(seed),
            memory: compute.zero_helper_memory(parameters.log_size()),
            compute,
            key: None,
            items: HelperStore::new(),
            phase: Phase::Idle,
        }
    }

    /// Starts the receiving of both blinds.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::NotFresh`] after any step but connect.
    pub fn load(&mut self) -> Result<(), Error> {
        self.ready()?;
        check_fresh(self.endpoint.operation)?;
        self.phase = Phase::Load(HelperLoading::start(&self.endpoint.parameters));
        Ok(())
    }

    /// Starts a READ step of `count` queries.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn read(&mut self, count: usize) -> Result<(), Error> {
        self.ready()?;
        check_reads(count)?;
        self.items.require(Batch { reads: count, updates: 0 })?;
        self.begin_read(count, false);
        Ok(())
    }

    /// Starts an UPDATE step of `count` queries.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::EmptyStep`], [`Error::BatchTooLarge`],
    /// [`Error::PreprocessingExhausted`].
    pub fn update(&mut self, count: usize) -> Result<(), Error> {
        self.ready()?;
        check_updates(count)?;
        self.items.require(Batch { reads: 0, updates: count })?;
        self.begin_update(count);
        Ok(())
    }

    /// Starts a WRITE: a READ step, and right after it an UPDATE step.
    ///
    /// # Errors
    ///
    /// [`Error::Busy`], [`Error::NotConnected`], [`Error::PreprocessingExhausted`].
    pub fn write(&mut self) -> Result<(), Error> {
        self.ready()?;
        self.items.require(Batch { reads: 1, updates: 1 })?;
        self.begin_read(1, true);
        Ok(())
    }

    /// What the helper holds.
    pub fn memory(&self) -> &C::HelperMemory {
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

    fn begin_read(&mut self, count: usize, write: bool) {
        let items = self.items.take_reads(count);
        self.phase = Phase::Read(HelperRead { items, shares_0: None, write });
    }

    fn begin_update(&mut self, count: usize) {
        let items = self.items.take_updates(count);
        self.phase = Phase::Update(HelperUpdate { items, openings_0: None });
    }

    /// The message that is due.
    fn expected(&self) -> Option<Expected> {
        let parameters = &self.endpoint.parameters;
        match &self.phase {
            Phase::Idle => None,
            Phase::Connect(handshake) => handshake.expected(parameters),
            Phase::Load(loading) => Some(loading.expected(parameters)),
            Phase::Keys(keys) => Some(keys.expected(parameters)),
            Phase::Read(read) => Some(read.expected(parameters)),
            Phase::Update(update) => Some(update.expected(parameters)),
        }
    }

    /// One message to each primary.
    fn send(&self, messages: [Message; 2]) -> Vec<Frame> {
        let primaries = Role::P2.peers().into_iter();
        primaries.zip(messages).map(|(to, message)| self.endpoint.seal(to, 0, &message)).collect()
    }

    /// Ends the step.
    fn done(&mut self) {
        self.phase = Phase::Idle;
        self.endpoint.operation += 1;
    }

    /// Without a key there are only hellos.
    fn receive_hello(&mut self, phase: Phase, message: &Message) -> Vec<Frame> {
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

impl<C: Compute> Party for Helper<C> {
    fn role(&self) -> Role {
        Role::P2
    }

    fn awaits(&self) -> Option<Role> {
        self.expected().map(|expected| expected.from)
    }

    fn receive(&mut self, from: Role, frame: &[u8]) -> Result<Vec<Frame>, Error> {
        let message = self.endpoint.open(self.expected().as_ref(), from, frame)?;
        let parameters = self.endpoint.parameters;
        let phase = mem::replace(&mut self.phase, Phase::Idle);
        let Some(key) = &self.key else {
            return Ok(self.receive_hello(phase, &message));
        };
        let mut frames = Vec::new();
        match (phase, message) {
            (Phase::Load(mut loading), Message::Blind(chunk)) => {
                if loading.receive(&chunk, &parameters) {
                    let HelperLoading { mut blind_0, mut blind_1 } = loading;
                    self.memory =
                        self.compute.helper_memory(mem::take(&mut *blind_0), mem::take(&mut *blind_1));
                    self.done();
                } else {
                    self.phase = Phase::Load(loading);
                }
            }
            (Phase::Keys(Keys { batch, numbers, dpf_2: None }), Message::HelperKeys(dpf_2)) => {
                self.phase = Phase::Keys(Keys { batch, numbers, dpf_2: Some(dpf_2) });
            }
            (Phase::Keys(Keys { batch, numbers, dpf_2: Some(dpf_2) }), Message::HelperKeys(dpf_3)) => {
                self.items.extend(store(batch, numbers, dpf_2, dpf_3));
                self.done();
            }
            (Phase::Read(HelperRead { items, shares_0: None, write }), Message::Shift(shares)) => {
                self.phase = Phase::Read(HelperRead { items, shares_0: Some(shares), write });
            }
            (
                Phase::Read(HelperRead { items, shares_0: Some(shares_0), write }),
                Message::Shift(shares_1),
            ) => {
                let shifts = shifts(&parameters, shares_0.into_iter(), shares_1.into_iter());
                let gammas = unblindings(items, shifts, &self.compute, key, &self.memory, &mut self.stream);
                frames = self.send(gammas.map(Message::Unblinding));
                self.done();
                if write {
                    self.begin_update(1);
                }
            }
            (Phase::Update(HelperUpdate { items, openings_0: None }), Message::HelperUpdate(openings)) => {
                self.phase = Phase::Update(HelperUpdate { items, openings_0: Some(openings) });
            }
            (
                Phase::Update(HelperUpdate { items, openings_0: Some(openings_0) }),
                Message::HelperUpdate(openings),
            ) => {
                let queries = helper_queries(items, &openings_0, &openings, &parameters);
                self.compute.update_blinds(key, &mut self.memory, &queries);
                self.done();
            }
            // Unreachable: `expected` lets only the kind through that its phase awaits.
            (phase, _) => self.phase = phase,
        }
        Ok(frames)
    }

    fn connect(&mut self) -> Result<Vec<Frame>, Error> {
        match self.ready() {
            Err(Error::NotConnected) => {}
            Err(busy) => return Err(busy),
            Ok(()) => return Err(Error::AlreadyConnected),
        }
        let handshake = Handshake::start(Role::P2, &mut self.stream);
        let hello = || handshake.hello(&self.endpoint.parameters);
        let frames = self.send([hello(), hello()]);
        self.phase = Phase::Connect(handshake);
        Ok(frames)
    }

    fn preprocess(&mut self, batch: Batch) -> Result<Vec<Frame>, Error> {
        self.ready()?;
        let items = count_items(batch, &self.endpoint.parameters)?;
        let log_size = self.endpoint.parameters.log_size();
        let dealt = triples::deal(&mut self.stream, log_size, DPFS_PER_ITEM * items);
        let frames = self.send(dealt.map(Message::Triples));
        self.phase = Phase::Keys(Keys { batch, numbers: self.items.number(batch), dpf_2: None });
        Ok(frames)
    }

    fn prepared(&self) -> Batch {
        self.items.left()
    }

    fn items(&self) -> Vec<u64> {
        self.phase.items()
    }
}
