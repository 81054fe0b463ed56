//! One connection, from when it is known whose it is to its end.

use std::sync::mpsc::{SyncSender, TrySendError};
use std::time::Duration;

use duoram_link::{
    ClientName, Envelope, LinkError, PeerMessage, Receiver, Sender, Text, ToClient, ToParty, encode,
};
use duoram_reference::Role;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::time::{sleep, timeout};
use zeroize::Zeroizing;

use super::board::Place;
use super::outgoing::{Leavers, Leaving};
use super::{Count, LAST_WORDS, Shared};
use crate::engine::{Connection, Input};
use crate::who::Who;

/// Small messages that wait together leave together, in one record of TLS.
const RECORD: usize = 1 << 14;

/// Of a large message so much leaves at a time, and counts as progress.
const PIECE: usize = 1 << 16;

/// How often the engine is asked again when it has too much to hear.
const PAUSE: Duration = Duration::from_millis(1);

/// What is said on a channel, and how it becomes an input.
pub(super) trait Talk {
    type In: Envelope + Send;
    type Out: Envelope;

    fn heartbeat() -> Self::Out;
    fn goodbye(reason: Text) -> Self::Out;
    fn heard(message: &Self::In) -> Heard<'_>;
    fn input(number: Connection, message: Self::In) -> Input;
}

/// What the edge itself understands.
pub(super) enum Heard<'a> {
    Heartbeat,
    Goodbye(&'a Text),
    Message,
}

/// With a peer.
pub(super) struct WithPeer;

impl Talk for WithPeer {
    type In = PeerMessage;
    type Out = PeerMessage;

    fn heartbeat() -> PeerMessage {
        PeerMessage::Heartbeat
    }

    fn goodbye(reason: Text) -> PeerMessage {
        PeerMessage::Goodbye(reason)
    }

    fn heard(message: &PeerMessage) -> Heard<'_> {
        match message {
            PeerMessage::Heartbeat => Heard::Heartbeat,
            PeerMessage::Goodbye(reason) => Heard::Goodbye(reason),
            _ => Heard::Message,
        }
    }

    fn input(number: Connection, message: PeerMessage) -> Input {
        Input::FromPeer(number, message)
    }
}

/// With a client.
pub(super) struct WithClient;

impl Talk for WithClient {
    type In = ToParty;
    type Out = ToClient;

    fn heartbeat() -> ToClient {
        ToClient::Heartbeat
    }

    fn goodbye(reason: Text) -> ToClient {
        ToClient::Goodbye(reason)
    }

    fn heard(message: &ToParty) -> Heard<'_> {
        match message {
            ToParty::Heartbeat => Heard::Heartbeat,
            ToParty::Goodbye(reason) => Heard::Goodbye(reason),
            _ => Heard::Message,
        }
    }

    fn input(number: Connection, message: ToParty) -> Input {
        Input::FromClient(number, message)
    }
}

/// Both ends of a connection, over whatever it is.
pub(super) struct Ends<R, W> {
    /// Where the other end is, for people.
    pub(super) from: String,
    pub(super) receiver: Receiver<R>,
    pub(super) sender: Sender<W>,
}

/// Where things are heard.
pub(super) trait Hears: AsyncRead + Unpin + Send + 'static {}
impl<R: AsyncRead + Unpin + Send + 'static> Hears for R {}

/// Where things are said.
pub(super) trait Speaks: AsyncWrite + Unpin + Send + 'static {}
impl<W: AsyncWrite + Unpin + Send + 'static> Speaks for W {}

/// Serves a connection until it ends; whether the other end has said more than its first word and goodbye: then it was of use.
pub(super) async fn with_peer(shared: &Shared, ends: Ends<impl Hears, impl Speaks>, role: Role) -> bool {
    // Peers are not too many.
    let Some(place) = shared.board.enter(&Who::Peer(role)) else { return false };
    let here = Input::Peer(place.number, role);
    serve::<WithPeer>(shared, ends, place, &Who::Peer(role), here).await
}

/// Serves a client's connection until it ends.
pub(super) async fn with_client(shared: &Shared, ends: Ends<impl Hears, impl Speaks>, name: ClientName) {
    let who = Who::Client(name.clone());
    if let Some(place) = shared.board.enter(&who) {
        let here = Input::Client(place.number, name);
        serve::<WithClient>(shared, ends, place, &who, here).await;
    } else {
        let most = shared.settings.limits.clients;
        refuse::<WithClient>(ends, &format!("at most {most} clients may be connected")).await;
    }
}

/// Says goodbye to somebody who is known, but not wanted here.
pub(super) async fn refuse<T: Talk>(mut ends: Ends<impl Hears, impl Speaks>, reason: &str) {
    let bytes = encode(&T::goodbye(Text::new(reason)));
    if ends.sender.send(&bytes, LAST_WORDS).await.is_ok() && ends.sender.close(LAST_WORDS).await.is_ok() {
        ends.receiver.drain(LAST_WORDS).await;
    }
}

