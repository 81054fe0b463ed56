//! The links to P0 and P1: made again whenever they break, as long as the memory is there.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use duoram_link::{
    Backoff, Channel, Connection, Dialer, Identity, LinkError, Timeouts, ToClient, ToParty, encode,
};
use duoram_reference::Role;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout_at};

use crate::Error;
use crate::outbox::{Next, Outbox, check_welcome};
use crate::settings::Config;

/// The longest that a party hears nothing from here.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// A party that is silent for so long is dead.
const DEAD: Duration = Duration::from_secs(30);

/// The time for a party's first message.
const WELCOME: Duration = Duration::from_secs(10);

/// A party that does not answer is called again after at most so long, at first and in the end.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// What the tasks of a memory share.
pub(crate) struct Shared {
    outbox: Mutex<Outbox>,
    /// For the link of P0, of P1: there may be something to be said.
    changed: [Notify; 2],
    /// Both parties were there, or the memory has failed.
    pub(crate) turned: Notify,
}

impl Shared {
    pub(crate) fn new(config: &Config) -> Self {
        Self { outbox: Mutex::new(Outbox::new(config)), changed: Default::default(), turned: Notify::new() }
    }

    /// The outbox, held for a moment. Nobody panics while it is.
    pub(crate) fn outbox(&self) -> MutexGuard<'_, Outbox> {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something was asked or heard.
    pub(crate) fn wake(&self) {
        self.changed.iter().for_each(Notify::notify_one);
        self.turned.notify_waiters();
    }

    /// Keeps the link to a primary, until the memory is dropped or has failed.
    pub(crate) async fn keep(&self, party: Role, dialer: Dialer) {
        let place = party.index();
        let mut backoff = Backoff::new(PAUSES.0, PAUSES.1);
        loop {
            let ended = match dialer.connect().await {
                Ok(connection) => self.talk(place, connection).await,
                Err(error) => Err(error),
            };
            let welcomed = self.outbox().welcome(place).is_some();
            self.outbox().down(place);
            if let Err(source) = ended
                && is_final(&source)
            {
                self.outbox().fail(&Error::Link { party, source });
            }
            if self.outbox().failed().is_some() {
                self.wake();
                return;
            }
            if welcomed {
                backoff.reset();
            }
            // Without randomness the pause is the longest.
            sleep(backoff.pause(getrandom::u32().unwrap_or(u32::MAX))).await;
        }
    }

    /// Hears and speaks on one link, until it breaks.
    async fn talk(&self, place: usize, mut connection: Connection) -> Result<(), LinkError> {
        // Nothing but a welcome comes first.
        let welcome = connection.receiver.receive(WELCOME).await?;
        if !matches!(welcome, ToClient::Welcome(_) | ToClient::Goodbye(_)) {
            return Ok(());
        }
        let heard = |message| {
            let heard = self.outbox().heard(place, message, std::time::Instant::now());
            self.wake();
            heard
        };
        let goodbye = async |reason: String, mut sender: duoram_link::Sender<_>| {
            let goodbye = encode(&ToParty::Goodbye(duoram_link::Text::new(reason)));
            sender.send(&goodbye, WELCOME).await
        };
        if let Err(reason) = heard(welcome) {
            return goodbye(reason, connection.sender).await;
        }
        let Connection { mut receiver, mut sender, .. } = connection;
        let hears = async {
            loop {
                match heard(receiver.receive(DEAD).await?) {
                    Ok(()) => {}
                    Err(reason) => return Ok(reason),
                }
            }
        };
        let speaks = async {
            loop {
                let next = self.outbox().next(place, std::time::Instant::now());
                let until = match next {
                    Next::Say(message) => {
                        sender.send(&encode(&message), DEAD).await?;
                        continue;
                    }
                    Next::Wait => None,
                    Next::WaitUntil(moment) => Some(moment.into()),
                };
                let silence = Instant::now() + HEARTBEAT;
                let moment = until.map_or(silence, |until| silence.min(until));
                if timeout_at(moment, self.changed[place].notified()).await.is_err() && moment == silence {
                    sender.send(&encode(&ToParty::Heartbeat), DEAD).await?;
                }
            }
        };
        let reason: Result<String, LinkError> = tokio::select! {
            ended = hears => ended,
            ended = speaks => ended,
        };
        goodbye(reason?, sender).await
    }
}

/// Whether calling again does not help.
fn is_final(error: &LinkError) -> bool {
    use LinkError::{KeyNotKnown, Wire, WrongChannel, WrongKey};
    matches!(error, WrongKey { .. } | KeyNotKnown | WrongChannel | Wire(_))
}

/// To call a party as a client.
pub(crate) fn dialer(config: &Config, identity: &Identity, party: Role) -> Result<Dialer, Error> {
    let settings = config.party(party);
    let (address, pins) = (settings.address.as_str(), &settings.pins);
    Dialer::new(identity, address, pins, Channel::Client, Timeouts::default())
        .map_err(|source| Error::Link { party, source })
}

/// Asks a party for its status, on a link for nothing else.
pub(crate) async fn status(config: &Config, identity: &Identity, party: Role) -> Result<String, Error> {
    let failed = |source| Error::Link { party, source };
    let mut connection = dialer(config, identity, party)?.connect().await.map_err(failed)?;
    let mut asked = false;
    loop {
        match connection.receiver.receive(WELCOME).await.map_err(failed)? {
            ToClient::Welcome(welcome) if !asked => {
                check_welcome(config, party, &welcome)?;
                connection.sender.send(&encode(&ToParty::Status), WELCOME).await.map_err(failed)?;
                asked = true;
            }
            ToClient::StatusReport(report) if asked => return Ok(report),
            ToClient::Goodbye(_) => return Err(failed(LinkError::Closed)),
            // Answers that were not fetched.
            _ => {}
        }
    }
}
