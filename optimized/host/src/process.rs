//! A party as a process: from its file to its end.
//!
//! The engine has a thread of its own; whatever is around it is in tokio. The process ends when it is told to (SIGTERM, SIGINT), which
//! is no error, or when the engine's disk fails, which is one; a restart goes on from what is on disk. Nothing that peers, clients or
//! browsers say ends it.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::Instant;

use duoram_kernel::{Backend, Features, Unavailable, Workers};
use duoram_link::settings::ProtocolName;
use duoram_link::{Identity, IdentityError, Pin};
use duoram_reference::Paper;
use duoram_reference::durable::Limits;
use duoram_reference::lean::Lean;
use duoram_reference::two_party::TwoParty;
use duoram_runtime::fast::Fast;
use duoram_runtime::local_computation::LocalComputation;
use duoram_runtime::protocol::Runs;
use duoram_runtime::store::{self, Owner, RangeFolders, StoreKey};
use sd_notify::NotifyState;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{oneshot, watch};

use crate::config::{self, Config};
use crate::edge::{self, Edge, Published};
use crate::engine::{self, Input};
use crate::http::{self, About, Figures, Http};
use crate::serve::serve;
use crate::settings::{Settings, StockMarks};

/// Threads for all connections.
const EDGE_THREADS: usize = 2;

/// The items after which a snapshot is made: to make them again takes some seconds at 2^20 words.
const ITEMS: usize = 1024;

/// What may have come from a peer before its turn, in bytes: more than a peer may have unacknowledged, and a step.
const AHEAD: usize = 1 << 30;

/// Commands without a fetched answer, beside those that clients have not acknowledged: what the party does for itself, and the READs
/// of a CHASE.
const COMMANDS: usize = 4096;

