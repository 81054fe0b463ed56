//! What peers and clients say to the engine.

use duoram_link::{ClientName, Hello, NumberedFrame, PeerMessage, Rights, ToClient, ToParty, Welcome};
use duoram_reference::{Lasting, Role};
use duoram_runtime::node::Trouble;
use duoram_runtime::store::Medium;

use super::{Connection, Engine, Error, Outside};
use crate::settings::Settings;

impl<P: Lasting, M: Medium, O: Outside> Engine<P, M, O> {
    /// A peer is connected: it is told what this party has of it on disk.
    pub(super) fn greet(&mut self, connection: Connection, peer: Role) -> Result<(), Error> {
        let Ok(taken) = self.kept.durable().hello(peer) else {
            self.around.outside.hang_up(connection, "a party has no link to itself");
            return Ok(());
        };
        if self.around.replace_peer(connection, peer) {
            self.link_down(peer)?;
        }
        let hello = Hello { taken, orders: self.around.orders.orders(), ..self.hello() };
        self.around.outside.to_peer(connection, PeerMessage::Hello(hello));
        Ok(())
    }

    /// What this party says of itself, without what it has of a peer.
    fn hello(&self) -> Hello {
        let settings = self.around.orders.settings();
        Hello {
            version: duoram_link::VERSION,
            protocol: self.facts.version,
            role: settings.role,
            session: settings.parameters.session(),
            log_size: log_size(settings),
            taken: [0; 2],
            orders: 0,
        }
    }

    /// Whatever a peer says that is wrong takes its link down.
    pub(super) fn take_from_peer(&mut self, peer: Role, message: PeerMessage) -> Result<(), Error> {
        let refused = match self.hear_peer(peer, message) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(refused)) => refused,
            Err(Trouble::Durable(refused)) => refused.to_string(),
            Err(trouble) => return Err(trouble.into()),
        };
        self.around.hang_up_peer(peer, &refused);
        self.link_down(peer)
    }

    /// What orders refuse, and what the party refuses.
    fn hear_peer(&mut self, peer: Role, message: PeerMessage) -> Result<Result<(), String>, Trouble> {
        let is_up = self.around.is_up(peer);
        match message {
            PeerMessage::Hello(_) if is_up => return Ok(Err("a second hello".to_owned())),
            PeerMessage::Hello(hello) => return self.hear_hello(peer, hello),
            PeerMessage::Goodbye(_) | PeerMessage::Heartbeat => return Ok(Ok(())),
            _ if !is_up => return Ok(Err("a hello is expected first".to_owned())),
            _ => {}
        }
        let orders = &mut self.around.orders;
        let heard = match message {
            PeerMessage::Frame(NumberedFrame { lane, number, bytes }) => {
                return self.input(|durable| durable.frame(peer, lane, number, bytes)).map(Ok);
            }
            PeerMessage::Acknowledged { lane, number } => {
                return self.input(|durable| durable.acknowledged(peer, lane, number)).map(Ok);
            }
            PeerMessage::Order(order) => orders.order(peer, order),
            PeerMessage::Ordered { taken } => orders.ordered(peer, taken),
            PeerMessage::Holds { client, number, kind, count } => {
                orders.holds(peer, client, number, (kind, count))
            }
            PeerMessage::Hello(_) | PeerMessage::Goodbye(_) | PeerMessage::Heartbeat => Ok(()),
        };
        Ok(heard.map_err(|refused| refused.to_string()))
    }

    fn hear_hello(&mut self, peer: Role, got: Hello) -> Result<Result<(), String>, Trouble> {
        let own = self.hello();
        let differs = |what: &str, expected: &dyn std::fmt::Display, got: &dyn std::fmt::Display| {
            Ok(Err(format!("{what} {expected} expected, got {got}")))
        };
        if got.version != own.version {
            return differs("version", &own.version, &got.version);
        }
        if got.protocol != own.protocol {
            return differs("protocol version", &own.protocol, &got.protocol);
        }
        if got.role != peer {
            return differs("role", &peer, &got.role);
        }
        if got.session != own.session {
            return differs("session", &own.session, &got.session);
        }
        if got.log_size != own.log_size {
            return differs("lg n =", &own.log_size, &got.log_size);
        }
        if let Err(refused) = self.around.orders.peer_up(peer, got.orders) {
            return Ok(Err(refused.to_string()));
        }
        // Before the party says anything on it.
        self.around.link_up(peer);
        self.input(|durable| durable.link_up(peer, got.taken))?;
        Ok(Ok(()))
    }

    pub(super) fn link_down(&mut self, peer: Role) -> Result<(), Error> {
        self.around.orders.peer_down(peer);
        Ok(self.kept.link_down(peer)?)
    }

    pub(super) fn welcome(&mut self, connection: Connection, client: &ClientName) {
        self.around.replace_client(connection, client);
        let own = self.hello();
        let orders = &self.around.orders;
        let rights = orders.settings().clients.get(client).copied().unwrap_or(Rights::NONE);
        let next = orders.next_of(client);
        let peers_up = own.role.peers().map(|peer| self.around.is_up(peer));
        let Hello { version, protocol, role, session, log_size, .. } = own;
        let welcome = Welcome { version, protocol, role, session, log_size, next, rights, peers_up };
        self.around.outside.to_client(connection, ToClient::Welcome(welcome));
        self.around.orders.connected(client);
    }

    pub(super) fn take_from_client(&mut self, connection: Connection, client: &ClientName, message: ToParty) {
        let orders = &mut self.around.orders;
        match message {
            ToParty::Begin { first } => orders.begin(client, first),
            ToParty::Request(request) => orders.request(client, request),
            ToParty::Acknowledge { number } => orders.acknowledge(client, number),
            ToParty::Status => {
                let status = serde_json::to_string(&self.status()).unwrap_or_default();
                self.around.outside.to_client(connection, ToClient::StatusReport(status));
            }
            ToParty::Heartbeat | ToParty::Goodbye(_) => {}
        }
    }
}

fn log_size(settings: &Settings) -> u8 {
    // At most 40.
    u8::try_from(settings.parameters.log_size()).unwrap_or(u8::MAX)
}
