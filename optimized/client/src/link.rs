//! The links to the parties that are asked: made again whenever they break, as long as somebody may ask.

#[cfg(unix)]
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use duoram_link::{
    Backoff, Channel, Connection, Dialer, Identity, Introduction, LinkError, Receiver, Sender, Timeouts,
    ToClient, ToParty, encode,
};
use duoram_reference::Role;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout_at};

use crate::Error;
use crate::outbox::{Next, Outbox, check_welcome, introduction};
use crate::settings::{Config, Party};

/// The longest that a party hears nothing from here.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// A party that is silent for so long is dead.
const DEAD: Duration = Duration::from_secs(30);

/// The time for a party's first message.
const WELCOME: Duration = Duration::from_secs(10);

/// A party that does not answer is called again after at most so long, at first and in the end.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// So often a party is asked for its status before it counts as one that does not say it.
const STATUS_CALLS: usize = 10;

/// How a party is called.
pub(crate) enum Caller {
    /// On its host, over TLS.
    Host(Role, Dialer),
    /// On the same host, over a Unix socket.
    #[cfg(unix)]
    Socket(PathBuf),
}

/// What the tasks of a client share.
pub(crate) struct Shared<const N: usize> {
    outbox: Mutex<Outbox<N>>,
    /// For the link of each party: there may be something to be said.
    changed: [Notify; N],
    /// A party was there, or the client has failed.
    pub(crate) turned: Notify,
}

impl<const N: usize> Shared<N> {
    pub(crate) fn new(outbox: Outbox<N>) -> Self {
        let changed = [(); N].map(|()| Notify::new());
        Self { outbox: Mutex::new(outbox), changed, turned: Notify::new() }
    }

    /// The outbox, held for a moment. Nobody panics while it is.
    pub(crate) fn outbox(&self) -> MutexGuard<'_, Outbox<N>> {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something was asked or heard.
    pub(crate) fn wake(&self) {
        self.changed.iter().for_each(Notify::notify_one);
        self.turned.notify_waiters();
    }

    /// Keeps the link to the party at a place, until the client is dropped or has failed.
    pub(crate) async fn keep(&self, place: usize, caller: Caller) {
        let mut backoff = Backoff::new(PAUSES.0, PAUSES.1);
        loop {
            let ended = self.call(place, &caller).await;
            let welcomed = self.outbox().welcome(place).is_some();
            self.outbox().down(place);
            if let (Err(source), Caller::Host(party, _)) = (ended, &caller)
                && is_final(&source)
            {
                self.outbox().fail(&Error::Link { party: *party, source });
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

    /// One link, from the call to its end.
    async fn call(&self, place: usize, caller: &Caller) -> Result<(), LinkError> {
        match caller {
            Caller::Host(_, dialer) => {
                let Connection { receiver, sender, .. } = dialer.connect().await?;
                self.talk(place, receiver, sender).await
            }
            #[cfg(unix)]
            Caller::Socket(socket) => {
                let stream = tokio::net::UnixStream::connect(socket).await?;
                let (receiver, sender) = stream.into_split();
                self.talk(place, Receiver::new(receiver), Sender::new(sender)).await
            }
        }
    }

    /// Hears and speaks on one link, until it breaks.
    async fn talk<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
        &self,
        place: usize,
        mut receiver: Receiver<R>,
        mut sender: Sender<W>,
    ) -> Result<(), LinkError> {
        // Nothing but a welcome comes first.
        let welcome = receiver.receive(WELCOME).await?;
        if !matches!(welcome, ToClient::Welcome(_) | ToClient::Goodbye(_)) {
            return Ok(());
        }
        let heard = |message| {
            let heard = self.outbox().heard(place, message, std::time::Instant::now());
            self.wake();
            heard
        };
        let goodbye = |reason: String| encode(&ToParty::Goodbye(duoram_link::Text::new(reason)));
        if let Err(reason) = heard(welcome) {
            return sender.send(&goodbye(reason), WELCOME).await;
        }
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
        sender.send(&goodbye(reason?), WELCOME).await
    }
}

/// Whether calling again does not help.
fn is_final(error: &LinkError) -> bool {
    use LinkError::{KeyNotKnown, Wire, WrongChannel, WrongKey};
    matches!(error, WrongKey { .. } | KeyNotKnown | WrongChannel | Wire(_))
}

/// To call a party as a client.
pub(crate) fn dialer(identity: &Identity, role: Role, party: &Party) -> Result<Dialer, Error> {
    Dialer::new(identity, party.address.as_str(), &party.pins, Channel::Client, Timeouts::default())
        .map_err(|source| Error::Link { party: role, source })
}

/// Asks a party for its status, on a link for nothing else. One key has one link: a memory of the same client that makes its link again
/// ends this one, which has then to be made again too.
pub(crate) async fn status(
    config: &Config,
    identity: &Identity,
    role: Role,
    party: &Party,
) -> Result<String, Error> {
    let dialer = dialer(identity, role, party)?;
    let expected = introduction(config, role);
    for _ in 1..STATUS_CALLS {
        let said = ask_status(&dialer, role, &expected).await;
        if !matches!(&said, Err(Error::Link { source: LinkError::Closed | LinkError::Goodbye(_), .. })) {
            return said;
        }
        sleep(PAUSES.0).await;
    }
    ask_status(&dialer, role, &expected).await
}

async fn ask_status(dialer: &Dialer, role: Role, expected: &Introduction) -> Result<String, Error> {
    let failed = |source| Error::Link { party: role, source };
    let mut connection = dialer.connect().await.map_err(failed)?;
    let mut asked = false;
    loop {
        match connection.receiver.receive(WELCOME).await.map_err(failed)? {
            ToClient::Welcome(welcome) if !asked => {
                check_welcome(expected, &welcome)?;
                connection.sender.send(&encode(&ToParty::Status), WELCOME).await.map_err(failed)?;
                asked = true;
            }
            ToClient::StatusReport(report) if asked => return Ok(report),
            ToClient::Goodbye(reason) => return Err(failed(LinkError::Goodbye(reason.to_string()))),
            // Answers that were not fetched.
            _ => {}
        }
    }
}