/// Why a party does not start, or has ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The party's key.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The party's own pin is another's too.
    #[error("{}: the key's pin {pin} is also that of {whose}", key.display())]
    OwnPin {
        /// The file of the party's key.
        key: PathBuf,
        /// Its pin.
        pin: Pin,
        /// Who has the same.
        whose: String,
    },
    /// A file.
    #[error("{}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Workers of a protocol whose parties have none.
    #[error("expected protocol paper or lean with more than one worker, got two-party")]
    NoWorkers,
    /// A backend that this CPU does not have.
    #[error(transparent)]
    Backend(#[from] Unavailable),
    /// Threads, signals, limits of the process.
    #[error("the process cannot be set up: {0}")]
    System(String),
    /// What the parties agree on.
    #[error(transparent)]
    Parameters(#[from] duoram_reference::Error),
    /// Nobody could call.
    #[error(transparent)]
    Edge(#[from] edge::Error),
    /// No operator could look.
    #[error(transparent)]
    Http(#[from] http::Error),
    /// The engine has ended by an error.
    #[error(transparent)]
    Engine(#[from] engine::Error),
}

impl Error {
    /// Whether it is the settings, or what they name: to start again does not help.
    pub const fn is_of_settings(&self) -> bool {
        use engine::Error::Store;
        use store::Error::{Locked, WrongKey};
        match self {
            Self::Engine(Store(Locked { .. } | WrongKey { .. })) => true,
            Self::System(_) | Self::Engine(_) => false,
            _ => true,
        }
    }
}

fn system(error: impl std::fmt::Display) -> Error {
    Error::System(error.to_string())
}

/// What a party needs to start, from its file and the files that it names.
pub struct Ready<C> {
    identity: Identity,
    state_key: StoreKey,
    computation: C,
}

/// Reads the keys, and whether this machine can do what it is to do. The state is not opened.
///
/// # Errors
///
/// [`Error::Identity`], [`Error::OwnPin`], [`Error::File`], [`Error::Backend`], [`Error::System`].
pub fn check(config: &Config) -> Result<Ready<Fast>, Error> {
    let identity = Identity::read(&config.key)?;
    let pin = identity.pin();
    let peers = config.peers().map(|(role, peer)| (role.to_string(), &peer.pins));
    let clients = config.clients.iter().map(|client| (format!("client {}", client.name), &client.pins));
    if let Some((whose, _)) = peers.chain(clients).find(|(_, pins)| pins.contains(&pin)) {
        return Err(Error::OwnPin { key: config.key.clone(), pin, whose });
    }
    let state_key = state_key(config)?;
    Ok(Ready { identity, state_key, computation: computation(config)? })
}

/// The local computation that the settings ask for.
///
/// # Errors
///
/// [`Error::Backend`], [`Error::System`].
pub fn computation(config: &Config) -> Result<Fast, Error> {
    let features = Features::detect();
    let backend = match config.compute.backend.0 {
        Some(name) => Backend::new(name, &features)?,
        None => Backend::best(&features),
    };
    let workers = Workers::new(config.compute.threads).map_err(system)?;
    Ok(Fast::new(backend, workers, config.compute.tree_bytes))
}

/// Where the party's workers keep their ranges, if it has workers. Nothing is made there.
///
/// # Errors
///
/// [`Error::File`]: the key cannot be read.
pub fn range_folders(config: &Config) -> Result<RangeFolders, Error> {
    let owner = Owner::party(config.session, config.role);
    Ok(RangeFolders::new(&config.state.folder_of_workers(), state_key(config)?, owner))
}

fn state_key(config: &Config) -> Result<StoreKey, Error> {
    let path = &config.state.key;
    StoreKey::read(path).map_err(|source| Error::File { path: path.clone(), source })
}

/// Runs a party until it is told to stop.
///
/// # Errors
///
/// See [`Error`].
pub fn run(config: &Config) -> Result<(), Error> {
    let (ready, runtime) = set_up(config)?;
    match config.protocol {
        ProtocolName::Paper => start::<Paper, _>(config, ready, &runtime),
        ProtocolName::Lean => start::<Lean, _>(config, ready, &runtime),
        ProtocolName::TwoParty => start::<TwoParty, _>(config, ready, &runtime),
    }
}

/// The same with a local computation that is divided among workers. Parties of two have none.
///
/// # Errors
///
/// See [`Error`].
pub fn run_divided<C: LocalComputation>(config: &Config, computation: C) -> Result<(), Error>
where
    Paper: Runs<C>,
    Lean: Runs<C>,
{
    let (Ready { identity, state_key, .. }, runtime) = set_up(config)?;
    let ready = Ready { identity, state_key, computation };
    match config.protocol {
        ProtocolName::Paper => start::<Paper, _>(config, ready, &runtime),
        ProtocolName::Lean => start::<Lean, _>(config, ready, &runtime),
        ProtocolName::TwoParty => Err(Error::NoWorkers),
    }
}

/// What any party needs before it has a protocol.
fn set_up(config: &Config) -> Result<(Ready<Fast>, Runtime), Error> {
    forbid_core_dumps().map_err(system)?;
    let ready = check(config)?;
    let runtime = Builder::new_multi_thread()
        .worker_threads(EDGE_THREADS)
        .thread_name("edge")
        .enable_all()
        .build()
        .map_err(system)?;
    Ok((ready, runtime))
}

/// What a worker of a party does that the party does too: it writes no core dumps, and does not end by a signal that is meant for the
/// party, which tells its workers to stop when it has stopped itself. What is given back must be kept until then.
///
/// # Errors
///
/// [`Error::System`].
pub fn follow() -> Result<Runtime, Error> {
    forbid_core_dumps().map_err(system)?;
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().map_err(system)?;
    {
        let _entered = runtime.enter();
        // From now on the process catches them, whether anybody listens or not.
        for kind in [SignalKind::terminate(), SignalKind::interrupt()] {
            drop(signal(kind).map_err(system)?);
        }
    }
    Ok(runtime)
}

/// Ends this process at once when whoever started it ends: for one of several that are started together. Left behind, it would keep the
/// lock on the state, and others waiting. Where the system cannot do so (it is Linux that can), nothing.
///
/// # Errors
///
/// [`Error::System`].
pub fn end_with_parent() -> Result<(), Error> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(system)?;
    }
    Ok(())
}

/// A core dump would have keys and shares in it, outside of what is sealed.
fn forbid_core_dumps() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    #[cfg(target_os = "linux")]
    rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)?;
    Ok(())
}

