//! The engine: the durable party, the orders around it and their disk, in one thread.
//!
//! It takes what has come ([`Input`]), puts on disk whatever must be there by one sync, and says what follows ([`Outside`]). It never
//! waits but for its next input and for its disk, and knows neither sockets nor clocks: a simulation calls [`Engine::take`] and
//! [`Engine::settle`] as [`Engine::run`] does.
//!
//! Nothing that a peer or a client says ends it: what is wrong takes the connection down that it came on, with a reason. An error of the disk
//! ends it at once.

mod around;
pub(crate) mod composite;
mod hear;
mod outside;
pub(crate) mod status;
mod wear;

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use duoram_reference::durable::{self, Durable, Effect};
use duoram_reference::{Batch, Lasting, Role};
use duoram_runtime::node::{Kept, Stored, Trouble};
use duoram_runtime::store::{self, Medium, Recovered, Store};

use self::around::Around;
use self::composite::Of;
pub use self::outside::{Connection, Input, Outside};
pub(crate) use self::status::KindStatus;
pub use self::status::{Items, LATENCY_BOUNDS, LinkStatus, Status};
pub use self::wear::Wear;
#[cfg(feature = "test-util")]
use crate::orders::Fault;
use crate::orders::{NotStored, Orders};
use crate::settings::Settings;
use crate::who::Who;

/// The inputs that are taken together at the most.
const GROUP: usize = 256;

/// The bytes of records after which no more inputs are taken together: of a large memory the pieces come fast.
const MAX_UNWRITTEN: usize = 16 << 20;

/// How long records may wait for others that nothing waits for: frames, which their senders keep, and what clients acknowledge.
const LAZY: Duration = Duration::from_millis(5);

/// The bytes of records that do not wait any longer.
const MAX_LAZY: usize = 1 << 20;

/// How long the engine sleeps at the most.
const TICK: Duration = Duration::from_millis(50);

/// How often the status is published.
const PUBLISH: Duration = Duration::from_millis(200);

/// How long a graceful stop waits for what is under way.
const STOP: Duration = Duration::from_secs(30);

/// What ends the process. A restart goes on from what is on disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The disk.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// What is on disk cannot be gone on from.
    #[error(transparent)]
    Durable(#[from] durable::Error),
    /// Requests and orders are not what was stored.
    #[error(transparent)]
    NotStored(#[from] NotStored),
    /// The operating system gave no randomness.
    #[error("no randomness from the operating system: {0}")]
    Randomness(getrandom::Error),
    /// There is no such party, or it has done something before it was given to the engine.
    #[error(transparent)]
    Party(#[from] duoram_reference::Error),
    /// The thread is gone: a panic, which has said why, such as that of workers that are threads and cannot go on.
    #[error("the engine has stopped by a panic")]
    Panicked,
}

impl From<Trouble> for Error {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Store(source) => Self::Store(source),
            Trouble::Durable(source) => Self::Durable(source),
            Trouble::Party(source) => Self::Party(source),
        }
    }
}

/// What differs between protocols, as far as the engine has to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProtocolFacts {
    /// The version byte of frames ([`duoram_reference::Protocol::VERSION`]).
    pub version: u8,
    /// The items of a WRITE or SWAP.
    pub write: Batch,
    /// The parties that take part ([`duoram_reference::Protocol::ROLES`]).
    pub roles: &'static [Role],
}

/// A party with its disk and whatever surrounds it.
pub struct Engine<P, M: Medium, O> {
    kept: Kept<P, M>,
    around: Around<O>,
    facts: ProtocolFacts,
    published: Option<Duration>,
    /// Since when there are records that nothing waits for.
    lazy_since: Option<Duration>,
    syncs: u64,
    sync_time: Duration,
    /// When there was a new snapshot, and how many there were.
    snapshot: (Duration, u64),
    /// How worn the session's key is, as the log says.
    wear: Wear,
    stopping: bool,
}

