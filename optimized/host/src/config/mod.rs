//! What a party is told about itself: one TOML file.
//!
//! ```toml
//! protocol = "lean"                 # or "paper", or "two-party"
//! role = "P1"
//! session = "<32 hexadecimal digits>"
//! log_size = 16                     # the memory has 2^16 words
//! rows = 65536                      # or, if lean, fewer, but more than half; all if left out
//! row_words = 1                     # or, if lean, up to 512: 2^16 rows of so many words; 1 may be left out
//! listen = "127.0.0.1:7101"
//! key = "p1.key"                    # of duoram keygen; paths are relative to this file
//!
//! [peers.P0]
//! address = "127.0.0.1:7100"        # P1 calls P0, P2 calls both; "two-party" has no P2
//! pins = ["<64 hexadecimal digits>"] # two while the peer's key is being changed
//! [peers.P2]
//! pins = ["<64 hexadecimal digits>"]
//!
//! [[clients]]                       # any number
//! name = "c"
//! pins = ["<64 hexadecimal digits>"]
//! rights = ["read", "update", "load"] # update: UPDATE, WRITE, SWAP; at P2 a client has none
//!
//! [local]                           # a program on this host that holds shares of its own; may be left out
//! socket = "p1.socket"
//! client = "program"
//! rights = ["read", "update"]
//!
//! [state]
//! folder = "p1.state"
//! key = "p1.state-key"
//! ```
//!
//! Everything else may be left out: `[state] journal_bytes`, `[state] workers`, [`Config::stock`], [`Timeouts`], [`Limits`], [`Http`], [`Compute`] say what
//! holds then.

mod check;
#[cfg(test)]
mod tests;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use duoram_kernel::BackendName;
use duoram_link::settings::{self, Address, Error, ProtocolName, Source, Value};
use duoram_link::{ClientName, Pin, Rights};
use duoram_reference::{Batch, Parameters, Role, SessionId};
use duoram_runtime::budget::DEFAULT_TREE_BYTES;
use serde::{Deserialize, Deserializer};

/// The settings of a party, well-formed and checked against each other.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What the parties speak.
    #[serde(deserialize_with = "settings::value")]
    pub protocol: ProtocolName,
    /// Who this party is.
    #[serde(deserialize_with = "settings::value")]
    pub role: Role,
    /// Which session: the same at all parties.
    #[serde(deserialize_with = "settings::value")]
    pub session: SessionId,
    /// `h`: there are `2^h` addresses.
    pub log_size: u32,
    /// `m`: so many of them, the first ones, have words, or rows of them; all, if it is left out.
    pub rows: Option<usize>,
    /// `w`: the words of a row, which an address holds.
    #[serde(default = "settings::row_words")]
    pub row_words: usize,
    /// Where peers and clients call this party.
    #[serde(deserialize_with = "settings::value")]
    pub listen: SocketAddr,
    /// The file of the party's own key.
    pub key: PathBuf,
    peers: Peers,
    /// Who may ask for what.
    #[serde(default)]
    pub clients: Vec<Client>,
    /// Who may ask by a socket of this host.
    pub local: Option<Local>,
    /// The party's disk.
    pub state: State,
    #[serde(default)]
    stock: StockSettings,
    /// How long is waited for what.
    #[serde(default)]
    pub timeouts: Timeouts,
    /// How much is kept for others.
    #[serde(default)]
    pub limits: Limits,
    /// What an operator sees.
    #[serde(default)]
    pub http: Http,
    /// The local computation.
    #[serde(default)]
    pub compute: Compute,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Peers {
    #[serde(rename = "P0")]
    p0: Option<Peer>,
    #[serde(rename = "P1")]
    p1: Option<Peer>,
    #[serde(rename = "P2")]
    p2: Option<Peer>,
}

impl Peers {
    fn of(&self, role: Role) -> Option<&Peer> {
        match role {
            Role::P0 => self.p0.as_ref(),
            Role::P1 => self.p1.as_ref(),
            Role::P2 => self.p2.as_ref(),
        }
    }
}

