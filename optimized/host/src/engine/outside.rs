//! What surrounds the engine: what it hears ([`Input`]), and what it says ([`Outside`]).
//!
//! The edge names each connection by a number that it uses once in its life. What the engine says on a connection that is gone is dropped:
//! peers and clients are told again on the next one. So nothing that the edge loses is lost.

use duoram_link::{ClientName, PeerMessage, ToClient, ToParty};
use duoram_reference::Role;

use super::Status;

/// A connection, of a peer or of a client: a number that the edge has given it, and gives no other.
pub type Connection = u64;

/// What the engine hears, in this order on each connection: it is there, messages, it is gone. The edge keeps heartbeats to itself.
#[derive(Debug)]
pub enum Input {
    /// A peer, known by its key, is connected. The engine says [`PeerMessage::Hello`] first, and expects one. An older connection of
    /// the same peer is hung up.
    Peer(Connection, Role),
    /// From a peer.
    FromPeer(Connection, PeerMessage),
    /// A client, known by its key, is connected. The engine says [`ToClient::Welcome`] first. An older connection of the same client
    /// is hung up.
    Client(Connection, ClientName),
    /// From a client.
    FromClient(Connection, ToParty),
    /// A connection of either kind is gone. Not expected of one that the engine has hung up, and no harm.
    Gone(Connection),
    /// To stop gracefully: see [`super::Engine::run`].
    Stop,
}

/// What the engine says. None of these may block, or call the engine: what cannot leave at once is put into a buffer, and a
/// connection whose buffer is full is dropped.
pub trait Outside {
    /// To a peer.
    fn to_peer(&mut self, connection: Connection, message: PeerMessage);

    /// To a client.
    fn to_client(&mut self, connection: Connection, message: ToClient);

    /// After what was said before, says goodbye with this reason, and hangs up. Of either kind.
    fn hang_up(&mut self, connection: Connection, reason: &str);

    /// The present state, for whoever looks: some times a second.
    fn publish(&mut self, status: &Status);
}