impl<P: Lasting, M: Medium, O: Outside> Engine<P, M, O> {
    /// The party as it is on disk: `party`, if there is nothing yet, and if there is, what that has become.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn open(
        party: P,
        facts: ProtocolFacts,
        settings: Settings,
        (store, recovered): (Store<M>, Option<Recovered>),
        outside: O,
        now: Duration,
    ) -> Result<Self, Error> {
        let (limits, is_new) = (settings.limits, recovered.is_none());
        let Recovered { snapshot: (_, snapshot), records } =
            recovered.unwrap_or_else(|| Recovered { snapshot: Default::default(), records: Vec::new() });
        let (mut own, mut of_party) = (Vec::new(), Vec::new());
        for record in &records {
            match composite::open_record(record)? {
                (Of::Party, record) => of_party.push(record),
                (Of::Orders, record) => own.push(record),
            }
        }
        let (orders, opened);
        if is_new {
            (orders, opened) = (Orders::new(settings, facts, now), None);
        } else {
            let snapshot = composite::open_snapshot(&snapshot)?;
            orders = Orders::restore(settings, facts, now, &snapshot.orders, own)?;
            opened = Some(snapshot);
        }
        let stored = opened.as_ref().map(|snapshot| Stored {
            lsn: snapshot.lsn,
            state: &snapshot.state,
            records: of_party,
        });
        let mut around = Around::new(orders, outside);
        let kept = Kept::open(party, limits, store, stored.as_ref(), &mut around)?;
        let durable = kept.durable();
        around.orders.reconcile(durable.next_command(), |number| durable.is_answered(number))?;
        Ok(Self {
            kept,
            around,
            facts,
            published: None,
            lazy_since: None,
            syncs: 0,
            sync_time: Duration::ZERO,
            snapshot: (now, 0),
            wear: Wear::default(),
            stopping: false,
        })
    }

    /// Takes inputs until it is told to stop, and what is under way has ended or half a minute is over. Then it makes a snapshot and
    /// says goodbye. A crash is as good.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn run(mut self, inputs: &Receiver<Input>) -> Result<(), Error> {
        let start = Instant::now();
        let mut until = None;
        loop {
            let deadline = self.around.orders.next_deadline().map(|due| due.saturating_sub(start.elapsed()));
            let tick = if self.lazy_since.is_some() { LAZY } else { TICK };
            match inputs.recv_timeout(deadline.unwrap_or(tick).min(tick)) {
                Ok(input) => {
                    self.take(input, start.elapsed())?;
                    for input in inputs.try_iter().take(GROUP) {
                        self.take(input, start.elapsed())?;
                        if self.kept.unwritten_bytes() > MAX_UNWRITTEN {
                            break;
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.stop(),
            }
            self.settle(start.elapsed())?;
            if self.stopping {
                let until = *until.get_or_insert_with(|| start.elapsed() + STOP);
                if self.is_idle() || self.is_cut_off() || start.elapsed() >= until {
                    return self.finish();
                }
            }
        }
    }

    fn stop(&mut self) {
        self.stopping = true;
        self.around.orders.stop();
    }

    /// Whether nothing that was ordered is under way.
    pub fn is_idle(&self) -> bool {
        self.kept.durable().is_idle() && self.around.orders.is_idle()
    }

    /// Whether a peer is not there, without whom nothing ends.
    fn is_cut_off(&self) -> bool {
        let role = self.kept.durable().party().role();
        role.others(self.facts.roles).any(|peer| !self.around.is_up(peer))
    }

    fn finish(mut self) -> Result<(), Error> {
        self.sync()?;
        match self.input(Durable::snapshot) {
            // In the middle of a step there is none; the journal has it all.
            Ok(()) | Err(Trouble::Durable(durable::Error::Busy)) => {}
            Err(error) => return Err(error.into()),
        }
        self.around.hang_up_all("this party has been stopped");
        Ok(())
    }

    /// Takes an input. [`Engine::settle`] comes after the last of a group.
    ///
    /// # Errors
    ///
    /// Those of the disk.
    pub fn take(&mut self, input: Input, now: Duration) -> Result<(), Error> {
        self.around.orders.set_now(now);
        match input {
            Input::Peer(connection, role) => self.greet(connection, role)?,
            Input::FromPeer(connection, message) => {
                if let Some(Who::Peer(peer)) = self.around.who(connection).cloned() {
                    self.take_from_peer(peer, message)?;
                }
            }
            Input::Client(connection, client) => self.welcome(connection, &client),
            Input::FromClient(connection, message) => {
                if let Some(Who::Client(client)) = self.around.who(connection).cloned() {
                    self.take_from_client(connection, &client, message);
                }
            }
            Input::Gone(connection) => match self.around.gone(connection) {
                Some(Who::Peer(peer)) => self.link_down(peer)?,
                Some(Who::Client(_)) | None => {}
            },
            Input::Stop => self.stop(),
        }
        self.append_records();
        Ok(())
    }

    /// Puts on disk what must be there, and says what follows; gives and takes orders until there is nothing more to be done now.
    ///
    /// # Errors
    ///
    /// Those of the disk.
    pub fn settle(&mut self, now: Duration) -> Result<(), Error> {
        self.around.orders.set_now(now);
        loop {
            self.around.orders.found(self.kept.durable().party().prepared());
            self.around.orders.decide();
            let mut is_busy = self.append_records();
            self.around.say_at_once();
            is_busy |= self.feed()?;
            for peer in self.around.take_refused() {
                self.link_down(peer)?;
            }
            if self.must_sync(now) {
                is_busy = true;
                self.sync()?;
            }
            self.around.say_at_once();
            if !self.kept.is_unwritten() {
                self.around.say_written();
            }
            if !is_busy {
                break;
            }
        }
        self.publish(now);
        Ok(())
    }

    /// Orders become commands, and answers that nobody needs are forgotten; whether there were any.
    fn feed(&mut self) -> Result<bool, Error> {
        let mut is_busy = false;
        while let Some((number, command)) = self.around.orders.next_due() {
            if !self.kept.durable().has_room(&command) || self.kept.unwritten_bytes() > MAX_UNWRITTEN {
                break;
            }
            self.input(|durable| durable.command(number, command))?;
            self.around.orders.commanded();
            is_busy = true;
        }
        for number in self.around.orders.take_fetched() {
            self.input(|durable| durable.fetched(number))?;
            is_busy = true;
        }
        Ok(is_busy)
    }

    /// Whether what is unwritten has to be written now.
    fn must_sync(&mut self, now: Duration) -> bool {
        if !self.kept.is_unwritten() {
            self.lazy_since = None;
            return false;
        }
        let since = *self.lazy_since.get_or_insert(now);
        self.kept.durable().waits_for_disk()
            || self.around.orders.wait_for_disk()
            || self.kept.unwritten_bytes() > MAX_LAZY
            || now >= since + LAZY
    }

    fn sync(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        self.kept.sync(&mut self.around)?;
        self.lazy_since = None;
        self.syncs += 1;
        self.sync_time += start.elapsed();
        Ok(())
    }

    /// An input of the party. Whatever orders have recorded goes before it: a snapshot that it makes is of that too.
    fn input(
        &mut self,
        input: impl FnOnce(&mut Durable<P>) -> Result<Vec<Effect>, durable::Error>,
    ) -> Result<(), Trouble> {
        self.append_records();
        self.kept.input(&mut self.around, input)
    }

    fn append_records(&mut self) -> bool {
        let records = self.around.orders.take_records();
        let is_busy = !records.is_empty();
        for bytes in records {
            self.kept.append(composite::record(Of::Orders, &bytes));
        }
        is_busy
    }

    fn publish(&mut self, now: Duration) {
        if self.snapshot.1 != self.kept.snapshots() {
            self.snapshot = (now, self.kept.snapshots());
        }
        if self.published.is_some_and(|published| now < published + PUBLISH) {
            return;
        }
        self.published = Some(now);
        let status = self.status();
        self.wear.becomes(status.key_labels);
        self.around.outside.publish(&status);
    }

    /// Plants a fault.
    #[cfg(feature = "test-util")]
    pub fn plant(&mut self, fault: Option<Fault>) {
        self.around.orders.plant(fault);
    }

    /// The party, to look at.
    #[cfg(feature = "test-util")]
    pub const fn party(&self) -> &P {
        self.kept.durable().party()
    }

    /// Whatever surrounds it.
    #[cfg(feature = "test-util")]
    pub const fn outside_mut(&mut self) -> &mut O {
        &mut self.around.outside
    }
}