/// Another party.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Peer {
    /// Where it is called; of no use at the party that it calls.
    #[serde(default, deserialize_with = "settings::optional")]
    pub address: Option<Address>,
    /// Its keys: one, or two while it is being changed.
    #[serde(deserialize_with = "settings::values")]
    pub pins: Vec<Pin>,
}

/// Somebody who may ask.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Client {
    /// What the journal knows it by: with another name it is another client.
    #[serde(deserialize_with = "settings::value")]
    pub name: ClientName,
    /// Its keys: one, or two while it is being changed.
    #[serde(deserialize_with = "settings::values")]
    pub pins: Vec<Pin>,
    /// What it may ask for, besides the status.
    #[serde(default, deserialize_with = "rights")]
    pub rights: Rights,
}

/// A program on the same host that holds shares of its own: a client without a key, known by the socket that it calls.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Local {
    /// The socket, which only the party's own user may call.
    pub socket: PathBuf,
    /// What the journal knows it by; the same at P0 and P1.
    #[serde(deserialize_with = "settings::value")]
    pub client: ClientName,
    /// What it may ask for.
    #[serde(default, deserialize_with = "rights")]
    pub rights: Rights,
}

/// One of a client's rights.
struct Right(Rights);

impl Value for Right {
    const EXPECTED: &str = "\"read\", \"update\" or \"load\"";

    fn of(text: &str) -> Option<Self> {
        match text {
            "read" => Some(Self(Rights::READ)),
            "update" => Some(Self(Rights::UPDATE)),
            "load" => Some(Self(Rights::LOAD)),
            _ => None,
        }
    }
}

fn rights<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rights, D::Error> {
    let rights = settings::values::<Right, D>(deserializer)?;
    Ok(rights.into_iter().fold(Rights::NONE, |all, Right(one)| all.and(one)))
}

/// The party's disk.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The folder that is the party's alone.
    pub folder: PathBuf,
    /// The file of the key that seals the folder: 64 hexadecimal digits.
    pub key: PathBuf,
    /// Where the workers of a divided party keep their ranges, each in a folder of its own in this one, on its own machine.
    pub workers: Option<PathBuf>,
    /// A snapshot is made when the journal has this many bytes: how much a restart does again.
    #[serde(default = "State::journal_bytes")]
    pub journal_bytes: usize,
}

impl State {
    /// That of the settings, or `workers` in the party's own.
    pub fn folder_of_workers(&self) -> PathBuf {
        self.workers.clone().unwrap_or_else(|| self.folder.join("workers"))
    }

    const fn journal_bytes() -> usize {
        16 << 20
    }
}

/// The table `stock`, as far as it says anything.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct StockSettings {
    low: Option<Items>,
    high: Option<Items>,
    batch: Option<Items>,
}

impl Config {
    /// The items that are kept ready. If the settings do not say: 1,024 of each kind at the most, and fewer for a memory of more than
    /// 2^18 words, for an item keeps a bit for each word and DPF (lean), so that all take some 256 MiB whatever the memory's size; a
    /// quarter of that for the low mark, and an eighth at once.
    pub fn stock(&self) -> Stock {
        let usual: usize = 1 << 28_u32.saturating_sub(self.log_size).clamp(4, 10);
        let StockSettings { low, high, batch } = self.stock;
        let high = high.unwrap_or(Items { reads: usual, updates: usual });
        let of_both =
            |part: fn(usize) -> usize| Items { reads: part(high.reads), updates: part(high.updates) };
        Stock {
            low: low.unwrap_or(of_both(|high| high / 4)),
            high,
            batch: batch.unwrap_or(of_both(|high| high.div_ceil(8).max(1))),
        }
    }
}

/// How many items are kept ready, for READs and UPDATEs apart. P0 decides; the others make what P0 orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stock {
    /// Below this many, more are made.
    pub low: Items,
    /// Until there are this many. A step of more READs than this is refused.
    pub high: Items,
    /// So many at once.
    pub batch: Items,
}

/// Numbers of items.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Items {
    /// Of READs.
    pub reads: usize,
    /// Of UPDATEs.
    pub updates: usize,
}

