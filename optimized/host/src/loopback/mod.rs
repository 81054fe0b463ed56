//! Parties in threads of one process, joined without an edge, and clients that are called directly: for tests and measurements of engines.

mod caller;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use duoram_link::{ClientName, PeerMessage, ToClient, ToParty};
use duoram_reference::Role;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::protocol::Runs;
use duoram_runtime::store::StoreKey;

pub use self::caller::{Caller, Came};
use crate::engine::{Connection, Error, Input, Outside, Status};
use crate::serve::serve;
use crate::settings::Settings;

/// What a party says to a client, or that it has hung up, and why.
#[derive(Debug)]
pub enum Told {
    /// A message.
    Client(Connection, ToClient),
    /// The last word on a connection, of any kind.
    HungUp(Connection, String),
}

/// What an engine says goes to the inboxes of the others, and to whoever is the clients.
struct Wires {
    role: Role,
    inboxes: BTreeMap<Role, Sender<Input>>,
    told: Sender<(Role, Told)>,
    status: Sender<(Role, Status)>,
}

/// The link between two parties has the number of the role that is neither.
fn link(one: Role, other: Role) -> Connection {
    (3 - one.index() - other.index()) as Connection
}

impl Wires {
    /// Where the peer at the other end of a link hears, if it is a link.
    fn peer(&self, connection: Connection) -> Option<&Sender<Input>> {
        let is_it = |other: &Role| *other != self.role && link(self.role, *other) == connection;
        self.inboxes.iter().find(|(other, _)| is_it(other)).map(|(_, inbox)| inbox)
    }
}

impl Outside for Wires {
    fn to_peer(&mut self, connection: Connection, message: PeerMessage) {
        if let Some(inbox) = self.peer(connection) {
            let _ = inbox.send(Input::FromPeer(connection, message));
        }
    }

    fn to_client(&mut self, connection: Connection, message: ToClient) {
        let _ = self.told.send((self.role, Told::Client(connection, message)));
    }

    fn hang_up(&mut self, connection: Connection, reason: &str) {
        if let Some(inbox) = self.peer(connection) {
            let _ = inbox.send(Input::Gone(connection));
        }
        let _ = self.told.send((self.role, Told::HungUp(connection, reason.to_owned())));
    }

    fn publish(&mut self, status: &Status) {
        let _ = self.status.send((self.role, status.clone()));
    }
}

/// The parties of a protocol at work.
pub struct Loopback {
    inboxes: BTreeMap<Role, Sender<Input>>,
    threads: Vec<JoinHandle<Result<(), Error>>>,
    /// What they tell clients.
    pub told: Receiver<(Role, Told)>,
    /// What they publish.
    pub status: Receiver<(Role, Status)>,
}

impl Loopback {
    /// Starts them on the states in a folder, each in a folder of its own there, sealed with this key, and joins them. There are settings
    /// for each of [`Protocol::ROLES`](duoram_reference::Protocol::ROLES).
    pub fn start<P: Runs<C>, C: LocalComputation>(
        settings: Vec<Settings>,
        computation: &C,
        folder: &Path,
        key: [u8; 32],
    ) -> Self {
        let (told, hear) = channel();
        let (status, look) = channel();
        let inbox = |settings: &Settings| {
            let (inbox, inputs) = channel();
            ((settings.role, inbox), inputs)
        };
        let (inboxes, inputs): (BTreeMap<_, _>, Vec<_>) = settings.iter().map(inbox).unzip();
        let start = |(settings, inputs): (Settings, Receiver<Input>)| {
            let role = settings.role;
            let wires = Wires { role, inboxes: inboxes.clone(), told: told.clone(), status: status.clone() };
            let (computation, key) = (computation.clone(), StoreKey::new(key));
            let folder = folder.join(role.to_string());
            thread::spawn(move || serve::<P, C>(settings, computation, (&folder, &key), wires, &inputs))
        };
        let threads = settings.into_iter().zip(inputs).map(start).collect();
        for (role, inbox) in &inboxes {
            for peer in role.others(P::ROLES) {
                let _ = inbox.send(Input::Peer(link(*role, peer), peer));
            }
        }
        Self { inboxes, threads, told: hear, status: look }
    }

    /// A client is there, at P0 and P1. Connections have numbers from 10 on.
    pub fn connect(&self, connection: Connection, client: &ClientName) {
        for role in [Role::P0, Role::P1] {
            let _ = self.inboxes[&role].send(Input::Client(connection, client.clone()));
        }
    }

    /// A client says something to P0 or P1.
    pub fn say(&self, connection: Connection, party: Role, message: ToParty) {
        let _ = self.inboxes[&party].send(Input::FromClient(connection, message));
    }

    /// All stop, gracefully; how each has ended.
    pub fn stop(self) -> Vec<Result<(), Error>> {
        for inbox in self.inboxes.values() {
            let _ = inbox.send(Input::Stop);
        }
        let joined = self.threads.into_iter().map(JoinHandle::join);
        joined.map(|ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    }
}