async fn serve<T: Talk>(
    shared: &Shared,
    ends: Ends<impl Hears, impl Speaks>,
    place: Place,
    who: &Who,
    here: Input,
) -> bool {
    let Ends { from, mut receiver, sender } = ends;
    let Place { number, leavers, cut } = place;
    tracing::info!(%who, from, connection = number, "connected");
    let timeouts = shared.settings.timeouts;
    let mut hearing = Hearing { messages: 0, inbox: &shared.inbox };
    let mut speaking = Box::pin(Speaking::new(sender, leavers, timeouts.dead).speak::<T>(timeouts.heartbeat));
    let first = if matches!(who, Who::Peer(_)) { timeouts.handshake } else { timeouts.dead };
    let ended = if deliver(&shared.inbox, here).await {
        tokio::select! {
            ended = hearing.hear::<T, _>(&mut receiver, number, first, timeouts.dead) => Ended::Heard(ended),
            ended = &mut speaking => Ended::Spoke(ended),
            () = cut.cancelled() => Ended::Cut,
        }
    } else {
        Ended::Cut
    };
    match &ended {
        Ended::Heard(End::Link(error)) => tracing::info!(%who, connection = number, %error, "gone"),
        Ended::Heard(End::Goodbye(reason)) => {
            tracing::info!(%who, connection = number, %reason, "said goodbye");
        }
        Ended::Spoke(Err(error)) => tracing::info!(%who, connection = number, %error, "gone"),
        Ended::Heard(End::Engine) | Ended::Spoke(Ok(())) | Ended::Cut => {}
    }
    // The first is the peer's hello, which it says also to those that it refuses.
    let useful = hearing.messages > 1;
    // What is wrong with its message, or its silence, the other end is told; then the last words may be on their way.
    if let Ended::Heard(End::Link(error @ (LinkError::Wire(_) | LinkError::Timeout { .. }))) = &ended {
        if matches!(error, LinkError::Wire(_)) {
            shared.counts.add(Count::Garbled);
        }
        shared.board.hang_up(number, &error.to_string());
        let _ = timeout(LAST_WORDS, speaking).await;
    } else {
        drop(speaking);
    }
    shared.board.leave(number);
    deliver(&shared.inbox, Input::Gone(number)).await;
    if !matches!(ended, Ended::Cut) {
        // Nobody waits for this: the peer may call again meanwhile.
        shared.tasks.spawn(receiver.drain(LAST_WORDS));
    }
    useful
}

/// How a connection ended.
enum Ended {
    Heard(End),
    Spoke(Result<(), LinkError>),
    Cut,
}

/// Why nothing is heard any more.
enum End {
    Link(LinkError),
    Goodbye(Text),
    /// The engine has ended.
    Engine,
}

struct Hearing<'a> {
    /// Those that were not goodbye.
    messages: u64,
    inbox: &'a SyncSender<Input>,
}

impl Hearing<'_> {
    async fn hear<T: Talk, R: AsyncRead + Unpin>(
        &mut self,
        receiver: &mut Receiver<R>,
        number: Connection,
        first: Duration,
        dead: Duration,
    ) -> End {
        let mut patience = first;
        loop {
            let message = match receiver.receive::<T::In>(patience).await {
                Ok(message) => message,
                Err(error) => return End::Link(error),
            };
            let (is_for_engine, goodbye) = match T::heard(&message) {
                Heard::Heartbeat => (false, None),
                Heard::Goodbye(reason) => (true, Some(reason.clone())),
                Heard::Message => (true, None),
            };
            self.messages += u64::from(goodbye.is_none());
            patience = dead;
            if is_for_engine && !deliver(self.inbox, T::input(number, message)).await {
                return End::Engine;
            }
            if let Some(reason) = goodbye {
                return End::Goodbye(reason);
            }
        }
    }
}

/// Gives the engine an input, and waits for room; whether there is an engine.
async fn deliver(inbox: &SyncSender<Input>, mut input: Input) -> bool {
    loop {
        input = match inbox.try_send(input) {
            Ok(()) => return true,
            Err(TrySendError::Full(input)) => input,
            Err(TrySendError::Disconnected(_)) => return false,
        };
        sleep(PAUSE).await;
    }
}

struct Speaking<W> {
    sender: Sender<W>,
    leavers: Leavers,
    /// Small messages that leave together.
    record: Zeroizing<Vec<u8>>,
    dead: Duration,
}

impl<W: AsyncWrite + Unpin> Speaking<W> {
    fn new(sender: Sender<W>, leavers: Leavers, dead: Duration) -> Self {
        Self { sender, leavers, record: Zeroizing::new(Vec::with_capacity(RECORD)), dead }
    }

    /// Until goodbye was said, or the connection is to end without a word.
    async fn speak<T: Talk>(mut self, heartbeat: Duration) -> Result<(), LinkError> {
        loop {
            let mut leaving = match timeout(heartbeat, self.leavers.next()).await {
                Ok(Some(leaving)) => Some(leaving),
                Ok(None) => return Ok(()),
                Err(_) => {
                    self.sender.send(&encode(&T::heartbeat()), self.dead).await?;
                    None
                }
            };
            while let Some(next) = leaving {
                match next {
                    Leaving::Message(bytes) => self.say(&bytes).await?,
                    Leaving::Goodbye(reason) => {
                        self.put(&encode(&T::goodbye(reason))).await?;
                        self.flush().await?;
                        return self.sender.close(self.dead).await;
                    }
                }
                leaving = self.leavers.ready();
            }
            self.flush().await?;
        }
    }

    async fn say(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        self.put(bytes).await?;
        self.leavers.taken(bytes.len());
        Ok(())
    }

    async fn put(&mut self, bytes: &[u8]) -> Result<(), LinkError> {
        if self.record.len() + bytes.len() > RECORD {
            self.flush().await?;
        }
        if bytes.len() <= RECORD {
            self.record.extend_from_slice(bytes);
            return Ok(());
        }
        for piece in bytes.chunks(PIECE) {
            self.sender.send(piece, self.dead).await?;
            self.leavers.moved();
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<(), LinkError> {
        if !self.record.is_empty() {
            self.sender.send(&self.record, self.dead).await?;
            self.leavers.moved();
            self.record.clear();
        }
        Ok(())
    }
}
