//! What the edge is told once.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use duoram_link::{ClientName, Identity, Pin};
use duoram_reference::Role;

use crate::who::Who;

/// Another party.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Where it is called (`host:port`): needed of peers of a lower number than one's own, of no use otherwise.
    pub address: Option<String>,
    /// Its keys: one, or two while it is being changed.
    pub pins: Vec<Pin>,
}

/// A program on the same host that holds shares of its own: a client without a key, known by the socket that it calls.
#[derive(Clone, Debug)]
pub struct Local {
    /// The socket: made when the party starts, for the party's own user, and gone when it ends.
    pub socket: PathBuf,
    /// Which client it is. The same program at the other primary is the same client.
    pub client: ClientName,
}

/// How long is waited for what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// To look up an address and connect.
    pub connect: Duration,
    /// TLS; and again a peer's first message.
    pub handshake: Duration,
    /// Silence after which this end says that it is there.
    pub heartbeat: Duration,
    /// Silence after which the other end is gone.
    pub dead: Duration,
    /// Before a peer is called again, at first.
    pub least_pause: Duration,
    /// Before a peer is called again, at the most.
    pub most_pause: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            handshake: Duration::from_secs(10),
            heartbeat: Duration::from_secs(5),
            dead: Duration::from_secs(30),
            least_pause: Duration::from_millis(100),
            most_pause: Duration::from_secs(10),
        }
    }
}

/// What others may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes that wait to leave on a connection. A client's is dropped beyond; a peer's, if moreover nothing has left for
    /// [`Timeouts::heartbeat`]: what a peer has not acknowledged comes all at once when it returns, and must get through.
    pub outbound_bytes: usize,
    /// Callers who have not said who they are.
    pub callers: usize,
    /// Such callers from one address (of IPv6: the upper half of it).
    pub callers_each: usize,
    /// Clients that are connected.
    pub clients: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { outbound_bytes: 64 << 20, callers: 64, callers_each: 16, clients: 32 }
    }
}

/// What the edge is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Who this is.
    pub role: Role,
    /// This party's key.
    pub identity: Identity,
    /// Where peers and clients call.
    pub listen: SocketAddr,
    /// The other parties.
    pub peers: BTreeMap<Role, Peer>,
    /// Who may be a client, and their keys.
    pub clients: BTreeMap<ClientName, Vec<Pin>>,
    /// A client on the same host.
    pub local: Option<Local>,
    /// How long is waited for what.
    pub timeouts: Timeouts,
    /// What others may cost.
    pub limits: Limits,
}

impl Settings {
    /// Everybody's.
    pub(super) fn pins(&self) -> Vec<Pin> {
        let peers = self.peers.values().flat_map(|peer| &peer.pins);
        peers.chain(self.clients.values().flatten()).copied().collect()
    }

    /// Whose a pin is. It is one's only: the configuration is checked for that.
    pub(super) fn who(&self, pin: Pin) -> Option<Who> {
        let peer = self.peers.iter().find(|(_, peer)| peer.pins.contains(&pin));
        let client = || self.clients.iter().find(|(_, pins)| pins.contains(&pin));
        peer.map(|(role, _)| Who::Peer(*role)).or_else(|| client().map(|(name, _)| Who::Client(name.clone())))
    }
}
