//! Edges with a test for an engine, and callers of all kinds.

mod hostile;
mod links;
#[cfg(unix)]
mod local;
mod logs;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::Duration;

use duoram_link::{
    Channel, ClientName, Connection as Line, Dialer, Hello, Identity, Introduction, LinkError, PeerMessage,
    VERSION,
};
use duoram_reference::{Role, SessionId};
use tokio::time::{Instant, sleep};

use super::{Count, Edge, Limits, Peer, Settings, Timeouts, Voice};
use crate::engine::Input;

/// Nothing in these tests takes as long.
const LONG: Duration = Duration::from_secs(20);

/// The keys of three parties, of a client and of somebody else.
struct Keys {
    parties: [Identity; 3],
    client: Identity,
    stranger: Identity,
}

impl Keys {
    fn new() -> Self {
        let new = || Identity::generate().unwrap();
        Self { parties: [new(), new(), new()], client: new(), stranger: new() }
    }

    fn of(&self, role: Role) -> &Identity {
        &self.parties[role.index()]
    }

    /// As `deploy` would write it, on a port that is free.
    fn settings(&self, role: Role, addresses: &[(Role, SocketAddr)]) -> Settings {
        let peer = |peer: Role| {
            let address = addresses.iter().find(|(role, _)| *role == peer);
            let address = address.map_or("127.0.0.1:1".to_owned(), |(_, address)| address.to_string());
            (peer, Peer { address: Some(address), pins: vec![self.of(peer).pin()] })
        };
        Settings {
            role,
            identity: self.of(role).clone(),
            listen: ([127, 0, 0, 1], 0).into(),
            peers: role.peers().map(peer).into(),
            clients: BTreeMap::from([(name(), vec![self.client.pin()])]),
            local: None,
            timeouts: Timeouts { least_pause: Duration::from_millis(10), ..Timeouts::default() },
            limits: Limits::default(),
        }
    }
}

fn name() -> ClientName {
    "c".parse().unwrap()
}

/// An edge, and what its engine would hear and say.
struct Host {
    edge: Edge,
    voice: Voice,
    inputs: Receiver<Input>,
}

impl Host {
    async fn start(settings: Settings) -> Self {
        let (inbox, inputs) = super::inputs();
        let (edge, voice) = Edge::start(settings, inbox).await.unwrap();
        Self { edge, voice, inputs }
    }

    async fn next(&self) -> Input {
        let start = Instant::now();
        while start.elapsed() < LONG {
            match self.inputs.try_recv() {
                Ok(input) => return input,
                Err(TryRecvError::Empty) => sleep(Duration::from_millis(1)).await,
                Err(TryRecvError::Disconnected) => break,
            }
        }
        panic!("no input");
    }

    /// The next input that is of this peer's coming.
    async fn peer(&self, expected: Role) -> u64 {
        loop {
            if let Input::Peer(number, role) = self.next().await
                && role == expected
            {
                return number;
            }
        }
    }

    /// So many of these are counted, when the host has come to it: who calls may see how a call ends before the host has noted it.
    async fn counted(&self, count: Count, expected: u64) {
        let (start, counts) = (Instant::now(), self.edge.counts());
        while start.elapsed() < LONG && counts.get(count) < expected {
            sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(counts.get(count), expected);
    }

    /// Calls as whoever has this key.
    async fn call(&self, identity: &Identity, channel: Channel) -> Result<Line, LinkError> {
        let to = [self.edge.shared.settings.identity.pin()];
        let address = self.edge.address().to_string();
        let timeouts = duoram_link::Timeouts::default();
        Dialer::new(identity, &address, &to, channel, timeouts).unwrap().connect().await
    }
}

fn hello(role: Role) -> PeerMessage {
    PeerMessage::Hello(Hello {
        introduction: Introduction {
            version: VERSION,
            protocol: 2,
            role,
            session: SessionId([3; 16]),
            rows: 16,
            row_words: 1,
        },
        taken: [0, 0],
        orders: 0,
    })
}

/// What is heard until the other end closes, but for heartbeats.
async fn all_of<M: duoram_link::Envelope + PartialEq>(line: &mut Line, heartbeat: &M) -> (Vec<M>, LinkError) {
    let mut heard = Vec::new();
    loop {
        match line.receiver.receive::<M>(LONG).await {
            Ok(message) if message == *heartbeat => {}
            Ok(message) => heard.push(message),
            Err(error) => return (heard, error),
        }
    }
}
