//! Connections over TCP and TLS, to and from those whose keys are pinned.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::CommonState;
use rustls_pki_types::ServerName;
use tokio::io::{ReadHalf, WriteHalf, split};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::{TlsAcceptor, TlsConnector, TlsStream};

use crate::socket::Socket;
use crate::stream::linger;
use crate::{Identity, LinkError, Pin, Receiver, Sender, pinned};

/// How long a caller that was refused may take to see why.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// What a connection is for, as both ends agree by ALPN before anything is said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Channel {
    /// Two parties: [`crate::PeerMessage`] both ways.
    Peer,
    /// A client and a party: [`crate::ToParty`] and [`crate::ToClient`].
    Client,
}

impl Channel {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Peer, Self::Client];

    pub(crate) const fn alpn(self) -> &'static [u8] {
        match self {
            Self::Peer => b"duoram-peer/1",
            Self::Client => b"duoram-client/1",
        }
    }
}

/// How long things may take before there is a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// To look up the address and connect.
    pub connect: Duration,
    /// TLS.
    pub handshake: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(5), handshake: Duration::from_secs(10) }
    }
}

/// What is heard on a connection, as bytes.
pub type TlsReader = ReadHalf<TlsStream<Socket>>;

/// What is said on a connection, as bytes.
pub type TlsWriter = WriteHalf<TlsStream<Socket>>;

/// A connection to somebody whose key is pinned, and who has proved to have it.
pub struct Connection {
    /// The pin of its key.
    pub who: Pin,
    /// What it is for.
    pub channel: Channel,
    /// Where it is.
    pub address: SocketAddr,
    /// To hear it.
    pub receiver: Receiver<TlsReader>,
    /// To speak to it.
    pub sender: Sender<TlsWriter>,
}

impl Connection {
    pub(crate) fn of(stream: TlsStream<Socket>, address: SocketAddr) -> Result<Self, LinkError> {
        let (_, state) = stream.get_ref();
        let (who, channel) = (who(state)?, channel(state)?);
        let (receiver, sender) = split(stream);
        Ok(Self { who, channel, address, receiver: Receiver::new(receiver), sender: Sender::new(sender) })
    }
}

/// A handshake without a certificate is refused by both configurations; this says so again.
fn who(state: &CommonState) -> Result<Pin, LinkError> {
    let certificate = state.peer_certificates().and_then(|chain| chain.first());
    let certificate = certificate.ok_or_else(|| LinkError::Tls("no certificate".to_owned()))?;
    pinned::pin_of(certificate).map_err(|error| LinkError::from(&error))
}

/// TLS goes on without ALPN if the caller offers none.
fn channel(state: &CommonState) -> Result<Channel, LinkError> {
    let alpn = state.alpn_protocol();
    Channel::ALL.into_iter().find(|channel| alpn == Some(channel.alpn())).ok_or(LinkError::WrongChannel)
}

/// Calls one other end.
#[derive(Clone)]
pub struct Dialer {
    address: String,
    channel: Channel,
    timeouts: Timeouts,
    connector: TlsConnector,
}

impl Dialer {
    /// To call whoever is at `address` (`host:port`) and has one of the keys that are pinned.
    ///
    /// # Errors
    ///
    /// [`LinkError::Tls`], if the library does not take this configuration.
    pub fn new(
        identity: &Identity,
        address: &str,
        pins: &[Pin],
        channel: Channel,
        timeouts: Timeouts,
    ) -> Result<Self, LinkError> {
        let config = pinned::calling(identity, pins, channel).map_err(|error| LinkError::from(&error))?;
        let connector = TlsConnector::from(Arc::new(config));
        Ok(Self { address: address.to_owned(), channel, timeouts, connector })
    }

    /// Calls.
    ///
    /// The other end may still refuse this end's key: then the first thing heard is [`LinkError::KeyNotKnown`].
    ///
    /// # Errors
    ///
    /// Any [`LinkError`] but [`LinkError::Wire`].
    pub async fn connect(&self) -> Result<Connection, LinkError> {
        let failed = |reason| LinkError::Connect { address: self.address.clone(), reason };
        let Timeouts { connect, handshake } = self.timeouts;
        let stream = timeout(connect, TcpStream::connect(&self.address)).await;
        let stream = stream.map_err(|_| failed(format!("no answer within {} ms", connect.as_millis())))?;
        let stream = stream.map_err(|error| failed(error.to_string()))?;
        stream.set_nodelay(true)?;
        let address = stream.peer_addr()?;
        // No name is looked at, and none is sent; the library wants one.
        let name = ServerName::IpAddress(address.ip().into());
        let stream = timeout(handshake, self.connector.connect(name, Socket::new(stream))).await;
        let stream =
            stream.map_err(|_| LinkError::Timeout { what: "the TLS handshake", after: handshake })??;
        let connection = Connection::of(TlsStream::Client(stream), address)?;
        debug_assert_eq!(connection.channel, self.channel, "one was offered");
        Ok(connection)
    }
}

/// Answers whoever calls, and lets in those whose keys are pinned.
#[derive(Clone)]
pub struct Answerer(TlsAcceptor);

impl Answerer {
    /// For callers with these keys, on both channels.
    ///
    /// # Errors
    ///
    /// [`LinkError::Tls`], if the library does not take this configuration.
    pub fn new(identity: &Identity, pins: &[Pin]) -> Result<Self, LinkError> {
        let config = pinned::answering(identity, pins).map_err(|error| LinkError::from(&error))?;
        Ok(Self(TlsAcceptor::from(Arc::new(config))))
    }

    /// Answers a caller within `handshake`. One that is refused sees why, if it looks within a second.
    ///
    /// # Errors
    ///
    /// Any [`LinkError`] but [`LinkError::Wire`].
    pub async fn answer(&self, stream: TcpStream, handshake: Duration) -> Result<Connection, LinkError> {
        let late = LinkError::Timeout { what: "the TLS handshake", after: handshake };
        let deadline = Instant::now() + handshake;
        stream.set_nodelay(true)?;
        let address = stream.peer_addr()?;
        match timeout_at(deadline, self.0.accept(Socket::new(stream)).into_fallible()).await {
            Ok(Ok(stream)) => Connection::of(TlsStream::Server(stream), address),
            Ok(Err((error, stream))) => {
                linger(stream, LAST_WORDS).await;
                Err(error.into())
            }
            Err(_) => Err(late),
        }
    }
}