impl From<Items> for Batch {
    fn from(Items { reads, updates }: Items) -> Self {
        Self { reads, updates }
    }
}

/// How long is waited, in milliseconds. No step has a timeout: it waits until its peers are back.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Timeouts {
    /// For a connection.
    pub connect_ms: u64,
    /// For TLS and the first message on it.
    pub handshake_ms: u64,
    /// Between two signs of life.
    pub heartbeat_ms: u64,
    /// Without one, until the other is taken for dead.
    pub dead_ms: u64,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect_ms: 5_000, handshake_ms: 10_000, heartbeat_ms: 5_000, dead_ms: 30_000 }
    }
}

impl Timeouts {
    /// For a connection.
    pub fn connect(&self) -> Duration {
        Duration::from_millis(self.connect_ms)
    }

    /// For TLS and the first message on it.
    pub fn handshake(&self) -> Duration {
        Duration::from_millis(self.handshake_ms)
    }

    /// Between two signs of life.
    pub fn heartbeat(&self) -> Duration {
        Duration::from_millis(self.heartbeat_ms)
    }

    /// Without a sign of life.
    pub fn dead(&self) -> Duration {
        Duration::from_millis(self.dead_ms)
    }
}

/// How much is kept for others.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// The bytes that may wait to leave on a link. Beyond, the link is dropped; what was lost is sent on the next.
    pub outbound_bytes: usize,
    /// The requests of a client that may be without an acknowledged answer.
    pub requests_per_client: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { outbound_bytes: 64 << 20, requests_per_client: 64 }
    }
}

/// What an operator sees: `/livez`, `/readyz`, `/metrics`, `/status.json`, and a page. It has no secrets, and no lock either.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Http {
    /// Where.
    #[serde(deserialize_with = "settings::value")]
    pub listen: SocketAddr,
}

impl Default for Http {
    fn default() -> Self {
        Self { listen: (Ipv4Addr::LOCALHOST, 8100).into() }
    }
}

/// The local computation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Compute {
    /// The kernels.
    #[serde(deserialize_with = "settings::value")]
    pub backend: BackendSetting,
    /// Threads for each operation; without this, as many as the machine runs at once.
    pub threads: usize,
    /// What the labels of trees in flight may take, in bytes.
    pub tree_bytes: u64,
}

impl Default for Compute {
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, Into::into);
        Self { backend: BackendSetting(None), threads, tree_bytes: DEFAULT_TREE_BYTES }
    }
}

/// Kernels by name; `None` for the fastest that the CPU has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackendSetting(pub Option<BackendName>);

impl Value for BackendSetting {
    const EXPECTED: &str = "\"auto\", \"vaes512\", \"vaes256\", \"aesni\" or \"portable\"";

    fn of(text: &str) -> Option<Self> {
        let named = || BackendName::ALL.into_iter().find(|name| name.as_str() == text).map(Some);
        (text == "auto").then_some(None).or_else(named).map(Self)
    }
}

impl Config {
    /// Reads a file and checks it. Other files that it names are not opened.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn open(path: &Path) -> Result<Self, Error> {
        let (source, mut config) = Source::read::<Self>(path)?;
        config.check(&source)?;
        let socket = config.local.as_mut().map(|local| &mut local.socket);
        let state = &mut config.state;
        let paths = [&mut config.key, &mut state.folder, &mut state.key];
        for path in paths.into_iter().chain(&mut state.workers).chain(socket) {
            *path = source.beside(path);
        }
        Ok(config)
    }

    /// What all parties agree on.
    ///
    /// # Errors
    ///
    /// None after [`Config::open`], which has checked the size.
    pub fn parameters(&self) -> Result<Parameters, duoram_reference::Error> {
        self.protocol.parameters(self.session, (self.log_size, self.rows, self.row_words))
    }

    /// The other parties, in order.
    pub fn peers(&self) -> impl Iterator<Item = (Role, &Peer)> {
        self.role
            .others(self.protocol.roles())
            .filter_map(|role| self.peers.of(role).map(|peer| (role, peer)))
    }
}
