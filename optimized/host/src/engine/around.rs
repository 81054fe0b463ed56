//! What is around the durable party: orders, connections, and what is said on them.

use std::collections::BTreeMap;

use duoram_link::{ClientName, NumberedFrame, PeerMessage};
use duoram_reference::Role;
use duoram_reference::durable::Effect;
use duoram_runtime::node::Surroundings;
use zeroize::Zeroizing;

use super::composite::{self, Of};
use super::{Connection, LinkStatus, Outside};
use crate::orders::{Orders, Said};
use crate::who::Who;

/// The link to a peer.
#[derive(Default)]
struct Link {
    connection: Option<Connection>,
    /// Its hello was heard, and is as it should be.
    up: bool,
    connects: u64,
    refused: Option<String>,
}

pub(super) struct Around<O> {
    pub(super) orders: Orders,
    pub(super) outside: O,
    connections: BTreeMap<Connection, Who>,
    clients: BTreeMap<ClientName, Connection>,
    /// By role; to one that does not take part there is none.
    links: [Link; 3],
    /// Peers whose frames were refused.
    refused: Vec<(Role, String)>,
}

impl<O: Outside> Surroundings for Around<O> {
    fn record(&self, record: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        composite::record(Of::Party, &record)
    }

    fn snapshot(&self, lsn: u64, state: Zeroizing<Vec<u8>>) -> Zeroizing<Vec<u8>> {
        composite::snapshot(&self.orders.save(), lsn, &state)
    }

    fn hear(&mut self, effect: Effect) {
        match effect {
            Effect::Send { peer, lane, number, frame } => {
                self.tell_peer(peer, PeerMessage::Frame(NumberedFrame { lane, number, bytes: frame }));
            }
            Effect::Acknowledge { peer, lane, number } => {
                self.tell_peer(peer, PeerMessage::Acknowledged { lane, number });
            }
            Effect::Result { number, answer } => self.orders.answered(number, &answer),
            Effect::Refused { peer, error, .. } => self.refused.push((peer, error.to_string())),
            // Orders keep what they command until the disk has it.
            Effect::Accepted(_) | Effect::Append { .. } | Effect::Snapshot { .. } => {}
        }
    }
}

impl<O: Outside> Around<O> {
    pub(super) fn new(orders: Orders, outside: O) -> Self {
        Self {
            orders,
            outside,
            connections: BTreeMap::new(),
            clients: BTreeMap::new(),
            links: Default::default(),
            refused: Vec::new(),
        }
    }

    pub(super) fn who(&self, connection: Connection) -> Option<&Who> {
        self.connections.get(&connection)
    }

    pub(super) fn is_up(&self, peer: Role) -> bool {
        self.links[peer.index()].up
    }

    pub(super) fn clients(&self) -> usize {
        self.clients.len()
    }

    pub(super) fn link_status(&self, peer: Role, unacknowledged_bytes: usize) -> LinkStatus {
        let Link { up, connects, refused, .. } = &self.links[peer.index()];
        LinkStatus {
            peer: peer.to_string(),
            up: *up,
            connects: *connects,
            unacknowledged_bytes,
            refused: refused.clone(),
        }
    }

    /// The newest connection of a peer is the one that counts; whether there was another.
    pub(super) fn replace_peer(&mut self, connection: Connection, peer: Role) -> bool {
        let link = &mut self.links[peer.index()];
        let before = link.connection.replace(connection);
        link.up = false;
        if let Some(before) = before {
            self.connections.remove(&before);
            self.outside.hang_up(before, "a newer connection of the same party");
        }
        self.connections.insert(connection, Who::Peer(peer));
        before.is_some()
    }

    pub(super) fn link_up(&mut self, peer: Role) {
        let link = &mut self.links[peer.index()];
        link.up = true;
        link.connects += 1;
        tracing::info!(%peer, "the link is up");
    }

    /// The newest connection of a client is the one that counts.
    pub(super) fn replace_client(&mut self, connection: Connection, client: &ClientName) {
        if let Some(before) = self.clients.insert(client.clone(), connection) {
            self.connections.remove(&before);
            self.outside.hang_up(before, "a newer connection of the same client");
        }
        self.connections.insert(connection, Who::Client(client.clone()));
    }

    /// Who was there.
    pub(super) fn gone(&mut self, connection: Connection) -> Option<Who> {
        let who = self.connections.remove(&connection)?;
        match &who {
            Who::Peer(peer) => {
                let link = &mut self.links[peer.index()];
                (link.connection, link.up) = (None, false);
            }
            Who::Client(client) => _ = self.clients.remove(client),
        }
        Some(who)
    }

    pub(super) fn hang_up_peer(&mut self, peer: Role, reason: &str) {
        let link = &mut self.links[peer.index()];
        link.refused = Some(reason.to_owned());
        tracing::warn!(%peer, reason, "the link is taken down");
        if let Some(connection) = link.connection {
            self.outside.hang_up(connection, reason);
            self.gone(connection);
        }
    }

    pub(super) fn hang_up_all(&mut self, reason: &str) {
        for connection in std::mem::take(&mut self.connections).into_keys() {
            self.outside.hang_up(connection, reason);
        }
    }

    /// The peers that sent what the party refused; they are hung up.
    pub(super) fn take_refused(&mut self) -> Vec<Role> {
        let refused = std::mem::take(&mut self.refused);
        for (peer, reason) in &refused {
            self.hang_up_peer(*peer, reason);
        }
        refused.into_iter().map(|(peer, _)| peer).collect()
    }

    /// Says what waits for nothing.
    pub(super) fn say_at_once(&mut self) {
        let said = self.orders.take_said();
        self.say(said);
    }

    /// Says what has waited for the disk, which has everything now.
    pub(super) fn say_written(&mut self) {
        let said = self.orders.written();
        self.say(said);
    }

    fn say(&mut self, said: Vec<Said>) {
        for said in said {
            match said {
                Said::Peer(peer, message) => self.tell_peer(peer, message),
                Said::Client(client, message) => {
                    if let Some(connection) = self.clients.get(&client) {
                        self.outside.to_client(*connection, message);
                    }
                }
            }
        }
    }

    fn tell_peer(&mut self, peer: Role, message: PeerMessage) {
        let link = &self.links[peer.index()];
        if let Some(connection) = link.connection.filter(|_| link.up) {
            self.outside.to_peer(connection, message);
        }
    }
}