fn start<P: Runs<C>, C: LocalComputation>(
    config: &Config,
    ready: Ready<C>,
    runtime: &Runtime,
) -> Result<(), Error> {
    let Ready { identity, state_key, computation } = ready;
    let role = config.role;
    let settings = engine_settings(config)?;
    let about = About {
        role: role.to_string(),
        protocol: config.protocol.to_string(),
        session: config.session.to_string(),
        log_size: config.log_size,
        rows: settings.parameters.rows(),
        row_words: config.row_words,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        backend: computation.name().to_owned(),
        threads: computation.threads(),
    };
    let About { protocol, session, version, backend, threads, .. } = &about;
    tracing::info!(%role, protocol, session, config.log_size, config.row_words, version, backend, threads, pin = %identity.pin(), "starting");
    let (inbox, inputs) = edge::inputs();
    let (edge, voice) = runtime.block_on(Edge::start(edge_settings(config, identity), inbox.clone()))?;
    let status = voice.status();
    let figures = Figures { about: Arc::new(about), status: status.clone(), counts: edge.counts() };
    let http = runtime.block_on(Http::start(config.http.listen, figures))?;

    let folder = config.state.folder.clone();
    let (ended, end) = oneshot::channel();
    let work = move || {
        let _ = ended.send(serve::<P, C>(settings, computation, (&folder, &state_key), voice, &inputs));
    };
    let thread = thread::Builder::new().name("engine".to_owned()).spawn(work).map_err(system)?;
    let result = runtime.block_on(attend(end, &inbox, status));
    if let Err(error) = &result {
        tracing::error!(%error, "the party ends");
    }
    runtime.block_on(async {
        edge.stop().await;
        http.stop().await;
    });
    // It has said how it ended.
    let _ = thread.join();
    result
}

/// Waits for the engine to end, tells it to when the process is told to, and tells the service manager that it lives.
async fn attend(
    end: oneshot::Receiver<Result<(), engine::Error>>,
    inbox: &SyncSender<Input>,
    mut status: watch::Receiver<Option<Published>>,
) -> Result<(), Error> {
    let mut terminate = signal(SignalKind::terminate()).map_err(system)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(system)?;
    let watchdog = sd_notify::watchdog_enabled();
    let (mut is_ready, mut told) = (false, Instant::now());
    tokio::pin!(end);
    loop {
        let signal = tokio::select! {
            ended = &mut end => {
                return ended.unwrap_or_else(|_| Err(engine::Error::Panicked)).map_err(Error::from);
            }
            // The engine publishes several times a second, as long as it lives.
            Ok(()) = status.changed() => {
                if !is_ready {
                    is_ready = true;
                    tracing::info!("the state is open");
                    notify(NotifyState::Ready);
                }
                if watchdog.is_some_and(|watchdog| told.elapsed() >= watchdog / 4) {
                    told = Instant::now();
                    notify(NotifyState::Watchdog);
                }
                continue;
            }
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
        };
        tracing::info!(signal, "stopping");
        notify(NotifyState::Stopping);
        // It may be full: who speaks to the engine waits, and this is no exception.
        let inbox = inbox.clone();
        tokio::task::spawn_blocking(move || inbox.send(Input::Stop));
    }
}

/// Without a service manager there is nobody to tell.
fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager cannot be told");
    }
}

/// What the engine of a party is told.
///
/// # Errors
///
/// [`Error::Parameters`].
pub fn engine_settings(config: &Config) -> Result<Settings, Error> {
    let parameters = config.parameters()?;
    let (stock, limits) = (config.stock(), &config.limits);
    let clients = config.clients.iter().map(|client| (client.name.clone(), client.rights));
    let local = config.local.iter().map(|local| (local.client.clone(), local.rights));
    let clients: BTreeMap<_, _> = clients.chain(local).collect();
    // Clients that acknowledge nothing keep no others waiting.
    let commands = COMMANDS.saturating_add(clients.len().saturating_mul(limits.requests_per_client));
    Ok(Settings {
        role: config.role,
        parameters,
        clients,
        window: limits.requests_per_client,
        stock: StockMarks { low: stock.low.into(), high: stock.high.into(), batch: stock.batch.into() },
        limits: Limits {
            journal: config.state.journal_bytes,
            items: ITEMS,
            unacknowledged: limits.outbound_bytes,
            ahead: AHEAD,
            commands,
        },
    })
}

fn edge_settings(config: &Config, identity: Identity) -> edge::Settings {
    let peer = |peer: &config::Peer| edge::Peer {
        address: peer.address.as_ref().map(ToString::to_string),
        pins: peer.pins.clone(),
    };
    let timeouts = &config.timeouts;
    edge::Settings {
        role: config.role,
        identity,
        listen: config.listen,
        peers: config.peers().map(|(role, settings)| (role, peer(settings))).collect(),
        clients: config.clients.iter().map(|client| (client.name.clone(), client.pins.clone())).collect(),
        local: config
            .local
            .as_ref()
            .map(|local| edge::Local { socket: local.socket.clone(), client: local.client.clone() }),
        timeouts: edge::Timeouts {
            connect: timeouts.connect(),
            handshake: timeouts.handshake(),
            heartbeat: timeouts.heartbeat(),
            dead: timeouts.dead(),
            ..edge::Timeouts::default()
        },
        limits: edge::Limits { outbound_bytes: config.limits.outbound_bytes, ..edge::Limits::default() },
    }
}
