//! What peers and clients say to the engine.

use duoram_link::{
    ClientName, Hello, Introduction, NumberedFrame, PeerMessage, Rights, ToClient, ToParty, Welcome,
};
use duoram_reference::{Lasting, Role};
use duoram_runtime::node::Trouble;
use duoram_runtime::store::Medium;

use super::{Connection, Engine, Error, Outside};

impl<P: Lasting, M: Medium, O: Outside> Engine<P, M, O> {
    /// A peer is connected: it is told what this party has of it on disk.
    pub(super) fn greet(&mut self, connection: Connection, peer: Role) -> Result<(), Error> {
        let taken = match self.kept.durable().hello(peer) {
            Ok(taken) => taken,
            Err(refused) => {
                self.around.outside.hang_up(connection, &refused.to_string());
                return Ok(());
            }
        };
        if self.around.replace_peer(connection, peer) {
            self.link_down(peer)?;
        }
        let (introduction, orders) = (self.introduction(), self.around.orders.orders());
        let hello = Hello { introduction, taken, orders };
        self.around.outside.to_peer(connection, PeerMessage::Hello(hello));
        Ok(())
    }

    /// What this party says of itself to everybody.
    fn introduction(&self) -> Introduction {
        let settings = self.around.orders.settings();
        Introduction {
            version: duoram_link::VERSION,
            protocol: self.facts.version,
            role: settings.role,
            session: settings.parameters.session(),
            rows: settings.parameters.rows() as u64,
            // At most 512.
            row_words: u16::try_from(settings.parameters.row_words()).unwrap_or(u16::MAX),
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
        let expected = Introduction { role: peer, ..self.introduction() };
        if let Err(difference) = expected.check(&got.introduction) {
            return Ok(Err(difference.to_string()));
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
        let introduction = self.introduction();
        let orders = &self.around.orders;
        let rights = orders.settings().clients.get(client).copied().unwrap_or(Rights::NONE);
        let next = orders.next_of(client);
        let peers_up = introduction.role.peers().map(|peer| self.around.is_up(peer));
        let welcome = Welcome { introduction, next, rights, peers_up };
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
